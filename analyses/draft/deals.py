"""Where the study plays; counties dealt at random, and their worth as picks: least squares on such games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import CASUAL, MIDDLING, STRONG, Cell, Play, levels
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import columns_of
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import COUNTIES
from wallsim.stats.blocks import Estimate
from wallsim.stats.least_squares import Design, Fit, Shrunken, mean_fit, shrunken
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import BASELINE_TOWER, SETTINGS, in_setup, plays_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
DEAL, DRAFT = "deal", "draft"
PLAYERS, OTHERS = 4, (3, 5)
SIZES = (PLAYERS, *OTHERS)
LINES = (STRONG, f"second {STRONG}")  # of experienced play
GROUPS = {CASUAL: "casual bots", STRONG: "strong bots"}  # by the first of their plays
LEAST_GAMES = 288  # dealt; with fewer there are hardly more rows than numbers to estimate
WHOLE, QUICK = (4_000, 1_600, 120_000), (1_500, 400, 4_800)  # drafts, matches and games of pairs
QUICK_DEALS = 4_000
RIVALS = {4: 1_600, 3: 1_600, 5: 480}  # draft numbers by number of players, each with all sets of seats
Keep = Callable[[Tables, int], Mapping[str, np.ndarray]]  # of a part of games and their number, by name
_SEAT, ROW = ({column.name: place for place, column in enumerate(columns_of(table))} for table in ("seats", "counties"))
_BATCH = 1_000  # games; they limit the memory of a worker
NOBODY = -1
OWN_PAIR, BORDER = "pair of own neighbours", "border with another seat"
NEIGHBOURS = (OWN_PAIR, BORDER, "own pair of a region")
INSTEAD, ARMY_IN = "an own neighbour instead of another's", "army in "
# What a regression counts, each with all before it; the last is the one that gives the worths.
STEPS = ("counties", "and their armies", "and own neighbours", "and others' neighbours, regions")


class Scope(NamedTuple):
    """The plays and settings, and the games of each cell: dealt, drafted, and drafted by one seat against the others.

    `pairs` are the games dealt in each play of casual and experienced players that judge pairs of counties.
    """

    plays: tuple[Play, ...]
    settings: tuple[Cell, ...]
    deals: int
    drafts: int
    matches: int
    pairs: int
    quick: bool = False

    def cells(self, setup: str) -> list[Cell]:
        """The settings in a set-up; the plays of one tower, that of the baseline first, stand together."""
        return [*in_setup(self.settings, setup)]

    @property
    def towers(self) -> tuple[str, ...]:
        """The towers, that of the baseline first."""
        return levels("tower", self.settings)

    def home(self, setup: str) -> Cell:
        """Strong play under the default tower."""
        return Cell(STRONG, self.towers[0], setup)

    @property
    def names(self) -> list[str]:
        """The names of the plays."""
        return [play.name for play in self.plays]

    @property
    def groups(self) -> dict[str, list[str]]:
        """The plays of each kind of table, by the first of them: casual play alone, and all lines of strong play."""
        there = [[play for play in group if play in self.names] for group in ([CASUAL], LINES)]
        return {group[0]: group for group in there if group}

    @property
    def players(self) -> dict[str, list[str]]:
        """The plays of casual and of experienced players; in a quick look without casual play all are one group."""
        if CASUAL not in self.groups:
            return {"players": self.names}
        return {GROUPS[group]: plays for group, plays in self.groups.items()}

    @property
    def rivals(self) -> dict[int, int]:
        """How many draft numbers are played with every set of seats, by number of players; in a quick look of four."""
        return {players: min(self.matches, most) for players, most in RIVALS.items()
                if players == PLAYERS or not self.quick}  # fmt: skip

    @property
    def at_tables(self) -> list[str]:
        """The plays of casual and of experienced players; in a quick look those of them that there are."""
        return [play for group in self.groups.values() for play in group]


def scope_of(choices: Choices) -> Scope:
    """The cells and their games; the chosen number is that of games dealt in each, and others at most so many.

    InputError for fewer dealt games than the estimates need.
    """
    games, quick = choices.games, choices.quick
    if games is not None and games < LEAST_GAMES:
        raise InputError(f"games: {games} is fewer than the {LEAST_GAMES} that the worth of all counties needs")
    plays, settings = plays_for(PLAYERS), SETTINGS
    if quick:
        plays = tuple(play for play in plays if play.name in (MIDDLING, STRONG))
        settings = tuple(Cell(play.name, BASELINE_TOWER, DRAFT) for play in plays)
    dealt = games or (QUICK_DEALS if quick else load_experiment(EXPERIMENT).games)
    drafts, matches, pairs = (min(each, games or each) for each in (QUICK if quick else WHOLE))
    return Scope(plays, settings, dealt, drafts, matches, pairs, quick)


def in_cell(cell: Cell, players: int = PLAYERS) -> Experiment:
    """The experiment of a cell; drafts have another seed than deals, so that no table is tried on its own games."""
    experiment = experiment_of(EXPERIMENT, cell, players)
    return experiment if cell.setup == DEAL else experiment.changed(seed=experiment.seed + 1)


def played(arena: Arena, games: int, keep: Keep, workers: int | None, counties: bool = True) -> dict[str, np.ndarray]:
    """What `keep` returns by name of each part of the games from 0 on and their number, one part after the other."""

    def part(first: int, count: int) -> Mapping[str, np.ndarray]:
        return keep(arena.play(first, count, counties=counties), count)

    parts = [(first, min(_BATCH, games - first)) for first in range(0, games, _BATCH)]
    found = list(in_parallel(part, parts, checked_workers(workers)))
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def stored(
    storage: Storage, counted: str, experiment: Experiment, games: int, keep: Keep, counties: bool = True,
    named: str = "experiment",
) -> dict[str, np.ndarray]:  # fmt: skip
    """The same of games from 0 on of an experiment, from the cache, where it is `named` so, or played."""
    arena = experiment.arena()
    facts = {named: experiment, "games": games}
    return storage.cache.get(counted, facts, lambda _: played(arena, games, keep, storage.workers, counties))


def points_of(tables: Tables, players: int) -> np.ndarray:
    """Victory points by game and seat, float64 [games, seats]."""
    return tables.seats[:, _SEAT["vp"]].reshape(-1, players).astype(np.float64)


def wins_of(tables: Tables, players: int) -> np.ndarray:
    """Shares in the win by game and seat, in per cent, float64 [games, seats]."""
    winners = tables.seats[:, _SEAT["win"]].reshape(-1, players).astype(np.float64)
    return np.divide(100.0, winners, out=np.zeros_like(winners), where=winners > 0)


def apart(values: np.ndarray) -> np.ndarray:
    """Values less the mean of their row: what each seat of a game has above its table, float64 [games, seats]."""
    return np.asarray(values - values.mean(axis=1, keepdims=True))


class Ground:
    """What a table plays on: the counties in play, which of them border, and which lie in one region.

    `counties` are the numbers of those in play; `borders` and `regions` are float64 [in play, in play], 1 where two
    different counties border or share a region; `names` are those of the counties.
    """

    def __init__(self, experiment: Experiment) -> None:
        """The ground of an experiment's board, number of players and counties out of play."""
        parts = experiment.components()
        rules = pack_rules(parts.board, parts.ruleset, parts.tower)[0]
        self.board, self.players = parts.board, int(rules.players)
        self.counties = np.array([place for place in range(COUNTIES) if int(rules.in_play) >> place & 1])
        self.names = [parts.board.counties[place] for place in self.counties]
        self.groups = int(rules.groups)
        self.mean_group = float(rules.group[: self.groups].mean())
        masks = [int(rules.neighbours[place]) for place in self.counties]
        self.borders = np.array([[mask >> int(place) & 1 for place in self.counties] for mask in masks], np.float64)
        region = parts.board.region[self.counties]
        self.regions = (region[:, None] == region) - np.eye(len(region))

    @cached_property
    def expected(self) -> np.ndarray:
        """How many of NEIGHBOURS a county brings in a deal beyond what any other brings, float64 [3, in play].

        This is the part of each of these counts that is linear in who holds which county.
        """
        others = len(self.counties) - 2
        own = (self.groups - 1) / others
        foreign = self.groups * (self.players - 2) / others
        borders, regions = self.borders.sum(axis=1), self.regions.sum(axis=1)
        return np.array([borders * own, borders * foreign, regions * own])


