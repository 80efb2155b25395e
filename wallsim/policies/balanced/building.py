"""What a building is worth to the heuristic policies (B5.3)."""

from wallsim.jit import kernel
from wallsim.mechanics.economy import site_outcome
from wallsim.policies.weights import PATIENCE
from wallsim.rules.terms import DONE, ROUNDS, TRADING_POST, TRADING_POST_CALMS

CALM = 0.5  # VP of a revolt marker removed


@kernel
def building_worth(game, rules, mind, seat, county, kind, price):
    """Worth of putting up a building for so many Thalers; 0 where it cannot stand."""
    if site_outcome(game, rules, county, kind) != DONE:
        return 0.0
    worth = mind.gain[rules.region[county], kind] * _haste(mind) - price * mind.thaler
    if kind == TRADING_POST and game.marker[county] > 0:
        worth += CALM * mind.effect_chance[TRADING_POST_CALMS]
    return worth


@kernel
def _haste(mind):
    """The share of a building's worth that is seen in this round: who is patient sees all of it in the last."""
    return 1.0 - mind.weight[PATIENCE] * (mind.rounds - 1.0) / (ROUNDS - 1.0)
