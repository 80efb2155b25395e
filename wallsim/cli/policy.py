"""Commands for policies: the page of one policy, and a comparison of several."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, experiment_options
from wallsim.cli.output import check_out, counted, refuse, screen, whole_number, write_output

if TYPE_CHECKING:
    from wallsim.analysis.behaviour.tables import PolicyProfile
    from wallsim.experiment.experiment import Experiment
    from wallsim.policies.catalogue import Policy
    from wallsim.searches.tuning.evaluation import Move
    from wallsim.stats.blocks import Estimate

policy_app = typer.Typer(help="Describe a policy, or compare several.", no_args_is_help=True)
app.add_typer(policy_app, name="policy")

_MIN_GAMES, _MAX_GAMES = 30, 1_000_000
_MAX_POLICIES = 16

Numbers = Annotated[
    str, typer.Option("--games", metavar="N", help="Game numbers; each is played once per table needed.")
]
_KEYS = ("players", "setup", "lineups", "edition", "expansions", "seed", "tower", "board", "rules")  # of an experiment
Against = Annotated[
    str, typer.Option(metavar="NAME", help="The policy to compare with, and the opponent in the other seats.")
]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Output file.  [default: standard output]")]


@policy_app.command()
@grouped
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A policy; see `wallsim policies`.")],
    games: Numbers = "1000",
    against: Against = "balanced",
    moves: Annotated[
        str,
        typer.Option(metavar="N", help="Games for each weight moved down and up, to see which matter; 0 for none."),
    ] = "0",
    traces: Annotated[
        str,
        typer.Option(metavar="N", help="Games to record, to count moves that a player would question; 0 for none."),
    ] = "0",
    keys: dict[str, Any] = experiment_options(*_KEYS),
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Describe a policy as Markdown. The page has its file, weights, strength and behaviour.

    It is measured in two ways: in all seats of a table, and in one seat, each in turn, with another policy in the
    others.
    """
    _check_out(out, as_json)
    count = whole_number("--moves", moves, 0, _MAX_GAMES)
    if count and not _plans_by_weights(_policy("", name)):
        refuse(f"--moves: {name} does not play by weights alone; allowed are policies of kind 'balanced'")
    recorded = whole_number("--traces", traces, 0, _MAX_GAMES)
    [profile], experiment = _measured([name], against, games, keys)
    moved = _moved(profile.policy, experiment, count) if count else []
    doubtful = _doubtful(profile.policy, experiment, recorded) if recorded else []
    if as_json:
        write_output(_json([profile], experiment, moved, doubtful), out)
        return
    from wallsim.report.pages.policy import origin_of, policy_page

    page = policy_page(profile, origin_of(name), experiment, experiment.seed, moved, doubtful)
    if out is None and sys.stdout.isatty():
        from rich.markdown import Markdown

        from wallsim.escaping import escaped

        screen().print(Markdown(escaped(page)))
    else:
        write_output(page, out)


@policy_app.command()
@grouped
def compare(
    names: Annotated[str, typer.Argument(metavar="NAME|FILE,...", help="Policies; see `wallsim policies`.")],
    games: Numbers = "1000",
    against: Against = "balanced",
    keys: dict[str, Any] = experiment_options(*_KEYS),
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Compare the behaviour of several policies. The table says how much they differ from each other, too.

    They are measured in two ways: in all seats of a table, and in one seat, each in turn, with another policy in the
    others.
    """
    _check_out(out, as_json)
    listed = [name.strip() for name in names.split(",")]
    if len(set(listed)) < len(listed) or len(listed) > _MAX_POLICIES:
        refuse(f"{names}: are not 1 to {_MAX_POLICIES} different policies")
    profiles, experiment = _measured(listed, against, games, keys)
    if as_json:
        write_output(_json(profiles, experiment), out)
        return
    from wallsim.report.pages.policy import setting_words
    from wallsim.report.tables.behaviour import side_by_side
    from wallsim.rules.other_settings import settings_line

    heads = [f"{setting_words(experiment)}, seed {experiment.seed}", settings_line(experiment.components().settings())]
    write_output("\n\n".join([*filter(None, heads), side_by_side(profiles)]), out)


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
    from wallsim.play.parallel import default_workers
    from wallsim.searches.tuning.evaluation import games_of_moves, measure_moves

    with counted("games") as watch:
        played = _added_up(watch, games_of_moves(policy, experiment, games))
        return measure_moves(policy, experiment, games, default_workers(), played)


def _doubtful(policy: Policy, experiment: Experiment, games: int) -> list[Estimate]:
    from wallsim.analysis.behaviour.doubtful_moves import count_doubtful_moves

    with counted("games") as watch:
        return count_doubtful_moves(policy, experiment, games, _added_up(watch, games))


def _measured(
    names: list[str], against: str, games: str, flags: Mapping[str, Any]
) -> tuple[list[PolicyProfile], Experiment]:
    count = whole_number("--games", games, _MIN_GAMES, _MAX_GAMES)
    measured, opponent = [_policy("", name) for name in names], _policy("--against: ", against)
    policy_names = [policy.name for policy in measured]
    for name in policy_names:
        if policy_names.count(name) > 1:
            refuse(f"{name!r} is the name of more than one policy; the policies must have different names")
    from wallsim.play.flags import experiment_of

    experiment = experiment_of(None, flags)
    from wallsim.analysis.behaviour.tables import BehaviourMeasurement, games_of, policy_profiles
    from wallsim.play.setting import Setting

    total = games_of(measured, opponent, count, experiment.players)
    with counted("games") as watch:
        watch(0, total)
        setting = Setting(experiment)
        setting.check_custom_policies([*measured, opponent], experiment.seed)
        measurement = BehaviourMeasurement(setting, count, experiment.seed, _added_up(watch, total))
        return policy_profiles(measurement, measured, opponent), experiment


def _check_out(out: Path | None, as_json: bool) -> None:
    check_out(out, *((".json",) if as_json else (".md", ".txt")), or_unknown=True)


def _policy(place: str, name: str) -> Policy:
    from wallsim.policies.catalogue import PolicyError, load_policy, refuse_former_name

    try:
        refuse_former_name([name])
        return load_policy(name)
    except PolicyError as error:
        refuse(f"{place}{str(error).removeprefix('policies: ')}")
