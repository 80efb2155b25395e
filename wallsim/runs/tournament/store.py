"""The folder of a tournament while it is played: its lock and its manifest.

It is written in the same way as the folder of a run: `codebook.md`, the journal's header, then for each chunk a Parquet
file of the table `results` and a line of the journal, finally `manifest.json`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.policies.catalogue import Policy, is_shipped_name, load_policy
from wallsim.rules.board_check import board_copy
from wallsim.rules.files import read_input, read_json
from wallsim.rules.tower import is_tower_file
from wallsim.runs.chunks import ChunkLayout
from wallsim.runs.components import Components
from wallsim.runs.folder.journal import Header, Journal
from wallsim.runs.folder.layout import AS_SHIPPED, BOARD, CODEBOOK, MANIFEST, POLICIES
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.lock import unlocked_on_error
from wallsim.runs.folder.manifest import common_facts
from wallsim.runs.folder.schema import vocabulary
from wallsim.runs.folder.store import ChunkStore, games_in
from wallsim.runs.tournament.design import STRETCH, Design
from wallsim.runs.tournament.interim_analyses import LOOKS, looks_of, restore_looks, withdraw
from wallsim.runs.tournament.table import KIND, RESULTS, results_codebook
from wallsim.runs.tournament.tournament import Tournament

_CHUNK = 12_000  # approximate games per chunk
_MAX_GAMES_PER_CHUNK = 100_000
_MIN_CYCLES = 5  # games with the same dealing are played together, so a chunk should have several cycles


class TournamentStore(ChunkStore):
    """The folder of a tournament, locked for writing."""

    what, all_tables = KIND, (RESULTS,)
    shrinks = True
    before = 0  # blocks in the folder when it was last finished or its ladder was last evaluated

    def __init__(self, place: FileStore, tournament: Tournament, parts: Components) -> None:
        """Lock a folder for a tournament; raises the errors of ChunkStore, and InputError if it has more blocks."""
        self._parts, self._table = parts, tournament.table
        self.games_per_block = tournament.design.games_per_block
        games = tournament.blocks * self.games_per_block
        chunk = chunk_blocks(tournament.design) * self.games_per_block
        super().__init__(place, tournament.identity(), (RESULTS,), ChunkLayout(games, chunk))
        with unlocked_on_error(place, self.close):
            if restore_looks(place, self.hash):
                self.repaired.append(LOOKS)

    def documents(self) -> dict[str, bytes]:
        """The codebook, and copies of a custom tower, of custom policies and of a custom board."""
        documents = {CODEBOOK: results_codebook(vocabulary(self._parts, form=self.form)).encode()}
        table = self._table
        if is_tower_file(table.tower):
            documents[f"tower-{self._parts.tower.name.removeprefix('tower-')}.toml"] = read_input(Path(table.tower))
        for policy in self._parts.policies:
            if policy.source and not is_shipped(policy):
                documents[f"{POLICIES}/{policy.name}.{'py' if policy.code else 'toml'}"] = policy.source
        if table.board is not None:
            documents |= {f"{BOARD}/{file}": data for file, data in board_copy(table.board).items()}
        return documents

    def refuse_other_identity(self, header: Header) -> None:
        """Refuse another tournament, fewer blocks than exist, and unreadable looks; set `before`."""
        super().refuse_other_identity(header)
        there = games_in(self.folder) // self.games_per_block
        if there * self.games_per_block > self.games:
            raise InputError(
                f"blocks: {self.games // self.games_per_block:,} are fewer than the {there:,} in {self.folder}; "
                "use as many or more, or choose another folder"
            )
        finished = 0
        with suppress(OSError, RunError, ValueError, KeyError, TypeError):  # a damaged one is rewritten
            finished = int(read_json(self.place.read(MANIFEST))["blocks"])
        self.before = max([finished, *looks_of(self.folder, self.hash)])

    def _grow(self, journal: Journal) -> None:
        if self.header.games != self.games:
            withdraw(self.place)  # the ratings are those of other blocks
        super()._grow(journal)

    def manifest(self, tournament: Tournament) -> dict[str, Any]:
        """The manifest of a tournament whose chunks are all finished."""
        return {
            "format": self.header.format,
            "experiment": {"hash": self.hash, "identity": self.identity},
            "engine_version": ENGINE_VERSION,
            "seed": tournament.table.seed,
            "blocks": tournament.blocks,
            "games_a_block": self.games_per_block,
            "games": self.games,
            "policies": self.identity["policies"],
            **common_facts(self, self._parts, AS_SHIPPED if tournament.table.board is None else BOARD, self.games),
            "papers": self.document_digests(),
        }


def is_shipped(policy: Policy) -> bool:
    """Whether a policy is one of the package, by its name and by all that decides how it plays."""
    return is_shipped_name(policy.name) and load_policy(policy.name).identity() == policy.identity()


def chunk_blocks(design: Design) -> int:
    """Blocks per chunk: about 12,000 games, in whole cycles of the design unless those are too long.

    It depends only on the design, so that a tournament played in two sessions has the same files as in one.
    """
    games_per_cycle = design.cycle * design.games_per_block
    cycles = max(_CHUNK // games_per_cycle, min(_MIN_CYCLES, _MAX_GAMES_PER_CHUNK // games_per_cycle))
    if cycles == 0:
        return max(1, _CHUNK // design.games_per_block)
    return design.cycle * (cycles if cycles < STRETCH else cycles - cycles % STRETCH)
