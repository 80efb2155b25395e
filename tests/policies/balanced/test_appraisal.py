"""What a plan sees by its weights: standing, neighbours of a target, order of the cards (B2.1, B5.3, B5.8, B7.4)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import BOARD, USUAL, tables
from tests.naive.scene import Scene
from tests.naive.winter import score
from tests.policies.seating import begin_round, dice_of, mind_of, plan, random_round, realm, sit, weighted
from wallsim.mechanics.winter import points_with_board
from wallsim.policies.balanced.appraisal import building_worth, look_at_standing
from wallsim.policies.balanced.timing import HIDDEN, danger_left, look_at_order
from wallsim.rules.terms import ACTIONS, COMBAT_A, COMBAT_B, DEPLOY3, MAX_PLAYERS, PALACE, ROUNDS


def points_of(scene):
    """What every seat would have if winter came now."""
    points = np.zeros(MAX_PLAYERS)
    points_with_board(scene.game, scene.rules, points)
    return points


@given(tables(), dice_of)
def test_the_points_are_those_of_a_winter(table, rng):  # B7.4
    scene = random_round(table, rng, weighted())
    counted = points_of(scene)[: len(table.players)].tolist()
    score(table)
    assert counted == [table.players[seat].points for seat in table.players]


@given(tables(), dice_of)
def test_a_point_of_a_rival_who_is_ahead_counts_more(table, rng):
    standing = rng.choice((0.0, 0.1))  # without it every rival counts the same
    scene = random_round(table, rng, weighted(standing=standing, deny=1.0))
    mind, rivals = mind_of(scene, 0), [seat for seat in table.players if seat != 0]
    look_at_standing(scene.game, scene.rules, mind, 0)
    points = points_of(scene)[rivals].tolist()
    mean = sum(points) / len(points)
    for seat, held in zip(rivals, points, strict=True):
        denied = min(4.0, max(0.0, 1.0 + standing * (held - mean))) / len(rivals)
        assert mind.regard[seat] == pytest.approx(1.0 + denied)


@pytest.mark.parametrize("patience", [-1.0, 0.0, 0.6])
def test_patience_postpones_a_share_of_the_worth_in_equal_steps_to_the_last_round(patience):
    scene = realm(weights={"patience": patience})
    mind, county = mind_of(scene, 0), 0
    mind.gain[:], mind.thaler = 3.0, 0.5
    shares = []
    for left in range(1, ROUNDS + 1):
        mind.rounds = float(left)
        shares.append((building_worth(scene.game, scene.rules, mind, 0, county, PALACE, 2) + 1.0) / 3.0)
    assert shares == pytest.approx([1.0 - patience * step / (ROUNDS - 1) for step in range(ROUNDS)])


@given(tables(), dice_of, st.floats(-2, 3), st.floats(-1, 1))
def test_the_neighbours_of_a_target_count_as_the_weights_say(table, rng, border, army):  # B5.8
    scene = random_round(table, rng, weighted(target_own=border, target_armies=army))
    for seat in table.players:
        plan(scene, seat)
        mind, own = mind_of(scene, seat), set(table.counties_of(seat))
        for name in {other for county in own for other in table.neighbours(county) if other in table.land} - own:
            beside, others = set(table.neighbours(name)) & set(table.land), {None, seat, table.land[name].owner}
            thirds = [table.land[other] for other in beside if table.land[other].owner not in others]
            expected = border * (len(beside & own) - 1) + army * sum(third.armies - 1 for third in thirds)
            assert mind.around[BOARD.counties.index(name)] == pytest.approx(expected)


# ---------------------------------------------------------------------------------------- the order of the cards

FILL = ("palace", "church", "trading_post", "grain", "taxes")


def test_hidden_cards_have_no_place():  # B2.1
    scene = begin_round(sit(Scene.start(tower=USUAL), weighted()))
    mind = mind_of(scene, 0)
    look_at_order(scene.game, mind)
    assert mind.when.tolist() == [0, 1, 2, 3, 4, *[HIDDEN] * 5]


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


@pytest.mark.parametrize(
    ("first", "rounds", "share"),
    [
        (("deploy3", "combat_a", "combat_b"), 1.0, 1.0),
        (("combat_a", "deploy3", "combat_b"), 1.0, 0.5),
        (("combat_a", "combat_b", "deploy3"), 1.0, 0.0),
        (("combat_a", "combat_b", "deploy3"), 4.0, 0.75),  # dangers of later rounds count, too
        (("deploy3", *FILL[:4]), 1.0, 1.0),  # both combats are hidden
        (("combat_a", "combat_b", *FILL[:3]), 1.0, 0.0),
        (("combat_a", *FILL[:4]), 1.0, 0.25),  # as often before a hidden card as after it
        (FILL, 1.0, 0.5),
    ],
)
def test_armies_avert_what_attacks_are_still_to_come(first, rounds, share):  # B2.1
    actions = (*first, *(action for action in ACTIONS if action not in first))
    scene = begin_round(sit(Scene.start(tower=USUAL), weighted()), actions=actions)
    mind = mind_of(scene, 0)
    mind.rounds = rounds
    look_at_order(scene.game, mind)
    assert mind.exposed[DEPLOY3] == pytest.approx(share)


@given(tables(), dice_of)
def test_the_share_of_danger_left_falls_while_the_cards_are_carried_out(table, rng):  # B2.6
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
        later = players - 1 - game.turn[:players].tolist().index(seat)
        assert shares[first] == pytest.approx(0.5 + 0.5 * later / (players - 1))
