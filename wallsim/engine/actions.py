"""One county card on an action box: ask the policy where there is a choice, then carry out the action (B5)."""

from wallsim.engine import log as recorder
from wallsim.engine.plan_rows import before_action, write_outcome
from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.auction import list_agenda
from wallsim.mechanics.combat import attack, legal_targets, revolt
from wallsim.mechanics.economy import (
    build,
    collect_grain,
    collect_taxes,
    deploy,
    deploy_one,
    march,
    pay_deploy_one,
    place_marker,
    recruiting_modes,
)
from wallsim.policies import decide
from wallsim.rules.terms import (
    ACTION_CARDS,
    ATTACKER_WINS,
    BATTLE_NEUTRAL,
    BATTLE_PLAYER,
    BATTLE_REVOLT,
    COMBAT_A,
    COUNTY_LOST,
    DEFENDER_WINS,
    DEPLOY1,
    DEPLOY3,
    DEPLOY5,
    DONE,
    MARCH,
    NEUTRAL,
    NO_ARMIES,
    NO_FORCE,
    NO_MONEY,
    NO_TARGET,
    NOWHERE,
    PEASANTS,
    RECRUIT,
    STAYED,
    TAXES,
    TRADING_POST,
)
from wallsim.state import tally
from wallsim.state.game import is_live


@kernel
def choose_defenders(game, rules, players, county, attacker, attackers):
    """How many armies of a county fight: all, but in the first edition its owner chooses (B6.2, V5)."""
    owner = game.owner[county]
    if rules.first_edition and owner != NEUTRAL:
        return decide.choose_defend(game, rules, players.seat[owner], owner, county, attacker, attackers)
    return game.army[county]


@kernel
def collect(game, rules, players, seat, county, action, log):
    """Take grain or taxes; peasants revolt if markers lie there; a county that is held gets a marker (B5.4, B5.5)."""
    markers = game.marker[county]
    held = True
    if rules.income_first or markers == 0:
        _take_income(game, rules, seat, county, action)
    if markers > 0:
        peasants = rules.revolt_peasants * (markers + rules.own_marker_revolts)  # [A16]
        defenders = choose_defenders(game, rules, players, county, PEASANTS, peasants)
        held = revolt(game, rules, county, peasants, defenders)
        if log is not None:
            result = DEFENDER_WINS if held else ATTACKER_WINS
            recorder.log_battle(log, game, BATTLE_REVOLT, PEASANTS, seat, county, NOWHERE, result)
        if held and not rules.income_first:
            _take_income(game, rules, seat, county, action)
    if held:
        place_marker(game, seat, county)
    return DONE


@kernel
def _take_income(game, rules, seat, county, action):
    if action == TAXES:
        collect_taxes(game, rules, seat, county)
    else:
        collect_grain(game, rules, seat, county)


@kernel
def deploy_and_march(game, rules, players, seat, county):
    """Deploy one army, then move if the policy wants to (B5.7)."""
    outcome = deploy_one(game, rules, seat, county)
    if outcome == DONE:
        mind = players.seat[seat]
        mind.armies = 0
        decide.choose_move(game, rules, mind, seat, county)
        if mind.armies > 0:
            march(game, county, mind.target, mind.armies)
    return outcome


@kernel(apart=True)
def recruit_and_march(game, rules, players, seat, county):
    """In the first edition: recruit, move, or both, for the price of deploy 1 (V3)."""
    mind = players.seat[seat]
    mind.armies = 0
    if game.thalers[seat] < rules.deploy_price[DEPLOY1 - DEPLOY5]:
        return NO_MONEY
    modes = recruiting_modes(game, rules, seat, county)
    if modes == 0:
        return NO_ARMIES
    mode = decide.choose_recruit(game, rules, mind, seat, county, modes)
    if mode == MARCH:
        pay_deploy_one(game, rules, seat)
    else:
        deploy_one(game, rules, seat, county)
    if mode != RECRUIT:
        decide.choose_recruits_move(game, rules, mind, seat, county)
        march(game, county, mind.target, mind.armies)
    return DONE


