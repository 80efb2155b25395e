"""The picture of the study `expansions`: a row an effect and a mark a play, and the styles' gains beside them."""

from types import SimpleNamespace

from matplotlib import pyplot as plt

from wallsim.analyses.expansions.picture import expansions_at_a_glance


def effect(value):
    return SimpleNamespace(value=value, ends=(value - 0.5, value + 0.5))


def test_every_effect_has_a_row_and_every_play_and_expansion_its_marks():
    panels = {
        outcome: {name: {"weak": effect(place), "strong": effect(-place)} for place, name in enumerate(("a", "b"))}
        for outcome in ("VP", "spread")
    }
    styles = {
        "builder": {"court": effect(-9), "leaders": effect(1)},
        "raider": {"court": effect(5), "leaders": effect(0)},
    }
    figure = expansions_at_a_glance(panels, ["weak", "strong"], styles, "a title")
    points, spread, gains = figure.axes
    assert [text.get_text() for text in points.get_yticklabels()] == ["a", "b"]
    assert [text.get_text() for text in gains.get_yticklabels()] == ["builder", "raider"]
    drawn = {name: container.lines[0].get_xdata().tolist() for container in spread.containers
             for name in [container.get_label()]}  # fmt: skip
    assert drawn == {play: [panels["spread"][row][play].value for row in ("a", "b")] for play in ("weak", "strong")}
    assert [container.get_label() for container in gains.containers] == ["court", "leaders"]
    figure.canvas.draw()
    edge = figure.get_window_extent()
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["weak", "strong"]
    for shown in (legend, gains.get_legend()):
        box = shown.get_window_extent()
        assert edge.x0 <= box.x0
        assert box.x1 <= edge.x1
        assert edge.y0 <= box.y0
    bars = gains.containers[0].lines[2][0].get_segments()
    assert [bar[:, 0].tolist() for bar in bars] == [[-9.5, -8.5], [4.5, 5.5]]
    plt.close(figure)
