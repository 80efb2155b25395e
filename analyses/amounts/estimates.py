"""What turning a number of the game changes: the settings of the study `amounts`, their games and the estimates.

A setting is an amount at one value. Each amount is played a step below and a step above the printed value; the change
is that from the lower to the higher value, in the same game numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.terms import ROUND_NAMES, ROUNDS, TILES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.changes import Change, change
from wallsim.studies.games import Counted, Games, in_batches, played
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scenarios import Lines
from wallsim.studies.scope import Blocks, Scope, scope_for
from wallsim.studies.series import MEAN, MOMENTS
from wallsim.studies.study import Choices

from ..editions.estimates import BASES, EXPANDED, SECOND, plays_of
from ..tiles.estimates import NONE, always, held_always

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=50, quick=25, quick_others=20)
Design = Mapping[str, Any]
DOUBLED = {  # the gift of each tile, doubled; that of `six_armies` is one army more than without it
    "thaler": {"tile_taxes_thalers": 2}, "grain": {"tile_grain_grain": 2}, "six_armies": {"tile_deploy5_armies": 7},
    "attack": {"tile_attack_armies": 2}, "defence": {"tile_defence_armies": 2},
}  # fmt: skip
DOUBLED_BLOCKS = {False: 1_000, True: 130}  # by whether it is a quick look
FOURS = 6  # blocks of four games in a block of 24
STYLES = ("builder", "conqueror", "farmer", "raider")  # of the zoo, one in each seat
JUDGED = (SPREAD, LEADER)  # outcomes that are judged in all cells
PLAYERS, LINEUPS = 4, tuple("ABCD")
SHOWN = 16  # numbers in the picture
WIDER = "spread of VP with two points a county"
CLAIMS = (
    Claim("Two points a county in place of one widen the spread of points.", WIDER, 0.0),
    *(Claim(f"With a doubled gift the tile {tile.replace('_', ' ')} is worth more.", f"{tile}, doubled gift", 0.0)
      for tile in TILES),
)  # fmt: skip

_STEPS = {"food_track_end": 6, "revolt_markers": 21, "start_thalers_4_players": 3, "first_fill_armies": 3}
_STEPS |= {"first_fill_peasants": 5, "palace_tiles": 14, "church_tiles": 13, "trading_post_tiles": 13}
_OTHER_TABLES = ("start_thalers_3_players", "start_thalers_5_players")  # the study has four players
_QUICK = ("tile_taxes_thalers", "palace_price", "county_points", "neutral_peasants", "statue_points")
_OF_EXPANSIONS = ("leader_", "statue_", "trophy_", "favor", "landsknechte_")


class Turned(NamedTuple):
    """An amount with the values below and above the printed one that are played, and the base it is played in."""

    name: str
    low: int
    high: int
    base: str

    def is_played(self, cell: Cell) -> bool:
        """Whether its base has the play of a cell."""
        return cell.play in {play.name for play in plays_of(self.base)}

    def experiments(self, cell: Cell) -> list[Experiment]:
        """The experiments at the lower and the higher value in a cell."""
        return [experiment_of(cell, self.base, {self.name: value}) for value in (self.low, self.high)]


def turned() -> tuple[Turned, ...]:
    """All amounts that mean something with four players, a step down and a step up, as far as the bounds allow."""
    result = []
    for amount in (amount for amount in AMOUNTS if amount.name not in _OTHER_TABLES):
        step, base = _STEPS.get(amount.name, 1), EXPANDED if amount.name.startswith(_OF_EXPANSIONS) else SECOND
        low, high = max(amount.low, amount.printed - step), min(amount.high, amount.printed + step)
        result.append(Turned(amount.name, low, high, base))
    return tuple(result)


def turned_in(scope: Scope) -> tuple[Turned, ...]:
    """The amounts that are played in a scope: a few in a quick look."""
    return tuple(each for each in turned() if not scope.quick or each.name in _QUICK)


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each setting in the baseline cell."""
    return scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick)._replace(setups=("lineup",))


def in_fours(scope: Scope) -> Scope:
    """The same with blocks of four games, one for each seat, which are the unit of all errors but of doubled gifts."""
    return scope._replace(baseline=FOURS * scope.baseline, others=FOURS * scope.others)


