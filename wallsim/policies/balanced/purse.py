"""One purse for a whole plan: which of its boxes can be paid for, bid and taxes included, and which are worth it.

What a box costs depends on the box alone, so the boxes that a plan pays for and the Thalers they need in hand follow
from the order of the cards: shown taxes help what comes after them, hidden ones what is hidden with the chance
`credit` (B2.1, B4.1, B5.1 to B5.7). Where money is short, every set of boxes is judged for every bid.
"""

from wallsim.jit import kernel
from wallsim.policies.balanced.appraisal import expected_tax
from wallsim.policies.balanced.timing import HIDDEN
from wallsim.policies.weights import CREDIT
from wallsim.rules.terms import AUCTION, BUILDINGS, COUNTIES, DEPLOY1, DEPLOY3, DEPLOY5, MONEY, MONEY_CARDS, TAXES

_BOXES = (*range(len(BUILDINGS)), DEPLOY5, DEPLOY3, DEPLOY1)
_WORST = -1e9
_UNPAID = -1.0  # VP: worth of a card that would pay in a box that is not to be paid for


@kernel
def _is_county(mind, column):
    return 0 <= mind.hand[column] < COUNTIES


@kernel
def _price_of(rules, box):
    """What a box of `_BOXES` costs, without a leader (B5.3, B5.6, B5.7)."""
    return rules.building_price[box] if box < len(BUILDINGS) else rules.deploy_price[box - DEPLOY5]


@kernel
def _list_payments(game, rules, mind, seat):
    """List what the chosen cards pay for, in the order of the open cards, hidden ones last; returns how many.

    The boxes, prices and worths lie in `mind.pays`, `mind.pay_price` and `mind.pay_worth`.
    """
    count = 0
    for box in _BOXES:
        column = mind.chosen[box]
        worth = mind.value[column, box]
        if not _is_county(mind, column) or worth == 0.0:
            continue
        price = _price_of(rules, box)
        if box < len(BUILDINGS):
            discount = rules.leader_building_discount * ((game.leader[seat] >> mind.hand[column]) & 1)  # M2
            price = max(0, price - discount)
        place = count
        while place > 0 and mind.when[mind.pays[place - 1]] > mind.when[box]:
            mind.pays[place] = mind.pays[place - 1]
            mind.pay_price[place] = mind.pay_price[place - 1]
            mind.pay_worth[place] = mind.pay_worth[place - 1]
            place -= 1
        mind.pays[place] = box
        mind.pay_price[place] = price
        mind.pay_worth[place] = worth
        count += 1
    return count


@kernel
def _taxes_of(game, rules, mind, seat):
    """The Thalers that the chosen county will bring, 0 where none is planned to pay taxes."""
    card = mind.hand[mind.chosen[TAXES]]
    if not _is_county(mind, mind.chosen[TAXES]):
        return 0.0
    return expected_tax(rules, mind, card) + float(rules.leader_taxes_thalers * ((game.leader[seat] >> card) & 1))


@kernel
def is_covered(game, rules, mind, seat):
    """Whether the chosen cards and the bid can all be paid for, whatever comes first of what is hidden."""
    when_taxes = mind.when[TAXES]
    taxes = _taxes_of(game, rules, mind, seat) if when_taxes < HIDDEN else 0.0
    before, after = 0.0, 0.0
    for box in _BOXES:
        column = mind.chosen[box]
        pays = _is_county(mind, column) and mind.value[column, box] != 0.0
        price = _price_of(rules, box) * pays
        early = mind.when[box] < when_taxes or when_taxes == HIDDEN
        before += price * early
        after += price * (not early)
    cash = float(game.thalers[seat])
    if not rules.first_edition:
        bid = mind.hand[mind.chosen[AUCTION]] - MONEY
        cash -= bid if 0 < bid < MONEY_CARDS and bid <= cash else 0
    return before <= cash and before + after <= cash + taxes


@kernel
def best_payments(mind, payments, taxes, cash):
    """The set of payments that is worth most with so much in hand after the bid; its worth goes to `mind.paid_worth`.

    A set is judged from the one without its last payment. What is hidden may fail where money is short.
    """
    credit = mind.weight[CREDIT]
    when_taxes = mind.when[TAXES]
    before = taxes if when_taxes < HIDDEN else 0.0
    mind.left[0], mind.sure[0], mind.unsure[0], mind.owed[0] = cash, 0.0, 0.0, 0.0
    most, chosen = 0.0, 0
    for last in range(payments):
        hidden = mind.when[mind.pays[last]] == HIDDEN
        price, worth = mind.pay_price[last], mind.pay_worth[last]
        received = before if mind.when[mind.pays[last]] > when_taxes else 0.0
        for without in range(1 << last):
            paid = without | (1 << last)
            left, sure, unsure, owed = mind.left[without], mind.sure[without], mind.unsure[without], mind.owed[without]
            if hidden:
                unsure += worth
                owed += price
            else:
                left -= price
                sure += worth if left + received >= 0.0 else _WORST
            mind.left[paid], mind.sure[paid], mind.unsure[paid], mind.owed[paid] = left, sure, unsure, owed
            total = sure
            if owed > 0.0:
                early = min(1.0, max(0.0, left + before) / owed)
                late = early if when_taxes < HIDDEN else min(1.0, max(0.0, left + taxes) / owed)
                total += unsure * (credit * late + (1.0 - credit) * early)
            chosen = paid if total > most else chosen
            most = max(most, total)
    mind.paid_worth = most
    return chosen


@kernel(apart=True, distinct=True)
def share_purse(game, rules, mind, seat, counties, columns):
    """Choose the boxes to pay for together with the bid, and rewrite the worths so that an assignment follows.

    Money cards lie in the columns from `counties`. What a bid leaves unpaid is taken from its worth; in a box that is
    not to be paid for every card that would pay costs a little, so that one that passes is preferred. Returns the boxes
    where a worth was changed, a mask.
    """
    payments = _list_payments(game, rules, mind, seat)
    taxes = _taxes_of(game, rules, mind, seat)
    cash = float(game.thalers[seat])
    paid = best_payments(mind, payments, taxes, cash)
    changed = 0
    if not rules.first_edition:
        free = mind.paid_worth
        column = mind.chosen[AUCTION]
        best = mind.value[column, AUCTION] if mind.hand[column] < MONEY else mind.value[counties, AUCTION]
        for bid in range(1, MONEY_CARDS):
            if bid <= cash and mind.value[counties + bid, AUCTION] > best:  # paying a bid leaves no more for boxes
                left = best_payments(mind, payments, taxes, cash - bid)
                mind.value[counties + bid, AUCTION] += mind.paid_worth - free
                changed = 1 << AUCTION
                if mind.value[counties + bid, AUCTION] > best:
                    best, paid = mind.value[counties + bid, AUCTION], left
    for place in range(payments):
        if (paid >> place) & 1 == 0:
            box = mind.pays[place]
            for column in range(columns):
                if mind.value[column, box] != 0.0:
                    mind.value[column, box] = min(mind.value[column, box], _UNPAID)
            changed |= 1 << box
    return changed
