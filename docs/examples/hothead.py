"""Attacks the weakest neighbour with all it has, and bids by the roll of a die."""

from wallsim.jit import kernel, lowest_bit
from wallsim.rules.terms import AUCTION, MONEY, MONEY_CARDS, TILE_ATTACK
from wallsim.state.random import SEAT, below

BASE = "balanced"
WEIGHTS = {"attack": 1.2, "threat": 0.3}


@kernel
def weakest(game, counties):
    """The county of a mask that the fewest armies hold."""
    found, fewest = -1, 1000
    while counties != 0:
        county = lowest_bit(counties)
        counties &= counties - 1  # takes the lowest bit away
        if game.army[county] < fewest:
            found, fewest = county, game.army[county]
    return found


def attack(game, rules, mind, seat, county, targets):
    """Attack where the fewest stand, if they are fewer; else stay, where the rules allow it."""
    foreign = targets & ~game.land[seat]
    goal = weakest(game, foreign if foreign != 0 else targets)
    armies = game.army[county] - 1
    if rules.combat_must or (foreign != 0 and armies > game.army[goal]):
        mind.target = goal
        mind.armies = armies


def place(game, rules, mind, seat, free):
    """Take the tile that helps attackers if it is left, else the earliest place."""
    for box in range(rules.players):
        if (free >> box) & 1 and game.tile_on_box[box] == TILE_ATTACK:
            return box
    return lowest_bit(free)


def bid(game, rules, mind, seat):
    """Bid 0 to 4 Thalers, if that card is free and they are there; else what was planned."""
    value = below(game, SEAT + seat, MONEY_CARDS)
    if value > game.thalers[seat]:
        return mind.plan[AUCTION]
    for box in range(rules.boxes):
        if mind.plan[box] == MONEY + value:
            return mind.plan[AUCTION]
    return MONEY + value
