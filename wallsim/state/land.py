"""Who owns which county, what stands there, and whom its peasants help: `owner`, `land`, `lost`, buildings."""

from wallsim.jit import count_bits, kernel
from wallsim.rules.terms import BUILDINGS, NEUTRAL
from wallsim.state.tally import LEADER_LOST


@kernel
def leads(game, seat, county):
    """1 if the seat's leader stands in the county, else 0, also where the game has no leaders (M2)."""
    return (game.leader[seat] >> county) & 1


@kernel
def own_neighbours(game, rules, seat, county):
    """The mask of the seat's counties that border on a county."""
    return rules.neighbours[county] & game.land[seat]


@kernel
def peasants_are_loyal(game, rules, county):
    """Whether peasants help the owner of an attacked county: few enough revolt markers lie there (B6.6, V6)."""
    return game.marker[county] < rules.loyal_below


@kernel
def event_is_known(game):
    """Whether the round's event has been drawn, and so all plans lie on the mats (B2.3, B2.4)."""
    return game.event >= 0


@kernel
def hand_over(game, county, owner):
    """Give a county and its card to `owner` (a seat or NEUTRAL).

    The old owner cannot use it for the rest of the round (B5.1); if its leader stood there, it leaves the board (M4).
    """
    bit = 1 << county
    before = game.owner[county]
    game.land[before] ^= bit
    game.land[owner] |= bit
    game.owner[county] = owner
    if before != NEUTRAL:
        game.lost[before] |= bit
        game.tally[before, LEADER_LOST] += leads(game, before, county)
        game.leader[before] &= ~bit


@kernel
def raze(game, county):
    """Make a county neutral: no armies, buildings back to stock, revolt markers off (B6.9)."""
    game.army[county] = 0
    game.markers_left += game.marker[county]
    game.marker[county] = 0
    for kind in range(len(BUILDINGS)):
        game.built[kind] &= ~(1 << county)
    hand_over(game, county, NEUTRAL)


@kernel
def is_live(game, seat, county):
    """Whether a planned county card can still be carried out: owned, and never lost since planning (B5.1)."""
    return game.owner[county] == seat and (game.lost[seat] >> county) & 1 == 0


@kernel
def has_building(game, county, kind):
    """1 if a building of this kind stands in the county, else 0."""
    return (game.built[kind] >> county) & 1


@kernel
def buildings_in(game, county):
    """How many buildings stand in the county, 0 to 3."""
    return has_building(game, county, 0) + has_building(game, county, 1) + has_building(game, county, 2)


@kernel
def stock(game, rules, kind):
    """Building tiles of this kind left (B0.3)."""
    return rules.building_tiles[kind] - count_bits(game.built[kind])
