"""A checked policy that looks at what is hidden is refused, whatever it is asked and wherever it looks (B3.5)."""

import numpy as np
import pytest

from tests.naive.making import USUAL, packed
from tests.naive.rng import JIT
from tests.policies.copied_answers import COPIED
from tests.policies.custom.illegal_answers import BASE_GAME, COURT, DRAFTED, ILLEGAL, answering
from tests.policies.custom.wild_policies import REMEMBERS_IN_THE_RULES
from tests.refusals import assert_names
from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.jit import kernel, lowest_bit
from wallsim.policies.catalogue import load_policy, pack_players, read_policy
from wallsim.policies.custom.guards import LOOKED, VARIES
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import AUCTION, EXPANSIONS
from wallsim.rules.tower import load_tower
from wallsim.state import tally
from wallsim.state.random import TOWER

pytestmark = pytest.mark.skipif(not JIT, reason="answers are machine code")
BALANCED = load_policy("balanced")
EVERYTHING = Ruleset(players=4, expansions=EXPANSIONS)
GAMES = 12
LAYERED = load_tower("mid-layered")
_DETAILS = {question.name: question.details for question in QUESTIONS}

# Things on a table, which a policy may note; `other` is the seat to the left.
HIDDEN = {
    "stream of the tower": f"game.random[{TOWER}] & 0xFFFF",
    "key of the game": "game.key & 0xFFFF",
    "last event": "game.event_deck[11]",
    "last action": "game.action_order[9]",
    "favors to come": "game.favor_deck[19] + 32 * game.favor_deck[20]",
    "cards of another": "game.card[other, game.action_order[8]] + 64 * game.card[other, game.action_order[9]]",
    "end of the agenda": "game.agenda[20, 1] + 8 * game.agenda[20, 2]",
    "passes of another": f"game.tally[other, {tally.PASSES}]",
    "top of the deck": "game.deck[game.deck_top]",
    "cubes on the floors": "game.floor[0, seat] + 64 * game.floor[1, seat]",
}
OPEN = {
    "open actions": "game.action_order[min(10, game.actions_done + 5) - 1] + 16 * game.action_order[0]",
    "bids": f"game.card[other, {AUCTION}]",
    "cards turned up": "game.card[other, game.action_order[game.actions_done]]",
    "plan of the round before": "game.card[other, 3] if game.season > 0 else 0",
    "events and tower": "game.shown_event[0] + 16 * game.tower[seat] + game.shown_events",
    "favors on show": "game.shown_favor[0]",
}


def noting(question, thing):
    """A policy like `balanced` that notes a thing, given as an expression, whenever it is asked a question."""
    arguments = ", ".join(("game", "rules", "mind", "seat", *_DETAILS[question]))
    text = (
        f"def {question}({arguments}):\n    answer = copied({arguments})\n"
        f"    other = (seat + 1) % rules.players\n    mind.paid_worth = {thing}\n    return answer\n"
    )
    copied = COPIED.answers[question].function
    names = {"copied": copied if hasattr(copied, "py_func") else kernel(copied)}
    exec(text, names)
    return answering(**{question: names[question]})


def arena(rules, policy, tower=USUAL, checked=True):
    """An arena in which seat 1 plays a policy, and `balanced` the others."""
    seated = [policy if seat == 1 else BALANCED for seat in range(rules.players)]
    return Arena(np.atleast_1d(np.asarray(packed(rules, tower))), pack_players(seated), 17, checked=checked)


def found_in(table):
    """What is found in some games."""
    with pytest.raises(IllegalAnswerError) as caught:
        table.play(0, GAMES)
    return caught.value.args[0]


def asked(question, thing, rules=BASE_GAME, tower=USUAL, *, quick=False):
    """A row of parameters, slow unless `quick`."""
    return pytest.param(question, thing, rules, tower, marks=() if quick else pytest.mark.slow)


def asked_in(question):
    """A ruleset in which a question is asked."""
    return next(illegal.rules for illegal in ILLEGAL if illegal.question == question)


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    ("question", "secret", "rules", "tower"),
    [
        asked("place", "cards of another", quick=True),
        asked("claim", "top of the deck", DRAFTED, quick=True),
        *(asked("plan", thing) for thing in ("last event", "key of the game", "last action")),
        *(asked("attack", thing) for thing in ("cards of another", "end of the agenda", "passes of another")),
        asked("plan", "favors to come", COURT),
        asked("plan", "cubes on the floors", tower=LAYERED),
        *(asked(question, "stream of the tower", asked_in(question)) for question in _DETAILS),
    ],
)
def test_who_notes_a_secret_is_found(question, secret, rules, tower):
    result = found_in(arena(rules, noting(question, HIDDEN[secret]), tower))
    assert (result.seat, QUESTIONS[result.question].name, result.kind) == (1, question, LOOKED)
    text = result.text("mine", str)
    assert_names(text, f"mine (seat 1): game {result.game}, ", "hidden")
    assert "\n" not in text


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("question", "thing", "rules", "tower"),
    [
        asked("attack", "cards turned up", quick=True),
        asked("plan", "open actions"),
        asked("place", "bids"),
        asked("plan", "plan of the round before"),
        asked("bid", "events and tower", tower=LAYERED),
        asked("favor", "favors on show", COURT),
        asked("leader_move", "open actions", EVERYTHING),
    ],
)
def test_what_lies_open_may_be_noted(question, thing, rules, tower):
    policy = noting(question, OPEN[thing])
    rows = [arena(rules, policy, tower, checked).play(0, GAMES).seats[:, 1:] for checked in (True, False)]
    assert np.array_equal(*rows)


def first_that_is_no_event(game, rules, mind, seat, free):
    box = game.event_deck[9] % 5
    return box if (free >> box) & 1 else lowest_bit(free)


def test_an_answer_by_a_secret_is_found_without_a_note():
    assert found_in(arena(BASE_GAME, answering(place=first_that_is_no_event))).kind == LOOKED


def test_who_remembers_being_asked_is_found(tmp_path):
    (tmp_path / "wild.py").write_text(REMEMBERS_IN_THE_RULES, "utf-8")
    result = found_in(arena(BASE_GAME, read_policy(tmp_path / "wild.py")))
    assert (result.seat, QUESTIONS[result.question].name, result.kind) == (1, "place", VARIES)
