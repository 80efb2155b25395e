"""The rows of the headline table: seats of a run, contrasts of scenarios with the first, policies of a tournament."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.game_sums import EACH, TREATED
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.contrasts.seat_tables import seat_table
from wallsim.analysis.precision.precision import Headline, Precision, Row
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.scenarios.folder import Scenarios
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.stats.blocks import block_mean, block_ratio

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
