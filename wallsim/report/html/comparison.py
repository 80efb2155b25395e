"""Pages on what changed between two runs, and between the scenarios of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import Contrast
from wallsim.analysis.contrasts.scenarios import Imbalance, ScenarioComparison, fairness
from wallsim.analysis.games.spread import SpreadChange
from wallsim.analysis.games.summary import Summary, summarise
from wallsim.escaping import escaped_line, in_shell
from wallsim.report.html.fairness import (
    UNIT,
    fairness_lines,
    headline,
    imbalance_sheet,
    in_one,
    value_in_words,
    wins_panels,
)
from wallsim.report.html.page import page_names
from wallsim.report.html.played import bots_line, in_players_words, played_rows, settings_lines
from wallsim.report.html.shared_files import scenario_files, two_files
from wallsim.report.html.sheets import Panels, Sheet, sheets_page
from wallsim.report.tables.contrasts import (
    ADJUSTMENTS,
    FOUND,
    change_in_words,
    heading,
    notes,
    row_of,
    scenario_notes,
    section,
    spread_row,
)
from wallsim.report.tables.estimates import how_many
from wallsim.report.tables.scenarios import assumptions_of
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.results import Run
from wallsim.runs.shared_experiment import shared_scenarios
from wallsim.stats.intervals import Confidence

_HEADS = ("change", "interval", "p")
_MOST = 6  # takeaways of a page
_FEW = 4  # changed settings that stand above the tables

Known = Sequence[
    tuple[Comparison, Sequence[float], str]
]  # comparisons with adjusted p-values, and what they are called


def comparison_page(comparison: Comparison, adjustment: str = "holm") -> str:
    """The page on two runs: what changed and is known to have changed, and every contrast with its interval."""
    pairing = comparison.pairing
    adjusted = [float(each) for each in ADJUSTMENTS[adjustment](comparison.p_values())]
    first, second = page_names([run.folder for run in pairing.runs])
    changes = [escaped_line(change) for change in pairing.changes_in_words()]
    more = f" and {len(changes) - _FEW} more settings, listed below" if len(changes) > _FEW else ""
    runs, spread = dict(zip("AB", pairing.runs, strict=True)), comparison.spread()
    words = notes(comparison, adjustment, coloured=False)
    lead = [
        f"{how_many(len(pairing.games), 'game')} in pairs, {pairing.players} players, "
        f"seed {pairing.first.identity['seed']}. A is {first}, B is {second}. {bots_line(pairing.runs)}",
        *pairing.settings(),
        f"Changed: {'; '.join(changes[:_FEW]) or 'nothing'}{more}.",
    ]
    sheets = [
        Sheet("Means per game", ("", "A", "B", *_HEADS), _rows(comparison, adjusted, spread), words),
        *([Sheet("All that differs", ("setting",), [[each] for each in changes])] if len(changes) > _FEW else []),
    ]
    summaries = {letter: summarise(run) for letter, run in runs.items()}
    known = _takeaways([(comparison, adjusted, "")], "No change is known")
    takeaways = [*_spread_lines(spread, comparison.level), *known]
    return sheets_page(
        "Two runs compared", lead, takeaways, sheets, ("This page", f"wallsim compare {first} {second} --html FILE"),
        _assumptions(summaries), panels=wins_panels(summaries, None, {}), played=played_rows(runs),
        shared=two_files(shared_scenarios(runs), pairing.first.manifest),
    )  # fmt: skip


def scenarios_page(result: ScenarioComparison, folder: Folder, adjustment: str = "holm") -> str:
    """The page on scenarios: the fairest first, and each against the baseline, with simultaneous intervals.

    It has what was played, and the experiment by which others play it again.
    """
    adjusted = iter([float(each) for each in ADJUSTMENTS[adjustment](result.p_values())])
    known = [(each, [next(adjusted) for _ in each.contrasts], f"{name}: ") for name, each in result.comparisons.items()]
    first = next(iter(result.comparisons.values())).pairing.first
    runs = {result.baseline: first, **{name: each.pairing.second for name, each in result.comparisons.items()}}
    summaries, found = {name: summarise(run) for name, run in runs.items()}, fairness(result)
    changes = {
        name: [escaped_line(change) for change in each.pairing.changes_in_words()]
        for name, each in result.comparisons.items()
    }
    panels = wins_panels(summaries, found, changes)
    takeaways = fairness_lines(found) if found else []
    if found is None or not (found.known(-1) or found.known(1)):
        takeaways += _takeaways(known, "No change of wins or points is known")
    lead = [
        f"{how_many(len(runs), 'scenario')}, {_games(runs)}, {first.identity['players']} players. "
        f"{bots_line(runs.values())}",
        *settings_lines(first, result.baseline),
        *_unshown(changes, panels),
    ]
    return sheets_page(
        headline(found) if found else "Scenarios compared", lead, takeaways,
        [*([imbalance_sheet(found, changes)] if found else []), *_change_sheets(result, known, adjustment)],
        ("This page", f"wallsim compare {in_shell(page_names([folder])[0])} --html FILE"), _assumptions(summaries),
        panels=panels, played=played_rows(runs), shared=scenario_files(shared_scenarios(runs), first.manifest),
    )  # fmt: skip


def _change_sheets(result: ScenarioComparison, known: Known, adjustment: str) -> list[Sheet]:
    """Every contrast of each scenario with the baseline, folded."""
    words = scenario_notes(result, adjustment, coloured=False)
    return [
        Sheet(
            f"Every change in {name}", ("", result.baseline, "scenario", *_HEADS),
            _rows(comparison, adjusted, comparison.spread()),
            [f"{how_many(len(comparison.pairing.games), 'game')} in pairs.", *words], folded=True,
        )
        for name, (comparison, adjusted, _) in zip(result.comparisons, known, strict=True)
    ]  # fmt: skip


def _unshown(changes: Mapping[str, Sequence[str]], panels: Panels | None) -> list[str]:
    """What the scenarios changed, a line each, for those whose charts do not say so."""
    shown = {panel.title for panel in panels.each} if panels else ()
    return [f"Changed in {name}: {in_one(each)}." for name, each in changes.items() if name not in shown]


def _assumptions(summaries: Mapping[str, Summary]) -> list[str]:
    return list(map(in_players_words, assumptions_of(summaries)))


def _games(runs: Mapping[str, Run]) -> str:
    games = sorted({run.manifest["games"] for run in runs.values()})
    return f"{games[0]:,} games each" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,} games each"


def _spread_lines(spread: SpreadChange | None, level: float) -> list[str]:
    """The imbalance of two runs, with intervals that hold for both together."""
    if spread is None:
        return []
    both = Confidence(level, 2)
    words = [
        value_in_words(Imbalance(name, each.value, each.interval(both)))
        for name, each in (("A", spread.first), ("B", spread.second))
    ]
    return [f"Imbalance: {words[0]} {UNIT} in A, {words[1]} in B. 0 is fair."]


def _rows(comparison: Comparison, adjusted: Sequence[float], spread: SpreadChange | None) -> list[list[str]]:
    rows = []
    for contrast, p_value in zip(comparison.contrasts, adjusted, strict=True):
        _, *cells = (cell.plain for cell in row_of(contrast, comparison, p_value))
        rows.append([_name(contrast), *cells])
    return [*rows, *([[cell.plain.strip() for cell in spread_row(spread, comparison.level)]] if spread else [])]


def _takeaways(known: Known, none: str) -> list[str]:
    """The changes that are known, the surest first, in sentences."""
    found = []
    for comparison, adjusted, scenario in known:
        for contrast, p_value in zip(comparison.contrasts, adjusted, strict=True):
            if p_value <= FOUND and contrast.change.value:
                value, interval = change_in_words(contrast, comparison)
                falls = "rises" if contrast.change.value > 0 else "falls"
                found.append((p_value, f"{scenario}{_name(contrast)} {falls}: {value} ({interval})."))
    found.sort(key=lambda each: each[0])
    more = len(found) - _MOST
    lines = [line for _, line in found[:_MOST]]
    return [*lines, *([f"{more} more lines of the tables are known to change."] if more > 0 else [])] or [f"{none}."]


def _name(contrast: Contrast) -> str:
    return escaped_line(f"{section(contrast)}: {heading(contrast)}")
