"""The folder of a study: its record, the index of its parts, and the runs and tournaments below it.

FOLDER/record.json                sealed; what is played, and once finished the sha256 of every file
FOLDER/parts/checksums.jsonl      a sealed line for each part, written after it
FOLDER/...                        runs and tournaments, verified as such; figures, tables and pictures
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.escaping import in_shell
from wallsim.folder.address import Url
from wallsim.folder.checks import document_errors
from wallsim.folder.checksummed_json import document_in, sealed_document, sealed_line
from wallsim.folder.commit import TEMPORARY
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.kind import Kind, Progress
from wallsim.folder.layout import JOURNAL, MANIFEST, RECORD, SCENARIOS, is_digests
from wallsim.folder.local_files import FileStore
from wallsim.folder.receipts import Form, Receipts

PARTS = "parts"
INDEX = f"{PARTS}/checksums.jsonl"
_MOST_OPTIONS, _LONGEST_TEXT = 100, 200  # words that stand in a command, and characters of one
# Of a tournament that lies in the study's folder itself.
_OF_TOURNAMENT = (
    JOURNAL, MANIFEST, "log.jsonl", "codebook.md", "looks.json", "results", "policies", "board",
    "checksums.json", "ratings.json", "ratings.parquet", "payoffs.png",
)  # fmt: skip
Index = Receipts[None, None, str, str]  # the sha256 of parts by file name
Verify = Callable[[Path], list[str]]  # the damage in a folder, one line per error


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


def read_record(place: FileStore) -> Record | None:
    """The record of a study's folder; None without one, RunError if it is damaged. OSError is passed on."""
    return document_in(place, RECORD, _record, "; the command that played the study writes it again")


def _record(fields: dict[str, Any]) -> Record:
    about, finished, files, inner = (fields[key] for key in ("study", "finished", "files", "inner"))
    texts = (about["name"], *about["options"])
    if not all(isinstance(text, str) for text in texts) or type(finished) is not bool:
        raise TypeError(RECORD)
    if max(map(len, texts)) > _LONGEST_TEXT or not _are_choices(about["options"]):
        raise ValueError(RECORD)
    below = {name: digest for name, digest in inner.items() if name != "."}  # the study's own folder
    if not is_digests(files) or not is_digests(below) or type(inner.get(".", "")) is not str:
        raise ValueError(RECORD)
    return Record(about, finished, files, inner)


def _are_choices(words: list[str]) -> bool:
    # Nothing else, such as --trust-code, may get from a stranger's record into a command that is printed to be pasted.
    rest = iter(words)
    known = all(word == "--quick" or (word in ("--games", "--set") and next(rest, "-")[:1] != "-") for word in rest)
    return known and len(words) <= _MOST_OPTIONS


def _part_of(fields: dict[str, Any]) -> tuple[None, str, str]:
    name, digest = fields["file"], fields["sha256"]
    if not is_digests({name: digest}) or "/" in name:
        raise ValueError(INDEX)
    return None, name, digest


_FORM: Form[None, None, str, str] = Form(b'{"file": "', _part_of)


def read_index(place: FileStore, *, ended: bool = False) -> Index:
    """The index of the parts in a study's folder, whose keys are their names; an empty one without it.

    `ended`: nobody may be writing, so that a last line without an end is damaged, too. OSError is passed on.
    """
    index = Index()
    with suppress(FileNotFoundError):
        index.take(INDEX, place.read(INDEX), _FORM, ended=ended)
    return index


def index_line(name: str, digest: str) -> bytes:
    """The line of the index that names a part and its sha256, without the line's end."""
    return sealed_line({"file": name, "sha256": digest})


def is_study(place: FileStore) -> bool:
    """Whether a folder has a record of a study, or an index of parts; OSError is passed on."""
    if isinstance(place.folder, Url):
        return False
    return place.size(RECORD) is not None or place.size(INDEX) is not None


def inner_folders(root: Path) -> list[str]:
    """The folders of runs, tournaments and scenarios in a study's folder by their paths, "." for itself."""
    result = []
    for path, folders, files in os.walk(root):
        folders.sort()
        if JOURNAL in files or SCENARIOS in files:
            result.append(Path(path).relative_to(root).as_posix())
            if Path(path) == root:
                continue  # a tournament in the study's own folder, beside others
            folders.clear()
    return result


