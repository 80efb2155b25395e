"""What holds in every game whatever happened, checked on the result matrices of thousands of games at once."""

from __future__ import annotations

import numpy as np

from tests.engine.invariants_big_box import big_box_checks, big_box_season_checks
from tests.naive.making import BOARD
from wallsim.engine.arena import Tables
from wallsim.engine.columns import GAME_COLUMNS, columns_of
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTIONS, ARMIES_PER_PLAYER, BUILDINGS, PEASANT_ARMIES, TILES

THALERS = {3: 18, 4: 15, 5: 12}  # B1.1
FILL = {3: 31, 4: 38, 5: 45}  # B1.6
IN_PLAY = {3: 37, 4: 45, 5: 45}  # B0.1
PRICES = {"palace": 3, "church": 2, "trading_post": 1, "deploy5": 3, "deploy3": 2, "deploy1": 1}  # B5.3 B5.6 B5.7
SOURCES = ("counties", "buildings", *(f"{kind}_majorities" for kind in BUILDINGS), "statues", "trophies")
FOOD_TRACK = 18  # B0.6
ON_SEATS = [f"attacks_on_seat_{seat}" for seat in range(5)]
EVENTS = [column.name for column in GAME_COLUMNS if "event" in column.name]


class Columns:
    """A matrix whose columns are read by name as arrays of a wider type, in any shape."""

    def __init__(self, matrix, columns, *shape):
        self.matrix, self.shape = matrix, shape
        self.place = {column.name: place for place, column in enumerate(columns)}

    def __getitem__(self, name):
        return self.matrix[:, self.place[name]].astype(np.int64).reshape(self.shape)

    def total(self, names):
        """The sum of several columns; a count of an expansion that is not in play is 0."""
        return sum(self.count(name) for name in names)

    def count(self, name):
        """A column, or 0 where the game lacks the expansion that counts it."""
        return self[name] if name in self.place else 0


def broken_rules(tables: Tables, rules: Ruleset) -> list[str]:
    """The rules that some game breaks, by name; of seasons too where the tables have them."""
    count, players = len(tables.games), rules.players
    games = Columns(tables.games, GAME_COLUMNS, count)
    seats = Columns(tables.seats, columns_of("seats", rules.expansions), count, players)
    checks = _money(seats, rules) | _points(seats, games, rules) | _order(seats, games, rules)
    checks |= _cubes(seats, games, rules) | _parts(seats) | big_box_checks(seats, rules)
    if len(tables.seasons):
        seasons = Columns(tables.seasons, columns_of("seasons", rules.expansions), count, 8, players)
        checks |= _seasons(seasons, seats, rules) | big_box_season_checks(seasons, rules)
    return [name for name, holds in checks.items() if not np.all(holds)]


def _money(seats, rules):
    paid = {kind: seats[f"paid_{kind}"] for kind in PRICES}
    spent = sum(paid.values()) + seats["paid_bids"]
    gained = seats.total(("taxes", "favor_thalers", "landsknecht_thalers"))
    rebates = {kind: price * seats[f"done_{kind}"] - paid[kind] for kind, price in PRICES.items()}
    with_leader = {kind: seats[f"done_{kind}"] * ("leaders" in rules.expansions) for kind in BUILDINGS}
    return {
        "B0.7 Thalers are those of the start plus gains less payments": (
            seats["thalers"] == THALERS[rules.players] + gained - spent
        ),
        "B0.7 nobody has debts": seats["thalers"] >= 0,
        "A2 no more Thalers than there are": rules.bank == 0 or seats["thalers"].sum(axis=1) <= rules.bank,
        **{
            f"B4.4 B5.4 M2 {action}: the county's number, one more by tile and leader each": (
                (seats[action] <= (most + (rules.edition == "2e") + ("leaders" in rules.expansions)) * done)
                & ((seats[action] >= 2 * done) | (rules.income == "if_held"))
            )
            for action, most in (("taxes", BOARD.tax.max()), ("grain", BOARD.grain.max()))
            for done in (seats[f"done_{action}"],)
        },
        "B4.1 no bid above 4 Thalers a round": (seats["paid_bids"] >= 0) & (seats["paid_bids"] <= 24),
        **{
            f"the price of {kind} is {price}, a Thaler less with the leader (M2)": (
                (rebates[kind] >= 0) & (rebates[kind] <= with_leader.get(kind, 0))
            )
            for kind, price in PRICES.items()
        },
    }


