"""Random tables that could have come about in play, for property tests."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import combinations
from typing import get_args, get_type_hints

from hypothesis import strategies as st

from tests.naive.expansions import COURTIERS_IN_THE_BOX, statues_in_hand
from tests.naive.table import KINDS, PEASANTS, County, Table
from wallsim.rules.amounts import AMOUNTS, PRINTED
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.terms import EFFECTS, EXPANSIONS, TILES
from wallsim.rules.tower import Independent, TowerModel, load_tower

BOARD = load_board()
# Towers at the edges show battles that are rare in a real one; SURE makes every battle certain.
SURE = TowerModel("sure", Independent(1.0, 0.0))
JAMMED = TowerModel("jammed", Independent(0.05, 0.02))
LOOSE = TowerModel("loose", Independent(0.2, 0.9))
SHUT = TowerModel("shut", Independent(0.0, 0.0))  # nothing falls out
SWAP = TowerModel("swap", Independent(0.0, 1.0))  # what is thrown stays, what was inside falls
USUAL = load_tower()
TOWERS = (SURE, JAMMED, LOOSE, USUAL)
LIKELY = (USUAL, load_tower("mid-urn"), load_tower("spielbyweb-layered"))  # of every model
_OF_THE_ENGINE = ("draft_start", "combat")  # switches that no mechanic reads
SUBSETS = [some for size in range(len(EXPANSIONS) + 1) for some in combinations(EXPANSIONS, size)]


@lru_cache(maxsize=256)
def packed(rules: Ruleset, tower: TowerModel = USUAL):
    """The RULES record of a ruleset and a tower on the shipped board."""
    return pack_rules(BOARD, rules, tower)[0]


def switch_settings(bank=100):
    """The settings of each switch by its field, the default first; `bank` is a limited one."""
    hints = get_type_hints(Ruleset)
    return {switch.field: get_args(hints[switch.field]) or (0, bank) for switch in SWITCHES}


def other_settings(bank=100):
    """A setting of each switch other than its default, by its field."""
    return {name: values[1] for name, values in switch_settings(bank).items()}


def rulesets(**fixed):
    """Rulesets of the base game for 3 to 5 players with any setting of the switches, and now and then other amounts.

    A field may be given as a value or as a strategy.
    """
    choices = {
        "players": st.sampled_from((3, 4, 5)),
        **{name: st.sampled_from(values) for name, values in switch_settings().items() if name not in _OF_THE_ENGINE},
    }
    choices["amounts"] = st.one_of(st.just(()), st.just(()), amounts())
    known = {name: value if isinstance(value, st.SearchStrategy) else st.just(value) for name, value in fixed.items()}
    return st.builds(Ruleset, **{**choices, **known})


@st.composite
def amounts(draw):
    """Some of the amounts, anywhere within their bounds (N), but for starting Thalers, which a small bank forbids."""
    chosen = draw(st.lists(st.sampled_from([each for each in AMOUNTS if each.field]), max_size=12, unique=True))
    numbers = {amount.name: draw(st.integers(amount.low, amount.high)) for amount in chosen}
    return tuple(sorted((name, number) for name, number in numbers.items() if number != PRINTED[name]))


@st.composite
def tables(draw, **fixed):
    """Tables on which every limit of the components is met now and then."""
    rules = draw(rulesets(**fixed))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_table(rng, rules)


def big_box_tables(**fixed):
    """As `tables`, of both editions and with any of the three expansions; a field may be given as a strategy."""
    every = {"edition": st.sampled_from(("2e", "1e")), "expansions": st.sampled_from(SUBSETS)}
    return tables(**{**every, **fixed})


def tables_with(expansion: str, **fixed):
    """As `big_box_tables`, always with one of the expansions."""
    return big_box_tables(expansions=st.sampled_from([some for some in SUBSETS if expansion in some]), **fixed)


def random_table(rng: random.Random, rules: Ruleset) -> Table:
    """A table that keeps every rule about what may lie where (`Table.errors` is empty)."""
    table = Table.empty(BOARD, rules)
    table.event = rng.choice(EFFECTS)
    table.year = rng.randrange(2)
    neutral_share = rng.choice((0.1, 0.3, 0.7))
    markers, building = rng.choice((0.0, 0.4, 0.9)), rng.choice((0.0, 0.3, 0.95))
    wealth = rng.choice((3, 20))
    for name in table.land:
        if rng.random() >= neutral_share:
            _settle(rng, table, name, markers, building)
    tiles = rng.sample([*TILES], 5)
    for seat, player in table.players.items():
        player.thalers, player.grain = rng.randint(0, wealth), rng.randint(0, 18)
        player.points = rng.randint(0, 30)
        player.tile = tiles[seat] if rules.edition == "2e" and rng.random() < 0.8 else None  # V1: 1e has none
        player.lost = {name for name in table.land if rng.random() < 0.05}
    for colour in table.supply:
        _scatter(rng, table, colour)
    for expansion, lay_out in (("court", _hold_court), ("landsknechte", _turn_cards), ("leaders", _send_leaders)):
        if expansion in rules.expansions:
            lay_out(rng, table)
    assert table.errors() == []
    return table


def _settle(rng, table, name, markers, building):
    seat = rng.choice([*table.players])
    if table.supply[seat] < 6:
        return
    armies = rng.choice((1, 1, 2, 3, 4, 6))
    kinds = rng.sample(KINDS, table.sites(name))
    kinds = {kind for kind in kinds if rng.random() < building and table.stock(kind)}
    table.land[name] = County(seat, armies, 0, kinds)
    table.supply[seat] -= armies
    while table.markers_left and table.land[name].markers < 4 and rng.random() < markers:
        table.land[name].markers += 1
        table.markers_left -= 1


def _scatter(rng, table, colour):
    """Move cubes from the supply into tower and tray, now and then all of them; some more onto the board."""
    own = [] if colour == PEASANTS else table.counties_of(colour)
    left = rng.choice((0, 1, 2, 3, 5, 10, 20))
    while table.supply[colour] > left:
        table.supply[colour] -= 1
        place = rng.random()
        if own and place < 0.6:
            table.land[rng.choice(own)].armies += 1
        elif place < 0.9:
            table.tower[colour] += 1
        else:
            table.tray[colour] += 1


def _hold_court(rng, table):
    """Courtiers in the hall, favors of which some are taken, protections and kept cards (E)."""
    for player in table.players.values():
        player.hall = rng.randint(0, COURTIERS_IN_THE_BOX)
        player.parry = rng.choice((0, 0, 1))
    shown = table.amount("favors_shown")
    favors = sorted(rng.sample(range(1, 22), shown), reverse=True)
    table.favors = [favor if rng.random() < 0.8 else None for favor in favors] + [None] * (3 - shown)
    for action in table.truce:
        table.truce[action] = {seat for seat in table.players if rng.random() < 0.2}


def _turn_cards(rng, table):
    """Any Landsknechte card on top (L)."""
    for player in table.players.values():
        player.banner = rng.randint(1, 4)


def _send_leaders(rng, table):
    """Leaders in own counties or off the board, statues on the board and taken by others (M)."""
    for seat, player in table.players.items():
        own = table.counties_of(seat)
        if own and rng.random() < 0.8:
            player.leader = rng.choice(own)
    plenty = rng.choice((0.1, 0.5, 0.9))
    for seat, player in table.players.items():
        others = [other for number, other in table.players.items() if number != seat]
        led = {other.leader for other in others}
        free = [name for name in table.land if name not in led]
        while statues_in_hand(player) and rng.random() < plenty:
            if rng.random() < 0.3:
                player.statues_lost += 1
                rng.choice(others).trophies += 1
                continue
            name = player.leader if player.leader and rng.random() < 0.3 else rng.choice(free)
            if not player.statues[name] or table.rules.statues_a_county == "any":
                player.statues[name] += 1
