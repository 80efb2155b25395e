"""Battles and revolts through the tower (B6): no cube is lost, and the cubes in the tray decide."""

from wallsim.jit import kernel
from wallsim.mechanics.tower import cast
from wallsim.rules.terms import (
    ATTACKER_WINS,
    CHURCH,
    CHURCH_PEACE,
    COMBAT_A,
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
from wallsim.state.game import hand_over, has_building, peasants_are_loyal, raze


@kernel
def legal_targets(game, rules, seat, origin, action):
    """The mask of adjacent counties that a seat may move to or attack from `origin` by combat A or B (B5.8, B5.9)."""
    targets = rules.neighbours[origin]
    if game.effect == CHURCH_PEACE:
        targets &= game.land[seat] | ~game.built[CHURCH]
    if game.truce[action - COMBAT_A] != 0:
        targets &= ~_under_truce(game, rules, seat, game.truce[action - COMBAT_A])
    return targets


@kernel(apart=True)
def _under_truce(game, rules, seat, protected):
    """The mask of other seats' counties that a favor protects (E6)."""
    counties = 0
    for other in range(rules.players):
        if other != seat and (protected >> other) & 1:
            counties |= game.land[other]
    return counties


@kernel
def _call_peasants(game, rules, needed):
    """Take peasants from the common supply, as far as it has them or, by [A8], all or none (B6.3, B6.4)."""
    called = min(needed, game.supply[PEASANTS])
    if called < needed and rules.peasants_all_or_none:
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
def attack(game, rules, seat, origin, target, armies, defenders):
    """Attack `target` with armies from `origin` (B6.1 to B6.9); returns ATTACKER_WINS, DEFENDER_WINS or TIE.

    `defenders` of a player's armies there fight: all of them, except in the first edition, where the others stand aside
    and are lost with the county (V5).
    """
    defender = game.owner[target]
    on_player = defender != NEUTRAL
    _clear_engaged(game)
    game.army[origin] -= armies
    helpers = min(rules.tile_attack_armies, game.supply[seat]) if game.tile[seat] == TILE_ATTACK else 0  # B4.4, B4.6
    game.supply[seat] -= helpers
    game.engaged[seat] = armies + helpers
    if on_player:
        game.engaged[defender] = defenders + _call_guards(game, rules, defender, target)
        game.army[target] -= defenders
    else:
        guarded = game.effect == NEUTRAL_GUARD
        needed = rules.event_neutral_guard_peasants if guarded else rules.neutral_peasants
        game.engaged[PEASANTS] = _call_peasants(game, rules, needed)
    cast(game, rules)

    attackers = game.tray[seat]
    own = game.tray[defender] if on_player else 0
    allied = game.tray[PEASANTS] if peasants_are_loyal(game, rules, target) else 0
    balance = attackers - own - allied
    if balance > 0:
        result, survivors = ATTACKER_WINS, balance
    elif balance < 0 and (own > 0 or not on_player or (rules.stood_aside_count and game.army[target] > 0)):  # [A13]
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
        if result != DEFENDER_WINS:
            _dismiss(game, defender, target)
    if won or on_player:
        game.army[target] += survivors
    if won:
        hand_over(game, target, seat)
    elif on_player and result == TIE:
        raze(game, target)
    _count_attack(game, seat, defender, result)
    return result


@kernel
def _dismiss(game, seat, county):
    """Armies that stood aside go to the supply when their county is lost (V5); in the second edition there are none."""
    game.supply[seat] += game.army[county]
    game.army[county] = 0


@kernel
def _call_guards(game, rules, defender, target):
    """Take extra defenders from the supply, as far as it has them: defence tile, event `palace_guard` (B4.4, B6.2)."""
    guards = rules.tile_defence_armies if game.tile[defender] == TILE_DEFENCE else 0
    if _has_guard(game, target):
        guards += rules.event_palace_guard_armies
    guards = min(guards, game.supply[defender])
    game.supply[defender] -= guards
    return guards


@kernel
def _has_guard(game, county):
    """Whether the event `palace_guard` holds and the county has a palace (B6.2)."""
    return game.effect == PALACE_GUARD and has_building(game, county, PALACE)


@kernel
def _count_attack(game, seat, defender, result):
    won = result == ATTACKER_WINS
    game.tally[seat, tally.ATTACKS] += 1
    game.tally[seat, tally.ATTACKS_WON] += won
    game.tally[seat, tally.ATTACKS_TIED] += result == TIE
    if defender != NEUTRAL:
        game.tally[seat, tally.ATTACKS_ON_PLAYERS] += 1
        game.tally[seat, tally.ATTACKS_ON_SEAT + defender] += 1
        game.tally[seat, tally.ATTACKS_ON_PLAYERS_WON] += won
        game.tally[defender, tally.TIMES_ATTACKED] += 1
        game.tally[defender, tally.TIMES_ATTACKED_LOST] += result != DEFENDER_WINS


@kernel
def revolt(game, rules, county, peasants, defenders):
    """Peasants revolt in a player's county (B6.4, B6.10); returns True if its owner holds it.

    `defenders` fight: all its armies, except in the first edition (V5); by [A15] the palace event's army joins them.
    """
    seat = game.owner[county]
    _clear_engaged(game)
    guard = 0
    if rules.palace_guard_in_revolts and _has_guard(game, county):  # [A15]
        guard = min(rules.event_palace_guard_armies, game.supply[seat])
        game.supply[seat] -= guard
    game.engaged[seat] = defenders + guard
    game.army[county] -= defenders
    game.engaged[PEASANTS] = _call_peasants(game, rules, peasants)
    cast(game, rules)

    survivors = max(0, game.tray[seat] - game.tray[PEASANTS])
    game.survivors = survivors
    _send_home(game, PEASANTS, 0)
    game.tally[seat, tally.ARMIES_FALLEN] += _send_home(game, seat, survivors)
    game.tally[seat, tally.REVOLTS] += 1
    if survivors > 0:
        game.army[county] += survivors
        return True
    game.tally[seat, tally.REVOLTS_LOST] += 1
    _dismiss(game, seat, county)
    raze(game, county)
    return False
