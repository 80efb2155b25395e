"""The features of a seat's standing at the end of a season: what the table shows of it, in numbers.

A feature is declared here once, with its unit and meaning, and filled by `wallsim.policies.value.position`. Everybody
sees them: no plans, no order of a deck, no floors of a tower (B2.1, B3.5).
"""

from __future__ import annotations

from wallsim.policies.models_file import Feature as Feature
from wallsim.policies.models_file import FeatureList
from wallsim.rules.terms import SEASON_NAMES

_feature = FeatureList("features")
# Of each seat; the model also gets the best other seat's and the others' mean.
POINTS = _feature("points", "VP", "victory points so far")
PROJECTION = _feature("projection", "VP", "victory points at the end if nothing changed any more (B7.4)")
COUNTIES = _feature("counties", "counties", "counties owned")
PALACES = _feature("palaces", "buildings", "palaces in own counties")
CHURCHES = _feature("churches", "buildings", "churches in own counties")
TRADING_POSTS = _feature("trading_posts", "buildings", "trading posts in own counties")
MAJORITIES = _feature("majorities", "VP", "majority points as they stand (B7.4)")
IN_REACH = _feature("in_reach", "VP", "majority points that one more building would gain, where a site is free")
AT_RISK = _feature("at_risk", "VP", "majority points that one more building of some rival would take")
SITES = _feature("sites", "sites", "free building sites in own counties")
OPEN_COUNTIES = _feature("open_counties", "counties", "own counties with a free site")
THALERS = _feature("thalers", "Thalers", "Thalers held")
SPENDABLE = _feature("spendable", "Thalers", "Thalers held, up to the price of all three buildings")
GRAIN = _feature("grain", "grain", "grain held")
SHORTAGE = _feature("shortage", "grain", "grain short of what winter asks for, by the mean of the events shown (B7.1)")
REVOLTS = _feature("revolts", "counties", "counties that would revolt after that shortage (B7.2)")
ARMIES = _feature("armies", "armies", "armies on the board")
SUPPLY = _feature("supply", "armies", "armies in the supply")
IN_TOWER = _feature("in_tower", "cubes", "own cubes in the tower")
IN_TRAY = _feature("in_tray", "cubes", "own cubes in the tray")
MARKERS = _feature("markers", "markers", "revolt markers in own counties")
DISLOYAL = _feature("disloyal", "counties", "own counties whose peasants would not help to defend them (B6.6)")
TAX = _feature("tax", "Thalers", "printed taxes of own counties")
FREE_TAX = _feature("free_tax", "Thalers", "the same of those without revolt markers")
GRAIN_YIELD = _feature("grain_yield", "grain", "printed grain of own counties")
EXPOSED = _feature("exposed", "counties", "own counties that border on a rival's stronger army")
EXPOSED_BUILDINGS = _feature("exposed_buildings", "buildings", "buildings in these")
BORDERED = _feature("bordered", "counties", "own counties that border on a rival")
TARGETS = _feature("targets", "counties", "rivals' counties that border on a stronger own army")
TARGET_BUILDINGS = _feature("target_buildings", "buildings", "buildings in these")
NEUTRALS = _feature("neutrals", "counties", "neutral counties that an own army of two or more borders on")
NEUTRAL_SITES = _feature("neutral_sites", "sites", "building sites in these")
COURTIERS = _feature("courtiers", "courtiers", "courtiers in the entrance hall (E1)")
STATUES = _feature("statues", "statues", "own statues that stand, and those taken from others (M)")
LEADER = _feature("leader", "leaders", "1 if the leader is on the board (M2)")
FEATURES = _feature.all()

# Of the table.
_feature = FeatureList("table features")
NEUTRAL_COUNTIES = _feature("neutral_counties", "counties", "neutral counties")
TOWER = _feature("tower", "cubes", "cubes in the tower, of all colours")
PEASANTS_INSIDE = _feature("peasants_inside", "cubes", "peasants in the tower")
TRAY = _feature("tray", "cubes", "cubes in the tray, of all colours")
LOSS = _feature("loss", "grain", "mean grain loss of the events shown (B7.1)")
PASSING = _feature("passing", "share", "chance of a cube that is thrown to pass the tower as it is now (B6.1)")
TABLE_FEATURES = _feature.all()

# What a model gets for a seat: its own features, the best other's, the others' means, the table's, and a one.
INPUTS = 3 * len(FEATURES) + len(TABLE_FEATURES) + 1
BEST_OTHER, OTHERS_MEAN, OF_THE_TABLE = (len(FEATURES) * part for part in (1, 2, 3))
CONSTANT = INPUTS - 1
INPUT_NAMES = (
    *(feature.name for feature in FEATURES),
    *(f"best_other_{feature.name}" for feature in FEATURES),
    *(f"others_{feature.name}" for feature in FEATURES),
    *(feature.name for feature in TABLE_FEATURES),
    "one",
)

MAX_UNITS = 13  # of a network; with three outputs they fill whole vector registers
MOMENTS = SEASON_NAMES[:-1]
"""The seasons after which a standing is valued; after the last winter the game is over."""