def _points(seats, games, rules):
    wins, points = seats["win"], seats["vp"]
    # Thalers stay far below the factor, so one number compares points first and Thalers second.
    standing = points * 10_000 + (seats["thalers"] if rules.final_tie == "thalers" else 0)
    best = standing == standing.max(axis=1, keepdims=True)
    sharing = best.sum(axis=1)
    shares = np.divide(1.0, wins, out=np.zeros(wins.shape), where=wins > 0)
    year1, year2 = (seats.total(f"vp_{source}_year{year}" for source in SOURCES) for year in (1, 2))
    at_once = seats.total(("vp_favors", "vp_landsknechte"))  # E6, L1
    ordered = np.sort(points, axis=1)
    leads = seats["vp_year1"] == seats["vp_year1"].max(axis=1, keepdims=True)
    return {
        "B7.4 points of year one": (seats["vp_year1"] >= year1) & (seats["vp_year1"] <= year1 + at_once),
        "B7.4 points of both years": points == year1 + year2 + at_once,
        "B7.4 a point a county": seats["vp_counties_year2"] == seats["counties"],
        "B7.4 a point a building": (
            seats["vp_buildings_year2"] == seats.total(("palaces", "churches", "trading_posts"))
        ),
        "B7.6 wins of a game sum to one": np.isclose(shares.sum(axis=1), 1),
        "B7.6 the best win": wins == np.where(best, sharing[:, None], 0),
        "B7.6 winners": games["winners"] == sharing,
        "B7.6 the winner": games["winner"] == np.where(sharing == 1, best.argmax(axis=1), -1),
        "B7.6 ranks": seats["rank"] == 1 + (standing[:, None, :] > standing[:, :, None]).sum(axis=2),
        "the leader of year one": games["leader_year1"] == np.where(leads.sum(axis=1) == 1, leads.argmax(axis=1), -1),
        "the margin": games["vp_margin"] == ordered[:, -1] - ordered[:, -2],
        "the best points": games["vp_best"] == ordered[:, -1],
    }


def _order(seats, games, rules):
    cards = np.sort(np.stack([games[name] for name in EVENTS], axis=1), axis=1)
    done = seats.total(f"done_{action}" for action in ACTIONS)
    places = seats["place_total"]
    return {
        "B2.4 eight event cards": (cards >= 0) & (cards < 12),
        "B2.7 no event card twice": np.diff(cards, axis=1) > 0,
        "B2.6 every action box of six rounds is accounted for": done + seats["skipped"] + seats["passes"] == 60,
        "B2.6 each action once a round": np.stack([seats[f"done_{action}"] for action in ACTIONS]) <= 6,
        "B4.2 V1 an order of choosing each round": seats["choosing_total"].sum(axis=1)
        == 3 * rules.players * (rules.players + 1) * (rules.edition == "2e"),
        "B4.3 a place a round": (places >= 6) & (places <= 30),
        "B4.4 V1 a tile a round": seats.total(f"tile_{tile}" for tile in TILES) == 6 * (rules.edition == "2e"),
    }


def _cubes(seats, games, rules):
    armies, tower, tray = seats["armies"], seats["in_tower"], seats["in_tray"]
    peasants_inside = games["tower_end"] - tower.sum(axis=1)
    peasants_outside = games["tray_end"] - tray.sum(axis=1)
    battles = seats.total(("attacks", "revolts")).sum(axis=1)
    return {
        "B0.2 armies of a colour": (armies + tower + tray <= ARMIES_PER_PLAYER)
        & (armies >= 0)
        & (tower >= 0)
        & (tray >= 0),
        "B0.2 peasants": (
            (peasants_inside >= 0) & (peasants_outside >= 0) & (peasants_inside + peasants_outside <= PEASANT_ARMIES)
        ),
        "B6.11 an army in every own county": armies >= seats["counties"],
        "B1.6 what was thrown and did not fall is in the tower": (
            games["cubes_cast"] - games["cubes_fallen"] == games["tower_end"]
        ),
        "B1.6 the first fill": (games["tower_after_fill"] >= 0) & (games["tower_after_fill"] <= FILL[rules.players]),
        "B6.1 a cast a battle": games["casts"] == 1 + battles,
        "B6 attacks are suffered by those attacked": (
            np.stack([seats[column].sum(axis=1) for column in ON_SEATS[: rules.players]], axis=1)
            == seats["times_attacked"]
        ),
        "B6 an attack on a player is one on a seat": seats.total(ON_SEATS) == seats["attacks_on_players"],
        "B0.1 counties are owned or neutral": (
            seats["counties"].sum(axis=1) + games["neutral_end"] == IN_PLAY[rules.players]
        ),
        "B0.4 markers": (seats.total(("markers_placed", "favor_parried")) <= seats.total(("done_grain", "done_taxes"))),
        **{
            f"B5.3 E6 a {kind} was built or came as favor {favor}": (
                seats[f"{kind}s" if kind != "church" else "churches"].sum(axis=1)
                <= seats.total((f"done_{kind}", f"favor_{favor}")).sum(axis=1)
            )
            for kind, favor in (("palace", 21), ("church", 17), ("trading_post", 7))
        },
    }


