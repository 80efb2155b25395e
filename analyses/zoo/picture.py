"""The figure of behaviour: a heat map of policies by measures, coloured by distance from a baseline policy."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.figure import Figure

from wallsim.report.figures.style import INK, styled

_FARTHEST = 3.0  # standard deviations at which the colours end
_DARK = 1.9  # standard deviations from which the text is white
_SHADES = 25  # few make a small picture; an odd number has one for the baseline
_CELL = (0.48, 0.25)  # inches
_MARGINS = (2.6, 2.1)  # for names of policies and the scale of colours, and for names of measures and the title


@styled
def behaviour_map(cells: pl.DataFrame, baseline: str, title: str = "") -> Figure:
    """One row per policy, one column per measure: the value as text, coloured by its distance from the baseline.

    `cells`: columns policy, measure, unit, shown (the text), apart (standard deviations above the baseline, infinite or
    nan where there are none), in the order to draw them, every policy with every measure. ValueError without the
    baseline.
    """
    policies = cells["policy"].unique(maintain_order=True).to_list()
    if baseline not in policies:
        raise ValueError(f"baseline: {baseline!r} is not one of the policies, {', '.join(policies)}")
    heads = cells.unique(["measure", "unit"], maintain_order=True)
    form = (len(policies), heads.height)
    apart = cells["apart"].to_numpy().reshape(form)
    shown = cells["shown"].to_numpy().reshape(form)
    size = (form[1] * _CELL[0] + _MARGINS[0], form[0] * _CELL[1] + _MARGINS[1])
    figure, axes = plt.subplots(figsize=size)
    import seaborn as sns  # its import takes seconds, and the report needs no picture

    shades = sns.color_palette("vlag", as_cmap=True).resampled(_SHADES)
    sns.heatmap(
        np.clip(np.nan_to_num(apart, nan=0.0), -_FARTHEST, _FARTHEST),
        vmin=-_FARTHEST, vmax=_FARTHEST, cmap=shades, annot=shown, fmt="", annot_kws={"fontsize": 7},
        linewidths=1.0, linecolor="white", ax=axes, yticklabels=policies,
        xticklabels=[f"{row['measure']}\n{row['unit']}" for row in heads.iter_rows(named=True)],
        cbar_kws={"label": f"standard deviations\nfrom {baseline}", "ticks": [-3, -2, -1, 0, 1, 2, 3], "pad": 0.01},
    )  # fmt: skip
    for text, distance in zip(axes.texts, apart.flat, strict=True):
        text.set_color("white" if abs(distance) > _DARK else INK)
    axes.tick_params(axis="x", top=True, labeltop=True, bottom=False, labelbottom=False, length=0, labelsize=8)
    axes.tick_params(axis="y", length=0, labelrotation=0)
    plt.setp(axes.get_xticklabels(), rotation=45, ha="left", rotation_mode="anchor")
    for label in axes.get_yticklabels():
        label.set_color(INK)
        label.set_fontweight("bold" if label.get_text() == baseline else "normal")
    figure.supxlabel(title, x=0.01, ha="left", fontsize=9)
    return figure
