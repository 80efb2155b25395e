"""The folder of a study: its record, the index of its parts, and the runs and tournaments below it.

FOLDER/record.json                sealed; what is played, and once finished the sha256 of every file
FOLDER/parts/checksums.jsonl      a sealed line for each part, written after it
FOLDER/...                        runs and tournaments, verified as such; figures, tables and pictures
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from wallsim.errors import InputError, RunError
from wallsim.runs.folder.address import Folder, Url
from wallsim.runs.folder.checks import document_faults
from wallsim.runs.folder.commit import TEMPORARY, file_digest
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.kind import Progress, State
from wallsim.runs.folder.layout import JOURNAL, RECORD, SCENARIOS
from wallsim.runs.folder.place import Place
from wallsim.runs.folder.places import place_of
from wallsim.runs.folder.result_folder import readable
from wallsim.runs.folder.sealing import SealError, read_sealed_document, read_sealed_line, sealed_document

PARTS = "parts"
INDEX = f"{PARTS}/checksums.jsonl"
# Of a tournament that lies in the study's folder itself.
_OF_TOURNAMENT = (
    JOURNAL, "manifest.json", "log.jsonl", "codebook.md", "looks.json", "results", "policies", "board",
    "checksums.json", "ratings.json", "ratings.parquet", "payoffs.png",
)  # fmt: skip


@dataclass(frozen=True)
class Record:
    """What `record.json` states.

    `about` has the study's name, options, digest, engine version and packages; `files` the sha256 of each file by its
    path, and `inner` the hash of each run and tournament by the path of its folder, "." for the study's own.
    """

    about: dict[str, Any]
    finished: bool = False
    files: dict[str, str] = field(default_factory=dict)
    inner: dict[str, str] = field(default_factory=dict)

    def document(self) -> bytes:
        """The bytes of the document."""
        return sealed_document(
            {"study": self.about, "finished": self.finished, "files": self.files, "inner": self.inner}
        )

    @property
    def name(self) -> str:
        """The name of the study."""
        return str(self.about["name"])

    @property
    def options(self) -> list[str]:
        """The options that decide what is played, such as `--quick`."""
        return [*self.about["options"]]


def read_record(place: Place) -> Record | None:
    """The record of a study's folder; None without one, RunError if it is damaged. OSError is passed on."""
    try:
        fields = read_sealed_document(place.read(RECORD))
        about, files, inner = fields["study"], fields["files"], fields["inner"]
        texts = (about["name"], *about["options"], *files, *files.values(), *inner, *inner.values())
        if not all(isinstance(text, str) for text in texts) or type(fields["finished"]) is not bool:
            raise TypeError(RECORD)
        if any(Path(name).is_absolute() or ".." in Path(name).parts for name in (*files, *inner)):
            raise ValueError(RECORD)
    except FileNotFoundError:
        return None
    except (SealError, KeyError, TypeError, ValueError, AttributeError):
        raise RunError(f"{place}/{RECORD}: is damaged; the command that played the study writes it again") from None
    return Record(about, fields["finished"], files, inner)


class Index(NamedTuple):
    """The sha256 of each part by its file name, the numbers of damaged lines, and whether the last line is cut off."""

    digests: dict[str, str]
    damaged: list[int]
    torn: bool


def read_index(place: Place) -> Index:
    """The index of the parts in a study's folder; an empty one without it. OSError is passed on."""
    try:
        lines = place.read(INDEX).split(b"\n")
    except FileNotFoundError:
        return Index({}, [], False)
    torn = lines[-1] != b""
    found: dict[str, str] = {}
    damaged = []
    for number, line in enumerate(lines if torn else lines[:-1], start=1):
        try:
            fields = read_sealed_line(line)
            name, digest = fields["file"], fields["sha256"]
            if not isinstance(name, str) or not isinstance(digest, str) or "/" in name:
                raise TypeError(name)
            found[name] = digest
        except (SealError, KeyError, TypeError):
            damaged.append(number)
    return Index(found, damaged, torn)


def inner_folders(root: Path) -> list[str]:
    """The folders of runs, tournaments and scenarios in a study's folder by their paths, "." for itself."""
    found = []
    for path, folders, files in os.walk(root):
        folders.sort()
        if JOURNAL in files or SCENARIOS in files:
            found.append(Path(path).relative_to(root).as_posix())
            if Path(path) == root:
                continue  # a tournament in the study's own folder, beside others
            folders.clear()
    return found


