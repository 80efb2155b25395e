"""What turning numbers of the game changes: the games of the study `amounts`, and the estimates from them.

Where many numbers are turned at once the design is a scrambled Sobol sequence over the bounds of VARIABLES, rounded to
whole numbers. A Gaussian process (Rasmussen and Williams 2006; scikit-learn's) is fitted to each response, with the
sampling error of each point as known noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.experiment.experiment import Experiment
from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.terms import ROUND_NAMES, ROUNDS, TILES
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies import scenarios
from wallsim.studies.cache import Cache
from wallsim.studies.contrasts import MEAN, MOMENTS
from wallsim.studies.games import Count, Counted, Games, counted_in, played
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD, Change, change, outcomes_of, wins_of
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import BASELINE_SETUP, PLAYERS, Blocks, Scope, in_setup, scope_for
from wallsim.studies.study import Choices, Storage

from ..editions.study import BASES, EXPANDED, SECOND, plays_of
from ..price.study import count as of_treated
from ..tiles.estimates import NONE, always, held_always

EXPERIMENT = Path(__file__).with_name("experiment.toml")
DOUBLED = {  # the gift of each tile, doubled; that of `six_armies` is one army more than without it
    "thaler": {"tile_taxes_thalers": 2}, "grain": {"tile_grain_grain": 2}, "six_armies": {"tile_deploy5_armies": 7},
    "attack": {"tile_attack_armies": 2}, "defence": {"tile_defence_armies": 2},
}  # fmt: skip
DOUBLED_BLOCKS = {False: 1_000, True: 130}  # by whether it is a quick look
STYLES = ("builder", "conqueror", "farmer", "raider")  # of the zoo, one in each seat
JUDGED = (SPREAD, LEADER)  # outcomes that are judged in all cells
LINEUPS = tuple("ABCD")
SHOWN = 16  # numbers in the picture
WIDER = "spread of VP with two points a county"
CLAIMS = (
    Claim("Two points a county in place of one widen the spread of points.", WIDER, 0.0),
    *(Claim(f"With a doubled gift the tile {tile.replace('_', ' ')} is worth more.", f"{tile}, doubled gift", 0.0)
      for tile in TILES),
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
DESIGN, RACE, CONFIRM = range(3)  # stages of the search, each on games of a seed of its own
TILE_UNIT, LINEUP_UNIT = UNITS = 0.05, 4.0  # VP a round, percentage points: these distances from fair count equally
# By whether it is a quick look: the points of the design, and in each stage the blocks of each with tiles, and without.
SIZES = {False: (64, (25, 60, 60), (100, 250, 150)), True: (8, (2, 4, 4), (4, 8, 6))}
_CANDIDATES, _RACED = 40_000, 6
_SEED = 20_267  # of the design and the candidates

_STEPS = {
    "food_track_end": 6, "revolt_markers": 21, "start_thalers_4_players": 3, "first_fill_armies": 3,
    "first_fill_peasants": 5, "palace_tiles": 14, "church_tiles": 13, "trading_post_tiles": 13,
}  # fmt: skip
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
        """What follows the name where the amount is turned with all expansions."""
        return " *" if self.base == EXPANDED else ""

    def experiments(self, cell: Cell) -> list[Experiment]:
        """The experiments at the lower and the higher value in a cell."""
        return [experiment_of(cell, self.base, {self.name: value}) for value in (self.low, self.high)]


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


def settings(scope: Scope) -> Iterator[tuple[Cell, Turned]]:
    """Every amount in every cell whose play its base has."""
    for cell, each in product(scope.cells(), turned(scope)):
        if cell.play in {play.name for play in plays_of(each.base)}:
            yield cell, each


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each setting in the baseline cell."""
    blocks = Blocks(others=50, quick=25, quick_others=20)
    scope = scope_for(EXPERIMENT, blocks, choices.games, choices.quick)
    return scope._replace(settings=in_setup(scope.settings, BASELINE_SETUP))


def experiment_of(cell: Cell, base: str, amounts: Mapping[str, int]) -> Experiment:
    """The experiment of a cell with other numbers."""
    return scenarios.experiment_of(EXPERIMENT, cell, plays=plays_of(base), **BASES[base], amounts=dict(amounts))


def play_games(experiment: Experiment, blocks: int, storage: Storage) -> Counted:
    """The outcomes of whole games, float64 [blocks of four games]; `blocks` have 24."""
    design = {"experiment": experiment, "blocks": blocks}
    return storage.cache.get("games as they are", design, lambda _: _in_fours(experiment, blocks, storage))


def play_tiles(experiment: Experiment, blocks: int, storage: Storage, tiles: Sequence[str] = TILES) -> Counted:
    """What holding each tile in a round brings against none, in victory points, float64 [blocks of four games].

    A seat holds the tile, or none, in every round, and the difference is divided by the rounds.
    """
    held = {name: lines for name, lines in held_always().items() if name in map(always, (*tiles, NONE))}

    def play(_: Any) -> Counted:
        points = {name: _in_fours(experiment.changed(interventions=list(lines)), blocks, storage, of_treated)["vp"]
                  for name, lines in held.items()}  # fmt: skip
        return {tile: (points[always(tile)] - points[always(NONE)]) / ROUNDS for tile in tiles}

    design = {"experiment": experiment, "interventions": held, "blocks": blocks}
    return storage.cache.get("tiles in every round", design, play)


