"""The best way to put cards on boxes: successive shortest paths by counting all boxes at once, without allocation.

Worths count in whole grains of 1/1024 VP, cut off towards zero. Besides, card c (-1: no card) has on box b the bonus of
2 ** (16 * (c + 1) + b) mod 1048573 parts of a grain that has 2 ** 25 of them, and a county 1048573 more: it may still
find something to do where other cards pass. The bonuses of a plan are less than a grain, so they decide between plans
of equal worth alone. So any exact method finds the same plan, but for the chance of about one in a million that two
such plans, which then differ in three boxes or more, have equal bonuses, too.

Costs are worths with the sign changed, moved up by bits that tell where a path comes from: a card's number or a box.
A path gives a free card to a box, the card that lay there to another one, and so on. The method of Bellman and Ford
finds the shortest ways to all boxes at once by a few vector instructions for each card that lies.
"""

import numpy as np

from wallsim.jit import kernel, lowest_bit
from wallsim.policies.record import LANES
from wallsim.rules.terms import CARDS, COUNTIES, NO_CARD

GRAINS = 1024  # of a VP
MOST = 4096.0  # VP: worths beyond count as so much
BONUS_PRIME = 1048573
BONUS_BITS = 25  # of a grain: 14 bonuses are less than one
# To exchange two cards always changes the sum: by a product of two differences, which the prime does not divide.
# Of the bases that do, 2 is one that lets as many attacks lie on combat A as on combat B.
BONUS = np.array([[pow(2, LANES * card + box, BONUS_PRIME) for box in range(LANES)] for card in range(CARDS + 1)])
BONUS[1 : COUNTIES + 1] += BONUS_PRIME

_CARD = 64  # where a path comes from: a box, or a free card and this
_FROM = 127  # the bits that say so
_STEP = 128  # added by every step, so that no two cards of one kind change places for ever; at most 15 of them
_BONUS_SHIFT = 11
_GRAIN_SHIFT = _BONUS_SHIFT + BONUS_BITS
_FAR = 1 << 61
_LIES = _FAR + 1  # added to the cost of a card that lies
_AT_ONCE = 4  # cards whose offers are compared in one pass
_ROWS = 6  # boxes whose cards are moved in one pass
_SURE_ROUNDS = 2  # few paths are shorter, and a loop that often ends elsewhere costs more than a round


@kernel(apart=True)
def assign(mind, boxes, cards):
    """Give each box a card of its own so that the sum of `mind.value[card, box]` is greatest.

    `boxes` <= `cards` <= 60. Writes the card of each box, as a place of `mind.hand`, to `mind.chosen`. Each box takes
    the card that is worth most there, if no box before has it; shortest paths then serve the boxes that are left.
    """
    _count_costs(mind.value, mind.cost, mind.hand, BONUS, boxes, cards, mind.dist, mind.lies)
    for lane in range(boxes, LANES):
        mind.chosen[lane] = 0  # `_set_rows` looks up the costs of the cards of all lanes
    waiting = 0
    for box in range(boxes):
        card = mind.dist[box] & (_CARD - 1)
        waiting |= (mind.lies[card] & 1) << box
        mind.lies[card] = _LIES
        mind.chosen[box] = card
    while waiting != 0:
        _set_rows(mind, boxes, waiting)
        _offer(mind.cost, mind.lies, cards, mind.dist, mind.short)
        _reach(mind, boxes)
        passed, left = 0, waiting
        while left != 0:
            box = lowest_bit(left)
            left &= left - 1
            path, last = 1 << box, mind.dist[box] & _FROM
            while last < _CARD:
                path |= 1 << last
                last = mind.dist[last] & _FROM
            if path & passed != 0 or mind.lies[last - _CARD] != 0:
                continue  # a path before has changed this one
            passed |= path
            waiting ^= 1 << box
            _follow(mind, boxes, box, last - _CARD)


@kernel(apart=True)
def assign_again(mind, boxes, cards, changed):
    """Mend the assignment after the worths on the boxes of the mask `changed` have changed.

    Without those boxes and their cards the rest is as good as it can be. Each of them comes back with its card, which
    goes the shortest way to the box: over other boxes, and over the cards that do not lie.
    """
    left = changed
    while left != 0:
        box = lowest_bit(left)
        left &= left - 1
        for card in range(cards):
            mind.cost[card, box] = _cost_of(mind.value[card, box], BONUS[mind.hand[card] - NO_CARD, box], card)
    while changed != 0:
        box = lowest_bit(changed)
        card = mind.chosen[box]
        _set_rows(mind, boxes, changed)
        _offer(mind.cost, mind.lies, cards, mind.row[boxes], mind.short)
        for lane in range(LANES):
            mind.row[boxes, lane] += _STEP
            mind.dist[lane] = mind.cost[card, lane]
            mind.short[lane] = mind.cost[card, lane] & -_STEP
        _reach(mind, boxes)
        _follow(mind, boxes, box, card)
        changed &= changed - 1


