"""The kernels that write the rows of the table plans while a round is played.

A log would say all of it, too, but keeping one doubles the time of a game. So `write_plans` begins the rows of a round
when its order is settled, and `write_outcome` fills in each county card once it is carried out.
"""

from wallsim.engine.columns import CARDS, COMBATS, PLAN_COLUMNS, places_of
from wallsim.jit import kernel
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    COMBAT_A,
    COUNTIES,
    DEPLOY1,
    DONE,
    GRAIN,
    MONEY,
    NO_CARD,
    NOWHERE,
    SHOWN_ACTIONS,
    TAXES,
    TOWER_CARD,
)
from wallsim.state import tally

_ROW = places_of(PLAN_COLUMNS)
_BLANK, _TOWER = COUNTIES + CARDS.index("blank"), COUNTIES + CARDS.index("tower")
_MOVED, _WON, _LOST = map(COMBATS.index, ("moved", "won", "lost"))
_NONE = -1
assert COUNTIES == MONEY  # names of cards are numbered like the cards
assert _TOWER == TOWER_CARD


@kernel
def _name_of(rules, card):
    """The number of a card among the names of cards; the first edition's blank cards are all alike (V1)."""
    return _BLANK if rules.first_edition and MONEY <= card < TOWER_CARD else card


@kernel(apart=True)
def write_plans(game, rules, rows):
    """Begin the rows of a round, one per seat, with all that is settled before the actions; none if there are none."""
    if rows.shape[0] == 0:
        return
    for seat in range(rules.players):
        row = rows[seat]
        row[_ROW.game] = 0
        row[_ROW.year], row[_ROW.season] = game.year + 1, game.season
        row[_ROW.seat] = row[_ROW.lineup] = row[_ROW.policy] = seat
        row[_ROW.event] = game.event
        row[_ROW.choosing_place], row[_ROW.place] = 0, game.place[seat] + 1
        for place in range(SHOWN_ACTIONS):
            row[_ROW.order_1 + place] = game.action_order[place]
        for box in range(ACTION_CARDS):
            row[_ROW.palace_card + box] = _name_of(rules, game.card[seat, box])
        row[_ROW.auction_card] = NO_CARD if rules.first_edition else game.card[seat, AUCTION]
        row[_ROW.palace_outcome : _ROW.palace_paid] = _NONE
        row[_ROW.palace_paid : _ROW.deploy1_target] = 0
        row[_ROW.deploy1_target : _ROW.deploy1_moved] = NOWHERE
        row[_ROW.deploy1_moved : _ROW.combat_a_result] = 0
        row[_ROW.combat_a_result :] = _NONE
    if not rules.first_edition:
        for turn in range(rules.players):
            rows[game.pick[turn], _ROW.choosing_place] = turn + 1


@kernel
def _collected_by(game, seat):
    """The grain and Thalers that a seat has collected in the game so far (B5.4, B5.5)."""
    return game.tally[seat, tally.GRAIN_GAINED] + game.tally[seat, tally.TAXES_GAINED]


@kernel
def before_action(game, seat, rows):
    """What a seat had before a county card: Thalers, collections and attacks so far; 0 where there are no rows."""
    if rows.shape[0] == 0:
        return 0, 0, 0
    return game.thalers[seat], _collected_by(game, seat), game.tally[seat, tally.ATTACKS]


@kernel
def write_outcome(game, mind, seat, action, outcome, before, rows):
    """Enter what became of a county card; `before` is what `before_action` returned."""
    if rows.shape[0] > 0:
        _write_outcome(game, mind, seat, action, outcome, before, rows[seat])


@kernel(apart=True)
def _write_outcome(game, mind, seat, action, outcome, before, row):
    thalers, collected, attacks = before
    row[_ROW.palace_outcome + action] = outcome
    if action in (GRAIN, TAXES):
        row[_ROW.palace_paid + action] = _collected_by(game, seat) - collected
    elif action <= DEPLOY1:
        row[_ROW.palace_paid + action] = max(0, thalers - game.thalers[seat])
    if outcome == DONE and action >= DEPLOY1 and mind.armies > 0:
        row[_ROW.deploy1_target + action - DEPLOY1] = mind.target
        row[_ROW.deploy1_moved + action - DEPLOY1] = mind.armies
        if action >= COMBAT_A:
            result = _WON if game.owner[mind.target] == seat else _LOST
            row[_ROW.combat_a_result + action - COMBAT_A] = (
                result if game.tally[seat, tally.ATTACKS] > attacks else _MOVED
            )
