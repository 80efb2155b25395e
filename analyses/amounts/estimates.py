"""What changing numbers of the game changes: the games of the study `amounts`, and the estimates from them.

All numbers are screened together (`screening`); those that move most are then changed alone, on other games. In the
search for fair numbers the design is a scrambled Sobol sequence over the bounds of VARIABLES, rounded to whole numbers.
A Gaussian process (Rasmussen and Williams 2006; scikit-learn's) is fitted to each response, with the sampling error of
each point as known noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.contrasts import MEAN, MOMENTS
from wallsim.studies.games import Counted
from wallsim.studies.outcomes import POINTS, SPREAD, Change, change, wins_of
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import BASELINE_SETUP, PLAYERS, PRINTED_TABLES, Blocks, Scope, in_setup, scope_for
from wallsim.studies.study import Choices, Storage

from ..editions.study import SECOND, plays_of
from ..tiles.estimates import held_always
from .games import (
    EXPERIMENT,
    JUDGED,
    LINEUPS,
    STYLES,
    WINS,
    Turned,
    experiment_of,
    play_games,
    play_rounds,
    play_styles,
    play_tiles,
    seed_of,
    settings,
    turned,
)
from .screening import SHOWN, largest, runs_of, screened

DOUBLED = {  # the gift of each tile, doubled; that of `six_armies` is one army more than without it
    "thaler": {"tile_taxes_thalers": 2}, "grain": {"tile_grain_grain": 2}, "six_armies": {"tile_deploy5_armies": 7},
    "attack": {"tile_attack_armies": 2}, "defence": {"tile_defence_armies": 2},
}  # fmt: skip
DOUBLED_BLOCKS = {False: 400, True: 130}  # by whether it is a quick look
# Blocks at the lower and at the higher value of a number that is changed alone: of games as they are, and of games with
# tiles held or with styles.
ALONE_BLOCKS = {False: (80, 40), True: (12, 6)}
TABLES = (PRINTED_TABLES[1], PRINTED_TABLES[2], PRINTED_TABLES[0])  # the first is the baseline: master bots
WIDER = "spread of VP with two points a county"
CLAIMS = (
    Claim("Two points a county in place of one widen the spread of points.", WIDER, 0.0, check=True),
    *(Claim(f"With a doubled gift the tile {tile.replace('_', ' ')} is worth more.", f"{tile}, doubled gift", 0.0,
            check=True) for tile in TILES),
)  # fmt: skip
# Amounts with the bounds of the design: those that move tiles and line-ups when turned alone. Every tile keeps its
# printed gift at least, since tiles without gifts would be fair, too, and counties, buildings and majorities their
# points.
VARIABLES = {
    "tile_taxes_thalers": (1, 4), "tile_grain_grain": (1, 4), "tile_deploy5_armies": (6, 9),
    "tile_attack_armies": (1, 3), "tile_defence_armies": (1, 3), "trading_post_price": (0, 3), "county_points": (1, 3),
    "palace_points": (1, 3), "palace_majority_points": (1, 5), "church_majority_points": (1, 5),
    "majority_tie_deduction": (0, 3),
}  # fmt: skip
LOW, HIGH = np.array(list(VARIABLES.values())).T
PRINTED_POINT = np.array([PRINTED[name] for name in VARIABLES])
KINDS, RESPONSES = ("printed", "found"), (*TILES, *LINEUPS)
FAIR = 25.0  # % of wins
DESIGN, RACE, CONFIRM, ALONE = range(4)  # stages of the search, and numbers alone, each on games of a seed of its own
TILE_UNIT, LINEUP_UNIT = UNITS = 0.05, 4.0  # VP a round, percentage points: these distances from fair count equally
# By whether it is a quick look: the points of the design, and in each stage the blocks of each with tiles, and without.
SIZES = {False: (64, (10, 24, 24), (40, 100, 60)), True: (8, (2, 4, 4), (4, 8, 6))}
_CANDIDATES, _RACED = 40_000, 6
_SEED = 20_267  # of the design and the candidates


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each screening design at each table."""
    scope = scope_for(EXPERIMENT, Blocks(others=128, quick=24, quick_others=24), choices.games, choices.quick, TABLES)
    return scope._replace(settings=in_setup(scope.settings, BASELINE_SETUP))


