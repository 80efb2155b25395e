"""What turning a number of the game changes: the settings of the study `amounts`, their games and the estimates.

A setting is an amount at one value. Each amount is played a step below and a step above the printed value; the change
is that from the lower to the higher value, in the same game numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.rules.amounts import AMOUNTS, Amount
from wallsim.rules.terms import ROUNDS, TILES
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.cache import Cache
from wallsim.studies.changes import Change, change
from wallsim.studies.games import Games, in_batches, played
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.scope import Blocks, Scope, scope_for

from ..editions.estimates import BASES, EXPANDED, SECOND, plays_of
from ..tiles.estimates import NONE, always, held_always

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=50, quick=25, quick_others=20)
DOUBLED = {  # the gift of each tile, doubled; that of `six_armies` is one army more than without it
    "thaler": {"tile_taxes_thalers": 2},
    "grain": {"tile_grain_grain": 2},
    "six_armies": {"tile_deploy5_armies": 7},
    "attack": {"tile_attack_armies": 2},
    "defence": {"tile_defence_armies": 2},
}
DOUBLED_BLOCKS = {False: 1_000, True: 130}  # by whether it is a quick look
FOURS = 6  # blocks of four games in a block of 24
STYLES = ("builder", "conqueror", "farmer", "raider")  # of the zoo, one in each seat
GAME_OUTCOMES = (POINTS, SPREAD, LEADER)

_STEPS = {"food_track_end": 6, "revolt_markers": 21, "start_thalers_4_players": 3, "first_fill_armies": 3}
_STEPS |= {"first_fill_peasants": 5, "palace_tiles": 14, "church_tiles": 13, "trading_post_tiles": 13}
_OTHER_TABLES = ("start_thalers_3_players", "start_thalers_5_players")  # the study has four players
_OF_EXPANSIONS = ("leader_", "statue_", "trophy_", "favor", "landsknechte_")


class Turned(NamedTuple):
    """An amount with the values below and above the printed one that are played, and the base it is played in."""

    amount: Amount
    low: int
    high: int
    base: str

    @property
    def name(self) -> str:
        """The name of the amount."""
        return self.amount.name

    def experiments(self, cell: Cell) -> dict[str, Experiment]:
        """The experiments at both values in a cell, by `low` and `high`."""
        return {
            end: experiment_of(cell, self.base, {self.name: value})
            for end, value in (("low", self.low), ("high", self.high))
        }


def turned() -> tuple[Turned, ...]:
    """All amounts that mean something with four players, a step down and a step up, as far as the bounds allow."""
    found = []
    for amount in AMOUNTS:
        if amount.name not in _OTHER_TABLES:
            step = _STEPS.get(amount.name, 1)
            low, high = max(amount.low, amount.printed - step), min(amount.high, amount.printed + step)
            found.append(Turned(amount, low, high, EXPANDED if amount.name.startswith(_OF_EXPANSIONS) else SECOND))
    return tuple(found)


def quick_turned() -> tuple[Turned, ...]:
    """A few amounts for a quick look."""
    names = ("tile_taxes_thalers", "palace_price", "county_points", "neutral_peasants", "statue_points")
    return tuple(each for each in turned() if each.name in names)


def turned_in(scope: Scope) -> tuple[Turned, ...]:
    """The amounts that are played in a scope."""
    return quick_turned() if scope.quick else turned()


def scope_of(games: int | None = None, quick: bool = False) -> Scope:
    """The cells, and their blocks; `games` of each setting in the baseline cell, and in others at most so many."""
    return scope_for(EXPERIMENT, BLOCKS, games, quick)._replace(setups=("lineup",))


def in_fours(scope: Scope) -> Scope:
    """The same with blocks of four games, one for each seat, which are the unit of all errors but of doubled gifts."""
    return scope._replace(baseline=FOURS * scope.baseline, others=FOURS * scope.others)


def experiment_of(cell: Cell, base: str, amounts: Mapping[str, int], **changes: Any) -> Experiment:
    """The experiment of a cell with other numbers; `changes` are other keys of it."""
    policy = next(play.policy for play in plays_of(base) if play.name == cell.play)
    keys = {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": [], **BASES[base], **changes}
    return load_experiment(EXPERIMENT, {**keys, "amounts": dict(amounts)})


def play_games(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """The outcomes of whole games, float64 [blocks of four games]; `blocks` have 24."""
    facts = {"engine_version": ENGINE_VERSION, "experiment": experiment.hash(with_games=True), "blocks": blocks}

    def play() -> dict[str, np.ndarray]:
        arena = experiment.components().arena(experiment.seed)
        return _joined(in_batches(arena, range(blocks), partial(_means, outcomes_of), workers=workers))

    return cache.get({**facts, "games": "as they are"}, play_games, play)


def play_tiles(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """What holding each tile in a round brings against none, in victory points, float64 [blocks of four games].

    A seat holds the tile, or none, in every round, and the difference is divided by the rounds.
    """
    facts = {"engine_version": ENGINE_VERSION, "experiment": experiment.hash(with_games=True), "blocks": blocks}

    def play() -> dict[str, np.ndarray]:
        points = {}
        for name, lines in held_always().items():
            own = experiment.model_copy(update={"interventions": tuple(dict(line) for line in lines)})
            arena = own.components().arena(own.seed)
            points[name] = _joined(in_batches(arena, range(blocks), partial(_means, _treated), workers=workers))["vp"]
        return {tile: (points[always(tile)] - points[always(NONE)]) / ROUNDS for tile in TILES}

    return cache.get({**facts, "games": "tiles in every round"}, play_tiles, play)


def play_rounds(
    experiment: Experiment, tile: str, blocks: int, cache: Cache, workers: int | None = None
) -> dict[str, np.ndarray]:
    """What a tile in one round brings against none, in victory points under `vp`, float64 [blocks, rounds]."""
    facts = {
        "engine_version": ENGINE_VERSION,
        "experiment": experiment.hash(with_games=True),
        "blocks": blocks,
        "tile": tile,
    }

    def play() -> dict[str, np.ndarray]:
        points = {}
        for to in (tile, "none"):
            line = {"do": "tile", "to": to, "seat": "turn", "round": "turn"}
            own = experiment.model_copy(update={"interventions": (line,)})
            points[to] = played(own, blocks, _treated, workers=workers)["vp"]
        return {"vp": points[tile] - points["none"]}

    return cache.get({**facts, "games": "a tile in a round"}, play_rounds, play)


def play_styles(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """The share of wins of each style at one table, in per cent, in each seat once, float64 [blocks of four games]."""
    size = len(STYLES)
    seatings = [STYLES[turn:] + STYLES[:turn] for turn in range(size)]
    own = [load_styles(experiment, seating) for seating in seatings]
    facts = {
        "engine_version": ENGINE_VERSION,
        "experiments": [each.hash(with_games=True) for each in own],
        "blocks": blocks,
    }

    def play() -> dict[str, np.ndarray]:
        wins = np.zeros((FOURS * blocks, size))
        for seating, each in zip(seatings, own, strict=True):
            found = in_batches(
                each.components().arena(each.seed), range(blocks), partial(_means, outcomes_of), workers=workers
            )
            by_seat = _joined(found)
            for seat, style in enumerate(seating):
                wins[:, STYLES.index(style)] += by_seat[wins_of(seat)] / size
        return {style: wins[:, place] for place, style in enumerate(STYLES)}

    return cache.get(facts, play_styles, play)


def load_styles(experiment: Experiment, seating: tuple[str, ...]) -> Experiment:
    """The same experiment with these policies by seat."""
    return Experiment(**{**experiment.model_dump(), "policies": seating})


def _treated(games: Games) -> dict[str, np.ndarray]:
    return {"vp": games.treated(games.seats("vp"))}


def _means(count: Any, games: Games) -> dict[str, np.ndarray]:
    # A block is one game for each treated seat: no round is treated alone, so that smaller blocks than usual will do.
    return {name: values.reshape(-1, games.players).mean(axis=1) for name, values in count(games).items()}


def _joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class OneAtATime(NamedTuple):
    """The changes from the lower to the higher value of each amount.

    `games` by cell, amount and outcome; `lineups`, `tiles` and `styles` by amount in the baseline cell: the wins of
    the seats with line-ups A to D, the worth of each tile, and the wins of each style.
    """

    scope: Scope
    games: dict[Cell, dict[str, dict[str, Change]]]
    lineups: dict[str, dict[str, Change]]
    tiles: dict[str, dict[str, Change]]
    styles: dict[str, dict[str, Change]]


def one_at_a_time(scope: Scope, cache: Cache, workers: int | None = None) -> OneAtATime:
    """Turn each amount by itself, in every cell; what tiles and styles gain in the baseline cell alone."""
    found = OneAtATime(scope, {cell: {} for cell in scope.cells()}, {}, {}, {})
    for cell in scope.cells():
        for each in turned_in(scope):
            if cell.play not in {play.name for play in plays_of(each.base)}:
                continue
            ends, blocks = each.experiments(cell), scope.blocks(cell)
            whole = {end: play_games(one, blocks, cache, workers) for end, one in ends.items()}
            found.games[cell][each.name] = {name: _between(whole, name) for name in GAME_OUTCOMES}
            if cell == scope.baseline_cell():
                found.lineups[each.name] = {
                    letter: _between(whole, wins_of(seat)) for seat, letter in enumerate("ABCD")
                }
                for table, play, names in ((found.tiles, play_tiles, TILES), (found.styles, play_styles, STYLES)):
                    values = {end: play(one, blocks, cache, workers) for end, one in ends.items()}
                    table[each.name] = {name: _between(values, name) for name in names}
    return found


def _between(ends: Mapping[str, Mapping[str, np.ndarray]], name: str) -> Change:
    return change(ends["low"][name][:, None], ends["high"][name][:, None])


def doubled(scope: Scope, cache: Cache, workers: int | None = None) -> dict[str, list[Change]]:
    """By tile: how much more it is worth with a doubled gift, in the mean of the rounds and then in each round."""
    cell, blocks = scope.baseline_cell(), DOUBLED_BLOCKS[scope.quick]
    found = {}
    for tile, amounts in DOUBLED.items():
        usual, more = (
            play_rounds(experiment_of(cell, SECOND, numbers), tile, blocks, cache, workers)["vp"]
            for numbers in ({}, amounts)
        )
        found[tile] = [change(usual, more), *(change(usual, more, moment) for moment in range(ROUNDS))]
    return found


def digest_of_turned(scope: Scope) -> str:
    """The hash of everything that decides the changes one at a time."""
    experiments = {
        "/".join((each.name, *cell)): [one.hash(with_games=True) for one in each.experiments(cell).values()]
        for cell in scope.cells()
        for each in turned_in(scope)
        if cell.play in {play.name for play in plays_of(each.base)}
    }
    sizes = [scope.baseline, scope.others, DOUBLED_BLOCKS[scope.quick]]
    return identity_hash({"experiments": experiments, "blocks": sizes, "styles": list(STYLES), "doubled": DOUBLED})
