"""The picture of the study `tiles`: a bar a tile and round, and two dots a tile."""

from tests.analyses.studies import estimate
from wallsim.analyses.tiles.picture import worth_by_round
from wallsim.stats.intervals import Confidence

SURE = Confidence()
ROUNDS = ("spring 1", "summer 1", "fall 1", "spring 2", "summer 2", "fall 2")


def test_tiles_have_a_bar_a_round_and_two_dots_each():
    names = ("thaler", "six_armies")
    bars = {name: [estimate(1.0) for _ in ROUNDS] for name in names}
    left, right = worth_by_round(bars, ROUNDS, {name: (estimate(1.0), estimate(-1.0)) for name in names}, SURE).axes
    assert len(left.patches) == len(names) * len(ROUNDS)
    assert [label.get_text() for label in right.get_yticklabels()] == ["thaler", "six armies"]
