"""What stands above and under the tables of studies of effects: how much was played, level, baseline, pairing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Protocol

from wallsim.analysis.claims.plays import plays_in_words
from wallsim.analysis.claims.robustness import Robustness
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number
from wallsim.runs.experiment import Experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.games import block_size
from wallsim.studies.scope import Scope


class Paired(Protocol):
    """What says how much of the variance pairing by block saved: a change, or a figure of one."""

    @property
    def gain(self) -> float:
        """The share of the variance; nan where nothing varies."""
        ...


def scope_words(scope: Scope, experiment: Experiment, scenarios: int) -> str:
    """What was played: blocks, scenarios, cells, seed, engine version."""
    cells, size = scope.cells(), block_size(experiment.players)
    quick = "A quick look, in few cells and games: no claim is judged as the study does. " if scope.quick else ""
    others = f", {scope.others:,} in the {len(cells) - 1} other cells" if len(cells) > 1 else ""
    return (
        f"{quick}{scope.baseline * size:,} games of each of {scenarios} scenarios in the baseline cell: "
        f"{scope.baseline:,} blocks of {size}{others}; {experiment.players} players, games from 0 on of seed "
        f"{experiment.seed}, engine version {ENGINE_VERSION}. The baseline is strong play, tower "
        f"{experiment.tower}, with line-ups. Plays: {plays_in_words(scope.plays)}; towers: {', '.join(scope.towers)}; "
        f"set-ups: {', '.join(scope.setups)}."
    )


def under(scope: Scope, confidence: Confidence, changes: Iterable[Paired]) -> str:
    """The line under a table of the baseline cell: blocks, level, baseline, and what pairing saved of the variance."""
    gains = [each.gain for each in changes if not isnan(each.gain)]
    paired = (
        f" Pairing saves {number(100 * min(gains), 0)} to {number(100 * max(gains), 0)} % of the variance."
        if gains
        else ""
    )
    few = ""
    if scope.baseline < confidence.min_blocks:
        few = f" {confidence.too_few(scope.baseline, 'blocks')}"
    return (
        f"{scope.baseline:,} blocks of the baseline cell; the ± are half-widths of {confidence.n_comparisons:,} "
        f"simultaneous {LEVEL:.0%} intervals.{paired}{few}"
    )


def table_of(
    scope: Scope,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    confidence: Confidence,
    used: Iterable[Paired] = (),
) -> str:
    """A table of the baseline cell with the line under it; `used` are the changes whose pairing the line tells."""
    return markdown_table(heads, rows) + "\n\n" + under(scope, confidence, used)


def robust_words(result: Robustness) -> str:
    """Which claims are robust, in a sentence."""
    robust = [verdict.claim.words.rstrip(".") for verdict in result.verdicts if verdict.robust]
    return f"Robust are {len(robust)} of {len(result.verdicts)} claims: {'; '.join(robust) or 'none'}."


def limits(confidence: Confidence, blocks: int, cells: int) -> str:
    """The line under a table of claims."""
    few = f" {confidence.too_few(blocks, 'blocks')}" if blocks < confidence.min_blocks else ""
    return (
        f"Judged in {cells} cells of at least {blocks:,} blocks by {confidence.n_comparisons:,} simultaneous "
        f"{LEVEL:.0%} intervals; a claim is robust only if it holds in all.{few}"
    )
