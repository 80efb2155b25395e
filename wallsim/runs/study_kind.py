"""Folders of studies as a kind of folder, for `verify`, `repair`, `runs` and `summary`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shlex import quote

from wallsim.errors import InputError, RunError
from wallsim.escaping import in_shell
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.checks import document_errors
from wallsim.runs.folder.file_stores import file_store
from wallsim.runs.folder.kind import FolderKind, Progress
from wallsim.runs.folder.layout import JOURNAL, RECORD, SCENARIOS
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.result_folder import readable
from wallsim.runs.study_folder import (
    INDEX,
    PARTS,
    Record,
    inner_folders,
    inner_hash,
    is_study,
    read_index,
    read_record,
    sealed_files,
)

Verify = Callable[[Path], list[str]]  # the damage in a folder, one line per error


class StudyKind(FolderKind):
    """Folders of studies."""

    what = "study"

    def __init__(self, verify: Verify, verify_own: Verify) -> None:
        """`verify` checks a folder of any kind below the study's own, `verify_own` the tournament in its own."""
        self._verify_inner, self._verify_own = verify, verify_own

    def recognises(self, place: FileStore) -> bool:
        """Whether a folder has a record of a study, or an index of parts; OSError is passed on."""
        return is_study(place)

    def verify(self, folder: Folder) -> list[str]:
        """All damage, one line per error; an empty list if nothing has changed. InputError if it cannot be read."""
        place = file_store(folder)
        with readable(place):
            return list(dict.fromkeys(self._errors(place, Path(folder))))

    def missing(self, place: FileStore) -> str:
        """The record of all files; one that is damaged is none."""
        record = self._record(place.folder)
        return "" if record is not None and record.finished else RECORD

    def advice(self, place: FileStore, verb: str) -> str:
        """The command that played it."""
        return f"{self._command(place.folder, self._record(place.folder))} plays what is missing or damaged"

    def progress(self, folder: Folder) -> Progress:
        """How many of its parts, or of its runs and tournaments, are finished."""
        root = Path(folder)
        with readable(file_store(folder)):
            done = len(read_index(file_store(folder)).digests)
            done += sum((root / name / "manifest.json").is_file() for name in inner_folders(root))
        record = self._record(folder)
        return Progress(done, done if record is not None and record.finished else None, "parts")

    def size(self, folder: Folder) -> int:
        """The bytes of its files."""
        with readable(file_store(folder)):
            return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())

    def restore(self, folder: Folder) -> list[str]:
        """Nothing can be restored without playing: RunError with the command that does, if anything is damaged."""
        state = self.state(folder)
        if self.verify(folder) or not state.finished:
            raise RunError(f"{folder}: {state.repair_hint}")
        return []

    def show_command(self, folder: Folder) -> str:
        """The command that shows a finished study: the one that played it, which then plays nothing."""
        return f"{self._command(folder, self._record(folder))} shows it"

    def _errors(self, place: FileStore, root: Path) -> Iterator[str]:
        yield from _own_errors(place, root)
        for name in inner_folders(root):
            try:
                if name == ".":
                    yield from self._verify_own(root)
                else:
                    yield from (f"{name}/{error}" for error in self._verify_inner(root / name))
            except (InputError, RunError) as error:
                yield str(error).removeprefix(f"{place}/")

    def _record(self, folder: Folder) -> Record | None:
        place = file_store(folder)
        try:
            with readable(place):
                return read_record(place)
        except RunError:
            return None

    @staticmethod
    def _command(folder: Folder, record: Record | None) -> str:
        if record is None:
            return f"`wallsim study NAME --out {in_shell(folder)}` with its options"
        words = " ".join(
            ["wallsim study", in_shell(record.name), *map(quote, record.options), "--out", in_shell(folder)]
        )
        return f"`{words}`"


def _own_errors(place: FileStore, root: Path) -> Iterator[str]:
    try:
        record = read_record(place)
    except RunError as error:
        yield str(error).removeprefix(f"{place}/")
        record = None
    index = read_index(place)
    finished = record is not None and record.finished
    # A process that was killed may have left half a line, whose part is then compared with its own arrays.
    damaged = index.damaged[:-1] if index.torn and not finished else index.damaged
    yield from (f"{INDEX}: line {number} is damaged" for number in damaged)
    if index.torn and finished and not index.damaged:
        yield f"{INDEX}: its last line is cut off"
    digests = {f"{PARTS}/{name}": digest for name, digest in index.digests.items()}
    if record is not None and record.finished:
        for name, digest in record.files.items():
            if digests.setdefault(name, digest) != digest:
                yield f"{INDEX}: {name}: differs from {RECORD}"
        there = {name for name in sealed_files(root) if name.startswith(f"{PARTS}/") and name.endswith(".npz")}
        yield from (f"{name}: does not belong to this study; remove it" for name in sorted(there - digests.keys()))
        for name, hash_ in record.inner.items():
            if not (root / name / JOURNAL).is_file() and not (root / name / SCENARIOS).is_file():
                yield f"{name}: is missing"
            elif inner_hash(root / name) not in (hash_, ""):
                yield f"{name}: contains another run or tournament than {RECORD} states"
    yield from document_errors(place, digests)
