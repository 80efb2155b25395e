"""The picture of the study `lineups`: a panel a version, a mark a cell."""

from matplotlib import pyplot as plt

from wallsim.analyses.lineups.picture import Panel, wins_by_version


def test_every_version_has_a_panel_and_every_cell_a_mark():
    first = Panel(
        "3 players, as printed",
        {letter: {("weak", "mid"): 30.0 + at, ("strong", "rulebook"): 36.0} for at, letter in enumerate("ABC")},
    )
    second = Panel("3 players, exchange of two counties", {letter: {("weak", "mid"): 100 / 3} for letter in "ABC"})
    figure = wins_by_version([[first, second], [first]], ["weak", "strong"], ["mid", "rulebook"], 2.0, "a title")
    panels = figure.axes
    assert len(panels) == 4
    assert not panels[3].axison
    marks = [line.get_ydata()[0] for line in panels[0].get_lines() if len(line.get_xdata()) == 1]
    assert marks == [30.0, 36.0, 31.0, 36.0, 32.0, 36.0]
    assert [text.get_text() for text in panels[1].get_xticklabels()] == ["A", "B", "C"]
    assert panels[1].get_title(loc="left") == "3 players\nexchange of two\ncounties"
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["weak", "strong", "tower mid", "tower rulebook"]
    figure.canvas.draw()
    inside = figure.get_window_extent()
    assert legend.get_window_extent().x0 >= inside.x0
    assert legend.get_window_extent().x1 <= inside.x1
    titles = [axes.get_tightbbox() for axes in panels[:2]]
    assert titles[0].x1 < titles[1].x0  # no title runs into the next panel
    plt.close(figure)
