"""A policy decides the same whatever number its seat has: rules and judgements know players, not chairs.

The rules treat seats equally: turn order comes from cards and from the player order, which is relabelled too. So a
table on which seats are numbered otherwise, with hands, minds and own luck moved along, must bring the same decisions.
In worths that sum over rivals the order of the terms changes, and with it the last bit; so options that a policy judges
equal to within rounding might be chosen otherwise. None is in these tests; ties that are exact are broken by county,
box or card, never by seat.
"""

import itertools
import random
from collections import Counter

import pytest

from tests.naive.making import random_table
from tests.naive.rng import JIT
from tests.policies.asking import QUESTIONS, questions_to
from tests.policies.hiding import as_it_is, decisions, restore
from tests.policies.relabelling import (
    BY_COLOUR,
    BY_SEAT,
    LISTS_OF_SEATS,
    MASKS_OF_SEATS,
    OTHERWISE_NAMED,
    RULES_BY_SEAT,
    WITHOUT_SEATS,
    relabel,
    relabel_minds,
    relabel_rules,
)
from tests.policies.seating import random_round
from tests.policies.test_secrecy_of_shipped import FEW, SHIPPED, WEIGHING, on_tables, ruleset, sampled
from wallsim.policies import decide
from wallsim.rules.record import RULES
from wallsim.rules.terms import MAX_PLAYERS, PEASANTS
from wallsim.state.game import GAME
from wallsim.state.random import SEAT

pytestmark = pytest.mark.skipif(not JIT, reason="asks many questions")


def relabelled(question, details, order):
    """The details of a question with the seat that one of them names called otherwise."""
    if question is not decide.choose_defend:
        return details
    county, attacker, attackers = details
    return [county, attacker if attacker == PEASANTS else order[attacker], attackers]


def differing(policy, number, through=as_it_is):
    """The questions on a table that are answered otherwise on a relabelled one."""
    rng = random.Random(number)
    rules = ruleset(number)
    scene = random_round(random_table(rng, rules), rng, policy)
    scene.rules = scene.rules.copy()  # others share it
    game, players, packed = scene.game.copy(), scene.players.copy(), scene.rules.copy()
    game.turn[: rules.players] = rng.sample(range(rules.players), rules.players)
    game.pick[: rules.players] = rng.sample(range(rules.players), rules.players)
    card = int(rng.choice(list(game.shown_event[: game.shown_events])))
    differ = set()
    orders = [order for order in itertools.permutations(range(rules.players)) if order != tuple(range(rules.players))]
    for seat in rng.sample(range(rules.players), 2):
        restore(scene.game, game)
        asked = list(sampled(questions_to(scene, rng, seat), rng))
        restore(scene.players, players)
        first = decisions(scene, seat, card, asked, through=through)
        order = rng.choice(orders)
        restore(scene.game, game)
        restore(scene.players, players)
        relabel(scene.game, game, order)
        relabel_minds(scene.players, players, order)
        relabel_rules(scene.rules, packed, order)
        again = [(question, *relabelled(question, details, order)) for question, *details in asked]
        second = decisions(scene, order[seat], card, again, through=through)
        restore(scene.rules, packed)
        kinds = [decide.choose_plan, *(question for question, *_ in asked)]
        differ.update(kind for kind, one, other in zip(kinds, first, second, strict=True) if one != other)
    return differ


def test_every_field_of_a_game_is_relabelled_or_has_no_seats():
    fields = Counter(BY_SEAT + BY_COLOUR + LISTS_OF_SEATS + MASKS_OF_SEATS + WITHOUT_SEATS + OTHERWISE_NAMED)
    assert fields == Counter(GAME.names)
    assert set(RULES_BY_SEAT) == {name for name in RULES.names if RULES[name].shape[:1] == (MAX_PLAYERS,)} - {
        "region_counties"  # of as many regions
    }


@on_tables
@pytest.mark.parametrize("name", WEIGHING)
def test_a_shipped_policy_decides_the_same_on_a_relabelled_table(name, numbers):
    assert {number: result for number in numbers if (result := differing(SHIPPED[name], number))} == {}


# Ways in which a policy could depend on the number of a seat.
PLANTED = {
    "the own number": lambda scene, seat: seat,
    "the riches of the first seat": lambda scene, seat: int(scene.game.thalers[0]) & 1,
    "the first of the richest": lambda scene, seat: (
        int(scene.game.thalers[: int(scene.rules.players)].argmax()) == seat
    ),
    "the next seat": lambda scene, seat: int(scene.game.vp[(seat + 1) % int(scene.rules.players)]),
    "the line-up of a seat": lambda scene, seat: int(scene.rules.lineup_county[0].sum()),
    "the luck of the first seat": lambda scene, seat: int(scene.game.random[SEAT]) >> 7 & 1,
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_policy_that_depends_on_the_number_of_a_seat_is_found(name):
    def through(scene, seat, value):
        return value, PLANTED[name](scene, seat)

    result = set().union(*(differing(SHIPPED["strong-4p"], number, through) for number in range(2 * FEW)))
    assert decide.choose_plan in result
    assert len(result) > len(QUESTIONS) // 2
