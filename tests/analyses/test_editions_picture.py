"""The picture of the study `editions`: a row a setting, a mark a play, and the limit as a band."""

import numpy as np
from matplotlib import pyplot as plt

from wallsim.analyses.editions.picture import Row, switches_at_a_glance
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

RNG = np.random.default_rng(1)


def change(value):
    return block_mean(value + RNG.normal(0, 1, 200))


def test_every_setting_has_a_row_and_every_play_a_mark_where_it_was_played():
    rows = [
        Row("A1 a = b", {"weak": 0.0, "strong": 3.0}, {"weak": change(0), "strong": change(-1)}),
        Row("A2 c = d", {"weak": 100.0}, {"weak": change(2)}),
    ]
    figure = switches_at_a_glance(rows, ["weak", "strong"], 0.25, Confidence(), "a title")
    left, right = figure.axes
    assert [text.get_text() for text in left.get_yticklabels()] == ["A1 a = b", "A2 c = d"]
    shares = [line.get_xdata().tolist() for line in left.get_lines()]
    assert shares == [[0.01, 100.0], [3.0]]  # no game at all lies at the edge of the logarithmic axis
    points = [container.lines[0].get_xdata().tolist() for container in right.containers]
    assert points == [[rows[0].points["weak"].value, rows[1].points["weak"].value], [rows[0].points["strong"].value]]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["weak", "strong"]
    figure.canvas.draw()
    inside = figure.get_window_extent()
    assert legend.get_window_extent().x0 >= inside.x0
    assert legend.get_window_extent().x1 <= inside.x1
    plt.close(figure)