def ground_of(scope: Scope, players: int = PLAYERS) -> Ground:
    """What is played on."""
    return Ground(in_cell(scope.home(DEAL), players))


class Deals(NamedTuple):
    """The start of games: the seat that holds each county, NOBODY if none, and its armies; int8 [games, counties]."""

    owner: np.ndarray
    armies: np.ndarray


def deals_of(experiment: Experiment, games: int, storage: Storage) -> Deals:
    """The counties and armies dealt in games from 0 on of an experiment.

    They follow from its seed alone, so the policy `random`, which thinks least, plays in place of its own.
    """
    dealt = experiment.changed(policies=("random",) * experiment.players, setup="deal", lineups=())
    return Deals(**stored(storage, "deals", dealt, games, lambda *rows: started(*rows)._asdict(), named="deals"))


def started(tables: Tables, games: int) -> Deals:
    """Owner and armies of every county at the start of games."""
    rows = tables.counties
    owner, armies = np.full((games, COUNTIES), NOBODY, np.int8), np.zeros((games, COUNTIES), np.int8)
    held = rows[rows[:, ROW["pick"]] > 0]
    where = held[:, ROW["game"]], held[:, ROW["county"]]
    owner[where], armies[where] = held[:, ROW["seat"]], held[:, ROW["armies_dealt"]]
    return Deals(owner, armies)


