"""What changed between two runs, and between scenarios: a line per contrast, for people and for programs.

Each has its value in both runs, the change, and the gain by pairing. docs/json.md lists the keys of the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import isnan
from statistics import median
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import DEVIATION, EACH, MARGIN, TABLE, WIN, Contrast
from wallsim.analysis.contrasts.scenarios import ScenarioComparison
from wallsim.escaping import escaped_line
from wallsim.report.tables.columns import Column, Document, objects_of, texts_of
from wallsim.report.tables.console import number_table, print_lines, print_notes
from wallsim.report.tables.estimates import bounded, ends, how_many, number
from wallsim.rules.other_settings import settings_line, settings_of
from wallsim.stats.intervals import Confidence, Interval
from wallsim.stats.screening import benjamini_hochberg, holm

ADJUSTMENTS = {"holm": holm, "bh": benjamini_hochberg}
_NAMES = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
_HEADINGS = {
    WIN: "wins, %",
    "vp": "VP",
    "vp_year1": "VP of year one",
    "vp_with_board": "VP with the board",
    "thalers": "Thalers",
}
_DECIMALS = 2
_P_DECIMALS = 3
_SMALLEST = 0.001  # p-value that is written
FOUND = 0.05  # a p-value up to which a change is known


class Line(NamedTuple):
    """A contrast as it is shown, with its interval and its adjusted p-value."""

    contrast: Contrast
    interval: Interval | None
    p_value: float

    @property
    def heading(self) -> str:
        """The column in words, such as `VP, best minus worst`."""
        who, column = self.contrast.who, self.contrast.column
        name = _HEADINGS.get(column, column.replace("_", " "))
        return f"{name}, {who.removeprefix(f'{TABLE}, ')}" if who in (DEVIATION, MARGIN) else name

    @property
    def section(self) -> str:
        """Whose numbers these are, and in which group of games."""
        group, who = self.contrast.group, TABLE if self.contrast.who in (DEVIATION, MARGIN) else self.contrast.who
        return group if who == EACH else f"{group}: {who}" if group else who

    @property
    def name(self) -> str:
        """Section and column, in one line."""
        return f"{self.section}: {self.heading}"

    @property
    def scale(self) -> float:
        """100 for wins, which are written in per cent, else 1."""
        return 100.0 if self.contrast.column == WIN else 1.0

    @property
    def change(self) -> str:
        """The change with its sign; `same` where no game differs."""
        if self.contrast.same and self.interval is None:
            return "same"
        return bounded(self.scale * self.contrast.change.value, _DECIMALS, sign="+")

    @property
    def ends(self) -> str:
        """The ends of the change's interval; a dash without one."""
        return ends(self.interval, _DECIMALS, self.scale)

    @property
    def known(self) -> int:
        """1 if the number is known to rise, -1 if it is known to fall, else 0."""
        return int(np.sign(self.contrast.change.value)) if self.p_value <= FOUND else 0


CONTRASTS = (
    Column("column", value=lambda line: line.contrast.column),
    Column("who", value=lambda line: line.contrast.who),
    Column("group", value=lambda line: line.contrast.group or None),
    Column("games", value=lambda line: line.contrast.counted),
    Column("first", "A", lambda line: line.contrast.first.value,
           lambda line: number(line.scale * line.contrast.first.value, _DECIMALS)),
    Column("second", "B", lambda line: line.contrast.second.value,
           lambda line: number(line.scale * line.contrast.second.value, _DECIMALS)),
    Column("change", "change", lambda line: line.contrast.change.value, lambda line: line.change),
    Column("interval", "interval", text=lambda line: line.ends),
    Column("p_adjusted", "p", lambda line: line.p_value, lambda line: _probability(line.p_value)),
    Column("pairing_gain", value=lambda line: line.contrast.pairing_gain),
)  # fmt: skip
NUMBERS = ("change", "interval", "p")  # the headings after those of both runs
_COLOURS = {1: "green", -1: "red", 0: ""}


def lines_of(comparison: Comparison, adjustment: str = "holm") -> list[Line]:
    """The contrasts of two runs; `adjustment` is a key of ADJUSTMENTS."""
    return _lines([comparison], comparison.p_values(), adjustment)[0]


def lines_of_scenarios(result: ScenarioComparison, adjustment: str = "holm") -> dict[str, list[Line]]:
    """The contrasts of each scenario; p-values are adjusted over all scenarios together."""
    found = _lines(result.comparisons.values(), result.p_values(), adjustment)
    return dict(zip(result.comparisons, found, strict=True))


def _lines(comparisons: Iterable[Comparison], p_values: Sequence[float], adjustment: str) -> list[list[Line]]:
    adjusted = iter(ADJUSTMENTS[adjustment](p_values))
    return [
        [Line(each, each.interval(one.confidence), float(next(adjusted))) for each in one.contrasts]
        for one in comparisons
    ]


