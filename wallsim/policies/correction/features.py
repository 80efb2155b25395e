"""The features of a planning seat: what a correction sees of each own county and of the table, in numbers.

A feature is declared here once, with its unit and meaning, and filled by `wallsim.policies.correction.model`. The
seat may know all of them while it plans (B2.1 to B2.3, B3.5).
"""

from __future__ import annotations

from wallsim.policies.models_file import FeatureList
from wallsim.rules.terms import ACTIONS, BASE_BOXES, EFFECTS, MONEY_CARDS, ROUND_NAMES, TILES

_feature = FeatureList("county features")
# Of an own county.
TAX = _feature("tax", "Thalers", "taxes over the events that may come")
GRAIN_YIELD = _feature("grain", "grain", "grain over the events that may come")
SITES = _feature("sites", "sites", "free building sites")
HAS_PALACE = _feature("palace", "buildings", "1 if a palace stands here")
HAS_CHURCH = _feature("church", "buildings", "1 if a church stands here")
HAS_POST = _feature("trading_post", "buildings", "1 if a trading post stands here")
ARMIES = _feature("armies", "armies", "armies here")
ALONE = _feature("alone", "counties", "1 if a single army is here")
MARKERS = _feature("markers", "markers", "revolt markers here")
WORTH_PALACE = _feature("worth_palace", "VP", "what the weights say of a palace here")
WORTH_CHURCH = _feature("worth_church", "VP", "of a church")
WORTH_POST = _feature("worth_trading_post", "VP", "of a trading post")
WORTH_GRAIN = _feature("worth_grain", "VP", "of collecting grain here")
WORTH_TAXES = _feature("worth_taxes", "VP", "of collecting taxes here")
WORTH_DEPLOY5 = _feature("worth_deploy5", "VP", "of deploying five armies here")
WORTH_DEPLOY3 = _feature("worth_deploy3", "VP", "of deploying three")
WORTH_DEPLOY1 = _feature("worth_deploy1", "VP", "of deploying one, and a march")
WORTH_COMBAT = _feature("worth_combat", "VP", "of an attack or a march from here")
WORTH = _feature("worth", "VP", "what the weights say of owning the county")
DANGER = _feature("danger", "VP", "expected loss to the most dangerous neighbour")
FOE_ARMIES = _feature("foe_armies", "armies", "that could come from there")
FOES = _feature("foes", "counties", "rivals' counties beside it whose armies could attack")
OWN_BESIDE = _feature("own_beside", "counties", "own counties beside it")
NEUTRAL_BESIDE = _feature("neutral_beside", "counties", "neutral counties beside it")
RIVALS_BESIDE = _feature("rivals_beside", "counties", "rivals' counties beside it")
OWN_ARMIES = _feature("own_armies", "armies", "own armies beside it that could come here")
RIVALS_ARMIES = _feature("rivals_armies", "armies", "rivals' armies beside it that could come here")
NEED_BESIDE = _feature("need_beside", "VP", "the greatest danger to an own county beside it")
AIM_RIVALS = _feature("aim_rivals", "counties", "1 if the best target of an attack from here is a rival's")
AIM_NEUTRAL = _feature("aim_neutral", "counties", "1 if it is neutral")
AIM_WORTH = _feature("aim_worth", "VP", "what the weights say of owning the target")
AIM_ARMIES = _feature("aim_armies", "armies", "armies in the target")
AIM_CHANCE = _feature("aim_chance", "share", "chance to win with all armies but one")
AIM_CHANCE_MORE = _feature("aim_chance_more", "share", "the same with three armies more")
AIM_BUILDINGS = _feature("aim_buildings", "buildings", "buildings in the target")
AIM_LEAD = _feature("aim_lead", "VP", "how far the target's owner is ahead of this seat, as the board stands")
AIM_HELP = _feature("aim_help", "armies", "own armies in other counties beside the target that could join")
AIM_FOES = _feature("aim_foes", "armies", "armies of third seats beside the target that could take it back")
FIRST_MONEY = len(_feature)
for _value in range(MONEY_CARDS):
    _feature(f"money_{_value}", "cards", f"1 if the card is money of {_value} Thalers, and no county")
COUNTY_FEATURES = _feature.all()

