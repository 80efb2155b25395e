"""The folder of a tournament: how it is claimed for writing, what its manifest says, and how it is read.

It is made and kept as that of a run: `codebook.md`, the journal's head, then chunk by chunk a Parquet file of the
table `results` and a line of the journal, at last `manifest.json`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.runs.components import Components, identity_hash
from wallsim.runs.folder.checks import chunk_faults, differences, misfits, strays
from wallsim.runs.folder.commit import file_digest, write_whole
from wallsim.runs.folder.manifest import common_facts
from wallsim.runs.folder.results import part_harm, readable
from wallsim.runs.folder.schema import vocabulary
from wallsim.runs.folder.store import AS_SHIPPED, CODEBOOK, JOURNAL, MANIFEST, ChunkStore, Journal, PartFile, is_whole
from wallsim.runs.tournament.design import STRETCH, Design
from wallsim.runs.tournament.looks import LOOKS, looks_of, note_look
from wallsim.runs.tournament.table import CODEBOOK_BEGINS, RATED, RESULTS, results_codebook
from wallsim.runs.tournament.tournament import KIND, Tournament

_FORMAT = 1  # of the manifest
_CHUNK = 12_000  # games per chunk, about
_MAX_GAMES_PER_CHUNK = 100_000
_FEW_CYCLES = 5  # games dealt alike are played together, so a chunk should have several cycles
_SHAPE: dict[str, Any] = {
    "format": int,
    "experiment": {"hash": str, "identity": {"players": int, "setup": str, "policies": list, "seed": int}},
    "engine_version": int,
    "seed": int,
    "blocks": int,
    "games_a_block": int,
    "games": int,
    "policies": list,
    "rows": {RESULTS: int},
    "bytes": int,
    "board": {"folder": str, "digest": str, "assumed": list, "sources": list},
    "tower": {"name": str, "model": str, "source": str},
    "time": {"wall": (int, float), "cpu": (int, float), "engine_cpu": (int, float), "workers": list},
    "chunks": list,
    "files": list,
    "papers": {CODEBOOK: str},
}


class TournamentStore(ChunkStore):
    """The folder of a tournament held for writing."""

    what, first_paper, headline = KIND, CODEBOOK, CODEBOOK_BEGINS
    before = 0  # blocks that the folder had when it was last finished or its ladder looked at

    def __init__(self, folder: Path, tournament: Tournament, parts: Components) -> None:
        """Claim `folder` for a tournament; raises what a ChunkStore does, and InputError if it holds more blocks."""
        self._parts = parts
        self.games_per_block = tournament.design.games_per_block
        games = tournament.blocks * self.games_per_block
        chunk = chunk_blocks(tournament.design) * self.games_per_block
        super().__init__(folder, tournament.identity(), (RESULTS,), games, chunk)

    def begin(self) -> None:
        """Write the codebook."""
        write_whole(self.folder / CODEBOOK, results_codebook(vocabulary(self._parts)).encode())

    def refuse_others(self, journal: Journal) -> None:
        """Refuse another tournament, fewer blocks than are there, and looks that cannot be read; see what there was."""
        super().refuse_others(journal)
        there = max((r.first + r.games for r in journal.receipts.values()), default=0) // self.games_per_block
        if there * self.games_per_block > self.games:
            raise InputError(
                f"--blocks: {self.games // self.games_per_block:,} are fewer than the {there:,} in {self.folder}; "
                "name as many or more, or another folder (--out)"
            )
        finished = 0
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):  # a damaged manifest is written again
            finished = int(json.loads((self.folder / MANIFEST).read_bytes())["blocks"])
        self.before = max([finished, *looks_of(self.folder, self.hash)])

    def manifest(self, tournament: Tournament) -> dict[str, Any]:
        """The manifest of a tournament whose chunks are all there."""
        return {
            "format": _FORMAT,
            "experiment": {"hash": self.hash, "identity": self.identity},
            "engine_version": ENGINE_VERSION,
            "seed": tournament.table.seed,
            "blocks": tournament.blocks,
            "games_a_block": self.games_per_block,
            "games": self.games,
            "policies": self.identity["policies"],
            **common_facts(self, self._parts, tournament.table.board or AS_SHIPPED),
            "papers": {CODEBOOK: file_digest(self.folder / CODEBOOK)},
        }


def chunk_blocks(design: Design) -> int:
    """Blocks a chunk: some 12,000 games, in whole cycles of the design where those are not too long.

    It depends on nothing but the design, so that a tournament played in two goes has the files of one played in one.
    """
    a_cycle = design.cycle * design.games_per_block
    cycles = max(_CHUNK // a_cycle, min(_FEW_CYCLES, _MAX_GAMES_PER_CHUNK // a_cycle))
    if cycles == 0:
        return max(1, _CHUNK // design.games_per_block)
    return design.cycle * (cycles if cycles < STRETCH else cycles - cycles % STRETCH)


@dataclass(frozen=True)
class TournamentRun:
    """A finished tournament: its folder, manifest and part files."""

    folder: Path
    manifest: dict[str, Any]
    files: tuple[PartFile, ...]

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies, in alphabetical order."""
        return tuple(policy["name"] for policy in self.manifest["policies"])

    @property
    def design(self) -> Design:
        """Who met whom, and where."""
        return Design(len(self.policies), self.manifest["experiment"]["identity"]["players"])

    def note_look(self) -> tuple[int, ...]:
        """Note that the ladder is judged at this number of blocks; all looks, see `tournament_looks`."""
        return note_look(self.folder, self.manifest["experiment"]["hash"], self.manifest["blocks"])

    def scan(self, *, check: bool = True) -> pl.LazyFrame:
        """All columns as a lazy frame, the files checked against their digests first unless told not to.

        RunError if a file is missing or damaged.
        """
        damaged = [part.file for part in self.files if check and not is_whole(self.folder, part)]
        if damaged:
            raise RunError(
                f"{self.folder}: missing or damaged: {', '.join(damaged)}; play the tournament again to mend it"
            )
        return pl.scan_parquet([self.folder / part.file for part in self.files], glob=False)

    def rows(self, *, check: bool = True) -> pl.DataFrame:
        """What ratings are made of, one row per game and seat: the columns RATED."""
        return self.scan(check=check).select(RATED).collect()


