"""The folder of a run while it is played: who may write there, and which chunks are finished.

Order of writing: lock, `experiment.toml` (with copies of a board or tower of the user's own), the journal's
head, then chunk by chunk the part files of every table and one line of the journal, at last `manifest.json`.
What the journal does not name does not exist.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wallsim.errors import InputError
from wallsim.policies.policy_file import is_policy_file
from wallsim.rules.board_check import SCHEMAS
from wallsim.rules.tower import is_tower_file
from wallsim.runs.chunks import ChunkLayout
from wallsim.runs.components import Components, identity
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import experiment_text
from wallsim.runs.folder.codebook import codebook_text
from wallsim.runs.folder.commit import TEMPORARY, append_line, sync_folder, write_whole
from wallsim.runs.folder.journal import Journal, Receipt
from wallsim.runs.folder.layout import (
    BOARD,
    CODEBOOK,
    EXPERIMENT,
    FORMAT_BEFORE_HEADS,
    HEADLINE,
    JOURNAL,
    MANIFEST,
    POLICIES,
    RUN_FORMAT,
    identity_hash,
)
from wallsim.runs.folder.lock import FolderLock, refuse_files
from wallsim.runs.folder.schema import tables_of, vocabulary


class ChunkStore(FolderLock):
    """A folder of chunks held for writing, as a context manager; the lock ends with it or with the process."""

    what: str  # what a folder of this kind holds, in a word
    form: int  # of manifest and part files; chunks of two forms are never mixed
    form_before: int  # of folders from before journals said their form
    first_paper: str  # the file that is written before the journal, and how it begins
    headline: str

    def __init__(
        self,
        folder: Path,
        facts: dict[str, Any],
        tables: tuple[str, ...],
        layout: ChunkLayout,
        name: str | None = None,
    ) -> None:
        """Lock `folder` for the games of an identity: make it, or take up what lies there.

        `layout` says how a new folder is cut into chunks, while one that is there keeps its own; `name` is its name,
        which its files keep. InputError if the folder cannot be written, is in use, or holds anything but these games.
        """
        self.identity, self.hash = facts, identity_hash(facts)
        self.tables, self.games, self.layout, self.name = tables, layout.games, layout, name
        self.dropped: list[str] = []  # files of finished chunks that were missing or damaged
        self.acquire(folder)

    @abstractmethod
    def begin(self) -> None:
        """Write the papers that lie beside the chunks, the first paper first."""

    @property
    def chunks(self) -> int:
        """How many chunks the whole run has."""
        return self.layout.count

    def span(self, chunk: int) -> tuple[int, int]:
        """First game and number of games of a chunk."""
        return self.layout.span(chunk)

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
            head = {
                "format": self.form,
                "name": self.name,
                "hash": self.hash,
                "chunk": self.layout.chunk,
                **({} if self.layout.first is None else {"first_chunk": self.layout.first}),
                "identity": self.identity,
            }
            write_whole(self.folder / JOURNAL, (json.dumps(head) + "\n").encode())
        else:
            self.layout = ChunkLayout.of_head(journal.head, self.games)
            self.name = journal.head.get("name")
            self.refuse_others(journal)
        self.history = journal.all
        self.receipts = {}
        for number, receipt in journal.receipts.items():
            bad = [part.file for part in receipt.files if not part.is_whole(self.folder)]
            self.dropped += bad
            if not bad and 0 <= number < self.chunks and (receipt.first, receipt.games) == self.span(number):
                self.receipts[number] = receipt
        self._refuse_to_mix(journal)
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

    def _refuse_to_mix(self, journal: Journal) -> None:
        there = journal.head.get("format", self.form_before) if journal.head else self.form
        if there == self.form:
            return
        if self.unplayed:
            age = "an earlier" if type(there) is not int or there < self.form else "a later"
            raise InputError(
                f"{self.folder}: was begun by {age} version of wallsim, whose tables have other columns, so this one "
                f"cannot finish it; play the {self.what} in a new folder (--out)"
            )
        self.form = there

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
    form, form_before = RUN_FORMAT, FORMAT_BEFORE_HEADS

    def __init__(self, folder: Path, experiment: Experiment, parts: Components) -> None:
        """Lock `folder` for an experiment; raises what a ChunkStore does."""
        self._experiment, self._parts = experiment, parts
        facts = identity(experiment, parts)
        super().__init__(folder, facts, tables_of(experiment), experiment.layout(), experiment.name)

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
