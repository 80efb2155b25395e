"""What holds in every game of the first edition and of the expansions (E, L, M, V); see `invariants`."""

from __future__ import annotations

import numpy as np

from tests.naive.making import BOARD
from wallsim.rules.terms import TILES

FAVORS = range(1, 22)  # E2
AMOUNTS = {row["number"]: row["value"] for row in BOARD.favors}
MAX_AMOUNT = {name: max(row[name] for row in BOARD.landsknechte) for name in ("thalers", "tray_armies", "grain")}


def big_box_checks(seats, rules) -> dict:
    """Named checks of the seats' columns, for what the ruleset has in play."""
    checks = _first_edition(seats) if rules.edition == "1e" else {}
    checks |= (_courtiers(seats) | _favors(seats, rules)) if "court" in rules.expansions else {}
    checks |= _landsknechte(seats, rules) if "landsknechte" in rules.expansions else {}
    return checks | (_leaders(seats, rules) if "leaders" in rules.expansions else {})


def _first_edition(seats):
    players = seats.shape[1]
    return {
        "V1 no bids": seats["paid_bids"] + seats["county_bids"] == 0,
        "V1 no tiles": seats.total(f"tile_{tile}" for tile in TILES) == 0,
        "V1 the places of six rounds": seats["place_total"].sum(axis=1) == 3 * players * (players + 1),
    }


def _courtiers(seats):
    sent = seats.total(("courtiers_for_armies", "courtiers_for_cubes"))
    hall = seats["courtiers_first_fill"] + sent - seats["courtiers_paid"]
    favors, paid = seats["favors"], seats["courtiers_paid"]
    return {
        "E1 seven courtiers": (hall >= 0) & (hall <= 7),
        "E1 a courtier for a cube of the first fill": (
            (seats["courtiers_first_fill"] >= 0) & (seats["courtiers_first_fill"] <= 7)
        ),
        "E4 six courtiers a round": sent <= 36,
        "E4 three boxes a round": seats["court_failures"] <= 18,
        "E5 a favor a round": favors <= 6,
        "E2 a favor costs two to four": (paid >= 2 * favors) & (paid <= 4 * favors),
        "E2 eighteen favors are shown": favors.sum(axis=1) <= 18,
    }


def _favors(seats, rules):
    taken = {number: seats[f"favor_{number}"] for number in FAVORS}

    def worth(*numbers):
        return sum(AMOUNTS[number] * taken[number] for number in numbers)

    return {
        "E2 each favor once per game": np.stack([taken[number].sum(axis=1) for number in FAVORS]) <= 1,
        "E5 favors by number": sum(taken.values()) == seats["favors"],
        "E6 points": seats["vp_favors"] == worth(6, 13, 19),
        "E6 grain": seats["favor_grain"] == worth(5, 15, 20),
        "E6 Thalers": (seats["favor_thalers"] == worth(2, 9, 16)) | (rules.bank > 0),
        "E6 armies into the tray": seats["favor_tray_armies"] <= worth(3, 8, 14),
        "E6 free armies": seats["favor_armies"] <= worth(12),
        "E6 a county with free armies": seats["favor_counties"] <= taken[12],
        "E6 free buildings": seats["favor_buildings"] <= taken[7] + taken[17] + taken[21],
        "E6 calmed or parried": seats.total(("favor_calmed", "favor_parried")) <= taken[4],
        "E6 cancelled": seats["favor_cancelled"] <= taken[1],
    }


def _landsknechte(seats, rules):
    cards = seats["landsknecht_cards"]
    gained = seats.total(f"landsknecht_{name}" for name in MAX_AMOUNT) + seats["vp_landsknechte"]
    return {
        "L1 three cards a year": cards <= 6,
        "L1 points": (seats["vp_landsknechte"] >= 0) & (seats["vp_landsknechte"] <= cards),
        **{f"L1 {name}": seats[f"landsknecht_{name}"] <= most * cards for name, most in MAX_AMOUNT.items()},
        "L1 a benefit a card": (gained >= cards) | (rules.bank > 0),
    }


def _leaders(seats, rules):
    left, lost, trophies = seats["statues_left"], seats["statues_lost"], seats["trophies"]
    first, second = seats["vp_statues_year1"], seats["vp_statues_year2"]
    return {
        "M1 six statues": (left >= 0) & (left <= 6),
        "M3 statues lost are trophies": trophies.sum(axis=1) == lost.sum(axis=1),
        "M3 nobody loses what it did not leave": lost <= left,
        "M4 a leader is lost once a year": seats["leader_lost"] <= 2,
        "M5 statues on the board at the end": second == left - lost,
        "M5 trophies at the end": seats["vp_trophies_year2"] == trophies,
        "M5 trophies of year one": seats["vp_trophies_year1"] <= trophies,
        "M5 three moves a year": first <= 3,
        "A12 statues and trophies in the last winter only": (
            (first + seats["vp_trophies_year1"] == 0) | (rules.statue_points == "each_winter")
        ),
    }


def big_box_season_checks(seasons, rules) -> dict:
    """Named checks of the seasons' columns [games, 8, seats], for what the ruleset has in play."""
    checks, rounds = {}, seasons["season"] < 3
    if rules.edition == "1e":
        checks |= {
            "V1 no bid and no tile in any season": (seasons["bid"] == -1) & (seasons["tile"] == -1),
            "V1 as many places as players": (seasons["place"] <= rules.players) & ((seasons["place"] > 0) == rounds),
        }
    if "court" in rules.expansions:
        favors, sent = seasons["favors"], seasons.total(("courtiers_for_armies", "courtiers_for_cubes"))
        checks |= {
            "E4 six courtiers, in any round": (sent <= 6 * rounds) & (sent >= 0),
            "E5 a favor, in any round": (favors >= 0) & (favors <= rounds),
            "E2 three favors, in any round": favors.sum(axis=2) <= 3,
            "E2 nobody pays the same price in a round": seasons["courtiers_paid"].sum(axis=2) <= 9,
        }
    if "landsknechte" in rules.expansions:
        checks |= {"L1 a card, in any round": seasons["landsknecht_cards"] <= rounds}
    if "leaders" in rules.expansions:
        checks |= {"M3 a statue, in any round": seasons["statues_left"] <= rounds}
    return checks
