"""PLAYERS: who sits where. Each seat has a MIND: its kind of policy, weights, answers and notes.

Policies look at the table and answer; they never change it. Notes made while planning may be read until the next
plan, so that a round's later decisions need not look at everything again.
"""

from typing import Any

import numpy as np

from wallsim.policies.correction import attack_features as attacks
from wallsim.policies.correction.features import COUNTY_FEATURES, MAX_UNITS, OUTPUTS, TABLE_FEATURES
from wallsim.policies.kinds import BALANCED as BALANCED
from wallsim.policies.kinds import MAX_WIDTH as MAX_WIDTH
from wallsim.policies.kinds import RANDOM as RANDOM
from wallsim.policies.questions import QUESTIONS
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import (
    ACTION_CARDS,
    BOXES,
    COLOURS,
    COUNTIES,
    COUNTY_LANES,
    COURTIERS,
    EFFECTS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    REGIONS,
    ROUNDS,
    SHOWN_FAVORS,
)

GUARDS = 5
NUMBER_GUARD, MEMBER_GUARD, MARCH_GUARD, REVOLTS_GUARD, PLAN_GUARD = range(GUARDS)
# The settings of a search, as `search.py` explains them (width 0: no search); spread, error, margin and patience
# in thousandths.
SEARCH_NUMBERS = 12
(
    SEARCH_WIDTH,
    SEARCH_PLAYOUTS,
    SEARCH_TABLES,
    SEARCH_EXCHANGES,
    SEARCH_DEPTH,
    SEARCH_RIVALS,
    SEARCH_SPREAD,
    SEARCH_ERROR,
    SEARCH_MARGIN,
    SEARCH_FIRST_LOOK,
    SEARCH_PATIENCE,
    SEARCH_CASTS,
) = range(SEARCH_NUMBERS)
TRIED_PLANS = 8  # among which a policy with a temperature chooses
PAYMENTS = 6  # boxes of a mat that cost Thalers
COLUMNS = 64  # every card a player can hold, boxes that stay empty, and padding
LANES = 16  # the boxes and the hand, padded to whole vectors

