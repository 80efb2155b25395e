"""Games and positions as text: what is written is read again, and what cannot be is named by line and column."""

import random
import re

import pytest

from tests.refusals import refused
from tests.trace.recorded import EXPANDED, GAMES, TABLES, name_of, record
from wallsim.rules.board import printed_board
from wallsim.rules.county_codes import codes, folded, meant_counties
from wallsim.rules.terms import ROUND_NAMES
from wallsim.trace.game_text.checks import check_game
from wallsim.trace.game_text.from_trace import game_of_trace, section_of
from wallsim.trace.game_text.model import END, START, GameText
from wallsim.trace.game_text.points import fill_points, points_of
from wallsim.trace.game_text.position import read_file, read_position
from wallsim.trace.game_text.reading import read_text
from wallsim.trace.game_text.writing import plan_lines, text_of
from wallsim.trace.state import states_of

RECORDED = [*GAMES, *EXPANDED]
FOUR = (4, "lineup", 0)
LINE = re.compile(r"x\.txt:([0-9]+):([0-9]+): \S")
WINTER = ["players: 4", "winter 1", "A 0v 0g 1t", "B 0v 0g 1t", "C 0v 0g 1t", "D 0v 0g 1t"]
SUMMER = ["players: 4", "summer 1", "A 0v 0g 1t Alt1 Mec2", "B 0v 0g 1t Lau1", "C 0v 0g 1t Köl1", "D 0v 0g 1t Reg1"]
PLANS = len(SUMMER) + 2  # the line of the first plan


def game_of(game):
    recorded = record(*game)
    return game_of_trace(recorded.match, recorded.lines)


def checked(text):
    """A game from a text, and everything that is wrong with it."""
    game = read_text(text, "x.txt")
    check_game(game)
    return game, game.problems


def assert_same_position(state):
    game = GameText("state", state.players, "", state.edition, tuple(state.expansions), tuple(state.changed))
    game.sections[state.after] = section_of(game, state.after, vars(state))
    again = read_position(text_of(game))
    assert again.record().tobytes() == state.record().tobytes()
    for name in ("players", "after", "counties", "thalers", "grain", "vp", "edition", "events", "hall"):
        assert getattr(again, name) == getattr(state, name)
    for name in ("expansions", "changed", "leaders", "statues", "trophies"):
        assert list(getattr(again, name)) == list(getattr(state, name))


def assert_same_positions(game):
    recorded = record(*game)
    states = states_of(recorded.match, recorded.lines)
    assert len(states) == 7
    for state in states:
        assert_same_position(state)


@pytest.mark.slow
@pytest.mark.nightly
def test_positions_of_many_games_are_read_as_they_were_written():
    for table in TABLES:
        for number in range(20, 44):
            assert_same_positions((*table, number))


@pytest.mark.parametrize("game", RECORDED, ids=name_of)
def test_games_and_their_positions_are_read_as_they_were_written_and_nothing_is_impossible(game):
    assert_same_positions(game)
    text = text_of(game_of(game))
    read, problems = checked(text)
    assert problems == []
    assert text_of(read) == text


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_points_from_the_board_are_those_of_the_trace(game):  # B7.4
    recorded, typed = record(*game), game_of(game)
    scores = [line for line in recorded.lines if line["t"] == "score"]
    for winter, time in enumerate(("winter 1", END)):
        for seat, points in enumerate(points_of(typed, typed.sections[time])):
            [line] = [each for each in scores[winter * typed.players :][: typed.players] if each["seat"] == seat]
            of_majorities = sum(each for kinds in line["majorities"].values() for each in kinds.values())
            assert (points.counties, points.buildings, points.majority_points, points.total) == (
                line["counties"], line["buildings"], of_majorities, line["total"],
            )  # fmt: skip


def test_a_tie_costs_what_a_seat_gets_less_than_one_that_leads_alone():  # B7.4
    rows = ["A 0v 0g 1t Alt1p Neu1c", "B 0v 0g 1t Lün1p Mec1c", "C 0v 0g 1t Mit1c", "D 0v 0g 1t Vor1t"]
    game, _ = checked("\n".join(["players: 4", "winter 1", *rows]))
    points = points_of(game, game.sections["winter 1"])
    assert [each.tie_cost for each in points] == [2, 2, 1, 0]
    assert [each.majority_points for each in points] == [3, 3, 1, 1]


def test_points_that_nobody_remembers_follow_from_the_board():
    typed = game_of(FOUR)
    text = re.sub(r"^([A-D]) [0-9]+v", r"\1 ?v", text_of(typed), flags=re.M)
    read, problems = checked(text)
    assert problems == []
    fill_points(read)
    for time, section in read.sections.items():
        for seat, row in section.rows.items():
            assert row.vp == (0 if time == START else typed.sections[time].rows[seat].vp)


def spots(problems, names):
    """Line and column of the problems that name all of these."""
    return [(each.spot.line, each.spot.column) for each in problems if all(name in each.message for name in names)]