@kernel
def _cost_of(worth, bonus, card):
    grains = np.int64(np.int32(min(MOST, max(-MOST, worth)) * GRAINS))
    return (card + _CARD) - ((grains << _GRAIN_SHIFT) + (bonus << _BONUS_SHIFT))


@kernel(distinct=True)
def _count_costs(value, cost, hand, bonus, boxes, cards, least, lies):
    """Write the cost of each card on each box, and the least of them; beyond the boxes lies the hand, at no cost."""
    for box in range(LANES):
        least[box] = _FAR
    for card in range(cards):
        kind = hand[card] - NO_CARD
        lies[card] = 0
        for box in range(LANES):
            price = _cost_of(value[card, box], bonus[kind, box], card)
            cost[card, box] = price
            least[box] = min(least[box], price)
        cost[card, boxes] = card + _CARD
    for more in range(_AT_ONCE):
        lies[cards + more] = _LIES


# Loops over boxes below have bodies for several cards: LLVM makes scalars of shorter ones.


@kernel
def _set_rows(mind, boxes, waiting):
    """Write the costs of moving the card of each box to others, all far for boxes that wait and beyond the mat."""
    away = waiting | (-1 << boxes)
    _set_eight(mind.cost, mind.row, mind.chosen, away, 0)
    _set_eight(mind.cost, mind.row, mind.chosen, away, 8)


@kernel(distinct=True)
def _set_eight(cost, row, chosen, away, box):
    a, b, c, d = chosen[box], chosen[box + 1], chosen[box + 2], chosen[box + 3]
    e, f, g, h = chosen[box + 4], chosen[box + 5], chosen[box + 6], chosen[box + 7]
    at_a, at_b = _left(cost, away, box, a), _left(cost, away, box + 1, b)
    at_c, at_d = _left(cost, away, box + 2, c), _left(cost, away, box + 3, d)
    at_e, at_f = _left(cost, away, box + 4, e), _left(cost, away, box + 5, f)
    at_g, at_h = _left(cost, away, box + 6, g), _left(cost, away, box + 7, h)
    for other in range(LANES):
        row[box, other] = cost[a, other] + at_a
        row[box + 1, other] = cost[b, other] + at_b
        row[box + 2, other] = cost[c, other] + at_c
        row[box + 3, other] = cost[d, other] + at_d
        row[box + 4, other] = cost[e, other] + at_e
        row[box + 5, other] = cost[f, other] + at_f
        row[box + 6, other] = cost[g, other] + at_g
        row[box + 7, other] = cost[h, other] + at_h


@kernel
def _left(cost, away, box, card):
    return box + _STEP - cost[card, box] + ((away >> box) & 1) * _FAR


@kernel(distinct=True)
def _offer(cost, lies, cards, dist, short):
    """Write the least cost of a free card on each box."""
    for card in range(0, cards, _AT_ONCE):
        a, b, c, d = lies[card], lies[card + 1], lies[card + 2], lies[card + 3]
        for box in range(LANES):
            least = min(
                min(cost[card, box] + a, cost[card + 1, box] + b), min(cost[card + 2, box] + c, cost[card + 3, box] + d)
            )
            least = min(least, dist[box]) if card > 0 else least
            dist[box] = least
            short[box] = least & -_STEP


@kernel
def _reach(mind, boxes):
    """Shorten the ways to all boxes, `mind.dist`, by moves of the cards that lie, until none gets shorter."""
    for _ in range(_SURE_ROUNDS):
        _go_once(mind.row, mind.dist, mind.short, boxes)
    while _go_once(mind.row, mind.dist, mind.short, boxes) < 0:
        pass


@kernel
def _go_once(row, dist, short, boxes):
    shorter = _move(row, dist, short, 0) + _move(row, dist, short, _ROWS)
    if boxes >= 2 * _ROWS:
        shorter += _move(row, dist, short, LANES - _ROWS)
    return shorter


@kernel(distinct=True)
def _move(row, dist, short, first):
    """Move the cards of some boxes in a row to all others; returns a number below 0 if a way has become shorter."""
    a, b, c = short[first], short[first + 1], short[first + 2]
    d, e, f = short[first + 3], short[first + 4], short[first + 5]
    shorter = 0
    for box in range(LANES):
        before = dist[box]
        way = min(
            min(a + row[first, box], b + row[first + 1, box]), min(c + row[first + 2, box], d + row[first + 3, box])
        )
        way = min(min(e + row[first + 4, box], f + row[first + 5, box]), min(way, before))
        shorter = min(shorter, way - before)
        dist[box] = way
        short[box] = way & -_STEP
    return shorter


@kernel
def _follow(mind, boxes, box, start):
    """Move all cards along the way that leads from the card `start` to a box; the hand is the box beyond the mat."""
    while True:
        last = mind.dist[box] & _FROM
        card = mind.chosen[last] if last < _CARD else last - _CARD
        mind.lies[card] = 0 if box == boxes else _LIES
        mind.chosen[box] = card
        if card == start and last >= _CARD:
            break
        box = last if last < _CARD else boxes
