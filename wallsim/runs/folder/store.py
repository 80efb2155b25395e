"""The folder of a run while it is played: who may write there, and which chunks are finished.

Order of writing: lock, `experiment.toml` (with copies of a board or tower of the user's own), the journal's
head, then chunk by chunk the part files of every table and one line of the journal, at last `manifest.json`.
What the journal does not name does not exist.
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.policies.catalogue import is_policy_file
from wallsim.rules.board_check import SCHEMAS
from wallsim.rules.tower import is_tower_file
from wallsim.runs.components import Components, identity, identity_hash
from wallsim.runs.experiment import MAX_CHUNKS, Experiment
from wallsim.runs.experiment_file import experiment_text
from wallsim.runs.folder.codebook import codebook_text
from wallsim.runs.folder.commit import TEMPORARY, append_line, file_digest, sync_folder, write_whole
from wallsim.runs.folder.lock import Claim, refuse_files
from wallsim.runs.folder.schema import tables_of, vocabulary

EXPERIMENT, CODEBOOK, JOURNAL, MANIFEST = "experiment.toml", "codebook.md", "journal.jsonl", "manifest.json"
BOARD, POLICIES = "board", "policies"
AS_SHIPPED = "as shipped"  # stands for the folder of the package's own board
FORMAT = 2  # of the manifest; 1 knew no expansions
HEADLINE = "# wallsim experiment "  # how an experiment.toml of ours begins


@dataclass(frozen=True)
class PartFile:
    """A Parquet file of a run: its path within the folder, table, rows, bytes and sha256."""

    file: str
    table: str
    rows: int
    bytes: int
    sha256: str

    @staticmethod
    def read(fields: dict[str, Any]) -> PartFile:
        """The part file of such an entry in journal or manifest; TypeError or ValueError if it is none."""
        part = PartFile(**fields)
        for name, kind in (("file", str), ("table", str), ("rows", int), ("bytes", int), ("sha256", str)):
            if type(getattr(part, name)) is not kind:
                raise TypeError(name)
        if not re.fullmatch(rf"{re.escape(part.table)}/part-[0-9]{{6,}}\.parquet", part.file) or "/" in part.table:
            raise ValueError(part.file)
        return part


@dataclass(frozen=True)
class Receipt:
    """A finished chunk: its number, games and files, and the seconds its session had taken by then."""

    chunk: int
    first: int
    games: int
    files: tuple[PartFile, ...]
    engine_cpu: float  # CPU seconds inside the compiled engine for this chunk
    session: str = ""
    wall: float = 0.0  # of the session so far
    cpu: float = 0.0  # of the session so far, all threads
    workers: int = 1  # of the session
    compiling: float = 0.0  # seconds of wall time before the session began to play

    @staticmethod
    def read(line: dict[str, Any]) -> Receipt:
        """The receipt of a journal line; KeyError, TypeError or ValueError if it is none."""
        receipt = Receipt(**{**line, "files": tuple(PartFile.read(file) for file in line["files"])})
        whole = (receipt.chunk, receipt.first, receipt.games, receipt.workers)
        times = (receipt.engine_cpu, receipt.wall, receipt.cpu, receipt.compiling)
        if not all(type(number) is int for number in whole) or not all(type(s) in (int, float) for s in times):
            raise TypeError("a number is none")
        if not isinstance(receipt.session, str):
            raise TypeError("session")
        return receipt


def span_of(games: int, chunk_games: int, chunk: int) -> tuple[int, int]:
    """First game and number of games of a chunk, in a run of `games` with `chunk_games` a chunk."""
    first = chunk * chunk_games
    return first, min(chunk_games, games - first)


def part_name(table: str, chunk: int) -> str:
    """The path of a part file within its run."""
    return f"{table}/part-{chunk:06d}.parquet"


def write_part(folder: Path, table: str, chunk: int, data: memoryview, rows: int) -> PartFile:
    """Commit one part file. OSError if the disk is full; then nothing is left of it."""
    name = part_name(table, chunk)
    digest = hashlib.sha256(data).hexdigest()
    write_whole(folder / name, data)
    return PartFile(name, table, rows, len(data), digest)


def is_whole(folder: Path, part: PartFile) -> bool:
    """Whether a part file is there with the bytes that were written."""
    path = folder / part.file
    try:
        return path.stat().st_size == part.bytes and file_digest(path) == part.sha256
    except OSError:
        return False


class Journal:
    """The journal of a run folder as read: its head and the last receipt of every chunk."""

    def __init__(self, folder: Path) -> None:
        """Read the journal; a torn last line is ignored. RunError if the head is damaged."""
        self.head: dict[str, Any] | None = None
        self.receipts: dict[int, Receipt] = {}
        self.all: list[Receipt] = []
        self.torn = False
        path = folder / JOURNAL
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        self.torn = lines.pop() != b""
        for number, line in enumerate(lines):
            try:
                fields = json.loads(line)
                if number:
                    receipt = Receipt.read(fields)
                    self.receipts[receipt.chunk] = receipt
                    self.all.append(receipt)
            except (ValueError, KeyError, TypeError, RecursionError):
                self.torn = True
            else:
                self.head = self.head if number else fields
        if lines and not _is_head(self.head):
            raise RunError(f"{path}: the first line is damaged; move the folder away and play the run again")


class ChunkStore(Claim):
    """A folder of chunks held for writing, as a context manager; the lock ends with it or with the process."""

    what: str  # what a folder of this kind holds, in a word
    first_paper: str  # the file that is written before the journal, and how it begins
    headline: str

    def __init__(self, folder: Path, facts: dict[str, Any], tables: tuple[str, ...], games: int, chunk: int) -> None:
        """Claim `folder` for `games` games of an identity: make it, or take up what lies there.

        `chunk` is the number of games a chunk of a new folder. InputError if the folder cannot be written, is in use,
        or holds anything but these games.
        """
        self.identity, self.hash = facts, identity_hash(facts)
        self.tables, self.games, self.chunk = tables, games, chunk
        self.dropped: list[str] = []  # files of finished chunks that were missing or damaged
        self.claim(folder)

    @abstractmethod
    def begin(self) -> None:
        """Write the papers that lie beside the chunks, the first paper first."""

    @property
    def chunks(self) -> int:
        """How many chunks the whole run has."""
        return -(-self.games // self.chunk)

    def span(self, chunk: int) -> tuple[int, int]:
        """First game and number of games of a chunk."""
        return span_of(self.games, self.chunk, chunk)

    def missing(self) -> Iterator[int]:
        """The chunks that are still to be played, one after another."""
        return (chunk for chunk in range(self.chunks) if chunk not in self.receipts)

    @property
    def unplayed(self) -> int:
        """How many chunks are still to be played."""
        return self.chunks - len(self.receipts)

    def is_finished(self) -> bool:
        """Whether all chunks are there and the manifest says so."""
        return not self.unplayed and (self.folder / MANIFEST).exists()

    def enter(self, receipt: Receipt) -> None:
        """Write a finished chunk into the journal."""
        append_line(self.folder / JOURNAL, json.dumps(asdict(receipt)))
        self.receipts[receipt.chunk] = receipt
        self.history.append(receipt)

    def finish(self, manifest: dict[str, Any]) -> None:
        """Write the manifest: from now on the run is finished."""
        write_whole(self.folder / MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())

    def take_up(self) -> None:
        """Read the journal and see which chunks are whole, or write the first papers."""
        journal = Journal(self.folder)
        if journal.head is None:
            self.begin()
            head = {"hash": self.hash, "chunk": self.chunk, "identity": self.identity}
            write_whole(self.folder / JOURNAL, (json.dumps(head) + "\n").encode())
        else:
            self.chunk = int(journal.head["chunk"])
            self.refuse_others(journal)
        self.history = journal.all
        self.receipts = {}
        for number, receipt in journal.receipts.items():
            bad = [part.file for part in receipt.files if not is_whole(self.folder, part)]
            self.dropped += bad
            if not bad and 0 <= number < self.chunks and (receipt.first, receipt.games) == self.span(number):
                self.receipts[number] = receipt
        for table in self.tables:
            (self.folder / table).mkdir(exist_ok=True)
            for leftover in (self.folder / table).glob(f".*{TEMPORARY}"):
                leftover.unlink()
        if journal.torn:
            lines = [json.dumps(line) for line in (journal.head, *map(asdict, journal.all)) if line is not None]
            write_whole(self.folder / JOURNAL, "".join(line + "\n" for line in lines).encode())
        if self.unplayed:
            (self.folder / MANIFEST).unlink(missing_ok=True)
            sync_folder(self.folder)

    def refuse_strangers(self) -> None:
        """Without a journal, only what was killed in its first moments may be written over."""
        if (self.folder / JOURNAL).exists():
            return
        begun = self.folder / self.first_paper
        if begun.is_file() and begun.read_bytes().startswith(self.headline.encode()):
            return
        refuse_files(self.folder)

    def refuse_others(self, journal: Journal) -> None:
        """Refuse to go on with what a folder holds if it is something else; its journal has a head."""
        theirs = journal.head["identity"] if journal.head else {}
        if theirs.get("kind") != self.identity.get("kind"):
            raise InputError(f"{self.folder}: holds no {self.what} but something else; name another folder (--out)")
        refuse_others(self.folder, theirs, self.identity, self.what)


class Store(ChunkStore):
    """The folder of a run held for writing."""

    what, first_paper, headline = "experiment", EXPERIMENT, HEADLINE

    def __init__(self, folder: Path, experiment: Experiment, parts: Components) -> None:
        """Claim `folder` for an experiment; raises what a ChunkStore does."""
        self._experiment, self._parts = experiment, parts
        tables = tables_of(experiment.seasons, experiment.battles)
        super().__init__(folder, identity(experiment, parts), tables, experiment.games, experiment.chunk_games())

    def begin(self) -> None:
        """Write experiment and codebook, and copies of a board or tower of the user's own."""
        experiment, parts = self._experiment, self._parts
        tower = f"tower-{parts.tower.name}.toml" if is_tower_file(experiment.tower) else None
        board = BOARD if experiment.board is not None else None
        own = {name: f"{POLICIES}/{Path(name).name}" for name in experiment.policies if is_policy_file(name)}
        text = experiment_text(experiment, tower=tower, board=board, policies=own)
        write_whole(self.folder / EXPERIMENT, f"{HEADLINE}{self.hash}\n{text}".encode())
        if tower is not None:
            write_whole(self.folder / tower, Path(experiment.tower).read_bytes())
        if own:
            (self.folder / POLICIES).mkdir(exist_ok=True)
        for name, policy in zip(experiment.policies, parts.policies, strict=True):
            if name in own:  # the bytes that are played, whatever became of the file meanwhile
                write_whole(self.folder / own[name], policy.source)
        if experiment.board is not None:
            (self.folder / BOARD).mkdir(exist_ok=True)
            for file in SCHEMAS:
                write_whole(self.folder / BOARD / file, (Path(experiment.board) / file).read_bytes())
        write_whole(self.folder / CODEBOOK, codebook_text(vocabulary(parts), self.tables).encode())


def _is_head(head: Any) -> bool:
    if not isinstance(head, dict) or not isinstance(facts := head.get("identity"), dict):
        return False
    games, chunk = facts.get("games", 1), head.get("chunk")  # a tournament's identity leaves its length open
    if type(games) is not int or type(chunk) is not int or games < 1 or chunk < 1:
        return False
    return games <= chunk * MAX_CHUNKS and identity_hash(facts) == head.get("hash")


def refuse_others(folder: Path, theirs: dict[str, Any], ours: dict[str, Any], what: str) -> None:
    """InputError that says what differs, unless two identities are equal; `what` they are of, in a word."""
    different = [key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)]
    if different:
        shown = "; ".join(
            f"{key} is {_short(theirs.get(key))} there, {_short(ours.get(key))} here" for key in different
        )
        raise InputError(f"{folder}: holds another {what}: {shown}; name another folder (--out)")


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
