"""The games of a learning: blocks of seatings drawn at random, played in chunks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wallsim.runs.learning.settings import BLOCK, CHUNK, Settings
from wallsim.runs.setting import Setting


class Positions(NamedTuple):
    """How games stood and ended: `features` [games, moments, seats, width] and `ends` [games, seats, 2].

    Games lie in blocks of BLOCK that share their seating, in the order of the blocks.
    """

    features: np.ndarray
    ends: np.ndarray


class Games:
    """Plays the chunks of a learning."""

    def __init__(self, settings: Settings) -> None:
        """Prepare the rules of every cell. InputError if a custom policy gives an illegal answer."""
        self._settings = settings
        self._tables = {players: [Setting(cell) for cell in settings.cells_of(players)] for players in settings.players}
        for tables in self._tables.values():
            tables[0].check_custom_policies(settings.policies, settings.seed)

    def play(self, players: int, chunk: int) -> Positions:
        """The positions of a chunk, float16: all features and ends are small numbers."""
        parts = [self._block(players, block) for block in range(chunk * CHUNK, (chunk + 1) * CHUNK)]
        return Positions(*(np.concatenate(arrays).astype(np.float16) for arrays in zip(*parts, strict=True)))

    def _block(self, players: int, block: int) -> tuple[np.ndarray, np.ndarray]:
        tables = self._tables[players]
        seated = self._settings.seating(players, block)
        seed = self._settings.seed_for("games", players)
        table = tables[block % len(tables)]
        return table.arena(seated, seed, block // len(tables)).positions(block * BLOCK, BLOCK)
