"""The order of the cards: which dangers an action comes too late for, while planning and during the round (B2.1)."""

import pytest
from hypothesis import given

from tests.naive.making import USUAL, tables
from tests.naive.scene import Scene
from tests.policies.seating import begin_round, dice_of, mind_of, random_round, sit, weighted
from wallsim.policies.balanced.timing import HIDDEN, danger_left, look_at_order
from wallsim.rules.terms import ACTIONS, COMBAT_A, COMBAT_B, DEPLOY3


def ordered(*first):
    """All actions, these first."""
    return (*first, *(action for action in ACTIONS if action not in first))


def seen(actions, rounds=1.0):
    scene = begin_round(sit(Scene.start(tower=USUAL), weighted()), actions=actions)
    mind = mind_of(scene, 0)
    mind.rounds = rounds
    look_at_order(scene.game, mind)
    return mind


FILL = ("palace", "church", "trading_post", "grain", "taxes")


@pytest.mark.parametrize(
    ("first", "share"),
    [
        (("deploy3", "combat_a", "combat_b"), 1.0),
        (("combat_a", "deploy3", "combat_b"), 0.5),
        (("combat_a", "combat_b", "deploy3"), 0.0),
        (("deploy3", *FILL[:4]), 1.0),  # both combats are hidden
        (("combat_a", *FILL[:4]), 0.25),  # as often before a hidden card as after it
        (("combat_a", "combat_b", *FILL[:3]), 0.0),
        (FILL, 0.5),
    ],
)
def test_in_the_last_round_armies_avert_what_attacks_are_still_to_come(first, share):  # B2.1
    assert seen(ordered(*first)).exposed[DEPLOY3] == pytest.approx(share)


def test_before_the_last_round_later_dangers_count_too():
    assert seen(ordered("combat_a", "combat_b", "deploy3"), rounds=4.0).exposed[DEPLOY3] == pytest.approx(0.75)


def test_hidden_cards_have_no_place():  # B2.1
    mind = seen(ACTIONS)
    assert mind.when.tolist() == [0, 1, 2, 3, 4, *[HIDDEN] * 5]


@given(tables(), dice_of)
def test_the_share_left_falls_while_the_cards_are_carried_out(table, rng):  # B2.6
    scene = random_round(table, rng, weighted())
    game, players = scene.game, table.rules.players
    game.turn[:players] = rng.sample(range(players), players)
    for seat in range(players):
        mind = mind_of(scene, seat)
        mind.rounds, shares = 1.0, []
        for done in range(11):
            game.actions_done = done
            shares.append(float(danger_left(game, scene.rules, mind, seat)))
        assert shares == sorted(shares, reverse=True)
        assert shares[-1] == 0.0
        order = [int(action) for action in game.action_order]
        first = min(order.index(COMBAT_A), order.index(COMBAT_B))
        assert shares[first] == pytest.approx(
            0.5 + 0.5 * (players - 1 - game.turn[:players].tolist().index(seat)) / (players - 1)
        )


@given(tables(), dice_of)
def test_what_lies_behind_the_current_card_changes_nothing(table, rng):  # B2.1 B3.5
    scene = random_round(table, rng, weighted())
    game = scene.game
    game.turn[: table.rules.players] = range(table.rules.players)
    mind = mind_of(scene, 0)
    mind.rounds, game.actions_done = 1.0, rng.randrange(10)
    before = float(danger_left(game, scene.rules, mind, 0))
    behind = [int(action) for action in game.action_order[game.actions_done + 1 :]]
    rng.shuffle(behind)
    game.action_order[game.actions_done + 1 :] = behind
    assert float(danger_left(game, scene.rules, mind, 0)) == before
