"""Which court boxes to fill, and with what: the worth of courtiers against the armies and cubes they cost (E3, E4).

A petition is a set of the boxes 3, 2 and 1 on which a county or a dice-tower card is to lie, as a mask of box numbers
counted from the box 3.
"""

from wallsim.jit import kernel
from wallsim.mechanics.court import courtiers_of
from wallsim.policies.balanced.favors import appraise_favors, expect_audience
from wallsim.policies.balanced.moves import exposure
from wallsim.policies.weights import ARMY, TRAY
from wallsim.rules.terms import COURT_3, COURTIERS, MONEY_CARDS, SHOWN_FAVORS

COURT_BOXES = SHOWN_FAVORS
PETITIONS = 1 << COURT_BOXES
COURT_SET = 1e3  # added to a card that fulfils a petition: above any sum of worths
_GONE = 0.3  # share of an army's worth that is lost when it goes to the supply
_NEVER = -1e6
_OUT_OF_REACH = 1e6


@kernel
def appraise_petitions(game, rules, mind, seat, counties):
    """Note what coming to the audience is worth by courtiers, and what a county's armies cost on each court box."""
    appraise_favors(game, rules, mind, seat)
    for courtiers in range(COURTIERS + 1):
        mind.audience_worth[courtiers] = expect_audience(game, rules, mind, seat, courtiers)
    for index in range(COURT_BOXES):
        amount = courtiers_of(COURT_3 + index)
        for column in range(counties):
            county = mind.hand[column]
            kept = game.army[county] - amount
            cost = _OUT_OF_REACH
            if kept >= 1:
                cost = _GONE * amount * mind.weight[ARMY] + exposure(game, rules, mind, seat, county, kept)
            mind.petition_cost[index, column] = cost


@kernel
def _courtiers_sent(petition):
    """The courtiers of all boxes of a petition, 0 to 6."""
    sent = 0
    for index in range(COURT_BOXES):
        sent += courtiers_of(COURT_3 + index) * ((petition >> index) & 1)
    return sent


@kernel
def gain_of(game, mind, seat, petition):
    """What the courtiers of a petition add to the worth of the audience."""
    hall = game.hall[seat]
    return mind.audience_worth[min(COURTIERS, hall + _courtiers_sent(petition))] - mind.audience_worth[hall]


@kernel
def _boxes_by_tower(game, seat, petition):
    """The boxes of a petition on which dice-tower cards may lie: the tray has cubes for all of them (E4)."""
    chosen, most = 0, 0
    for boxes in range(PETITIONS):
        cubes = _courtiers_sent(boxes)
        if boxes & ~petition == 0 and most < cubes <= game.tray[seat]:
            chosen, most = boxes, cubes
    return chosen


@kernel
def _cube_cost(mind):
    return mind.weight[TRAY] * mind.weight[ARMY]


@kernel
def is_hopeless(game, mind, seat, petition, counties, lead):
    """Whether a petition cannot make a plan better than the best so far, which leads the plan without any by `lead`."""
    if game.hall[seat] + _courtiers_sent(petition) > COURTIERS:
        return True
    by_tower = _boxes_by_tower(game, seat, petition)
    least = 0.0
    for index in range(COURT_BOXES):
        if (petition >> index) & 1:
            cheapest = _OUT_OF_REACH
            if (by_tower >> index) & 1:
                cheapest = _cube_cost(mind) * courtiers_of(COURT_3 + index)
            for column in range(counties):
                cheapest = min(cheapest, mind.petition_cost[index, column])
            least += cheapest
    return gain_of(game, mind, seat, petition) - least <= lead


@kernel
def price_court_boxes(game, mind, seat, petition, counties, cards, columns, no_bid):
    """Write the worths of all cards on the court boxes: what fulfils the petition counts as much as `COURT_SET`.

    On a box of no petition a county whose armies would go all the same costs them; others pass there (E3).
    """
    by_tower = _boxes_by_tower(game, seat, petition)
    for index in range(COURT_BOXES):
        box = COURT_3 + index
        chosen, tower = (petition >> index) & 1, (by_tower >> index) & 1
        amount = courtiers_of(box)
        for column in range(counties):
            cost = mind.petition_cost[index, column]
            able = cost < _OUT_OF_REACH
            mind.value[box, column] = (COURT_SET * chosen - cost) if able else 0.0
        for column in range(counties, counties + MONEY_CARDS):
            mind.value[box, column] = 0.0
        for column in range(counties + MONEY_CARDS, cards):
            passes = game.tray[seat] < amount and not chosen
            mind.value[box, column] = 0.0 if passes else _NEVER
            if tower:
                mind.value[box, column] = COURT_SET - amount * _cube_cost(mind)
        for column in range(cards, columns):
            mind.value[box, column] = 0.0
        if no_bid:
            mind.value[box, cards] = _NEVER  # the column of the auction that stays empty
