"""The first screen of the page on scenarios: which is the fairest, its imbalance and theirs, and wins by line-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.analysis.contrasts.scenarios import Fairness, Imbalance
from wallsim.analysis.games.summary import SeatFinding, Summary
from wallsim.errors import some_of
from wallsim.report.html.sheets import Panel, Panels, Sheet
from wallsim.report.html.svg import Dot, axis_of, dots
from wallsim.report.tables.estimates import NOTHING, ends, in_words, number

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
    return dots(rows, 0.0, "Imbalance of each scenario, with intervals", "points") if rows else ""


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
    bots = {each.policy for each in summary.seats}
    rows = {}
    for each in summary.seats:
        if each.share_interval is None:
            return {}
        low, high = (100 * end for end in each.share_interval)
        rows[_label(each, several=len(bots) > 1)] = Dot(100 * each.share, low, high, _percent(each))
    return dict(sorted(rows.items()))


def _label(finding: SeatFinding, *, several: bool) -> str:
    seat = finding.lineup or str(finding.seat)
    return f"{seat}, {finding.policy}" if several else seat


def _percent(finding: SeatFinding) -> str:
    return in_words(finding.share, finding.share_interval, 1, top=100.0, factor=100.0)
