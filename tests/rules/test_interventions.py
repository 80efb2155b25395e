"""Interventions are read from their lines; what cannot be done is refused by name, value and remedy."""

import pytest

from tests.refusals import assert_names
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


def step(do, /, **fields):
    """A line of a step of seat 0 in every round, but for what is given; None leaves a field out."""
    fields = {"seat": 0, "round": "every", **fields}
    return {"do": do, **{name: value for name, value in fields.items() if value is not None}}


def hand(**fields):
    return step("hand", **{"round": "start", **fields})


def event(to, when, **fields):
    return step("event", seat=None, to=to, round=when, **fields)


def trade(*counties):
    return step("trade", seat=None, round=None, counties=[*counties])


def plan(**fields):
    return step("plan", **{"box": "taxes", "card": "pass", **fields})


FIRST = {"edition": "1e"}
DRAFT = {"setup": "draft"}


@pytest.mark.parametrize(
    ("line", "ruleset", "key", "names"),
    [
        (step("gift"), {}, "do", ["'gift'", "event, tile, place"]),
        (hand(seat=4), {}, "seat", ["4", "0 to 3", "A, B, C, D", "turn"]),
        (hand(seat="E"), {}, "seat", ["'E'", "0 to 3"]),
        (hand(seat="A"), DRAFT, "seat", ["'A'", "0 to 3, or turn"]),  # a draft has no letters
        (hand(round=None), {}, "round", ["start, spring 1"]),
        (hand(round="sumer 2"), {}, "round", ["'sumer 2'", "mean summer 2?"]),
        (hand(round=["turn", "start"]), {}, "round", ["turn alone"]),
        (hand(thalers=1.5), {}, "thalers", ["1.5", "-1000 to 1000"]),
        (hand(vp=2.5), {}, "vp", ["2.5", "-1000 to 1000", "points"]),
        (hand(vp="2.5"), {}, "vp", ["'2.5'", "whole"]),
        (hand(silver=1), {}, "", ["silver", "unknown key", "thalers"]),
        (step("tile", round="winter 1", to="none"), {}, "round", ["'winter 1'", "spring 1"]),
        (step("tile", to="of seat 4"), {}, "to", ["'of seat 4'", "seats 0 to 3"]),
        (step("tile", to="attak"), {}, "to", ["'attak'", "mean attack?"]),
        (step("tile", to="none"), FIRST, "do", ["first edition", 'edition = "2e"']),  # V1
        (step("place", to=5), {}, "to", ["5", "1 to 4", "4 players"]),
        (step("place", to=4), {"players": 3}, "to", ["4", "1 to 3", "3 players"]),
        (event("tax_max", "spring 1"), {}, "to", ["mean tax_max_5?"]),
        (event("tax_max_5", "every"), {}, "round", ["one round"]),
        (event("absent", "year 1"), {}, "card", ["tax_max_5"]),
        (event("cancelled", "winter 1"), {}, "round", ["fall 2"]),
        (trade("Augsburg"), {}, "counties", ["two counties"]),
        (trade("Augsburg", "Altmark"), {}, "counties", ["'Altmark'", "line-ups"]),
        (trade("Augsburg", "Wien"), {}, "counties", ["'Wien'", "not a county"]),
        (trade("Augsburg", "Bremen"), {**DRAFT, "players": 3}, "counties", ["'Bremen'", "out of play", "3 players"]),
        (plan(box=None), {}, "box", ["palace, church"]),
        (plan(box="bid"), {}, "box", ["'bid'", "palace, church"]),
        (plan(card="money"), {}, "card", ["'money'", "or pass"]),
        (plan(round="winter 1"), {}, "round", ["spring 1"]),
        (plan(seat=None), {}, "seat", ["0 to 3"]),
    ],
)
def test_an_error_names_its_key_and_what_is_allowed(line, ruleset, key, names):
    place = f"1.{key}: " if key else "1: "
    (error,) = [error for error in errors(line, **ruleset) if error.startswith(place)]
    assert_names(error, *names)


