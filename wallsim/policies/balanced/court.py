"""The heuristic policies at court: which favor to take, where to use it, whether to cancel the event (E5, E6)."""

from wallsim.jit import kernel
from wallsim.policies.balanced.appraisal import look_at_events
from wallsim.policies.balanced.favors import appraise_favors, best_favor_county, harm_of_event, net_worth
from wallsim.policies.odds import look_into_tower
from wallsim.rules.terms import SHOWN_FAVORS


@kernel(apart=True)
def choose_favor(game, rules, mind, seat, spaces):
    """The favor of greatest worth after its courtiers are paid; -1 if none is worth them."""
    look_into_tower(game, rules, mind)
    look_at_events(game, rules, mind, seat)
    appraise_favors(game, rules, mind, seat)
    best, chosen = 0.0, -1
    for space in range(SHOWN_FAVORS):
        net = net_worth(rules, mind, space)
        if (spaces >> space) & 1 and net > best:
            best, chosen = net, space
    return chosen


@kernel(apart=True)
def choose_cancel_event(game, rules, mind, seat):
    """Whether the event costs the seat more than it brings."""
    look_at_events(game, rules, mind, seat)
    return harm_of_event(game, rules, mind, seat) > 0.0


@kernel(apart=True)
def choose_favor_county(game, rules, mind, seat, favor, counties):
    """The county in which the favor is worth most."""
    best_favor_county(game, rules, mind, seat, favor, counties)
    return mind.target
