"""Installations of wallsim whose speeds are compared: the running one, one in a folder, or a commit of its checkout."""

from __future__ import annotations

import os
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from wallsim.compile_cache import files
from wallsim.compile_cache.folder import VARIABLE, cache_folder
from wallsim.current_folder import SAFE_PATH
from wallsim.errors import InputError
from wallsim.folder.verification import write_marker

_FOLDER = Path(__file__).resolve().parents[2]  # the checkout of this file
_EXPORTED = ("wallsim", "data", "analyses", "pyproject.toml")
_MEASURED = ("wallsim", "data", ":!data/speed")  # what decides the speed, for git


class Installation(NamedTuple):
    """An installation: the folder that contains the package, its version and its commit.

    The commit is empty outside of a git checkout, and with uncommitted changes. `title` is what messages call it.
    """

    folder: Path
    version: str
    commit: str
    title: str

    @property
    def label(self) -> str:
        """The commit, or the version without one."""
        return self.commit or self.version

    def environment(self) -> dict[str, str]:
        """The environment of a process that imports this installation and compiles for this machine.

        Another than the running one has a cache of its own: equal kernels in files of other times would displace each
        other in one, and be compiled at every start.
        """
        path = os.pathsep.join(filter(None, (str(self.folder), os.environ.get("PYTHONPATH"))))
        cache = {} if self.folder == _FOLDER else {VARIABLE: str(cache_folder("against"))}
        return {**os.environ, **SAFE_PATH, "PYTHONPATH": path, files.VARIABLE: "0", **cache}


def running_installation() -> Installation:
    """The installation that runs."""
    return _in_folder(_FOLDER, "the running wallsim")


def is_checkout(folder: Path) -> bool:
    """Whether the folder is the top of a git checkout."""
    top = _git(folder, "rev-parse", "--show-toplevel")
    return top is not None and Path(top).resolve() == folder.resolve()


def uncommitted(folder: Path) -> list[str]:
    """The paths with uncommitted changes in a checkout, of those that decide the speed of games."""
    lines = _git(folder, "status", "--porcelain", "--", *_MEASURED) or ""
    return [line.split(maxsplit=1)[-1] for line in lines.splitlines()]


@contextmanager
def other_installation(text: str) -> Iterator[Installation]:
    """The installation that a text names: a folder that contains wallsim, or a commit of the running checkout.

    A commit is exported into a temporary folder, which is deleted at the end. InputError if it is neither.
    """
    folder = Path(text)
    if (folder / "wallsim" / "__init__.py").is_file():
        yield _in_folder(folder.resolve(), f"against: {text}")
        return
    commit = None if text.startswith("-") else _git(_FOLDER, "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}")
    if not is_checkout(_FOLDER):
        reason = f"a folder that contains wallsim (a commit needs a git checkout, and wallsim runs from {_FOLDER})"
        raise InputError(f"against: {text!r} is not {reason}")
    if commit is None:
        raise InputError(f"against: {text!r} is neither a folder that contains wallsim nor a commit of {_FOLDER}")
    with TemporaryDirectory(prefix="wallsim-bench-") as made:
        write_marker(Path(made), ".ci/bench against")
        folder = Path(made).resolve() / "sources"
        _export(commit, folder)
        if not (folder / "wallsim" / "__init__.py").is_file():
            raise InputError(f"against: commit {text} does not contain wallsim")
        yield Installation(folder, _version(folder), _short(_FOLDER, commit), f"against: commit {text}")


def _in_folder(folder: Path, title: str) -> Installation:
    commit = _short(folder, "HEAD") if is_checkout(folder) and not uncommitted(folder) else ""
    return Installation(folder, _version(folder), commit, title)


def _short(folder: Path, commit: str) -> str:
    return _git(folder, "rev-parse", "--short=7", commit) or ""


def _export(commit: str, folder: Path) -> None:
    # Files have the time of the commit, so that machine code in the cache still belongs to them the next time.
    packed = folder.with_suffix(".tar")
    if _git(_FOLDER, "archive", f"--output={packed}", commit) is None:
        raise InputError(f"against: commit {commit} cannot be exported by git")
    with tarfile.open(packed) as archive:
        wanted = [each for each in archive if each.name.split("/")[0] in _EXPORTED]
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)  # since Python 3.11.4
        archive.extractall(folder, wanted)
    packed.unlink()


def _version(folder: Path) -> str:
    # Not from the environment, which may name that of another installation.
    project = folder / "pyproject.toml"
    if project.is_file():
        try:
            return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])
        except (KeyError, ValueError):
            return "unknown"
    return next((each.version for each in distributions(name="wallsim", path=[str(folder)])), "unknown")


def _git(folder: Path, *words: str) -> str | None:
    # What git prints; None if it fails or is not installed. In a hook, git's variables name another checkout.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, env=environment, check=False)
    except OSError:
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None
