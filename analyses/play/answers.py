"""Answers of a seat that follows a tip: what it plans, which counties it attacks, and which it claims in a draft.

`statue` in eighths is the tip of a round, 0 for none. No game without leaders reads that weight, so it changes nothing
else. An answer binds whatever weights or a correction say: what it forbids is done only where the rules leave nothing
else (B5.8).
"""

from typing import Any

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.combat import legal_targets
from wallsim.mechanics.economy import site_outcome
from wallsim.mechanics.winter import points_with_board
from wallsim.policies.balanced.attacks import choose_attack
from wallsim.policies.balanced.draft import choose_claim
from wallsim.policies.balanced.mat import fill_mat
from wallsim.policies.balanced.moves import best_attack, best_march, exposure
from wallsim.policies.balanced.targets import look_at_targets
from wallsim.policies.odds import chance_on_page, look_into_tower
from wallsim.policies.weights import ATTACK, HOME, MARCHING, STATUE
from wallsim.rules.terms import (
    AUCTION,
    BUILDINGS,
    COMBAT_A,
    COMBAT_B,
    DONE,
    MONEY,
    MONEY_CARDS,
    NEUTRAL,
    NOWHERE,
    REGIONS,
)

NO_BID, NO_RIVALS, NO_NEUTRALS, NO_ATTACKS, SAFE, NO_MIDDLE, LEADER, REGION, BUILD_TWO, BUILD_ALL, BUILD_NONE = range(
    1, 12
)  # tips
SCALE = 8  # of the weight that says which
MIDDLE = 6  # a county with so many neighbours lies in the middle
_SAFE = 0.9  # the chance of a safe attack with all armies, at least
_HATE = 3.0  # how many times as much counts what is taken from the leader
_GAIN = 20.0  # VP of a building that the tip asks for: more than anything else of a round
_NEVER = -1e3
_NOBODY = -1


def plan(game: Any, rules: Any, mind: Any, seat: int) -> None:
    """The plan of the weights, filled again where the tip changes what cards are worth on boxes."""
    tip, counties = int(SCALE * mind.weight[STATUE]), count_bits(game.land[seat])
    changed = False
    if tip == NO_BID:
        bid_nothing(rules, mind)
    elif tip >= BUILD_TWO:
        changed = build_so_many(game, rules, mind, counties, 2 if tip == BUILD_TWO else 3 * (tip == BUILD_ALL))
    elif tip != 0:
        if tip == LEADER:
            leader = leader_of(game, rules, mind, seat)
            if leader != _NOBODY:
                mind.regard[leader] *= _HATE
        elif tip == REGION:
            changed = build_at_home(game, rules, mind, seat, counties)
        for column in range(counties):
            changed |= weigh_combat(game, rules, mind, seat, column, tip)
    if changed:
        fill_mat(game, rules, mind, seat, counties + MONEY_CARDS)


def attack(game: Any, rules: Any, mind: Any, seat: int, county: int, targets: int) -> None:
    """The choice of weights or correction among the targets that the tip leaves; among all where it leaves none."""
    left = allowed(game, rules, mind, seat, county, targets, int(SCALE * mind.weight[STATUE]))
    if left == 0 and rules.combat_must == 0:
        mind.target, mind.armies = NOWHERE, 0
    else:
        choose_attack(game, rules, mind, seat, county, left if left != 0 else targets)


def claim(game: Any, rules: Any, mind: Any, seat: int) -> int:
    """The claim of the weights; the other open card in place of one in the middle that the tip avoids."""
    choice = choose_claim(game, rules, mind, seat)
    if int(SCALE * mind.weight[STATUE]) != NO_MIDDLE or choice > 1:
        return int(choice)
    avoided = in_middle(rules, game.open_card[choice]) and not in_middle(rules, game.open_card[1 - choice])
    return int(1 - choice if avoided else choice)


@kernel
def in_middle(rules: Any, county: int) -> bool:
    """Whether a county has many neighbours in play."""
    return bool(rules.neighbour_count[county] >= MIDDLE)


@kernel
def bid_nothing(rules: Any, mind: Any) -> None:
    """Exchange a bid of Thalers with the card 0, wherever that lies."""
    bid = mind.plan[AUCTION]
    if MONEY < bid < MONEY + MONEY_CARDS:
        for box in range(rules.boxes):
            if mind.plan[box] == MONEY:
                mind.plan[box] = bid
        mind.plan[AUCTION] = MONEY


@kernel
def build_so_many(game: Any, rules: Any, mind: Any, counties: int, wanted: int) -> bool:
    """Make so many kinds of building worth most, those that promise most, and keep counties off the other boxes."""
    first, second = promise(game, rules, mind, counties, 0), promise(game, rules, mind, counties, 1)
    promises = first, second, promise(game, rules, mind, counties, 2)
    for kind in range(len(BUILDINGS)):
        better = 0
        for other in range(len(BUILDINGS)):
            ahead = promises[other] - promises[kind]
            better += ahead > 0.0 or (ahead == 0.0 and other < kind)
        for column in range(counties):
            if site_outcome(game, rules, mind.hand[column], kind) == DONE:
                mind.value[column, kind] += _GAIN if better < wanted else _NEVER
    return True


