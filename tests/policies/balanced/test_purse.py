"""One purse for a whole plan: what the open cards pay for is covered, bid and taxes included (B2.1, B4.1, B5.1)."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import BOARD, tables
from tests.policies.seating import begin_round, dice_of, mind_of, plan, random_round, realm, weighted
from wallsim.policies.balanced.appraisal import expected_tax
from wallsim.policies.balanced.purse import best_payments
from wallsim.policies.balanced.timing import HIDDEN
from wallsim.policies.record import MIND
from wallsim.policies.weights import CREDIT
from wallsim.rules.terms import ACTIONS, TAXES

PRICES = {"palace": 3, "church": 2, "trading_post": 1, "deploy5": 3, "deploy3": 2, "deploy1": 1}
BOXES = [ACTIONS.index(name) for name in PRICES]


def worth_of(paid, when_taxes, taxes, cash, credit):
    """What payments (place, price, worth) bring if they are made one by one; hidden ones in proportion to the money."""
    money, worth, received = cash, 0.0, False
    for place, price, gain in sorted(payment for payment in paid if payment[0] < HIDDEN):
        if place > when_taxes and not received:
            money, received = money + taxes, True
        if price > money:
            return -1e9
        money, worth = money - price, worth + gain
    owed = sum(price for place, price, _ in paid if place == HIDDEN)
    if not owed:
        return worth
    if when_taxes < HIDDEN and not received:
        money += taxes
    early = min(1.0, money / owed)
    late = early if when_taxes < HIDDEN else min(1.0, (money + taxes) / owed)
    return worth + sum(gain for place, _, gain in paid if place == HIDDEN) * (credit * late + (1 - credit) * early)


payments_of = st.lists(
    st.tuples(st.integers(0, HIDDEN), st.integers(1, 3), st.floats(-1.0, 5.0).map(lambda x: round(x, 3))),
    min_size=0, max_size=6,
)  # fmt: skip


@given(payments_of, st.integers(0, HIDDEN), st.integers(0, 7), st.integers(0, 9), st.floats(0.0, 1.0))
def test_the_best_payments_are_those_of_a_search_through_all_sets(payments, when_taxes, taxes, cash, credit):  # B5.1
    payments = sorted(payment for payment in payments if payment[0] != when_taxes or payment[0] == HIDDEN)
    mind = np.zeros(1, MIND)[0]
    mind.when[TAXES], mind.weight[CREDIT] = when_taxes, credit
    for index, (place, price, worth) in enumerate(payments):
        box = BOXES[index]
        mind.pays[index], mind.pay_price[index], mind.pay_worth[index] = box, price, worth
        mind.when[box] = place
    chosen = best_payments(mind, len(payments), float(taxes), float(cash))
    sets = [
        [payment for payment, there in zip(payments, which, strict=True) if there]
        for which in product((False, True), repeat=len(payments))
    ]
    best = max(worth_of(paid, when_taxes, taxes, cash, credit) for paid in sets)
    result = [payment for index, payment in enumerate(payments) if chosen >> index & 1]
    assert mind.paid_worth == pytest.approx(best, abs=1e-9)
    assert worth_of(result, when_taxes, taxes, cash, credit) == pytest.approx(best, abs=1e-9)


def money_runs_out(scene, seat):
    """The open actions for which the plan lacks money, if taxes bring what is expected of them."""
    table, mind = scene.table, mind_of(scene, seat)
    cards = plan(scene, seat)
    bid = cards["auction"] if isinstance(cards["auction"], int) else 0
    money, missing = table.players[seat].thalers - bid, []
    for action in map(int, scene.game.action_order[:HIDDEN]):
        name, county = ACTIONS[action], cards[ACTIONS[action]]
        if not isinstance(county, str):
            continue
        if name == "taxes":
            money += expected_tax(scene.rules, mind, table.number(county))
        elif name in PRICES and pays(table, name, county, seat):
            if PRICES[name] > money:
                missing.append(name)
            else:
                money -= PRICES[name]
    return missing


def pays(table, name, county, seat):
    """Whether the action would cost something there, money aside (B5.3, B5.6)."""
    if name.startswith("deploy"):
        return table.supply[seat] >= {"deploy5": 5, "deploy3": 3, "deploy1": 1}[name]
    standing = table.land[county].buildings
    return name not in standing and len(standing) < table.sites(county) and table.stock(name) > 0


@given(tables(), dice_of)
def test_open_cards_never_lack_money_where_others_can_pass(table, rng):  # B2.1 B5.1
    """Five money cards pass on five boxes; with twelve counties and more nothing must be paid for."""
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        if len(table.counties_of(seat)) >= 12:
            assert money_runs_out(scene, seat) == []


def rich_in_sites(thalers):
    scene = realm(*BOARD.counties[:12])
    scene.table.players[0].thalers, scene.table.players[0].grain = thalers, 12
    return scene


@pytest.mark.parametrize("thalers", range(8))
def test_no_more_is_spent_before_taxes_than_is_held(thalers):  # B2.1 B5.1
    order = ("palace", "church", "trading_post", "deploy3", "taxes", *(a for a in ACTIONS if a not in
             ("palace", "church", "trading_post", "deploy3", "taxes")))  # fmt: skip
    scene = begin_round(rich_in_sites(thalers), season=1, actions=order)
    cards = plan(scene, 0)
    bid = cards["auction"] if isinstance(cards["auction"], int) else 0
    spent = sum(
        PRICES[name] for name in order[:4] if isinstance(cards[name], str) and pays(scene.table, name, cards[name], 0)
    )
    assert spent + bid <= thalers


def test_taxes_that_lie_before_a_church_pay_for_it():  # B2.1 B5.3 B5.4
    rest = tuple(action for action in ACTIONS if action not in ("taxes", "church"))
    built = []
    for order in (("taxes", "church", *rest), ("church", "taxes", *rest)):
        scene = begin_round(rich_in_sites(0), season=2, actions=order)
        card = plan(scene, 0)["church"]
        built.append(isinstance(card, str) and pays(scene.table, "church", card, 0))
    assert built == [True, False]
