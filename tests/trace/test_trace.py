"""Traces: form of every line, order of lines, conservation, and digests that must not change unnoticed."""

import hashlib
import json
import re

import pytest

from tests.golden_digests import assert_recorded
from tests.trace.recorded import (
    EVERY_KIND,
    EXPANDED,
    INTERVENED,
    KINDS,
    OTHER_TOWERS,
    SEED,
    TABLES,
    name_of,
    of_kind,
    record,
)  # fmt: skip
from tests.trace.trace_forms import errors_of, form_of
from wallsim.experiment.components import HASHED_FIELDS
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.terms import BUILDINGS
from wallsim.trace.json_lines import json_line, trace_lines
from wallsim.trace.replayed_table import ReplayedTable
from wallsim.trace.table import snapshot

# A letter for each kind of line, so that the order of lines is a word.
LETTERS = {
    "game": "G", "deal": "d", "recycle": "r", "leader": "l", "fill": "F", "state": "S", "year": "Y", "round": "R",
    "plan": "P", "event": "E", "order": "O", "landsknechte": "n", "convert": "c", "favor": "f", "battle": "b",
    "action": "a", "winter": "w", "score": "s", "end": "X", "intervention": "",
}  # fmt: skip


@pytest.fixture(params=EVERY_KIND, ids=name_of)
def game(request):
    return record(*request.param)


def test_every_line_has_its_keys_and_only_plain_values_of_their_kind(game):
    wrong = [
        (errors, line) for line in game.lines if (errors := errors_of(form_of(line, game.match), line, game.match))
    ]
    assert wrong == []


def test_a_trace_survives_the_way_through_a_file(game):
    text = "".join(map(json_line, trace_lines(game.match, game.log)))
    assert [json.loads(line) for line in text.splitlines()] == game.lines
    assert "\\u" not in text
    assert text.splitlines()[0].startswith('{"t":"game","version":1,')


# ---------------------------------------------------------------------------------------- order of lines


def test_lines_come_in_the_order_of_play(game):  # B2, M1, L1, E4, E5, M3, M4
    seats = f"{{{game.match.players}}}"
    season, winter = f"RP{seats}EOl*n*c*f*(b?al?)*l*S", f"(w(bl?)*){seats}s{seats}l*S"
    word = "".join(LETTERS[line["t"]] for line in game.lines)
    assert re.fullmatch(f"G(dl?|r)*FS(Y({season}){{3}}{winter}){{2}}X", word), word
    for name, letters in {"landsknechte": "n", "leaders": "l", "court": "cf"}.items():
        assert any(letter in word for letter in letters) == game.match.plays(name)


def test_drafted_counties_are_marked_as_shown_or_from_the_deck(game):  # B1.4
    for deal in of_kind(game.lines, "deal"):
        if "shown" in deal:
            assert (deal["county"] in deal["shown"]) == (deal["source"] == "shown")


def test_the_assumed_county_of_a_lineup_is_marked():  # B1.3
    deals = of_kind(record(3, "lineup", 0).lines, "deal")
    assert [deal["county"] for deal in deals if deal["source"] == "lineup-assumed"] == ["Anhalt"]


def test_winter_takes_the_grain_that_the_event_left_over_says(game):  # B2.4, B7.1
    board = game.match.board
    for line in of_kind(game.lines, "year", "event", "winter"):
        if line["t"] == "year":
            left = [*line["events"]]
        elif line["t"] == "event":
            left.remove(line["event"])
        else:
            assert [line["loss"]] == [board.event_loss[board.events.index(event)] for event in left]


# --------------------------------------------------------------------------------------------- the table


def test_cubes_tiles_and_markers_are_conserved_in_every_state(game):  # B0.2 to B0.4
    states = of_kind(game.lines, "state")
    assert len(states) == 9
    for state in states:
        on_board = {str(seat): 0 for seat in range(game.match.players)} | {"peasants": 0}
        for county in state["counties"].values():
            on_board[str(county["owner"])] += county["armies"]
        for colour, armies in on_board.items():
            everywhere = armies + state["supply"][colour] + state["tray"][colour] + state["tower"][colour]
            assert everywhere == (20 if colour == "peasants" else 62)
        counties = state["counties"].values()
        built = {kind: sum(kind in county["buildings"] for county in counties) for kind in BUILDINGS}
        assert [built[kind] + state["stock"][kind] for kind in BUILDINGS] == [28, 26, 26]
        assert sum(county["markers"] for county in counties) + state["markers"] == 42


def test_cubes_are_conserved_in_every_battle(game):  # B0.2, B6.1
    tower = None
    for line in of_kind(game.lines, "state", "battle"):
        if line["t"] == "state":
            tower = line["tower"]
            continue
        for colour, out in line["tray_after_drop"].items():
            thrown = line["tray_before"][colour] + line["engaged"][colour]
            assert tower[colour] + thrown == line["tower_after"][colour] + out
            assert line["tray_after"][colour] <= out
        tower = line["tower_after"]


def test_the_lines_between_two_states_explain_the_whole_difference(game):
    state, winters = ReplayedTable(game.match), 0
    for line in game.lines:
        if line["t"] != "state":
            state.read(line)
            winters += line["t"] == "winter"
            continue
        if winters == game.match.players:  # B7.5: the end of the first year has no line of its own
            state.grain, winters = [0] * game.match.players, -1000
            for held in state.counties.values():
                held["markers"] = 0
        replayed = snapshot(state)
        assert {"t": "state", **{name: replayed[name] for name in line if name != "t"}} == line


# ------------------------------------------------------------------------------------------------ golden


def named_games():
    """Games whose traces are pinned: the name tells all that is needed to record one again.

    Policies that search are left out: a game of theirs takes too long.
    """
    seatings = [(name,) for name in policy_names() if load_policy(name).search is None] + [KINDS]
    for players, setup in TABLES:
        for policies in seatings:
            yield f"{players} {setup} {','.join(policies)} seed {SEED} game 3", (players, setup, 3, policies)
    for players, setup, number, policies, edition, expansions, *switches in EXPANDED:
        name = f"{players} {setup} {','.join(policies)} seed {SEED} game {number}, {edition}"
        chosen = [f"{field} {value}" for pairs in switches for field, value in pairs]
        name = ", ".join([name, "+".join(expansions) or "no expansions", *chosen])
        yield name, (players, setup, number, policies, edition, expansions, *switches)
    for game in OTHER_TOWERS:
        players, setup, number, policies, edition, expansions, _, tower = game
        name = f"{players} {setup} {','.join(policies)} seed {SEED} game {number}, {edition}"
        yield f"{name}, {'+'.join(expansions) or 'no expansions'}, tower {tower}", game
    for game in INTERVENED:
        yield f"{name_of(game)} seed {SEED}", game


def digest(recorded):
    text = "".join(map(json_line, trace_lines(recorded.match, recorded.log)))
    return hashlib.sha256(without_later_defaults(text).encode("utf-8")).hexdigest()


def without_later_defaults(text):
    """A trace without the defaults of switches that no digest needs to have, so that a new switch moves none."""
    for switch in SWITCHES:
        if switch.field not in HASHED_FIELDS:
            option = json.dumps({switch.mark: getattr(Ruleset(), switch.field)}, separators=(",", ":"))[1:-1]
            text = text.replace(f",{option}", "", 1)
    return text


def test_named_games_have_the_traces_they_had():
    """The digests in tests/golden/traces.json, one a named game.

    They change with the rules, a policy, the board or the random streams, that is with ENGINE_VERSION.
    """
    assert_recorded("traces", {name: digest(record(*game)) for name, game in named_games()}, whole=True)