MIND = np.dtype(
    (
        np.record,
        [
            ("kind", np.int64),
            ("weight", np.float64, (len(WEIGHTS),)),  # of the round in play
            ("phase_weight", np.float64, (ROUNDS, len(WEIGHTS))),
            ("county_worth", np.float64, (MAX_PLAYERS - MIN_PLAYERS + 1, COUNTIES)),  # in a draft, by number of players
            # custom policies (`questions.py`)
            ("custom", np.int64),  # 1 if any question has an address
            ("custom_answer", np.int64, (len(QUESTIONS),)),  # address of the answer, 0 for that of the weights
            ("guard", np.int64, (GUARDS,)),  # addresses of the guards (`custom/guards.py`)
            ("unaware", np.int64),  # mask of bonus tiles and, above them, the place: what a test keeps from a policy
            ("checked", np.int64),  # 1: table and settings are compared before and after each answer
            ("fault", np.int64, (8,)),  # record of the first fault (`custom/guards.py`)
            ("backup", np.int64),  # address of a copy of table and mind from before a checked answer
            ("search", np.int64, (SEARCH_NUMBERS,)),  # settings of a searching policy
            ("scratch", np.int64),  # address of the table on which it tries plans
            ("advice", np.int64),  # address of what it looks things up in (`advice.py`)
            ("correction", np.int64),  # address of what search has taught (`correction/model.py`), 0 for none
            # answers
            ("plan", np.int64, (BOXES,)),  # a card per box
            ("target", np.int64),  # county to move to or attack
            ("armies", np.int64),  # 0: none
            # notes: what the planner saw
            ("out", np.float64, (COLOURS,)),  # cubes that tray and tower will drop, mean
            ("spread", np.float64, (COLOURS,)),  # and variance
            ("helpers", np.int64, (COLOURS,)),  # 1 for a seat whose tile helps its attacks (B4.4)
            ("guards", np.int64, (COLOURS,)),  # 1 for a seat whose tile helps its counties
            ("effect_chance", np.float64, (len(EFFECTS),)),
            ("when", np.int64, (ACTION_CARDS,)),  # place of each action among the open cards (`balanced/timing.py`)
            ("winters", np.float64),  # scorings to come, discounted
            ("rounds", np.float64),  # rounds to come, this one included
            ("thaler", np.float64),  # worth of a Thaler
            ("grain_gap", np.float64),  # grain that winter asks for beyond what is held and counted on
            ("gain", np.float64, (REGIONS, 3)),  # worth of one more building of a kind in a region
            ("worth", np.float64, (COUNTIES,)),  # of owning a county; own ones and their neighbours
            ("foe", np.int64, (COUNTIES,)),  # the most dangerous neighbour's owner, NOWHERE without one
            ("foe_armies", np.int64, (COUNTIES,)),  # that could come from there
            ("danger", np.float64, (COUNTIES,)),  # expected loss to that neighbour
            ("foes", np.int64, (COUNTIES,)),  # neighbours who could attack
            ("regard", np.float64, (COLOURS,)),  # how much what is taken from each rival counts
            ("around", np.float64, (COUNTIES,)),  # what its neighbours add to an attack on it (`balanced/targets.py`)
            ("exposed", np.float64, (ACTION_CARDS,)),  # share of the dangers to come after an action
            ("earlier", np.float64, (2,)),  # what an attack by combat A, combat B counts for by the place of its card
            ("late", np.float64, (ACTION_CARDS,)),  # share of this round's attacks that comes before an action
            ("helped", np.float64, (COUNTIES,)),  # worth of one more army in the attack from an own county
            ("levy", np.float64, (COUNTIES,)),  # worth of each of five armies deployed there
            ("helper_worth", np.float64),  # what bonus tiles would bring this round: one more attacker in attacks,
            ("levy_worth", np.float64),  # one more army deployed,
            ("pays_taxes", np.float64),  # and 1 if a county pays taxes,
            ("reaps", np.float64),  # 1 if one yields grain
            ("box_worth", np.float64, (MAX_PLAYERS,)),
            ("bid_worth", np.float64, (6,)),  # of bidding 0 to 4, and of a county card
            # notes of the expansions
            ("region_bonus", np.float64, (REGIONS,)),  # of a county in a region not yet held (L1)
            ("favor_worth", np.float64, (SHOWN_FAVORS,)),  # of the favor on each space; 0 where one was taken
            ("audience_worth", np.float64, (COURTIERS + 1,)),  # of coming to the audience with so many courtiers
            # scratch of a plan
            ("hand", np.int64, (COLUMNS,)),
            ("box", np.int64, (BOXES - 1,)),
            ("tile_worth", np.float64, (MAX_PLAYERS,)),  # what each bonus tile would bring
            # scratch of attacks: what an attack on a county would meet (`balanced/targets.py`)
            ("prize", np.float64, (COUNTIES,)),
            ("defence", np.float64, (COUNTIES,)),  # the defenders, over the events that may come
            ("foes_thrown", np.int64, (COUNTIES,)),  # the defenders with all that is thrown beside them
            ("foes_inside", np.int64, (COUNTIES,)),  # and what lies in the tower
            ("attack_page", np.int64, (COUNTIES,)),  # of the table of chances, by what lies there (`odds.py`)
            ("guard_chance", np.float64, (COUNTIES,)),  # chance that an event sends more defenders
            ("event_guards", np.int64, (COUNTIES,)),  # how many it sends
            # scratch of dangers: what an attack by the foe of a county would meet, but for the armies there
            ("menace", np.float64, (COUNTIES,)),  # what the chance of such an attack counts, 0 without a foe
            ("peace", np.float64, (COUNTIES,)),  # chance that no event forbids it
            ("foe_thrown", np.int64, (COUNTIES,)),  # the cubes that the foe would throw
            ("own_thrown", np.int64, (COUNTIES,)),  # and those that the seat throws beside the county's armies
            ("own_inside", np.int64, (COUNTIES,)),
            ("danger_page", np.int64, (COUNTIES,)),
            # scratch of majorities
            ("step", np.float64, (7,)),  # worth of one more building by how many a seat is ahead
            # scratch of the assignment: cards are rows, boxes are columns
            ("value", np.float64, (COLUMNS, LANES)),
            ("cost", np.int64, (COLUMNS, LANES)),
            ("lies", np.int64, (COLUMNS,)),  # 0: the card is not laid
            ("chosen", np.int64, (LANES,)),  # by box
            ("row", np.int64, (LANES, LANES)),  # costs of moving the card of a box to another
            ("dist", np.int64, (LANES,)),  # the shortest way to a box, and where it comes from
            ("short", np.int64, (LANES,)),  # without that
            # scratch of the purse
            ("pays", np.int64, (PAYMENTS,)),  # boxes, in the order of the open cards
            ("pay_price", np.float64, (PAYMENTS,)),
            ("pay_worth", np.float64, (PAYMENTS,)),
            ("paid_worth", np.float64),
            ("left", np.float64, (1 << PAYMENTS,)),  # by set of payments: Thalers left after those that lie open,
            ("sure", np.float64, (1 << PAYMENTS,)),  # the worth of those,
            ("unsure", np.float64, (1 << PAYMENTS,)),  # the worth of the hidden ones
            ("owed", np.float64, (1 << PAYMENTS,)),  # and their price
            # scratch of choosing among whole plans
            ("judged", np.float64, (COLUMNS, LANES)),  # the worths without errors
            ("error", np.float64, (COLUMNS, LANES)),
            ("tried", np.int64, (TRIED_PLANS, BOXES)),
            ("tried_worth", np.float64, (TRIED_PLANS,)),
            ("aim", np.int64, (COUNTIES,)),  # best target of an attack from an own county, or NOWHERE
            # scratch of the draft
            ("claim", np.float64, (COUNTIES,)),  # worth of each county's card
            ("foreign_around", np.int16, (COUNTY_LANES,)),  # armies around it, of other seats
            ("own_around", np.int16, (COUNTY_LANES,)),
            # scratch of a correction
            ("board_points", np.float64, (MAX_PLAYERS,)),
            ("fact", np.float32, (COLUMNS, len(COUNTY_FEATURES))),
            ("table_fact", np.float32, (len(TABLE_FEATURES),)),
            ("table_sum", np.float32, (MAX_UNITS + OUTPUTS,)),
            ("card_sum", np.float32, (COLUMNS, MAX_UNITS + OUTPUTS)),
            # scratch of a correction of attacks
            ("situation", np.float32, (attacks.SITUATION,)),
            ("situation_sum", np.float32, (attacks.WIDTH,)),
            ("choice_fact", np.float32, (attacks.MAX_CHOICES, attacks.OF_THE_SITUATION)),
            ("choice_sum", np.float32, (attacks.MAX_CHOICES, attacks.WIDTH)),
            ("choice_county", np.int64, (attacks.MAX_CHOICES,)),  # NOWHERE to stay
            ("choice_armies", np.int64, (attacks.MAX_CHOICES,)),
            ("choice_worth", np.float64, (attacks.MAX_CHOICES,)),
            # scratch of the court
            ("petition_cost", np.float64, (SHOWN_FAVORS, COLUMNS)),  # of a county's armies for the court's boxes
        ],
    ),
    align=True,
)

PLAYERS = np.dtype((np.record, [("seat", MIND, (MAX_PLAYERS,))]), align=True)
_FIELDS: dict[str, Any] = dict(MIND.fields or {})
SETTINGS_END = _FIELDS["plan"][1]  # in bytes: kind, weights and settings lie before, and stay as they are
NOTES_END = _FIELDS["hand"][1]  # in bytes: answers and notes lie before, the rest is scratch
