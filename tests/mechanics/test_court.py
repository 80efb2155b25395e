"""The Emperor's Court up to the taking of a favor: courtiers, boxes, prices, the order of the audience (E1 to E5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import court as naive
from tests.naive.making import LOOSE, SHUT, SURE, USUAL, tables_with
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS, differences
from wallsim.mechanics.court import (
    affordable_favors,
    courtiers_of,
    is_petition,
    open_audience,
    send_courtiers,
    show_favors,
    take_favor,
    welcome_courtiers,
)
from wallsim.mechanics.tower import fill_tower
from wallsim.rules.terms import AUCTION, COURT_1, COURT_2, COURT_3, MONEY, NO_CARD, TOWER_CARD
from wallsim.state.random import key_streams
from wallsim.state.setup import shuffle_favors

BOXES = {3: COURT_3, 2: COURT_2, 1: COURT_1}
DICE = st.randoms(use_true_random=False)


def at_court(players=4, **more):
    """A table with the court and nothing on it yet."""
    return Scene.start(players, expansions=("court",), **more)


# ------------------------------------------------------------------------------------- the first fill and E2


@pytest.mark.parametrize(("tower", "courtiers"), [(SURE, 7), (SHUT, 0)])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_own_cube_that_falls_out_at_the_first_fill_sends_a_courtier_to_the_hall(players, tower, courtiers):  # E1
    scene = at_court(players, tower=tower)
    scene.do(fill_tower)
    scene.do(welcome_courtiers)
    assert [player.hall for player in scene.table.players.values()] == [courtiers] * players


@given(tables_with("court"), st.sampled_from([USUAL, LOOSE]), st.integers(0, 10**6))
def test_at_the_first_fill_the_cubes_go_back_and_the_courtiers_stay(table, tower, number):  # E1 B1.6 B0.2
    fresh = Scene.start(table.rules.players, tower, expansions=table.rules.expansions, edition=table.rules.edition)
    key_streams(fresh.game, number)
    fresh.do(fill_tower)
    fallen = fresh.fallen()
    for seat in fresh.table.players:
        assert fresh.table.supply[seat] == 62 - 7 + fallen[seat]
    twin = fresh.read()
    fresh.do(welcome_courtiers)
    naive.fill_hall(twin, fallen)
    assert differences(fresh.table, twin) == []


@given(st.integers(0, 10**6), st.integers(0, 1), st.integers(0, 2))
def test_each_round_shows_the_next_three_favors_the_highest_number_dearest(moment, year, season):  # E2
    scene = at_court()
    key_streams(scene.game, moment)
    shuffle_favors(scene.game)
    scene.table.year, scene.game.season = year, season
    scene.do(show_favors)
    assert scene.table.favors == naive.shown_in([int(favor) for favor in scene.game.favor_deck], 3 * year + season)


# --------------------------------------------------------------------------------------------- the court boxes


@pytest.mark.parametrize(
    ("card", "asks"),
    [(0, True), (44, True), (MONEY, False), (MONEY + 4, False), (TOWER_CARD, True), (NO_CARD, False)],
)
def test_counties_and_dice_tower_cards_ask_for_courtiers_and_money_passes(card, asks):  # E3 E4
    assert bool(is_petition(card)) is asks


def test_the_court_boxes_are_worth_three_two_and_one_courtiers():  # E1 E4
    assert [courtiers_of(box) for box in (COURT_3, COURT_2, COURT_1)] == [3, 2, 1]
    assert min(COURT_3, COURT_2, COURT_1) > AUCTION


PETITIONS = [  # courtiers, the card, armies of its county or own cubes in the tray, the hall, whether it is done
    *((courtiers, "Böhmen", courtiers + spare, 0, spare > 0) for courtiers in (3, 2, 1) for spare in (0, 1)),
    *((courtiers, "tower", courtiers + more, 0, more >= 0) for courtiers in (3, 2, 1) for more in (-1, 0, 1)),
    *[(3, "Böhmen", 9, 4, True), (3, "Böhmen", 9, 5, False), (3, "tower", 9, 4, True), (3, "tower", 9, 5, False)],
]


@pytest.mark.parametrize(("courtiers", "card", "cubes", "hall", "done"), PETITIONS)
def test_armies_but_the_last_or_own_cubes_of_the_tray_become_courtiers_of_seven_and_not_in_part(
    courtiers, card, cubes, hall, done
):  # E1 E4
    scene, sent = at_court(), courtiers * done
    if card == "tower":
        scene.table.lay_in_tray({1: cubes, 2: 5, PEASANTS: 5})
    else:
        scene.table.give(1, card, cubes)
    scene.table.players[1].hall = hall
    scene.lay(1, BOXES[courtiers], card)
    assert bool(scene.do(send_courtiers, 1, BOXES[courtiers])) is done
    table, player = scene.table, scene.table.players[1]
    assert (table.tray[1] if card == "tower" else table.land[card].armies) == cubes - sent
    assert (table.supply[1], player.hall) == (62 - cubes + sent, hall + sent)
    assert player.counts["courtiers_for_cubes" if card == "tower" else "courtiers_for_armies"] == sent
    assert player.counts["court_failures"] == (not done)


@given(tables_with("court"), DICE)
def test_petitions_agree_with_the_naive_ones(table, rng):  # E4 B0.2
    scene, twin = Scene(table), table
    for _ in range(8):
        seat, courtiers = rng.choice([*twin.players]), rng.choice([1, 2, 3])
        card = rng.choice([*twin.counties_of(seat), "tower", "tower", "tower"])
        twin.players[seat].hall = rng.choice([0, twin.players[seat].hall])
        scene.table = twin
        scene.lay(seat, BOXES[courtiers], card)
        done = scene.do(send_courtiers, seat, BOXES[courtiers])
        assert done == naive.petition(twin, seat, courtiers, card)
        assert differences(scene.table, twin) == []
        twin = scene.table


# ------------------------------------------------------------------------------------------------ the audience


def seats_in_order(scene):
    """The seats in the order of the audience."""
    scene.do(open_audience)
    return [int(seat) for seat in scene.game.audience[: scene.table.rules.players]]


@pytest.mark.parametrize(
    ("courtiers", "order", "audience"),
    [
        ((1, 4, 2, 3), (0, 1, 2, 3), [1, 3, 2, 0]),
        ((2, 2, 2, 2), (3, 1, 0, 2), [3, 1, 0, 2]),
        ((5, 0, 5, 0), (3, 2, 1, 0), [2, 0, 3, 1]),
    ],
)
def test_most_courtiers_come_first_and_ties_go_by_player_order(courtiers, order, audience):  # E5
    scene = at_court()
    for seat, hall in enumerate(courtiers):
        scene.table.players[seat].hall = hall
    scene.player_order(*order)
    assert seats_in_order(scene) == audience


@pytest.mark.parametrize(("hall", "spaces"), [(0, 0b000), (1, 0b000), (2, 0b100), (3, 0b110), (4, 0b111), (7, 0b111)])
def test_the_highest_number_costs_four_courtiers_the_next_three_the_lowest_two(hall, spaces):  # E2 E5
    scene = at_court()
    scene.table.favors = [21, 9, 5]
    scene.table.players[2].hall = hall
    assert scene.do(affordable_favors, 2) == spaces


@given(tables_with("court"), DICE)
def test_audiences_agree_with_the_naive_ones(table, rng):  # E2 E5
    scene, order = Scene(table), rng.sample([*table.players], len(table.players))
    scene.player_order(*order)
    assert seats_in_order(scene) == naive.audience(table, order)
    for seat in naive.audience(table, order):
        spaces = naive.affordable(table, seat)
        assert scene.do(affordable_favors, seat) == sum(1 << space for space in spaces)
        if spaces and rng.random() < 0.8:
            space = rng.choice(sorted(spaces))
            assert scene.do(take_favor, seat, space) == naive.take(table, seat, space)
        assert differences(scene.table, table) == []
