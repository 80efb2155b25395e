"""The tables of the study `play`: their players, towers and set-ups."""

from __future__ import annotations

from pathlib import Path

from wallsim.analysis.claims.cells import Cell
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.scope import THREE_TABLES, plays_for

EXPERIMENT = Path(__file__).with_name("experiment.toml")
TABLES = THREE_TABLES
PLAYERS, SIZES = 4, (3, 4, 5)


def experiment_of(players: int, table: Cell) -> Experiment:
    """The experiment of a table: all seats play alike."""
    policy = next(play.policy for play in plays_for(players) if play.name == table.play)
    changes = {"players": players, "policies": policy, "tower": table.tower, "setup": table.setup}
    return load_experiment(EXPERIMENT, changes)
