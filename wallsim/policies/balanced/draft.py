"""The draft of the heuristic policies: productive, adjacent counties, strong groups on exposed borders (B1.4)."""

from wallsim.jit import count_bits, kernel
from wallsim.policies.balanced.prizes import note_drafted_regions
from wallsim.policies.weights import DRAFT_BORDER, INCOME, SITE
from wallsim.rules.terms import NEUTRAL, ROUNDS
from wallsim.state.land import own_neighbours


@kernel
def draft_worth(game, rules, mind, seat, county):
    """Worth of a county card: printed yields, sites, own neighbours, minus a share of other seats' armies nearby."""
    worth = mind.weight[INCOME] * ROUNDS * (rules.tax[county] + rules.grain[county])
    worth += 2.0 * mind.weight[SITE] * rules.sites[county]
    worth += mind.weight[DRAFT_BORDER] * count_bits(own_neighbours(game, rules, seat, county))
    worth += mind.region_bonus[rules.region[county]]
    return worth - 0.05 * foreign_armies(game, rules, seat, county)


@kernel
def foreign_armies(game, rules, seat, county):
    """Armies of other seats in the counties around."""
    armies = 0
    for index in range(rules.neighbour_count[county]):
        other = rules.neighbour[county, index]
        if game.owner[other] != seat and game.owner[other] != NEUTRAL:
            armies += game.army[other]
    return armies


@kernel
def _average_worth(game, rules, mind, seat):
    """The mean worth of the counties nobody has and that do not lie open: what the deck's top card promises."""
    total, count = 0.0, 0
    for county in range(len(game.owner)):
        if (game.land[NEUTRAL] >> county) & 1 and county != game.open_card[0] and county != game.open_card[1]:
            total += draft_worth(game, rules, mind, seat, county)
            count += 1
    return total / max(1, count)


@kernel(apart=True)
def choose_claim(game, rules, mind, seat):
    """The better open card, or the deck where both are worse than what it promises."""
    note_drafted_regions(game, rules, mind, seat)
    first = draft_worth(game, rules, mind, seat, game.open_card[0])
    second = draft_worth(game, rules, mind, seat, game.open_card[1])
    if max(first, second) < _average_worth(game, rules, mind, seat):
        return 2
    return 0 if first >= second else 1


@kernel(apart=True)
def choose_recycle(game, rules, mind, seat):
    """Whether both open cards are worse than what the deck promises."""
    return choose_claim(game, rules, mind, seat) == 2


@kernel(apart=True)
def choose_garrison(game, rules, mind, seat, county):
    """A strong group where other seats' armies stand near, a weak one elsewhere."""
    around = rules.neighbour_count[county] - count_bits(own_neighbours(game, rules, seat, county))
    target = 2.0 + 0.25 * around + 0.25 * foreign_armies(game, rules, seat, county)
    best, chosen = 1e9, 0
    for index in range(game.groups[seat]):
        gap = abs(game.group[seat, index] - target)
        if gap < best:
            best, chosen = gap, index
    return chosen
