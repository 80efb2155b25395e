"""Interventions are read from their lines; what cannot be done is refused by name, value and remedy."""

import pytest

from wallsim.rules.board import load_board
from wallsim.rules.interventions import MAX_STEPS, parse_interventions
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.script import FORCE_EVENT, HAND, KEEP_AWAY, SEAT_BY_TURN, SWAP_TILES, pack_script, table_of

BOARD = load_board()


def parse(*lines, **ruleset):
    """The steps and errors of some lines."""
    return parse_interventions(lines, table_of(BOARD, Ruleset(**ruleset)))


def errors(*lines, **ruleset):
    """The errors of some lines, each as one text."""
    return [f"{key}: {value!r} {text}" for key, value, text in parse(*lines, **ruleset)[1]]


@pytest.mark.parametrize(
    ("line", "key", "words"),
    [
        ({"do": "gift", "round": "start"}, "1.do", "event, tile, place, hand, trade, plan"),
        ({"do": "hand", "seat": 4, "round": "start"}, "1.seat", "from 0 to 3, a letter of A, B, C, D, or turn"),
        ({"do": "hand", "seat": "E", "round": "start"}, "1.seat", "from 0 to 3"),
        ({"do": "hand", "seat": 0}, "1.round", "start, spring 1"),
        ({"do": "hand", "seat": 0, "round": "sumer 2"}, "1.round", "did you mean summer 2?"),
        ({"do": "hand", "seat": 0, "round": "start", "thalers": 1.5}, "1.thalers", "whole number"),
        ({"do": "hand", "seat": 0, "round": "start", "vp": 2.5}, "1.vp", "whole number from -1000 to 1000; points are"),
        ({"do": "hand", "seat": 0, "round": "start", "vp": "2.5"}, "1.vp", "docs/examples/fair-4p-handicap.toml"),
        ({"do": "hand", "seat": 0, "round": "start", "silver": 1}, "1", "silver: unknown key"),
        ({"do": "hand", "seat": 0, "round": ["turn", "start"]}, "1.round", "turn alone"),
        ({"do": "tile", "seat": 0, "round": "winter 1", "to": "none"}, "1.round", "spring 1"),
        ({"do": "tile", "seat": 0, "round": "every", "to": "of seat 4"}, "1.to", "seats 0 to 3"),
        ({"do": "tile", "seat": 0, "round": "every", "to": "attak"}, "1.to", "did you mean attack?"),
        ({"do": "place", "seat": 0, "round": "every", "to": 5}, "1.to", "4 players have no others"),
        ({"do": "event", "round": "spring 1", "to": "tax_max"}, "1.to", "did you mean tax_max_5?"),
        ({"do": "event", "round": "every", "to": "tax_max_5"}, "1.round", "a card comes once"),
        ({"do": "event", "round": "year 1", "to": "absent"}, "1.card", "tax_max_5"),
        ({"do": "event", "round": "winter 1", "to": "cancelled"}, "1.round", "fall 2"),
        ({"do": "trade", "counties": ["Augsburg"]}, "1.counties", "two counties"),
        ({"do": "trade", "counties": ["Augsburg", "Altmark"]}, "1.counties", "in none of the line-ups"),
        ({"do": "trade", "counties": ["Augsburg", "Wien"]}, "1.counties", "not a county of the board"),
        ({"do": "plan", "card": "pass", "seat": 0, "round": "every"}, "1.box", "palace, church"),
        ({"do": "plan", "box": "bid", "card": "pass", "seat": 0, "round": "every"}, "1.box", "palace, church"),
        ({"do": "plan", "box": "taxes", "card": "money", "seat": 0, "round": "every"}, "1.card", ", or pass"),
        ({"do": "plan", "box": "taxes", "card": "pass", "seat": 0, "round": "winter 1"}, "1.round", "spring 1"),
        ({"do": "plan", "box": "taxes", "card": "pass", "round": "every"}, "1.seat", "from 0 to 3"),
    ],
)
def test_an_error_names_its_key_and_what_is_allowed(line, key, words):
    result = errors(line)
    assert any(text.startswith(f"{key}: ") and words in text for text in result), result


def test_the_first_edition_has_no_tiles_and_three_players_have_no_fourth_place():  # V1
    assert 'choose edition = "2e"' in errors({"do": "tile", "seat": 0, "round": "every", "to": "none"}, edition="1e")[0]
    assert "3 players have no others" in errors({"do": "place", "seat": 0, "round": "every", "to": 4}, players=3)[0]
    assert parse({"do": "place", "seat": 0, "round": "every", "to": 3}, players=3)[0][0].to == 3


