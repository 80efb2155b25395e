"""Nobody plans or chooses by what it cannot know (B3.5, E2).

That is the others' cards, hidden action cards, the event deck, the favor deck and others' luck.
"""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import BOARD, random_table
from tests.naive.rng import many_draws
from tests.naive.scene import Scene
from tests.policies.asking import QUESTIONS, answer, questions_to
from tests.policies.hiding import SECRETS, change_cards, decisions, restore
from tests.policies.seating import begin_round, dice_of, every_table, mind_of, plan, random_round, sit, weighted
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS
from wallsim.state.random import SEAT, STREAMS

# One policy of every way to think; `test_secrecy_of_shipped.py` asks all others, and those that search have tests of
# their own (tests/engine/test_rollout.py).
POLICIES = [load_policy("random"), load_policy("balanced"), replace(weighted(noise=1.0), name="noisy")]
policies = st.sampled_from(POLICIES)


@pytest.mark.parametrize("change", SECRETS, ids=lambda change: change.__name__)
@given(policy=policies, table=every_table, rng=dice_of)
def test_no_decision_changes_with_what_is_hidden(policy, change, table, rng):  # B2.1 B2.3 B2.6 B3.5 B4.3
    """The plan and every question of `decide`, be the secret seen at the time or noted while planning."""
    scene = random_round(table, rng, policy)
    change_cards(scene.game, rng, -1)
    clean_game, clean_players = scene.game.copy(), scene.players.copy()
    card = rng.choice(list(scene.game.shown_event[: scene.game.shown_events]))
    for seat in table.players:
        asked, result = questions_to(scene, rng, seat), []
        for conceal in (lambda: None, lambda seat=seat: change(scene.game, rng, seat)):
            restore(scene.game, clean_game)
            restore(scene.players, clean_players)
            result.append(decisions(scene, seat, card, asked, conceal))
        assert result[0] == result[1]
        restore(scene.game, clean_game)


@given(every_table, dice_of)
def test_balanced_plans_without_any_luck(table, rng):
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        first = plan(scene, seat)
        scene.game.random[:] = [rng.getrandbits(64) for _ in range(STREAMS)]
        before = scene.game.random.copy()
        assert plan(scene, seat) == first
        assert (scene.game.random == before).all()


@given(policies, every_table, dice_of)
def test_a_decision_changes_nothing_but_the_own_stream_and_notes(policy, table, rng):  # B2.3
    """And the order of revolts, which is the answer."""
    scene = random_round(table, rng, policy)
    for seat in table.players:
        minds = [mind_of(scene, other).tobytes() for other in table.players if other != seat]
        before = scene.game.copy()
        plan(scene, seat)
        before.random[SEAT + seat] = scene.game.random[SEAT + seat]
        assert before.tobytes() == scene.game.tobytes()
        for question, *details in questions_to(scene, rng, seat):
            before = scene.game.copy()
            answer(scene, seat, question, *details)
            before.random[SEAT + seat] = scene.game.random[SEAT + seat]
            if question is decide.choose_order_revolts:
                before.revolting[:] = scene.game.revolting
            assert before.tobytes() == scene.game.tobytes(), question
        assert [mind_of(scene, other).tobytes() for other in table.players if other != seat] == minds


@many_draws
def test_what_lies_open_does_change_plans():
    """The tests above would be empty if plans never changed."""
    changed = {"action cards": 0, "tiles": 0, "events": 0, "thalers": 0, "armies": 0}
    for number in range(60):
        for what in changed:
            rng = random.Random(number)
            weights = {"thaler": 0.3, "rivals_bid": 1.0, "place": 0.5, "last_taxes": 1.0, "army": 0.5}
            scene = sit(Scene.start(), weighted(**weights))
            for name in rng.sample(BOARD.counties, 24):
                scene.table.give(rng.randrange(4), name, 2)
            scene.table.players[0].thalers, scene.table.year = 4, 1
            begin_round(scene, season=2, rng=rng)
            first = plan(scene, 0)
            game = scene.game
            if what == "action cards":
                game.action_order[:] = game.action_order[::-1].copy()
            elif what == "tiles":
                game.tile_on_box[:] = game.tile_on_box[::-1].copy()
            elif what == "events":
                game.shown_event[:2] = [9, 4]
            elif what == "thalers":
                game.thalers[0] = 30
            else:
                game.army[game.owner != 0] = 8
            changed[what] += plan(scene, 0) != first
    assert min(changed.values()) > 0, changed


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_the_later_choices_differ_from_table_to_table(policy):
    """The tests above would be empty if a question never came, or every answer were the same."""
    given_answers = {}
    for number in range(60):
        rng = random.Random(number)
        edition = ("2e", "1e")[number % 2]
        scene = random_round(random_table(rng, Ruleset(edition=edition, expansions=EXPANSIONS)), rng, policy)
        asked = questions_to(scene, rng, 0)
        card = scene.game.shown_event[0]
        for (question, *details), result in zip(asked, decisions(scene, 0, card, asked)[1:], strict=True):
            if question is decide.choose_order_revolts:
                result = result == details[0]
            given_answers.setdefault(question, set()).add(result)
    assert set(given_answers) == set(QUESTIONS)
    same = {question.__name__ for question, result in given_answers.items() if len(result) == 1}
    assert same <= {"choose_statue"}  # who always leaves one may do so


# ------------------------------------------------------------------------------------------------- the draft
