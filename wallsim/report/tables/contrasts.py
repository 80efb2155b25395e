"""What changed between two runs as a table: a line per column, its value in both, the change, the gain by pairing."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import DEVIATION, EACH, MARGIN, TABLE, WIN, Contrast
from wallsim.analysis.contrasts.scenarios import ScenarioComparison
from wallsim.analysis.games.spread import SpreadChange
from wallsim.escaping import escaped_line
from wallsim.report.tables.estimates import NOTHING, bounded, ends, how_many, number
from wallsim.rules.other_settings import settings_line, settings_of
from wallsim.stats.intervals import Confidence
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


def heading(contrast: Contrast) -> str:
    """The column of a contrast in words, such as `VP, best minus worst`."""
    name = _HEADINGS.get(contrast.column, contrast.column.replace("_", " "))
    return f"{name}, {contrast.who.removeprefix(f'{TABLE}, ')}" if contrast.who in (DEVIATION, MARGIN) else name


def section(contrast: Contrast) -> str:
    """Whose numbers these are, and in which group of games."""
    who = TABLE if contrast.who in (DEVIATION, MARGIN) else contrast.who
    return contrast.group if who == EACH else f"{contrast.group}: {who}" if contrast.group else who


def scale(contrast: Contrast) -> float:
    """100 for wins, which are written in per cent, else 1."""
    return 100.0 if contrast.column == WIN else 1.0


def change_in_words(contrast: Contrast, comparison: Comparison) -> tuple[str, str]:
    """The change with its sign and its interval, for a cell each; `same` where no game differs."""
    interval = contrast.interval(comparison.confidence)
    if contrast.same and interval is None:
        return "same", NOTHING
    value = bounded(scale(contrast) * contrast.change.value, _DECIMALS, sign="+")
    return value, ends(interval, _DECIMALS, scale(contrast))


def print_comparison(console: Console, comparison: Comparison, adjustment: str = "holm") -> None:
    """Print a comparison, its notes, and how much pairing gained; `adjustment` is a key of ADJUSTMENTS."""
    pairing = comparison.pairing
    games, seed = how_many(len(pairing.games), "game"), pairing.first.identity["seed"]
    title = f"{games} in pairs, {pairing.players} players, seed {seed}"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("means per game")
    for name in ("A", "B", "change", "interval", "p"):
        table.add_column(name, justify="right", no_wrap=True)
    adjusted = ADJUSTMENTS[adjustment](comparison.p_values())
    last = None
    for contrast, p_value in zip(comparison.contrasts, adjusted, strict=True):
        if section(contrast) != last:
            last = section(contrast)
            table.add_section()
            table.add_row(Text(last, style="italic"))
        table.add_row(*row_of(contrast, comparison, float(p_value)))
    for letter, run in zip("AB", pairing.runs, strict=True):
        console.print(f"{letter}: {run.folder}", soft_wrap=True)
    for line in pairing.settings():
        console.print(line, soft_wrap=True, markup=False)
    console.print(f"Changed: {escaped_line('; '.join(pairing.changes())) or 'nothing'}.\n")
    console.print(table)
    console.print(Text("\n".join([*_spread_of_wins(comparison), *notes(comparison, adjustment)]), style="dim"))


def print_scenarios(console: Console, result: ScenarioComparison, adjustment: str = "holm") -> None:
    """Print every scenario against the baseline, a section each; `adjustment` is a key of ADJUSTMENTS."""
    first = next(iter(result.comparisons.values()))
    games = sorted({len(each.pairing.games) for each in result.comparisons.values()})
    title = (
        f"{how_many(len(result.comparisons), 'scenario')} against {result.baseline}: "
        f"{how_many(games[0], 'game')} in pairs{f' or more, {games[-1]:,} at most' if len(games) > 1 else ''}, "
        f"{first.pairing.players} players, seed {first.pairing.first.identity['seed']}"
    )
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("means per game")
    for name in (result.baseline, "scenario", "change", "interval", "p"):
        table.add_column(Text(name), justify="right", no_wrap=True)
    adjusted = iter(ADJUSTMENTS[adjustment](result.p_values()))
    for name, comparison in result.comparisons.items():
        table.add_section()
        table.add_row(Text(name, style="italic"))
        for contrast in comparison.contrasts:
            cells = row_of(contrast, comparison, float(next(adjusted)))
            table.add_row(Text(f"  {section(contrast)}: {heading(contrast)}"), *cells[1:])
        spread = comparison.spread()
        if spread is not None:
            table.add_row(*spread_row(spread, comparison.level))
    for line in scenario_settings(result):
        console.print(line, soft_wrap=True, markup=False)
    console.print()
    console.print(table)
    console.print(Text("\n".join(scenario_notes(result, adjustment)), style="dim"))


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


def spread_row(spread: SpreadChange, level: float) -> list[Text]:
    """The cells of the imbalance of the line-ups: name, both values, change, interval, and no p."""
    interval = spread.change.interval(Confidence(level))
    cells = [
        "  imbalance, % points",
        number(spread.first.value, _DECIMALS),
        number(spread.second.value, _DECIMALS),
        number(spread.change.value, _DECIMALS, "+"),
        NOTHING if interval is None else ends(interval, _DECIMALS),
        "",
    ]
    return [Text(cell) for cell in cells]


def _spread_of_wins(comparison: Comparison) -> list[str]:
    """How much more or less wins are spread between line-ups, where seats differ by these alone; a line or none."""
    found = comparison.spread()
    if found is None:
        return []
    interval = found.change.interval(Confidence(comparison.level))
    within = " (not known to be far enough from 0 for an interval)"
    if interval is not None:
        within = f" ({ends(interval, 2)}; one interval for itself)"
    return [
        f"Imbalance of the line-ups, in percentage points: A {number(found.first.value, 2)}, B "
        f"{number(found.second.value, 2)}, change {number(found.change.value, 2, '+')}{within}. 0 is fair."
    ]


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


def row_of(contrast: Contrast, comparison: Comparison, p_value: float) -> list[Text]:
    """The cells of a contrast: name, both values, change, interval, p."""
    change, interval = change_in_words(contrast, comparison)
    factor = scale(contrast)
    result = p_value <= FOUND
    style = ("green" if contrast.change.value > 0 else "red") if result else ""
    cells = [
        f"  {heading(contrast)}",
        number(factor * contrast.first.value, _DECIMALS),
        number(factor * contrast.second.value, _DECIMALS),
        change,
        interval,
        _probability(p_value),
    ]
    return [Text(cell, style=style if place == 3 else "") for place, cell in enumerate(cells)]
