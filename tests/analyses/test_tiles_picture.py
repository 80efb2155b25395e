"""The picture of the study `tiles`: a bar a tile and round, and two dots a tile."""

from tests.analyses.studies import estimate
from wallsim.analyses.tiles.picture import worth_by_round
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.intervals import Confidence

SURE = Confidence()


def test_tiles_have_a_bar_a_round_and_two_dots_each():
    names = ("thaler", "six armies")
    bars = {name: [estimate(1.0) for _ in ROUND_NAMES] for name in names}
    left, right = worth_by_round(bars, [(estimate(1.0), estimate(-1.0)) for _ in names], SURE).axes
    assert len(left.patches) == len(names) * len(ROUND_NAMES)
    assert [label.get_text() for label in right.get_yticklabels()] == ["thaler", "six armies"]
