"""What is counted for every seat while a game is played: one number per name, kept as a row of the GAME record.

Each count has a name, a unit and a meaning. The same list, in the same order, becomes columns of the `seats` table
(totals of the game) and of the `seasons` table (what one season added). A new count is an entry here and an increment
where it happens.
"""

from wallsim.rules.terms import ACTIONS, BUILDINGS, FAVORS, TILES

_POINT_SOURCES = ("counties", "buildings", "palace_majorities", "church_majorities", "trading_post_majorities")

BASE = (
    *(
        (
            f"vp_{source}_year{year}",
            "victory points",
            f"victory points for {source.replace('_', ' ')} in winter {year} (B7.4)",
        )
        for year in (1, 2)
        for source in _POINT_SOURCES
    ),
    *((f"done_{action}", "actions", f"times the action {action} was carried out (B5)") for action in ACTIONS),
    ("skipped", "county cards", "county cards on an action box that led to nothing (B5.1, B5.2)"),
    ("passes", "boxes", "action boxes with a card that is no county, or with none (B3.2, E3, V1)"),
    ("forced_moves", "moves", "moves made by the engine because a custom policy stayed where it must move (B5.8 [A7])"),
    ("taxes", "Thalers", "Thalers collected by `taxes`, tile and leader included (B5.4, M2)"),
    (
        "grain",
        "grain",
        "grain collected by `grain`, tile and leader included, before the end of the food track (B5.4, M2)",
    ),
    ("grain_over", "grain", "grain gained beyond the end of the food track and lost (B0.6)"),
    ("grain_winter", "grain", "grain lost to the remaining event cards in winter (B7.1)"),
    ("paid_bids", "Thalers", "Thalers paid for bids (B4.1)"),
    *((f"paid_{kind}", "Thalers", f"Thalers paid for the building {kind} (B5.3)") for kind in BUILDINGS),
    ("paid_deploy5", "Thalers", "Thalers paid for `deploy5` (B5.6)"),
    ("paid_deploy3", "Thalers", "Thalers paid for `deploy3` (B5.6)"),
    ("paid_deploy1", "Thalers", "Thalers paid for `deploy1` (B5.7)"),
    ("armies_deployed", "armies", "armies put on the board by the three deploy actions (B5.6, B5.7)"),
    ("armies_fallen", "armies", "armies that went from the tray to the supply after own battles and revolts (B6)"),
    ("county_bids", "rounds", "rounds in which a county card was bid (B4.2)"),
    ("place_total", "places", "places in player order, 1 to 5, added over the rounds (B4.3)"),
    (
        "choosing_total",
        "places",
        "places in the order of choosing a box, 1 the first to choose, added over the rounds; 0 in 1e (B4.2, V1)",
    ),
    *((f"tile_{tile}", "rounds", f"rounds with the bonus tile {tile} (B4.4)") for tile in TILES),
    ("attacks", "battles", "attacks made, on players and neutral counties (B6)"),
    ("attacks_won", "battles", "attacks that took the county (B6.7)"),
    ("attacks_on_players", "battles", "attacks made on players"),
    ("attacks_on_players_won", "battles", "attacks that took a county from a player"),
    ("attacks_tied", "battles", "attacks that ended in a tie (B6.9)"),
    ("times_attacked", "battles", "attacks suffered"),
    ("times_attacked_lost", "battles", "attacks suffered that lost the county, by conquest or tie"),
    ("revolts", "battles", "revolts fought, winter included (B6.4)"),
    ("revolts_lost", "battles", "revolts that lost the county, winter included (B6.10)"),
    ("winter_revolts", "battles", "revolts fought in winter (B7.3)"),
    ("winter_revolts_lost", "battles", "revolts that lost the county in winter"),
    ("shortages", "winters", "winters with too little grain (B7.2)"),
    ("shortage_units", "grain", "grain missing, added over the winters (B7.2)"),
    ("markers_placed", "revolt markers", "revolt markers placed in own counties (B5.5)"),
    ("markers_removed", "revolt markers", "revolt markers removed by `trading_post_calms`"),
)

_COURT = (
    ("courtiers_first_fill", "courtiers", "courtiers that the first fill of the tower sent to the hall (E1)"),
    ("courtiers_for_armies", "courtiers", "courtiers sent to the hall for armies of counties (E4)"),
    ("courtiers_for_cubes", "courtiers", "courtiers sent to the hall for own cubes in the tray (E4)"),
    (
        "court_failures",
        "cards",
        "county and dice-tower cards on court boxes that could not be carried out in full (E4)",
    ),
    ("favors", "favors", "favors taken (E5)"),
    ("courtiers_paid", "courtiers", "courtiers paid for favors (E2)"),
    ("vp_favors", "victory points", "victory points from favors (E6)"),
    ("favor_thalers", "Thalers", "Thalers from favors (E6)"),
    ("favor_grain", "grain", "grain from favors, before the end of the food track (E6)"),
    ("favor_tray_armies", "armies", "armies that favors moved from the supply into the tray (E6)"),
    ("favor_armies", "armies", "armies that favors put into counties (E6)"),
    ("favor_counties", "counties", "neutral counties taken with the armies of a favor (E6)"),
    ("favor_buildings", "buildings", "buildings put up by favors without pay (E6)"),
    ("favor_calmed", "revolt markers", "revolt markers removed by favors (E6)"),
    ("favor_parried", "revolt markers", "revolt markers that a kept favor warded off (E6)"),
    ("favor_cancelled", "events", "events cancelled by a favor (E6)"),
    *((f"favor_{number}", "favors", f"1 if favor {number} was taken (E6)") for number in range(1, FAVORS + 1)),
)

