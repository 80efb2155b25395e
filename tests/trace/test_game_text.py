"""Games and positions as text: what is written is read again, and what cannot be is named by line and column."""

import random
import re

import pytest

from tests.trace.recorded import EXPANDED, GAMES, name_of, record
from wallsim.errors import InputError
from wallsim.rules.board import load_board
from wallsim.rules.county_codes import codes, folded, meant_counties
from wallsim.trace.game_text.checks import check_game
from wallsim.trace.game_text.from_trace import game_of_trace, section_of
from wallsim.trace.game_text.model import END, START, GameText
from wallsim.trace.game_text.points import fill_points, points_of
from wallsim.trace.game_text.position import read_file, read_position
from wallsim.trace.game_text.reading import read_text
from wallsim.trace.game_text.writing import text_of
from wallsim.trace.state import states_of

RECORDED = [*GAMES, *EXPANDED]
FOUR = (4, "lineup", 0)
LINE = re.compile(r"x\.txt:([0-9]+):([0-9]+): \S")
HEAD = "players: 4\n\nwinter 1\n"
SEATS = ["A 0v 0g 1t", "B 0v 0g 1t", "C 0v 0g 1t", "D 0v 0g 1t"]


def game_of(game):
    recorded = record(*game)
    return game_of_trace(recorded.match, recorded.lines)


def checked(text):
    """A game from a text, and everything that is wrong with it."""
    game = read_text(text, "x.txt")
    check_game(game)
    return game, game.problems


def position(first, rest=(), head=HEAD):
    return "\n".join([head.rstrip("\n"), first, *SEATS[1:], *rest, ""])


def same_position(state):
    game = GameText("state", state.players, "", state.edition, tuple(state.expansions), tuple(state.changed))
    game.sections[state.after] = section_of(game, state.after, vars(state))
    again = read_position(text_of(game))
    assert again.record().tobytes() == state.record().tobytes()
    for name in ("players", "after", "counties", "thalers", "grain", "vp", "edition", "events", "hall"):
        assert getattr(again, name) == getattr(state, name)
    assert (list(again.expansions), list(again.changed)) == (list(state.expansions), list(state.changed))
    assert (list(again.leaders), list(again.statues), list(again.trophies)) == (
        list(state.leaders), list(state.statues), list(state.trophies),
    )  # fmt: skip
    return 1


def test_positions_are_read_as_they_were_written():
    recorded = [record(*game) for game in RECORDED]
    states = [state for each in recorded for state in states_of(each.match, each.lines)]
    assert sum(same_position(state) for state in states) >= 100


@pytest.mark.slow
def test_a_thousand_positions_are_read_as_they_were_written():
    recorded = [record(players, setup, number) for players, setup, _ in GAMES[::2] for number in range(20, 44)]
    states = [state for each in recorded for state in states_of(each.match, each.lines)]
    assert sum(same_position(state) for state in states) >= 1000


@pytest.mark.parametrize("game", RECORDED, ids=name_of)
def test_nothing_in_a_simulated_game_is_impossible_and_its_text_is_written_again(game):
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


@pytest.mark.parametrize(
    ("first", "column", "message"),
    [
        ("A 1v 0g 1t Lau5p", 3, "1 victory points; 2 of the counties and buildings noted are more"),
        ("A ?v 0g 1t Lai5", 12, "not the code or name of a county; did you mean Lau"),
        ("A ?v 0g 1t Hes5", 12, "can be HDar (Hessen-Darmstadt) or HKas"),
        ("A ?v 0g 1t Lau5pc", 12, "Lausitz has 2 buildings; it has 1 site"),
        ("A ?v 0g 1t Lau5x", 16, "not a building; allowed are p palace"),
        ("A ?v 0g 1t Mit5pp", 17, "is there twice; a county has one of a kind"),
        ("A ?v 0g 1t Lau0", 12, "has no army; a county without armies is neutral"),
        ("A ?v 0g 1t Lau63", 1, "has 63 armies; the box has 62"),
        ("A ?v 0g 1t Lau1!", 12, "revolt markers; after the first winter"),
        ("A ?v 0g 1t Lau1 Lau2", 17, "owned by A on line 4 already"),
        ("A ?v 19g 1t", 6, "19 grain; the food track ends at 18"),
        ("A ?v 3g 1t", 6, "3 grain; after the first winter"),
        ("A ?v 0g 1t 1h", 12, "the expansion court is not played"),
        ("A ?v 0g 1t 7q", 13, "ends with"),
        ("A ?v 0g 1t @Lau", 12, "the expansion leaders is not played"),
        ("A ?v 0g 1t line-up", 12, "is not a number such as 32v"),
        ("F ?v 0g 1t", 1, "is not a seat"),
    ],
)
def test_what_cannot_be_is_named_by_line_and_column(first, column, message):
    problems = checked(position(first))[1]
    found = [each for each in problems if message in each.message]
    assert [(each.spot.line, each.spot.column) for each in found] == [(4, column)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("winter 1 A x Lau 4:3 won", "nobody attacks in winter"),
        ("fall 1 A x A Lau 4:3 won", "A attacks itself"),
        ("fall 1 A x Lau 4:0 won", "defenders: allowed are whole numbers from 1"),
        ("fall 1 A x B Lau 4:1n won", "n is for a neutral county"),
        ("fall 1 A x Lau 4-3 won", "armies of both sides are missing"),
        ("fall 1 A x Lau 4:3 lot", "did you mean lost"),
        ("fal 1 A x Lau 4:3 won", "did you mean fall 1"),
        ("fall 1 Q x Lau 4:3 won", "not an attacker: A, B, C, D, peasants, ?"),
        ("fall 1 A Lau 4:3 won", "this is not a battle"),
        ("fall 1 loud A x Lau 4:3 won", '"loud" is between season and attacker'),
    ],
)
def test_battles_that_cannot_be_are_refused(line, message):
    problems = checked(position(SEATS[0], ["battles", line]))[1]
    assert [each.spot.line for each in problems if re.search(message, each.message)] == [9]


