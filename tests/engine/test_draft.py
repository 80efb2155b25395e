"""Whole drafts replayed card by card: what is shown, and who puts both open cards under the deck (B1.4)."""

import pytest

from tests.naive.draft import read_draft
from tests.naive.making import BOARD, USUAL
from tests.naive.rng import JIT
from tests.naive.scene import Scene
from tests.naive.table import write_table
from tests.policies.seating import arena_of, sit, weighted
from wallsim.engine import log_lines as recorder
from wallsim.policies import decide
from wallsim.state.random import key_game, key_streams
from wallsim.state.setup import clear_table, deal_county, shuffle_counties, take_group

SEED = 5
DRAFTS = 40 if JIT else 1
# Who thinks nothing of what it is dealt: free sites and borders weigh so much that few cards are above the mean.
PICKY = {"income": 0.0, "site": 0.0, "draft_border": 2.0}


def named(numbers):
    """The counties of some cards."""
    return [BOARD.counties[number] for number in numbers]


def prepared(players, policy, number):
    """The table of a game of the seed when the first two county cards are shown."""
    scene = sit(Scene.start(players, tower=USUAL, setup="draft"), policy)
    key_game(scene.game, SEED, number)
    key_streams(scene.game, 0)
    write_table(scene.table, scene.game)
    clear_table(scene.game, scene.rules)
    shuffle_counties(scene.game, scene.rules)
    return scene


def show(game, naive):
    """Lay the naive draft's open cards out for a policy that is asked."""
    game.open_card[:] = [BOARD.counties.index(name) for name in naive.shown]


def replay(scene, log):
    """Replay a recorded draft on the scene; counts (recycled, refrained, chosen but not allowed)."""
    game, rules = scene.game, scene.rules
    naive = read_draft(game, BOARD.counties)
    faced: dict[int, list[str]] = {}  # by seat: what it chose from at its previous turn
    recycled = refrained = refused = 0
    lines = [[int(v) for v in line] for line in log.lines if line[0] in (recorder.DEAL, recorder.RECYCLE)]
    turn_begins = True
    for line in lines:
        seat = line[1]
        mind = scene.players.seat[seat]
        if turn_begins:
            show(game, naive)
            chosen = bool(decide.choose_recycle(game, rules, mind, seat))
            allowed = sorted(naive.shown) == sorted(faced.get(seat, []))
            did = line[0] == recorder.RECYCLE
            assert did == (chosen and allowed), f"seat {seat}: chosen {chosen}, allowed {allowed}, did {did}"
            refrained += allowed and not chosen
            refused += chosen and not allowed
        if line[0] == recorder.RECYCLE:
            assert named(line[2:4]) == naive.shown
            naive.recycle()
            recycled, turn_begins = recycled + 1, False
            continue
        assert named(line[5:7]) == naive.shown
        faced[seat] = list(naive.shown)
        choice = 2 if line[4] == recorder.SOURCE_DECK else naive.shown.index(BOARD.counties[line[2]])
        assert naive.take(choice) == BOARD.counties[line[2]]
        take_group(game, seat, list(game.group[seat, : game.groups[seat]]).index(line[3]))
        deal_county(game, seat, line[2], line[3])
        turn_begins = True
    return recycled, refrained, refused


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("weights", [{}, PICKY], ids=["as shipped", "picky"])
def test_both_cards_go_under_the_deck_if_and_only_if_the_seat_faces_them_again_and_wants_to(players, weights):
    policy = weighted(**weights)
    arena, total = arena_of(players, "draft", policy, seed=SEED), [0, 0, 0]
    for number in range(DRAFTS):
        counts = replay(prepared(players, policy, number), arena.trace(number))
        total = [a + b for a, b in zip(total, counts, strict=True)]
    if JIT:
        recycled, refrained, refused = total
        assert recycled > 0
        assert refused > 0
        assert weights or refrained > 0