def test_a_draft_has_no_letters_and_any_county_in_play_may_be_traded():
    line = {"do": "hand", "seat": "A", "round": "start"}
    assert "letter" not in errors(line, setup="draft")[0]
    assert errors({"do": "trade", "counties": ["Augsburg", "Altmark"]}, setup="draft") == []
    out = {"do": "trade", "counties": ["Augsburg", "Bremen"]}
    assert "out of play with 3 players" in errors(out, setup="draft", players=3)[0]


FORCE = {"do": "event", "to": "tax_max_5", "round": "spring 1"}


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"do": "event", "to": "tax_max_5", "round": "fall 2"}, "a second time"),
        ({"do": "event", "to": "tax_min_6", "round": "spring 1"}, "a round has one event"),
        ({"do": "event", "to": "tax_min_6", "round": "turn"}, "a round has one event"),
        ({"do": "event", "to": "absent", "card": "tax_max_5", "round": "year 1"}, "remove one of the two"),
    ],
)
def test_events_that_cannot_both_come_are_refused(other, words):
    assert words in errors(FORCE, other)[0]
    assert words in errors(other, FORCE)[0]


def test_no_more_cards_can_be_absent_than_the_deck_has_to_spare():  # B1.8
    lines = [{"do": "event", "to": "absent", "card": card, "round": "year 1"} for card in BOARD.events[:5]]
    assert errors(*lines[:4]) == []
    assert "the deck has 4 cards that no year shows" in errors(*lines)[0]


def test_a_card_may_be_absent_from_the_year_in_which_it_is_not_forced():
    assert errors(FORCE, {"do": "event", "to": "absent", "card": "tax_max_5", "round": "year 2"}) == []


def test_there_may_not_be_more_steps_than_a_script_holds():
    line = {"do": "hand", "seat": 0, "round": "start", "thalers": 1}
    assert errors(*[line] * MAX_STEPS) == []
    assert f"allowed are up to {MAX_STEPS}" in errors(*[line] * (MAX_STEPS + 1))[0]


@pytest.mark.parametrize(
    "line",
    [
        {"do": "hand", "seat": 0, "round": "start"},
        {"do": "hand", "seat": 0, "round": [], "thalers": 1},
        {"do": "tile", "seat": 2, "round": "every", "to": "of seat 2"},
        {"do": "event", "round": [], "to": "cancelled"},
        {"do": "trade", "counties": ["Augsburg", "Augsburg"]},
    ],
)
def test_what_changes_nothing_is_no_step_of_the_script(line):
    steps, wrong = parse(line)
    assert not wrong
    assert pack_script(steps, BOARD, "ABCD")[0]["count"] == 0


def test_a_script_has_numbers_for_words():
    steps, wrong = parse(
        {"do": "hand", "seat": "B", "round": "start", "thalers": -3, "armies": 2, "county": "Augsburg"},
        {"do": "event", "to": "tax_max_5", "round": "winter 2"},
        {"do": "event", "to": "absent", "card": "small_levies", "round": ["spring 1", "fall 1"]},
        {"do": "tile", "to": "of seat 3", "seat": "turn", "round": "turn"},
        lineups=("C", "D", "A", "B"),
    )
    assert not wrong
    script = pack_script(steps, BOARD, ("C", "D", "A", "B"))[0]
    assert script["count"] == 4
    hand, force, away, swap = script["step"][:4]
    assert (hand["do"], hand["seat"], hand["rounds"], list(hand["gift"])) == (HAND, 3, 1, [-3, 0, 0, 2])
    assert hand["county"][0] == BOARD.counties.index("Augsburg")
    assert (force["do"], force["to"], force["rounds"]) == (FORCE_EVENT, BOARD.events.index("tax_max_5"), 1 << 8)
    assert (away["do"], away["to"], away["rounds"]) == (KEEP_AWAY, BOARD.events.index("small_levies"), 0b1010)
    assert (swap["do"], swap["to"], swap["seat"], swap["rounds"]) == (SWAP_TILES, 3, SEAT_BY_TURN, 1 << 9)


def test_two_ways_to_write_a_step_are_the_same_step():
    listed, every = ["spring 1", "summer 1", "fall 1", "spring 2", "summer 2", "fall 2"], "every"
    one, other = (parse({"do": "place", "seat": 0, "to": "last", "round": when})[0][0] for when in (listed, every))
    assert one.words() == other.words() == {"do": "place", "round": listed, "seat": 0, "to": 4}
