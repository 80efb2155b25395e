"""The folder of a tournament while it is played: how it is claimed for writing, and what its manifest says.

It is made and kept as that of a run: `codebook.md`, the journal's head, then chunk by chunk a Parquet file of the
table `results` and a line of the journal, at last `manifest.json`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.runs.chunks import ChunkLayout
from wallsim.runs.components import Components
from wallsim.runs.folder.commit import file_digest, write_whole
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.layout import AS_SHIPPED, CODEBOOK, MANIFEST, TOURNAMENT_FORMAT
from wallsim.runs.folder.manifest import common_facts
from wallsim.runs.folder.schema import vocabulary
from wallsim.runs.folder.store import ChunkStore
from wallsim.runs.tournament.design import STRETCH, Design
from wallsim.runs.tournament.looks import looks_of
from wallsim.runs.tournament.table import CODEBOOK_BEGINS, KIND, RESULTS, results_codebook
from wallsim.runs.tournament.tournament import Tournament

_CHUNK = 12_000  # games per chunk, about
_MAX_IN_A_CHUNK = 100_000
_FEW_CYCLES = 5  # games dealt alike are played together, so a chunk should have several cycles


class TournamentStore(ChunkStore):
    """The folder of a tournament held for writing."""

    what, first_paper, headline = KIND, CODEBOOK, CODEBOOK_BEGINS
    form, form_before = TOURNAMENT_FORMAT, TOURNAMENT_FORMAT
    before = 0  # blocks that the folder had when it was last finished or its ladder looked at

    def __init__(self, folder: Path, tournament: Tournament, parts: Components) -> None:
        """Lock `folder` for a tournament; raises what a ChunkStore does, and InputError if it holds more blocks."""
        self._parts = parts
        self.games_per_block = tournament.design.games_per_block
        games = tournament.blocks * self.games_per_block
        chunk = chunk_blocks(tournament.design) * self.games_per_block
        super().__init__(folder, tournament.identity(), (RESULTS,), ChunkLayout(games, chunk))

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
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):  # a damaged manifest is rewritten
            finished = int(json.loads((self.folder / MANIFEST).read_bytes())["blocks"])
        self.before = max([finished, *looks_of(self.folder, self.hash)])

    def manifest(self, tournament: Tournament) -> dict[str, Any]:
        """The manifest of a tournament whose chunks are all there."""
        return {
            "format": self.form,
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
    """Blocks per chunk: some 12,000 games, in whole cycles of the design where those are not too long.

    It depends on nothing but the design, so that a tournament played in two goes has the files of one played in one.
    """
    a_cycle = design.cycle * design.games_per_block
    cycles = max(_CHUNK // a_cycle, min(_FEW_CYCLES, _MAX_IN_A_CHUNK // a_cycle))
    if cycles == 0:
        return max(1, _CHUNK // design.games_per_block)
    return design.cycle * (cycles if cycles < STRETCH else cycles - cycles % STRETCH)