def _parts(seats):
    """Counts that contain each other: (the parts, the whole or its parts)."""
    pairs = {
        "attacks by result": (("attacks_won", "attacks_tied"), "attacks"),
        "attacks on players": (("attacks_on_players",), "attacks"),
        "attacks on players won": (("attacks_on_players_won",), "attacks_on_players"),
        "attacks suffered and lost": (("times_attacked_lost",), "times_attacked"),
        "cards without money": (("skipped_money",), "skipped"),
        "armies behind combats": (("armies_behind_combats",), "armies_deployed"),
        "revolts lost": (("revolts_lost",), "revolts"),
        "revolts in winter": (("winter_revolts",), "revolts"),
        "revolts in winter lost": (("winter_revolts_lost",), "winter_revolts"),
        "shortages": (("shortages",), "shortage_units"),
        "grain gone": (("grain_over", "grain_winter"), ("grain", "favor_grain", "landsknecht_grain")),
        "revolts lost in winter": (("winter_revolts_lost",), "revolts_lost"),
        "attacks by card": (("attacks",), ("done_combat_a", "done_combat_b")),
        "markers taken away": (("markers_removed",), ("done_trading_post", "favor_7")),
    }
    whole_of = {name: (whole,) if isinstance(whole, str) else whole for name, (_, whole) in pairs.items()}
    result = {name: seats.total(parts) <= seats.total(whole_of[name]) for name, (parts, _) in pairs.items()}
    return result | {"B7.2 at most two shortages": seats["shortages"] <= 2}


def _seasons(seasons, seats, rules):
    grain, place, rounds = seasons["grain_held"], seasons["place"], seasons["season"] < 3
    apart, tiles_apart = (np.diff(np.sort(each, axis=2), axis=2) > 0 for each in (place, seasons["tile"]))
    year1 = seats.total(f"vp_{source}_year1" for source in SOURCES)
    at_once = seasons.total(("vp_favors", "vp_landsknechte")) + np.zeros_like(place)
    gained = np.diff(seasons["vp"], axis=1, prepend=0)
    every_count = [*seats.place][seats.place["vp_counties_year1"] :]
    return {
        "B2 the seasons of two years in order": (
            (seasons["year"] == np.repeat([1, 2], 4)[:, None]) & (seasons["season"] == np.tile(range(4), 2)[:, None])
        ),
        **{f"seasons add up: {name}": seasons[name].sum(axis=1) == seats[name] for name in every_count},
        "B0.6 the food track": (grain >= 0) & ((grain <= FOOD_TRACK) | (rules.food_track == "open")),
        "B4.3 nobody shares a place": apart | ~rounds[:, :, :1],
        "B4.4 V1 nobody shares a tile": tiles_apart | ~rounds[:, :, :1] | (rules.edition == "1e"),
        "A2 no more Thalers than there are, in any season": (
            rules.bank == 0 or seasons["thalers"].sum(axis=2) <= rules.bank
        ),
        "B0.2 armies of a colour, in any season": (
            seasons.total(("armies", "in_tower", "in_tray")) <= ARMIES_PER_PLAYER
        ),
        "B7.4 points of year one by source": seats["vp_year1"] == year1 + at_once[:, :4].sum(axis=1),
        "B7.4 points come in winter, but for those of favors and Landsknechte": (gained == at_once) | ~rounds,
        "B7.4 points after winter one": seasons["vp"][:, 3] == seats["vp_year1"],
        "B7.4 points after winter two": seasons["vp"][:, 7] == seats["vp"],
        "B6 attacks on leaders": seasons["attacks_on_leader"] <= seasons["attacks_on_players"],
        "B7.4 somebody leads, but in the first season": seasons["led"].max(axis=2) == (np.arange(8) > 0),
        "B0.3 free sites": (seasons["free_sites"] >= 0) & (seasons["free_sites"] <= 3 * seasons["counties"]),
    }
