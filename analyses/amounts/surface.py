"""Many amounts at once: a space-filling design, a fitted surface, and numbers under which line-ups and tiles are fair.

The design is a scrambled Sobol sequence over the bounds of VARIABLES, rounded to whole numbers. A Gaussian process
(Rasmussen and Williams 2006; scikit-learn's) is fitted to each response, with the sampling error of each point as
known noise. Candidates that it takes for fair are raced on other game numbers; the best is confirmed on yet others.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import TILES
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.cache import Cache
from wallsim.studies.outcomes import wins_of
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import Scope

from ..editions.estimates import SECOND
from .estimates import LINEUPS, PLAYERS, experiment_of, play_games, play_tiles

if TYPE_CHECKING:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel

# Amounts with the bounds of the design: those that move tiles and line-ups when turned alone. Every tile keeps its
# printed gift at least, since tiles without gifts would be fair, too, and counties, buildings and majorities their
# points.
VARIABLES = {
    "tile_taxes_thalers": (1, 4), "tile_grain_grain": (1, 4), "tile_deploy5_armies": (6, 9),
    "tile_attack_armies": (1, 3), "tile_defence_armies": (1, 3), "trading_post_price": (0, 3), "county_points": (1, 3),
    "palace_points": (1, 3), "palace_majority_points": (1, 5), "church_majority_points": (1, 5),
    "majority_tie_deduction": (0, 3),
}  # fmt: skip
KINDS = ("printed", "found")
RESPONSES = (*TILES, *LINEUPS)
FAIR = 25.0  # % of wins
SEEDS = {"design": 0, "race": 1, "confirm": 2}  # added to the seed of the study
TILE_UNIT, LINEUP_UNIT = UNITS = 0.05, 4.0  # VP a round, percentage points: these distances from fair count equally
_CANDIDATES, _RACED = 40_000, 6
_SEED = 20_267  # of the design and the candidates


class Sizes(NamedTuple):
    """How many points the design has, and the blocks of each with tiles and without, in design, race and confirming."""

    points: int
    tiles: tuple[int, int, int]
    games: tuple[int, int, int]


SIZES = Sizes(64, (25, 60, 60), (100, 250, 150))
QUICK = Sizes(8, (2, 4, 4), (4, 8, 6))


class Surface(NamedTuple):
    """The fits of responses, and the share of the variance between points that cross-validation explains, by name."""

    fits: dict[str, GaussianProcessRegressor]
    explained: dict[str, float]

    def predict(self, points: np.ndarray) -> np.ndarray:
        """The responses that the fits expect at other points, float64 [points, responses]."""
        scaled = scaled_points(points)
        return np.column_stack([self.fits[name].predict(scaled) for name in RESPONSES])


def sizes_of(scope: Scope) -> Sizes:
    """The sizes of the full study or of a quick look."""
    return QUICK if scope.quick else SIZES


def design(points: int) -> np.ndarray:
    """The printed numbers and so many points of the design, int64 [1 + points, variables]."""
    from scipy.stats import qmc  # its import takes a second

    drawn = qmc.Sobol(len(VARIABLES), rng=np.random.default_rng(_SEED)).random(points)  # balanced for powers of 2
    return np.vstack([printed_point(), whole_numbers(drawn)])


def whole_numbers(unit: np.ndarray) -> np.ndarray:
    """Points of the unit cube, float64 [points, variables], as amounts; each number is as likely as any other."""
    low, high = np.array(list(VARIABLES.values())).T
    return np.asarray(low + np.minimum(np.floor(unit * (high - low + 1)), high - low), np.int64)


def printed_point() -> np.ndarray:
    """The printed numbers, int64 [variables]."""
    return np.array([PRINTED[name] for name in VARIABLES])


def amounts_of(point: Sequence[int] | np.ndarray) -> dict[str, int]:
    """A point as amounts by name."""
    return {name: int(value) for name, value in zip(VARIABLES, point, strict=True)}


def scaled_points(points: np.ndarray) -> np.ndarray:
    """Points with each variable from -1 to 1."""
    low, high = np.array(list(VARIABLES.values()), np.float64).T
    return np.asarray(2 * (points - low) / (high - low) - 1)


def fairness(
    cell: Cell, point: np.ndarray, stage: str, sizes: Sizes, cache: Cache, workers: int | None = None
) -> dict[str, Estimate]:
    """Play a point in a cell, on the game numbers of a stage: its responses, worths in VP a round and wins in %."""
    at = SEEDS[stage]
    base = experiment_of(cell, SECOND, amounts_of(point))
    experiment = base.changed(seed=base.seed + 1 + at)
    tiles = play_tiles(experiment, sizes.tiles[at], cache, workers)
    games = play_games(experiment, sizes.games[at], cache, workers)
    lineups = {letter: block_mean(games[wins_of(seat)]) for seat, letter in enumerate(LINEUPS)}
    return {tile: block_mean(values) for tile, values in tiles.items()} | lineups


def fit(points: np.ndarray, values: np.ndarray, errors: np.ndarray) -> Surface:
    """Fit a surface to each response, and say how well it predicts points that it has not seen."""
    from sklearn.exceptions import ConvergenceWarning  # its import takes seconds
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.model_selection import KFold, cross_val_predict

    scaled, fits, explained = scaled_points(points), {}, {}
    folds = KFold(min(5, len(points)), shuffle=True, random_state=_SEED)
    with warnings.catch_warnings():
        # A parameter at a bound says that the data need no more of that part of the kernel.
        warnings.simplefilter("ignore", ConvergenceWarning)
        for place, name in enumerate(RESPONSES):
            seen = values[:, place]
            noise = (errors[:, place] / (float(seen.std()) or 1.0)) ** 2
            unseen = GaussianProcessRegressor(_kernel(), alpha=float(noise.mean()), normalize_y=True)
            expected = cross_val_predict(unseen, scaled, seen, cv=folds)
            explained[name] = 1 - float(((seen - expected) ** 2).mean() / (seen.var() or 1.0))
            fits[name] = GaussianProcessRegressor(_kernel(), alpha=noise, normalize_y=True).fit(scaled, seen)
    return Surface(fits, explained)


def _kernel() -> ConstantKernel:
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, WhiteKernel

    # A plane, a smooth deviation from it, and what neither explains.
    flat = ConstantKernel(0.1, (1e-4, 10.0)) * DotProduct(1.0, "fixed")
    bent = ConstantKernel(0.3, (1e-4, 10.0)) * RBF(2.0, (0.7, 20.0))
    return flat + bent + WhiteKernel(0.05, (1e-4, 1.0))


def unfairness(values: np.ndarray) -> np.ndarray:
    """How far from fair responses are, float64 [points] of [points, responses]: 0 if tiles and line-ups are balanced.

    The mean square of the tiles' distances from their mean, in units of 0.05 VP a round, plus that of the line-ups'
    distances from a quarter of the wins, in units of four percentage points.
    """
    tiles, lineups = values[:, : len(TILES)], values[:, len(TILES) :]
    apart = (tiles - tiles.mean(axis=1, keepdims=True)) / TILE_UNIT
    return np.asarray((apart**2).mean(axis=1) + (((lineups - FAIR) / LINEUP_UNIT) ** 2).mean(axis=1))


def candidates(fitted: Surface) -> np.ndarray:
    """The points that the surface takes for fairest, int64 [few, variables], the best first; no two are neighbours."""
    unit = np.random.default_rng(_SEED + 1).random((_CANDIDATES, len(VARIABLES)))
    points = np.unique(whole_numbers(unit), axis=0)
    order = np.argsort(unfairness(fitted.predict(points)), kind="stable")
    chosen: list[np.ndarray] = []
    for point in points[order]:
        if all(np.abs(point - other).sum() > 2 for other in chosen):
            chosen.append(point)
        if len(chosen) == _RACED:
            break
    return np.array(chosen)


def search(scope: Scope, cache: Cache, workers: int | None = None) -> dict[Key, Value]:
    """Fit the surface, race the numbers it takes for fairest, and confirm these and the printed ones in every cell.

    Each stage has games that no stage before it saw.
    """

    def responses(points: np.ndarray, stage: str) -> tuple[np.ndarray, np.ndarray]:
        result = [fairness(home, point, stage, sizes, cache, workers) for point in points]
        values, errors = (np.array([[getattr(each[name], what) for name in RESPONSES] for each in result])
                          for what in ("value", "error"))  # fmt: skip
        return values, errors

    home, sizes, values = scope.baseline_cell(), sizes_of(scope), dict[Key, Value]()
    points = design(sizes.points)
    fitted = fit(points, *responses(points, "design"))
    raced = candidates(fitted)
    found = raced[int(np.argmin(unfairness(responses(raced, "race")[0])))]
    values[Key("design-points")] = Number(len(points) - 1)
    values |= {Key("explained", name, PLAYERS, home): Number(fitted.explained[name]) for name in RESPONSES}
    values |= {Key("fairest", name): Number(value) for name, value in amounts_of(found).items()}
    for cell, (kind, point) in product(scope.cells(), zip(KINDS, (printed_point(), found), strict=True)):
        result = fairness(cell, point, "confirm", sizes, cache, workers)
        for quantity, spread, names in (
            ("tile-worth", "tile-range", TILES),
            ("line-up-wins", "line-up-range", LINEUPS),
        ):
            values |= {Key(quantity, f"{name} {kind}", PLAYERS, cell): result[name] for name in names}
            each = [result[name].value for name in names]
            values[Key(spread, kind, PLAYERS, cell)] = Number(max(each) - min(each))
    return values
