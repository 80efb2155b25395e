"""A game is the same whatever the same arena, table or minds played before."""

import numpy as np
import pytest

from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, arena_under, label
from wallsim.engine.arena import Arena
from wallsim.engine.columns import SEAT_COLUMNS, columns_of
from wallsim.policies.catalogue import load_policy
from wallsim.policies.record import MIND, SETTINGS_END
from wallsim.rules.ruleset import Ruleset

COUNT = 12 if JIT else 1
FIRST = 5
SEATED = {
    "random": ["random"],
    "balanced": ["balanced"],
    "mixed": ["random", "balanced", "balanced", "random", "balanced"],
}


SEAT_NAMES = [column.name for column in SEAT_COLUMNS]


RULES = [*(Ruleset(players=players, setup=setup) for players, setup in VARIANTS), *BIG_BOX]


@pytest.fixture(scope="module", params=RULES if JIT else [*RULES[:2], BIG_BOX[0]], ids=label)
def rules(request):
    """A ruleset: the base game of every size and set-up, and some of the Big Box."""
    return request.param


@pytest.fixture(scope="module", params=SEATED)
def arena(request, rules):
    """An arena of the ruleset with `balanced` in every seat, or among `random` ones."""
    names = SEATED[request.param] * rules.players
    return arena_under(rules, *map(load_policy, names[: rules.players]))


def rows(arena, tables):
    """The three tables of games, seats and seasons without their first column, which the range fills in later."""
    whole = [columns_of(table, arena.expansions) for table in ("games", "seats", "seasons")]
    assert [table.shape[1] for table in tables[:3]] == [len(columns) for columns in whole]
    return [table[:, 1:] for table in tables[:3]]


def assert_same(result, expected):
    """The same rows in all three tables."""
    for table, other in zip(result, expected, strict=True):
        assert np.array_equal(table, other)


def test_neither_a_range_nor_a_recorded_game_remembers_an_earlier_one(arena, rules):
    first, recorded = rows(arena, arena.play(FIRST, COUNT, seasons=True)), arena.trace(FIRST)
    arena.play(0, 3 * COUNT, seasons=True, battles=True)
    arena_under(rules, load_policy("random"), seed=3).play(0, COUNT)
    arena.trace(2)
    assert_same(rows(arena, arena.play(FIRST, COUNT, seasons=True)), first)
    assert_same(rows(arena, arena.play(FIRST, COUNT, seasons=True, battles=True)), first)
    again = arena.trace(FIRST)
    assert np.array_equal(recorded.lines, again.lines)
    assert recorded.snapshots.tobytes() == again.snapshots.tobytes()


def test_a_recorded_game_ends_as_its_rows_say(arena):
    seats = arena.play(FIRST, COUNT).seats.reshape(COUNT, arena.seats, -1)
    for number in range(COUNT):
        last = arena.trace(FIRST + number).snapshots[-1]
        for name in ("vp", "thalers", "vp_year1"):
            column = seats[number, :, SEAT_NAMES.index(name)]
            assert list(getattr(last, name)[: arena.seats]) == list(column), name
        for seat, row in enumerate(seats[number]):
            assert int(last.land[seat]).bit_count() == row[SEAT_NAMES.index("counties")]
            assert last.army[last.owner == seat].sum() == row[SEAT_NAMES.index("armies")]


def test_notes_left_in_the_minds_change_nothing(arena):
    """Every note of every mind is spoilt before the game; what a mind holds before its plan is the player's own."""
    before = [players.tobytes() for players in arena._players]
    clean = rows(arena, arena.play(FIRST, COUNT, seasons=True))
    assert [players.tobytes() for players in arena._players] == before, "the record of the players"
    for junk in (7, -7):
        spoilt = arena._players[0].copy()
        minds = spoilt["seat"]
        for name in minds.dtype.names:
            if MIND.fields[name][1] >= SETTINGS_END:
                minds[name] = junk if minds[name].dtype.kind == "i" else junk * 1e4
        dirty = Arena(arena._rules, spoilt, arena._seed)
        single = [rows(dirty, dirty.play(FIRST + number, 1, seasons=True)) for number in range(COUNT)]
        assert_same([np.concatenate(parts) for parts in zip(*single, strict=True)], clean)
