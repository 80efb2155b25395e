"""One purse for a whole plan: the best payments, where taxes may come before or after them (B2.1, B5.1)."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallsim.policies.balanced.purse import best_payments
from wallsim.policies.balanced.timing import HIDDEN
from wallsim.policies.record import MIND
from wallsim.policies.weights import CREDIT
from wallsim.rules.terms import ACTIONS, TAXES

BOXES = [ACTIONS.index(name) for name in ("palace", "church", "trading_post", "deploy5", "deploy3", "deploy1")]


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