@pytest.mark.parametrize(
    ("row", "column", "names"),
    [
        ("A 1v 0g 1t Lau5p", 3, ["1 victory points", "2 of the counties"]),
        ("A ?v 0g 1t Lai5", 12, ["Lai", "mean Lau"]),
        ("A ?v 0g 1t Hes5", 12, ["HDar (Hessen-Darmstadt)", "HKas"]),
        ("A ?v 0g 1t Lau5pc", 12, ["Lausitz has 2 buildings", "1 site"]),
        ("A ?v 0g 1t Lau5x", 16, ['"x"', "p palace"]),
        ("A ?v 0g 1t Mit5pp", 17, ['"p"', "twice"]),
        ("A ?v 0g 1t Lau0", 12, ["Lausitz has no army", "neutral"]),
        ("A ?v 0g 1t Lau63", 1, ["A has 63 armies", "62"]),
        ("A ?v 0g 1t Lau1!", 12, ["Lausitz", "revolt markers", "first winter"]),
        ("A ?v 0g 1t Lau1 Lau2", 17, ["Lausitz", "A on line 3"]),
        ("A ?v 19g 1t", 6, ["19 grain", "ends at 18"]),
        ("A ?v 3g 1t", 6, ["3 grain", "first winter"]),
        ("A ?v 0g 1t 1h", 12, ["expansion court"]),
        ("A ?v 0g 1t 7q", 13, ['"q"', "ends with"]),
        ("A ?v 0g 1t @Lau", 12, ["expansion leaders"]),
        ("A ?v 0g 1t line-up", 12, ["line-up", "32v"]),
        ("F ?v 0g 1t", 1, ['"F"', "seat"]),
    ],
)
def test_what_a_seat_cannot_have_is_named_by_line_and_column(row, column, names):
    problems = checked("\n".join([*WINTER[:2], row, *WINTER[3:]]))[1]
    assert spots(problems, names) == [(3, column)]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("winter 1 A x Lau 4:3 won", ["nobody attacks", "winter"]),
        ("fall 1 A x A Lau 4:3 won", ["A attacks itself"]),
        ("fall 1 A x B Lau 4:0 won", ["defenders", "from 1"]),
        ("fall 1 A x B Lau 4:1n won", ["n is for", "neutral"]),
        ("fall 1 A x Lau 4-3 won", ["armies of both sides"]),
        ("fall 1 A x Lau 4:3 lot", ['"lot"', "mean lost"]),
        ("fall 1 Q x Lau 4:3 won", ['"Q"', "A, B, C, D, peasants, ?"]),
        ("fall 1 A Lau 4:3 won", ["not a battle"]),
        ("fall 1 loud A x Lau 4:3 won", ['"loud"', "attacker"]),
    ],
)
def test_battles_that_cannot_be_are_refused(line, names):
    problems = checked("\n".join([*WINTER, "battles", line]))[1]
    assert [at for at, _ in spots(problems, names)] == [8]


@pytest.mark.parametrize(
    ("line", "column", "names"),
    [
        ("winter 1 A bid=2", 1, ['"winter 1"', "spring 1, summer 1, fall 1"]),
        ("fall 1 E bid=2", 8, ['"E"', "A, B, C, D, actions:, tiles:"]),
        ("fall 1 A palace Alt", 10, ['"palace Alt"', "BOX=CARD", "palace, church"]),
        ("fall 1 A bid=2, place=Alt", 17, ['"place"', "mean palace"]),
        ("fall 1 A grain=Alt, grain=Mec", 21, ["grain", "one card"]),
        ("fall 1 A grain=Alt, taxes=Alt", 27, ["Altmark", "another box"]),
        ("fall 1 A grain=Alx", 16, ['"Alx"', "mean Alt"]),
        ("fall 1 A grain=2", 16, ['"2"', "grain", "a county"]),
        ("fall 1 A bid=5", 14, ['"5"', "bid", "0 to 4"]),
        ("fall 1 A grain=Lau", 10, ["Lausitz", "A after summer 1", "B owns"]),
        ("fall 1 actions: taxes, tax", 24, ['"tax"', "mean taxes"]),
        ("fall 1 actions: taxes, taxes", 24, ["taxes", "already"]),
        ("fall 1 actions: taxes, ?, ?, ?, ?, ?", 16, ["actions of fall 1: 6", "5"]),
    ],
)
def test_what_cannot_be_in_a_plan_is_named_by_line_and_column(line, column, names):
    assert spots(plans_of(line)[1], names) == [(PLANS, column)]


@pytest.mark.parametrize("text", ["", "players: 6\n", "scores: 45 38\n", "start\nA 0v\n"])
def test_a_text_that_is_no_game_is_refused(text):
    problems = checked(text)[1]
    assert problems
    assert all(LINE.match(str(each)) for each in problems)


@pytest.mark.parametrize(
    ("text", "names"),
    [("A Reg?", ["below a season end"]), ("start\nA Reg?", []), ("winter 9\nA Reg?", ['"winter 9"'])],
)
def test_the_line_of_a_seat_has_its_place_below_a_season_end_where_counties_are_in_play(text, names):
    for problem, name in zip(checked(f"players: 4\n{text}\n")[1], names, strict=True):
        assert name in problem.message