class Spreads(NamedTuple):
    """The imbalance of the line-ups in both runs, and its change with an interval by itself."""

    first: float
    second: float
    change: float
    interval: Interval | None

    def row(self) -> list[str]:
        """The cells of a line of the table: name, both values, the change, its interval, and no p."""
        values = number(self.first, _DECIMALS), number(self.second, _DECIMALS), number(self.change, _DECIMALS, "+")
        return ["imbalance, % points", *values, ends(self.interval, _DECIMALS), ""]


def spreads_of(comparison: Comparison) -> Spreads | None:
    """The imbalance in percentage points; None where seats differ by more than their line-ups."""
    found = comparison.spread()
    if found is None:
        return None
    interval = found.change.interval(Confidence(comparison.level))
    return Spreads(found.first.value, found.second.value, found.change.value, interval)


def print_comparison(console: Console, comparison: Comparison, adjustment: str = "holm") -> None:
    """Print a comparison, its notes, and how much pairing gained; `adjustment` is a key of ADJUSTMENTS."""
    pairing = comparison.pairing
    games, seed = how_many(len(pairing.games), "game"), pairing.first.identity["seed"]
    title = f"{games} in pairs, {pairing.players} players, seed {seed}"
    table = number_table(("means per game", "A", "B", *NUMBERS), title=title)
    for section, lines in groupby(lines_of(comparison, adjustment), key=lambda line: line.section):
        _add_section(table, section, [(line, line.heading) for line in lines])
    for letter, run in zip("AB", pairing.runs, strict=True):
        console.print(f"{letter}: {run.folder}", soft_wrap=True)
    print_lines(console, pairing.settings())
    console.print(f"Changed: {escaped_line('; '.join(pairing.changes())) or 'nothing'}.\n")
    console.print(table)
    print_notes(console, [*_spread_of_wins(comparison), *notes(comparison, adjustment)])


def print_scenarios(console: Console, result: ScenarioComparison, adjustment: str = "holm") -> None:
    """Print every scenario against the baseline, a section each; `adjustment` is a key of ADJUSTMENTS."""
    first = next(iter(result.comparisons.values())).pairing
    games = sorted({len(each.pairing.games) for each in result.comparisons.values()})
    title = (
        f"{how_many(len(result.comparisons), 'scenario')} against {result.baseline}: "
        f"{how_many(games[0], 'game')} in pairs{f' or more, {games[-1]:,} at most' if len(games) > 1 else ''}, "
        f"{first.players} players, seed {first.first.identity['seed']}"
    )
    table = number_table(("means per game", result.baseline, "scenario", *NUMBERS), title=title)
    for name, lines in lines_of_scenarios(result, adjustment).items():
        _add_section(table, name, [(line, line.name) for line in lines])
        if (spreads := spreads_of(result.comparisons[name])) is not None:
            cells = spreads.row()
            table.add_row(*map(Text, (f"  {cells[0]}", *cells[1:])))
    print_lines(console, scenario_settings(result))
    console.print()
    console.print(table)
    print_notes(console, scenario_notes(result, adjustment))


def _add_section(table: Table, section: str, lines: Iterable[tuple[Line, str]]) -> None:
    """A heading in italics and a row for each contrast, by a name; known changes have a colour."""
    table.add_section()
    table.add_row(Text(section, style="italic"))
    for line, name in lines:
        first, second, change, *rest = texts_of(CONTRASTS, [line])[0]
        table.add_row(*map(Text, (f"  {name}", first, second)), Text(change, _COLOURS[line.known]), *map(Text, rest))


def comparison_document(comparison: Comparison, adjustment: str) -> Document:
    """Every contrast of two runs; `adjustment` is a key of ADJUSTMENTS."""
    pairing, resampling = comparison.pairing, comparison.resampling
    return {
        "first": pairing.first.folder,
        "second": pairing.second.folder,
        "not_default": [settings_of(run.manifest) for run in pairing.runs],
        "changes": pairing.changes(),
        "games": len(pairing.games),
        "players": pairing.players,
        "seed": pairing.first.identity["seed"],
        "level": comparison.level,
        "simultaneous_intervals": comparison.confidence.n_comparisons,
        "intervals": {
            "method": comparison.method,
            "resamples": resampling.resamples if resampling else None,
            "seed": resampling.seed if resampling else None,
        },
        "adjustment": adjustment,
        "contrasts": objects_of(CONTRASTS, lines_of(comparison, adjustment)),
        **({"spread_of_wins": spreads} if (spreads := spreads_of(comparison)) else {}),
        "notes": comparison.notes,
    }


def scenarios_document(result: ScenarioComparison, adjustment: str = "holm") -> Document:
    """Every scenario against the baseline; p-values are adjusted over all scenarios together."""
    lines = lines_of_scenarios(result, adjustment)
    first = next(iter(result.comparisons.values())).pairing.first
    return {
        "baseline": result.baseline,
        "not_default": settings_of(first.manifest),
        "level": result.level,
        "simultaneous_intervals": result.confidence.n_comparisons,
        "adjustment": adjustment,
        "scenarios": {
            name: {
                "folder": comparison.pairing.second.folder,
                "not_default": settings_of(comparison.pairing.second.manifest),
                "changes": comparison.pairing.changes(),
                "games": len(comparison.pairing.games),
                "contrasts": objects_of(CONTRASTS, lines[name]),
                **({"spread_of_wins": spreads} if (spreads := spreads_of(comparison)) else {}),
            }
            for name, comparison in result.comparisons.items()
        },
    }


