"""The games of the study `amounts`: which numbers of the game are changed, and what is counted of games with others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.terms import ROUNDS, TILES
from wallsim.studies import scenarios
from wallsim.studies.games import Count, Counted, Games, in_batches, play_arena
from wallsim.studies.outcomes import LEADER, SPREAD, outcomes_of, wins_of
from wallsim.studies.scope import Scope
from wallsim.studies.study import Storage

from ..editions.study import BASES, EXPANDED, SECOND, plays_of
from ..price.study import count as of_treated
from ..tiles.estimates import NONE, always, held_always

EXPERIMENT = Path(__file__).with_name("experiment.toml")
STYLES = ("builder", "conqueror", "farmer", "raider")  # of the zoo, one in each seat
LINEUPS = tuple("ABCD")
WINS = {letter: f"wins of line-up {letter}" for letter in LINEUPS}
JUDGED = (SPREAD, LEADER)  # outcomes that are judged in all cells

_STEPS = {
    "food_track_end": 6, "revolt_markers": 21, "start_thalers_4_players": 3, "first_fill_armies": 3,
    "first_fill_peasants": 5, "palace_tiles": 14, "church_tiles": 13, "trading_post_tiles": 13,
}  # fmt: skip
# Without points for counties, buildings would often bring none, either, and hardly anybody would score.
_SCREENED_FROM = {"county_points": 1}
_OTHER_TABLES = ("start_thalers_3_players", "start_thalers_5_players")  # the study has four players
_QUICK = ("tile_taxes_thalers", "palace_price", "county_points", "neutral_peasants", "statue_points")
_OF_EXPANSIONS = ("leader_", "statue_", "trophy_", "favor", "landsknechte_")


class Turned(NamedTuple):
    """An amount with the values below and above the printed one that are played, and the base it is played in."""

    name: str
    low: int
    high: int
    base: str

    @property
    def star(self) -> str:
        """What follows the name where the amount is changed with all expansions."""
        return " *" if self.base == EXPANDED else ""

    def screened(self) -> Turned:
        """The same with the values of the screening."""
        return self._replace(low=_SCREENED_FROM.get(self.name, self.low))


def turned(scope: Scope | None = None) -> tuple[Turned, ...]:
    """All amounts that mean something with four players, a step down and a step up, as far as the bounds allow.

    In a quick scope a few of them.
    """
    result = []
    for amount in AMOUNTS:
        step, base = _STEPS.get(amount.name, 1), EXPANDED if amount.name.startswith(_OF_EXPANSIONS) else SECOND
        low, high = max(amount.low, amount.printed - step), min(amount.high, amount.printed + step)
        if amount.name in _QUICK or (amount.name not in _OTHER_TABLES and not (scope and scope.quick)):
            result.append(Turned(amount.name, low, high, base))
    return tuple(result)


def settings(scope: Scope) -> Iterator[tuple[Cell, tuple[Turned, ...]]]:
    """Every cell with the numbers of each base that its play has, which are screened together."""
    for cell, base in product(scope.cells(), (SECOND, EXPANDED)):
        if cell.play in {play.name for play in plays_of(base)}:
            yield cell, tuple(each.screened() for each in turned(scope) if each.base == base)


def experiment_of(cell: Cell, base: str, amounts: Mapping[str, int]) -> Experiment:
    """The experiment of a cell with other numbers."""
    return scenarios.experiment_of(EXPERIMENT, cell, plays=plays_of(base), **BASES[base], amounts=dict(amounts))


@cache
def seed_of(stage: int) -> int:
    """The seed of the games of a stage, which no other games have."""
    return load_experiment(EXPERIMENT).seed + 1 + stage


def play_games(experiment: Experiment, blocks: int, storage: Storage) -> Counted:
    """The outcomes of whole games, float64 [blocks of four games]; `blocks` have 24."""

    def play(_: Any) -> Counted:
        return in_fours(experiment.arena(), range(blocks), outcomes_of, storage.workers)

    return storage.cache.get("games as they are", {"experiment": experiment, "blocks": blocks}, play)


def play_tiles(experiment: Experiment, blocks: int, storage: Storage, tiles: Sequence[str] = TILES) -> Counted:
    """What holding each tile in a round brings against none, in victory points, float64 [blocks of four games].

    A seat holds the tile, or none, in every round, and the difference is divided by the rounds.
    """
    held = {name: lines for name, lines in held_always().items() if name in map(always, (*tiles, NONE))}

    def play(_: Any) -> Counted:
        return worths_of({name: in_fours(arena, range(blocks), of_treated, storage.workers)
                        for name, arena in scenarios.arenas_of(experiment, held)})  # fmt: skip

    design = {"experiment": experiment, "interventions": held, "blocks": blocks}
    return storage.cache.get("tiles in every round", design, play)


def worths_of(counted: Mapping[str, Counted]) -> Counted:
    """What each tile in every round brings against none, in VP a round, of the points with each and with none."""
    points = {name: each["vp"] for name, each in counted.items()}
    return {tile: (points[always(tile)] - points[always(NONE)]) / ROUNDS for tile in TILES if always(tile) in points}


def play_rounds(experiment: Experiment, tiles: Sequence[str], blocks: int, storage: Storage) -> Counted:
    """What tiles in one round bring against none, in victory points, by tile float64 [blocks, rounds]."""
    lines: dict[str, scenarios.Lines] = {
        to: ({"do": "tile", "to": to, "seat": "turn", "round": "turn"},) for to in (*tiles, "none")
    }

    def play(_: Any) -> Counted:
        points = {to: play_arena(arena, blocks, of_treated, seasons=False, workers=storage.workers)["vp"]
                  for to, arena in scenarios.arenas_of(experiment, lines)}  # fmt: skip
        return {tile: points[tile] - points["none"] for tile in tiles}

    design = {"experiment": experiment, "interventions": lines, "blocks": blocks}
    return storage.cache.get("tiles in a round", design, play)


def play_styles(experiment: Experiment, blocks: int, storage: Storage) -> Counted:
    """The share of wins of each style at one table, in per cent, in each seat once, float64 [blocks of four games]."""
    seatings = [STYLES[turn:] + STYLES[:turn] for turn in range(len(STYLES))]
    experiments = [experiment.changed(policies=seating) for seating in seatings]

    def play(_: Any) -> Counted:
        every = [in_fours(each.arena(), range(blocks), outcomes_of, storage.workers) for each in experiments]
        return {style: np.mean([counted[wins_of(seating.index(style))] for seating, counted in
                                zip(seatings, every, strict=True)], axis=0) for style in STYLES}  # fmt: skip

    return storage.cache.get("styles", {"experiments": experiments, "blocks": blocks}, play)


def in_fours(arena: Arena, blocks: range, count: Count, workers: int | None) -> Counted:
    """Play blocks of 24 games, and keep the mean of each outcome by block of four games.

    Such a block is one game for each treated seat: no round is treated alone, so blocks may be smaller than usual.
    """
    parts = in_batches(arena, blocks, partial(_means, count=count), workers=workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _means(games: Games, count: Count) -> Counted:
    return {name: values.reshape(-1, games.players).mean(axis=1) for name, values in count(games).items()}