def alone(scope: Scope, storage: Storage, names: Sequence[str]) -> Iterator[tuple[Key, Change]]:
    """What changes from the lower to the higher value of each of some numbers, with all others as printed.

    They are played at the tables, on games that chose nothing; what tiles and styles gain, in the baseline cell alone.
    """
    blocks, few = (min(scope.baseline, each) for each in ALONE_BLOCKS[scope.quick])
    for each, cell in product((one for one in turned(scope) if one.name in names), scope.tables):
        if cell.play not in {play.name for play in plays_of(each.base)}:
            continue
        low, high = ends_of(cell, each)

        def changes(play: Callable[..., Counted], blocks: int, ends: tuple[Experiment, Experiment] = (low, high)
                    ) -> dict[str, Change]:  # fmt: skip
            first, second = (play(end, blocks, storage) for end in ends)
            return {name: change(first[name][:, None], second[name][:, None]) for name in first}

        games = changes(play_games, blocks)
        wins = {words: games[wins_of(seat)] for seat, words in enumerate(WINS.values())}
        found = {"alone": {what: games[what] for what in (POINTS, *JUDGED)} | wins}
        if cell == scope.baseline_cell():
            found |= {"alone-tile": changes(play_tiles, few), "alone-style": changes(play_styles, few)}
        for quantity, of in found.items():
            yield from ((Key(quantity, f"{each.name} {what}", PLAYERS, cell), one) for what, one in of.items())


def ends_of(cell: Cell, each: Turned) -> tuple[Experiment, Experiment]:
    """The experiments at the lower and at the higher value of a number alone."""
    low, high = (experiment_of(cell, each.base, {each.name: value}).changed(seed=seed_of(ALONE))
                 for value in (each.low, each.high))  # fmt: skip
    return low, high


