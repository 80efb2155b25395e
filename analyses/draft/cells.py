"""Where the study `draft` plays: its plays and towers, the games of each kind, and the experiments of its cells."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.cells import CALIBRATIONS, Cell
from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG, Play
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.scenarios import BASE, experiment_of
from wallsim.studies.scope import plays_for
from wallsim.studies.study import Choices

EXPERIMENT = Path(__file__).with_name("experiment.toml")
DEAL, DRAFT = "deal", "draft"
PLAYERS, OTHERS = 4, (3, 5)
SIZES = (PLAYERS, *OTHERS)
LINES = (STRONG, f"second {STRONG}")  # of experienced play
LEAST_GAMES = 288  # dealt; with fewer there are hardly more rows than numbers to estimate
WHOLE, QUICK = (10_000, 5_000, 384_000), (1_500, 400, 4_800)  # drafts, matches and games of pairs
QUICK_DEALS = 4_000
RIVALS = {4: 4_800, 3: 4_800, 5: 1_200}  # draft numbers by number of players, each with all sets of seats


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

    @property
    def names(self) -> list[str]:
        """The names of the plays."""
        return [play.name for play in self.plays]

    @property
    def groups(self) -> dict[str, list[str]]:
        """The plays of each kind of table, by the first of them: casual play alone, and all lines of strong play."""
        groups = [CASUAL], list(LINES)
        there = [[play for play in group if play in self.names] for group in groups]
        return {group[0]: group for group in there if group}

    @property
    def players(self) -> dict[str, list[str]]:
        """The plays of casual and of experienced players; in a quick look without casual play all are one group."""
        if CASUAL not in self.groups:
            return {"players": self.names}
        return {players_of(group): plays for group, plays in self.groups.items()}

    @property
    def rivals(self) -> dict[int, int]:
        """How many draft numbers are played with every set of seats, by number of players; in a quick look of four."""
        return {players: min(self.matches, most) for players, most in RIVALS.items()
                if players == PLAYERS or not self.quick}  # fmt: skip

    @property
    def at_tables(self) -> list[str]:
        """The plays of casual and of experienced players; in a quick look those of them that there are."""
        return [play for group in self.groups.values() for play in group]


def players_of(group: str) -> str:
    """The players of a group, by the first of its plays."""
    return "casual players" if group == CASUAL else "experienced players"


def scope_of(choices: Choices) -> Scope:
    """The cells and their games; the chosen number is that of games dealt in each, and others at most so many.

    InputError for fewer dealt games than the estimates need.
    """
    games, quick = choices.games, choices.quick
    if games is not None and games < LEAST_GAMES:
        raise InputError(f"games: {games} is fewer than the {LEAST_GAMES} that the worth of all counties needs")
    plays = tuple(play for play in plays_for(PLAYERS) if not quick or play.name in (MIDDLING, STRONG))
    dealt = games or (QUICK_DEALS if quick else load_experiment(EXPERIMENT).games)
    drafts, matches, pairs = (min(each, games or each) for each in (QUICK if quick else WHOLE))
    return Scope(plays, CALIBRATIONS[:1] if quick else CALIBRATIONS, dealt, drafts, matches, pairs, quick)


def in_cell(cell: Cell, players: int = PLAYERS) -> Experiment:
    """The experiment of a cell; drafts have another seed than deals, so that no table is tried on its own games."""
    experiment = experiment_of(EXPERIMENT, cell, BASE, players)
    return experiment if cell.setup == DEAL else experiment.changed(seed=experiment.seed + 1)
