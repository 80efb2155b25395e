"""Line-ups of an experiment that have another number of counties or armies than the printed ones."""

from __future__ import annotations

from wallsim.rules.setup_edits import size_differences
from wallsim.runs.experiment import Experiment
from wallsim.runs.setup_keys import board_of


def size_warnings(experiment: Experiment) -> list[str]:
    """The line-ups of an experiment that are not of the printed size, one line each."""
    if experiment.setup != "lineup" or not (experiment.lineup or experiment.without):
        return []  # without reading the board
    board = board_of({"board": experiment.board})
    return [
        f"lineup.{letter}: {difference}" for letter, difference in size_differences(board, experiment.ruleset()).items()
    ]
