"""The picture of the study `amounts`: a row a number, the spread on the left and a mark for each tile on the right."""

import numpy as np
from matplotlib import pyplot as plt

from wallsim.analyses.amounts.picture import amounts_at_a_glance
from wallsim.rules.terms import TILES
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

RNG = np.random.default_rng(2)


def change(value):
    return block_mean(value + RNG.normal(0, 1, 200))


def test_every_number_has_a_row_and_every_tile_a_mark():
    rows = {f"number {place}: 0 to 2": [change(place), *(change(-place) for _ in TILES)] for place in range(3)}
    figure = amounts_at_a_glance(rows, Confidence(), "a title")
    left, right = figure.axes
    assert [text.get_text() for text in left.get_yticklabels()] == list(rows)
    for place, container in enumerate((*left.containers, *right.containers)):
        assert container.lines[0].get_xdata().tolist() == [row[place].value for row in rows.values()]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [tile.replace("_", " ") for tile in TILES]
    figure.canvas.draw()
    assert legend.get_window_extent().x1 <= figure.get_window_extent().x1
    plt.close(figure)
