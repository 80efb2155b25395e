"""Random tables that could have come about in play, for property tests."""

from __future__ import annotations

import random
from functools import lru_cache

from hypothesis import strategies as st

from tests.naive.table import KINDS, PEASANTS, County, Table
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EFFECTS, TILES
from wallsim.rules.tower import TowerModel, load_tower

BOARD = load_board()
# Towers at the edges show battles that are rare in a real one; SURE makes every battle certain.
SURE = TowerModel("sure", "independent", 1.0, 0.0)
JAMMED = TowerModel("jammed", "independent", 0.05, 0.02)
LOOSE = TowerModel("loose", "independent", 0.2, 0.9)
SHUT = TowerModel("shut", "independent", 0.0, 0.0)  # nothing falls out
SWAP = TowerModel("swap", "independent", 0.0, 1.0)  # what is thrown stays, what was inside falls
USUAL = load_tower()
TOWERS = (SURE, JAMMED, LOOSE, USUAL)


@lru_cache(maxsize=256)
def packed(rules: Ruleset, tower: TowerModel = USUAL):
    """The RULES record of a ruleset and a tower on the shipped board."""
    return pack_rules(BOARD, rules, tower)[0]


def rulesets(**fixed):
    """Rulesets of 3 to 5 players with any setting of the switches."""
    choices = {
        "players": st.sampled_from((3, 4, 5)),
        "food_track": st.sampled_from(("capped", "open")),
        "bank": st.sampled_from((0, 100)),
        "money_bid": st.sampled_from(("held", "any")),
        "income": st.sampled_from(("first", "if_held")),
        "short_supply": st.sampled_from(("action_number", "all")),
        "few_peasants": st.sampled_from(("limited", "all_or_none")),
        "final_tie": st.sampled_from(("thalers", "shared")),
    }
    return st.builds(Ruleset, **{**choices, **{name: st.just(value) for name, value in fixed.items()}})


@st.composite
def tables(draw, **fixed):
    """Tables on which every limit of the components is met now and then."""
    rules = draw(rulesets(**fixed))
    dice = random.Random(draw(st.integers(0, 2**32)))
    return random_table(dice, rules)


def random_table(dice: random.Random, rules: Ruleset) -> Table:
    """A table that keeps every rule about what may lie where (`Table.faults` is empty)."""
    table = Table.empty(BOARD, rules)
    table.event = dice.choice(EFFECTS)
    table.year = dice.randrange(2)
    neutral_share = dice.choice((0.1, 0.3, 0.7))
    markers, building = dice.choice((0.0, 0.4, 0.9)), dice.choice((0.0, 0.3, 0.95))
    wealth = dice.choice((3, 20))
    for name in table.land:
        if dice.random() >= neutral_share:
            _settle(dice, table, name, markers, building)
    tiles = dice.sample([*TILES], 5)
    for seat, player in table.players.items():
        player.thalers, player.grain = dice.randint(0, wealth), dice.randint(0, 18)
        player.points = dice.randint(0, 30)
        player.tile = tiles[seat] if dice.random() < 0.8 else None
        player.lost = {name for name in table.land if dice.random() < 0.05}
    for colour in table.supply:
        _scatter(dice, table, colour)
    assert table.faults() == []
    return table


def _settle(dice, table, name, markers, building):
    seat = dice.choice([*table.players])
    if table.supply[seat] < 6:
        return
    armies = dice.choice((1, 1, 2, 3, 4, 6))
    kinds = dice.sample(KINDS, table.sites(name))
    kinds = {kind for kind in kinds if dice.random() < building and table.stock(kind)}
    table.land[name] = County(seat, armies, 0, kinds)
    table.supply[seat] -= armies
    while table.markers_left and table.land[name].markers < 4 and dice.random() < markers:
        table.land[name].markers += 1
        table.markers_left -= 1


def _scatter(dice, table, colour):
    """Move cubes from the supply into tower and tray, now and then all of them; some more onto the board."""
    own = [] if colour == PEASANTS else table.counties_of(colour)
    left = dice.choice((0, 1, 2, 3, 5, 10, 20))
    while table.supply[colour] > left:
        table.supply[colour] -= 1
        place = dice.random()
        if own and place < 0.6:
            table.land[dice.choice(own)].armies += 1
        elif place < 0.9:
            table.tower[colour] += 1
        else:
            table.tray[colour] += 1
