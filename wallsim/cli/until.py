"""Playing until an interval is short enough, for the commands that have `--until`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wallsim.cli.output import screen
from wallsim.cli.run_output import show_run, show_scenarios
from wallsim.cli.signals import stoppable
from wallsim.cli.terminal_output import echo

if TYPE_CHECKING:
    from wallsim.analysis.precision import Headline, Precision
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.address import Folder
    from wallsim.folder.results import Run
    from wallsim.folder.tournament import TournamentRun
    from wallsim.play.observer import RunObserver
    from wallsim.play.scenarios.file import ScenarioSet


def precision_of(text: str | None) -> Precision | None:
    """The precision that an option asks for; InputError with what is allowed."""
    if text is None:
        return None
    from wallsim.analysis.precision import parse_precision

    return parse_precision(text)


def play_until(
    experiment: Experiment | ScenarioSet,
    folder: Folder,
    precision: Precision,
    workers: int,
    observer: RunObserver,
    check_policies: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Play an experiment or scenarios until they are precise enough, and print the headline table and the rest."""
    from wallsim.analysis.precision import check_scenarios, headline_of_run, headline_of_scenarios
    from wallsim.experiment.experiment import Experiment
    from wallsim.play.extending import grow_run, grow_scenarios
    from wallsim.report.tables.precision import headline_document

    if isinstance(experiment, Experiment):
        with stoppable(folder, "games"):
            run = grow_run(
                experiment, folder, lambda result: headline_of_run(result, precision).look(), workers=workers,
                observer=observer, check_policies=check_policies,
            )  # fmt: skip
        headline = headline_of_run(run, precision)
        print_precision(headline, as_json, [run])
        show_run(run, plot, as_json, {"until": headline_document(headline)})
        return
    check_scenarios(experiment.experiments)
    with stoppable(folder, "games"):
        scenarios = grow_scenarios(
            experiment, folder, lambda result: headline_of_scenarios(result, precision).look(), workers=workers,
            observer=observer, check_policies=check_policies,
        )  # fmt: skip
    headline = headline_of_scenarios(scenarios, precision)
    print_precision(headline, as_json, [*scenarios.runs.values()])
    show_scenarios(scenarios, as_json, {"until": headline_document(headline)})


def print_precision(headline: Headline, as_json: bool, runs: Sequence[Run | TournamentRun]) -> None:
    """Print the headline table after what is not the default in these runs, but for `--json`."""
    if not as_json:
        from wallsim.report.tables.precision import print_headline
        from wallsim.rules.other_settings import settings_line, settings_of, settings_of_all

        if line := settings_line(settings_of_all([settings_of(run.manifest) for run in runs])):
            echo(line)
        print_headline(screen(), headline)
