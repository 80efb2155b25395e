"""Grain in winter and whom event cards help, in the study `events`."""

import numpy as np
import pytest

from tests.analyses.studies import played_by
from wallsim.analyses.events import seats
from wallsim.analyses.events.cards import CARDS, EXPERIMENT, LOSSES, WINTERS, forced_and_cancelled
from wallsim.studies.quantities import Key
from wallsim.studies.scope import CASUAL_TABLE

BLOCKS = 8
LAST = list(WINTERS)[-1]


@pytest.fixture(scope="module")
def games():
    """The counts of each scenario of grain, played by casual seats."""
    return played_by("amateur", EXPERIMENT, seats.less_grain(), BLOCKS, seats.count_grain)


def test_one_grain_less_changes_nothing_for_seats_with_some_to_spare(games):
    """B7.2: who has a grain for every county has no shortage; after the last winter nothing else counts."""
    result = seats.grain_of(games, 4, CASUAL_TABLE)
    for outcome in seats.PARTS:
        assert result[Key(f"grain-missing-{outcome}", "spare", 4, CASUAL_TABLE, LAST)].value == 0
    first = result[Key("grain-missing-vp", "0 missing", 4, CASUAL_TABLE, LAST)]
    assert first.value < 0, "the first missing grain costs points"


def test_every_game_has_one_loss_and_one_margin_in_each_winter(games):
    base = games["as it is"]
    for winter in WINTERS:
        for kinds in (
            [seats.loss_of(amount, winter) for amount in seats.AMOUNTS],
            [seats.margin_of(each, winter) for each in seats.MARGINS],
        ):
            assert sum(base[kind] for kind in kinds) == pytest.approx(np.ones((BLOCKS, 6)))
        assert all((games[f"one grain less, {winter}"][kind] == base[kind]).all() for kind in kinds), "it was so before"


def test_a_reserve_is_worth_the_mean_over_the_cards_of_what_is_missing_without_it():
    costs = {margin: -1.0 * (margin <= 0) for margin in seats.MARGINS}  # each missing grain costs a point
    played = {}
    for name in seats.less_grain():
        played[name] = {}
        for winter in WINTERS:
            for kind, cost in (
                *((seats.margin_of(each, winter), costs[each]) for each in seats.MARGINS),
                *((seats.loss_of(amount, winter), -0.5) for amount in seats.AMOUNTS),
            ):
                ones = np.ones((30, 6))
                values = ones * (cost if name == f"one grain less, {winter}" else 0.0)
                played[name] |= {kind: ones, f"vp {kind}": values, f"win {kind}": values, f"short {kind}": 25 * ones}
    result = seats.grain_of(played, 5, CASUAL_TABLE)
    for winter in WINTERS:
        for number in seats.RESERVES:
            asked = np.mean([number - loss <= 0 for loss in LOSSES.values()])
            reserve = result[Key("grain-reserve", f"grain {number}", 5, CASUAL_TABLE, winter)]
            assert reserve.value == pytest.approx(asked)
        assert result[Key("grain-short", "loss of 3", 5, CASUAL_TABLE, winter)].value == 25


@pytest.mark.parametrize("players", [3, 5])
def test_who_has_most_is_counted_before_the_card_and_points_are_those_above_the_table(players):
    scenarios = forced_and_cancelled(CARDS[0])
    counted = played_by("amateur", EXPERIMENT, scenarios, 2, seats.count_holders, players=players)
    forced, cancelled = counted.values()
    for holding in seats.HOLDINGS:
        for end in seats.ENDS:
            kind = f"{end} {holding}"
            assert (forced[kind] == cancelled[kind]).all()
            assert (forced[kind][:, 0] == 0).all(), "nobody has more in the first round"
    assert forced["vp most points"].mean() > 0.5
    assert forced["vp fewest points"].mean() < -0.5
