"""Battles and revolts through the tower (B6). Every cube is accounted for; the outcome is read from the tray."""

from wallsim.jit import kernel
from wallsim.mechanics.tower import cast
from wallsim.rules.terms import (
    ATTACKER_WINS,
    CHURCH,
    CHURCH_PEACE,
    DEFENDER_WINS,
    NEUTRAL,
    NEUTRAL_GUARD,
    PALACE,
    PALACE_GUARD,
    PEASANTS,
    TIE,
    TILE_ATTACK,
    TILE_DEFENCE,
)
from wallsim.state import tally
from wallsim.state.land import hand_over, has_building, raze


@kernel
def legal_targets(game, rules, seat, origin):
    """The mask of adjacent counties in play that a seat may move to or attack from `origin` (B5.8, B5.9)."""
    targets = rules.neighbours[origin]
    if game.effect == CHURCH_PEACE:
        targets &= game.land[seat] | ~game.built[CHURCH]
    return targets


@kernel
def _call_peasants(game, rules, wanted):
    """Take peasants from the common supply, as far as it has them or, by [A8], all or none (B6.3, B6.4)."""
    called = min(wanted, game.supply[PEASANTS])
    if called < wanted and rules.peasants_all_or_none:
        called = 0
    game.supply[PEASANTS] -= called
    return called


@kernel
def _clear_engaged(game):
    for colour in range(len(game.engaged)):
        game.engaged[colour] = 0


@kernel
def _send_home(game, colour, stay):
    """Move a colour's cubes from the tray to its supply, all but `stay`, which the caller puts on the board."""
    home = game.tray[colour] - stay
    game.supply[colour] += home
    game.tray[colour] = 0
    return home


@kernel
def attack(game, rules, seat, origin, target, armies):
    """Attack `target` with armies from `origin` (B6.1 to B6.9); returns ATTACKER_WINS, DEFENDER_WINS or TIE."""
    defender = game.owner[target]
    on_player = defender != NEUTRAL
    _clear_engaged(game)
    game.army[origin] -= armies
    helper = 1 if game.tile[seat] == TILE_ATTACK and game.supply[seat] > 0 else 0  # B4.4, B4.6
    game.supply[seat] -= helper
    game.engaged[seat] = armies + helper
    if on_player:
        game.engaged[defender] = game.army[target] + _call_guards(game, defender, target)
        game.army[target] = 0
    else:
        game.engaged[PEASANTS] = _call_peasants(game, rules, 2 if game.effect == NEUTRAL_GUARD else 1)
    cast(game, rules)

    attackers = game.tray[seat]
    own = game.tray[defender] if on_player else 0
    allied = game.tray[PEASANTS] if game.marker[target] == 0 else 0  # B6.6; neutral counties have no markers
    balance = attackers - own - allied
    if balance > 0:
        result, survivors = ATTACKER_WINS, balance
    elif balance < 0 and (own > 0 or not on_player):
        result, survivors = DEFENDER_WINS, min(own, -balance)
    else:
        result, survivors = TIE, 0  # B6.9, and B6.8 where only peasants defended

    game.survivors = survivors
    game.supply[PEASANTS] += allied
    game.tray[PEASANTS] -= allied
    won = result == ATTACKER_WINS
    game.tally[seat, tally.ARMIES_FALLEN] += _send_home(game, seat, survivors if won else 0)
    if on_player:
        game.tally[defender, tally.ARMIES_FALLEN] += _send_home(game, defender, 0 if won else survivors)
    if won:
        game.army[target] = survivors
        hand_over(game, target, seat)
    elif result == DEFENDER_WINS:
        game.army[target] = survivors
    elif on_player:
        raze(game, target)
    _count_attack(game, seat, defender, result)
    return result


@kernel
def _call_guards(game, defender, target):
    """Extra defenders from the supply, as far as it goes: defence tile and the event `palace_guard` (B4.4, B6.2)."""
    wanted = 1 if game.tile[defender] == TILE_DEFENCE else 0
    if game.effect == PALACE_GUARD and has_building(game, target, PALACE):
        wanted += 1
    guards = min(wanted, game.supply[defender])
    game.supply[defender] -= guards
    return guards


@kernel
def _count_attack(game, seat, defender, result):
    won = result == ATTACKER_WINS
    game.tally[seat, tally.ATTACKS] += 1
    game.tally[seat, tally.ATTACKS_WON] += won
    game.tally[seat, tally.ATTACKS_TIED] += result == TIE
    if defender != NEUTRAL:
        game.tally[seat, tally.ATTACKS_ON_PLAYERS] += 1
        game.tally[seat, tally.ATTACKS_ON_PLAYERS_WON] += won
        game.tally[defender, tally.TIMES_ATTACKED] += 1
        game.tally[defender, tally.TIMES_ATTACKED_LOST] += result != DEFENDER_WINS


@kernel
def revolt(game, rules, county, peasants):
    """Peasants rise in a player's county (B6.4, B6.10); returns True if its owner holds it."""
    seat = game.owner[county]
    _clear_engaged(game)
    game.engaged[seat] = game.army[county]
    game.army[county] = 0
    game.engaged[PEASANTS] = _call_peasants(game, rules, peasants)
    cast(game, rules)

    survivors = max(0, game.tray[seat] - game.tray[PEASANTS])
    game.survivors = survivors
    _send_home(game, PEASANTS, 0)
    game.tally[seat, tally.ARMIES_FALLEN] += _send_home(game, seat, survivors)
    game.tally[seat, tally.REVOLTS] += 1
    if survivors > 0:
        game.army[county] = survivors
        return True
    game.tally[seat, tally.REVOLTS_LOST] += 1
    raze(game, county)
    return False
