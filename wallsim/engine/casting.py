"""Casts without a game: any series of cubes thrown into a tower, compiled, for logs, fits and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wallsim.jit import kernel
from wallsim.mechanics.tower import cast, next_colour, uniform
from wallsim.rules.record import RULES, pack_tower
from wallsim.rules.terms import ARMIES_PER_PLAYER, COLOURS, CUBES, MAX_PLAYERS
from wallsim.rules.tower import LAYERED, TowerModel
from wallsim.state.game import new_game
from wallsim.state.random import TOWER, below, draw, key_game, key_streams


@kernel(apart=True)
def play_casts(game, rules, seed, number, emptied, thrown, fallen):
    """Throw one row of `thrown` after another into an empty tower and note in `fallen` what falls out.

    The tower is emptied before each row where `emptied` is true. Random numbers are those of game `number` of a seed,
    its streams keyed again for every cast. Returns how many rows were thrown: fewer than there are if the box lacks
    the cubes.
    """
    key_game(game, seed, number)
    game.tower[:] = 0
    game.floor[:, :] = 0
    for row in range(len(thrown)):
        if emptied[row]:
            game.tower[:] = 0
            game.floor[:, :] = 0
        key_streams(game, row)
        cubes = 0
        for colour in range(COLOURS):
            game.tray[colour] = 0
            game.engaged[colour] = thrown[row, colour]
            cubes += game.tower[colour] + thrown[row, colour]
            if game.tower[colour] + thrown[row, colour] > ARMIES_PER_PLAYER:
                return row
        if cubes > CUBES:
            return row
        cast(game, rules)
        for colour in range(COLOURS):
            fallen[row, colour] = game.fallen[colour]
    return len(thrown)


@kernel
def _pick_floor(rules, share, held, uniform_number):
    """A floor with a free cell, by `share`; by free cells where no such floor has a share. `held` counts by floor."""
    weights, free = 0.0, 0.0
    for floor in range(rules.floors):
        if held[floor] < rules.cells[floor]:
            weights += share[floor]
            free += rules.cells[floor] - held[floor]
    left = uniform_number * (weights if weights > 0.0 else free)
    choice = 0
    for floor in range(rules.floors):
        if held[floor] < rules.cells[floor]:
            weight = share[floor] if weights > 0.0 else float(rules.cells[floor] - held[floor])
            if weight > 0.0:
                choice = floor
                if left < weight:
                    return floor
                left -= weight
    return choice


@kernel(apart=True)
def settle(game, rules, inside, share):
    """Put cubes into the tower, `inside` by colour; in a layered one each on a floor with room, drawn by `share`.

    The cubes come in random order, so that no colour has the first choice. There must be room for all.
    """
    left = 0
    for colour in range(COLOURS):
        game.tower[colour] = inside[colour]
        game.fallen[colour] = inside[colour]
        left += inside[colour]
    if rules.tower_model != LAYERED:
        return
    game.floor[:, :] = 0
    held = game.falling[0]
    held[:] = 0
    while left > 0:
        colour = next_colour(game.fallen, below(game, TOWER, left))
        floor = _pick_floor(rules, share, held, uniform(draw(game, TOWER)))
        game.fallen[colour] -= 1
        game.floor[floor, colour] += 1
        held[floor] += 1
        left -= 1


@kernel(apart=True)
def repeat_cast(game, rules, seed, number, first, thrown, inside, share, fallen):
    """Throw the same cubes into a tower with the same contents again and again; one row of `fallen` per cast.

    Random numbers are those of game `number` of a seed at the moments `first`, `first` + 1, ...; `settle` fills a
    layered tower each time.
    """
    key_game(game, seed, number)
    for row in range(len(fallen)):
        key_streams(game, first + row)
        settle(game, rules, inside, share)
        for colour in range(COLOURS):
            game.tray[colour] = 0
            game.engaged[colour] = thrown[colour]
        cast(game, rules)
        for colour in range(COLOURS):
            fallen[row, colour] = game.fallen[colour]


class CastingBench:
    """A tower on a bench, with nothing else on the table: throws series of cubes and returns what falls out."""

    def __init__(self, tower: TowerModel) -> None:
        """Set up a tower."""
        packed = np.zeros(1, dtype=RULES)
        self.rules = packed[0]
        self.rules.players = MAX_PLAYERS
        pack_tower(self.rules, tower)
        self._game = new_game()[0]

    def throw(self, thrown: np.ndarray, emptied: np.ndarray | None = None, *, seed: int, number: int = 0) -> np.ndarray:
        """What falls out of a tower that is empty at first, as int64 [casts, 6], when `thrown` of that form is thrown.

        Columns are six colours; `emptied` has one flag per cast: whether the tower is emptied before it. ValueError
        if a count is negative, or more than 62 cubes of a colour, or 330 in all, thrown and inside, come together, more
        than the box has.
        """
        thrown = np.ascontiguousarray(thrown, dtype=np.int64)
        if thrown.ndim != 2 or thrown.shape[1] != COLOURS or (thrown < 0).any():
            raise ValueError(f"thrown: an array of form {thrown.shape} is not counts of cubes [casts, {COLOURS}]")
        flags = np.zeros(len(thrown), np.bool_) if emptied is None else np.ascontiguousarray(emptied, dtype=np.bool_)
        fallen = np.zeros_like(thrown)
        row = play_casts(self._game, self.rules, seed, number, flags, thrown, fallen)
        if row < len(thrown):
            raise ValueError(f"cast {row}: over {ARMIES_PER_PLAYER} cubes of a colour or {CUBES} in all come together")
        return fallen

    def repeat(
        self,
        thrown: Sequence[int],
        inside: Sequence[int],
        casts: int,
        *,
        seed: int,
        number: int = 0,
        first: int = 0,
        share: Sequence[float] = (),
    ) -> np.ndarray:
        """What falls out of a tower with six colours' cubes `inside` when `thrown` come in; int64 [casts, 6].

        Every row is the same cast, repeated. In a layered tower the cubes inside lie on floors in proportion to `share`
        (one number per floor, by cells if none is given) as far as there is room, in each cast differently. ValueError
        if a count is negative, a colour has more than 62 cubes or all have more than 330, or the floors lack the room.
        """
        cubes = np.array([thrown, inside], dtype=np.int64)
        bad_counts = cubes.shape != (2, COLOURS) or (cubes < 0).any()
        if bad_counts or cubes.sum(axis=0).max() > ARMIES_PER_PLAYER or cubes.sum() > CUBES:
            allowed = f"counts of {COLOURS} colours, at most {ARMIES_PER_PLAYER} of each and {CUBES} in all"
            raise ValueError(f"thrown {thrown}, inside {inside}: not {allowed}")
        floors = int(self.rules.floors)
        room = int(self.rules.cells[:floors].sum())
        if self.rules.tower_model == LAYERED and cubes[1].sum() > room:
            raise ValueError(f"inside: {cubes[1].sum()} cubes; the floors have {room} cells")
        weights = np.array(share or self.rules.cells[:floors], dtype=np.float64)
        if len(weights) != floors or (weights < 0).any():
            raise ValueError(f"share: {share} is not a number from 0 for each of {floors} floors")
        fallen = np.empty((casts, COLOURS), dtype=np.int64)
        repeat_cast(self._game, self.rules, seed, number, first, cubes[0], cubes[1], weights, fallen)
        return fallen