def played_points(experiment: Experiment, games: int, storage: Storage) -> np.ndarray:
    """Victory points of games from 0 on of an experiment, float64 [games, seats]."""

    def keep(tables: Tables, _: int) -> dict[str, np.ndarray]:
        return {"points": points_of(tables, experiment.players).astype(np.int16)}

    return stored(storage, "points", experiment, games, keep, counties=False)["points"].astype(np.float64)


def regressors(deals: Deals, ground: Ground) -> np.ndarray:
    """What a seat holds at the start, float64 [games, seats, 2 × in play + 3].

    Whether it holds each county in play; how many armies more than the mean group stand there; and the counts of
    NEIGHBOURS beyond those that these counties bring on average. So the coefficient of a county is its worth with
    neighbours as a deal brings them.
    """
    owner, armies = deals.owner[:, ground.counties], deals.armies[:, ground.counties]
    games, count = owner.shape
    result = np.empty((games, ground.players, 2 * count + len(NEIGHBOURS)))
    dealt = (owner != NOBODY).astype(np.float64)
    for seat in range(ground.players):
        own = (owner == seat).astype(np.float64)
        result[:, seat, :count] = own
        result[:, seat, count : 2 * count] = own * (armies - ground.mean_group)
        around = own @ ground.borders
        pairs, of_region = (around * own).sum(axis=1) / 2, ((own @ ground.regions) * own).sum(axis=1) / 2
        counts = np.stack([pairs, (around * (dealt - own)).sum(axis=1), of_region])
        result[:, seat, 2 * count :] = (counts - ground.expected @ own.T).T
    return result


class PickTable(NamedTuple):
    """The numbers that a drafter goes by: shrunken worths by county, and what each of NEIGHBOURS is worth."""

    counties: Mapping[str, float]
    neighbours: Mapping[str, float]


