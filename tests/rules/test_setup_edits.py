"""Edits of the set-up: starting Thalers, counties out of play, edited line-ups, and what is refused."""

import pytest

from tests.naive.making import BOARD
from tests.refusals import assert_names
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import ASSUMED, EDITED, PRINTED, counties_in_play, lineup_of, setup_errors
from wallsim.rules.terms import ARMIES_PER_PLAYER, COUNTIES
from wallsim.rules.tower import load_tower

TOWER = load_tower("spielbyweb")
A_OF_FOUR = tuple(BOARD.counties[county] for county, _, _ in BOARD.lineups[4, "A"])
B_OF_FOUR = tuple(BOARD.counties[county] for county, _, _ in BOARD.lineups[4, "B"])
FREE = next(
    name
    for name in BOARD.counties
    if not any(BOARD.counties[county] == name for letter in "ABCD" for county, _, _ in BOARD.lineups[4, letter])
)


def test_a_ruleset_without_edits_is_that_of_the_books():
    plain = Ruleset()
    assert setup_errors(BOARD, plain) == []
    assert plain.starting_thalers() == (15, 15, 15, 15)
    assert [tuple(group[:2]) for group in lineup_of(BOARD, plain, "A")] == [row[:2] for row in BOARD.lineups[4, "A"]]
    assert {group.source for letter in "ABCD" for group in lineup_of(BOARD, plain, letter)} <= {PRINTED, ASSUMED}
    assert counties_in_play(BOARD, plain) == tuple(range(COUNTIES))
    assert len(counties_in_play(BOARD, Ruleset(players=3))) == 37


def test_thalers_of_a_line_up_go_with_its_letter_and_those_of_a_seat_stay():  # B1.1
    of_line_up, of_seat = (("A", 20),), (("0", 3),)
    assert Ruleset(thalers=of_line_up, lineups=("B", "C", "D", "A")).starting_thalers() == (15, 15, 15, 20)
    assert Ruleset(thalers=of_seat, lineups=("B", "C", "D", "A")).starting_thalers() == (3, 15, 15, 15)
    assert Ruleset(players=3, setup="draft", thalers=of_seat).starting_thalers() == (3, 18, 18)
    packed = pack_rules(BOARD, Ruleset(thalers=of_line_up), TOWER)
    assert packed[0].starting_thalers.tolist() == [20, 15, 15, 15, 0]


def test_a_county_out_of_play_is_in_no_mask_and_no_line_up():  # B0.1
    out = A_OF_FOUR[0]
    ruleset = Ruleset(without=(out,))
    number = BOARD.counties.index(out)
    rules = pack_rules(BOARD, ruleset, TOWER)[0]
    assert rules.in_play == (1 << COUNTIES) - 1 - (1 << number)
    assert not any(int(mask) >> number & 1 for mask in (*rules.neighbours, *rules.region_counties))
    assert [group.county for group in lineup_of(BOARD, ruleset, "A")] == [row[0] for row in BOARD.lineups[4, "A"][1:]]
    assert rules.lineup_groups.tolist() == [7, 8, 8, 8, 0]


def test_an_edited_line_up_replaces_the_printed_one():  # B1.3
    ruleset = Ruleset(lineup_edits=(("B", ((FREE, 9),)),), lineups=("D", "B", "A", "C"))
    (group,) = lineup_of(BOARD, ruleset, "B")
    assert (BOARD.counties[group.county], group.armies, group.source) == (FREE, 9, EDITED)
    rules = pack_rules(BOARD, ruleset, TOWER)[0]
    assert rules.lineup_groups.tolist() == [8, 1, 8, 8, 0]
    assert rules.lineup_edited.tolist() == [0, 1, 0, 0, 0]
    assert (rules.lineup_county[1, 0], rules.lineup_army[1, 0]) == (group.county, 9)


def lineup(letter, county, armies, **fields):
    return {"lineup_edits": ((letter, ((county, armies),)),), **fields}


@pytest.mark.parametrize(
    ("fields", "place", "names"),
    [
        ({"thalers": (("E", 3),)}, "thalers.E", ["0 to 3", "A, B, C, D"]),
        ({"thalers": (("4", 3),)}, "thalers.4", ["seats 0 to 3"]),
        ({"thalers": (("A", 3),), "setup": "draft"}, "thalers.A", ["seats 0 to 3"]),
        ({"thalers": (("A", -1),)}, "thalers.A", ["0 to 60"]),
        ({"thalers": (("A", 61),)}, "thalers.A", ["0 to 60"]),
        ({"thalers": (("0", 9), ("B", 8))}, "thalers", ["seats and line-ups"]),
        ({"thalers": (("0", 60),), "bank": 100}, "thalers", ["100 Thalers", "bank"]),
        ({"without": ("Bohemia",)}, "without", ["not a county"]),
        ({"without": ("Tirol", "Tirol")}, "without", ["more than once"]),
        ({"without": ("Tirol",), "players": 3}, "without", ["out of play", "3 players"]),
        ({"without": A_OF_FOUR}, "lineup.A", ["no county left"]),
        ({"without": BOARD.counties[:12], "setup": "draft"}, "without", ["33", "draft", "34"]),
        ({"without": BOARD.counties[:14], "setup": "deal"}, "without", ["31", "deal", "32"]),
        (lineup("A", "Tirol", 3, setup="deal"), "lineup", ["deal"]),
        (lineup("E", "Tirol", 3), "lineup.E", ["4 players: A, B, C, D"]),
        ({"lineup_edits": (("A", ()),)}, "lineup.A", ["no county"]),
        (lineup("A", "Tyrol", 3), "lineup.A.Tyrol", ["not a county", "mean Tirol"]),
        (lineup("A", "Tirol", 3, without=("Tirol",)), "lineup.A.Tirol", ["out of play"]),
        (lineup("A", FREE, 0), f"lineup.A.{FREE}", ["armies from 1"]),
        (lineup("A", FREE, 56), "lineup.A", ["most 55", "keeps 7"]),
        (lineup("A", B_OF_FOUR[0], 5), f"lineup.A.{B_OF_FOUR[0]}", ["line-up B, too"]),
    ],
)
def test_what_cannot_be_dealt_is_refused_by_name(fields, place, names):
    (error,) = setup_errors(BOARD, Ruleset(**fields))
    assert error[0] == place
    assert_names(error[2], *names)
    with pytest.raises(ValueError, match=place.split(".")[0]):
        pack_rules(BOARD, Ruleset(**fields), TOWER)


def test_the_bounds_themselves_are_allowed():
    most = ARMIES_PER_PLAYER - 7  # B1.6
    for fields in (
        {"thalers": (("A", 0), ("B", 60))},
        {"lineup_edits": (("A", ((FREE, most),)),)},
        {"lineup_edits": (("A", ((B_OF_FOUR[0], 5),)), ("B", ((A_OF_FOUR[0], 5),)))},
        {"without": BOARD.counties[:11], "setup": "draft"},
        {"without": BOARD.counties[:13], "setup": "deal"},
    ):
        assert setup_errors(BOARD, Ruleset(**fields)) == []