# Of the table.
_feature = FeatureList("table features")
THALERS = _feature("thalers", "Thalers", "Thalers held")
GRAIN_HELD = _feature("grain", "grain", "grain held")
GRAIN_GAP = _feature("grain_gap", "grain", "grain that winter asks for beyond what is held and counted on")
COUNTIES_HELD = _feature("counties", "counties", "own counties")
ARMIES_HELD = _feature("armies", "armies", "own armies on the board")
SUPPLY = _feature("supply", "armies", "armies in the supply")
IN_TOWER = _feature("in_tower", "cubes", "own cubes in tower and tray")
PEASANTS_INSIDE = _feature("peasants", "cubes", "peasants in tower and tray")
NEUTRAL_COUNTIES = _feature("neutral_counties", "counties", "neutral counties")
FREE_SITES = _feature("sites", "sites", "free building sites in own counties")
OWN_MARKERS = _feature("markers", "markers", "revolt markers in own counties")
OPEN_ATTACKS = _feature("attacks", "counties", "own counties with two armies or more and a target")
THREATENED = _feature("threatened", "VP", "sum of the dangers to own counties")
LEAD = _feature("lead", "VP", "points ahead of the best other seat, as the board stands")
MEAN_LEAD = _feature("mean_lead", "VP", "points ahead of the others' mean, as the board stands")
RIVALS_THALERS = _feature("rivals_thalers", "Thalers", "held by the richest other seat")
RIVALS_ARMIES_MEAN = _feature("rivals_armies", "armies", "others' mean of armies on the board")
RIVALS_COUNTIES = _feature("rivals_counties", "counties", "others' mean of counties")
LOSS = _feature("loss", "grain", "mean grain loss of the events shown (B7.1)")
WORTH_THALER = _feature("worth_thaler", "VP", "what the weights say of one more Thaler")
PASSING = _feature("passing", "share", "chance of a cube that is thrown to pass the tower as it is now (B6.1)")
RELEASE = _feature("release", "share", "chance of a cube inside the tower to fall out with the next cast")
INSIDE = _feature("inside", "cubes", "cubes in the tower, of all colours")
IN_TRAY = _feature("in_tray", "cubes", "cubes in the tray, of all colours")
FIRST_ORDER = len(_feature)
for _action in ACTIONS:
    _feature(f"early_{_action}", "places", f"how early the card of {_action} lies open: 5 the first, 0 hidden (B2.1)")
FIRST_EFFECT = len(_feature)
for _effect in EFFECTS[1:]:
    _feature(f"chance_{_effect}", "share", f"chance of the event {_effect}")
FIRST_TILE = len(_feature)
for _tile in TILES:
    _feature(f"place_{_tile}", "places", f"place in the player order of the box with the tile {_tile}")
FIRST_BID = len(_feature)
for _bid in range(MONEY_CARDS):
    _feature(f"worth_bid_{_bid}", "VP", f"what the weights say of a bid of {_bid}")
COUNTY_BID_WORTH = _feature("worth_bid_county", "VP", "of a bid of a county card")
TABLE_FEATURES = _feature.all()

# What a model gets for a card: its county's features, the table's, and a one.
OF_THE_TABLE = len(COUNTY_FEATURES)
CONSTANT = OF_THE_TABLE + len(TABLE_FEATURES)
INPUTS = CONSTANT + 1
INPUT_NAMES = (
    *(feature.name for feature in COUNTY_FEATURES),
    *(f"table_{feature.name}" for feature in TABLE_FEATURES),
    "one",
)
# For each box of the base game's mat, what the weights say of a county's card there; the auction's is of the table.
WORTH_ON_BOX = (
    WORTH_PALACE,
    WORTH_CHURCH,
    WORTH_POST,
    WORTH_GRAIN,
    WORTH_TAXES,
    WORTH_DEPLOY5,
    WORTH_DEPLOY3,
    WORTH_DEPLOY1,
    WORTH_COMBAT,
    WORTH_COMBAT,
)
MAX_UNITS = 32
OUTPUTS = 16  # whole vectors of any machine; the first are for the boxes of the base game's mat
assert len(WORTH_ON_BOX) + 1 == BASE_BOXES <= OUTPUTS
MOMENTS = ROUND_NAMES