def experiment_of(cell: Cell, base: str, amounts: Mapping[str, int]) -> Experiment:
    """The experiment of a cell with other numbers."""
    policy = next(play.policy for play in plays_of(base) if play.name == cell.play)
    keys = {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": [], **BASES[base]}
    return load_experiment(EXPERIMENT, {**keys, "amounts": dict(amounts)})


def play_games(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> Counted:
    """The outcomes of whole games, float64 [blocks of four games]; `blocks` have 24."""
    design = {"experiment": experiment, "blocks": blocks}
    return cache.get("games as they are", design, lambda _: _counted(experiment, blocks, outcomes_of, workers))


def play_tiles(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> Counted:
    """What holding each tile in a round brings against none, in victory points, float64 [blocks of four games].

    A seat holds the tile, or none, in every round, and the difference is divided by the rounds.
    """
    held = held_always()

    def play(_: Design) -> Counted:
        points = {name: _counted(_with(experiment, lines), blocks, _treated, workers)["vp"]
                  for name, lines in held.items()}  # fmt: skip
        return {tile: (points[always(tile)] - points[always(NONE)]) / ROUNDS for tile in TILES}

    design = {"experiment": experiment, "interventions": held, "blocks": blocks}
    return cache.get("tiles in every round", design, play)


def play_rounds(experiment: Experiment, tile: str, blocks: int, cache: Cache, workers: int | None = None) -> Counted:
    """What a tile in one round brings against none, in victory points under `vp`, float64 [blocks, rounds]."""
    lines = {to: {"do": "tile", "to": to, "seat": "turn", "round": "turn"} for to in (tile, "none")}

    def play(_: Design) -> Counted:
        given, none = (played(_with(experiment, (line,)), blocks, _treated, workers=workers) for line in lines.values())
        return {"vp": given["vp"] - none["vp"]}

    design = {"experiment": experiment, "interventions": lines, "blocks": blocks, "tile": tile}
    return cache.get("a tile in a round", design, play)


def _with(experiment: Experiment, lines: Lines) -> Experiment:
    return experiment.changed(interventions=[dict(line) for line in lines])


def play_styles(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> Counted:
    """The share of wins of each style at one table, in per cent, in each seat once, float64 [blocks of four games]."""
    seatings = [STYLES[turn:] + STYLES[:turn] for turn in range(len(STYLES))]
    experiments = [experiment.changed(policies=seating) for seating in seatings]

    def play(_: Design) -> Counted:
        every = [_counted(each, blocks, outcomes_of, workers) for each in experiments]
        return {style: np.asarray(sum(by_seat[wins_of(seating.index(style))] / len(STYLES)
                                      for seating, by_seat in zip(seatings, every, strict=True)))
                for style in STYLES}  # fmt: skip

    return cache.get("styles", {"experiments": experiments, "blocks": blocks}, play)


def _counted(experiment: Experiment, blocks: int, count: Any, workers: int | None) -> Counted:
    arena = experiment.components().arena(experiment.seed)
    parts = in_batches(arena, range(blocks), partial(_means, count), workers=workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _treated(games: Games) -> Counted:
    return {"vp": games.treated(games.seats("vp"))}


def _means(count: Any, games: Games) -> Counted:
    # A block is one game for each treated seat: no round is treated alone, so blocks may be smaller than the default.
    return {name: values.reshape(-1, games.players).mean(axis=1) for name, values in count(games).items()}


def one_at_a_time(scope: Scope, cache: Cache, workers: int | None = None) -> dict[Key, Value]:
    """The changes from the lower to the higher value of each amount by itself, in every cell of its base.

    What tiles and styles gain is measured in the baseline cell alone. The amounts that move the spread or a tile most
    there are those of the picture.
    """
    home, values, moved = scope.baseline_cell(), dict[Key, Value](), dict[str, dict[str, Change]]()
    for cell, each in product(scope.cells(), turned_in(scope)):
        if not each.is_played(cell):
            continue
        how = each.experiments(cell), scope.blocks(cell), cache, workers
        games = _changes(play_games, *how)
        wins = {letter: games[wins_of(seat)] for seat, letter in enumerate(LINEUPS)}
        every = {name: games[name] for name in (POINTS, SPREAD, LEADER)}
        found = {"points-by-cell": {POINTS: games[POINTS]}, "by-cell": {name: games[name] for name in JUDGED}}
        if cell.tower == home.tower:
            found["wins-by-play"] = wins
        if cell == home:
            tiles, styles = _changes(play_tiles, *how), _changes(play_styles, *how)
            found |= {"change": every, "headline": every, "wins": wins, "tile": tiles, "style": styles}
            moved[each.name] = {SPREAD: games[SPREAD], **tiles}
        for quantity, changes in found.items():
            values |= {Key(quantity, f"{each.name} {what}", PLAYERS, cell): one for what, one in changes.items()}
    most = sorted(moved, key=lambda name: max(abs(one.estimate.value) for one in moved[name].values()), reverse=True)
    shown = {f"{name} {what}": one for name in most[:SHOWN] for what, one in moved[name].items()}
    return values | {Key("picture", name, PLAYERS, home): one for name, one in shown.items()}


def _changes(
    play: Callable[..., Counted], ends: Sequence[Experiment], blocks: int, cache: Cache, workers: int | None
) -> dict[str, Change]:
    low, high = (play(end, blocks, cache, workers) for end in ends)
    return {name: change(low[name][:, None], high[name][:, None]) for name in low}


def doubled(scope: Scope, cache: Cache, workers: int | None = None) -> dict[Key, Value]:
    """By tile: how much more it is worth with a doubled gift, in the mean of the rounds and in each round."""
    cell, blocks, values = scope.baseline_cell(), DOUBLED_BLOCKS[scope.quick], dict[Key, Value]()
    for tile, amounts in DOUBLED.items():
        printed, more = (
            play_rounds(experiment_of(cell, SECOND, numbers), tile, blocks, cache, workers)["vp"]
            for numbers in ({}, amounts)
        )
        for moment in (MEAN, *ROUND_NAMES):
            each = change(printed, more, MOMENTS[moment][1])
            for quantity in ("doubled",) if moment == MEAN else ("doubled", "doubled-rounds"):
                values[Key(quantity, tile, PLAYERS, cell, moment)] = each
    return values


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS, by playing the games of an experiment with its numbers and with others.

    Without tiles, in the first edition, only that of the spread.
    """

    cache = Cache(None)

    def turned(play: Callable[..., Counted], **amounts: int) -> Counted:
        return play(experiment.changed(amounts={**experiment.amounts, **amounts}), blocks, cache, workers)

    result = {WIDER: block_mean(turned(play_games, county_points=2)[SPREAD] - turned(play_games)[SPREAD])}
    if experiment.edition == "1e":
        return result
    worth = turned(play_tiles)
    for tile, amounts in DOUBLED.items():
        result[f"{tile}, doubled gift"] = block_mean(turned(play_tiles, **amounts)[tile] - worth[tile])
    return result