def sealed_files(root: Path) -> list[str]:
    """The files of a study's folder by their paths, except those of inner folders and hidden ones."""
    inner = inner_folders(root)
    own = "." in inner
    result = []
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
                result.append(file)
    return result


@contextmanager
def at_work(root: Path, tidy: Callable[[Path], None]) -> Iterator[None]:
    """Work in a study's folder beside other commands; `tidy` deletes what killed ones left, if there are no others."""
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # others are at work, or the file system has no locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            tidy(root)
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_SH)  # waits no longer than another command tidies
        yield
    finally:
        os.close(handle)


def remove_leftovers(root: Path) -> None:
    """Delete the files that killed writers left in a study's folder, but for its runs, which see to that themselves."""
    inner = inner_folders(root)
    for path, folders, _ in os.walk(root):
        here = Path(path)
        folders[:] = [name for name in folders if (here / name).relative_to(root).as_posix() not in inner]
        FileStore(here).remove_leftovers(("",))


def finished_record(root: Path, about: dict[str, Any]) -> Record:
    """The record of a study that has just been finished in a folder. OSError is passed on."""
    files = {name: FileStore(root).digest(name) or "" for name in sealed_files(root)}
    return Record(about, True, files, {name: inner_hash(root / name) for name in inner_folders(root)})


def inner_hash(folder: Path) -> str:
    """The hash of the run or tournament in a folder by its journal; empty without one."""
    header = Journal(file_store(folder)).header
    return "" if header is None else header.hash


def study_kind(verify: Verify, verify_own: Verify) -> Kind:
    """Folders of studies.

    `verify` checks a folder of any kind below the study's own, `verify_own` the tournament in its own.
    """

    def errors(place: FileStore) -> Iterator[str]:
        root = Path(place.folder)
        yield from _own_errors(place, root)
        for name in inner_folders(root):
            try:
                if name == ".":
                    yield from verify_own(root)
                else:
                    yield from (f"{name}/{error}" for error in verify(root / name))
            except (InputError, RunError) as error:
                yield str(error).removeprefix(f"{place}/")

    return Kind(
        "study",
        is_study,
        errors,
        missing=lambda place: "" if _is_finished(place) else RECORD,
        advice=lambda place, verb: f"{_command(place)} plays what is missing or damaged",
        progress=_progress,
        size=lambda place: sum(path.stat().st_size for path in Path(place.folder).rglob("*") if path.is_file()),
        shown_by=lambda place: f"{_command(place)} shows it",  # and then plays nothing
    )


def _whole_record(place: FileStore) -> Record | None:
    try:
        return read_record(place)
    except RunError:
        return None


def _is_finished(place: FileStore) -> bool:
    record = _whole_record(place)
    return record is not None and record.finished


def _progress(place: FileStore) -> Progress:
    # How many of its parts, and of its runs and tournaments, are finished.
    root = Path(place.folder)
    done = len(read_index(place).records)
    done += sum((root / name / MANIFEST).is_file() for name in inner_folders(root))
    return Progress(done, done if _is_finished(place) else None, "parts")


def _command(place: FileStore) -> str:
    # That played it.
    record, out = _whole_record(place), in_shell(place)
    if record is None:
        return f"`wallsim study NAME --out {out}` with its options"
    return f"`{' '.join(['wallsim study', in_shell(record.name), *map(quote, record.options), '--out', out])}`"


def _own_errors(place: FileStore, root: Path) -> Iterator[str]:
    try:
        record = read_record(place)
    except RunError as error:
        yield str(error).removeprefix(f"{place}/")
        record = None
    # A process that was killed may have left half a line, whose part is then compared with its own arrays.
    index = read_index(place, ended=record is not None and record.finished)
    yield from index.errors
    digests = {f"{PARTS}/{name}": digest for name, digest in index.records.items()}
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
            elif (root / name / JOURNAL).is_file() and not (root / name / MANIFEST).is_file():
                yield f"{(Path(name) / MANIFEST).as_posix()}: is missing"
    yield from document_errors(place, digests)
