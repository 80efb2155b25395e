"""The picture of behaviour shows every policy and measure, values as text and distances as colour."""

from wallsim.analyses.zoo.picture import behaviour_map

POLICIES, MEASURES = ("plain", "wild", "meek"), ("attacks on players", "success against neutrals", "Thalers bid")


def drawn(policies=POLICIES, measures=MEASURES, title=""):
    shown = [[f"{k}.{j}" for j in range(len(measures))] for k in range(len(policies))]
    apart = [[0.0 if k == 0 else (float("inf"), float("nan"), -0.5)[j % 3] for j in range(len(measures))]
             for k in range(len(policies))]  # fmt: skip
    return behaviour_map(policies, measures, shown, apart, title)


def test_every_cell_has_its_text_and_the_colour_of_its_distance():
    axes = drawn().axes[0]
    assert [text.get_text() for text in axes.texts] == [f"{k}.{j}" for k in range(3) for j in range(3)]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(POLICIES)
    assert [label.get_text() for label in axes.get_xticklabels()] == list(MEASURES)
    shades = axes.collections[0].get_array().reshape(3, 3)
    assert shades.tolist() == [[0, 0, 0], [3, 0, -0.5], [3, 0, -0.5]]  # endless is the end of the colours
    assert axes.texts[3].get_color() == "white"
    assert axes.texts[5].get_color() != "white"


def test_the_baseline_is_marked_and_the_title_there():
    figure = drawn(title="so many games")
    weights = [label.get_fontweight() for label in figure.axes[0].get_yticklabels()]
    assert weights == ["bold", "normal", "normal"]
    assert figure.get_supxlabel() == "so many games"
    assert "plain" in figure.axes[1].get_ylabel()


def test_labels_do_not_touch_with_sixteen_policies_and_measures():
    figure = drawn([f"policy number {k}" for k in range(16)], [f"measure number {k}" for k in range(16)])
    figure.canvas.draw()
    axes = figure.axes[0]
    for labels in (axes.get_yticklabels(), axes.texts):
        boxes = [label.get_window_extent() for label in labels]
        assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])
