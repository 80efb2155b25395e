"""Pages on what changed between two runs, and between the scenarios of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.scenarios import Fairness, Imbalance, ScenarioComparison, fairness
from wallsim.analysis.games.spread import SpreadChange
from wallsim.analysis.games.summary import Summary, summarise
from wallsim.errors import some_of
from wallsim.escaping import escaped_line, in_shell
from wallsim.folder.address import Folder
from wallsim.folder.results import Run
from wallsim.play.shared_experiment import shared_scenarios
from wallsim.report.html.page import page_names
from wallsim.report.html.played import bots_line, settings_lines
from wallsim.report.html.sheets import AGAIN, Page, Panel, Panels, run_files, sheets_page
from wallsim.report.html.svg import Dot, axis_of, dots, share_dots
from wallsim.report.tables.columns import Sheet, texts_of
from wallsim.report.tables.contrasts import (
    CONTRASTS,
    NUMBERS,
    Line,
    lines_of,
    lines_of_scenarios,
    notes,
    scenario_notes,
    spreads_of,
)
from wallsim.report.tables.estimates import NOTHING, ends, how_many, number
from wallsim.report.tables.scenarios import assumptions_of
from wallsim.stats.intervals import Confidence

_MOST = 6  # takeaways of a page
_FEW = 4  # changed settings that stand above the tables


def comparison_page(comparison: Comparison, adjustment: str = "holm") -> str:
    """The page on two runs: what changed and is known to have changed, and every contrast with its interval."""
    pairing, lines = comparison.pairing, lines_of(comparison, adjustment)
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
        Sheet("Means per game", ("", "A", "B", *NUMBERS), _rows(lines, comparison), words),
        *([Sheet("All that differs", ("setting",), [[each] for each in changes])] if len(changes) > _FEW else []),
    ]
    summaries = {letter: summarise(run) for letter, run in runs.items()}
    takeaways = [*_spread_lines(spread, comparison.level), *_takeaways({"": lines}, "No change is known")]
    return sheets_page(
        Page(
            "Two runs compared", lead, takeaways, sheets, "This page", f"wallsim compare {first} {second} --html FILE",
            assumptions_of(summaries), wins_panels(summaries, None, {}), runs,
            run_files(shared_scenarios(runs), pairing.first.manifest,
                      f"wallsim compare {AGAIN}/scenario=A {AGAIN}/scenario=B --html"),
        )
    )  # fmt: skip


def scenarios_page(result: ScenarioComparison, folder: Folder, adjustment: str = "holm") -> str:
    """The page on scenarios: the fairest first, and each against the baseline, with simultaneous intervals.

    It has what was played, and the experiment by which others play it again.
    """
    lines = lines_of_scenarios(result, adjustment)
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
        takeaways += _takeaways(
            {f"{name}: ": each for name, each in lines.items()}, "No change of wins or points is known"
        )
    lead = [
        f"{how_many(len(runs), 'scenario')}, {_games(runs)}, {first.identity['players']} players. "
        f"{bots_line(runs.values())}",
        *settings_lines(first, result.baseline),
        *_unshown(changes, panels),
    ]
    return sheets_page(
        Page(
            headline(found) if found else "Scenarios compared", lead, takeaways,
            [*([imbalance_sheet(found, changes)] if found else []), *_change_sheets(result, lines, adjustment)],
            "This page", f"wallsim compare {in_shell(page_names([folder])[0])} --html FILE",
            assumptions_of(summaries), panels, runs,
            run_files(shared_scenarios(runs), first.manifest, f"wallsim compare {AGAIN} --html"),
        )
    )  # fmt: skip


def _change_sheets(result: ScenarioComparison, lines: Mapping[str, Sequence[Line]], adjustment: str) -> list[Sheet]:
    """Every contrast of each scenario with the baseline, folded."""
    words = scenario_notes(result, adjustment, coloured=False)
    return [
        Sheet(
            f"Every change in {name}", ("", result.baseline, "scenario", *NUMBERS),
            _rows(lines[name], comparison),
            [f"{how_many(len(comparison.pairing.games), 'game')} in pairs.", *words], folded=True,
        )
        for name, comparison in result.comparisons.items()
    ]  # fmt: skip


def _unshown(changes: Mapping[str, Sequence[str]], panels: Panels | None) -> list[str]:
    """What the scenarios changed, a line each, for those whose charts do not say so."""
    shown = {panel.title for panel in panels.each} if panels else ()
    return [f"Changed in {name}: {in_one(each)}." for name, each in changes.items() if name not in shown]


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


def _rows(lines: Sequence[Line], comparison: Comparison) -> list[list[str]]:
    rows = [[escaped_line(line.name), *cells] for line, cells in zip(lines, texts_of(CONTRASTS, lines), strict=True)]
    return [*rows, *([spreads.row()] if (spreads := spreads_of(comparison)) else [])]


def _takeaways(lines: Mapping[str, Sequence[Line]], none: str) -> list[str]:
    """The changes that are known, the surest first, in sentences; the names come before them."""
    found = [(line.p_value, name, line) for name, some in lines.items() for line in some if line.known]
    found.sort(key=lambda each: each[0])
    sentences = [
        f"{name}{escaped_line(line.name)} {'rises' if line.known > 0 else 'falls'}: {line.change} ({line.ends})."
        for _, name, line in found[:_MOST]
    ]
    more = len(found) - _MOST
    return [*sentences, *([f"{more} more lines of the tables are known to change."] if more > 0 else [])] or [
        f"{none}."
    ]


UNIT = "percentage points"
IMBALANCE = f"Imbalance: the standard deviation of the line-ups' win rates, in {UNIT}; 0 is fair."
_MOST_CHARTS = 24
_SHOWN = 3  # names in a headline


def headline(found: Fairness) -> str:
    """The page's title: the scenarios that are known to be fairer than the baseline, and not less fair than others."""
    better = [each.scenario for each in found.fairest if each.against(found.baseline) < 0]
    if not better:
        return f"No scenario is known to be fairer than {found.baseline.scenario}"
    return f"Fairer than {found.baseline.scenario}: {some_of(better, _SHOWN)}"


