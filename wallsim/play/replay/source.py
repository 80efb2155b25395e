"""Folders whose chunks can be played again: their finished chunks, the function that plays one, and the comparison.

A tournament is rebuilt from its folder alone: from the identity in its journal and the copies of custom files. Bytes
and receipts of a chunk are compared and, between packages, rows.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.experiment.components import experiment_values
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import code_errors
from wallsim.experiment.versions import package_version
from wallsim.folder.address import Folder
from wallsim.folder.checks import differences_of, document_errors
from wallsim.folder.chunk_tables import PlayedChunk, PlayedPart
from wallsim.folder.journal import ChunkRecord, Header, Journal
from wallsim.folder.layout import BOARD, CODEBOOK, JOURNAL, MANIFEST, POLICIES, PartFile, part_name
from wallsim.folder.local_files import FileStore
from wallsim.folder.manifest import sealed_manifest
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.run_store import facts_of
from wallsim.folder.schema import PREFIX, codebook_text, tables_of, vocabulary
from wallsim.folder.tournament import TournamentRun
from wallsim.play.chunk_play import PlayChunk, run_player
from wallsim.play.custom_checks import check_custom_policies
from wallsim.play.observer import RunObserver
from wallsim.play.tournament.play import checked_setting, tournament_player
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import is_shipped_name, load_policy
from wallsim.policies.policy import is_code_file
from wallsim.rules.board import load_board
from wallsim.rules.tower import load_tower, tower_presets


def rebuilt_tournament(place: FileStore, header: Header, *, trust_code: bool = False) -> Tournament:
    """The tournament of a folder with this journal.

    `trust_code` allows policies that are Python code; InputError without it, and for a custom file without a copy in
    the folder. RunError if the files in the folder make another tournament than the journal states.
    """
    facts = header.identity
    copies = [name for name in header.papers if "/" in name or name.startswith("tower-")]
    root = place.on_disk(iter(copies))
    names = [_policy(place, each, copies, trust_code) for each in facts["policies"]]
    paths = [str(root / name) if name in copies else name for name in names]
    board = None if load_board(None).digest == facts["board"] else str(root / BOARD)
    if board is not None and not any(name.startswith(f"{BOARD}/") for name in copies):
        raise _no_copy(place, "board")
    tower = _tower(place, facts["tower"], copies)
    keys = experiment_values(facts, str(root / tower) if tower in copies else tower, board)
    tournament = Tournament(paths, Experiment(**keys))
    if result := differences_of(facts, tournament.identity()):
        raise RunError(f"{place}: its files make another tournament than its journal states: {result}")
    return tournament


def _policy(place: FileStore, facts: dict[str, Any], copies: list[str], trust_code: bool) -> str:
    # The name of a policy of the package, or of the copy of its file.
    name = facts["name"]
    if is_shipped_name(name) and load_policy(name).identity() == facts:
        return str(name)
    for copy in copies:
        if copy in (f"{POLICIES}/{name}.toml", f"{POLICIES}/{name}.py"):
            if is_code_file(copy) and not trust_code:
                raise InputError([f"{place}: {line}" for line in code_errors([copy])])
            return copy
    raise _no_copy(place, f"policy {name}")


def _tower(place: FileStore, numbers: dict[str, Any], copies: list[str]) -> str:
    for name in tower_presets():
        if load_tower(name).numbers() == numbers:
            return name
    for copy in copies:
        if copy.startswith("tower-"):
            return copy
    raise _no_copy(place, "tower")


def _no_copy(place: FileStore, what: str) -> InputError:
    return InputError(
        f"{place}: cannot be played again: its {what} is not that of this version of wallsim, and the folder has no "
        "copy of the file"
    )


Prepare = Callable[[RunObserver], PlayChunk]


@dataclass(frozen=True)
class Source:
    """A run or a tournament: its name below the folder that is audited, and its finished chunks by number.

    `prepare` compiles what plays them. `errors` are those of documents that follow from the identity. `rows_suffice`:
    other packages wrote the files, so that their bytes may differ from those of a replay.
    """

    name: str
    place: FileStore
    records: dict[int, ChunkRecord]
    prepare: Prepare
    errors: tuple[str, ...]
    rows_suffice: bool

    def named(self, text: str) -> str:
        """A line about a file of this source, with its name."""
        return f"{self.name}/{text}" if self.name else text


def run_source(folder: Folder, name: str = "", *, trust_code: bool = False) -> Source:
    """A run. InputError for another engine version and for code that is not trusted, RunError for damaged documents."""
    with readable(folder) as place:
        header, journal = Run.headed_journal(place)
    _refuse_other_version(place, journal)
    experiment = run_experiment(folder, trust_code=trust_code)
    parts, tables = experiment.components(), tables_of(experiment)
    words = vocabulary(parts, experiment.columns, header.format)

    def prepare(observer: RunObserver) -> PlayChunk:
        check_custom_policies(experiment, parts, observer)
        return run_player(experiment, parts, header).compiled(observer)

    errors = []
    with readable(place):
        if _written_by_this_version(place):
            if place.read(CODEBOOK) != codebook_text(words, tables).encode():
                errors.append(f"{CODEBOOK}: is not that of the experiment")
            manifest = sealed_manifest(place)
            expected = facts_of(parts, str(manifest.get("board", {}).get("folder")))
            errors += [f"{MANIFEST}: {key}: is not that of the experiment" for key, value in expected.items()
                       if manifest.get(key) != value]  # fmt: skip
        return Source(name, place, _finished(journal, header), prepare, tuple(errors), _rows_suffice(place))


def tournament_source(folder: Folder, name: str = "", *, trust_code: bool = False) -> Source:
    """A tournament, rebuilt from its identity; the errors are those of `run_source`."""
    with readable(folder) as place:
        header, journal = TournamentRun.headed_journal(place)
        _refuse_other_version(place, journal)
        problems = [*document_errors(place, header.digests)]
        if problems:
            raise RunError(f"{place}: {problems[0]}; {TournamentRun.repair_hint(place)}")
        tournament = rebuilt_tournament(place, header, trust_code=trust_code)
        records = _finished(journal, header)
        rows_suffice = _rows_suffice(place)

    def prepare(observer: RunObserver) -> PlayChunk:
        return tournament_player(tournament, checked_setting(tournament), header).compiled(observer)

    return Source(name, place, records, prepare, (), rows_suffice)


def _refuse_other_version(place: FileStore, journal: Journal) -> None:
    version = journal.identity.get("engine_version")
    if version != ENGINE_VERSION:
        packages = sealed_manifest(place).get("packages", {})
        played = f"wallsim {packages['wallsim']}" if "wallsim" in packages else "the version of wallsim that played it"
        raise InputError(
            f"{place}: was played with engine version {version}, and this is engine version {ENGINE_VERSION}, which "
            f"plays other games; replay it with {played}"
        )


def _finished(journal: Journal, header: Header) -> dict[int, ChunkRecord]:
    return {record.chunk: record for record in journal.fitting(header.layout)}


def _rows_suffice(place: FileStore) -> bool:
    writer = sealed_manifest(place).get("packages", {}).get("polars")
    return bool(writer != package_version("polars"))


def _written_by_this_version(place: FileStore) -> bool:
    return bool(sealed_manifest(place).get("packages", {}).get("wallsim") == package_version("wallsim"))


class Compared(NamedTuple):
    """The result of one chunk: the differences, one line each, and how many files agree in their rows only."""

    errors: tuple[str, ...]
    by_rows: int


def compare_chunk(place: FileStore, record: ChunkRecord, played: PlayedChunk, *, rows_suffice: bool) -> Compared:
    """Compare the files and the receipt of a chunk with its replay.

    `rows_suffice`: other packages wrote the files, so equal schemas, metadata and rows are enough. OSError is passed
    on.
    """
    errors: list[str] = []
    by_rows = 0
    receipts = {part.table: part for part in record.files}
    for part in played.parts:
        name = part_name(part.table, record.chunk)
        receipt = receipts.pop(part.table, None)
        if receipt is None or receipt.file != name:
            errors.append(f"{JOURNAL}: chunk {record.chunk}: its receipt lacks {name}")
            continue
        try:
            data = place.read(name)
        except FileNotFoundError:
            errors.append(f"{name}: is missing")
            continue
        if hashlib.sha256(data).hexdigest() != receipt.sha256:
            errors.append(f"{name}: its bytes have changed")
        elif data != part.data:
            result = [*_differences(data, part.data)]
            if result or not rows_suffice:
                errors.append(f"{name}: differs from the replay ({', '.join(result) or 'its bytes, not its rows'})")
            else:
                by_rows += 1
        if not errors and not _fits(receipt, part, len(data)):
            errors.append(f"{JOURNAL}: chunk {record.chunk}: its receipt of {name} differs from the replay")
    errors += [f"{part.file}: is not a file of chunk {record.chunk}" for part in receipts.values()]
    return Compared(tuple(errors), by_rows)


def _fits(receipt: PartFile, part: PlayedPart, size: int) -> bool:
    return (receipt.rows, receipt.bytes) == (part.rows, size)


def _differences(data: bytes, replayed: bytes) -> Iterator[str]:
    # What readers of the files would see.
    try:
        ours, theirs = pl.read_parquet(io.BytesIO(replayed)), pl.read_parquet(io.BytesIO(data))
        metadata = _metadata(replayed) != _metadata(data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        yield "it cannot be read"
        return
    if ours.schema != theirs.schema:
        yield "its columns"
    elif not ours.equals(theirs, null_equal=True):
        yield "its rows"
    if metadata:
        yield "its metadata"


def _metadata(data: bytes) -> dict[str, str]:
    # Polars adds a description of the schema, which depends on its version.
    return {key: value for key, value in pl.read_parquet_metadata(io.BytesIO(data)).items() if key.startswith(PREFIX)}