def sealed_files(root: Path) -> list[str]:
    """The files of a study's folder by their paths, except those of inner folders and hidden ones."""
    inner = inner_folders(root)
    own = "." in inner
    found = []
    for path, folders, files in os.walk(root):
        here = Path(path).relative_to(root)
        skipped = _OF_TOURNAMENT if own and here == Path() else ()
        folders[:] = sorted(
            name for name in folders
            if not name.startswith(".") and name not in skipped and (here / name).as_posix() not in inner
        )  # fmt: skip
        for name in sorted(files):
            file = (here / name).as_posix()
            if not (name.startswith(".") or name.endswith(TEMPORARY) or name in skipped or file in (RECORD, INDEX)):
                found.append(file)
    return found


def finished_record(root: Path, about: dict[str, Any]) -> Record:
    """The record of a study that has just been finished in a folder. OSError is passed on."""
    files = {name: file_digest(root / name) for name in sealed_files(root)}
    return Record(about, True, files, {name: _hash_of(root / name) for name in inner_folders(root)})


def _hash_of(folder: Path) -> str:
    head = Journal(place_of(folder)).head
    return "" if head is None else head.hash


class StudyKind:
    """Folders of studies."""

    what = "study"

    def recognises(self, place: Place) -> bool:
        """Whether a folder has a record of a study, or an index of parts; OSError is passed on."""
        if isinstance(place.folder, Url):
            return False
        return place.size(RECORD) is not None or place.size(INDEX) is not None

    def verify(self, folder: Folder) -> list[str]:
        """All damage, one line per error; an empty list if nothing has changed. InputError if it cannot be read."""
        place = place_of(folder)
        with readable(place):
            return list(dict.fromkeys(_errors(place, Path(folder))))

    def state(self, folder: Folder) -> State:
        """How far the folder is; RunError if its record is damaged."""
        record = self._record(folder)
        finished = record is not None and record.finished
        return State(finished, "" if finished else "the study is not finished", self._resuming(folder, record))

    def progress(self, folder: Folder) -> Progress:
        """How many of its parts, or of its runs and tournaments, are finished."""
        root = Path(folder)
        with readable(place_of(folder)):
            done = len(read_index(place_of(folder)).digests)
            done += sum((root / name / "manifest.json").is_file() for name in inner_folders(root))
        record = self._record(folder)
        return Progress(done, done if record is not None and record.finished else None, "parts")

    def size(self, folder: Folder) -> int:
        """The bytes of its files."""
        with readable(place_of(folder)):
            return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())

    def restore(self, folder: Folder) -> list[str]:
        """Nothing can be restored without playing: RunError with the command that does, if anything is damaged."""
        if self.verify(folder) or not self.state(folder).finished:
            raise RunError(f"{folder}: {self.state(folder).mending}")
        return []

    def showing(self, folder: Folder) -> str:
        """The command that shows a finished study: the one that played it, which then plays nothing."""
        return f"{self._command(folder, self._record(folder))} shows it"

    def _record(self, folder: Folder) -> Record | None:
        place = place_of(folder)
        try:
            with readable(place):
                return read_record(place)
        except RunError:
            return None

    def _resuming(self, folder: Folder, record: Record | None) -> str:
        return f"{self._command(folder, record)} plays what is missing or damaged"

    @staticmethod
    def _command(folder: Folder, record: Record | None) -> str:
        if record is None:
            return f"`wallsim study NAME --out {quote(str(folder))}` with its options"
        words = " ".join(["wallsim study", *map(quote, (record.name, *record.options)), "--out", quote(str(folder))])
        return f"`{words}`"


STUDY = StudyKind()


def _errors(place: Place, root: Path) -> Iterator[str]:
    from wallsim.runs.results import verify_results  # which knows every kind of folder

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
            elif _hash_of(root / name) not in (hash_, ""):
                yield f"{name}: contains another run or tournament than {RECORD} states"
    yield from document_faults(place, digests)
    for name in inner_folders(root):
        try:
            if name == ".":
                yield from inner_errors(root)
            else:
                yield from (f"{name}/{error}" for error in verify_results(root / name))
        except (InputError, RunError) as error:
            yield str(error).removeprefix(f"{place}/")


def inner_errors(root: Path) -> list[str]:
    """The damage of the tournament in a study's own folder."""
    from wallsim.runs.results import reader_of

    return reader_of(root).verify(root)
