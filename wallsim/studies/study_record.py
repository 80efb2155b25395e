"""The record of a study's folder: what is played, and at the end the sha256 of every file, sealed and written last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.runs.folder.commit import write_whole
from wallsim.runs.folder.file_stores import file_store
from wallsim.runs.folder.layout import RECORD
from wallsim.runs.study_folder import Record, finished_record, read_record
from wallsim.runs.versions import package_version
from wallsim.studies.study import Choices

PACKAGES = ("wallsim", "numpy", "numba", "llvmlite", "polars", "scipy", "matplotlib")


def options_of(choices: Choices) -> list[str]:
    """The options of the command that decide a study's figures and differ from its own, such as --quick."""
    words = [] if choices.games is None else ["--games", str(choices.games)]
    words += ["--quick"] if choices.quick else []
    return words + [word for name, value in choices.options.items() for word in ("--set", f"{name}={value}")]


def choices_of(options: Sequence[str]) -> Choices:
    """The choices that `options_of` wrote. ValueError for other words."""
    words, result = iter(options), Choices()
    for word in words:
        if word == "--games":
            result = replace(result, games=int(next(words, "")))
        elif word == "--quick":
            result = replace(result, quick=True)
        elif word == "--set":
            name, _, value = next(words, "").partition("=")
            result = replace(result, options={**result.options, name: value})
        else:
            raise ValueError(f"{word} is not an option of a study")
    return result


def packages() -> dict[str, str]:
    """The versions of the packages that decide the bytes of a study's files."""
    return {name: package_version(name) for name in PACKAGES}


class Recording:
    """The record of a study while it is played."""

    def __init__(self, folder: Path, name: str, options: Sequence[str]) -> None:
        """`options` decide what is played."""
        self._folder = folder
        self._about = {
            "name": name, "options": list(options), "engine_version": ENGINE_VERSION, "packages": packages(),
        }  # fmt: skip

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Record that the study is unfinished, unless the same one is finished in its folder, which is made if missing.

        After invalid input, by which nothing is played, the record is the one of before, and no new folder is left.
        """
        path = self._folder / RECORD
        if self._is_finished():
            yield
            return
        made = [folder for folder in (self._folder, *self._folder.parents) if not folder.exists()]
        self._folder.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if path.is_file() else None
        write_whole(path, Record(self._about).document())
        try:
            yield
        except InputError:
            if before is None:
                path.unlink(missing_ok=True)
            else:
                write_whole(path, before)
            with suppress(OSError):  # something was written there all the same
                for folder in made:
                    folder.rmdir()
            raise

    def finish(self, digest: str) -> None:
        """Write the sha256 of every file; `digest` is that of everything that decides the figures."""
        write_whole(self._folder / RECORD, finished_record(self._folder, {**self._about, "digest": digest}).document())

    def _is_finished(self) -> bool:
        try:
            result = read_record(file_store(self._folder))
        except RunError:
            return False
        about = {**self._about, "digest": None}
        return result is not None and result.finished and {**result.about, "digest": None} == about
