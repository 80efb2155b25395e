"""What the order of the action cards says: whether money comes in time, and how many attacks are still to come (B2.1).

While a round is planned the first five cards lie open. A hidden card comes later than these, and before another hidden
one as likely as after it.
"""

from wallsim.jit import kernel
from wallsim.policies.weights import EARLY_COMBAT
from wallsim.rules.terms import ACTION_CARDS, COMBAT_A, COMBAT_B, SHOWN_ACTIONS

HIDDEN = SHOWN_ACTIONS  # the place of every card that does not lie open


@kernel
def look_at_order(game, mind):
    """Note in `mind.when` each action's place among the open cards, 0 to 4, or HIDDEN.

    In `mind.exposed` the share of the dangers to come, of this round and of later ones, that lies after each action; in
    `mind.late` the share of this round's attacks that comes before it.
    """
    for action in range(ACTION_CARDS):
        mind.when[action] = HIDDEN
    for place in range(SHOWN_ACTIONS):
        mind.when[game.action_order[place]] = place
    for combat in range(COMBAT_A, COMBAT_B + 1):  # most on the first open card, least on a hidden one
        mind.earlier[combat - COMBAT_A] = 1.0 + mind.weight[EARLY_COMBAT] * (HIDDEN - mind.when[combat]) / HIDDEN
    first, second = mind.when[COMBAT_A], mind.when[COMBAT_B]
    for action in range(ACTION_CARDS):
        place = mind.when[action]
        after = 0.5 * (_comes_before(place, first) + _comes_before(place, second))
        mind.exposed[action] = (after + mind.rounds - 1.0) / mind.rounds
        mind.late[action] = 0.5 * (_comes_before(first, place) + _comes_before(second, place))


@kernel
def _comes_before(place, other):
    """The chance that the action of one place is carried out before that of another one."""
    hidden = 0.5 if place == HIDDEN else 0.0
    return 1.0 if place < other else hidden * (place == other)


@kernel
def danger_left(game, rules, mind, seat):
    """The share of the dangers to come that is left while a round is played: by combats done and seats still to act.

    Looks only at cards that were carried out and at the one that is being carried out.
    """
    left = 2.0
    for place in range(min(ACTION_CARDS, game.actions_done + 1)):
        if COMBAT_A <= game.action_order[place] <= COMBAT_B:
            left -= 1.0
            if place == game.actions_done:
                left += _still_to_act(game, rules, seat)
    return (0.5 * left + mind.rounds - 1.0) / mind.rounds


@kernel
def _still_to_act(game, rules, seat):
    """The share of the other seats that act after this one."""
    after, passed = 0.0, False
    for turn in range(rules.players):
        after += passed
        passed |= game.turn[turn] == seat
    return after / (rules.players - 1)
