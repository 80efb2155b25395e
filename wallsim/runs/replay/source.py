"""Folders whose chunks can be played again: their finished chunks, and the function that plays one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.runs.chunk_play import PlayChunk, RunContext, play_chunk, requests
from wallsim.runs.compile_progress import warm_up
from wallsim.runs.custom_checks import check_custom_policies
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.checks import digests_of, document_errors
from wallsim.runs.folder.codebook import codebook_text
from wallsim.runs.folder.file_metadata import metadata_of
from wallsim.runs.folder.file_stores import file_store
from wallsim.runs.folder.journal import ChunkRecord, Header, Journal
from wallsim.runs.folder.layout import CODEBOOK, JOURNAL, MANIFEST
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.lost_journal import sealed_manifest
from wallsim.runs.folder.manifest import facts_of, package_version
from wallsim.runs.folder.result_folder import readable
from wallsim.runs.folder.results import Run, run_experiment
from wallsim.runs.folder.schema import tables_of, vocabulary
from wallsim.runs.observer import RunObserver
from wallsim.runs.tournament.derived_files import rebuilt_tournament
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.play import chunk_player

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
    place = file_store(folder)
    with readable(place):
        journal = Run.read_journal(place)
    header = _playable(place, journal, Run.repair_hint(place))
    experiment = run_experiment(folder, trust_code=trust_code)
    parts, tables = experiment.components(), tables_of(experiment)
    words = vocabulary(parts, experiment.columns, header.format)

    def prepare(observer: RunObserver) -> PlayChunk:
        check_custom_policies(experiment, parts, observer)
        arena = parts.arena(experiment.seed)
        metadata = {table: metadata_of(table, words, header.identity, header.name) for table in tables}
        warm_up(partial(arena.play, 0, 1, **requests(tables)), observer)
        return partial(play_chunk, RunContext(arena, words, metadata))

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
    place = file_store(folder)
    with readable(place):
        journal = TournamentRun.read_journal(place)
        header = _playable(place, journal, TournamentRun.repair_hint(place))
        problems = [*document_errors(place, digests_of(header.papers))]
        if problems:
            raise RunError(f"{place}: {problems[0]}; {TournamentRun.repair_hint(place)}")
        tournament = rebuilt_tournament(place, header, trust_code=trust_code)
        records = _finished(journal, header)
        rows_suffice = _rows_suffice(place)
    return Source(name, place, records, partial(chunk_player, tournament, header), (), rows_suffice)


def _playable(place: FileStore, journal: Journal, repair_hint: str) -> Header:
    if journal.header is None:
        raise RunError(f"{place}: {JOURNAL}: line 1 is damaged; {repair_hint}")
    version = journal.identity.get("engine_version")
    if version != ENGINE_VERSION:
        packages = sealed_manifest(place).get("packages", {})
        played = f"wallsim {packages['wallsim']}" if "wallsim" in packages else "the version of wallsim that played it"
        raise InputError(
            f"{place}: was played with engine version {version}, and this is engine version {ENGINE_VERSION}, which "
            f"plays other games; replay it with {played}"
        )
    return journal.header


def _finished(journal: Journal, header: Header) -> dict[int, ChunkRecord]:
    return {record.chunk: record for record in journal.fitting(header.layout)}


def _rows_suffice(place: FileStore) -> bool:
    writer = sealed_manifest(place).get("packages", {}).get("polars")
    return bool(writer != package_version("polars"))


def _written_by_this_version(place: FileStore) -> bool:
    return bool(sealed_manifest(place).get("packages", {}).get("wallsim") == package_version("wallsim"))
