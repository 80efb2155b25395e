"""The picture of the study `robustness`: a row a claim, a column a cell, a colour a side."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from wallsim.analyses.robustness.picture import SIDES, Row, verdicts_at_a_glance


def test_every_claim_has_a_row_and_every_side_its_colour():
    rows = [
        Row("price", "Thalers bring points.", ["holds"] * 8),
        Row("draft", "A very long claim. " * 9, ["", "", "fails", "open"] * 2),
    ]
    figure = verdicts_at_a_glance(rows, ["weak", "second strong"], ["line-ups", "draft"], "a title")
    [axes] = figure.axes
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels[0] == "price: Thalers bring points"
    assert labels[1].startswith("draft: A very long claim")
    assert len(labels[1]) < 110
    [image] = axes.get_images()
    known = np.ma.filled(image.get_array().astype(float), np.nan)
    colour = {side: to_hex(image.cmap(image.norm(list(SIDES).index(side)))) for side in SIDES}
    assert colour == SIDES
    assert np.array_equal(known[0], [list(SIDES).index("holds")] * 8)
    assert np.isnan(known[1][[0, 1, 4, 5]]).all()
    assert known[1][[2, 3, 6, 7]].tolist() == [list(SIDES).index(side) for side in ("fails", "open")] * 2
    assert [text.get_text() for text in axes.get_xticklabels()] == ["line-ups", "draft"] * 2
    assert [place - 0.5 for place in axes.get_xticks()] == [0, 2, 4, 6]
    figure.canvas.draw()
    edge = figure.get_window_extent()
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [*SIDES, "not judged there"]
    for box in [legend.get_window_extent(), *(text.get_window_extent() for text in axes.get_yticklabels())]:
        assert edge.x0 <= box.x0
        assert box.x1 <= edge.x1
    plt.close(figure)
