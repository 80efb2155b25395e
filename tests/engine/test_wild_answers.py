"""An answer out of every range never comes to the table, checked or not: the batch ends as with any illegal answer."""

import numpy as np
import pytest

from tests.naive.rng import JIT
from tests.policies.custom.illegal_answers import ILLEGAL, answering
from tests.policies.seating import arena_under
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.jit import lowest_bit
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.terms import AUCTION

pytestmark = pytest.mark.skipif(not JIT, reason="answers are machine code")
WILD = np.array((-(2**63), -(10**6), -2, 63, 64, 255, 10**6, 2**31, 2**62), np.int64)  # a game has one of them
GAMES = 12 * len(WILD)
RULES = {illegal.question: illegal.rules for illegal in reversed(ILLEGAL)}  # in which each question is asked


def none_wild(game, rules, mind, seat):
    return WILD[game.number % len(WILD)]


def one_wild(game, rules, mind, seat, first):
    return WILD[game.number % len(WILD)]


def two_wild(game, rules, mind, seat, first, second):
    return WILD[game.number % len(WILD)]


def three_wild(game, rules, mind, seat, first, second, third):
    return WILD[game.number % len(WILD)]


def wild_plan(game, rules, mind, seat):
    mind.plan[game.number % AUCTION] = WILD[game.number % len(WILD)]


def wild_armies(game, rules, mind, seat, county):
    mind.armies, mind.target = WILD[game.number % len(WILD)], lowest_bit(rules.neighbours[county])


def wild_target(game, rules, mind, seat, county):
    mind.armies, mind.target = 1, WILD[game.number % len(WILD)]


def wild_attackers(game, rules, mind, seat, county, targets):
    mind.armies, mind.target = WILD[game.number % len(WILD)], lowest_bit(targets)


def wild_attacked(game, rules, mind, seat, county, targets):
    mind.armies, mind.target = 1, WILD[game.number % len(WILD)]


def wild_revolts(game, rules, mind, seat, count):
    game.revolting[0] = WILD[game.number % len(WILD)]


RETURNED = (none_wild, one_wild, two_wild, three_wild)
WRITTEN = (
    ("plan", wild_plan), ("move", wild_armies), ("move", wild_target), ("recruits_move", wild_armies),
    ("recruits_move", wild_target), ("attack", wild_attackers), ("attack", wild_attacked),
    ("order_revolts", wild_revolts),
)  # fmt: skip
CASES = (*((asked.name, RETURNED[len(asked.details)]) for asked in QUESTIONS if asked.returns), *WRITTEN)


def test_every_question_is_answered_wildly():
    assert {name for name, _ in CASES} == {question.name for question in QUESTIONS}


@pytest.mark.parametrize(("name", "function"), CASES, ids=lambda value: getattr(value, "__name__", value))
def test_a_wild_answer_is_named_and_never_used(name, function):
    rules = RULES[name]
    table = arena_under(rules, answering(**{name: function}), seed=5)
    result = set()
    for game in range(GAMES):
        try:
            table.play(game, 1)
        except IllegalAnswerError as error:
            illegal = error.args[0]
            assert (illegal.game, QUESTIONS[illegal.question].name) == (game, name)
            assert illegal.answer == WILD[game % len(WILD)]
            result.add(game % len(WILD))
        if len(result) == len(WILD):
            break
    assert len(result) == len(WILD), "each of them was asked for"
