"""Commands for games and runs: play, trace, summarise, and explain the columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped, options_from
from wallsim.cli.options import (
    PLAY,
    PLAYING,
    AsJson,
    Expansions,
    Folder,
    Picture,
    Place,
    Playing,
    RunFolder,
    TrustCode,
    experiment_options,
)
from wallsim.cli.output import check_out, print_document, refuse, write_output
from wallsim.cli.run_output import observer_of, show_forecast, show_results, show_slice, warn_of_lineups
from wallsim.cli.signals import stoppable
from wallsim.cli.terminal_output import echo
from wallsim.cli.until import PRECISION, precision_of, show_precision
from wallsim.experiment.keys import OPTION_KEYS

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.schema import Vocabulary

_OF_TABLES = ("games", "seasons", "battles", "counties", "plans", "columns")  # keys that do not change a game
TRACED_KEYS = tuple(name for name in OPTION_KEYS if name not in _OF_TABLES)


@app.command()
@grouped
def run(
    file: Path | None = None,
    *,
    experiment: dict[str, Any] = experiment_options(*OPTION_KEYS),
    asked: dict[str, Any] = options_from(PLAY, until=PRECISION, trust_code=""),
    playing: Playing = PLAYING,
    slice_: str | None = None,
    dry_run: bool = False,
    plot: Picture | None = None,
    as_json: AsJson = False,
) -> None:
    """Play many games into a folder, or resume it.

    The same command resumes an interrupted run; for a finished run it only prints the summary again. With more games it
    adds them, with fewer it shows the first of them. With --slice several processes share the games of one folder;
    afterwards the same command without it gathers them.

    The experiment comes from EXPERIMENT.toml or from options, not from both. Only --games, --seed, --workers and --out
    can be combined with a file; they override its values. `wallsim init` writes such a file. The scenarios of a file
    are played one after the other, each into a folder scenario=NAME. With --until, as many games are played as an
    interval needs, at most --games; the same command continues where it stopped.

    Options
    -------
    file EXPERIMENT.toml: An experiment file, instead of options.
    slice_ I/N: Play only the chunks I modulo N, beside other slices; I from 0 to N-1.
    dry_run: Only print the plan, with estimates of time and disk space.
    plot FILE: Also draw the summary into a .png, .svg or .pdf file.
    """
    from wallsim.play.flags import experiments_of

    precision = precision_of(asked)
    played = experiments_of(file, experiment, trust_code=asked["trust_code"])
    warn_of_lineups(played)
    from wallsim.experiment.experiment import Experiment

    kind = "run" if isinstance(played, Experiment) else "scenarios"
    folder = playing.out or Path("results") / f"{(played.name or kind).replace(' ', '_')}-{played.hash()[:8]}"
    if plot is not None and (dry_run or kind == "scenarios"):
        other = "--dry-run" if dry_run else f"the scenarios of {file}; `wallsim summary` draws one of them"
        refuse(f"--plot: cannot be combined with {other}")
    part = None if slice_ is None else _slice_of(slice_, playing.out, precision or plot or dry_run)
    how = playing.how()
    if dry_run:
        show_forecast(played, how["workers"], folder, how["observer"], as_json)
        return
    with stoppable(folder, "games", playing.dask, playing.check_workers):
        if part is not None:
            from wallsim.play.play import play_slice
            from wallsim.play.scenarios.play import play_scenario_slices

            play: Any = play_slice if isinstance(played, Experiment) else play_scenario_slices
            show_slice(folder, part, play(played, folder, part, **how), as_json)
            return
        from wallsim.api.play import play_into

        finished = play_into(played, folder, precision, **how)
    show_results(finished, plot, as_json, show_precision(finished, precision, as_json))


def _slice_of(text: str, out: Folder | None, other: object) -> tuple[int, int]:
    """The number and the count of a slice; for an invalid one the command ends."""
    if out is None or other:
        refuse("--slice: needs --out, and cannot be combined with --until, --plot or --dry-run")
    number, slash, count = text.partition("/")
    digits = number.isascii() and number.isdecimal() and count.isascii() and count.isdecimal()
    if not slash or not digits or len(count) > 6 or not int(number) < int(count):
        refuse(f'--slice: "{text}" is not I/N, such as 0/16, with whole numbers and I from 0 to N-1')
    return int(number), int(count)


@app.command()
@grouped
def trace(
    file: Place | None = None,
    *,
    game: str = "0",
    text: bool = False,
    out: Path | None = None,
    experiment: dict[str, Any] = experiment_options(*TRACED_KEYS),
    trust_code: TrustCode = False,
) -> None:
    """Print everything that happens in one game of a run.

    Options
    -------
    file EXPERIMENT.toml|FOLDER: An experiment file or a run folder, instead of options.
    game N: Number of the game in the run, starting at 0.
    text: Print sentences instead of JSON Lines.
    out FILE: Output file.  [default: standard output]
    """
    from wallsim.errors import short
    from wallsim.experiment.keys import whole_number
    from wallsim.play.flags import experiment_of

    traced = experiment_of(file, experiment, trust_code=trust_code)
    from wallsim.experiment.keys import MAX_GAMES

    chosen, last = whole_number(game), (traced.games if file is not None else MAX_GAMES) - 1
    if not isinstance(chosen, int) or not 0 <= chosen <= last:
        refuse(f"--game: {short(game)} is not a whole number from 0 to {last}")
    from wallsim.api.trace import record_game
    from wallsim.trace.json_lines import json_line

    check_out(out, *((".txt", ".md") if text else (".jsonl", ".json")), or_unknown=True)
    warn_of_lineups(traced)

    events = record_game(traced, chosen, observer_of(quiet=False))
    write_output(f"{events.story()}\n" if text else "".join(map(json_line, events)), out)


@app.command()
@grouped
def summary(folder: RunFolder, *, plot: Picture | None = None, as_json: AsJson = False) -> None:
    """Print the results of a run or of scenarios again.

    Options
    -------
    plot FILE: Also draw the summary into a .png, .svg or .pdf file.
    """
    from wallsim.folder.results import Run
    from wallsim.folder.scenarios import Scenarios, holds_scenarios
    from wallsim.folder.verification import folder_kind, show_command

    kind = folder_kind(folder)
    if kind is not None and kind.what not in (Run.what, "scenarios"):
        refuse(f"{folder}: contains a {kind.what}, not a run; {show_command(folder)}")
    if not holds_scenarios(folder):
        show_results(Run.open(folder), plot, as_json)
        return
    if plot is not None:
        refuse(f"--plot: {folder} contains scenarios; name the folder of one, {folder}/scenario=NAME")
    show_results(Scenarios.open(folder), plot, as_json)


@app.command()
@grouped
def codebook(folder: Place | None = None, *, expansions: Expansions = None, as_json: AsJson = False) -> None:
    """Explain the columns of every table. The columns of the given expansions are included.

    Options
    -------
    folder FOLDER: Print the codebook of this run folder.  [default: none]
    """
    from wallsim.folder.result_folder import read_codebook
    from wallsim.folder.schema import TABLES, codebook_rows, codebook_text, tables_of
    from wallsim.play.flags import experiment_of

    if folder is not None and expansions is not None:
        refuse(f"--expansions: cannot be combined with {folder}, which determines them")
    if as_json:
        from wallsim.report.tables.catalogues import CODEBOOK
        from wallsim.report.tables.columns import named_rows

        if folder is None:
            tables, words = TABLES, _words(experiment_of(None, {"expansions": expansions}))
        else:
            experiment, seated = _experiment_and_names(folder)
            tables, words = tables_of(experiment), _words(experiment, seated)
        print_document({"tables": {table: named_rows(CODEBOOK, codebook_rows(table, words)) for table in tables}})
    elif folder is not None:
        echo(read_codebook(folder))
    else:
        echo(codebook_text(_words(experiment_of(None, {"expansions": expansions}))))


def _words(experiment: Experiment, seated: list[str] | None = None) -> Vocabulary:
    # Without the arrays of a whole board, which take longer to make than the codebook.
    from wallsim.folder.schema import make_vocabulary
    from wallsim.rules.board_check import read_board_names

    board = read_board_names(None if experiment.board is None else Path(experiment.board))
    return make_vocabulary(board, experiment.ruleset(), seated or experiment.policies, experiment.columns)


def _experiment_and_names(folder: Folder) -> tuple[Experiment, list[str]]:
    # The experiment of a run folder but for its policies, of which only the names are needed: no policy is loaded.
    from wallsim.experiment.file import load_experiment, read_values
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.result_folder import read_codebook
    from wallsim.folder.results import experiment_file
    from wallsim.policies.catalogue import DEFAULT_POLICY
    from wallsim.policies.policy import is_policy_file

    read_codebook(folder)  # refuses a folder that holds no results
    file = experiment_file(file_store(folder))
    experiment, named = load_experiment(file, {"policies": DEFAULT_POLICY}), read_values(file).get("policies")
    if not isinstance(named, list) or len(named) != experiment.players or not all(isinstance(n, str) for n in named):
        refuse(f"{file}: policies: is not a list of names, one per seat")
    return experiment, [Path(name).stem if is_policy_file(name) else name for name in named]
