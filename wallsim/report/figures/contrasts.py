"""The figure of a comparison of two runs: every change with its interval."""

from __future__ import annotations

from math import nan, sqrt
from textwrap import fill

from matplotlib.axes import Axes

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import Contrast
from wallsim.report.figures.style import ACCENT, FAINT, INK, new_axes, styled
from wallsim.report.tables.contrasts import change_in_words, heading, scale, section
from wallsim.report.tables.estimates import NOTHING, how_many

_LINE = 0.24  # inches a line
_MARGINS = 1.3
_TITLE = 80  # characters of a line of the title


@styled
def changes(comparison: Comparison, axes: Axes | None = None) -> Axes:
    """Every change of B against A as a dot with its simultaneous interval, in the order of the table.

    Lines of one column are drawn in its own unit. Lines of several are drawn in standard deviations of A from game to
    game, so that they share a scale; the text beside each has its own unit. A change without an interval is hollow.
    """
    lines = _lines(comparison)
    if axes is None:
        axes = new_axes(width=8.4, height=_MARGINS + _LINE * len(lines))
        title = f"What changed: {how_many(len(comparison.pairing.games), 'game')} in pairs"
        axes.set_title("\n".join([title, *(fill(line, _TITLE) for line in comparison.pairing.settings())]))
    same_column = len({each.column for each in comparison.contrasts}) == 1
    axes.axvline(0, color=ACCENT, linewidth=1.2, linestyle="--", zorder=1)
    for place, line in enumerate(lines):
        if isinstance(line, Contrast):
            _draw(axes, place, line, comparison, scale(line) if same_column else 1 / _deviation(line))
    axes.set_yticks(range(len(lines)), [_label(line) for line in lines])
    for label, line in zip(axes.get_yticklabels(), lines, strict=True):
        label.set_fontweight("bold" if isinstance(line, str) else "normal")
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    unit = heading(comparison.contrasts[0]) if same_column else "standard deviations of A between games"
    axes.set_xlabel(f"change, B minus A: {unit}\n(simultaneous {comparison.level:.0%} intervals)")
    axes.grid(True, axis="x", color=FAINT, alpha=0.3)
    return axes


def _lines(comparison: Comparison) -> list[str | Contrast]:
    lines: list[str | Contrast] = []
    last = None
    for each in comparison.contrasts:
        if section(each) != last:
            last = section(each)
            lines.append(last)
        lines.append(each)
    return lines


def _label(line: str | Contrast) -> str:
    return line if isinstance(line, str) else heading(line)


def _deviation(contrast: Contrast) -> float:
    # Of the mean of a game's cases in A; nan where games do not differ, so that nothing is drawn.
    deviation = contrast.first.error * sqrt(contrast.counted)
    return deviation if deviation > 0 else nan


def _draw(axes: Axes, place: int, contrast: Contrast, comparison: Comparison, factor: float) -> None:
    value, interval = factor * contrast.change.value, contrast.interval(comparison.confidence)
    if interval is not None:
        low, high = (factor * end for end in interval)
        axes.errorbar(value, place, xerr=[[value - low], [high - value]], color=INK, capsize=3, zorder=2)
    axes.plot(
        value, place, "o", color=INK, markersize=4, markerfacecolor="white" if interval is None else INK, zorder=3
    )
    words, between = change_in_words(contrast, comparison)
    axes.annotate(  # beside the axes, where no line crosses it
        words if between == NOTHING else f"{words} ({between})", (1, place), (8, 0),
        xycoords=("axes fraction", "data"), textcoords="offset points", va="center", fontsize=8.5,
    )  # fmt: skip
