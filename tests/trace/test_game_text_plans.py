"""Plans in the text of a game: what is written is read again, and what cannot be is named by line and column."""

import random
import re

import pytest

from tests.trace.test_game_text import FOUR, checked, game_of, mutated
from wallsim.rules.board import printed_board
from wallsim.rules.terms import ROUND_NAMES
from wallsim.trace.game_text.writing import plan_lines, text_of

SEATS = ("A 0v 0g 1t Alt1 Mec2", "B 0v 0g 1t Lau1", "C 0v 0g 1t Köl1", "D 0v 0g 1t Reg1")
HEAD = "\n".join(["players: 4", "summer 1", *SEATS, "plans", ""])
LINE = HEAD.count("\n") + 1


def plans_of(*lines, head=HEAD):
    """The plans of a text with these lines, and what is wrong with them."""
    game, problems = checked(head + "\n".join(lines))
    return game, [each for each in problems if each.spot.line >= LINE]


def test_the_plans_of_a_trace_are_read_as_they_were_written():
    game = game_of(FOUR)
    assert [(plan.season, plan.seat) for plan in game.plans] == [
        (time, seat) for time in ROUND_NAMES for seat in range(4)
    ]
    read, problems = checked(text_of(game))
    assert problems == []
    assert read.opened == game.opened
    for one, other in zip(read.plans, game.plans, strict=True):
        assert (one.season, one.seat, one.cards) == (other.season, other.seat, other.cards)
    assert all(set(plan.cards.values()) & set(printed_board().counties) for plan in read.plans)
    assert {plan.cards.get("bid", "0") for plan in read.plans} - set("01234") != set("01234")


def test_a_plan_has_counties_bids_and_what_nobody_remembers():  # B3.1, B4.1
    game, problems = plans_of("fall 1 a Palace = alt,grain=?, taxes=pass ,bid=2", "fall1 B bid=county", "fall 1 C")
    assert problems == []
    first, second, third = game.plans
    assert first.cards == {"palace": "Altmark", "grain": "?", "bid": "2"}
    assert {box: spot.column for box, spot in first.spots.items()} == {"palace": 10, "grain": 23, "bid": 44}
    assert (second.season, second.seat, second.cards) == ("fall 1", 1, {"bid": "county"})
    assert third.cards == {}
    assert next(plan_lines(game)) == "fall 1 A palace=Alt, grain=?, bid=2"


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("winter 1 A bid=2", 1, '"winter 1" is not a season: spring 1, summer 1, fall 1'),
        ("fall 1 E bid=2", 8, '"E" is not a seat: A, B, C, D, actions:, tiles:'),
        ("fall A bid=2", 1, "\"fall A\" is not a season: spring 1"),
        ("fall 1 A palace Alt", 10, '"palace Alt" is not BOX=CARD; boxes are palace, church'),
        ("fall 1 A bid=2, place=Alt", 17, '"place" is not one of palace.*; did you mean palace'),
        ("fall 1 A grain=Alt, grain=Mec", 21, "grain is in this plan already; a box has one card"),
        ("fall 1 A grain=Alt, taxes=Alt", 27, "Altmark is on another box already; a card lies on one"),
        ("fall 1 A grain=Alx", 16, '"Alx" is not the code or name of a county; did you mean Alt'),
        ("fall 1 A grain=2", 16, '"2" cannot lie on grain; allowed are a county'),
        ("fall 1 A bid=5", 14, '"5" cannot lie on bid; a bid is 0 to 4'),
        ("fall 1 A grain=Lau", 10, "Lausitz is not a county of A after summer 1; B owns it"),
        ("fall 1 actions: taxes, tax", 24, '"tax" is not one of palace.*; did you mean taxes'),
        ("fall 1 actions: taxes, taxes", 24, "taxes is there already; the actions are all different"),
        ("fall 1 actions: taxes, ?, ?, ?, ?, ?", 16, "actions of fall 1: 6 are named; 5 lie open"),
    ],
)  # fmt: skip
def test_what_cannot_be_in_a_plan_is_named_by_line_and_column(line, column, message):
    _, problems = plans_of(line)
    found = [each for each in problems if re.search(message, each.message)]
    assert [(each.spot.line, each.spot.column) for each in found] == [(LINE, column)]


def test_a_plan_and_open_cards_are_written_once():
    tiles = "fall 1 tiles: thaler, grain, six_armies, attack, defence"
    game, problems = plans_of("fall 1 A bid=2", tiles, "fall 1 A bid=3", tiles)
    assert [(each.spot.line, each.spot.column) for each in problems] == [(LINE + 2, 1), (LINE + 3, 14)]
    assert f"line {LINE} already" in problems[0].message
    assert [plan.cards for plan in game.plans] == [{"bid": "2"}]


def test_the_first_edition_has_no_bids():  # V1
    _, problems = plans_of("fall 1 A bid=2", head=HEAD.replace("players: 4", "players: 4\nedition: 1e"))
    assert [each for each in problems if '"bid" is not one of' in each.message]


def test_mutated_plans_are_refused_by_line_and_column():
    lines = list(plan_lines(game_of(FOUR)))
    rng, refused = random.Random(5), 0
    for _ in range(150):
        text = mutated(rng.choice(lines), rng)
        _, problems = plans_of(text)
        written = re.split(r"\r\n|\n|\r", HEAD + text)
        for each in problems:
            assert 1 <= each.spot.column <= len(written[each.spot.line - 1]) + 1
            assert each.message
        refused += bool(problems)
    assert refused > 75
