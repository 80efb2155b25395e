"""The table before the first round (B0, B1): empty board, county cards of the draft, army groups, events."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.draft import read_draft
from tests.naive.making import BOARD, SUBSETS
from tests.naive.rng import chi_square_z, many_draws
from tests.naive.scene import Scene
from tests.naive.table import OUT_WITH_THREE, PEASANTS, County, Player, bits
from wallsim.rules.terms import NEUTRAL
from wallsim.state import tally
from wallsim.state.random import key_game, key_streams
from wallsim.state.setup import (
    clear_table,
    deal_county,
    recycle_open_cards,
    show_events,
    shuffle_counties,
    shuffle_events,
    shuffle_favors,
    take_county_card,
    take_group,
)

GROUPS = {3: (5, 4, 4, 3, 3, 2, 2, 2, 2), 4: (5, 4, 4, 3, 3, 2, 2, 2), 5: (5, 4, 4, 3, 3, 2, 2)}  # B1.2
IN_PLAY = {3: 37, 4: 45, 5: 45}


def cleared(players, expansions=()):
    """A record full of the remains of another game with the same expansions, then cleared."""
    scene = Scene.start(players, expansions=expansions)
    remains = ["owner", "army", "marker", "built", "land", "supply", "tray", "tower", "grain", "vp", "lost"]
    if expansions:
        remains += ["hall", "shown_favor", "truce", "parry", "banner", "leader", "statue", "trophies"]
    for name in remains:
        getattr(scene.game, name)[:] = 3
    scene.game.tally[:, : tally.SIZE if expansions else tally.BASE_SIZE] = 7
    scene.game.thalers[:], scene.game.tile[:], scene.game.markers_left = 99, 2, 1
    scene.game.casts, scene.game.effect, scene.game.year = 5, 4, 1
    clear_table(scene.game, scene.rules)
    scene.read()
    return scene


@pytest.mark.parametrize("expansions", SUBSETS)
@pytest.mark.parametrize(("players", "thalers"), [(3, 18), (4, 15), (5, 12)])
def test_the_table_is_cleared_of_all_that_an_earlier_game_left(players, thalers, expansions):  # B0.2 B1.1 B1.7 E1 L2 M1
    table = cleared(players, expansions).table
    assert set(table.players) == set(range(players))
    for player in table.players.values():
        player.counts = +player.counts  # drops the zeros
        assert player == Player(thalers=thalers)
    assert table.supply == {**dict.fromkeys(range(players), 62), PEASANTS: 20}
    assert sum(table.tray.values()) == sum(table.tower.values()) == 0
    assert set(table.counties_of(None)) == set(table.land)
    assert (table.favors, table.truce) == ([None] * 3, {"combat_a": set(), "combat_b": set()})
    assert table.errors() == []


@pytest.mark.parametrize("players", [3, 4, 5])
def test_eight_counties_are_out_of_the_game_with_three_players(players):  # B0.1
    scene, out = cleared(players), OUT_WITH_THREE if players == 3 else set()
    assert set(scene.table.land) == bits(scene.game.land[NEUTRAL], BOARD.counties) == set(BOARD.counties) - out
    assert len(scene.table.land) == IN_PLAY[players]


def test_a_dealt_county_holds_a_group_from_the_supply():  # B1.2
    scene = Scene.start()
    scene.do(deal_county, 2, "Passau", 5)
    assert scene.table.land["Passau"] == County(2, 5)
    assert scene.table.supply[2] == 57
    assert scene.table.errors() == []


# ------------------------------------------------------------------------------------------------- the draft


def draft(players, number=0):
    """County cards shuffled and two shown; the scene and the naive draft of the same cards."""
    scene = Scene.start(players, setup="draft")
    key_game(scene.game, 2, number)
    key_streams(scene.game, 0)
    scene.do(shuffle_counties)
    return scene, read_draft(scene.game, BOARD.counties)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_draft_shows_two_of_the_counties_in_play_and_each_seat_has_all_army_groups(players):  # B1.2 B1.4
    scene, naive = draft(players)
    assert sorted(naive.shown + naive.deck) == sorted(scene.table.land)
    assert len(naive.deck) == IN_PLAY[players] - 2
    for seat in range(players):
        assert tuple(scene.game.group[seat, : scene.game.groups[seat]]) == GROUPS[players]


@given(st.integers(3, 5), st.lists(st.sampled_from([0, 1, 2, "recycle"]), max_size=27), st.integers(0, 100))
def test_taking_and_recycling_county_cards_agrees_with_the_naive_draft(players, choices, number):  # B1.4
    scene, naive = draft(players, number)
    for choice in choices:
        if choice == "recycle":
            recycle_open_cards(scene.game)
            naive.recycle()
        else:
            assert BOARD.counties[take_county_card(scene.game, choice)] == naive.take(choice)
        assert read_draft(scene.game, BOARD.counties) == naive


@given(st.integers(3, 5), st.data())
def test_a_group_can_be_taken_once(players, data):  # B1.2 B1.4
    scene, _ = draft(players)
    left = list(GROUPS[players])
    while left:
        index = data.draw(st.integers(0, len(left) - 1))
        assert take_group(scene.game, 1, index) == left.pop(index)
        assert list(scene.game.group[1, : scene.game.groups[1]]) == left
    assert scene.game.groups[0] == len(GROUPS[players])


@many_draws
def test_each_county_card_is_equally_likely_to_be_shown_or_next():  # B1.4
    scene, _ = draft(3)
    seen = [Counter(), Counter(), Counter()]
    for number in range(4000):
        key_game(scene.game, 3, number)
        key_streams(scene.game, 0)
        shuffle_counties(scene.game, scene.rules)
        game = scene.game
        for place, card in enumerate((game.open_card[0], game.open_card[1], game.deck[game.deck_top])):
            seen[place][int(card)] += 1
    for counts in seen:
        assert len(counts) == 37
        assert abs(chi_square_z(counts.values())) < 4


# ------------------------------------------------------------------------------------------------ the events


def test_each_year_shows_four_new_events():  # B1.8 B7.5
    scene = Scene.start()
    shuffle_events(scene.game)
    years = []
    for year in range(2):
        scene.game.year = year
        show_events(scene.game)
        assert scene.game.shown_events == 4
        years.append({int(event) for event in scene.game.shown_event})
    assert len(years[0] | years[1]) == 8


@many_draws
@pytest.mark.parametrize(
    ("shuffle", "deck", "cards"),
    [(shuffle_events, "event_deck", range(12)), (shuffle_favors, "favor_deck", range(1, 22))],
)
def test_each_event_and_favor_is_equally_likely_in_each_place_of_its_deck(shuffle, deck, cards):  # B1.8 E2
    scene, counts = Scene.start(expansions=("court",)), [Counter() for _ in cards]
    for number in range(3000):
        key_game(scene.game, 4, number)
        key_streams(scene.game, 0)
        shuffle(scene.game)
        order = scene.game[deck].tolist()
        assert sorted(order) == [*cards]
        for place, card in enumerate(order):
            counts[place][card] += 1
    for in_place in counts:
        assert set(in_place) == set(cards)
        assert abs(chi_square_z(in_place.values())) < 4
