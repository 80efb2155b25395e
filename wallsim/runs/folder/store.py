"""The folder of a run while it is played: its lock, its documents, and its finished chunks.

Order of writing: lock, `experiment.toml` (with copies of a custom board or tower), the journal's head, then for each
chunk the part files of every table and one line of the journal, finally `manifest.json`. Chunks that are not in the
journal are treated as missing.
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
from wallsim.runs.folder.journal import ChunkRecord, Journal
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
    """A folder of chunks locked for writing, as a context manager; the lock ends with it or with the process."""

    what: str  # the name of the contents in messages
    form: int  # format of manifest and part files; chunks of two formats are never mixed
    form_before: int  # format of folders whose journals do not contain a format
    first_document: str  # the file written before the journal, and the beginning of its first line
    headline: str

    def __init__(
        self,
        folder: Path,
        facts: dict[str, Any],
        tables: tuple[str, ...],
        layout: ChunkLayout,
        name: str | None = None,
    ) -> None:
        """Lock `folder` for the games of an identity: create it, or resume an existing one.

        `layout` divides a new folder into chunks, while an existing one keeps its layout. `name` is the experiment's
        name, which is written into the files. InputError if the folder cannot be written, is in use, or contains
        anything other than these games.
        """
        self.identity, self.hash = facts, identity_hash(facts)
        self.tables, self.games, self.layout, self.name = tables, layout.games, layout, name
        self.dropped: list[str] = []  # files of finished chunks that were missing or damaged
        self.acquire(folder)

    @abstractmethod
    def begin(self) -> None:
        """Write the documents beside the chunks, starting with the first document."""

    @property
    def chunks(self) -> int:
        """The number of chunks of the whole run."""
        return self.layout.count

    def span(self, chunk: int) -> tuple[int, int]:
        """The first game and the number of games of a chunk."""
        return self.layout.span(chunk)

    def missing(self) -> Iterator[int]:
        """The numbers of the chunks that are not finished, in order."""
        return (chunk for chunk in range(self.chunks) if chunk not in self.records)

    @property
    def unplayed(self) -> int:
        """The number of chunks that are not finished."""
        return self.chunks - len(self.records)

    def is_finished(self) -> bool:
        """Whether all chunks are finished and the manifest is written."""
        return not self.unplayed and (self.folder / MANIFEST).exists()

    def record_chunk(self, record: ChunkRecord) -> None:
        """Append a finished chunk to the journal."""
        append_line(self.folder / JOURNAL, json.dumps(asdict(record)))
        self.records[record.chunk] = record
        self.history.append(record)

    def finish(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, which makes the run finished."""
        write_whole(self.folder / MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())

    def load_or_begin(self) -> None:
        """Read the journal and check the finished chunks, or write the first documents."""
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
            self.layout = ChunkLayout.from_head(journal.head, self.games)
            self.name = journal.head.get("name")
            self.refuse_other_identity(journal)
        self.history = journal.all
        self.records = {}
        for number, record in journal.records.items():
            bad = [part.file for part in record.files if not part.is_whole(self.folder)]
            self.dropped += bad
            if not bad and 0 <= number < self.chunks and (record.first, record.games) == self.span(number):
                self.records[number] = record
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
                f"{self.folder}: was started by {age} version of wallsim, whose tables have other columns, so this one "
                f"cannot finish it; play the {self.what} in a new folder (--out)"
            )
        self.form = there

    def refuse_foreign_files(self) -> None:
        """Without a journal, accept only an empty folder or the remains of a start that was interrupted."""
        if (self.folder / JOURNAL).exists():
            return
        begun = self.folder / self.first_document
        if begun.is_file() and begun.read_bytes().startswith(self.headline.encode()):
            return
        refuse_files(self.folder)

    def refuse_other_identity(self, journal: Journal) -> None:
        """InputError if the journal, which has a head, belongs to other results."""
        theirs = journal.head["identity"] if journal.head else {}
        if theirs.get("kind") != self.identity.get("kind"):
            raise InputError(
                f"{self.folder}: contains results other than this {self.what}; choose another folder (--out)"
            )
        refuse_other_identity(self.folder, theirs, self.identity, self.what)


class Store(ChunkStore):
    """The folder of a run, locked for writing."""

    what, first_document, headline = "experiment", EXPERIMENT, HEADLINE
    form, form_before = RUN_FORMAT, FORMAT_BEFORE_HEADS

    def __init__(self, folder: Path, experiment: Experiment, parts: Components, *, open_ended: bool = False) -> None:
        """Lock `folder` for an experiment; raises the same errors as ChunkStore.

        `open_ended`: games can be added later. InputError then also if the folder has more of them.
        """
        self._experiment, self._parts, self._open_ended = experiment, parts, open_ended
        facts, layout = identity(experiment, parts, open_ended=open_ended), experiment.layout(open_ended=open_ended)
        super().__init__(folder, facts, tables_of(experiment), layout, experiment.name)

    def refuse_other_identity(self, journal: Journal) -> None:
        """Refuse another experiment, and fewer games than exist where games are added."""
        super().refuse_other_identity(journal)
        there = _end_of_last_chunk(journal)
        if self._open_ended and there > self.games:
            raise InputError(
                f"games: {self.games:,} are fewer than the {there:,} in {self.folder}; use as many or more, or choose "
                "another folder (--out)"
            )

    def begin(self) -> None:
        """Write experiment and codebook, and copies of custom policies, board and tower."""
        experiment, parts = self._experiment, self._parts
        tower = f"tower-{parts.tower.name}.toml" if is_tower_file(experiment.tower) else None
        board = BOARD if experiment.board is not None else None
        copies = {name: f"{POLICIES}/{Path(name).name}" for name in experiment.policies if is_policy_file(name)}
        text = experiment_text(experiment, tower=tower, board=board, policies=copies, with_games=not self._open_ended)
        write_whole(self.folder / EXPERIMENT, f"{HEADLINE}{self.hash}\n{text}".encode())
        if tower is not None:
            write_whole(self.folder / tower, Path(experiment.tower).read_bytes())
        if copies:
            (self.folder / POLICIES).mkdir(exist_ok=True)
        for name, policy in zip(experiment.policies, parts.policies, strict=True):
            if name in copies:  # the bytes that are played, even if the file has changed since
                write_whole(self.folder / copies[name], policy.source)
        if experiment.board is not None:
            (self.folder / BOARD).mkdir(exist_ok=True)
            for file in SCHEMAS:
                write_whole(self.folder / BOARD / file, (Path(experiment.board) / file).read_bytes())
        write_whole(self.folder / CODEBOOK, codebook_text(vocabulary(parts), self.tables).encode())


def games_in(folder: Path) -> int:
    """The number of games up to the end of the last finished chunk of a folder; 0 without a journal."""
    return _end_of_last_chunk(Journal(folder))


def _end_of_last_chunk(journal: Journal) -> int:
    return max((record.first + record.games for record in journal.records.values()), default=0)


def refuse_other_identity(folder: Path, theirs: dict[str, Any], ours: dict[str, Any], what: str) -> None:
    """InputError with the differences between two identities, if any; `what` is the name of the contents."""
    different = [key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)]
    if different:
        shown = "; ".join(
            f"{key} is {_shortened(theirs.get(key))} there, {_shortened(ours.get(key))} here" for key in different
        )
        raise InputError(f"{folder}: contains another {what}: {shown}; choose another folder (--out)")


def _shortened(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
