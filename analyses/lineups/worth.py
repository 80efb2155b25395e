"""What a line-up is worth beside its wins: in what it has on the map, and in skill, of line-up A against C.

Who sits left or right of a line-up is no neighbour of it on the map, and the study tests that it does not matter. What
is counted here are borders between counties: of a line-up's own, with the other line-ups, and with counties that are
nobody's at the start. What they bring is estimated from all exchanges of two counties between two line-ups.

Skill is said by how badly A must play for C to be level with it. At a table of equal players the one with line-up A
plays worse, by errors of judgement or as a weaker kind of play, and its points and wins less those of line-up C are
counted at the same table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import hypot, nan
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG, WEAK
from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.rules.board import Board, load_board
from wallsim.rules.ruleset import Ruleset
from wallsim.runs.experiment import Experiment
from wallsim.runs.learning.settings import with_noise
from wallsim.runs.parallel import in_parallel
from wallsim.stats.blocks import Estimate, block_mean, combined
from wallsim.stats.intervals import Confidence, side_of
from wallsim.studies.cache import Cache
from wallsim.studies.games import Games, in_batches
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import plays_for

from .games import COUNTIES, Arenas, exchanges, letters_of, ways_of

OTHERS = "borders with other line-ups"
FEATURES = (
    "borders between own counties", OTHERS, "borders with free counties", "pairs of own counties in one region",
    "Thalers printed", "grain printed", "building sites",
)  # fmt: skip

BETTER, WORSE = "A", "C"
ERRORS = (0.0, 0.2, 0.4, 0.8, 1.6, 3.2)  # VP, standard deviations of the errors with which each option is judged
BLOCKS = 63  # of 6 numbers a player, at most; a number is a unit
SEEDS = 2  # from the seed of the study; the seed between is that of the search
WEAKER = {CASUAL: WEAK, MIDDLING: CASUAL, STRONG: MIDDLING, f"second {STRONG}": MIDDLING}  # the next weaker play
WEAKER_PLAYER = "by the next weaker play"
OUTCOMES = POINTS, WINS = "points", "wins"
_STEP = 0.01  # VP, to which the errors that make both level are found


def lands(board: Board, players: int, edited: Mapping[str, Iterable[str]] | None = None) -> dict[str, dict[str, int]]:
    """What each line-up has on the map: its FEATURES, and its borders with each other line-up.

    The line-ups are the printed ones but for `edited`, which are names of counties by letter.
    """
    printed = {letter: [county for county, *_ in board.lineups[players, letter]] for letter in letters_of(players)}
    held = printed | {letter: [*map(board.counties.index, names)] for letter, names in (edited or {}).items()}
    taken = {county for counties in held.values() for county in counties}
    free = [c for c in range(len(board.counties)) if c not in taken and board.min_players[c] <= players]
    result = {}
    for letter, counties in held.items():
        borders = {f"borders with {other}": _borders(board, counties, theirs)
                   for other, theirs in held.items() if other != letter}  # fmt: skip
        own = _borders(board, counties, counties) // 2  # each is seen from both sides
        pairs = sum(int(board.region[one] == board.region[other]) for one, other in combinations(counties, 2))
        numbers = (int(each[counties].sum()) for each in (board.tax, board.grain, board.sites))
        features = (own, sum(borders.values()), _borders(board, counties, free), pairs, *numbers)
        result[letter] = dict(zip(FEATURES, features, strict=True)) | borders
    return result


def _borders(board: Board, mine: Sequence[int], theirs: Sequence[int]) -> int:
    return sum(int(board.neighbours[one]) >> other & 1 for one in mine for other in theirs)


def worth_of_land(
    experiments: Mapping[Cell, Experiment], games: int, cache: Cache, workers: int
) -> Iterator[tuple[Key, Value]]:
    """What one more of each feature brings a line-up in victory points, in each cell.

    Every exchange of two counties is played on the same numbers, `games` in each arrangement, and the points of the two
    line-ups above their table's mean are regressed on what their counties have, with a level of its own for each
    line-up. A block is a number: the coefficients are linear in its points.
    """
    board, players = load_board(), next(iter(experiments.values())).players
    every, letters = exchanges(board, players, COUNTIES), letters_of(players)
    features, rows = [], []  # of each line-up of each exchange, and which these are
    for at, exchange in enumerate(every):
        edited = exchange.edited(board)
        land = lands(board, players, edited)
        for letter in edited:
            levels = (float(letter == other) for other in letters)
            features.append([*(land[letter][name] for name in FEATURES), *levels])
            rows.append((at, letters.index(letter)))
    project = np.linalg.pinv(np.array(features, float))[: len(FEATURES)]
    for cell, experiment in experiments.items():

        def play(design: Mapping[str, Any], experiment: Experiment = experiment) -> dict[str, np.ndarray]:
            setups = [experiment.changed(**exchange.changes(board)).ruleset() for exchange in every]
            points = _played(experiment, setups, design["games"], workers)
            return {"worth": np.array([points[at][:, place] for at, place in rows]).T @ project.T}

        facts = {"experiment": experiment, "exchanges": [each.exchange for each in every], "games": games}
        worth = cache.get("exchanges of counties", facts, play)["worth"]
        for at, name in enumerate(FEATURES):
            yield Key("worth-of-land", name, players, cell), block_mean(worth[:, at])


def _played(experiment: Experiment, setups: Sequence[Ruleset], games: int, workers: int) -> list[np.ndarray]:
    # Points above the table's mean of each set-up, [numbers, line-ups]; each arrangement has numbers of its own.
    parts = experiment.components()
    play = partial(_points_of_all, parts.arena(experiment.seed), parts.board, games)
    return list(in_parallel(play, [(setup,) for setup in setups], workers))


def _points_of_all(base: Arena, board: Board, games: int, setup: Ruleset) -> np.ndarray:
    size, result = base.seats, []
    for at, (way, arena) in enumerate(zip(ways_of(size), Arenas(base, board, setup), strict=True)):
        vp = Games(at * games, size, arena.play(at * games, games)).seats("vp")
        result.append((vp - vp.mean(axis=1, keepdims=True))[:, [way.index(letter) for letter in letters_of(size)]])
    return np.concatenate(result)


def with_errors(error: float) -> str:
    """The item of the errors of line-up A's player."""
    return f"with errors of {error:g} VP"


