"""The picture of the study `price`: a line a round, through the origin, and the diagonal."""

from tests.analyses.studies import estimate
from wallsim.analyses.price.picture import points_by_gift
from wallsim.stats.intervals import Confidence

SURE = Confidence()
ROUNDS = ("spring 1", "summer 1", "fall 1", "spring 2", "summer 2", "fall 2")


def test_gifts_have_a_line_a_round_through_the_origin_and_the_diagonal():
    lines = {moment: [(dose, estimate(dose / 4)) for dose in (-2, 1, 8)] for moment in ROUNDS}
    [axes] = points_by_gift(lines, SURE, "title").axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["1 VP a Thaler", *ROUNDS]
    drawn = [line for line in axes.lines if line.get_marker() in "os^DvP" and len(line.get_xdata()) == 4]
    assert all((0, 0) in zip(line.get_xdata(), line.get_ydata(), strict=True) for line in drawn)
    assert len(drawn) == len(ROUNDS)
