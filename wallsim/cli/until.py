"""Showing how precisely results are known, for the commands that have `--until`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wallsim.cli.output import screen
from wallsim.cli.terminal_output import echo

if TYPE_CHECKING:
    from wallsim.analysis.precision import Precision
    from wallsim.folder.results import Run
    from wallsim.folder.scenarios import Scenarios
    from wallsim.folder.tournament import TournamentRun

PRECISION = '"vp +-N"|"win +-Npp"'


def precision_of(asked: dict[str, Any]) -> Precision | None:
    """The precision that the option asks for; InputError with what is allowed."""
    if "until" not in asked:
        return None
    from wallsim.analysis.precision import parse_precision

    return parse_precision(asked["until"])


def show_precision(
    results: Run | Scenarios | TournamentRun, precision: Precision | None, as_json: bool
) -> dict[str, Any]:
    """Print the headline table after what is not the default in these results; the keys that it adds to a document."""
    if precision is None:
        return {}
    from wallsim.api.play import headline_of
    from wallsim.folder.scenarios import Scenarios
    from wallsim.report.tables.precision import headline_document, print_headline
    from wallsim.rules.other_settings import settings_line, settings_of, settings_of_all

    headline = headline_of(results, precision)
    if not as_json:
        runs = results.runs.values() if isinstance(results, Scenarios) else [results]
        if line := settings_line(settings_of_all([settings_of(run.manifest) for run in runs])):
            echo(line)
        print_headline(screen(), headline)
    return {"until": headline_document(headline)}
