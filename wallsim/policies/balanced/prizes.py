"""What Landsknechte and leaders add to the worth of a county: the fourth region, statues, the leader (L, M)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.landsknechte import regions_held
from wallsim.mechanics.leaders import statues_in
from wallsim.policies.weights import ARMY, DENY, GRAIN_NEED, HOLD, LEADER, REGIONS_HELD, STATUE, THALER, TRAY
from wallsim.rules.terms import (
    BENEFIT_GRAIN,
    BENEFIT_POINTS,
    BENEFIT_THALERS,
    BENEFIT_TRAY_ARMIES,
    LANDSKNECHT_CARDS,
    NEUTRAL,
    REGIONS,
    WINTER,
    YEARS,
)

_LATER_GRAIN = 0.5  # share of needed grain's worth that grain of a later round has
_DRAFTED_THALER = 0.5  # what a Thaler is worth in play, against its worth to a seat without any
_REACHED = 0.4  # chance that the leader reaches a statue in a county nearby


@kernel(apart=True)
def add_prizes(game, rules, mind, seat, near):
    """Add to `mind.worth` of the counties `near`, the seat's own among them, what the expansions promise there."""
    if rules.landsknechte:
        _note_fourth_region(game, rules, mind, seat, mind.thaler, WINTER - 1 - game.season)
    while near != 0:
        county = lowest_bit(near)
        near &= near - 1
        if rules.landsknechte:
            mind.worth[county] += region_prize(game, rules, mind, seat, county)
        if rules.leaders:
            mind.worth[county] += _leaders_prize(game, rules, mind, seat, county)


# ------------------------------------------------------------------------------------------------ Landsknechte


@kernel
def _card_worth(rules, mind, card, thaler):
    """Worth of the best benefit of a Landsknechte card in a round to come (L1)."""
    thalers = thaler * rules.benefit[card, BENEFIT_THALERS]
    armies = mind.weight[TRAY] * mind.weight[ARMY] * rules.benefit[card, BENEFIT_TRAY_ARMIES]
    grain = _LATER_GRAIN * mind.weight[GRAIN_NEED] * rules.benefit[card, BENEFIT_GRAIN]
    return max(thalers, armies, grain, float(rules.benefit[card, BENEFIT_POINTS]))


@kernel
def _note_fourth_region(game, rules, mind, seat, thaler, rounds):
    """Note what four regions would bring in so many more rounds of this year, and in the next year (L1, L2).

    A county of a region not held gets it in `mind.region_bonus` if three are held; with four held, the last county
    of a region is what stands between the seat and the cards.
    """
    held = regions_held(game, rules, seat)
    cards = 0.0
    # This round's card comes before any county changes hands.
    top = game.banner[seat] + (held >= rules.landsknechte_regions)
    for _ in range(rounds):
        top += 1
        cards += _card_worth(rules, mind, top % LANDSKNECHT_CARDS, thaler)
    if game.year < YEARS - 1:
        for card in range(LANDSKNECHT_CARDS):
            cards += mind.weight[HOLD] * _card_worth(rules, mind, card, thaler)
    for region in range(REGIONS):
        own = game.land[seat] & rules.region_counties[region]
        decides = held == rules.landsknechte_regions - (own == 0)
        mind.region_bonus[region] = mind.weight[REGIONS_HELD] * cards if decides else 0.0


@kernel
def region_prize(game, rules, mind, seat, county):
    """What the Landsknechte add to a county's worth, own or not: it may be the one that makes four regions (L1)."""
    region = rules.region[county]
    others = game.land[seat] & rules.region_counties[region] & ~(1 << county)
    return mind.region_bonus[region] if others == 0 else 0.0


@kernel(apart=True)
def note_drafted_regions(game, rules, mind, seat):
    """While drafting: what a county in a region not yet held adds, up to four regions (B1.4, L1)."""
    for region in range(REGIONS):
        mind.region_bonus[region] = 0.0
    if not rules.landsknechte or regions_held(game, rules, seat) >= rules.landsknechte_regions:
        return
    cards = 0.0
    for card in range(LANDSKNECHT_CARDS):
        cards += _card_worth(rules, mind, card, _DRAFTED_THALER * mind.weight[THALER])
    for region in range(REGIONS):
        if game.land[seat] & rules.region_counties[region] == 0:
            mind.region_bonus[region] = mind.weight[REGIONS_HELD] * cards / rules.landsknechte_regions


# ----------------------------------------------------------------------------------------------------- leaders


@kernel
def statue_points(game, rules):
    """How often a statue or trophy gained now will score (M5, [A12])."""
    return float(YEARS - game.year - (game.season == WINTER)) if rules.statue_points_each_winter else 1.0


@kernel
def trophy_worth(game, rules, mind, seat, county):
    """Worth of the opponents' statues that the leader would find in a county (M3)."""
    statues = 0
    for other in range(rules.players):
        statues += statues_in(game, other, county) if other != seat else 0
    return rules.trophy_points * statues * statue_points(game, rules) * (1.0 + mind.weight[DENY] / (rules.players - 1))


@kernel
def leader_worth(game, mind):
    """What the loss of a leader would cost: a statue and a bonus per round until it returns (M4)."""
    return (WINTER - game.season) * (mind.weight[LEADER] + mind.weight[STATUE])


@kernel
def _leaders_prize(game, rules, mind, seat, county):
    """What leaders add to a county's worth: statues to take, the own leader to keep, a rival's leader to drive off."""
    worth = mind.weight[STATUE] * _REACHED * trophy_worth(game, rules, mind, seat, county)
    owner = game.owner[county]
    if owner != NEUTRAL and (game.leader[owner] >> county) & 1:
        share = 1.0 if owner == seat else mind.weight[DENY] / (rules.players - 1)
        worth += share * leader_worth(game, mind)
    return worth