@pytest.mark.parametrize("text", ["", "#\n", "players: 6\n", "scores: 45 38\n", "start\nA 0v\n", "winter 9\n"])
def test_a_text_that_is_no_game_is_refused(text):
    problems = checked(text)[1]
    assert problems
    assert all(LINE.match(str(each)) for each in problems)


def test_the_line_of_a_seat_above_all_season_ends_is_told_its_place():
    [problem] = checked("players: 4\nA Reg?\n")[1]
    assert "what a seat has is below a season end" in problem.message
    assert checked("players: 4\nstart\nA Reg?\n")[1] == []


def test_counties_below_an_unknown_season_end_are_in_play():
    [problem] = checked("players: 4\nwinter 9\nA Reg?\n")[1]
    assert '"winter 9" is not a season end' in problem.message


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


def holds_for_mutations(number, seed):
    texts = [text_of(game_of(game)) for game in (FOUR, EXPANDED[0])]
    rng, refused = random.Random(seed), 0
    for _ in range(number):
        text = mutated(rng.choice(texts), rng)
        problems = checked(text)[1]
        lines = re.split(r"\r\n|\n|\r", text)
        for each in problems:
            number_of_line, column = map(int, LINE.match(str(each)).groups())
            assert 1 <= number_of_line <= len(lines)
            assert 1 <= column <= len(lines[number_of_line - 1]) + 1
        refused += bool(problems)
    return refused


def test_mutated_texts_are_refused_by_line_and_column():
    assert holds_for_mutations(40, 3) > 20


@pytest.mark.slow
def test_five_hundred_mutated_texts_are_refused_by_line_and_column():
    assert holds_for_mutations(500, 4) > 300


def test_a_position_needs_one_season_end_and_every_number():
    lines = [*SEATS]
    good = "\n".join([HEAD, *lines])
    assert read_position(good).after == "winter 1"
    for text, message in (
        (good.replace("1t", "?t", 1), "3:9: must be known in a position"),
        (good.replace(" 1t", "", 1), "3:1: A has no Thalers; a position needs such as 5t"),
        (good.replace("B 0v 0g 1t\n", ""), "2:1: winter 1 has no line for seat B"),
        (good.replace("winter 1", "summer 1") + "\nevents: tax_max_5", "7:1: events: 1 open; after summer 1 it is 2"),
        (f"{good}\nspring 2\n" + "\n".join(lines), "2 season ends"),
        ("players: 4\n", "1:1: 0 season ends"),
        (good.replace("winter 1", "end"), "a position is the end of a season"),
    ):
        with pytest.raises(InputError, match=message):
            read_position(text.replace("\n\n", "\n"))


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "g.txt").write_bytes("players: 4\nA: Grün\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"g\.txt:2:6: is not UTF-8"):
        read_file(tmp_path / "g.txt")


def test_every_code_and_name_means_its_county():
    names = load_board().counties
    short = codes(names)
    for name in names:
        for word in (short[name], short[name].lower(), folded(short[name]), name, name.upper()):
            assert meant_counties(word, names, names) == [name]
    assert meant_counties("salz", names, names) == ["Salzburg"]
    assert set(meant_counties("Hess", names, names)) == {"Hessen-Darmstadt", "Hessen-Kassel"}
    assert meant_counties("xyz", names, names) == []