_LANDSKNECHTE = (
    ("landsknecht_cards", "cards", "Landsknechte cards that gave a benefit (L1)"),
    ("vp_landsknechte", "victory points", "victory points from Landsknechte (L1)"),
    ("landsknecht_thalers", "Thalers", "Thalers from Landsknechte (L1)"),
    ("landsknecht_grain", "grain", "grain from Landsknechte, before the end of the food track (L1)"),
    ("landsknecht_tray_armies", "armies", "armies that Landsknechte moved from the supply into the tray (L1)"),
)

_LEADERS = (
    *(
        (
            f"vp_statues_year{year}",
            "victory points",
            f"victory points for own statues on the board in winter {year} (M5)",
        )
        for year in (1, 2)
    ),
    *(
        (f"vp_trophies_year{year}", "victory points", f"victory points for trophies in winter {year} (M5)")
        for year in (1, 2)
    ),
    ("statues_left", "statues", "statues the leader left in counties (M3)"),
    ("statues_lost", "statues", "own statues that others took (M3)"),
    ("trophies", "statues", "statues taken from others (M3)"),
    ("leader_lost", "times", "times the leader's county was lost (M4)"),
)

# What the base game counts, and what each expansion adds where it is in play, in the order of EXPANSIONS.
EXPANSION_TALLIES = (_COURT, _LANDSKNECHTE, _LEADERS)
TALLY = (*BASE, *_COURT, *_LANDSKNECHTE, *_LEADERS)

NAMES = tuple(name for name, _, _ in TALLY)
SIZE = len(NAMES)
BASE_SIZE = len(BASE)


def position(name: str) -> int:
    """The column of a count in the tally row; ValueError for a name that is not counted."""
    return NAMES.index(name)


VP_SOURCES = len(_POINT_SOURCES)
VP_YEAR1 = position("vp_counties_year1")
DONE = position("done_palace")
SKIPPED = position("skipped")
PASSES = position("passes")
FORCED_MOVES = position("forced_moves")
TAXES_GAINED = position("taxes")
GRAIN_GAINED = position("grain")
GRAIN_OVER = position("grain_over")
GRAIN_WINTER = position("grain_winter")
PAID_BIDS = position("paid_bids")
PAID_BUILDING = position("paid_palace")
PAID_DEPLOY5 = position("paid_deploy5")
PAID_DEPLOY1 = position("paid_deploy1")
ARMIES_DEPLOYED = position("armies_deployed")
ARMIES_FALLEN = position("armies_fallen")
COUNTY_BIDS = position("county_bids")
PLACE_TOTAL = position("place_total")
CHOOSING_TOTAL = position("choosing_total")
TILE_ROUNDS = position("tile_thaler")
ATTACKS = position("attacks")
ATTACKS_WON = position("attacks_won")
ATTACKS_ON_PLAYERS = position("attacks_on_players")
ATTACKS_ON_PLAYERS_WON = position("attacks_on_players_won")
ATTACKS_TIED = position("attacks_tied")
TIMES_ATTACKED = position("times_attacked")
TIMES_ATTACKED_LOST = position("times_attacked_lost")
REVOLTS = position("revolts")
REVOLTS_LOST = position("revolts_lost")
WINTER_REVOLTS = position("winter_revolts")
WINTER_REVOLTS_LOST = position("winter_revolts_lost")
SHORTAGES = position("shortages")
SHORTAGE_UNITS = position("shortage_units")
MARKERS_PLACED = position("markers_placed")
MARKERS_REMOVED = position("markers_removed")
COURTIERS_FIRST_FILL = position("courtiers_first_fill")
COURTIERS_FOR_ARMIES = position("courtiers_for_armies")
COURTIERS_FOR_CUBES = position("courtiers_for_cubes")
COURT_FAILURES = position("court_failures")
FAVORS_TAKEN = position("favors")
COURTIERS_PAID = position("courtiers_paid")
VP_FAVORS = position("vp_favors")
FAVOR_THALERS = position("favor_thalers")
FAVOR_GRAIN = position("favor_grain")
FAVOR_TRAY_ARMIES = position("favor_tray_armies")
FAVOR_ARMIES = position("favor_armies")
FAVOR_COUNTIES = position("favor_counties")
FAVOR_BUILDINGS = position("favor_buildings")
FAVOR_CALMED = position("favor_calmed")
FAVOR_PARRIED = position("favor_parried")
FAVOR_CANCELLED = position("favor_cancelled")
FAVOR_NUMBER = position("favor_1") - 1  # + the number of a favor
LANDSKNECHT_CARDS = position("landsknecht_cards")
VP_LANDSKNECHTE = position("vp_landsknechte")
LANDSKNECHT_THALERS = position("landsknecht_thalers")
LANDSKNECHT_GRAIN = position("landsknecht_grain")
LANDSKNECHT_TRAY_ARMIES = position("landsknecht_tray_armies")
VP_STATUES = position("vp_statues_year1")  # + the year
VP_TROPHIES = position("vp_trophies_year1")  # + the year
STATUES_LEFT = position("statues_left")
STATUES_LOST = position("statues_lost")
TROPHIES = position("trophies")
LEADER_LOST = position("leader_lost")