def test_any_county_in_play_may_be_traded_in_a_draft_and_any_place_of_the_table_taken():
    assert errors(trade("Augsburg", "Altmark"), setup="draft") == []
    assert parse(step("place", to=3), players=3)[0][0].to == 3


FORCE = event("tax_max_5", "spring 1")


@pytest.mark.parametrize(
    ("other", "names"),
    [
        (event("tax_max_5", "fall 2"), ["tax_max_5", "second time"]),
        (event("tax_min_6", "spring 1"), ["spring 1", "one event"]),
        (event("tax_min_6", "turn"), ["one event"]),
        (event("absent", "year 1", card="tax_max_5"), ["tax_max_5", "absent"]),
    ],
)
def test_events_that_cannot_both_come_are_refused(other, names):
    for lines in ((FORCE, other), (other, FORCE)):
        assert_names(errors(*lines)[0], *names)


def test_no_more_cards_can_be_absent_than_the_deck_has_to_spare():  # B1.8
    lines = [event("absent", "year 1", card=card) for card in BOARD.events[:5]]
    assert errors(*lines[:4]) == []
    assert_names(errors(*lines)[0], "5", "deck has 4")


def test_a_card_may_be_absent_from_the_year_in_which_it_is_not_forced():
    assert errors(FORCE, event("absent", "year 2", card="tax_max_5")) == []


def test_there_may_not_be_more_steps_than_a_script_holds():
    assert errors(*[hand(thalers=1)] * MAX_STEPS) == []
    assert_names(errors(*[hand(thalers=1)] * (MAX_STEPS + 1))[0], MAX_STEPS + 1, f"up to {MAX_STEPS}")


@pytest.mark.parametrize(
    "line",
    [
        hand(),
        hand(round=[], thalers=1),
        step("tile", seat=2, to="of seat 2"),
        event("cancelled", []),
        trade("Augsburg", "Augsburg"),
    ],
)
def test_what_changes_nothing_is_no_step_of_the_script(line):
    steps, wrong = parse(line)
    assert not wrong
    assert pack_script(steps, BOARD, "ABCD")[0]["count"] == 0


def test_a_script_has_numbers_for_words():
    steps, wrong = parse(
        hand(seat="B", thalers=-3, armies=2, county="Augsburg"),
        event("tax_max_5", "winter 2"),
        event("absent", ["spring 1", "fall 1"], card="small_levies"),
        step("tile", to="of seat 3", seat="turn", round="turn"),
        lineups=("C", "D", "A", "B"),
    )
    assert not wrong
    script = pack_script(steps, BOARD, ("C", "D", "A", "B"))[0]
    assert script["count"] == 4
    gift, force, away, swap = script["step"][:4]
    assert (gift["do"], gift["seat"], gift["rounds"], list(gift["gift"])) == (HAND, 3, 1, [-3, 0, 0, 2])
    assert gift["county"][0] == BOARD.counties.index("Augsburg")
    assert (force["do"], force["to"], force["rounds"]) == (FORCE_EVENT, BOARD.events.index("tax_max_5"), 1 << 8)
    assert (away["do"], away["to"], away["rounds"]) == (KEEP_AWAY, BOARD.events.index("small_levies"), 0b1010)
    assert (swap["do"], swap["to"], swap["seat"], swap["rounds"]) == (SWAP_TILES, 3, SEAT_BY_TURN, 1 << 9)


def test_two_ways_to_write_a_step_are_the_same_step():
    listed, every = ["spring 1", "summer 1", "fall 1", "spring 2", "summer 2", "fall 2"], "every"
    one, other = (parse({"do": "place", "seat": 0, "to": "last", "round": when})[0][0] for when in (listed, every))
    assert one.words() == other.words() == {"do": "place", "round": listed, "seat": 0, "to": 4}
