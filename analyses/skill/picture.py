"""The picture of the study `skill`: shares of several fields of players, and wins by strength gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from wallsim.analysis.tournament.gaps import GapBin
from wallsim.analysis.tournament.skill import RESULTS
from wallsim.report.figures.skill import draw_bar, draw_gaps, legend_of
from wallsim.report.figures.style import styled

from .figures import Shares

_GROUP = 0.6  # rows between two fields


@styled
def skill_of_fields(
    skills: Mapping[str, Mapping[str, Sequence[Shares]]],
    bins: Mapping[int, Mapping[str, Sequence[GapBin]]],
    title: str,
) -> Figure:
    """Above, one panel per result with a bar for each field and number of players; below, wins by strength gap.

    `skills` by result (of `wallsim.analysis.tournament.skill.RESULTS`), then by field; the same fields for each result.
    `bins` by number of players, then by field, two at most. ValueError without any.
    """
    if not skills or not bins:
        raise ValueError("skills, bins: nothing to draw; at least one result and one number of players are needed")
    fields = next(iter(skills.values()))
    rows = sum(map(len, fields.values())) + _GROUP * len(fields)
    figure = plt.figure(figsize=(10.4, 1.8 + 0.27 * rows + 3.2))
    upper, lower = np.ravel(np.asarray(figure.subfigures(2, 1, height_ratios=(1.3 + 0.27 * rows, 3.2))))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9.5)
    panels = upper.subplots(1, len(skills), sharey=True, squeeze=False)
    for axes, (result, by_field) in zip(panels.flat, skills.items(), strict=True):
        place, ticks = 0.0, {}
        for field, of_field in by_field.items():
            for each in of_field:
                draw_bar(axes, place, each, compact=True)
                ticks[place] = f"{field}, {each.players} players"
                place += 1
            place += _GROUP
        axes.set_yticks(list(ticks), list(ticks.values()))
        axes.set_ylim(place - _GROUP - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, 100)
        axes.set_title(RESULTS[result], fontsize=9.5)
        axes.set_xlabel("share of the variance among the seats of a table, %")
    handles = legend_of(each for by_field in skills.values() for of_field in by_field.values() for each in of_field)
    upper.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8.5)
    gaps = lower.subplots(1, len(bins), sharey=True, squeeze=False)
    ends = [
        end for of in bins.values() for of_field in of.values() for each in of_field for end in (each.low, each.high)
    ]
    room = 0.05 * max(max(ends) - min(ends), 0.5)
    reach = np.linspace(min(ends) - room, max(ends) + room, 200)
    for axes, (players, by_name) in zip(gaps.flat, bins.items(), strict=True):
        draw_gaps(axes, players, by_name, reach)
        axes.set_title(f"{players} players", fontsize=9)
    gaps[0, 0].set_ylim(bottom=0)
    gaps[0, 0].set_ylabel("share of wins, %")
    gaps[0, 0].legend(loc="upper left")
    lower.supxlabel("strength of the seat above that of the others at its table, log units", fontsize=10)
    return figure
