"""Interventions change what they name, from the moment they name, and no other luck (docs/interventions.md)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import USUAL, packed
from tests.naive.rng import JIT
from wallsim.engine.arena import Arena
from wallsim.engine.columns import GAME_COLUMNS, columns_of
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.board import load_board
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.script import pack_script, table_of
from wallsim.rules.terms import EVENT_CARDS, EXPANSIONS, SEASONS, TILES

BOARD = load_board()
COUNT = 24 if JIT else 1
EVENTS = [place for place, column in enumerate(GAME_COLUMNS) if "event" in column.name]
ROUNDS = [f"{season} {year}" for year in (1, 2) for season in SEASONS]
VARIANTS = [
    Ruleset(players=3),
    Ruleset(players=4),
    Ruleset(players=5, setup="draft"),
    Ruleset(players=4, edition="1e"),
    Ruleset(players=4, setup="draft", expansions=EXPANSIONS),
]
variants = pytest.mark.parametrize("rules", VARIANTS, ids=lambda r: f"{r.players}-{r.setup}-{r.edition}-{r.expansions}")


def arena(rules, *lines, policy="random", seed=5):
    """Games of one policy in all seats, with interventions."""
    steps, errors = parse_interventions(lines, table_of(BOARD, rules))
    assert not errors, errors
    table = np.atleast_1d(np.asarray(packed(rules, USUAL)))
    script = pack_script(steps, BOARD, rules.letters())
    return Arena(table, pack_players([load_policy(policy)] * rules.players), seed, script=script)


def play(rules, *lines, count=COUNT, policy="random"):
    """The tables of some games."""
    games = arena(rules, *lines, policy=policy)
    return games.play(0, count, seasons=True, battles=True, counties=True, plans=True)


def column(rows, table, name, rules):
    """A column of a table by name."""
    return rows[:, [each.name for each in columns_of(table, rules.expansions)].index(name)].astype(int)


def events(tables):
    """The cards of the eight seasons of each game."""
    order = [place for place in EVENTS if "winter" not in GAME_COLUMNS[place].name]
    winters = [place for place in EVENTS if "winter" in GAME_COLUMNS[place].name]
    games = tables.games
    return np.hstack([games[:, order[:3]], games[:, winters[:1]], games[:, order[3:]], games[:, winters[1:]]])


@variants
def test_what_changes_nothing_leaves_all_tables_as_they_are(rules):
    base = play(rules)
    null = [
        {"do": "hand", "seat": 0, "round": "start"},
        {"do": "event", "to": "cancelled", "round": []},
        {"do": "hand", "seat": 1, "round": "fall 2", "thalers": 5, "armies": 0},
        {"do": "hand", "seat": 1, "round": "fall 2", "thalers": -5},
    ]
    if rules.edition == "2e":
        null.append({"do": "tile", "to": "of seat 1", "seat": 1, "round": "every"})
    for one, other in zip(base, play(rules, *null), strict=True):
        assert np.array_equal(one, other)


def test_the_place_or_card_that_is_there_anyway_changes_nothing():
    rules = Ruleset()
    base = play(rules, count=1)
    coming = [BOARD.events[card] for card in events(base)[0]]
    lines = [{"do": "event", "to": card, "round": when} for card, when in zip(coming, ROUNDS, strict=True)]
    for one, other in zip(base, play(rules, *lines, count=1), strict=True):
        assert np.array_equal(one, other)


KINDS = [
    {"do": "hand", "thalers": 4, "grain": 2, "vp": 3, "armies": 2, "seat": "turn"},
    {"do": "hand", "thalers": -9, "grain": -9, "vp": -9, "armies": -9, "seat": 1},
    {"do": "tile", "to": "none", "seat": 0},
    {"do": "tile", "to": "attack", "seat": "turn"},
    {"do": "tile", "to": "of seat 2", "seat": 0},
    {"do": "place", "to": "last", "seat": 2},
    {"do": "event", "to": "cancelled"},
    {"do": "event", "to": "tax_max_5"},
    {"do": "plan", "box": "taxes", "card": "pass", "seat": "turn"},
]


@pytest.mark.parametrize("policy", ["random", "balanced"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind['do']}-{kind.get('to', '')}")
def test_all_rows_of_seasons_before_an_intervention_are_as_they_were(kind, policy):
    rules = Ruleset(players=4)
    before = play(rules, policy=policy)
    for place, when in enumerate(ROUNDS):
        if "winter" in when and kind["do"] != "hand" and kind.get("to") != "tax_max_5":
            continue
        after = play(rules, {**kind, "round": when}, policy=policy)
        rows = [each.seasons.reshape(COUNT, 8, -1)[:, :place] for each in (before, after)]
        if kind.get("to") == "tax_max_5":  # it lies open for its year, and trades places with another card
            same = [_shown_and_come(each, place) for each in (before, after)]
            equal = np.array([one == other for one, other in zip(*same, strict=True)])
            assert np.array_equal(*[each[equal] for each in rows])
            year = place - place % 4
            equal = (events(before)[:, :year] == events(after)[:, :year]).all(axis=1)
            rows = [each[equal, :year] for each in rows]
        assert np.array_equal(*rows)


def _shown_and_come(tables, place):
    """Of each game the cards that came before a season, and the four that lie open in its year."""
    year = place - place % 4
    return [(list(game[:place]), set(game[year : year + 4])) for game in events(tables)]


@given(st.data())
def test_forced_cards_trade_places_with_those_that_would_have_come(data):  # B1.8 B2.4
    """The naive twin works on the eight cards that came and the four that did not."""
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
    rules = Ruleset(players=4)
    count = 24
    base = play(rules, count=count)
    gift = {"do": "hand", "vp": 50, "seat": "turn", "round": "turn"}
    after = play(rules, gift, count=count)
    pairs = []
    for game in range(count):
        vp = [column(each.seasons, "seasons", "vp", rules).reshape(count, 8, 4)[game] for each in (base, after)]
        when = int(np.argmax((vp[1] - vp[0]).any(axis=1)))
        pairs.append((int(np.argmax(vp[1][when] - vp[0][when])), ROUNDS[when]))
    rounds = [when for when in ROUNDS if "winter" not in when]
    assert pairs == [(game % 4, rounds[game // 4]) for game in range(count)]


def test_points_change_those_points_alone_where_nobody_reads_the_score():
    rules = Ruleset(players=4)
    base, after = (play(rules, *lines) for lines in ([], [{"do": "hand", "vp": 7, "seat": 2, "round": "start"}]))
    gain = column(after.seats, "seats", "vp", rules) - column(base.seats, "seats", "vp", rules)
    assert (gain.reshape(COUNT, 4) == [0, 0, 7, 0]).all()
    assert np.array_equal(base.battles, after.battles)


def test_tiles_and_places_of_a_season_are_those_held_after_the_exchange():  # B4.3 B4.4
    rules = Ruleset(players=4)
    base = play(rules)
    lines = [
        {"do": "tile", "to": "of seat 3", "seat": 0, "round": "spring 1"},
        {"do": "place", "to": "last", "seat": 1, "round": "spring 1"},
    ]
    after = play(rules, *lines)

    def first(tables, name):
        return column(tables.seasons, "seasons", name, rules).reshape(COUNT, 8, 4)[:, 0]

    assert np.array_equal(first(after, "tile"), first(base, "tile")[:, [3, 1, 2, 0]])
    assert (first(after, "place")[:, 1] == first(base, "place").max(axis=1)).all()
    assert np.array_equal(np.sort(first(after, "place")), np.sort(first(base, "place")))
    counted = [column(after.seasons, "seasons", f"tile_{tile}", rules).reshape(COUNT, 8, 4)[:, 0] for tile in TILES]
    held = first(after, "tile")
    assert all(np.array_equal(counts == 1, held == tile) for tile, counts in enumerate(counted))


@variants
def test_cubes_are_conserved_and_nothing_falls_below_its_least(rules):  # B0.2
    letters = [letter for letter in rules.letters() if letter]
    lines = [
        {"do": "hand", "seat": "turn", "round": ["start", *ROUNDS], "armies": 5, "thalers": -4, "grain": 30},
        {"do": "hand", "seat": letters[0] if letters else 0, "round": ["start", *ROUNDS], "armies": -50, "vp": -3},
        {"do": "trade", "counties": list(_two_counties(rules))},
    ]
    tables = play(rules, *lines)
    seats = {name: column(tables.seats, "seats", name, rules) for name in ("thalers", "vp", "armies")}
    assert all((values >= 0).all() for values in seats.values())
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
