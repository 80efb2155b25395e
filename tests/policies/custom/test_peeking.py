"""A checked policy that looks at what is hidden is refused, whatever it is asked and wherever it looks (B3.5)."""

import numpy as np
import pytest

from tests.naive.making import USUAL, packed
from tests.naive.rng import JIT
from tests.policies.custom import peeking
from tests.policies.custom.illegal_answers import BASE_GAME, COURT, DRAFTED, ILLEGAL, answering
from tests.policies.custom.peeking import noting
from tests.policies.custom.wild_policies import REMEMBERS_IN_THE_RULES
from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.jit import lowest_bit
from wallsim.policies.catalogue import load_policy, pack_players, read_policy
from wallsim.policies.custom.guards import LOOKED, VARIES
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS
from wallsim.rules.tower import load_tower

pytestmark = pytest.mark.skipif(not JIT, reason="answers are machine code")
BALANCED = load_policy("balanced")
LAYERED = load_tower("mid-layered")
GAMES = 12
slow = pytest.mark.slow

SECRETS = [
    pytest.param("place", peeking.cards_of_the_next, BASE_GAME, USUAL),
    pytest.param("plan", peeking.last_event_of_the_deck, BASE_GAME, USUAL, marks=slow),
    pytest.param("attack", peeking.cards_of_the_next, BASE_GAME, USUAL, marks=slow),
    pytest.param("attack", peeking.end_of_the_agenda, BASE_GAME, USUAL, marks=slow),
    pytest.param("attack", peeking.passes_of_the_next, BASE_GAME, USUAL, marks=slow),
    pytest.param("bid", peeking.tower_stream, BASE_GAME, USUAL, marks=slow),
    pytest.param("plan", peeking.key_of_the_game, BASE_GAME, USUAL, marks=slow),
    pytest.param("move", peeking.last_event_of_the_deck, BASE_GAME, USUAL, marks=slow),
    pytest.param("plan", peeking.last_action, BASE_GAME, USUAL, marks=slow),
    pytest.param("favor", peeking.cards_of_the_next, COURT, USUAL, marks=slow),
    pytest.param("plan", peeking.favors_to_come, COURT, USUAL, marks=slow),
    pytest.param("claim", peeking.top_of_the_deck, DRAFTED, USUAL),
    pytest.param("garrison", peeking.top_of_the_deck, DRAFTED, USUAL, marks=slow),
    pytest.param("plan", peeking.cubes_on_the_floors, BASE_GAME, LAYERED, marks=slow),
]
OPEN = [
    pytest.param("attack", peeking.cards_turned_up, BASE_GAME, USUAL),
    pytest.param("plan", peeking.open_actions, BASE_GAME, USUAL, marks=slow),
    pytest.param("move", peeking.open_actions, BASE_GAME, USUAL, marks=slow),
    pytest.param("place", peeking.bids, BASE_GAME, USUAL, marks=slow),
    pytest.param("plan", peeking.plan_of_the_round_before, BASE_GAME, USUAL, marks=slow),
    pytest.param("bid", peeking.events_and_tower, BASE_GAME, LAYERED, marks=slow),
    pytest.param("favor", peeking.favors_on_show, COURT, USUAL, marks=slow),
    pytest.param("leader_move", peeking.open_actions, Ruleset(players=4, expansions=EXPANSIONS), USUAL, marks=slow),
]


def arena(rules, policy, tower=USUAL, checked=True):
    """An arena in which seat 1 plays a policy, and `balanced` the others."""
    seated = [policy if seat == 1 else BALANCED for seat in range(rules.players)]
    return Arena(np.atleast_1d(np.asarray(packed(rules, tower))), pack_players(seated), 17, checked=checked)


def estimates_in(table):
    """What is found in some games."""
    with pytest.raises(IllegalAnswerError) as caught:
        table.play(0, GAMES)
    return caught.value.args[0]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("question", "secret", "rules", "tower"), SECRETS)
def test_who_notes_a_secret_is_found(question, secret, rules, tower):
    result = estimates_in(arena(rules, noting(question, secret), tower))
    assert (result.seat, QUESTIONS[result.question].name, result.kind) == (1, question, LOOKED)
    text = result.text("mine", str)
    assert text.startswith(f"mine (seat 1): game {result.game}, ")
    assert "hidden cards" in text
    assert "\n" not in text


@pytest.mark.one_in(10)
@slow
@pytest.mark.parametrize("question", [question.name for question in QUESTIONS])
def test_a_secret_is_noticed_with_every_question(question):
    rules = next(illegal.rules for illegal in ILLEGAL if illegal.question == question)
    result = estimates_in(arena(rules, noting(question, peeking.tower_stream)))
    assert (result.seat, QUESTIONS[result.question].name, result.kind) == (1, question, LOOKED)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("question", "thing", "rules", "tower"), OPEN)
def test_what_lies_open_may_be_noted(question, thing, rules, tower):
    policy = noting(question, thing)
    rows = [arena(rules, policy, tower, checked).play(0, GAMES).seats[:, 1:] for checked in (True, False)]
    assert np.array_equal(*rows)


def first_that_is_no_event(game, rules, mind, seat, free):
    box = game.event_deck[9] % 5
    return box if (free >> box) & 1 else lowest_bit(free)


def test_an_answer_by_a_secret_is_found_without_a_note():
    assert estimates_in(arena(BASE_GAME, answering(place=first_that_is_no_event))).kind == LOOKED


def test_who_remembers_being_asked_is_found(tmp_path):
    (tmp_path / "wild.py").write_text(REMEMBERS_IN_THE_RULES, "utf-8")
    result = estimates_in(arena(BASE_GAME, read_policy(tmp_path / "wild.py")))
    assert (result.seat, QUESTIONS[result.question].name, result.kind) == (1, "place", VARIES)
