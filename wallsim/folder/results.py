"""Reading a run: its manifest, its tables as lazy polars frames, and the check for damage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wallsim.engine.columns import ALL, columns_of
from wallsim.errors import InputError, RunError
from wallsim.escaping import in_shell
from wallsim.folder.address import Folder
from wallsim.folder.checks import document_errors
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Header, Journal
from wallsim.folder.layout import (
    BOARD,
    CODEBOOK,
    EXPERIMENT,
    HEADLINE,
    MANIFEST,
    PartFile,
    files_of,
    is_document,
    part_name,
)
from wallsim.folder.local_files import FileStore
from wallsim.folder.manifest import COMMON_SHAPE
from wallsim.folder.part_schema import Expected
from wallsim.folder.result_folder import ResultFolder, readable
from wallsim.folder.schema import TABLES
from wallsim.policies.policy import is_policy_file
from wallsim.rules.board_check import NAME_FILE, OPTIONAL, SCHEMAS
from wallsim.rules.files import read_toml
from wallsim.rules.tower import is_tower_file, parameters_of

if TYPE_CHECKING:
    import polars as pl

    from wallsim.experiment.experiment import Experiment
    from wallsim.rules.board import Board

_FACTS = {
    "players": int,
    "setup": str,
    "lineups": list,
    "edition": str,
    "expansions": list,
    "policies": list,
    "seed": int,
}


@dataclass(frozen=True)
class Run(ResultFolder):
    """A finished run: its folder, manifest and part files."""

    what, kind = "run", None
    shape: ClassVar[dict[str, Any]] = {
        **COMMON_SHAPE,
        "experiment": {"name": (str, type(None)), "hash": str, "identity": _FACTS, "text": str},
    }

    only: int | None = None  # games of a view; None for all

    def expected(self, table: str) -> Expected | None:
        """The columns of a table by the expansions in play, and the identity in its files' metadata."""
        try:
            columns = columns_of(table, self.expansions, self.identity.get("columns", ALL))
        except KeyError:
            return None
        policies = tuple(sorted({policy["name"] for policy in self.identity["policies"]}))
        return Expected(table, columns, policies, self.identity, self.manifest["format"])

    @property
    def expansions(self) -> tuple[str, ...]:
        """The expansions in play, which decide the columns of `seats` and `seasons`."""
        return tuple(self.identity["expansions"])

    @property
    def grown(self) -> bool:
        """Whether games were added to the run after it had been finished, or until an interval was short enough."""
        return len(self.manifest.get("looks", ())) > 1 or self.manifest.get("grows") is True

    def first(self, games: int) -> Run:
        """A view of the first `games` games. InputError if there are fewer."""
        there = self.manifest["games"]
        if not 1 <= games <= there:
            raise InputError(f"games: {games} is not a whole number from 1 to {there}, the games in {self.folder}")
        if games == there:
            return self
        chunks = [chunk for chunk in self.manifest["chunks"] if chunk["first"] < games]
        names = {part_name(table, chunk["chunk"]) for chunk in chunks for table in self.tables}
        files = tuple(part for part in self.files if part.file in names)
        whole = {part.table: 0 for part in files}
        for part in files:
            whole[part.table] += part.rows
        manifest = {**self.manifest, "games": games, "chunks": chunks, "rows": whole}
        manifest["bytes"] = sum(part.bytes for part in files)
        view = Run(self.folder, manifest, files, only=games)
        last = chunks[-1]
        if last["first"] + last["games"] > games:
            for table in whole:
                whole[table] -= view._rows_beyond(part_name(table, last["chunk"]))
        return view

    def _rows_beyond(self, name: str) -> int:
        import polars as pl

        self._refuse_damaged([part for part in self.files if part.file == name])
        frame = pl.scan_parquet(self.place.url(name), glob=False, **self.place.polars_options)
        return int(frame.filter(pl.col("game") >= self.only).select(pl.len()).collect().item())

    def scan(self, table: str, *, check: bool = True) -> pl.LazyFrame:
        """A table as a lazy frame, of a view only its games; see ResultFolder."""
        frame = super().scan(table, check=check)
        if self.only is None:
            return frame
        import polars as pl

        return frame.filter(pl.col("game") < self.only)

    @classmethod
    def all_tables(cls) -> tuple[str, ...]:
        """The names of all tables that runs can have."""
        return TABLES

    @classmethod
    def repair_hint(cls, place: FileStore, repairs: str = "repairs") -> str:
        """The command that plays what is missing or damaged, and decides whether that is enough."""
        if waits(place):
            return super().repair_hint(place, repairs)
        return f"`wallsim repair {in_shell(place)}` {repairs} it"

    @classmethod
    def further_manifest_errors(
        cls, place: FileStore, manifest: dict[str, Any], files: tuple[PartFile, ...]
    ) -> Iterator[str]:
        """Entries that a run cannot have, even with valid seals: of its seats, its tower and its looks."""
        facts = manifest["experiment"]["identity"]
        seats = facts["players"]
        if len(facts["lineups"]) != seats or not all(isinstance(name, str | None) for name in facts["lineups"]):
            yield "experiment.identity.lineups"
        if len(facts["policies"]) != seats or not all(map(_is_named, facts["policies"])):
            yield "experiment.identity.policies"
        if not all(isinstance(name, str) for name in facts["expansions"]):
            yield "experiment.identity.expansions"
        try:
            parameters_of(manifest["tower"]).in_words()
        except (KeyError, TypeError, ValueError, IndexError):
            yield "tower"
        looks = manifest.get("looks", [])
        if not isinstance(looks, list) or not all(type(games) is int for games in looks):
            yield "looks"

    def further_errors(self, journal_hash: str) -> Iterator[str]:
        """Errors of `experiment.toml` and of the manifest's copy of it."""
        text = self.manifest["experiment"]["text"]
        documents = self.manifest["papers"]
        yield from (f"{MANIFEST}: papers: lacks {name}" for name in expected_documents(text) if name not in documents)
        if not text.startswith(f"{HEADLINE}{journal_hash}\n"):
            yield f"{MANIFEST}: experiment.text: does not belong to this run"
        if self.place.size(EXPERIMENT) is not None and self.place.read(EXPERIMENT) != text.encode():
            yield f"{MANIFEST}: experiment.text: differs from {EXPERIMENT}"


