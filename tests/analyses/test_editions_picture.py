"""The picture of the study `editions`: a row a setting, a mark a play, and the limit as a band."""

from types import SimpleNamespace

from matplotlib import pyplot as plt

from wallsim.analyses.editions.picture import switches_at_a_glance


def change(value):
    return SimpleNamespace(value=value, ends=(value - 0.5, value + 0.5))


def test_every_setting_has_a_row_and_every_play_a_mark_where_it_was_played():
    changed = {"A1 a = b": {"weak": 0.0, "strong": 3.0}, "A2 c = d": {"weak": 100.0}}
    values = {"A1 a = b": {"weak": 0.1, "strong": -1.2}, "A2 c = d": {"weak": 2.3}}
    points = {name: {play: change(value) for play, value in each.items()} for name, each in values.items()}
    figure = switches_at_a_glance(changed, points, ["weak", "strong"], 0.25, "a title")
    left, right = figure.axes
    assert [text.get_text() for text in left.get_yticklabels()] == list(changed)
    shares = [line.get_xdata().tolist() for line in left.get_lines()]
    assert shares == [[0.01, 100.0], [3.0]]  # no game at all lies at the edge of the logarithmic axis
    assert [each.lines[0].get_xdata().tolist() for each in right.containers] == [[0.1, 2.3], [-1.2]]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["weak", "strong"]
    figure.canvas.draw()
    inside = figure.get_window_extent()
    assert legend.get_window_extent().x0 >= inside.x0
    assert legend.get_window_extent().x1 <= inside.x1
    plt.close(figure)