@dataclass(frozen=True)
class Worths:
    """The fits of all regressors by cell, each relative to the table's mean, with games as blocks.

    `points` are the victory points of every cell, float64 [games, seats].
    """

    ground: Ground
    deals: Deals
    points: dict[Cell, np.ndarray]
    fits: dict[Cell, Fit]

    @property
    def count(self) -> int:
        """How many counties are in play."""
        return len(self.ground.counties)

    def mean(self, play: str = "", tower: str = "") -> Fit:
        """The mean over the cells of a play, of a tower, or of all, which play the same deals, each with one weight."""
        return mean_fit([fit for cell, fit in self.fits.items()
                         if play in ("", cell.play) and tower in ("", cell.tower)])  # fmt: skip

    def named(self, fit: Fit) -> dict[str, Estimate]:
        """By name the worth of each county, VP of its owner above the table's mean, and of one of NEIGHBOURS more.

        After ARMY_IN it is that of an army more in a county than in the mean.
        """
        names = self.ground.names
        found = dict(zip((*names, *map(ARMY_IN.__add__, names), *NEIGHBOURS), fit.estimates, strict=True))
        return {**found, INSTEAD: found[OWN_PAIR] - found[BORDER]}

    def region(self, fit: Fit, number: int, armies: bool = False) -> Estimate:
        """The mean worth of a region's counties in play, or of an army more in them."""
        board, shift = self.ground.board, self.count if armies else 0
        weights = np.zeros(len(fit.values))
        weights[shift : shift + self.count] = board.region[self.ground.counties] == number
        return fit.of(weights / weights.sum())

    def shrunk(self, fit: Fit, facts: Sequence[str] | None = None) -> Shrunken:
        """The worths shrunken towards what the printed numbers say; `facts` are some of `printed`, by default all."""
        kept, known = slice(0, self.count), printed(self.ground)
        chosen = [each for name, values in known.items() if facts is None or name in facts for each in values]
        return shrunken(fit.values[kept], fit.covariance(kept), np.array(chosen, np.float64).T)

    def table(self, fit: Fit) -> PickTable:
        """What a drafter needs of a fit, of all regressors or of those of an earlier one of STEPS."""
        counts = [*map(float, fit.values[2 * self.count :]), 0.0, 0.0, 0.0]
        worths = zip(self.ground.names, map(float, self.shrunk(fit).values), strict=True)
        return PickTable(dict(worths), dict(zip(NEIGHBOURS, counts, strict=False)))


def printed(ground: Ground) -> dict[str, list[np.ndarray]]:
    """What the board says about each county in play, each [in play]; regions as truth values for all but one."""
    board, there = ground.board, ground.counties
    return {
        "tax": [board.tax[there]], "grain": [board.grain[there]], "sites": [board.sites[there]],
        "number of neighbours": [ground.borders.sum(axis=1)],
        "region": [board.region[there] == number for number in range(1, len(board.regions))],
    }  # fmt: skip


def worths(scope: Scope, players: int, storage: Storage) -> Worths:
    """Play dealt games and estimate; with other than four players only under the first tower."""
    cells = [cell for cell in scope.cells(DEAL) if players == PLAYERS or cell.tower == scope.towers[0]]
    experiments = {cell: in_cell(cell, players) for cell in cells}
    deals = deals_of(experiments[cells[0]], scope.deals, storage)
    points = {cell: played_points(each, scope.deals, storage) for cell, each in experiments.items()}
    return estimated(Ground(experiments[cells[0]]), deals, points)


def estimated(ground: Ground, deals: Deals, points: Mapping[Cell, np.ndarray]) -> Worths:
    """The worths by the points of dealt games, float64 [games, seats] by cell."""
    design = Design(regressors(deals, ground))
    return Worths(ground, deals, dict(points), {cell: design.fit(each) for cell, each in points.items()})


def steps(result: Worths, points: Mapping[str, np.ndarray]) -> dict[str, dict[str, Fit]]:
    """The fits of each of STEPS to each of some outcomes."""
    known, count = regressors(result.deals, result.ground), result.count
    last = (count, 2 * count, 2 * count + 1, known.shape[2])
    designs = {step: Design(known[:, :, :end]) for step, end in zip(STEPS, last, strict=True)}
    return {step: {name: design.fit(each) for name, each in points.items()} for step, design in designs.items()}