@kernel
def attack_or_move(game, rules, players, seat, county, action, log):
    """Combat/movement A or B: move to an own county or fight (B5.8)."""
    if game.army[county] < 2:
        return NO_FORCE
    targets = legal_targets(game, rules, seat, county, action)
    if targets == 0:
        return NO_TARGET
    mind = players.seat[seat]
    mind.armies = 0
    decide.choose_attack(game, rules, mind, seat, county, targets)
    if mind.armies < 1:
        if not rules.combat_must:
            return STAYED
        force_move(game, mind, seat, targets)
    move_armies(game, rules, players, seat, county, mind.target, mind.armies, log)
    return DONE


@kernel
def move_armies(game, rules, players, seat, county, target, armies, log):
    """Move so many armies to a county next to `county`: one's own, or there is a battle (B5.8)."""
    owner = game.owner[target]
    if owner == seat:
        march(game, county, target, armies)
        return
    defenders = choose_defenders(game, rules, players, target, seat, armies)
    result = attack(game, rules, seat, county, target, armies, defenders)
    if log is not None:
        kind = BATTLE_NEUTRAL if owner == NEUTRAL else BATTLE_PLAYER
        recorder.log_battle(log, game, kind, seat, owner, target, county, result)


@kernel(apart=True)
def force_move(game, mind, seat, targets):
    """Decide for a custom policy that stayed where it must move (B5.8 [A7]): write `mind.target` and `mind.armies`.

    One army goes to the seat's own county of the mask that comes first in `counties.csv`; if there is none, it attacks
    the county with the fewest armies, the first of equals.
    """
    own = targets & game.land[seat]
    target = lowest_bit(own if own != 0 else targets)
    if own == 0:
        left = targets
        while left != 0:
            county = lowest_bit(left)
            left &= left - 1
            target = county if game.army[county] < game.army[target] else target
    mind.target = target
    mind.armies = 1
    game.tally[seat, tally.FORCED_MOVES] += 1


@kernel
def act(game, rules, players, seat, action, county, log):
    """Resolve one county card; returns the outcome."""
    if not is_live(game, seat, county):
        return COUNTY_LOST
    if action <= TRADING_POST:
        return build(game, rules, seat, county, action)
    if action <= TAXES:
        return collect(game, rules, players, seat, county, action, log)
    if action <= DEPLOY3:
        return deploy(game, rules, seat, county, action)
    if action == DEPLOY1:
        if rules.first_edition:
            return recruit_and_march(game, rules, players, seat, county)
        return deploy_and_march(game, rules, players, seat, county)
    return attack_or_move(game, rules, players, seat, county, action, log)


@kernel
def combats_are_over(game):
    """Whether both combat cards of the round lie before the one that is carried out now (B2.6)."""
    combats = 0
    for position in range(game.actions_done, ACTION_CARDS):
        combats += game.action_order[position] >= COMBAT_A
    return combats == 0


@kernel
def perform_action(game, rules, players, entry, log, plans):
    """Carry out an entry of the agenda; `plans` as for `perform_actions`."""
    game.actions_done = game.agenda[entry, 0]
    action = game.action_order[game.actions_done]
    seat = game.agenda[entry, 1]
    county = game.agenda[entry, 2]
    if log is not None:
        recorder.remember(log, game)
    deployed = game.tally[seat, tally.ARMIES_DEPLOYED]
    before = before_action(game, seat, plans) if plans is not None else (0, 0, 0)
    outcome = act(game, rules, players, seat, action, county, log)
    game.tally[seat, tally.DONE + action if outcome == DONE else tally.SKIPPED] += 1
    if outcome == NO_MONEY:
        game.tally[seat, tally.SKIPPED_MONEY] += 1
    deployed = game.tally[seat, tally.ARMIES_DEPLOYED] - deployed
    if deployed > 0 and combats_are_over(game):
        game.tally[seat, tally.ARMIES_BEHIND_COMBATS] += deployed
    if plans is not None:
        write_outcome(game, players.seat[seat], seat, action, outcome, before, plans)
    if log is not None:
        recorder.log_action(log, game, players.seat[seat], seat, action, county, outcome)
        recorder.log_lost_leaders(log, game, rules)


@kernel
def perform_actions(game, rules, players, log, plans):
    """The ten actions in card order, each by every player in player order (B2.6).

    `plans` is None or the round's rows of the table plans, begun by `write_plans`; it may have no rows.
    """
    for entry in range(list_agenda(game, rules)):
        perform_action(game, rules, players, entry, log, plans)
    game.actions_done = ACTION_CARDS
