"""The pictures of studies of effects show every line, bar and cell, and no two of their texts touch."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from wallsim.report.figures.effects import HeatTable, events_at_a_glance, points_by_gift, worth_by_round
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

SURE = Confidence()
ROUNDS = ("spring 1", "summer 1", "fall 1", "spring 2", "summer 2", "fall 2")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def estimate(value, blocks=100):
    """An estimate near a value, from some blocks."""
    return block_mean(value + np.random.default_rng(1).normal(0, 1, blocks))


def test_gifts_have_a_line_a_round_through_the_origin_and_the_diagonal():
    lines = {moment: [(dose, estimate(dose / 4)) for dose in (-2, 1, 8)] for moment in ROUNDS}
    [axes] = points_by_gift(lines, SURE, "title").axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["1 VP a Thaler", *ROUNDS]
    drawn = [line for line in axes.lines if line.get_marker() in "os^DvP" and len(line.get_xdata()) == 4]
    assert all((0, 0) in zip(line.get_xdata(), line.get_ydata(), strict=True) for line in drawn)
    assert len(drawn) == len(ROUNDS)


def test_tiles_have_a_bar_a_round_and_two_dots_each():
    names = ("thaler", "six_armies")
    bars = {name: [estimate(1.0) for _ in ROUNDS] for name in names}
    left, right = worth_by_round(bars, ROUNDS, {name: (estimate(1.0), estimate(-1.0)) for name in names}, SURE).axes
    assert len(left.patches) == len(names) * len(ROUNDS)
    assert [label.get_text() for label in right.get_yticklabels()] == ["thaler", "six armies"]


def test_a_heat_table_names_signs_and_colours_only_what_is_known():
    values = {"tax_max_5": [estimate(-4.0), estimate(0.0, 5)], "tax_min_6": [estimate(1.0), estimate(0.0, 5)]}
    signs = {"tax_max_5": ["−", ""], "tax_min_6": ["+", ""]}
    table = HeatTable(values, signs, ("taxes", "VP of year one's leader"), SURE)
    figure = events_at_a_glance(table, {"winter 1": [(0, estimate(1.0)), (7, estimate(-1.0))]}, SURE)
    above, below = figure.axes
    words = [text.get_text() for text in above.texts]
    assert words[0].endswith(" (−)")
    assert words[2].endswith(" (+)")
    shades = above.images[0].get_array()
    assert (shades[:, 1] == 0).all()
    assert shades[0, 0] == -1
    assert below.get_xlabel().startswith("grain")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in (*above.texts, *above.get_xticklabels())]
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])
