"""Interventions change what they name, from the moment they name, and no other luck (docs/interventions.md)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.intervened import COUNT, ROUNDS, VARIANTS, arena, assert_same, column, events, label, play, trace
from tests.naive.making import BOARD
from tests.naive.rng import JIT
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EVENT_CARDS, EXPANSIONS, TILES

variants = pytest.mark.parametrize("rules", VARIANTS, ids=label)


@pytest.mark.parametrize("rules", [Ruleset(), VARIANTS[-1]], ids=label)
def test_the_card_that_comes_anyway_changes_nothing(rules):  # B1.8 B2.4
    base = play(rules, count=1)
    coming = [BOARD.events[card] for card in events(base)[0]]
    lines = [{"do": "event", "to": card, "round": when} for card, when in zip(coming, ROUNDS, strict=True)]
    assert_same(base, play(rules, *lines, count=1))


KINDS = [
    {"do": "hand", "thalers": 4, "grain": 2, "vp": 3, "armies": 2, "seat": "turn"},
    {"do": "hand", "thalers": -9, "grain": -9, "vp": -9, "armies": -9, "seat": 1},
    {"do": "tile", "to": "none", "seat": 0},
    {"do": "tile", "to": "attack", "seat": "turn"},
    {"do": "tile", "to": "of seat 2", "seat": 0},
    {"do": "place", "to": "last", "seat": 2},
    {"do": "event", "to": "cancelled"},
    {"do": "event", "to": "tax_max_5"},
    {"do": "event", "to": "absent", "card": "tax_max_5"},
    {"do": "plan", "box": "taxes", "card": "pass", "seat": "turn"},
]


@pytest.mark.parametrize(
    ("policy", "rules"),
    [("random", Ruleset()), ("balanced", Ruleset()), ("random", Ruleset(setup="draft", expansions=EXPANSIONS))],
    ids=["random", "balanced", "big box"],
)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind['do']}-{kind.get('to', '')}")
def test_all_rows_of_seasons_before_an_intervention_are_as_they_were(kind, policy, rules):
    before = play(rules, policy=policy)
    dealt = kind.get("to") in ("tax_max_5", "absent")  # what lies open in a year changes with its beginning (B1.8)
    for place, when in enumerate(ROUNDS):
        if "winter" in when and kind["do"] != "hand" and kind.get("to") != "tax_max_5":
            continue
        after = play(rules, {**kind, "round": when}, policy=policy)
        rows = [each.seasons.reshape(COUNT, 8, -1)[:, :place] for each in (before, after)]
        if dealt:  # a forced card trades places with another one
            same = [_shown_and_come(each, place) for each in (before, after)]
            equal = np.array([one == other for one, other in zip(*same, strict=True)])
            assert np.array_equal(*[each[equal] for each in rows])
            year = place - place % 4
            equal = (events(before)[:, :year] == events(after)[:, :year]).all(axis=1)
            assert equal.all() or (kind["to"] == "tax_max_5" and year == 4)
            rows = [each[equal, :year] for each in rows]
        assert np.array_equal(*rows)


def _shown_and_come(tables, place):
    """Of each game the cards that came before a season, and the four that lie open in its year."""
    year = place - place % 4
    return [(list(game[:place]), set(game[year : year + 4])) for game in events(tables)]


@given(st.data())
def test_forced_cards_trade_places_with_those_that_would_have_come(data):  # B1.8 B2.4
    """The naive twin works on the eight cards that came and the four that did not; a card in its place stays."""
    rules = Ruleset(players=3)
    base = events(play(rules, count=2))
    number = data.draw(st.integers(1, 4))
    cards = data.draw(st.permutations(range(EVENT_CARDS)))[:number]
    places = data.draw(st.permutations(range(8)))[:number]
    lines = [
        {"do": "event", "to": BOARD.events[card], "round": ROUNDS[place]}
        for card, place in zip(cards, places, strict=True)
    ]
    for game, came in zip(events(play(rules, *lines, count=2)), base, strict=True):
        expected = list(came)
        for card, place in zip(cards, places, strict=True):
            if card in expected:
                expected[expected.index(card)] = expected[place]
            expected[place] = card
        assert list(game) == expected
        assert len(set(game)) == 8


def test_an_absent_card_does_not_come_in_its_year_and_the_others_stay():  # B1.8
    rules = Ruleset(players=3)
    base = events(play(rules))
    after = events(play(rules, {"do": "event", "to": "absent", "card": "tax_max_5", "round": "year 1"}))
    card = BOARD.events.index("tax_max_5")
    assert (base[:, :4] == card).any() or not JIT
    assert not (after[:, :4] == card).any()
    was = base == card
    was[:, 4:] = False
    assert np.array_equal(base[~was], after[~was])
    assert all(len(set(game)) == 8 for game in after)


def test_every_pair_of_seat_and_round_comes_once_by_turn():
    rules, count = Ruleset(players=4), 24
    gift = {"do": "hand", "vp": 50, "seat": "turn", "round": "turn"}
    base, after = (play(rules, *lines, count=count) for lines in ([], [gift]))
    assert np.array_equal(base.battles, after.battles)  # nobody reads the score
    base, after = (column(tables, "seasons", "vp", rules) for tables in (base, after))
    rounds = [place for place, when in enumerate(ROUNDS) if "winter" not in when]
    for game, gain in enumerate(after - base):
        when, seat = rounds[game // 4], game % 4
        assert not gain[:when].any()
        assert gain[when].tolist() == [50 * (place == seat) for place in range(4)]


def test_tiles_and_places_of_a_season_are_those_held_after_the_exchange():  # B4.3 B4.4
    rules = Ruleset(players=4)
    base = play(rules)
    lines = [
        {"do": "tile", "to": "of seat 3", "seat": 0, "round": "spring 1"},
        {"do": "place", "to": "last", "seat": 1, "round": "spring 1"},
    ]
    after = play(rules, *lines)

    def first(tables, name):
        return column(tables, "seasons", name, rules)[:, 0]

    assert np.array_equal(first(after, "tile"), first(base, "tile")[:, [3, 1, 2, 0]])
    assert (first(after, "place")[:, 1] == first(base, "place").max(axis=1)).all()
    assert np.array_equal(np.sort(first(after, "place")), np.sort(first(base, "place")))
    for place, tile in enumerate(TILES):
        assert np.array_equal(first(after, f"tile_{tile}") == 1, first(after, "tile") == place)


@variants
def test_cubes_are_conserved_and_nothing_falls_below_its_least(rules):  # B0.2
    letters = [letter for letter in rules.letters() if letter]
    lines = [
        {"do": "hand", "seat": "turn", "round": ["start", *ROUNDS], "armies": 5, "thalers": -4, "grain": 30},
        {"do": "hand", "seat": letters[0] if letters else 0, "round": ["start", *ROUNDS], "armies": -50, "vp": -3},
        {"do": "trade", "counties": list(_two_counties(rules))},
    ]
    tables = play(rules, *lines)
    assert all((column(tables, "seats", name, rules) >= 0).all() for name in ("thalers", "vp", "armies"))
    log = arena(rules, *lines).trace(0)
    for state in log.snapshots:
        for seat in range(rules.players):
            on_board = int(sum(state["army"][state["owner"] == seat]))
            assert on_board + state["supply"][seat] + state["tray"][seat] + state["tower"][seat] == 62
            assert state["supply"][seat] >= 0
        assert (state["army"][state["owner"] < rules.players] >= 1).all()
        assert (state["grain"] <= 18).all()


def _two_counties(rules):
    if rules.setup == "draft":
        return BOARD.counties[0], BOARD.counties[5]
    return tuple(BOARD.counties[BOARD.lineups[rules.players, letter][0][0]] for letter in "AB")


def test_a_trade_changes_owners_and_leaves_the_number_of_armies():
    rules = Ruleset(players=4)
    one, other = _two_counties(rules)
    before = arena(rules).trace(0).snapshots[0]
    after = arena(rules, {"do": "trade", "counties": [one, other]}).trace(0).snapshots[0]
    places = [BOARD.counties.index(county) for county in (one, other)]
    assert list(after["owner"][places]) == list(before["owner"][places][::-1])
    assert np.array_equal(after["army"], before["army"])
    assert not np.array_equal(after["land"], before["land"])


@pytest.mark.parametrize(("gifts", "logged"), [([{"thalers": -900}], 1), ([{"thalers": -900}, {"armies": 1}], 2)])
def test_a_hand_that_changes_nothing_leaves_no_line(gifts, logged):
    emptied = {"do": "hand", "seat": 0, "round": "start", "thalers": -900}
    lines = trace(Ruleset(), emptied, *({"do": "hand", "seat": 0, "round": "start", **gift} for gift in gifts))
    assert [line["t"] for line in lines].count("intervention") == logged