def scenario_settings(result: ScenarioComparison) -> list[str]:
    """A line on the settings of the baseline that are not the default, if there are any, and on what each changed."""
    run = next(iter(result.comparisons.values())).pairing.first
    line = settings_line(settings_of(run.manifest))
    changes = {name: "; ".join(each.pairing.changes_in_words()) for name, each in result.comparisons.items()}
    return [
        *([f"{result.baseline}: {line}"] if line else []),
        *(f"Changed in {name}: {escaped_line(change) or 'nothing'}." for name, change in changes.items()),
    ]


def scenario_notes(result: ScenarioComparison, adjustment: str, *, coloured: bool = True) -> list[str]:
    """What the numbers of scenarios mean and rest on, one sentence or two each."""
    games = sorted({len(each.pairing.games) for each in result.comparisons.values()})
    lines = [
        "Change: scenario minus baseline in games of the same number, which share their luck.",
        f"{result.confidence.n_comparisons} intervals hold simultaneously with {result.level:.0%} confidence "
        f"(Bonferroni), those of the imbalance each by itself. p: of no change, "
        f"adjusted for all lines of all scenarios by the method of {_NAMES[adjustment]}{_colours(coloured)}.",
    ]
    if games[0] < result.confidence.min_blocks:
        lines[1] = f"{result.confidence.too_few(games[0], 'games')} Draw no conclusions."
    return lines


def _spread_of_wins(comparison: Comparison) -> list[str]:
    """How much more or less wins are spread between line-ups, where seats differ by these alone; a line or none."""
    spreads = spreads_of(comparison)
    if spreads is None:
        return []
    _, first, second, change, interval, _ = spreads.row()
    within = "not known to be far enough from 0 for an interval"
    if spreads.interval is not None:
        within = f"{interval}; one interval for itself"
    words = f"A {first}, B {second}, change {change} ({within})"
    return [f"Imbalance of the line-ups, in percentage points: {words}. 0 is fair."]


def _colours(coloured: bool) -> str:
    return f"; green and red lines have at most {FOUND}" if coloured else ""


def notes(comparison: Comparison, adjustment: str, *, coloured: bool = True) -> list[str]:
    """What the numbers mean and rest on, and how much pairing gained, one sentence or two each."""
    confidence, games = comparison.confidence, len(comparison.pairing.games)
    lines = ["Change: B minus A in games of the same number, which share their luck.", *comparison.notes]
    if games < confidence.min_blocks:
        lines.append(f"{confidence.too_few(games, 'games')} Draw no conclusions.")
    else:
        lines.append(
            f"{confidence.n_comparisons} intervals hold simultaneously with {comparison.level:.0%} confidence "
            f"({_together(comparison)}); Tango's for wins, Student's t for others. p: of no change, adjusted for all "
            f"lines by the method of {_NAMES[adjustment]}{_colours(coloured)}."
        )
        if any(each.counted < confidence.min_blocks for each in comparison.contrasts):
            lines.append(f"Lines of fewer than {confidence.min_blocks} games have no interval.")
    gain = gain_in_words(comparison.contrasts) if games >= confidence.min_blocks else ""
    return [*lines, gain] if gain else lines


def _together(comparison: Comparison) -> str:
    # What makes the intervals hold simultaneously.
    resampling = comparison.resampling
    if resampling is None:
        return "Bonferroni"
    return f"largest deviation of {resampling.resamples:,} bootstrap resamples of the games, seed {resampling.seed}"


def gain_in_words(contrasts: Sequence[Contrast]) -> str:
    """How much of the variance of a change pairing saves, over all lines; empty if no line has any variance."""
    gains = [each.pairing_gain for each in contrasts if not isnan(each.pairing_gain)]
    if not gains:
        return ""
    wins = [each.pairing_gain for each in contrasts if each.column == WIN and not isnan(each.pairing_gain)]
    of_wins = f", of wins {_per_cent(float(np.mean(wins)))}" if wins else ""
    low, high = _per_cent(min(gains)), _per_cent(max(gains))
    return (
        f"Pairing by game number saves {_per_cent(median(gains))} of the variance of a change in the middle line"
        f"{of_wins}"
        f"{f'; {low} to {high} over all lines' if low != high else ''}."
    )


def _per_cent(share: float) -> str:
    return f"{bounded(100 * share, 0, 100.0)} %"


def _probability(p_value: float) -> str:
    # Smaller ones rest on tails of the distribution that no number of games confirms.
    return f"< {_SMALLEST}" if p_value < _SMALLEST else number(p_value, _P_DECIMALS)
