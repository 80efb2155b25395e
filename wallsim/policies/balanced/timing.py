"""What the order of the action cards says: whether money comes in time, and how many attacks are still to come (B2.1).

While a round is planned the first five cards lie open. A hidden card comes later than these, and before another hidden
one as likely as after it.
"""

from wallsim.jit import kernel
from wallsim.policies.weights import EARLY_COMBAT
from wallsim.rules.terms import ACTION_CARDS, COMBAT_A, COMBAT_B, DEPLOY1, DEPLOY5, SHOWN_ACTIONS

HIDDEN = SHOWN_ACTIONS  # the place of every card that does not lie open


@kernel
def look_at_order(game, mind):
    """Note in `mind.when` each action's place among the open cards, 0 to 4, or HIDDEN.

    And in `mind.exposed` the share of the dangers to come that lies after each action that deploys.
    """
    for action in range(ACTION_CARDS):
        mind.when[action] = HIDDEN
    for place in range(SHOWN_ACTIONS):
        mind.when[game.action_order[place]] = place
    for action in range(DEPLOY5, DEPLOY1 + 1):
        mind.exposed[action] = _danger_after(mind, action)


@kernel
def _comes_before(mind, action, other):
    """The chance that an action is carried out before another one."""
    if mind.when[action] == HIDDEN and mind.when[other] == HIDDEN:
        return 0.5
    return 1.0 if mind.when[action] < mind.when[other] else 0.0


@kernel
def _danger_after(mind, action):
    """The share of the dangers to come, of this round and of later ones, that lies after an action of this round."""
    share = 0.5 * (_comes_before(mind, action, COMBAT_A) + _comes_before(mind, action, COMBAT_B))
    return (share + mind.rounds - 1.0) / mind.rounds


@kernel
def combat_before(mind, action):
    """The share of this round's attacks that comes before an action."""
    return 0.5 * (_comes_before(mind, COMBAT_A, action) + _comes_before(mind, COMBAT_B, action))


@kernel
def earlier(mind, combat):
    """What an attack counts for by the place of its card: most on the first open one, least on a hidden one."""
    return 1.0 + mind.weight[EARLY_COMBAT] * (HIDDEN - mind.when[combat]) / HIDDEN


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