def mutated(text, rng):
    """A text with a few characters or words deleted, replaced or put in."""
    for _ in range(rng.randint(1, 4)):
        words = list(re.finditer(r"\S+", text))
        word, other, at = rng.choice(words), rng.choice(words)[0], rng.randrange(len(text))
        text = rng.choice(
            [
                text[:at] + text[at + 1 :],
                text[:at] + rng.choice("abz0?!@^:#\n x9é\u0301\x00\x85\u2028½²٣") + text[at:],
                text[: word.start()] + text[word.end() :],
                text[: word.start()] + other + text[word.end() :],
                text[: word.start()] + other + " " + text[word.start() :],
            ]
        )
    return text


def refused_of(texts):
    """How many texts are refused; each problem is at a place of its text."""
    refused = 0
    for text in texts:
        problems = checked(text)[1]
        lines = re.split(r"\r\n|\n|\r", text)
        for each in problems:
            line, column = map(int, LINE.match(str(each)).groups())
            assert 1 <= line <= len(lines)
            assert 1 <= column <= len(lines[line - 1]) + 1
        refused += bool(problems)
    return refused


@pytest.mark.parametrize("number", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_mutated_texts_are_refused_by_line_and_column(number):
    texts, rng = [text_of(game_of(game)) for game in (FOUR, EXPANDED[0])], random.Random(3)
    assert refused_of(mutated(rng.choice(texts), rng) for _ in range(number)) > number / 2


def test_mutated_plans_are_refused_by_line_and_column():
    lines, rng = list(plan_lines(game_of(FOUR))), random.Random(5)
    head = "\n".join([*SUMMER, "plans", ""])
    assert refused_of(head + mutated(rng.choice(lines), rng) for _ in range(150)) > 75


def test_a_position_needs_one_season_end_and_every_number():
    good = "\n".join(WINTER)
    assert read_position(good).after == "winter 1"
    for text, *names in (
        (good.replace("1t", "?t", 1), "3:9: ", "must be known"),
        (good.replace(" 1t", "", 1), "3:1: ", "A has no Thalers", "5t"),
        (good.replace("B 0v 0g 1t\n", ""), "2:1: ", "winter 1", "seat B"),
        (good.replace("winter 1", "summer 1") + "\nevents: tax_max_5", "7:1: ", "1 open", "summer 1 it is 2"),
        ("\n".join([good, "spring 2", *WINTER[2:]]), "2 season ends"),
        ("players: 4\n", "1:1: 0 season ends"),
        (good.replace("winter 1", "end"), "end of a season"),
    ):
        with refused(*names):
            read_position(text)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "g.txt").write_bytes("players: 4\nA: Grün\n".encode("latin-1"))
    with refused("g.txt:2:6: ", "UTF-8"):
        read_file(tmp_path / "g.txt")


# -------------------------------------------------------------------------------------------------- plans


def plans_of(*lines, head=SUMMER):
    """The plans of a text with these lines, and what is wrong with them."""
    game, problems = checked("\n".join([*head, "plans", *lines]))
    return game, [each for each in problems if each.spot.line > len(head) + 1]


def test_the_plans_of_a_trace_are_read_as_they_were_written():
    game = game_of(FOUR)
    seasons = [(time, seat) for time in ROUND_NAMES for seat in range(4)]
    assert [(plan.season, plan.seat) for plan in game.plans] == seasons
    read, problems = checked(text_of(game))
    assert problems == []
    assert read.opened == game.opened
    assert [plan.cards for plan in read.plans] == [plan.cards for plan in game.plans]
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


def test_a_plan_and_open_cards_are_written_once():
    tiles = "fall 1 tiles: thaler, grain, six_armies, attack, defence"
    game, problems = plans_of("fall 1 A bid=2", tiles, "fall 1 A bid=3", tiles)
    assert [(each.spot.line, each.spot.column) for each in problems] == [(PLANS + 2, 1), (PLANS + 3, 14)]
    assert f"line {PLANS}" in problems[0].message
    assert [plan.cards for plan in game.plans] == [{"bid": "2"}]


def test_the_first_edition_has_no_bids():  # V1
    problems = plans_of("fall 1 A bid=2", head=["players: 4", "edition: 1e", *SUMMER[1:]])[1]
    assert [each for each in problems if '"bid" is not' in each.message]


# ----------------------------------------------------------------------------------------------- counties


def test_every_code_and_name_means_its_county():
    names = printed_board().counties
    short = codes(names)
    for name in names:
        for word in (short[name], short[name].lower(), folded(short[name]), name, name.upper()):
            assert meant_counties(word, names, names) == [name]
    assert meant_counties("salz", names, names) == ["Salzburg"]
    assert set(meant_counties("Hess", names, names)) == {"Hessen-Darmstadt", "Hessen-Kassel"}
    assert meant_counties("xyz", names, names) == []
