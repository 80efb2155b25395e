"""The command that plays a tournament of policies and prints their ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import Within, grouped, options_from
from wallsim.cli.options import (
    PLAY,
    PLAYING,
    AsJson,
    Folder,
    Place,
    Playing,
    experiment_options,
)
from wallsim.cli.output import screen, write_output
from wallsim.cli.run_output import warn_of_lineups
from wallsim.cli.signals import stoppable
from wallsim.cli.terminal_output import echo
from wallsim.cli.until import PRECISION, precision_of, show_precision
from wallsim.errors import InputError
from wallsim.escaping import escaped_line
from wallsim.folder.address import Url, folder_of

_KEYS = ("players", "setup", "edition", "expansions", "seed", "tower", "board", "rules")  # of an experiment


@app.command()
@grouped
def tournament(
    policies: str,
    *,
    experiment: Place | None = None,
    scenario: str | None = None,
    keys: dict[str, Any] = experiment_options(*_KEYS),
    blocks: Annotated[int | None, Within(1, 10**9)] = None,
    asked: dict[str, Any] = options_from(PLAY, until=PRECISION),
    playing: Playing = PLAYING,
    as_json: AsJson = False,
) -> None:
    """Rate policies by games against each other. The design is balanced; the command draws the ladder.

    Each policy has every seat and every line-up equally often, and all games of a block have the same cards and random
    events. The same command resumes an interrupted tournament and shows a finished one again; with more --blocks,
    blocks are added. Intervals are valid for a number of blocks fixed beforehand, not if blocks are added until the
    ladder looks decided; looks.json in the folder records every interim analysis. With --until, as many
    blocks are played as an interval of all policies needs, at most --blocks. The folder gets the games
    in `results`, and ratings.json, ratings.parquet, ladder.png and payoffs.png.

    Options
    -------
    policies POLICY,POLICY,...|FOLDER: Policies, see `wallsim policies`; or the folder of a finished tournament, to
      show it again.
    experiment FILE.toml|FOLDER: An experiment file, or a folder of a run or scenarios, instead of the options below but
      --seed; its policies, games and tables are not used.
    scenario NAME: The scenario of --experiment, where it has several.
    blocks: Number of blocks; in a block every table plays all rotations of its policies.  [default: 1200]
    """
    precision = precision_of(asked)
    if not policies.strip():
        raise InputError(
            "policies: is empty; give two or more policies, separated by commas, or the folder of a tournament"
        )
    shown = _folder(policies)
    if shown is not None:
        named = {
            **keys, **vars(playing), "experiment": experiment, "scenario": scenario, "blocks": blocks, **asked,
            "quiet": None,
        }  # fmt: skip
        conflicts = ", ".join(name for name, value in named.items() if value not in (None, False))
        if conflicts:
            raise InputError(f"{conflicts}: cannot be combined with the folder {shown}, which determines it")
        from wallsim.folder.tournament import TournamentRun

        finished = TournamentRun.open(shown)
    else:
        from wallsim.experiment.identity import identity_hash
        from wallsim.play.flags import table_of
        from wallsim.play.tournament.tournament import DEFAULT_BLOCKS, Tournament
        from wallsim.policies.catalogue import refuse_former_name

        table = table_of(experiment, scenario, keys)
        how, names = playing.how(), [name.strip() for name in policies.split(",")]
        refuse_former_name(names)
        warn_of_lineups(table)
        design = Tournament(names, table, DEFAULT_BLOCKS if blocks is None else blocks)
        folder = playing.out or Path("results") / f"tournament-{identity_hash(design.identity())[:8]}"
        from wallsim.api.play import play_into

        with stoppable(folder, "games", playing.dask, playing.check_workers):
            finished = play_into(design, folder, precision, **how)
    from wallsim.analysis.tournament.results import judge
    from wallsim.folder.interim_analyses import looks_of
    from wallsim.folder.lock import ReadOnlyError
    from wallsim.report.figures.style import PictureError
    from wallsim.report.pages.tournament_files import findings_json, write_findings
    from wallsim.report.tables.tournament import print_tournament

    findings = judge(finished)
    for error in finished.changed_files():
        echo(escaped_line(f"{finished.folder}: {error}; written again"), err=True)
    try:
        looks, failed = finished.note_look(), None
        written = write_findings(finished, findings)
    except PictureError as error:  # the ladder is shown first
        failed, written = error, []
    except ReadOnlyError as error:
        echo(escaped_line(f"{error}; the ladder is shown, and nothing is written"), err=True)
        looks = tuple(sorted({*looks_of(finished.folder, finished.hash), finished.manifest["blocks"]}))
        written = []
    more = show_precision(finished, precision, as_json)
    if as_json:
        write_output(findings_json(finished, findings, more) + "\n", None)
    else:
        print_tournament(screen(), finished, findings, looks, written)
    if failed is not None:
        raise failed


def _folder(text: str) -> Folder | None:
    # The path of an existing folder, or an address; any other text is a list of policies.
    result = folder_of(text)
    try:
        return result if isinstance(result, Url) or result.is_dir() else None
    except (OSError, ValueError):
        return None
