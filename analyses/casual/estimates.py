"""Casual play: the games of every policy among copies of itself, and what is measured in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, STRONG_POLICIES, WEAK_POLICY
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.studies.study import Choices, Option, Storage

from .reported import PEOPLE, Measured, measured

EXPERIMENT = Path(__file__).with_name("experiment.toml")
# From casual to strong, with one that bids; the weights of `amateur` and `casual` were set by these figures.
POLICIES = tuple(
    dict.fromkeys(
        (CASUAL_POLICY, "casual", WEAK_POLICY, "balanced-noise-16", "opportunist", MIDDLING_POLICY, STRONG_POLICIES[5])
    )
)
SEATS = len(PEOPLE.points)
NAMES = Option("policies", "", "comma-separated policies, instead of those of the study")


def design(choices: Choices) -> dict[str, Experiment]:
    """The experiment of every policy. InputError for an unknown one."""
    names = [name.strip() for name in choices.option(NAMES).split(",") if name.strip()] or POLICIES
    changes: dict[str, Any] = {"games": choices.games} if choices.games else {}
    return {name: load_experiment(EXPERIMENT, {**changes, "policies": name}) for name in dict.fromkeys(names)}


def identity(planned: dict[str, Experiment]) -> dict[str, Any]:
    """Everything that decides the results, the reports of people too."""
    return {"runs": planned, "people": [PEOPLE.points, PEOPLE.bids, PEOPLE.built]}


def play(planned: dict[str, Experiment], storage: Storage) -> dict[str, Measured]:
    """Play the missing runs and measure every policy."""
    return {name: measured(play_run(each, storage.folder / name)) for name, each in planned.items()}