def doubled(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """By tile: how much more it is worth with a doubled gift, in the mean of the rounds and in each round."""
    cell, blocks = scope.baseline_cell(), DOUBLED_BLOCKS[scope.quick]
    printed = play_rounds(experiment_of(cell, SECOND, {}), TILES, blocks, storage)
    for tile, amounts in DOUBLED.items():
        more = play_rounds(experiment_of(cell, SECOND, amounts), [tile], blocks, storage)
        for moment in (MEAN, *ROUND_NAMES):
            each = change(printed[tile], more[tile], MOMENTS[moment][1])
            for quantity in ("doubled",) if moment == MEAN else ("doubled", "doubled-rounds"):
                yield Key(quantity, tile, PLAYERS, cell, moment), each


def claim_outcomes(experiment: Experiment, blocks: int, _: object = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS, by playing the games of an experiment with its numbers and with others.

    Without tiles, in the first edition, only that of the spread.
    """
    storage = Storage(Path(), Cache(None), workers=1)

    def turned(play: Callable[..., Counted], *tiles: Sequence[str], **amounts: int) -> Counted:
        return play(experiment.changed(amounts={**experiment.amounts, **amounts}), blocks, storage, *tiles)

    result = {WIDER: block_mean(turned(play_games, county_points=2)[SPREAD] - turned(play_games)[SPREAD])}
    worth = {} if experiment.edition == "1e" else turned(play_tiles)
    for tile, amounts in DOUBLED.items() if worth else ():
        result[f"{tile}, doubled gift"] = block_mean(turned(play_tiles, [tile], **amounts)[tile] - worth[tile])
    return result


def design(points: int) -> np.ndarray:
    """The printed numbers and so many points of the design, int64 [1 + points, variables]."""
    from scipy.stats import qmc  # its import takes a second

    drawn = qmc.Sobol(len(VARIABLES), rng=np.random.default_rng(_SEED)).random(points)  # balanced for powers of 2
    return np.vstack([PRINTED_POINT, _whole_numbers(drawn)])


def _whole_numbers(unit: np.ndarray) -> np.ndarray:
    # Points of the unit cube as amounts; each number is as likely as any other.
    return np.asarray(LOW + np.minimum(np.floor(unit * (HIGH - LOW + 1)), HIGH - LOW), np.int64)


def scaled_points(points: np.ndarray) -> np.ndarray:
    """Points with each variable from -1 to 1."""
    return np.asarray(2 * (points - LOW) / (HIGH - LOW) - 1)


def fit(
    points: np.ndarray, values: np.ndarray, errors: np.ndarray
) -> tuple[Callable[[np.ndarray], np.ndarray], dict[str, float]]:
    """Fit a surface to each response: what it expects at other points, float64 [points, responses], and how well.

    That is by response the share of the variance between points it has not seen that it explains in cross-validation.
    """
    from sklearn.exceptions import ConvergenceWarning  # its import takes seconds
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, WhiteKernel
    from sklearn.model_selection import KFold, cross_val_predict

    # A plane, a smooth deviation from it, and what neither explains.
    flat = ConstantKernel(0.1, (1e-4, 10.0)) * DotProduct(1.0, "fixed")
    bent = ConstantKernel(0.3, (1e-4, 10.0)) * RBF(2.0, (0.7, 20.0))
    kernel = flat + bent + WhiteKernel(0.05, (1e-4, 1.0))
    scaled, fits, explained = scaled_points(points), [], {}
    folds = KFold(min(5, len(points)), shuffle=True, random_state=_SEED)
    with warnings.catch_warnings():
        # A parameter at a bound says that the data need no more of that part of the kernel.
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name, seen, error in zip(RESPONSES, values.T, errors.T, strict=True):
            noise = (error / (float(seen.std()) or 1.0)) ** 2
            unseen = GaussianProcessRegressor(kernel, alpha=float(noise.mean()), normalize_y=True)
            expected = cross_val_predict(unseen, scaled, seen, cv=folds)
            explained[name] = 1 - float(((seen - expected) ** 2).mean() / (seen.var() or 1.0))
            fits.append(GaussianProcessRegressor(kernel, alpha=noise, normalize_y=True).fit(scaled, seen))
    return lambda others: np.column_stack([each.predict(scaled_points(others)) for each in fits]), explained


def unfairness(values: np.ndarray) -> np.ndarray:
    """How far from fair responses are, float64 [points] of [points, responses]: 0 if tiles and line-ups are balanced.

    The mean square of the tiles' distances from their mean, in units of 0.05 VP a round, plus that of the line-ups'
    distances from a quarter of the wins, in units of four percentage points.
    """
    tiles, lineups = values[:, : len(TILES)], values[:, len(TILES) :]
    apart = (tiles - tiles.mean(axis=1, keepdims=True)) / TILE_UNIT
    return np.asarray((apart**2).mean(axis=1) + (((lineups - FAIR) / LINEUP_UNIT) ** 2).mean(axis=1))


def candidates(expected: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The points that a surface takes for fairest, int64 [few, variables], the best first; no two are neighbours."""
    points = np.unique(_whole_numbers(np.random.default_rng(_SEED + 1).random((_CANDIDATES, len(VARIABLES)))), axis=0)
    chosen: list[np.ndarray] = []
    for point in points[np.argsort(unfairness(expected(points)), kind="stable")]:
        if len(chosen) < _RACED and all(np.abs(point - other).sum() > 2 for other in chosen):
            chosen.append(point)
    return np.array(chosen)


def search(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """Fit the surface, race the numbers it takes for fairest, and confirm these and the printed ones in every cell.

    Each stage has games that no stage before it saw.
    """
    home, (size, with_tiles, without) = scope.baseline_cell(), SIZES[scope.quick]

    def fairness(cell: Cell, point: np.ndarray, stage: int) -> dict[str, Estimate]:
        # The responses at a point, on the game numbers of a stage: worths in VP a round and wins in %.
        base = experiment_of(cell, SECOND, dict(zip(VARIABLES, map(int, point), strict=True)))
        moved = base.changed(seed=seed_of(stage))
        tiles, games = play_tiles(moved, with_tiles[stage], storage), play_games(moved, without[stage], storage)
        lineups = {letter: games[wins_of(seat)] for seat, letter in enumerate(LINEUPS)}
        return {name: block_mean(values) for name, values in (tiles | lineups).items()}

    def responses(points: np.ndarray, stage: int) -> list[np.ndarray]:
        result = [fairness(home, point, stage) for point in points]
        return [np.array([[getattr(each[name], what) for name in RESPONSES] for each in result])
                for what in ("value", "error")]  # fmt: skip

    points = design(size)
    expected, explained = fit(points, *responses(points, DESIGN))
    raced = candidates(expected)
    found = raced[int(np.argmin(unfairness(responses(raced, RACE)[0])))]
    yield Key("design-points"), Number(len(points) - 1)
    yield from ((Key("explained", name, PLAYERS, home), Number(share)) for name, share in explained.items())
    yield from ((Key("fairest", name), Number(int(value))) for name, value in zip(VARIABLES, found, strict=True))
    for cell, (kind, point) in product(scope.cells(), zip(KINDS, (PRINTED_POINT, found), strict=True)):
        result = fairness(cell, point, CONFIRM)
        for what, names in (("tile-worth", TILES), ("line-up-wins", LINEUPS)):
            yield from ((Key(what, f"{name} {kind}", PLAYERS, cell), result[name]) for name in names)
            each = [result[name].value for name in names]
            spread = Number(max(each) - min(each))
            yield Key(f"{what.rpartition('-')[0]}-range", kind, PLAYERS, cell), spread


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    cells = {"/".join((numbers[0].base, *cell)): [experiment_of(cell, numbers[0].base, {}), scope.blocks(cell)]
             for cell, numbers in settings(scope)}  # fmt: skip
    screened = {"cells": cells, "tiles": scope.others, "runs": {numbers[0].base: runs_of(numbers)
                for _, numbers in settings(scope)}}  # fmt: skip
    single = {"blocks": ALONE_BLOCKS[scope.quick], "numbers": SHOWN, "seed": seed_of(ALONE)}
    given = {"styles": STYLES, "doubled": DOUBLED, "held": held_always(), "blocks": DOUBLED_BLOCKS[scope.quick]}
    return {"screened": screened, "alone": single, "given": given, "surface": VARIABLES, "sizes": SIZES[scope.quick],
            "units": UNITS}  # fmt: skip


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Screen all numbers, change the largest alone, double the gifts of tiles, and search for fair numbers."""
    effects = dict(screened(scope, storage))
    return {**effects, **dict(alone(scope, storage, largest(effects, scope))), **dict(doubled(scope, storage)),
            **dict(search(scope, storage))}  # fmt: skip
