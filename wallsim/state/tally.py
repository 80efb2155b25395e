"""What is counted for every seat while a game is played: one number a name, kept as a row of the GAME record.

The same list, in the same order, becomes columns of the `seats` table (totals of the game) and of the
`seasons` table (what one season added). A new count is a line here and an increment where it happens.
"""

from wallsim.rules.terms import ACTIONS, BUILDINGS, TILES

_POINT_SOURCES = ("counties", "buildings", "palace_majorities", "church_majorities", "trading_post_majorities")

TALLY = (
    *(
        (f"vp_{source}_year{year}", f"victory points for {source.replace('_', ' ')} in winter {year} (B7.4)")
        for year in (1, 2)
        for source in _POINT_SOURCES
    ),
    *((f"done_{action}", f"times the action {action} was carried out (B5)") for action in ACTIONS),
    ("skipped", "county cards on an action box that led to nothing (B5.1, B5.2)"),
    ("passes", "action boxes with a money card or no card (B3.2)"),
    ("taxes", "Thalers collected by `taxes`, tile included (B5.4)"),
    ("grain", "grain collected by `grain`, tile included, before the end of the food track (B5.4)"),
    ("grain_over", "grain collected beyond the end of the food track and lost (B0.6)"),
    ("grain_winter", "grain lost to the remaining event cards in winter (B7.1)"),
    ("paid_bids", "Thalers paid for bids (B4.1)"),
    *((f"paid_{kind}", f"Thalers paid for the building {kind} (B5.3)") for kind in BUILDINGS),
    ("paid_deploy5", "Thalers paid for `deploy5` (B5.6)"),
    ("paid_deploy3", "Thalers paid for `deploy3` (B5.6)"),
    ("paid_deploy1", "Thalers paid for `deploy1` (B5.7)"),
    ("armies_deployed", "armies put on the board by the three deploy actions (B5.6, B5.7)"),
    ("armies_fallen", "armies that went from the tray to the supply after own battles and revolts (B6)"),
    ("county_bids", "rounds in which a county card was bid (B4.2)"),
    ("place_total", "places in player order, 1 to 5, added over the rounds (B4.3)"),
    *((f"tile_{tile}", f"rounds with the bonus tile {tile} (B4.4)") for tile in TILES),
    ("attacks", "attacks made, on players and neutral counties (B6)"),
    ("attacks_won", "attacks that took the county (B6.7)"),
    ("attacks_on_players", "attacks made on players"),
    ("attacks_on_players_won", "attacks that took a county from a player"),
    ("attacks_tied", "attacks that ended in a tie (B6.9)"),
    ("times_attacked", "attacks suffered"),
    ("times_attacked_lost", "attacks suffered that lost the county, by conquest or tie"),
    ("revolts", "revolts fought, winter included (B6.4)"),
    ("revolts_lost", "revolts that lost the county, winter included (B6.10)"),
    ("winter_revolts", "revolts fought in winter (B7.3)"),
    ("winter_revolts_lost", "revolts that lost the county in winter"),
    ("shortages", "winters with too little grain (B7.2)"),
    ("shortage_units", "grain missing, added over the winters (B7.2)"),
    ("markers_placed", "revolt markers placed in own counties (B5.5)"),
    ("markers_removed", "revolt markers removed by `trading_post_calms`"),
)

NAMES = tuple(name for name, _ in TALLY)
SIZE = len(NAMES)


def position(name: str) -> int:
    """The column of a count in the tally row; ValueError for a name that is not counted."""
    return NAMES.index(name)


VP_SOURCES = len(_POINT_SOURCES)
VP_YEAR1 = position("vp_counties_year1")
DONE = position("done_palace")
SKIPPED = position("skipped")
PASSES = position("passes")
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
