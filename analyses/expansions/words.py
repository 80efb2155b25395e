"""What stands under the tables of the study `expansions`: play, tower, seed, blocks, intervals, assumed data."""

from __future__ import annotations

from wallsim.report.tables.estimates import in_words
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.scope import Scope

from .effects import EXPERIMENT, strong_play

ASSUMED = "With the court, and in effects, this rests on the assumed figures of the favors."


def under(scope: Scope, sure: Confidence, blocks: int, at_least: str = "", more: str = "") -> str:
    """The line under a table of the baseline cell."""
    cell = scope.baseline_cell()
    short = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"`{strong_play().policy}` where no other play is named, tower {cell.tower}, line-ups, seeds made of "
        f"{seed_of_study()}; {at_least}{blocks:,} blocks{more}; the ± are half-widths of {sure.n_comparisons:,} "
        f"simultaneous {LEVEL:.0%} intervals.{short} {ASSUMED}"
    )


def seed_of_study() -> int:
    """The seed of the study's experiment."""
    return load_experiment(EXPERIMENT).seed


def as_text(each: Measured, sure: Confidence, decimals: int, sign: str = "+") -> str:
    """An estimate with its half-width."""
    return in_words(each.value, each.interval(sure), decimals, sign)
