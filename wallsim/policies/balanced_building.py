"""What a building is worth to the heuristic policies (B5.3)."""

from wallsim.jit import kernel
from wallsim.mechanics.economy import site_outcome
from wallsim.rules.terms import DONE, TRADING_POST, TRADING_POST_CALMS

CALM = 0.5  # VP of a revolt marker removed
HIDDEN_TAXES = 0.3  # chance that taxes of which the card is hidden come before the money is needed


@kernel
def building_worth(game, rules, mind, seat, county, kind, price):
    """Worth of putting up a building for so many Thalers; 0 where it cannot stand."""
    if site_outcome(game, rules, county, kind) != DONE:
        return 0.0
    worth = mind.gain[rules.region[county], kind] - price * mind.thaler
    if kind == TRADING_POST and game.marker[county] > 0:
        worth += CALM * mind.effect_chance[TRADING_POST_CALMS]
    if game.thalers[seat] < price:
        worth *= HIDDEN_TAXES  # taxes may come first
    return worth
