"""The picture of behaviour shows every policy and measure, values as text and distances as colour."""

import polars as pl
import pytest

from wallsim.analyses.zoo.picture import behaviour_map

POLICIES, MEASURES = ("plain", "wild", "meek"), ("attacks on players", "success against neutrals", "Thalers bid")


def cells(policies=POLICIES, measures=MEASURES):
    rows = [
        (policy, measure, "a game", f"{k}.{j}", distance)
        for k, policy in enumerate(policies)
        for j, measure in enumerate(measures)
        for distance in [0.0 if k == 0 else (float("inf"), float("nan"), -0.5)[j % 3]]
    ]
    return pl.DataFrame(rows, schema=["policy", "measure", "unit", "shown", "apart"], orient="row")


def test_every_cell_has_its_text_and_the_colour_of_its_distance():
    axes = behaviour_map(cells(), "plain").axes[0]
    assert [text.get_text() for text in axes.texts] == [f"{k}.{j}" for k in range(3) for j in range(3)]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(POLICIES)
    assert [label.get_text() for label in axes.get_xticklabels()] == [f"{measure}\na game" for measure in MEASURES]
    shades = axes.collections[0].get_array().reshape(3, 3)
    assert shades.tolist() == [[0, 0, 0], [3, 0, -0.5], [3, 0, -0.5]]  # endless is the end of the colours
    assert axes.texts[3].get_color() == "white"
    assert axes.texts[5].get_color() != "white"


def test_the_baseline_is_marked_and_the_title_there():
    figure = behaviour_map(cells(), "wild", "so many games")
    weights = [label.get_fontweight() for label in figure.axes[0].get_yticklabels()]
    assert weights == ["normal", "bold", "normal"]
    assert figure.get_supxlabel() == "so many games"
    assert "wild" in figure.axes[1].get_ylabel()


def test_labels_do_not_touch_with_sixteen_policies_and_measures():
    figure = behaviour_map(
        cells([f"policy number {k}" for k in range(16)], [f"measure number {k}" for k in range(16)]), "policy number 0"
    )
    figure.canvas.draw()
    axes = figure.axes[0]
    for labels in (axes.get_yticklabels(), axes.texts):
        boxes = [label.get_window_extent() for label in labels]
        assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_a_baseline_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="'odd' is not one of the policies, plain, wild, meek"):
        behaviour_map(cells(), "odd")
