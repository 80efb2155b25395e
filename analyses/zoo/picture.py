"""The figure of behaviour: a heat map of policies by measures, coloured by distance from a baseline policy."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from wallsim.report.figures.style import INK, styled

_FARTHEST = 3.0  # standard deviations at which the colours end
_DARK = 1.9  # standard deviations from which the text is white
_SHADES = 25  # few make a small picture; an odd number has one for the baseline
_CELL = (0.48, 0.25)  # inches
_MARGINS = (2.6, 2.1)  # for names of policies and the scale of colours, and for names of measures and the title


@styled
def behaviour_map(
    policies: Sequence[str], measures: Sequence[str], shown: Sequence[Sequence[str]], apart: Sequence[Sequence[float]],
    title: str = "",
) -> Figure:  # fmt: skip
    """One row per policy, the baseline first, and one column per measure.

    `shown` has their texts, and `apart` the standard deviations above the baseline, which are their colours: infinite
    or nan where there are none.
    """
    size = (len(measures) * _CELL[0] + _MARGINS[0], len(policies) * _CELL[1] + _MARGINS[1])
    figure, axes = plt.subplots(figsize=size)
    import seaborn as sns  # its import takes seconds, and the report needs no picture

    shades, baseline = sns.color_palette("vlag", as_cmap=True).resampled(_SHADES), policies[0]
    sns.heatmap(
        np.clip(np.nan_to_num(apart, nan=0.0), -_FARTHEST, _FARTHEST),
        vmin=-_FARTHEST, vmax=_FARTHEST, cmap=shades, annot=np.array(shown), fmt="", annot_kws={"fontsize": 7},
        linewidths=1.0, linecolor="white", ax=axes, yticklabels=policies, xticklabels=measures,
        cbar_kws={"label": f"standard deviations\nfrom {baseline}", "ticks": [-3, -2, -1, 0, 1, 2, 3], "pad": 0.01},
    )  # fmt: skip
    for text, distance in zip(axes.texts, np.ravel(apart), strict=True):
        text.set_color("white" if abs(distance) > _DARK else INK)
    axes.tick_params(axis="x", top=True, labeltop=True, bottom=False, labelbottom=False, length=0, labelsize=8)
    axes.tick_params(axis="y", length=0, labelrotation=0)
    plt.setp(axes.get_xticklabels(), rotation=45, ha="left", rotation_mode="anchor")
    for label in axes.get_yticklabels():
        label.set_color(INK)
        label.set_fontweight("bold" if label.get_text() == baseline else "normal")
    figure.supxlabel(title, x=0.01, ha="left", fontsize=9)
    return figure
