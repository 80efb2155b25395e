"""The Landsknechte: whoever owns counties in four regions turns a card and takes one of its benefits (L)."""

from wallsim.jit import kernel
from wallsim.mechanics.economy import receive
from wallsim.rules.terms import BENEFIT_TRAY_ARMIES, BENEFITS, LANDSKNECHT_CARDS, REGIONS
from wallsim.state import tally

_GAINED = (  # by benefit
    tally.LANDSKNECHT_THALERS,
    tally.LANDSKNECHT_TRAY_ARMIES,
    tally.LANDSKNECHT_GRAIN,
    tally.VP_LANDSKNECHTE,
)


@kernel
def regions_held(game, rules, seat):
    """The number of regions in which the seat owns a county, 0 to 5 (L1)."""
    regions = 0
    for region in range(REGIONS):
        regions += (game.land[seat] & rules.region_counties[region]) != 0
    return regions


@kernel
def draw_landsknecht(game, rules, seat):
    """Move the seat's top card to the bottom if it owns counties in enough regions; True if it did (L1)."""
    if regions_held(game, rules, seat) < rules.landsknechte_regions:
        return False
    game.banner[seat] = (game.banner[seat] + 1) % LANDSKNECHT_CARDS
    return True


@kernel
def offered_benefits(game, rules, seat):
    """The mask of benefits on the top card that bring something; armies only if the supply has any (L1)."""
    offered = 0
    for benefit in range(len(BENEFITS)):
        offered |= (rules.benefit[game.banner[seat], benefit] > 0) << benefit
    if game.supply[seat] == 0:
        offered &= ~(1 << BENEFIT_TRAY_ARMIES)
    return offered


@kernel
def take_benefit(game, rules, seat, benefit):
    """Take one benefit of the top card (L1); returns what was gained, grain before the end of the food track."""
    amount = receive(game, rules, seat, benefit, rules.benefit[game.banner[seat], benefit])
    game.tally[seat, tally.LANDSKNECHT_CARDS] += 1
    game.tally[seat, _GAINED[benefit]] += amount
    return amount


@kernel
def order_cards_again(game):
    """After winter the cards go back to their starting order, the empty banner on top (L2)."""
    game.banner[:] = 0
