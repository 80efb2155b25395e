"""The command that lets policies meet in a tournament and prints who is how strong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.options import (
    AsJson,
    BoardFolder,
    CheckPolicies,
    Edition,
    Expansions,
    Players,
    Seed,
    Setup,
    Switches,
    Tower,
    Workers,
)
from wallsim.cli.output import hand_out, refuse, whole_number, workers_of
from wallsim.cli.stopping import stoppable

if TYPE_CHECKING:
    from wallsim.runs.tournament.folder import TournamentRun


@app.command()
def tournament(
    policies: Annotated[
        str,
        typer.Argument(
            metavar="POLICY,POLICY,...|FOLDER",
            help="Who meets whom, see `wallsim policies`; or the folder of a finished tournament, to show it again.",
        ),
    ],
    players: Players = None,
    setup: Setup = None,
    edition: Edition = None,
    expansions: Expansions = None,
    blocks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="In each, all companies of policies play in every rotation over the seats.  [default: 1200]",
        ),
    ] = None,
    seed: Seed = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    workers: Workers = None,
    check_policies: CheckPolicies = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Tournament folder.  [default: one under results/]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let policies meet in a balanced design, rate them, and draw the ladder.

    Each policy has every seat and every line-up equally often, and all games of a block have the same cards and chance.
    An interrupted tournament resumes with the same command, more --blocks are added to those that are there, and a
    finished one is only shown again. Intervals hold for a number of blocks fixed beforehand, not for one that grows
    until the ladder looks decided: the folder keeps how often it was looked at, in looks.json. Games go to `results` in
    the folder; ratings.json, ratings.parquet, ladder.png and payoffs.png are written beside them.
    """
    flags = {"players": players, "setup": setup, "edition": edition, "expansions": expansions, "seed": seed,
             "tower": tower, "board": board, "rules": switch}  # fmt: skip
    if not policies.strip():
        refuse("POLICIES: none is named; name two or more, separated by commas, or the folder of a tournament")
    shown = _folder(policies)
    if shown is not None:
        named = {**flags, "blocks": blocks, "workers": workers, "check-policies": check_policies or None, "out": out}
        clash = ", ".join(f"--{'switch' if name == 'rules' else name}" for name, it in named.items() if it is not None)
        if clash:
            refuse(f"{clash}: not together with the folder {shown}, which says it")
        from wallsim.runs.tournament.folder import open_tournament

        finished = open_tournament(shown)
    else:
        finished = _play(policies, flags, blocks, workers, out, check_policies)
    from wallsim.analysis.tournament.findings import judge
    from wallsim.report.pages.tournament_files import findings_json, write_findings
    from wallsim.report.tables.console import make_console
    from wallsim.report.tables.tournament import print_tournament

    findings = judge(finished)
    looks = finished.note_look()
    written = write_findings(finished, findings)
    if as_json:
        hand_out(findings_json(finished, findings) + "\n", None)
    else:
        print_tournament(make_console(), finished, findings, looks, written)


def _play(
    policies: str, flags: dict[str, Any], blocks: str | None, workers: str | None, out: Path | None, check: bool
) -> TournamentRun:
    from wallsim.report.progress import watch_on
    from wallsim.report.tables.console import make_console
    from wallsim.runs.components import identity_hash
    from wallsim.runs.flags import experiment_of
    from wallsim.runs.tournament.design import MAX_GAMES
    from wallsim.runs.tournament.play import play_tournament
    from wallsim.runs.tournament.tournament import DEFAULT_BLOCKS, make_tournament

    count = DEFAULT_BLOCKS if blocks is None else whole_number("--blocks", blocks, 1, MAX_GAMES)
    threads = workers_of(workers)
    names = [name.strip() for name in policies.split(",")]
    tournament = make_tournament(experiment_of(None, flags), names, count)
    folder = out or Path("results") / f"tournament-{identity_hash(tournament.identity())[:8]}"
    with stoppable(folder, "games"):
        watch = watch_on(make_console(to_stderr=True))
        return play_tournament(tournament, folder, workers=threads, watch=watch, check_policies=check)


def _folder(text: str) -> Path | None:
    # A folder that is there is shown; any other words name policies.
    try:
        return Path(text) if Path(text).is_dir() else None
    except (OSError, ValueError):
        return None
