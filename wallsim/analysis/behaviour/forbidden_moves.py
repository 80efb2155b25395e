"""Policies that may not make a doubtful move, to learn what it is good for.

A move is forbidden by answers in place of the policy's own, not by weights. A plan is made again without the cards that
would make the move, with the same worths; an attack or a claim is chosen among the rest. Two moves cannot be forbidden:
how many armies stay in a county that is won is decided by the dice tower (B6.5), and the Thalers left are a sum over
all actions of a round whose cards were laid before.
"""

# mypy: disallow-untyped-defs=False, check-untyped-defs=False
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from wallsim.analysis.behaviour.doubtful_moves import BETTER_BY, JUDGE, MANY
from wallsim.errors import InputError
from wallsim.jit import kernel, lowest_bit
from wallsim.policies.balanced.attacks import choose_attack
from wallsim.policies.balanced.draft import choose_claim
from wallsim.policies.balanced.plan import appraise_cards, fill_boxes
from wallsim.policies.balanced.timing import HIDDEN
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.county_tables import packed_counties
from wallsim.policies.custom.python_file import Answer
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.terms import (
    COMBAT_A,
    COMBAT_B,
    COUNTIES,
    DEPLOY5,
    GRAIN,
    MIN_PLAYERS,
    MONEY_CARDS,
    NEUTRAL,
    NOWHERE,
    PALACE,
    WINTER,
    YEARS,
)

_NEVER = -1e6  # VP: below any worth


def _plan_without_palaces(game, rules, mind, seat):
    """No palace behind one army: the plan again, if its palace would be one (B5.3)."""
    card = mind.plan[PALACE]
    if 0 <= card < COUNTIES and _is_bare(game, rules, seat, card):
        cards = appraise_cards(game, rules, mind, seat)
        for column in range(cards - MONEY_CARDS):
            if _is_bare(game, rules, seat, mind.hand[column]):
                mind.value[column, PALACE] = _NEVER
        fill_boxes(game, rules, mind, seat, cards)


@kernel
def _is_bare(game, rules, seat, county):
    """Whether a county has one army, and a rival MANY or more in a county beside it."""
    most, around = 0, rules.neighbours[county] & ~(game.land[seat] | game.land[NEUTRAL])
    while around != 0:
        most = max(most, game.army[lowest_bit(around)])
        around &= around - 1
    return game.army[county] == 1 and most >= MANY


def _plan_for_winter(game, rules, mind, seat):
    """In fall as much grain as one county can bring, up to what the smaller loss of the open events asks (B7.1)."""
    if game.season != WINTER - 1:
        return
    least, most = 1000, 0
    for index in range(game.shown_events):
        least = min(least, rules.event_loss[game.shown_event[index]])
    counties, land = 0, game.land[seat]
    while land != 0:
        most = max(most, rules.grain[lowest_bit(land)])
        land &= land - 1
        counties += 1
    wanted = min(most, counties + least - game.grain[seat])
    card = mind.plan[GRAIN]
    if wanted > 0 and not (0 <= card < COUNTIES and rules.grain[card] >= wanted):
        cards = appraise_cards(game, rules, mind, seat)
        for column in range(cards):
            if column >= counties or rules.grain[mind.hand[column]] < wanted:
                mind.value[column, GRAIN] = _NEVER
        fill_boxes(game, rules, mind, seat, cards)


def _plan_without_late_armies(game, rules, mind, seat):
    """In the last fall no five armies where the open cards say that both attacks come before them (B2.6)."""
    attacks = max(mind.when[COMBAT_A], mind.when[COMBAT_B])
    if game.year == YEARS - 1 and game.season == WINTER - 1 and attacks < min(HIDDEN, mind.when[DEPLOY5]):
        if 0 <= mind.plan[DEPLOY5] < COUNTIES:
            cards = appraise_cards(game, rules, mind, seat)
            for column in range(cards - MONEY_CARDS):
                mind.value[column, DEPLOY5] = _NEVER
            fill_boxes(game, rules, mind, seat, cards)


def _plan_of_two_targets(game, rules, mind, seat):
    """The plan as it is, and no county attacked yet this round: `mind.tried` is free without a temperature."""
    mind.tried[0, 0] = NOWHERE


def _attack_another(game, rules, mind, seat, county, targets):
    """No second attack on the county of the first, unless nothing else is in reach (B5.8)."""
    first = mind.tried[0, 0]
    others = targets & ~(1 << first) if first != NOWHERE and game.owner[first] != seat else targets
    if others == 0 and not rules.combat_must:
        mind.target, mind.armies = NOWHERE, 0
        return
    choose_attack(game, rules, mind, seat, county, others if others != 0 else targets)
    if mind.armies > 0 and game.owner[mind.target] != seat:
        mind.tried[0, 0] = mind.target


def _claim_by(worth: np.ndarray) -> Callable[..., Any]:
    """An answer that leaves no open county of BETTER_BY more VP by these worths, one a county (B1.4)."""

    def claim(game, rules, mind, seat):
        chosen = choose_claim(game, rules, mind, seat)
        if chosen < 2 and min(game.open_card[0], game.open_card[1]) >= 0:
            if worth[game.open_card[1 - chosen]] >= worth[game.open_card[chosen]] + BETTER_BY:
                return 1 - chosen
        return chosen

    return claim


FORBIDDEN: dict[str, dict[str, Any]] = {
    "palace behind one army": {"plan": _plan_without_palaces},
    "two attacks on one county": {"plan": _plan_of_two_targets, "attack": _attack_another},
    "hunger foreseen": {"plan": _plan_for_winter},
    "five armies after the attacks": {"plan": _plan_without_late_armies},
    "better county left": {},  # its answer has the worths of counties
}
"""The answers that forbid a doubtful move, by question. Moves are those of DOUBTFUL_MOVES but two."""
IN_DRAFT = "better county left"  # the move that only a draft has
_BY_NAME = {question.name: question for question in QUESTIONS}


def forbidding(policy: Policy, move: str, players: int) -> Policy:
    """The policy with the answers that forbid a move of FORBIDDEN.

    InputError for a policy that searches, has answers of its own, errs at random or has no weights: its plan made
    again would be another for other reasons.
    """
    tables = [policy.weights, *policy.phases.values()]
    errs = any(table.get(weight, 0.0) for table in tables for weight in ("noise", "temperature"))
    if policy.kind != "balanced" or policy.answers or errs:
        raise InputError(f"{policy.name}: only a policy of kind 'balanced' without errors can be forbidden a move")
    given = FORBIDDEN[move]
    if move == IN_DRAFT:
        judged = packed_counties(load_policy(f"{JUDGE}-{players}p").counties)[players - MIN_PLAYERS]
        given = {"claim": _claim_by(np.array(judged))}
    name = f"{policy.name} without: {move}"
    answers = {question: Answer(_BY_NAME[question], function, b"", name) for question, function in given.items()}
    return replace(policy, name=name, kind="python", answers=answers, code=sha256(name.encode()).hexdigest())