def is_tournament(folder: str | Path) -> bool:
    """Whether a folder holds a tournament, finished or not.

    InputError if it cannot be read, RunError if its journal makes no sense.
    """
    path = Path(folder)
    with readable(path):
        head = Journal(path).head if (path / JOURNAL).is_file() else None
    return head is not None and head["identity"].get("kind") == KIND


def open_tournament(folder: str | Path) -> TournamentRun:
    """The finished tournament in a folder; InputError if there is none, RunError if it is unfinished or damaged."""
    folder = Path(folder)
    path = folder / MANIFEST
    with readable(folder):
        journal = _journal(folder)
        if not path.exists():
            done = sum(receipt.games for receipt in journal.receipts.values())
            raise RunError(
                f"{folder}: the tournament is not finished: {done:,} games are there; "
                "the command that began it resumes it"
            )
        data = path.read_bytes()
    try:
        manifest = json.loads(data)
        wrong = list(misfits(manifest, _SHAPE))
        files = tuple(PartFile.read(entry) for entry in manifest["files"]) if not wrong else ()
    except (ValueError, KeyError, TypeError, RecursionError):
        wrong, files, manifest = ["its JSON"], (), {}
    if not wrong and manifest["format"] != _FORMAT:
        raise RunError(f"{path}: was written by another version of wallsim, which this one cannot read")
    if not wrong and identity_hash(manifest["experiment"]["identity"]) != manifest["experiment"]["hash"]:
        wrong = ["experiment.hash"]
    if not wrong and manifest["blocks"] * manifest["games_a_block"] != manifest["games"]:
        wrong = ["blocks"]
    if not wrong and [*differences(*_sized(manifest, files, journal))]:
        wrong = ["it differs from the journal"]
    if wrong:
        shown = ", ".join(wrong[:5])
        raise RunError(f"{path}: is damaged ({shown}); delete it and play the tournament again to write it again")
    return TournamentRun(folder, manifest, files)


def verify_tournament(folder: str | Path) -> list[str]:
    """Every damage of a tournament's folder, finished or not, one line each; an empty list if all is as written.

    InputError if there is none or it cannot be read, RunError if journal or manifest make no sense at all.
    """
    folder = Path(folder)
    with readable(folder):
        journal = _journal(folder)
        found = [f"{JOURNAL}: has unreadable lines"] if journal.torn else []
        written = {part.file: part for receipt in journal.receipts.values() for part in receipt.files}
        found += [f"{part.file}: {part_harm(folder, part)}" for part in written.values() if not is_whole(folder, part)]
        if (folder / MANIFEST).exists():
            run = open_tournament(folder)
            sized = _sized(run.manifest, run.files, journal)[2]
            found += [f"{JOURNAL}: {fault}" for fault in chunk_faults(sized, finished=True)]
            book = folder / CODEBOOK
            if not book.is_file() or file_digest(book) != run.manifest["papers"][CODEBOOK]:
                found.append(f"{CODEBOOK}: is missing or its bytes have changed")
            found += [f"{name}: is none of this tournament's files" for name in strays(folder, [RESULTS], run.files)]
        assert journal.head is not None
        try:
            looks_of(folder, journal.head["hash"])
        except RunError:
            found.append(f"{LOOKS}: is damaged; delete it")
    return found


def _journal(folder: Path) -> Journal:
    if not is_tournament(folder):
        raise InputError(f"{folder}: no tournament lies there")
    return Journal(folder)


def _sized(
    manifest: dict[str, Any], files: tuple[PartFile, ...], journal: Journal
) -> tuple[dict[str, Any], tuple[PartFile, ...], Journal]:
    # The papers of a run whose identity says how many games it has, as those of a tournament do not.
    assert journal.head is not None
    facts = {"games": manifest["games"]}
    experiment = {**manifest["experiment"], "identity": {**manifest["experiment"]["identity"], **facts}}
    journal.head = {**journal.head, "identity": {**journal.head["identity"], **facts}}
    return {**manifest, "experiment": experiment}, files, journal
