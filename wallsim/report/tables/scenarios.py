"""Scenarios at a glance: a row each with the wins that it changes, what was changed, and the commands for the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import EACH, WIN
from wallsim.analysis.contrasts.scenarios import ScenarioComparison, compare_scenarios
from wallsim.analysis.games.summary import SeatFinding, Summary
from wallsim.errors import InputError
from wallsim.escaping import in_shell
from wallsim.folder.scenarios import Scenarios
from wallsim.report.tables.columns import Document
from wallsim.report.tables.console import number_table, print_assumptions, print_lines, print_notes
from wallsim.report.tables.contrasts import scenario_settings, scenarios_document
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.report.tables.summary import summary_document
from wallsim.rules.other_settings import settings_line
from wallsim.stats.intervals import LEVEL, Confidence

_SPREAD = "spread"


def comparison_of(scenarios: Scenarios) -> ScenarioComparison | None:
    """The comparison with the first scenario; None for a single one, and for other seeds or numbers of players."""
    try:
        return compare_scenarios(scenarios) if len(scenarios.runs) > 1 else None
    except InputError:
        return None


def print_scenario_overview(
    console: Console, scenarios: Scenarios, summaries: Mapping[str, Summary], result: ScenarioComparison | None
) -> None:
    """Print a row for each scenario: its wins, or from the second on how they change; then what they rest on."""
    settings = _settings(summaries) if result is None else scenario_settings(result)
    print_lines(console, [f"{scenarios.folder} holds {len(scenarios.runs)} scenarios.", *settings])
    console.print()
    heads = list(dict.fromkeys(_seat(each) for summary in summaries.values() for each in summary.seats))
    table = number_table(("wins, %", "games", *heads, _SPREAD))
    for name, summary in summaries.items():
        changes = None if result is None else result.comparisons.get(name)
        cells = _shares(summary) if changes is None or result is None else _changes(changes, result.confidence)
        row = (name, f"{summary.games:,}", *(cells.get(heading, NOTHING) for heading in (*heads, _SPREAD)))
        table.add_row(*map(Text, row))
    console.print(table)
    print_notes(console, _notes(result))
    print_assumptions(console, assumptions_of(summaries))
    print_lines(console, _commands(scenarios, result))


def overview_document(
    scenarios: Scenarios, summaries: Mapping[str, Summary], result: ScenarioComparison | None
) -> Document:
    """The results of scenarios, for each those of its run with its name, and the comparison with the first."""
    return {
        "folder": scenarios.folder,
        "scenarios": [
            {"scenario": name, **summary_document(run, summaries[name])} for name, run in scenarios.runs.items()
        ],
        "comparison": None if result is None else scenarios_document(result),
    }


def _settings(summaries: Mapping[str, Summary]) -> list[str]:
    lines = {name: settings_line(summary.settings) for name, summary in summaries.items()}
    return [f"{name}: {line}" for name, line in lines.items() if line]


def _seat(finding: SeatFinding) -> str:
    return f"line-up {finding.lineup}" if finding.lineup else f"seat {finding.seat}"


def _shares(summary: Summary) -> dict[str, str]:
    cells = {_seat(each): in_words(each.share, each.share_interval, 1, factor=100.0) for each in summary.seats}
    if summary.spread is not None:
        cells[_SPREAD] = in_words(summary.spread.value, summary.spread.interval(Confidence(LEVEL)), 1)
    return cells


def _changes(comparison: Comparison, confidence: Confidence) -> dict[str, str]:
    cells = {
        each.group: in_words(each.change.value, each.interval(confidence), 1, "+", factor=100.0)
        for each in comparison.contrasts
        if each.column == WIN and each.who == EACH
    }
    spread = comparison.spread()
    if spread is not None:
        cells[_SPREAD] = in_words(spread.change.value, spread.change.interval(Confidence(LEVEL)), 1, "+")
    return cells


def _notes(result: ScenarioComparison | None) -> list[str]:
    if result is None:
        return ["Other seeds or numbers of players are not compared game by game."]
    games = min(len(each.pairing.games) for each in result.comparisons.values())
    if games < result.confidence.min_blocks:
        return [f"{result.confidence.too_few(games, 'games')} Draw no conclusions."]
    return [
        f"Shares of {result.baseline}, then what each scenario changes in games of the same number, in percentage "
        f"points. ± is half the width of an interval. The {result.confidence.n_comparisons} intervals of `wallsim "
        f"compare`, these among them, hold simultaneously with {result.level:.0%} confidence; those of the spread of "
        "wins each by itself."
    ]


def assumptions_of(summaries: Mapping[str, Summary]) -> list[str]:
    """The assumptions of scenarios by name, each once; with their names where others do not rest on it."""
    names: dict[str, list[str]] = {}
    for name, summary in summaries.items():
        for line in summary.assumptions:
            names.setdefault(line, []).append(name)
    return [line if len(each) == len(summaries) else f"{', '.join(each)}: {line}" for line, each in names.items()]


def _commands(scenarios: Scenarios, result: ScenarioComparison | None) -> list[str]:
    folder, name = str(scenarios.folder), next(iter(scenarios.runs))
    return [
        *([f"\nAll changes with intervals and p: wallsim compare {in_shell(folder)}"] if result is not None else [""]),
        f"One scenario in full, such as: wallsim summary {in_shell(f'{folder}/scenario={name}')}",
        "All as one table, with a column `scenario`:",
        "  import wallsim",
        f'  seats = wallsim.Scenarios.open({json.dumps(folder, ensure_ascii=False)}).scan("seats").collect()',
    ]
