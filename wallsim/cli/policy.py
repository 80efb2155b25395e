"""Commands for policies: the page of one policy, and a comparison of several."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import Within, grouped, options_of
from wallsim.cli.options import AsJson, experiment_options
from wallsim.cli.output import check_out, counted, policy_of, refuse, screen, write_output

if TYPE_CHECKING:
    from wallsim.analysis.behaviour.moves import Move
    from wallsim.analysis.behaviour.tables import PolicyProfile
    from wallsim.experiment.experiment import Experiment
    from wallsim.policies.catalogue import Policy
    from wallsim.stats.blocks import Estimate

policy_app = typer.Typer(help="Describe a policy, or compare several.", no_args_is_help=True)
app.add_typer(policy_app, name="policy")

_MAX_POLICIES = 16

_KEYS = ("players", "setup", "lineups", "edition", "expansions", "seed", "tower", "board", "rules")  # of an experiment
_Some = Annotated[int, Within(0, 1_000_000)]


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """How policies are measured, and where that is written.

    Options
    -------
    games: Game numbers; each is played once per table needed.
    against NAME: The policy to compare with, and the opponent in the other seats.
    out FILE: Output file.  [default: standard output]
    """

    games: Annotated[int, Within(30, 1_000_000)] = 1000
    against: str = "balanced"
    out: Path | None = None
    as_json: AsJson = False

    def of(self, names: list[str], keys: Mapping[str, Any]) -> tuple[list[PolicyProfile], Experiment]:
        """The behaviour of these policies in the experiment of some keys; nothing is played if a value is invalid."""
        check_out(self.out, *((".json",) if self.as_json else (".md", ".txt")), or_unknown=True)
        measured, opponent = [policy_of("", name) for name in names], policy_of("against", self.against)
        policy_names = [policy.name for policy in measured]
        for name in policy_names:
            if policy_names.count(name) > 1:
                refuse(f"{name!r} is the name of more than one policy; the policies must have different names")
        from wallsim.play.flags import experiment_of

        experiment = experiment_of(None, keys)
        from wallsim.analysis.behaviour.tables import BehaviourMeasurement, games_of, policy_profiles
        from wallsim.play.setting import Setting

        total = games_of(measured, opponent, self.games, experiment.players)
        with counted("games") as watch:
            watch(0, total)
            setting = Setting(experiment)
            setting.check_custom_policies([*measured, opponent], experiment.seed)
            measurement = BehaviourMeasurement(setting, self.games, experiment.seed, _added_up(watch, total))
            return policy_profiles(measurement, measured, opponent), experiment


_MEASUREMENT = options_of(Measurement)


@policy_app.command()
@grouped
def show(
    name: str,
    *,
    measurement: Measurement = _MEASUREMENT,
    moves: _Some = 0,
    traces: _Some = 0,
    keys: dict[str, Any] = experiment_options(*_KEYS),
) -> None:
    """Describe a policy as Markdown. The page has its file, weights, strength and behaviour.

    It is measured in two ways: in all seats of a table, and in one seat, each in turn, with another policy in the
    others.

    Options
    -------
    name NAME|FILE: A policy; see `wallsim policies`.
    moves: Games for each weight moved down and up, to see which matter; 0 for none.
    traces: Games to record, to count moves that a player would question; 0 for none.
    """
    if moves and not _plans_by_weights(policy_of("", name)):
        refuse(f"--moves: {name} does not play by weights alone; allowed are policies of kind 'balanced'")
    [profile], experiment = measurement.of([name], keys)
    moved = _moved(profile.policy, experiment, moves) if moves else []
    doubtful = _doubtful(profile.policy, experiment, traces) if traces else []
    if measurement.as_json:
        write_output(_json([profile], experiment, moved, doubtful), measurement.out)
        return
    from wallsim.report.pages.policy import origin_of, policy_page

    page = policy_page(profile, origin_of(name), experiment, experiment.seed, moved, doubtful)
    if measurement.out is None and sys.stdout.isatty():
        from rich.markdown import Markdown

        from wallsim.escaping import escaped

        screen().print(Markdown(escaped(page)))
    else:
        write_output(page, measurement.out)


@policy_app.command()
@grouped
def compare(
    names: str,
    *,
    measurement: Measurement = _MEASUREMENT,
    keys: dict[str, Any] = experiment_options(*_KEYS),
) -> None:
    """Compare the behaviour of several policies. The table says how much they differ from each other, too.

    They are measured in two ways: in all seats of a table, and in one seat, each in turn, with another policy in the
    others.

    Options
    -------
    names NAME|FILE,...: Policies; see `wallsim policies`.
    """
    listed = [name.strip() for name in names.split(",")]
    if len(set(listed)) < len(listed) or len(listed) > _MAX_POLICIES:
        refuse(f"{names}: are not 1 to {_MAX_POLICIES} different policies")
    profiles, experiment = measurement.of(listed, keys)
    if measurement.as_json:
        write_output(_json(profiles, experiment), measurement.out)
        return
    from wallsim.report.pages.policy import setting_words
    from wallsim.report.tables.behaviour import side_by_side
    from wallsim.rules.other_settings import settings_line

    heads = [f"{setting_words(experiment)}, seed {experiment.seed}", settings_line(experiment.components().settings())]
    write_output("\n\n".join([*filter(None, heads), side_by_side(profiles)]), measurement.out)


def _json(
    profiles: list[PolicyProfile],
    experiment: Experiment,
    moved: Sequence[Move] = (),
    doubtful: Sequence[Estimate] = (),
) -> str:
    from wallsim.report.tables.behaviour import behaviour_document
    from wallsim.report.tables.columns import json_text
    from wallsim.stats.intervals import LEVEL, Confidence

    # Each measure of each policy is estimated twice, in all seats and in one seat; all intervals hold simultaneously.
    confidence = Confidence(LEVEL, 2 * len(profiles) * len(profiles[0].measures))
    return json_text(behaviour_document(profiles, experiment, confidence, moved, doubtful))


def _plans_by_weights(policy: Policy) -> bool:
    return bool(policy.weights) and policy.search is None and not policy.answers


def _added_up(watch: Callable[[int, int], None], total: int) -> Callable[[int], None]:
    """Tells `watch` how many games of `total` are done, from how many more have been played each time."""
    done = 0

    def played(more: int) -> None:
        nonlocal done
        done += more
        watch(done, total)

    return played


def _moved(policy: Policy, experiment: Experiment, games: int) -> list[Move]:
    from wallsim.analysis.behaviour.moves import games_of_moves, measure_moves
    from wallsim.play.parallel import default_workers

    with counted("games") as watch:
        played = _added_up(watch, games_of_moves(policy, experiment, games))
        return measure_moves(policy, experiment, games, default_workers(), played)


def _doubtful(policy: Policy, experiment: Experiment, games: int) -> list[Estimate]:
    from wallsim.analysis.behaviour.doubtful_moves import count_doubtful_moves

    with counted("games") as watch:
        return count_doubtful_moves(policy, experiment, games, _added_up(watch, games))