def gaps(tables: Mapping[Cell, Experiment], blocks: int, cache: Cache, workers: int) -> Iterator[tuple[Key, Value]]:
    """What line-up A has more than C, by the player of line-up A, and the errors at which both are level, by cell."""
    for cell, experiment in tables.items():
        players, own = experiment.players, experiment.components().policies[0]
        weaker = next(each.policy for each in plays_for(players) if each.name == WEAKER[cell.play])
        each = {with_errors(error): erring(own, error) for error in ERRORS} | {WEAKER_PLAYER: load_policy(weaker)}
        found = {name: gap_of(experiment, player, blocks, cache, workers) for name, player in each.items()}
        for outcome in OUTCOMES:
            for name, gap in found.items():
                yield Key(f"A-less-C-in-{outcome}", name, players, cell), gap[outcome]
            errors = [found[with_errors(error)][outcome] for error in ERRORS]
            yield Key(f"errors-that-level-A-and-C-in-{outcome}", "", players, cell), partial(level_errors, errors)


def erring(policy: Policy, error: float) -> Policy:
    """The policy with independent errors of so many VP on top of its own."""
    return with_noise(policy, hypot(policy.weights["noise"], error)) if error else policy


def gap_of(
    experiment: Experiment, player: Policy, blocks: int, cache: Cache, workers: int | None = None
) -> dict[str, Estimate]:
    """What line-up A, played by `player`, has more than C at the same table, over all arrangements, by outcome.

    Points are VP, wins percentage points; the unit is a game number in all arrangements.
    """

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        parts = []
        for way in ways_of(experiment.players):
            setting = experiment.changed(lineups=way).components()
            better, policies = way.index(BETTER), list(setting.policies)
            policies[better] = player
            arena = replace(setting, policies=tuple(policies)).arena(experiment.seed)
            gap = partial(_gap, better=better, worse=way.index(WORSE))
            parts.append(np.concatenate(in_batches(arena, range(design["blocks"]), gap, workers=workers), axis=1))
        return dict(zip(OUTCOMES, np.mean(parts, axis=0), strict=True))

    design = {"experiment": experiment, "player": player.identity(), "blocks": blocks}
    return {name: block_mean(each) for name, each in cache.get("line-up by a worse player", design, play).items()}


def _gap(games: Games, better: int, worse: int) -> np.ndarray:
    # Points and wins in per cent of one seat less those of another, float64 [2, games].
    values = np.stack([games.seats("vp"), 100 * games.seats("win")])
    return np.asarray(values[..., better] - values[..., worse])


def level_errors(errors: Sequence[Estimate], sure: Confidence) -> Number:
    """The errors in VP that make both line-ups level, by linear interpolation between ERRORS, with their interval.

    The interval has the errors at which it is not known who has more. Where the largest errors are not enough, the
    value is nan; an end that is not reached is nan, too. No interval for fewer blocks than that needs.
    """
    grid = np.arange(0.0, ERRORS[-1] + _STEP / 2, _STEP)
    gaps = [_between(errors, float(each)) for each in grid]
    value = _first(grid, [each.value <= 0 for each in gaps])
    ends = [each.interval(sure) for each in gaps]
    if any(each is None for each in ends):
        return Number(value, None, errors[0].blocks, sure)
    sides = [side_of(each) for each in ends]
    low, high = _first(grid, [side <= 0 for side in sides]), _first(grid, [side < 0 for side in sides])
    return Number(value, (low, high), errors[0].blocks, sure)


def _first(grid: np.ndarray, holds: Sequence[bool]) -> float:
    return float(grid[holds.index(True)]) if True in holds else nan


def _between(errors: Sequence[Estimate], error: float) -> Estimate:
    after = min(int(np.searchsorted(ERRORS, error, side="right")), len(ERRORS) - 1)
    share = (error - ERRORS[after - 1]) / (ERRORS[after] - ERRORS[after - 1])
    return combined((1 - share, share), errors[after - 1 : after + 1])
