"""The picture of the study `robustness`: a row a claim, a patch a cell that judges it, a colour a side."""

from collections import Counter

from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from wallsim.analyses.robustness.picture import COLOURS, Row, verdicts_at_a_glance

POOLS, SETUPS = ["weak", "second strong"], ["line-ups", "draft"]


def sides_drawn(axes, row):
    """The patches of a row from left to right: where each begins, how wide it is, and its side."""
    words = {colour: side for side, colour in COLOURS.items()}
    bars = [bar for bar in axes.patches if bar.get_y() <= row < bar.get_y() + bar.get_height()]
    return sorted((bar.get_x(), bar.get_width(), words[to_hex(bar.get_facecolor())]) for bar in bars)


def test_every_claim_has_a_row_and_every_cell_that_judges_it_a_patch():
    every = {(pool, setup): ["holds"] * 3 for pool in POOLS for setup in SETUPS}
    rows = [
        Row("price", "Thalers bring points.", every),
        Row("draft", "A very long claim. " * 9, {("weak", "draft"): ["fails", "open"], (POOLS[1], "draft"): ["open"]}),
        Row("draft", "A claim under nine towers.", {(POOLS[1], "line-ups"): ["holds"] * 8 + ["fails"]}),
    ]
    figure = verdicts_at_a_glance(rows, POOLS, SETUPS, "a title")
    [axes] = figure.axes
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels[0] == "price: Thalers bring points"
    assert labels[1].startswith("draft: A very long claim")
    assert len(labels[1]) < 110
    for number, row in enumerate(rows):
        drawn = Counter(side for _, _, side in sides_drawn(axes, number))
        assert drawn == Counter(side for sides in row.sides.values() for side in sides)
    assert sides_drawn(axes, 1) == [(1.0, 0.5, "fails"), (1.5, 0.5, "open"), (3.0, 1.0, "open")]
    assert [text.get_text() for text in axes.get_xticklabels()] == SETUPS * 2
    assert axes.get_xticks().tolist() == [0.5, 1.5, 2.5, 3.5]
    figure.canvas.draw()
    edge = figure.get_window_extent()
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [*COLOURS, "not judged there"]
    for box in [legend.get_window_extent(), *(text.get_window_extent() for text in axes.get_yticklabels())]:
        assert edge.x0 <= box.x0
        assert box.x1 <= edge.x1
    plt.close(figure)
