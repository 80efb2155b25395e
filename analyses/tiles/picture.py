"""The picture of the study `tiles`: a bar a tile, round by round; beside it each tile as given and as held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, half_width, styled
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence


@styled
def worth_by_round(
    bars: Mapping[str, Sequence[Measured]], pairs: Sequence[tuple[Measured, Measured]], sure: Confidence,
    title: str = "", note: str = "",
) -> Figure:  # fmt: skip
    """A bar for each name in each round; beside it for each name what was given and what was held, as two dots."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.2), width_ratios=(2.2, 1))
    figure.suptitle(title, x=0.01, ha="left")
    figure.supxlabel(note, x=0.01, ha="left", fontsize=8)
    width = 0.8 / len(bars)
    for number, (name, values) in enumerate(bars.items()):
        places = [place + (number - (len(bars) - 1) / 2) * width for place in range(len(values))]
        left.bar(places, [one.value for one in values], width * 0.92, label=name, color=COLOURS[number])
        left.errorbar(
            places, [one.value for one in values], yerr=[half_width(one, sure) for one in values],
            fmt="none", ecolor=INK, elinewidth=0.9, capsize=1.5,
        )  # fmt: skip
    left.axhline(0, color=FAINT, linewidth=0.8)
    left.set_xticks(range(len(ROUND_NAMES)), ROUND_NAMES)
    left.set_ylabel("victory points")
    left.set_title("The tile against none")
    left.legend(ncols=len(bars), loc="upper center", bbox_to_anchor=(0.5, -0.1), columnspacing=1.0, handlelength=1.2)
    for which, (label, colour, marker) in enumerate((("given by the study", INK, "o"), ("held in play", ACCENT, "s"))):
        places = [place + 0.12 * (2 * which - 1) for place in range(len(pairs))]
        right.errorbar(
            [pair[which].value for pair in pairs], places,
            xerr=[half_width(pair[which], sure) for pair in pairs], fmt=marker, color=colour, label=label,
            markersize=5, capsize=2, elinewidth=1,
        )  # fmt: skip
    right.axvline(0, color=FAINT, linewidth=0.8)
    right.set_yticks(range(len(pairs)), list(bars))
    right.invert_yaxis()
    right.set_title("Against the mean, VP")
    right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2, columnspacing=1.0, handletextpad=0.3)
    return figure
