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
from wallsim.rules.amounts import AMOUNTS, Amount
from wallsim.rules.terms import ROUNDS, TILES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.cache import Cache
from wallsim.studies.changes import Change, change
from wallsim.studies.games import Games, in_batches, played
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.scope import Blocks, Scope, scope_for
from wallsim.studies.study import Choices

from ..editions.estimates import BASES, EXPANDED, SECOND, plays_of
from ..tiles.estimates import NONE, always, held_always

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=50, quick=25, quick_others=20)
Design = Mapping[str, Any]
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
    result = []
    for amount in AMOUNTS:
        if amount.name not in _OTHER_TABLES:
            step = _STEPS.get(amount.name, 1)
            low, high = max(amount.low, amount.printed - step), min(amount.high, amount.printed + step)
            result.append(Turned(amount, low, high, EXPANDED if amount.name.startswith(_OF_EXPANSIONS) else SECOND))
    return tuple(result)


def quick_turned() -> tuple[Turned, ...]:
    """A few amounts for a quick look."""
    names = ("tile_taxes_thalers", "palace_price", "county_points", "neutral_peasants", "statue_points")
    return tuple(each for each in turned() if each.name in names)


def turned_in(scope: Scope) -> tuple[Turned, ...]:
    """The amounts that are played in a scope."""
    return quick_turned() if scope.quick else turned()


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each setting in the baseline cell."""
    return scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick)._replace(setups=("lineup",))


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

    def play(design: Design) -> dict[str, np.ndarray]:
        return _joined(_batches(design["experiment"], design["blocks"], outcomes_of, workers))

    return cache.get("games as they are", {"experiment": experiment, "blocks": blocks}, play)


def play_tiles(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """What holding each tile in a round brings against none, in victory points, float64 [blocks of four games].

    A seat holds the tile, or none, in every round, and the difference is divided by the rounds.
    """

    def play(design: Design) -> dict[str, np.ndarray]:
        points = _points_of_each(design, workers)
        return {tile: (points[always(tile)] - points[always(NONE)]) / ROUNDS for tile in TILES}

    design = {"experiment": experiment, "interventions": held_always(), "blocks": blocks}
    return cache.get("tiles in every round", design, play)


def _points_of_each(design: Design, workers: int | None) -> dict[str, np.ndarray]:
    # The treated seat's points by scenario of the design.
    points = {}
    for name, lines in design["interventions"].items():
        own = design["experiment"].changed(interventions=[dict(line) for line in lines])
        points[name] = _joined(_batches(own, design["blocks"], _treated, workers))["vp"]
    return points


def play_rounds(
    experiment: Experiment, tile: str, blocks: int, cache: Cache, workers: int | None = None
) -> dict[str, np.ndarray]:
    """What a tile in one round brings against none, in victory points under `vp`, float64 [blocks, rounds]."""

    def play(design: Design) -> dict[str, np.ndarray]:
        points = {
            to: played(design["experiment"].changed(interventions=[line]), design["blocks"], _treated, workers=workers)[
                "vp"
            ]
            for to, line in design["interventions"].items()
        }
        return {"vp": points[tile] - points["none"]}

    lines = {to: {"do": "tile", "to": to, "seat": "turn", "round": "turn"} for to in (tile, "none")}
    return cache.get(
        "a tile in a round", {"experiment": experiment, "interventions": lines, "blocks": blocks, "tile": tile}, play
    )


def play_styles(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """The share of wins of each style at one table, in per cent, in each seat once, float64 [blocks of four games]."""
    size = len(STYLES)
    seatings = [STYLES[turn:] + STYLES[:turn] for turn in range(size)]

    def play(design: Design) -> dict[str, np.ndarray]:
        wins = np.zeros((FOURS * design["blocks"], size))
        for seating, each in zip(seatings, design["experiments"], strict=True):
            by_seat = _joined(_batches(each, design["blocks"], outcomes_of, workers))
            for seat, style in enumerate(seating):
                wins[:, STYLES.index(style)] += by_seat[wins_of(seat)] / size
        return {style: wins[:, place] for place, style in enumerate(STYLES)}

    design = {"experiments": [load_styles(experiment, seating) for seating in seatings], "blocks": blocks}
    return cache.get("styles", design, play)


def _batches(experiment: Experiment, blocks: int, count: Any, workers: int | None) -> list[dict[str, np.ndarray]]:
    arena = experiment.components().arena(experiment.seed)
    return in_batches(arena, range(blocks), partial(_means, count), workers=workers)


def load_styles(experiment: Experiment, seating: tuple[str, ...]) -> Experiment:
    """The same experiment with these policies by seat."""
    return experiment.changed(policies=seating)


def _treated(games: Games) -> dict[str, np.ndarray]:
    return {"vp": games.treated(games.seats("vp"))}


def _means(count: Any, games: Games) -> dict[str, np.ndarray]:
    # A block is one game for each treated seat: no round is treated alone, so blocks may be smaller than the default.
    return {name: values.reshape(-1, games.players).mean(axis=1) for name, values in count(games).items()}


def _joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class OneAtATime(NamedTuple):
    """The changes from the lower to the higher value of each amount.

    `games` by cell, amount and outcome; `lineups` by cell and amount the wins of the seats with line-ups A to D;
    `tiles` and `styles` by amount in the baseline cell: the worth of each tile, and the wins of each style.
    """

    scope: Scope
    games: dict[Cell, dict[str, dict[str, Change]]]
    lineups: dict[Cell, dict[str, dict[str, Change]]]
    tiles: dict[str, dict[str, Change]]
    styles: dict[str, dict[str, Change]]


def one_at_a_time(scope: Scope, cache: Cache, workers: int | None = None) -> OneAtATime:
    """Turn each amount by itself, in every cell; what tiles and styles gain in the baseline cell alone."""
    result = OneAtATime(scope, {cell: {} for cell in scope.cells()}, {cell: {} for cell in scope.cells()}, {}, {})
    for cell in scope.cells():
        for each in turned_in(scope):
            if cell.play not in {play.name for play in plays_of(each.base)}:
                continue
            ends, blocks = each.experiments(cell), scope.blocks(cell)
            whole = {end: play_games(one, blocks, cache, workers) for end, one in ends.items()}
            result.games[cell][each.name] = {name: _between(whole, name) for name in GAME_OUTCOMES}
            result.lineups[cell][each.name] = {
                letter: _between(whole, wins_of(seat)) for seat, letter in enumerate("ABCD")
            }
            if cell == scope.baseline_cell():
                for table, play, names in ((result.tiles, play_tiles, TILES), (result.styles, play_styles, STYLES)):
                    values = {end: play(one, blocks, cache, workers) for end, one in ends.items()}
                    table[each.name] = {name: _between(values, name) for name in names}
    return result


def _between(ends: Mapping[str, Mapping[str, np.ndarray]], name: str) -> Change:
    return change(ends["low"][name][:, None], ends["high"][name][:, None])


def doubled(scope: Scope, cache: Cache, workers: int | None = None) -> dict[str, list[Change]]:
    """By tile: how much more it is worth with a doubled gift, in the mean of the rounds and then in each round."""
    cell, blocks = scope.baseline_cell(), DOUBLED_BLOCKS[scope.quick]
    result = {}
    for tile, amounts in DOUBLED.items():
        printed, more = (
            play_rounds(experiment_of(cell, SECOND, numbers), tile, blocks, cache, workers)["vp"]
            for numbers in ({}, amounts)
        )
        result[tile] = [change(printed, more), *(change(printed, more, moment) for moment in range(ROUNDS))]
    return result


def identity_of_turned(scope: Scope) -> dict[str, Any]:
    """Everything that decides the changes one at a time."""
    experiments = {
        "/".join((each.name, *cell)): list(each.experiments(cell).values())
        for cell in scope.cells()
        for each in turned_in(scope)
        if cell.play in {play.name for play in plays_of(each.base)}
    }
    sizes = [scope.baseline, scope.others, DOUBLED_BLOCKS[scope.quick]]
    facts = {"experiments": experiments, "blocks": sizes, "styles": STYLES, "doubled": DOUBLED}
    return {**facts, "held": held_always()}
