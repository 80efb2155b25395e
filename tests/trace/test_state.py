"""States at the ends of seasons: those of a trace are the tables of the game, and what cannot be is refused."""

from dataclasses import replace

import numpy as np
import pytest

from tests.refusals import refused
from tests.trace.recorded import EXPANDED, GAMES, OTHER_TOWERS, name_of, record
from wallsim.policies.value.features import MOMENTS
from wallsim.policies.value.position import STANDING, look_at_standing
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import ARMIES_PER_PLAYER
from wallsim.trace.state import State, states_of

ONE = {"owner": 0, "armies": 2, "buildings": ["palace"], "markers": 1}
PLAIN = {
    "players": 3, "after": "fall 1", "counties": {"Lüneburg": ONE}, "thalers": [1, 2, 3], "grain": [4, 5, 6],
    "vp": [0, 0, 0], "tower": {0: 3, "peasants": 2},
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
    match, states = recorded.match, states_of(recorded.match, recorded.lines)
    assert [each.after for each in states] == list(MOMENTS)
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
    for game, expansions, changed in ((GAMES[0], (), ()), (EXPANDED[-1], ("leaders",), ("A11", "A12"))):
        first = states_of(record(*game).match, record(*game).lines)[0]
        assert (first.expansions, first.changed) == (expansions, changed)


def test_a_game_on_another_board_has_no_states():
    recorded = record(*GAMES[0])
    other = replace(recorded.match, board=replace(recorded.match.board, tax=recorded.match.board.tax + 1))
    with refused("board: "):
        states_of(other, recorded.lines)


def of_one(**changes):
    return {"counties": {"Lüneburg": {**ONE, **changes}}}


LEADERS = {"expansions": ["leaders"]}


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"players": 6}, ["players: 6", "3, 4 or 5"]),
        ({"after": "autumn 1"}, ["after: 'autumn 1'", "spring 1, "]),
        ({"edition": "3e"}, ["edition: '3e'", "2e, 1e"]),
        ({"expansions": ["towers"]}, ["expansions: 'towers'", "court, "]),
        ({"expansions": None}, ["expansions: None", "list of names"]),
        ({"thalers": [1, 2]}, ["thalers: [1, 2]", "3 whole numbers"]),
        ({"thalers": None}, ["thalers: None", "list of 3"]),
        ({"vp": [1, -2, 0]}, ["vp: [1, -2, 0]", "from 0 to"]),
        ({"counties": ["Lüneburg"]}, ["counties: ", "dictionary"]),
        ({"counties": {"Lunebourg": ONE}}, ["counties: 'Lunebourg'", "game of 3"]),
        ({"counties": {"Lüneburg": 3}}, ["counties.Lüneburg: 3", "keys owner, "]),
        ({"counties": {"Lüneburg": {"owner": 0}}}, ["counties.Lüneburg.armies: None", "from 1 to "]),
        (of_one(building=[]), ["counties.Lüneburg: ", "keys owner, "]),
        (of_one(owner=3), ["counties.Lüneburg.owner: 3", "0 to 2"]),
        (of_one(markers=-1), ["counties.Lüneburg.markers: -1"]),
        (of_one(buildings=["mill"]), ["Lüneburg.buildings: 'mill'", "palace"]),
        (of_one(buildings=["palace"] * 2), ["Lüneburg.buildings: ", "different buildings"]),
        ({"tray": {"green": 1}}, ["tray: 'green'", "0 to 2, or peasants"]),
        ({"tower": {0: -1}}, ["tower.0: -1", "whole number"]),
        ({"tower": {0: 61}}, ["seat 0 has 63 armies", "at most 62"]),
        ({"tower": None}, ["tower: None", "dictionary"]),
        ({"tower": {0: 3, "0": 5}}, ["tower: ", "twice"]),
        ({"events": ["Comet"]}, ["events: 'Comet'"]),
        ({"events": list(load_board().events[:5])}, ["events: 5", "at most 4"]),
        ({"events": [EVENT] * 2}, ["events: ", "twice"]),
        ({"hall": [1, 0, 0]}, ["hall: ", "court"]),
        ({"statues": [None] * 3, **LEADERS}, ["statues: None", "counties"]),
        ({"statues": [["Baden"] * 7, [], []], **LEADERS}, ["statues: ", "at most 6"]),
        ({"leaders": [["Baden"], None, None], **LEADERS}, ["leaders: ['Baden']", "counties"]),
    ],
)
def test_what_cannot_be_is_refused(changes, names):
    with refused(*names):
        state(**changes)
