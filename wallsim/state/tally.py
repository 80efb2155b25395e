"""What is counted for every seat while a game is played: one number per name, kept as a row of the GAME record.

Each count is declared once, with its unit and meaning; the declaration returns its place in the row, under which
kernels add to it. In the order of declaration the counts become columns of the tables `seats` (totals of the game)
and `seasons` (what one season added), and entries of the codebook.
"""

from typing import NamedTuple

from wallsim.errors import refuse_twice
from wallsim.rules.terms import ACTIONS, BUILDINGS, FAVORS, MAX_PLAYERS, TILES


class Count(NamedTuple):
    """A count: the name of its column, the unit and the meaning, with the rule in brackets."""

    name: str
    unit: str
    meaning: str


_declared: list[Count] = []


def _count(name: str, unit: str, meaning: str) -> int:
    _declared.append(Count(name, unit, meaning))
    return len(_declared) - 1


def _count_each(kinds: tuple[str, ...], name: str, unit: str, meaning: str) -> int:
    """Declare a count for each of some kinds, whose name stands for `*`; returns the place of the first."""
    first = len(_declared)
    for kind in kinds:
        _count(name.replace("*", kind), unit, meaning.replace("*", kind))
    return first


_POINT_SOURCES = ("counties", "buildings", "palace_majorities", "church_majorities", "trading_post_majorities")
VP_SOURCES = len(_POINT_SOURCES)


def _count_points(year: int) -> int:
    first = len(_declared)
    for source in _POINT_SOURCES:
        words = source.replace("_", " ")
        _count(f"vp_{source}_year{year}", "victory points", f"victory points for {words} in winter {year} (B7.4)")
    return first


# The base game
VP_YEAR1 = _count_points(1)
VP_YEAR2 = _count_points(2)
DONE = _count_each(ACTIONS, "done_*", "actions", "times the action * was carried out (B5)")
SKIPPED = _count("skipped", "county cards", "county cards on an action box that led to nothing (B5.1, B5.2)")
SKIPPED_MONEY = _count("skipped_money", "county cards", "skipped cards that failed for lack of Thalers (B5.2)")
PASSES = _count("passes", "boxes", "action boxes with a card that is no county, or with none (B3.2, E3, V1)")
FORCED_MOVES = _count(
    "forced_moves", "moves", "moves made by the engine because a custom policy stayed where it must move (B5.8 [A7])"
)
TAXES_GAINED = _count("taxes", "Thalers", "Thalers collected by `taxes`, tile and leader included (B5.4, M2)")
GRAIN_GAINED = _count(
    "grain",
    "grain",
    "grain collected by `grain`, tile and leader included, before the end of the food track (B5.4, M2)",
)
GRAIN_OVER = _count("grain_over", "grain", "grain gained beyond the end of the food track and lost (B0.6)")
GRAIN_WINTER = _count("grain_winter", "grain", "grain lost to the remaining event cards in winter (B7.1)")
PAID_BIDS = _count("paid_bids", "Thalers", "Thalers paid for bids (B4.1)")
PAID_BUILDING = _count_each(BUILDINGS, "paid_*", "Thalers", "Thalers paid for the building * (B5.3)")
PAID_DEPLOY5 = _count("paid_deploy5", "Thalers", "Thalers paid for `deploy5` (B5.6)")
PAID_DEPLOY3 = _count("paid_deploy3", "Thalers", "Thalers paid for `deploy3` (B5.6)")
PAID_DEPLOY1 = _count("paid_deploy1", "Thalers", "Thalers paid for `deploy1` (B5.7)")
ARMIES_DEPLOYED = _count(
    "armies_deployed", "armies", "armies put on the board by the three deploy actions (B5.6, B5.7)"
)
ARMIES_BEHIND_COMBATS = _count(
    "armies_behind_combats", "armies", "deployed armies that came when both combats of the round were over (B2.6, B5.8)"
)
ARMIES_FALLEN = _count(
    "armies_fallen", "armies", "armies that went from the tray to the supply after own battles and revolts (B6)"
)
COUNTY_BIDS = _count("county_bids", "rounds", "rounds in which a county card was bid (B4.2)")
PLACE_TOTAL = _count("place_total", "places", "places in player order, 1 to 5, added over the rounds (B4.3)")
CHOOSING_TOTAL = _count(
    "choosing_total",
    "places",
    "places in the order of choosing a box, 1 the first to choose, added over the rounds; 0 in 1e (B4.2, V1)",
)
TILE_ROUNDS = _count_each(TILES, "tile_*", "rounds", "rounds with the bonus tile * (B4.4)")
ATTACKS = _count("attacks", "battles", "attacks made, on players and neutral counties (B6)")
ATTACKS_WON = _count("attacks_won", "battles", "attacks that took the county (B6.7)")
ATTACKS_ON_PLAYERS = _count("attacks_on_players", "battles", "attacks made on players")
ATTACKS_ON_PLAYERS_WON = _count("attacks_on_players_won", "battles", "attacks that took a county from a player")
ATTACKS_ON_SEAT = _count_each(  # + the defending seat
    tuple(map(str, range(MAX_PLAYERS))), "attacks_on_seat_*", "battles", "attacks made on seat *"
)
ATTACKS_TIED = _count("attacks_tied", "battles", "attacks that ended in a tie (B6.9)")
TIMES_ATTACKED = _count("times_attacked", "battles", "attacks suffered")
TIMES_ATTACKED_LOST = _count(
    "times_attacked_lost", "battles", "attacks suffered that lost the county, by conquest or tie"
)
REVOLTS = _count("revolts", "battles", "revolts fought, winter included (B6.4)")
REVOLTS_LOST = _count("revolts_lost", "battles", "revolts that lost the county, winter included (B6.10)")
WINTER_REVOLTS = _count("winter_revolts", "battles", "revolts fought in winter (B7.3)")
WINTER_REVOLTS_LOST = _count("winter_revolts_lost", "battles", "revolts that lost the county in winter")
SHORTAGES = _count("shortages", "winters", "winters with too little grain (B7.2)")
SHORTAGE_UNITS = _count("shortage_units", "grain", "grain missing, added over the winters (B7.2)")
MARKERS_PLACED = _count("markers_placed", "revolt markers", "revolt markers placed in own counties (B5.5)")
MARKERS_REMOVED = _count("markers_removed", "revolt markers", "revolt markers removed by `trading_post_calms`")
BASE_SIZE = len(_declared)

