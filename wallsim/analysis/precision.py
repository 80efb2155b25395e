"""How precisely a number is to be known, as in `vp ±0.1` and `win ±0.2pp`, and whether it is.

Adding games until an interval is short enough takes many interim analyses. The intervals are therefore those of a
confidence sequence, which hold at all interim analyses at once. They are judged in a headline table: seats of a run,
contrasts of scenarios with the first, or policies of a tournament.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log

import numpy as np
import polars as pl

from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.contrast import EACH, TREATED
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.contrasts.seat_tables import seat_table
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.tournament import TournamentRun
from wallsim.play.extending import Look
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.stats.confidence_sequence import ConfidenceSequence
from wallsim.stats.intervals import LEVEL, NO_ERROR, Confidence, Interval
from wallsim.stats.ratios import Moments

WIN, POINTS = "win", "vp"
# Blocks at which a sequence is narrowest. It is fixed beforehand, as it must be; far beyond it an interval grows by a
# fifth, far before it by much more.
PLANNED = 1000
ALLOWED = '"vp ±0.1" (victory points) or "win ±0.2pp" (percentage points), with a number above 0; +- may stand for ±'
_FORM = re.compile(r"\s*(vp|win)\s*(?:±|\+-|\+/-)\s*([0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*(pp)?\s*")
_POINT = 0.01  # of a share
_LARGEST = {WIN: 1.0, POINTS: 100.0}  # no change of a seat is larger in any game


@dataclass(frozen=True)
class Precision:
    """The largest half-width of the interval of a column, as a share of wins or in victory points."""

    column: str
    half_width: float

    def in_words(self, half_width: float) -> str:
        """A half-width in the unit of the command line."""
        if half_width == inf:
            return "not yet known"
        return f"{half_width / _POINT:.4g} pp" if self.column == WIN else f"{half_width:.4g} VP"


def parse_precision(text: str) -> Precision:
    """The precision that a text asks for; InputError with what is allowed."""
    result = _FORM.fullmatch(text)
    if result is None or (result[1] == WIN) != (result[3] is not None) or not float(result[2]) > 0:
        shown = text if len(text) <= 100 else f"{text[:97]}..."
        raise InputError(f'until: "{shown}" is not a precision; allowed are {ALLOWED}')
    return Precision(result[1], float(result[2]) * (_POINT if result[1] == WIN else 1.0))


@dataclass(frozen=True)
class Row:
    """A row of the headline table: of which scenario or policy (empty for an experiment alone), whose, how much."""

    name: str
    who: str
    estimate: Estimate | Moments


@dataclass(frozen=True)
class Headline:
    """The rows whose widest interval is judged; all intervals hold simultaneously and at every look."""

    precision: Precision
    rows: tuple[Row, ...]
    level: float = LEVEL

    @property
    def blocks(self) -> int:
        """The number of blocks, game numbers or blocks of a tournament, of every row."""
        return self.rows[0].estimate.blocks

    def half_width(self, row: Row) -> float:
        """Half the width of a row's interval; infinite with too few blocks."""
        confidence = Confidence(self.level, len(self.rows))
        estimate = row.estimate
        if estimate.blocks < confidence.min_blocks:
            return inf
        varies = estimate.error > NO_ERROR
        half = ConfidenceSequence(confidence, PLANNED).errors(estimate.blocks) * estimate.error if varies else 0.0
        if self.precision.column == WIN or not varies:
            # After n equal blocks, more than log(1 / alpha) / n of all differ with probability alpha at
            # most, and so at some n. It also holds back wins, of which few differ and whose variance is then unknown.
            half = max(half, _LARGEST[self.precision.column] * -log(confidence.alpha) / estimate.blocks)
        return half

    def interval(self, row: Row) -> Interval | None:
        """The interval of a row; None with too few blocks."""
        half = self.half_width(row)
        return None if half == inf else (row.estimate.value - half, row.estimate.value + half)

    @property
    def widest(self) -> float:
        """The half-width of the widest interval."""
        return max(map(self.half_width, self.rows))

    @property
    def reached(self) -> bool:
        """Whether the widest interval is as short as was asked for."""
        return self.widest <= self.precision.half_width

    def look(self) -> Look:
        """What the rows say about the number of games; half-widths shrink by the root of it."""
        needed = self.blocks * (self.widest / self.precision.half_width) ** 2
        widest, wanted = (self.precision.in_words(half) for half in (self.widest, self.precision.half_width))
        return Look(self.reached, needed, f"the widest interval is ±{widest}, wanted is ±{wanted}")


_SAME = ("seed", "players", "games")


def headline_of_run(run: Run, precision: Precision) -> Headline:
    """The share of wins or the mean victory points of every seat, from the games as blocks."""
    games = np.arange(run.manifest["games"])
    values = seat_table(run, games, (precision.column,)).values(precision.column)
    letters = run.identity["lineups"]
    names = [f"line-up {letters[seat]}" if letters[seat] else f"seat {seat}" for seat in range(values.shape[1])]
    rows = [Row("", name, block_mean(values[:, seat])) for seat, name in enumerate(names)]
    return Headline(precision, tuple(rows))


def headline_of_scenarios(scenarios: Scenarios, precision: Precision) -> Headline:
    """The paired change of every scenario from the first one, of the treated seat, or of every seat without one.

    The treated seat is that of the interventions that only one of the two scenarios has, if they name a single one.
    """
    first, *others = scenarios.runs
    rows = []
    for name in others:
        pairing = paired_runs(scenarios.runs[first], scenarios.runs[name])
        result = compare(pairing, treated_seat(*pairing.runs), columns=(precision.column,))
        rows += [
            Row(name, each.group or each.who, each.change) for each in result.contrasts if each.who in (TREATED, EACH)
        ]
    return Headline(precision, tuple(rows))


def headline_of_tournament(run: TournamentRun, precision: Precision) -> Headline:
    """The share of wins of every policy per seat that it had, or its mean victory points, from blocks."""
    value = pl.col(precision.column).cast(pl.Float64)
    sums = (
        run.scan()
        .with_columns(policy=pl.col("policy").cast(pl.String))
        .group_by("block", "policy")
        .agg(total=value.sum(), cases=pl.len())
        .collect()
    )
    rows = []
    for policy in run.policies:
        own = sums.filter(pl.col("policy") == policy).sort("block")
        rows.append(Row(policy, "", block_ratio(own["total"].to_numpy(), own["cases"].to_numpy().astype(np.float64))))
    return Headline(precision, tuple(rows))


def treated_seat(first: Run, second: Run) -> str | None:
    """The one seat that the interventions in which two runs differ name; None if they name none or several."""
    one, other = (run.identity.get("interventions", []) for run in (first, second))
    differing = [step for step in one if step not in other] + [step for step in other if step not in one]
    seats = {step["seat"] for step in differing if "seat" in step}
    return str(seats.pop()) if len(seats) == 1 else None


def check_scenarios(experiments: Mapping[str, Experiment]) -> None:
    """InputError unless there are several scenarios, and all of them have the same numbers of games of one seed."""
    errors = []
    if len(experiments) < 2:
        errors.append("until: there is one scenario, and changes are from the first to another; name two or more")
    for key in _SAME:
        values = {name: getattr(experiment, key) for name, experiment in experiments.items()}
        if len(set(values.values())) > 1:
            (one, first), *rest = values.items()
            other = next(name for name, value in rest if value != first)
            errors.append(
                f"until: {key} is {first} in {one} and {values[other]} in {other}; scenarios are compared game by "
                "game, which needs the same in all"
            )
    if errors:
        raise InputError(errors)
