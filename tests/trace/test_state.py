"""States at the ends of seasons: those of a trace are the tables of the game, and what cannot be is refused."""

from dataclasses import replace

import numpy as np
import pytest

from tests.trace.recorded import EXPANDED, GAMES, OTHER_TOWERS, name_of, record
from wallsim.errors import InputError
from wallsim.policies.value.features import MOMENTS
from wallsim.policies.value.position import STANDING, look_at_standing
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import ARMIES_PER_PLAYER
from wallsim.trace.state import State, states_of

ONE = {"owner": 0, "armies": 2, "buildings": ["palace"], "markers": 1}
PLAIN = {
    "players": 3, "after": "fall 1", "counties": {"Lüneburg": ONE}, "thalers": [1, 2, 3], "grain": [4, 5, 6],
    "vp": [0, 0, 0], "tower": {0: 3, "peasants": 2}, "events": ["Plague"],
}  # fmt: skip
EVENT = load_board().events[0]


def state(**changes):
    return State(**(PLAIN | {"events": [EVENT]} | changes))


def seen(game, rules):
    """What everybody sees of a table, as numbers: of the seats, and of the table."""
    standing = np.zeros(1, STANDING)[0]
    look_at_standing(game, rules, standing)
    return standing.seat[: int(rules.players)].tolist(), standing.table.tolist()


@pytest.mark.parametrize("game", [*GAMES, *EXPANDED, *OTHER_TOWERS], ids=name_of)
def test_what_is_seen_of_the_states_of_a_trace_is_what_was_seen_in_the_game(game):
    recorded = record(*game)
    states = states_of(recorded.match, recorded.lines)
    assert [each.after for each in states] == list(MOMENTS)
    match = recorded.match
    rules = pack_rules(match.board, match.ruleset, match.tower)[0]
    for place, each in enumerate(states):
        snapshot = recorded.log.snapshots[1 + place].copy()
        assert seen(each.record()[0], rules) == seen(snapshot, rules)


def test_a_state_is_written_by_hand():
    record = state().record()[0]
    county = load_board().counties.index("Lüneburg")
    assert (record.year, record.season, record.army[county], record.marker[county]) == (0, 2, 2, 1)
    assert record.built[0] == record.land[0] == 1 << county
    assert (record.supply[0], record.tower[0], record.shown_events) == (ARMIES_PER_PLAYER - 2 - 3, 3, 1)


def test_a_trace_says_what_differs_from_the_printed_game():
    recorded = record(*EXPANDED[-1])
    assert states_of(recorded.match, recorded.lines)[0].expansions == ("leaders",)
    assert states_of(recorded.match, recorded.lines)[0].changed == ("A11", "A12")
    assert states_of(record(*GAMES[0]).match, record(*GAMES[0]).lines)[0].changed == ()


def test_a_game_on_another_board_has_no_states():
    recorded = record(*GAMES[0])
    other = replace(recorded.match, board=replace(recorded.match.board, tax=recorded.match.board.tax + 1))
    with pytest.raises(InputError, match="board: states are of the board of the game"):
        states_of(other, recorded.lines)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 6}, "players: 6 is not 3, 4 or 5"),
        ({"after": "autumn 1"}, "after: 'autumn 1' is not one of spring 1, "),
        ({"edition": "3e"}, "edition: '3e' is not one of 2e, 1e"),
        ({"expansions": ["towers"]}, "expansions: 'towers' is not one of court, "),
        ({"thalers": [1, 2]}, r"thalers: \[1, 2\] is not a list of 3 whole numbers"),
        ({"vp": [1, -2, 0]}, "vp: .* is not a list of 3 whole numbers from 0 to"),
        ({"counties": {"Lunebourg": ONE}}, "counties: 'Lunebourg' is not a county of a game of 3"),
        ({"counties": {"Lüneburg": {**ONE, "owner": 3}}}, "counties.Lüneburg.owner: 3 is not a seat from 0 to 2"),
        ({"counties": {"Lüneburg": {"owner": 0}}}, "counties.Lüneburg.armies: None is not a whole number from 1 to "),
        ({"counties": {"Lüneburg": {**ONE, "markers": -1}}}, "counties.Lüneburg.markers: -1"),
        (
            {"counties": {"Lüneburg": {**ONE, "buildings": ["mill"]}}},
            "Lüneburg.buildings: 'mill' is not one of",
        ),
        ({"tray": {"green": 1}}, "tray: 'green' is not a seat from 0 to 2, or peasants"),
        ({"tower": {0: -1}}, "tower.0: -1 is not a whole number"),
        ({"tower": {0: 61}}, "counties: seat 0 has 63 armies with tray and tower; at most "),
        ({"events": ["Comet"]}, "events: 'Comet' is not one of "),
        ({"events": list(load_board().events[:5])}, "events: 5 are open; at most 4 are"),
        ({"events": [EVENT] * 2}, "one of them is there twice"),
        ({"events": 3}, "events: 3 is not a list of names"),
        ({"players": 3.0}, "players: 3.0 is not 3, 4 or 5"),
        ({"thalers": None}, "thalers: None is not a list of 3"),
        ({"thalers": {0: 1, 1: 1, 2: 1}}, "thalers: {.*} is not a list of 3"),
        ({"vp": [10**30, 0, 0]}, "vp: .* is not a list of 3 whole numbers from 0 to 1000"),
        ({"expansions": None}, "expansions: None is not a list of names"),
        ({"changed": [1]}, r"changed: \[1\] is not a list of names"),
        ({"counties": ["Lüneburg"]}, "counties: .* is not a dictionary"),
        ({"counties": {"Lüneburg": 3}}, "counties.Lüneburg: 3 is not a dictionary with the keys owner, "),
        (
            {"counties": {"Lüneburg": {**ONE, "building": []}}},
            "counties.Lüneburg: .* is not a dictionary with",
        ),
        (
            {"counties": {"Lüneburg": {**ONE, "buildings": None}}},
            "buildings: None is not a list of different",
        ),
        ({"counties": {"Lüneburg": {**ONE, "buildings": ["palace"] * 2}}}, "is not a list of different buildings"),
        ({"tower": None}, "tower: None is not a dictionary"),
        ({"tower": {0: 3, "0": 5}}, "tower: a seat is there twice"),
        ({"hall": 3}, "hall: 3 is not a list of 3"),
        ({"hall": [1, 0, 0]}, "hall: the expansion court is not played"),
        ({"hall": ["x", 0, 0], "expansions": ["court"]}, "hall: .* is not a list of 3 whole numbers"),
        ({"statues": [None] * 3, "expansions": ["leaders"]}, "statues: None does not name counties"),
        ({"leaders": [["Baden"], None, None], "expansions": ["leaders"]}, "leaders: .* does not name counties"),
        ({"statues": [["Baden"] * 7, [], []], "expansions": ["leaders"]}, "statues: .* at most 6"),
    ],
)
def test_what_cannot_be_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        state(**changes)