# The Emperor's Court
COURTIERS_FIRST_FILL = _count(
    "courtiers_first_fill", "courtiers", "courtiers that the first fill of the tower sent to the hall (E1)"
)
COURTIERS_FOR_ARMIES = _count(
    "courtiers_for_armies", "courtiers", "courtiers sent to the hall for armies of counties (E4)"
)
COURTIERS_FOR_CUBES = _count(
    "courtiers_for_cubes", "courtiers", "courtiers sent to the hall for own cubes in the tray (E4)"
)
COURT_FAILURES = _count(
    "court_failures", "cards", "county and dice-tower cards on court boxes that could not be carried out in full (E4)"
)
FAVORS_TAKEN = _count("favors", "favors", "favors taken (E5)")
COURTIERS_PAID = _count("courtiers_paid", "courtiers", "courtiers paid for favors (E2)")
VP_FAVORS = _count("vp_favors", "victory points", "victory points from favors (E6)")
FAVOR_THALERS = _count("favor_thalers", "Thalers", "Thalers from favors (E6)")
FAVOR_GRAIN = _count("favor_grain", "grain", "grain from favors, before the end of the food track (E6)")
FAVOR_TRAY_ARMIES = _count("favor_tray_armies", "armies", "armies that favors moved from the supply into the tray (E6)")
FAVOR_ARMIES = _count("favor_armies", "armies", "armies that favors put into counties (E6)")
FAVOR_COUNTIES = _count("favor_counties", "counties", "neutral counties taken with the armies of a favor (E6)")
FAVOR_BUILDINGS = _count("favor_buildings", "buildings", "buildings put up by favors without pay (E6)")
FAVOR_CALMED = _count("favor_calmed", "revolt markers", "revolt markers removed by favors (E6)")
FAVOR_PARRIED = _count("favor_parried", "revolt markers", "revolt markers that a kept favor warded off (E6)")
FAVOR_CANCELLED = _count("favor_cancelled", "events", "events cancelled by a favor (E6)")
FAVOR_NUMBER = (  # + the number of a favor, from 1
    _count_each(tuple(map(str, range(1, FAVORS + 1))), "favor_*", "favors", "1 if favor * was taken (E6)") - 1
)
_COURT_END = len(_declared)

# The Landsknechte
LANDSKNECHT_CARDS = _count("landsknecht_cards", "cards", "Landsknechte cards that gave a benefit (L1)")
VP_LANDSKNECHTE = _count("vp_landsknechte", "victory points", "victory points from Landsknechte (L1)")
LANDSKNECHT_THALERS = _count("landsknecht_thalers", "Thalers", "Thalers from Landsknechte (L1)")
LANDSKNECHT_GRAIN = _count(
    "landsknecht_grain", "grain", "grain from Landsknechte, before the end of the food track (L1)"
)
LANDSKNECHT_TRAY_ARMIES = _count(
    "landsknecht_tray_armies", "armies", "armies that Landsknechte moved from the supply into the tray (L1)"
)
_LANDSKNECHTE_END = len(_declared)

# The military leaders
_WINTERS = ("1", "2")
VP_STATUES = _count_each(  # + the year, from 0
    _WINTERS, "vp_statues_year*", "victory points", "victory points for own statues on the board in winter * (M5)"
)
VP_TROPHIES = _count_each(  # + the year, from 0
    _WINTERS, "vp_trophies_year*", "victory points", "victory points for trophies in winter * (M5)"
)
STATUES_LEFT = _count("statues_left", "statues", "statues the leader left in counties (M3)")
STATUES_LOST = _count("statues_lost", "statues", "own statues that others took (M3)")
TROPHIES = _count("trophies", "statues", "statues taken from others (M3)")
LEADER_LOST = _count("leader_lost", "times", "times the leader's county was lost (M4)")

TALLY = tuple(_declared)
BASE = TALLY[:BASE_SIZE]
# What each expansion adds where it is in play, in the order of EXPANSIONS.
EXPANSION_TALLIES = (
    TALLY[BASE_SIZE:_COURT_END],
    TALLY[_COURT_END:_LANDSKNECHTE_END],
    TALLY[_LANDSKNECHTE_END:],
)
NAMES = tuple(count.name for count in TALLY)
refuse_twice("counts", NAMES)
SIZE = len(NAMES)


def position(name: str) -> int:
    """The place of a count in the tally row; ValueError for a name that is not counted."""
    return NAMES.index(name)
