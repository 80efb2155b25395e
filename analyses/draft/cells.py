"""Where the study `draft` plays: its plays and towers, the games of each kind, and the experiments of its cells."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.cells import CALIBRATIONS, Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG, Play
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.figure import Figure
from wallsim.studies.scenarios import BASE, experiment_of
from wallsim.studies.scope import plays_for
from wallsim.studies.study import Choices

from ..price.prices import price_of, read_prices

EXPERIMENT = Path(__file__).with_name("experiment.toml")
DEAL, DRAFT = "deal", "draft"
PLAYERS, OTHERS = 4, (3, 5)
LINES = (STRONG, f"second {STRONG}")  # of experienced play
LEAST_GAMES = 288  # dealt; with fewer there are hardly more rows than numbers to estimate
DRAFTS, MATCHES, PAIRED = 10_000, 5_000, 384_000
QUICK_DEALS, QUICK_DRAFTS, QUICK_MATCHES, QUICK_PAIRED = 4_000, 1_500, 400, 4_800


class Scope(NamedTuple):
    """The plays and towers, and the games of each cell: dealt, drafted, and drafted by one seat against the others.

    `pairs` are the games dealt in each play of casual and experienced players that judge pairs of counties.
    """

    plays: tuple[Play, ...]
    towers: tuple[str, ...]
    deals: int
    drafts: int
    matches: int
    pairs: int
    quick: bool = False

    def cells(self, setup: str) -> list[Cell]:
        """Every play with every tower; the plays of one tower, that of the baseline first, stand together."""
        return [Cell(play.name, tower, setup) for tower in self.towers for play in self.plays]

    def home(self, setup: str) -> Cell:
        """Strong play under the default tower."""
        return Cell(STRONG, self.towers[0], setup)


def scope_of(choices: Choices) -> Scope:
    """The cells and their games; the chosen number is that of games dealt in each, and others at most so many.

    InputError for fewer dealt games than the estimates need.
    """
    games, quick = choices.games, choices.quick
    if games is not None and games < LEAST_GAMES:
        raise InputError(f"games: {games} is fewer than the {LEAST_GAMES} that the worth of all counties needs")
    plays = plays_for(PLAYERS)
    towers: tuple[str, ...] = CALIBRATIONS
    dealt, drafted, matched, paired = load_experiment(EXPERIMENT).games, DRAFTS, MATCHES, PAIRED
    if quick:
        plays, towers = tuple(play for play in plays if play.name in (MIDDLING, STRONG)), CALIBRATIONS[:1]
        dealt, drafted, matched, paired = QUICK_DEALS, QUICK_DRAFTS, QUICK_MATCHES, QUICK_PAIRED
    if games is not None:
        dealt, drafted, matched, paired = games, min(drafted, games), min(matched, games), min(paired, games)
    return Scope(plays, towers, dealt, drafted, matched, paired, quick)


def in_cell(cell: Cell, players: int = PLAYERS) -> Experiment:
    """The experiment of a cell; drafts have another seed than deals, so that no table is tried on its own games."""
    experiment = experiment_of(EXPERIMENT, cell, BASE, players)
    return experiment if cell.setup == DEAL else experiment.changed(seed=experiment.seed + 1)


def prices_for(scope: Scope) -> dict[Cell, Figure]:
    """The published price of a Thaler in every play with line-ups. InputError if one is missing."""
    prices = read_prices()
    cells = [Cell(play.name, scope.towers[0], "draft") for play in scope.plays]
    return {cell: price_of(prices, PLAYERS, cell) for cell in cells}
