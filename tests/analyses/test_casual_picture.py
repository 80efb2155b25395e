"""The picture of casual play has a line a name in both panels, and that of people stands out."""

from wallsim.analyses.casual.picture import as_people_report
from wallsim.report.figures.style import INK

POINTS = {"people": [45, 37, 34, 29, 26], "some": [50.0, 40.0, 30.0, 20.0, 10.0]}
BIDS = {"people": [4, 2, 1, 0, 0], "some": [1.0, 1.0, 0.0, 0.0, 0.0]}


def test_every_name_has_a_line_in_both_panels():
    figure = as_people_report(POINTS, BIDS, "people", "so many games")
    left, right = figure.axes
    for axes, lines in ((left, POINTS), (right, BIDS)):
        drawn = {line.get_label(): line for line in axes.get_lines()}
        assert set(drawn) == set(lines)
        assert drawn["some"].get_ydata().tolist() == lines["some"]
        assert drawn["people"].get_color() == INK
        assert drawn["some"].get_color() != INK
    assert (left.get_xlabel(), right.get_xlabel()) == ("place", "order of choosing")
    assert figure.get_suptitle() == "so many games"
