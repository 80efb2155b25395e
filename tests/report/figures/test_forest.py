"""The picture of a comparison shows every line of its table with its words."""

import pytest

from tests.report.figures.test_run import texts_of
from tests.report.figures.words import assert_apart
from tests.report.tables.test_contrasts import comparison
from wallsim.report.figures.forest import changes


def test_every_change_stands_beside_its_line_with_its_interval():
    result = comparison()
    axes = changes(result)
    words = texts_of(axes)
    low, high = result.contrasts[1].interval(result.confidence)
    assert f"+{result.contrasts[1].change.value:.2f} ({low:.2f} to {high:.2f})" in words
    assert {"treated seat", "other seats", "table", "wins, %", "same"} <= set(words)
    assert len(axes.get_yticks()) == len(result.contrasts) + 3
    assert "deviations of A" in axes.get_xlabel()


def test_lines_of_one_column_are_drawn_in_its_unit():
    result = comparison(columns=("win",))
    axes = changes(result)
    assert axes.get_xlabel().startswith("change, B minus A: wins, %")
    drawn = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert drawn == [pytest.approx(100 * result.contrasts[0].change.value)]


def test_no_two_texts_touch():
    axes = changes(comparison())
    axes.figure.canvas.draw()
    shown = [text for text in (*axes.texts, *axes.get_yticklabels()) if text.get_text()]
    assert_apart(shown)
    assert all(text.get_window_extent().x0 >= 0 for text in shown)
    assert all(text.get_window_extent().x1 <= axes.figure.bbox.x1 for text in shown)
