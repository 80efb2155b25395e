"""The picture of the study `events` shows every cell with its guessed sign, and no two of its texts touch."""

from tests.analyses.studies import estimate
from wallsim.analyses.events.picture import HeatTable, events_at_a_glance
from wallsim.stats.intervals import Confidence

SURE = Confidence()


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
    assert [label.get_text() for label in above.get_yticklabels()] == ["taxes of at most 5", "taxes of at least 6"]
    boxes = [text.get_window_extent() for text in (*above.texts, *above.get_xticklabels())]
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])