def play_rounds(experiment: Experiment, tile: str, blocks: int, storage: Storage) -> Counted:
    """What a tile in one round brings against none, in victory points under `vp`, float64 [blocks, rounds]."""
    lines = {to: {"do": "tile", "to": to, "seat": "turn", "round": "turn"} for to in (tile, "none")}

    def play(_: Any) -> Counted:
        given, none = (played(experiment.changed(interventions=[line]), blocks, of_treated, workers=storage.workers)
                       for line in lines.values())  # fmt: skip
        return {"vp": given["vp"] - none["vp"]}

    design = {"experiment": experiment, "interventions": lines, "blocks": blocks, "tile": tile}
    return storage.cache.get("a tile in a round", design, play)


def play_styles(experiment: Experiment, blocks: int, storage: Storage) -> Counted:
    """The share of wins of each style at one table, in per cent, in each seat once, float64 [blocks of four games]."""
    seatings = [STYLES[turn:] + STYLES[:turn] for turn in range(len(STYLES))]
    experiments = [experiment.changed(policies=seating) for seating in seatings]

    def play(_: Any) -> Counted:
        every = [_in_fours(each, blocks, storage) for each in experiments]
        return {style: np.mean([counted[wins_of(seating.index(style))] for seating, counted in
                                zip(seatings, every, strict=True)], axis=0) for style in STYLES}  # fmt: skip

    return storage.cache.get("styles", {"experiments": experiments, "blocks": blocks}, play)


def _in_fours(experiment: Experiment, blocks: int, storage: Storage, count: Count = outcomes_of) -> Counted:
    # A block is one game for each treated seat: no round is treated alone, so blocks may be smaller than the default.
    arena = experiment.arena()
    return counted_in(arena, blocks, partial(_means, count=count), False, storage.workers)


def _means(games: Games, count: Count) -> Counted:
    return {name: values.reshape(-1, games.players).mean(axis=1) for name, values in count(games).items()}


def one_at_a_time(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """The changes from the lower to the higher value of each amount by itself, in every cell of its base.

    What tiles and styles gain is measured in the baseline cell alone. The amounts that move the spread or a tile most
    there are those of the picture.
    """
    home, moved = scope.baseline_cell(), dict[str, dict[str, Change]]()

    def changes(play: Callable[..., Counted], cell: Cell, each: Turned) -> dict[str, Change]:
        low, high = (play(end, scope.blocks(cell), storage) for end in each.experiments(cell))
        return {name: change(low[name][:, None], high[name][:, None]) for name in low}

    for cell, each in settings(scope):
        games = changes(play_games, cell, each)
        wins = {letter: games[wins_of(seat)] for seat, letter in enumerate(LINEUPS)}
        found = {"points-by-cell": {POINTS: games[POINTS]}, "by-cell": {name: games[name] for name in JUDGED}}
        if cell.tower == home.tower:
            found["wins-by-play"] = wins
        if cell == home:
            every = {name: games[name] for name in (POINTS, *JUDGED)}
            tiles, styles = (changes(play, cell, each) for play in (play_tiles, play_styles))
            found |= {"change": every, "headline": every, "wins": wins, "tile": tiles, "style": styles}
            moved[each.name] = {SPREAD: games[SPREAD], **tiles}
        for quantity, of in found.items():
            yield from ((Key(quantity, f"{each.name} {what}", PLAYERS, cell), one) for what, one in of.items())
    most = sorted(moved, key=lambda name: max(abs(one.estimate.value) for one in moved[name].values()), reverse=True)
    for name in most[:SHOWN]:
        yield from ((Key("picture", f"{name} {what}", PLAYERS, home), one) for what, one in moved[name].items())


def doubled(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """By tile: how much more it is worth with a doubled gift, in the mean of the rounds and in each round."""
    cell = scope.baseline_cell()
    for tile, amounts in DOUBLED.items():
        printed, more = (play_rounds(experiment_of(cell, SECOND, numbers), tile, DOUBLED_BLOCKS[scope.quick], storage)
                         for numbers in ({}, amounts))  # fmt: skip
        for moment in (MEAN, *ROUND_NAMES):
            each = change(printed["vp"], more["vp"], MOMENTS[moment][1])
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
        moved = base.changed(seed=base.seed + 1 + stage)
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
    experiments = {"/".join((each.name, *cell)): each.experiments(cell) for cell, each in settings(scope)}
    blocks = [scope.baseline, scope.others, DOUBLED_BLOCKS[scope.quick]]
    given = {"styles": STYLES, "doubled": DOUBLED, "held": held_always()}
    return {"turned": {"experiments": experiments, "blocks": blocks, **given}, "surface": VARIABLES,
            "sizes": SIZES[scope.quick], "units": UNITS}  # fmt: skip


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Turn the numbers one by one and together, and double the gifts of tiles."""
    return {key: each for part in (one_at_a_time, doubled, search) for key, each in part(scope, storage)}