def waits(place: FileStore) -> bool:
    """Whether games are added to a run until an interval is short enough, and none has been found to be so yet.

    Only the command that started it knows the rule. OSError is passed on.
    """
    if place.size(MANIFEST) is not None:
        return False
    with suppress(InputError, RunError):
        header = Journal(place).header
        return header is not None and header.grows
    return False


def _is_named(policy: Any) -> bool:
    return isinstance(policy, dict) and isinstance(policy.get("name"), str)


def expected_documents(text: str) -> list[str]:
    """The names of the documents beside the tables of a run with this text of `experiment.toml`."""
    try:
        values = read_toml(text)
    except ValueError:
        values = {}
    names = [EXPERIMENT, CODEBOOK]
    if isinstance(tower := values.get("tower"), str) and is_tower_file(tower):
        names.append(tower)
    policies = values.get("policies")
    if isinstance(policies, list):
        names += [name for name in dict.fromkeys(policies) if isinstance(name, str) and is_policy_file(name)]
    return names + [f"{BOARD}/{file}" for file in SCHEMAS if "board" in values and file not in OPTIONAL]


def experiment_file(place: FileStore) -> Path:
    """The path of `experiment.toml` on a disk, beside the documents that it names; OSError without them."""

    def names() -> Iterator[str]:
        expected = expected_documents(place.read(EXPERIMENT).decode("utf-8", "replace"))
        yield from filter(is_document, expected)
        if any(name.startswith(f"{BOARD}/") for name in expected):
            yield from (name for file in (*OPTIONAL, NAME_FILE) if place.exists(name := f"{BOARD}/{file}"))

    return place.on_disk(names()) / EXPERIMENT


def run_of(folder: Folder, manifest: dict[str, Any]) -> Run:
    """The run of a manifest that was not written, such as that of the first chunks of an unfinished run."""
    return Run(folder, manifest, files_of(manifest))


def run_experiment(folder: str | Path, *, trust_code: bool = False) -> Experiment:
    """The experiment of a run folder, finished or not, with the number of games that it is to have.

    `trust_code`: run the Python policies in the folder; otherwise they are refused with an InputError. InputError also
    if there is no run, RunError if its documents are damaged, or if this version of wallsim would play different games.
    """
    from wallsim.experiment.file import load_experiment  # loaded only when it is needed

    path, header, games = _sound_documents(folder)
    experiment = load_experiment(path, {"games": games}, trust_code=trust_code)
    if experiment.hash() != header.hash:
        raise RunError(
            f"{file_store(folder)}: was played with an engine, policy, tower or board that differs from the current "
            "one; use the version of wallsim that played it, or play it again in a new folder"
        )
    return experiment


def run_experiment_file(folder: str | Path) -> Path:
    """The path of the experiment of a run folder, finished or not, on a disk beside the files that it names.

    InputError if there is no run, RunError if its documents are damaged.
    """
    return _sound_documents(folder)[0]


def _sound_documents(folder: str | Path) -> tuple[Path, Header, int]:
    # The path of the experiment, the journal's header, and the number of games that the run is to have.
    with readable(folder) as place:
        header, journal = Run.headed_journal(place)
        errors = list(document_errors(place, header.digests))
    if errors:
        raise RunError(f"{place}: {errors[0]}; {Run.repair_hint(place)}")
    with readable(place):
        path = experiment_file(place)
    return path, header, header.games or max(1, journal.done)


def is_lean(run: Run) -> bool:
    """Whether a run wrote only some columns of its tables."""
    return "columns" in run.identity


def refuse_lean(run: Run, table: str, *names: str) -> None:
    """InputError that lists those of these columns of a table that the run did not write because it is lean."""
    if not is_lean(run):
        return
    choice = run.identity["columns"]
    written = columns_of(table, run.expansions, choice)
    lacking = {column.name for column in columns_of(table, run.expansions) if column not in written}
    if missing := [name for name in names if name in lacking]:
        raise InputError(
            f'{run.folder}: {table} lacks {", ".join(missing)}, since the run has columns = "{choice}"; '
            'play it with columns = "all" into another folder'
        )


def board_of(results: ResultFolder) -> Board:
    """The board that results were played on. RunError if the folder has no sound copy of a custom one."""
    from wallsim.rules.board import (
        load_board,  # loaded only when it is needed
        printed_board,
    )

    if results.identity["board"] == printed_board().digest:
        return printed_board()
    names = [name for name in results.manifest["papers"] if name.startswith(f"{BOARD}/")]
    try:
        with readable(results.place):
            board = load_board(results.place.on_disk(iter(names)) / BOARD)
    except InputError as error:
        raise RunError(f"{results.folder}: {error}") from None
    if board.digest != results.identity["board"]:
        raise RunError(f"{results.folder}/{BOARD}: its bytes have changed; {results.repair_hint(results.place)}")
    return board


def printed_lineup(board: Board, players: int, letter: str) -> dict[str, int]:
    """The counties of a printed line-up with their armies, in their order; empty if the board has no such line-up."""
    return {board.counties[county]: armies for county, armies, _ in board.lineups.get((players, letter), ())}