def fairness_lines(found: Fairness) -> list[str]:
    """Imbalance before and after, which scenarios are known to be fairer or less fair, and what that means."""
    before, best = found.baseline, found.ranked[0]
    lines = [f"{before.scenario}: {value_in_words(before)} {UNIT}."]
    if best is not before:
        lines = [
            f"Imbalance before and after: {value_in_words(before)} {UNIT} with {before.scenario}, "
            f"{value_in_words(best)} with {best.scenario}."
        ]
    alike = [each.scenario for each in found.fairest if each is not best]
    if alike:
        lines.append(f"Not distinguishable from {best.scenario}: {some_of(alike, 2 * _SHOWN)}.")
    for side, words in ((-1, "fairer"), (1, "less fair")):
        names = [each.scenario for each in found.known(side)]
        if names:
            lines.append(f"Known to be {words} than {before.scenario}: {some_of(names, 2 * _SHOWN)}.")
    return [*lines, IMBALANCE]


def value_in_words(each: Imbalance) -> str:
    """An imbalance with the ends of its interval: `4.3 (3.1 to 5.4)`."""
    return f"{number(each.value, 1)} ({ends(each.interval, 1)})" if each.interval else number(each.value, 1)


def imbalance_sheet(found: Fairness, changes: Mapping[str, Sequence[str]]) -> Sheet:
    """The table of imbalances, the fairest scenario first, with a chart where all have intervals."""
    rows = [
        (
            each.scenario, number(each.value, 1), ends(each.interval, 1),
            NOTHING if each.change is None else number(each.change, 1, "+"), ends(each.change_interval, 1),
            in_one(changes[each.scenario]) if each.scenario in changes else "compared with",
        )
        for each in found.ranked
    ]  # fmt: skip
    count = len(found.ranked)
    notes = [
        f"In {UNIT}. The intervals of all {count} imbalances hold simultaneously with 95 % confidence, and so do those "
        "of the changes. A change has an interval if both imbalances are far from 0."
    ]
    heads = ("scenario", "imbalance", "interval", f"change from {found.baseline.scenario}", "interval", "what changed")
    return Sheet("Imbalance, the fairest scenario first", heads, rows, notes, _imbalance_chart(found))


def in_one(changes: Sequence[str]) -> str:
    """What a scenario changed, in one line."""
    return "; ".join(changes) or "nothing"


def _imbalance_chart(found: Fairness) -> str:
    rows = {
        each.scenario: Dot(each.value, *each.interval, number(each.value, 1))  # intervals near 0 are not symmetric
        for each in found.ranked[:_MOST_CHARTS]
        if each.interval is not None
    }
    return dots(rows, 0.0, "Imbalance of each scenario, with intervals", "points")


def wins_panels(
    summaries: Mapping[str, Summary], found: Fairness | None, changes: Mapping[str, Sequence[str]]
) -> Panels | None:
    """Wins by line-up or seat, a chart for each scenario on one axis, the fairest first; None for too few games."""
    values = {each.scenario: f"Imbalance {value_in_words(each)}" for each in found.ranked} if found else {}
    order = sorted(summaries, key=list(values).index) if {*values} == {*summaries} else list(summaries)
    rows = {name: _wins(summaries[name]) for name in order[:_MOST_CHARTS]}
    if not all(rows.values()):
        return None
    fair = 100 * next(iter(summaries.values())).fair
    axis = axis_of(list(rows.values()), fair)
    each = [
        Panel(
            name, [*filter(None, [values.get(name, "")]), *changes.get(name, ())],
            dots(chart, fair, f"Wins with {name}, with intervals", "%", axis),
        )
        for name, chart in rows.items()
    ]  # fmt: skip
    notes = ["Share of games won, in per cent. The intervals of a chart hold simultaneously with 95 % confidence."]
    if len(order) > len(rows):
        notes.append(f"Charts of {len(rows)} of {len(order)} scenarios.")
    lettered = all(each.lineup for summary in summaries.values() for each in summary.seats)
    return Panels(f"Wins by {'line-up' if lettered else 'seat'} and scenario", each, notes)


def _wins(summary: Summary) -> dict[str, Dot]:
    # Empty where there are too few games for intervals.
    several = len({each.policy for each in summary.seats}) > 1
    labels = [f"{each.lineup or each.seat}{f', {each.policy}' if several else ''}" for each in summary.seats]
    shares = {label: (each.share, each.share_interval) for label, each in zip(labels, summary.seats, strict=True)}
    return dict(sorted(share_dots(shares).items()))
