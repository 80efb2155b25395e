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


DECK = [5, 21, 9, 1, 2, 3, 12, 11, 13, 20, 4, 18, 6, 16, 7, 8, 19, 14, 10, 15, 17]
ROUNDS = [  # year, season, favors on the spaces that cost 4, 3, 2
    (0, 0, [21, 9, 5]),
    (0, 1, [3, 2, 1]),
    (0, 2, [13, 12, 11]),
    (1, 0, [20, 18, 4]),
    (1, 1, [16, 7, 6]),
    (1, 2, [19, 14, 8]),
]


@pytest.mark.parametrize(("year", "season", "favors"), ROUNDS)
def test_each_round_shows_the_next_three_favors_the_highest_number_dearest(year, season, favors):  # E2
    scene = at_court()
    scene.game.favor_deck[:] = DECK
    scene.table.year, scene.game.season = year, season
    scene.do(show_favors)
    assert scene.table.favors == favors == naive.shown_in(DECK, 3 * year + season)


@given(st.integers(0, 10**6), st.integers(0, 1), st.integers(0, 2))
def test_any_deck_is_shown_as_the_naive_court_shows_it(moment, year, season):  # E2
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


@pytest.mark.parametrize("courtiers", [3, 2, 1])
@pytest.mark.parametrize("spare", [0, 1, 4])
def test_armies_of_a_county_become_courtiers_if_one_army_stays(courtiers, spare):  # E4
    scene, sent = at_court(), courtiers if spare else 0
    scene.table.give(1, "Böhmen", courtiers + spare)
    scene.lay(1, BOXES[courtiers], "Böhmen")
    assert bool(scene.do(send_courtiers, 1, BOXES[courtiers])) is (sent > 0)
    assert scene.table.land["Böhmen"].armies == courtiers + spare - sent
    assert scene.table.supply[1] == 62 - courtiers - spare + sent
    player = scene.table.players[1]
    assert (player.hall, player.counts["courtiers_for_armies"]) == (sent, sent)
    assert player.counts["court_failures"] == (sent == 0)


@pytest.mark.parametrize("courtiers", [3, 2, 1])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_dice_tower_card_takes_own_cubes_from_the_tray_if_there_are_enough(courtiers, more):  # E4
    scene, sent = at_court(), courtiers if more >= 0 else 0
    scene.table.lay_in_tray({1: courtiers + more, 2: 5, PEASANTS: 5})
    scene.lay(1, BOXES[courtiers], "tower")
    assert bool(scene.do(send_courtiers, 1, BOXES[courtiers])) is (sent > 0)
    assert (scene.table.tray[1], scene.table.tray[2], scene.table.tray[PEASANTS]) == (courtiers + more - sent, 5, 5)
    assert scene.table.supply[1] == 62 - courtiers - more + sent
    player = scene.table.players[1]
    assert (player.hall, player.counts["courtiers_for_cubes"]) == (sent, sent)


@pytest.mark.parametrize(("card", "hall", "done"), [("Böhmen", 4, True), ("Böhmen", 5, False), ("tower", 5, False)])
def test_courtiers_come_from_a_supply_of_seven_and_not_in_part(card, hall, done):  # E1 E4
    scene = at_court()
    scene.table.give(1, "Böhmen", 9)
    scene.table.tray[1], scene.table.supply[1] = 9, 62 - 18
    scene.table.players[1].hall = hall
    scene.lay(1, COURT_3, card)
    assert bool(scene.do(send_courtiers, 1, COURT_3)) is done
    assert scene.table.players[1].hall == (7 if done else hall)
    assert (scene.table.land["Böhmen"].armies, scene.table.tray[1]) == ((6, 9) if done else (9, 9))


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


def test_the_order_of_the_audience_is_fixed_before_the_first_favor_is_taken():  # E5
    scene = at_court()
    scene.table.favors = [21, 9, 5]
    scene.table.players[0].hall, scene.table.players[1].hall = 5, 4
    scene.player_order(0, 1, 2, 3)
    assert seats_in_order(scene)[:2] == [0, 1]
    scene.do(take_favor, 0, 0)
    assert [int(seat) for seat in scene.game.audience[:2]] == [0, 1]


@pytest.mark.parametrize(("hall", "spaces"), [(0, 0b000), (1, 0b000), (2, 0b100), (3, 0b110), (4, 0b111), (7, 0b111)])
def test_the_highest_number_costs_four_courtiers_the_next_three_the_lowest_two(hall, spaces):  # E2 E5
    scene = at_court()
    scene.table.favors = [21, 9, 5]
    scene.table.players[2].hall = hall
    assert scene.do(affordable_favors, 2) == spaces


@pytest.mark.parametrize(("space", "favor", "price"), [(0, 21, 4), (1, 9, 3), (2, 5, 2)])
def test_the_price_of_a_favor_returns_to_the_supply_and_the_rest_stays_in_the_hall(space, favor, price):  # E2 E5
    scene = at_court()
    scene.table.favors = [21, 9, 5]
    scene.table.players[2].hall = 6
    assert scene.do(take_favor, 2, space) == favor
    assert scene.table.players[2].hall == 6 - price
    assert scene.table.favors == [None if place == space else number for place, number in enumerate([21, 9, 5])]
    assert not scene.do(affordable_favors, 2) & 1 << space


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
