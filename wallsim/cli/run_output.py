"""Showing the results of a run or of scenarios, and what they would need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.cli.output import print_document, screen
from wallsim.cli.terminal_output import echo
from wallsim.escaping import in_shell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.address import Folder
    from wallsim.folder.results import Run
    from wallsim.folder.scenarios import Scenarios
    from wallsim.play.observer import RunObserver
    from wallsim.play.scenarios.file import ScenarioSet


def observer_of(quiet: bool) -> RunObserver:
    """What shows the progress of playing on standard error; with `quiet` nothing does."""
    if quiet:
        from wallsim.play.observer import RunObserver

        return RunObserver()
    from wallsim.report.progress import console_observer

    return console_observer(screen(to_stderr=True))


def warn_of_lineups(experiment: Experiment | ScenarioSet) -> None:
    """Print on standard error which line-ups have another number of counties or armies than the printed ones."""
    from wallsim.experiment.experiment import Experiment
    from wallsim.experiment.setup_keys import size_warnings

    experiments = {"": experiment} if isinstance(experiment, Experiment) else experiment.experiments
    for name, each in experiments.items():
        for warning in size_warnings(each.model_dump()):
            echo(f"warning: {f'scenario {name}: ' if name else ''}{warning}", err=True)


def show_slice(folder: Folder, part: tuple[int, int], done: tuple[int, int], as_json: bool) -> None:
    """Print that a slice is finished, and how to gather all of them; `done` are its games, and all in the folder."""

    gathering = f"wallsim repair {in_shell(folder)}"
    if as_json:
        document = {"folder": str(folder), "slice": list(part), "games": done[0], "all_games": done[1]}
        print_document({**document, "gather": gathering})
        return
    echo(f"Slice {part[0]}/{part[1]} is finished: {done[0]:,} games; {folder} has {done[1]:,} in all.")
    echo(f"When all slices are finished, `{gathering}` plays what is missing and writes the manifest.")


def show_results(
    finished: Run | Scenarios, plot: Path | None, as_json: bool, more: Mapping[str, Any] | None = None
) -> None:
    """Print the results of a run, which is drawn into the file `plot`, or of scenarios; `more` keys join the JSON."""
    from wallsim.folder.results import Run

    if isinstance(finished, Run):
        show_run(finished, plot, as_json, more)
    else:
        show_scenarios(finished, as_json, more)


def show_run(finished: Run, plot: Path | None, as_json: bool, more: Mapping[str, Any] | None = None) -> None:
    """Print the results of a run, as tables or as JSON, and draw it into the file `plot`; `more` keys join the JSON."""
    from wallsim.analysis.games.summary import summarise
    from wallsim.report.tables.summary import print_summary, summary_document

    summary = summarise(finished)
    if as_json:
        print_document({**summary_document(finished, summary), **(more or {})})
    else:
        print_summary(screen(), finished, summary)
    if plot is not None:
        from wallsim.report.figures.run import win_shares

        save_axes(win_shares(summary), plot)


def save_axes(axes: Axes, plot: Path) -> None:
    """Save the picture of which these axes are a part, and say so."""
    from wallsim.report.figures.style import save_picture

    figure = axes.get_figure(root=True)
    assert figure is not None
    save_picture(figure, plot)
    echo(f"Wrote {plot}.", err=True)


def show_scenarios(finished: Scenarios, as_json: bool, more: Mapping[str, Any] | None = None) -> None:
    """Print what scenarios change and how to see the rest, or all results as a JSON document, which `more` joins."""
    from wallsim.analysis.games.summary import summarise
    from wallsim.report.tables.scenarios import comparison_of, overview_document, print_scenario_overview

    summaries, result = {name: summarise(run) for name, run in finished.runs.items()}, comparison_of(finished)
    if as_json:
        print_document({**overview_document(finished, summaries, result), **(more or {})})
    else:
        print_scenario_overview(screen(), finished, summaries, result)


def show_forecast(
    experiment: Experiment | ScenarioSet, workers: int, folder: Folder, observer: RunObserver, as_json: bool
) -> None:
    """Print what would be played into `folder`, and its time and disk by some games that are played and not stored."""
    from wallsim.experiment.experiment import Experiment
    from wallsim.play.forecast import forecast
    from wallsim.report.tables.summary import forecast_document, print_forecast
    from wallsim.rules.other_settings import settings_line, settings_of_all

    experiments = {"": experiment} if isinstance(experiment, Experiment) else experiment.experiments
    result = forecast(experiments, workers, observer)
    settings = settings_of_all([each.components().settings() for each in experiments.values()])
    if as_json:
        print_document({**forecast_document(result, workers, folder), "not_default": settings})
        return
    if line := settings_line(settings):
        echo(f"{line}\n")
    print_forecast(screen(), result)
    threads = "1 worker" if workers == 1 else f"{workers} workers"
    echo(f"\nEstimates for {threads} from games played here now, without compiling. Nothing was written to {folder}.")