@kernel
def promise(game: Any, rules: Any, mind: Any, counties: int, kind: int) -> float:
    """The most that a building of a kind is worth in a county where it can stand."""
    most = _NEVER
    for column in range(counties):
        if site_outcome(game, rules, mind.hand[column], kind) == DONE:
            most = max(most, mind.value[column, kind])
    return float(most)


@kernel
def home_of(game: Any, rules: Any, seat: int) -> int:
    """The region with most own counties, the first of equals."""
    home, most = 0, 0
    for region in range(REGIONS):
        own = count_bits(game.land[seat] & rules.region_counties[region])
        if own > most:
            home, most = region, own
    return home


@kernel
def build_at_home(game: Any, rules: Any, mind: Any, seat: int, counties: int) -> bool:
    """Make buildings outside of the seat's region worthless; returns whether there are any."""
    home, changed = home_of(game, rules, seat), False
    for column in range(counties):
        if rules.region[mind.hand[column]] != home:
            for kind in range(len(BUILDINGS)):
                if site_outcome(game, rules, mind.hand[column], kind) == DONE:
                    mind.value[column, kind], changed = _NEVER, True
    return changed


@kernel
def leader_of(game: Any, rules: Any, mind: Any, seat: int) -> int:
    """The seat with most points if winter came now (B7.4), the first of equals; nobody if none has more than this."""
    points_with_board(game, rules, mind.board_points)
    leader = seat
    for other in range(rules.players):
        if mind.board_points[other] > mind.board_points[leader]:
            leader = other
    return _NOBODY if leader == seat else leader


@kernel
def allowed(game: Any, rules: Any, mind: Any, seat: int, county: int, targets: int, tip: int) -> int:
    """The mask of those targets to which the tip lets the armies of a county go, own counties always."""
    own, others = targets & game.land[seat], targets & ~game.land[seat]
    if tip == NO_ATTACKS:
        others = 0
    elif tip == NO_RIVALS:
        others &= game.land[NEUTRAL]
    elif tip == NO_NEUTRALS:
        others &= ~game.land[NEUTRAL]
    elif tip in (SAFE, NO_MIDDLE):
        others = sifted(game, rules, mind, seat, county, others, tip)
    elif tip == LEADER:
        leader = leader_of(game, rules, mind, seat)
        if leader != _NOBODY and others & game.land[leader] != 0:
            return int(others & game.land[leader])
    elif tip == REGION:
        home = others & rules.region_counties[home_of(game, rules, seat)]
        others = home if home != 0 else others
    return int(own | others)


@kernel
def sifted(game: Any, rules: Any, mind: Any, seat: int, county: int, targets: int, tip: int) -> int:
    """The targets outside of the middle, or those that all armies but one are likely to win."""
    kept = 0
    if tip == SAFE:
        look_into_tower(game, rules, mind)
        look_at_targets(game, rules, mind, seat, targets)
    while targets != 0:
        other = lowest_bit(targets)
        targets &= targets - 1
        if tip == SAFE:
            thrown = game.tray[seat] + game.army[county] - 1 + mind.helpers[seat]
            foes, held = mind.foes_thrown[other], mind.foes_inside[other]
            fits = chance_on_page(game, rules, mind.attack_page[other], seat, thrown, foes, held) >= _SAFE
        else:
            fits = not in_middle(rules, other)
        kept |= fits << other
    return kept


@kernel
def weigh_combat(game: Any, rules: Any, mind: Any, seat: int, column: int, tip: int) -> bool:
    """Judge anew what a county's armies can do on the boxes of combat; returns whether that differs.

    Only the difference changes, so that what a correction or an error has added stays. Armies that could go nowhere
    else than to what the tip forbids are kept off these boxes.
    """
    county = mind.hand[column]
    if game.army[county] < 2:
        return False
    targets = legal_targets(game, rules, seat, county, COMBAT_A)
    left = allowed(game, rules, mind, seat, county, targets, tip)
    if left == targets and tip != LEADER:
        return False
    change = -worth_of_combat(game, rules, mind, seat, county, targets)
    if tip == LEADER:
        look_at_targets(game, rules, mind, seat, targets)
    change += worth_of_combat(game, rules, mind, seat, county, left)
    for box in range(COMBAT_A, COMBAT_B + 1):
        mind.value[column, box] += _NEVER if left == 0 else change * mind.earlier[box - COMBAT_A]
    return bool(left == 0 or change != 0.0)


@kernel
def worth_of_combat(game: Any, rules: Any, mind: Any, seat: int, county: int, targets: int) -> float:
    """The worth of the better of an attack on one of the targets and a march, as the planner's; notes the target."""
    armies = game.army[county] - 1
    left = exposure(game, rules, mind, seat, county, 1)
    march = mind.weight[MARCHING] * max(0.0, best_march(game, rules, mind, seat, county, armies, True) - left)
    attack = max(0.0, best_attack(game, rules, mind, seat, armies, targets))
    mind.aim[county] = mind.target
    return float(max(mind.weight[ATTACK] * max(0.0, attack - mind.weight[HOME] * left), march))
