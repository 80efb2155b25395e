"""Commands about policies: the page of one, and several side by side."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.options import AsJson, BoardFolder, Edition, Expansions, Lineups, Players, Seed, Setup, Switches, Tower
from wallsim.cli.output import hand_out, refuse, whole_number

if TYPE_CHECKING:
    from wallsim.analysis.behaviour.tables import PolicyProfile
    from wallsim.policies.catalogue import Policy
    from wallsim.runs.experiment import Experiment

policy_app = typer.Typer(help="Policies: the page of one, several side by side.", no_args_is_help=True)
app.add_typer(policy_app, name="policy")

_MIN_GAMES, _MAX_GAMES = 30, 1_000_000
_MAX_POLICIES = 16

Numbers = Annotated[
    str, typer.Option("--games", metavar="N", help="Game numbers; each is played once a table that is needed.")
]
Against = Annotated[str, typer.Option(metavar="NAME", help="The policy to compare with, and to sit among.")]
Out = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write.  [default: standard output]")]


@policy_app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A policy; see `wallsim policies`.")],
    games: Numbers = "1000",
    against: Against = "balanced",
    players: Players = None,
    setup: Setup = None,
    lineups: Lineups = None,
    edition: Edition = None,
    expansions: Expansions = None,
    seed: Seed = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Print the page of a policy: what its file says, its weights, its strength, and what it does, as Markdown.

    It is measured in two ways: in every seat of a table, and alone, in each seat in turn, among another policy.
    """
    flags = {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
             "seed": seed, "tower": tower, "board": board, "rules": switch}  # fmt: skip
    [found], experiment = _measured([name], against, games, flags)
    if as_json:
        hand_out(_json([found], experiment), out)
        return
    from wallsim.report.pages.policy import policy_page
    from wallsim.report.pages.policy_origin import origin_of

    page = policy_page(found, origin_of(name), experiment, experiment.seed)
    if out is None and sys.stdout.isatty():
        from rich.markdown import Markdown

        from wallsim.report.tables.console import make_console

        make_console().print(Markdown(page))
    else:
        hand_out(page, out)


@policy_app.command()
def compare(
    names: Annotated[str, typer.Argument(metavar="NAME|FILE,...", help="Policies; see `wallsim policies`.")],
    games: Numbers = "1000",
    against: Against = "balanced",
    players: Players = None,
    setup: Setup = None,
    lineups: Lineups = None,
    edition: Edition = None,
    expansions: Expansions = None,
    seed: Seed = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Print what several policies do, side by side, and how far each lies from the others.

    They are measured in two ways: in every seat of a table, and alone, in each seat in turn, among another policy.
    """
    flags = {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
             "seed": seed, "tower": tower, "board": board, "rules": switch}  # fmt: skip
    listed = [name.strip() for name in names.split(",")]
    if len(set(listed)) < len(listed) or len(listed) > _MAX_POLICIES:
        refuse(f"{names}: are not 1 to {_MAX_POLICIES} different policies")
    found, experiment = _measured(listed, against, games, flags)
    if as_json:
        hand_out(_json(found, experiment), out)
        return
    from wallsim.report.pages.policy import setting_words
    from wallsim.report.tables.behaviour import side_by_side

    hand_out(f"{setting_words(experiment)}, seed {experiment.seed}\n\n{side_by_side(found)}", out)


def _json(found: list[PolicyProfile], experiment: Experiment) -> str:
    from wallsim.report.documents import behaviour_document, json_text
    from wallsim.stats.intervals import LEVEL, Confidence

    # Among their like and alone, every measure of every policy: so many intervals hold simultaneously.
    confidence = Confidence(LEVEL, 2 * len(found) * len(found[0].measures))
    return json_text(behaviour_document(found, experiment, confidence))


def _measured(
    names: list[str], against: str, games: str, flags: Mapping[str, Any]
) -> tuple[list[PolicyProfile], Experiment]:
    count = whole_number("--games", games, _MIN_GAMES, _MAX_GAMES)
    measured, host = [_policy("", name) for name in names], _policy("--against: ", against)
    own_names = [policy.name for policy in measured]
    for name in own_names:
        if own_names.count(name) > 1:
            refuse(f"{name!r} is the name of more than one; allowed are policies of different names")
    from wallsim.runs.flags import experiment_of

    experiment = experiment_of(None, flags)
    from wallsim.analysis.behaviour.tables import BehaviourMeasurement, games_of, policy_profiles
    from wallsim.report.progress import counted
    from wallsim.report.tables.console import make_console
    from wallsim.runs.setting import Setting

    total, done = games_of(measured, host, count, experiment.players), 0
    with counted(make_console(to_stderr=True), "games") as watch:

        def played(more: int) -> None:
            nonlocal done
            done += more
            watch(done, total)

        watch(0, total)
        setting = Setting(experiment)
        setting.try_out([*measured, host], experiment.seed)
        observatory = BehaviourMeasurement(setting, count, experiment.seed, played)
        return policy_profiles(observatory, measured, host), experiment


def _policy(place: str, name: str) -> Policy:
    from wallsim.policies.catalogue import PolicyError, load_policy

    try:
        return load_policy(name)
    except PolicyError as error:
        refuse(f"{place}{str(error).removeprefix('policies: ')}")
