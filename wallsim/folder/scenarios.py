"""A folder of scenarios: a document that names them, and a run folder for each, readable as one partitioned table.

FOLDER/scenarios.json             the names in their order, the hash of each, and whether all are finished
FOLDER/scenario=NAME/             a run folder like any other
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from wallsim.errors import InputError, RunError, some_of
from wallsim.folder.address import Folder
from wallsim.folder.checks import refuse_other_identity
from wallsim.folder.checksummed_json import SealError, is_sealed_document, read_sealed_document, sealed_document
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.layout import EXPERIMENT, JOURNAL, MANIFEST, SCENARIOS, refuse_other_format, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import FolderLock, refuse_files
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run
from wallsim.rules.files import read_json

if TYPE_CHECKING:
    import polars as pl

SCENARIO = "scenario"  # the column with their names
FORMAT = 2  # the only one that is read; 1 was not sealed
# No "=" or "," : readers of partitioned tables split `scenario=NAME` at "=", and refuse or change other characters.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*", re.ASCII)
MAX_CHARACTERS = 200  # of a name; file systems allow 255 for `scenario=NAME`
ALLOWED = f"1 to {MAX_CHARACTERS} letters, digits or - _ . +, beginning with a letter or a digit"


class DamagedDocumentError(RunError):
    """A document that cannot be interpreted, and is not one of another version."""


@dataclass(frozen=True)
class Scenarios:
    """The finished scenarios of a folder, each a run, by name in the order of their file."""

    folder: Folder
    runs: dict[str, Run]

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Open a finished folder; InputError if it holds no scenarios, RunError if it is unfinished or damaged."""
        with readable(folder) as place:
            hashes = read_document(folder).hashes
            missing = [name for name in hashes if not place.exists(f"{_below(name)}/{MANIFEST}")]
        if missing:
            raise RunError(
                f"{place}: {len(missing)} of {len(hashes)} scenarios are not finished: {some_of(missing)}; the "
                "command that started them resumes them"
            )
        runs = {name: Run.open(scenario_folder(place.folder, name)) for name in hashes}
        other = [name for name, run in runs.items() if run.hash != hashes[name]]
        if other:
            raise RunError(f"{place}/{SCENARIOS}: {some_of(other)}: another experiment lies in the folder of this name")
        return cls(place.folder, runs)

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that every scenario has."""
        first, *others = self.runs.values()
        return tuple(table for table in first.tables if all(table in run.tables for run in others))

    def scan(self, table: str, *, check: bool = True) -> pl.LazyFrame:
        """A table of all scenarios as one lazy frame, after a column `scenario` with their names in order.

        Columns that only some scenarios have are null for the others; names of policies, say, are those of all. With
        `check` the files are first compared with their digests. InputError if a scenario lacks the table, RunError if
        a file is missing or damaged.
        """
        return joined({name: run.scan(table, check=check) for name, run in self.runs.items()})

    @staticmethod
    def verify(folder: str | Path) -> list[str]:
        """All damage in a folder of scenarios, finished or not, one line per error; an empty list if there is none.

        InputError if it holds no scenarios or cannot be read, RunError if a document cannot be interpreted.
        """
        with readable(folder) as place:
            return list(_errors(place))


@dataclass(frozen=True)
class ScenarioDocument:
    """What `scenarios.json` says: the hash of each scenario by name, and whether all of them have been finished."""

    hashes: dict[str, str]
    finished: bool


def holds_scenarios(folder: str | Path) -> bool:
    """Whether a folder is one of scenarios, finished or not; InputError if it cannot be read."""
    with readable(folder) as place:
        return place.size(SCENARIOS) is not None


def read_document(folder: str | Path) -> ScenarioDocument:
    """The document of a folder; OSError is passed on.

    InputError without one and for another format, RunError if it is damaged.
    """
    place = file_store(folder)
    path = f"{place}/{SCENARIOS}"
    if place.size(SCENARIOS) is None:
        raise InputError(f"{place}: contains no scenarios (there is no {SCENARIOS})")
    try:
        data = place.read(SCENARIOS)
        document = read_sealed_document(data) if is_sealed_document(data) else read_json(data)
        form, finished = document["format"], document["finished"]
        hashes = {entry["name"]: entry["hash"] for entry in document["scenarios"]}
        sound = all(isinstance(text, str) for pair in hashes.items() for text in pair) and type(finished) is bool
    except (SealError, ValueError, KeyError, TypeError):
        form, finished, hashes, sound = FORMAT, False, {}, False
    if type(form) is int:
        refuse_other_format(place, form, (FORMAT,))
    if not sound or not is_sealed_document(data) or not hashes or not all(map(is_name, hashes)) or repeated(hashes):
        raise DamagedDocumentError(f"{path}: is damaged; the command that started the scenarios writes it again")
    return ScenarioDocument(hashes, finished)


def _errors(place: FileStore) -> Iterator[str]:
    document = read_document(place.folder)
    for name, digest in document.hashes.items():
        below, inner = _below(name), scenario_folder(place.folder, name)
        if place.size(f"{below}/{JOURNAL}") is not None:
            header = Journal(file_store(inner)).header
            if header is not None and header.hash != digest:
                yield f"{below}: is another experiment than {SCENARIOS} says"
            yield from (f"{below}/{error}" for error in Run.verify(inner))
            if document.finished and not place.exists(f"{below}/{MANIFEST}"):
                yield f"{below}/{MANIFEST}: is missing"
        elif not place.exists(below):
            yield from [f"{below}: is missing"] if document.finished else ()
        elif document.finished or not all(name.startswith(".") for name in file_store(inner).entries()):
            yield f"{below}: has no {JOURNAL}"
    yield from foreign_folders(place, document.hashes)


def not_begun(place: FileStore, names: Iterable[str]) -> list[str]:
    """The scenarios of whose runs nothing is there, so that only the command that started them can tell what they are.

    OSError is passed on.
    """
    return [name for name in names if not any(place.size(f"{_below(name)}/{file}") for file in (JOURNAL, EXPERIMENT))]


def foreign_folders(place: FileStore, names: Iterable[str]) -> list[str]:
    """What lies beside the scenarios of these names as if it were one, with what is to be done about it."""
    known = {_below(name) for name in names}
    others = [name for name in place.entries() if name.startswith(_below("")) and name not in known]
    return [f"{name}: does not belong to these scenarios; remove it" for name in others]


def _below(name: str) -> str:
    # The name of a scenario's folder within the folder of all.
    return scenario_folder(Path(), name).name


class ScenarioStore(FolderLock):
    """A folder of scenarios locked for writing, as a context manager; the runs in it have locks of their own."""

    def __init__(self, place: FileStore, identities: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        """Lock a folder for scenarios by name, each with the hash and the identity of its run.

        InputError if the folder cannot be written, is in use, or contains anything but these scenarios.
        """
        self._identities = identities
        self.acquire(place)

    def refuse_foreign_files(self) -> None:
        """Without its document, accept only an empty folder, or run folders of these scenarios."""
        if self._document() is not None:
            return
        ours = {SCENARIOS} | {scenario_folder(self.folder, name).name for name in self._identities}
        if not ours.issuperset(name for name in self.place.entries() if not name.startswith(".")):
            refuse_files(self.place)

    def _document(self) -> ScenarioDocument | None:
        # None if it is missing or damaged, so that it is to be written.
        try:
            return read_document(self.folder) if self.place.exists(SCENARIOS) else None
        except DamagedDocumentError:
            return None

    def load_or_begin(self) -> None:
        """Compare the document with the scenarios, or write it."""
        self.place.remove_leftovers(("",))
        document = self._document()
        if document is None:
            self._write(finished=False)
            return
        theirs, ours = document.hashes, {name: facts[0] for name, facts in self._identities.items()}
        if list(theirs) != list(ours):
            raise InputError(
                f"{self.folder}: contains the scenarios {some_of(list(theirs))}, not {some_of(list(ours))}; "
                "choose another folder"
            )
        for name in ours:
            if theirs[name] != ours[name]:
                self._refuse_another(name)

    def _refuse_another(self, name: str) -> None:
        place = file_store(scenario_folder(self.folder, name))
        header = Journal(place).header
        if header is not None:
            refuse_other_identity(place, header.identity, self._identities[name][1], "experiment")
        raise InputError(f"{self.folder}: scenario {name} is another one there; choose another folder")

    def begin_again(self) -> None:
        """Record that scenarios may be unfinished, since games are added to them."""
        if read_document(self.folder).finished:
            self._write(finished=False)

    def finish(self) -> None:
        """Record that every scenario is finished, unless some are to have more games than were played now."""
        places = [file_store(scenario_folder(self.folder, name)) for name in self._identities]
        if all(place.exists(MANIFEST) for place in places) and not read_document(self.folder).finished:
            self._write(finished=True)

    def _write(self, *, finished: bool) -> None:
        entries = [{"name": name, "hash": facts[0]} for name, facts in self._identities.items()]
        document = {"format": FORMAT, "finished": finished, "scenarios": entries}
        self.place.write(SCENARIOS, sealed_document(document))


def joined(frames: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """The frames one after the other, with their names in a first column; a column that a frame lacks is null there.

    An Enum that differs between frames gets the names of all, in the order in which they first appear.
    """
    import polars as pl

    schemas = {name: frame.collect_schema() for name, frame in frames.items()}
    kinds: dict[str, pl.DataType] = {}
    for schema in schemas.values():
        for column, kind in schema.items():
            kinds[column] = _common(kinds.get(column, kind), kind)
    names = pl.Enum(list(frames))
    parts = [
        frame.select(
            pl.lit(name, names).alias(SCENARIO), *(pl.col(column).cast(kinds[column]) for column in schemas[name])
        )
        for name, frame in frames.items()
    ]
    return pl.concat(parts, how="diagonal")


def _common(one: pl.DataType, other: pl.DataType) -> pl.DataType:
    import polars as pl

    if isinstance(one, pl.Enum) and isinstance(other, pl.Enum) and one != other:
        return pl.Enum(list(dict.fromkeys([*one.categories, *other.categories])))
    return one


def is_name(name: str) -> bool:
    """Whether a text may be the name of a scenario."""
    return len(name) <= MAX_CHARACTERS and _NAME.fullmatch(name) is not None


def repeated(names: Iterable[str]) -> list[str]:
    """The names that an earlier one equals but for upper and lower case, which some file systems do not distinguish."""
    seen: set[str] = set()
    twice = []
    for name in names:
        if name.lower() in seen:
            twice.append(name)
        seen.add(name.lower())
    return twice
