"""The picture of the study `expansions`: a row an effect and a mark a play, and the styles' gains beside them."""

import numpy as np
from matplotlib import pyplot as plt

from wallsim.analyses.expansions.picture import expansions_at_a_glance
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

RNG = np.random.default_rng(2)


def effect(value):
    return block_mean(value + RNG.normal(0, 1, 100))


def half_widths(axes):
    return [np.ptp(bar[:, 0]) / 2 for container in axes.containers for bar in container.lines[2][0].get_segments()]


def test_every_effect_has_a_row_and_every_play_and_expansion_its_marks():
    panels = {
        outcome: {name: {"weak": effect(place), "strong": effect(-place)} for place, name in enumerate(("a", "b"))}
        for outcome in ("VP", "spread")
    }
    styles = {
        "builder": {"court": effect(-9), "leaders": effect(1)},
        "raider": {"court": effect(5), "leaders": effect(0)},
    }
    figure = expansions_at_a_glance(
        panels, ["weak", "strong"], styles, Confidence(), Confidence(n_comparisons=4), "a title"
    )
    points, spread, gains = figure.axes
    assert [text.get_text() for text in points.get_yticklabels()] == ["a", "b"]
    assert [text.get_text() for text in gains.get_yticklabels()] == ["builder", "raider"]
    drawn = {name: container.lines[0].get_xdata().tolist() for container in spread.containers
             for name in [container.get_label()]}  # fmt: skip
    assert drawn == {play: [panels["spread"][row][play].value for row in ("a", "b")] for play in ("weak", "strong")}
    assert [container.get_label() for container in gains.containers] == ["court", "leaders"]
    figure.canvas.draw()
    edge = figure.get_window_extent()
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["weak", "strong"]
    for shown in (legend, gains.get_legend()):
        box = shown.get_window_extent()
        assert edge.x0 <= box.x0
        assert box.x1 <= edge.x1
        assert edge.y0 <= box.y0
    assert half_widths(gains)[0] > 0
    plt.close(figure)
