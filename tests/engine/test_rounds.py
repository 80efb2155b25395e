"""Whole games: what must hold between the numbers of the result tables, whatever happened."""

import numpy as np
import pytest

from tests.engine.invariants import broken_rules
from tests.naive.making import BOARD
from tests.naive.table import KINDS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTIONS, TILES

THALERS = {3: 18, 4: 15, 5: 12}  # B1.1
FILL = {3: 31, 4: 38, 5: 45}  # B1.6
IN_PLAY = {3: 37, 4: 45, 5: 45}  # B0.1
SOURCES = ("counties", "buildings", "palace_majorities", "church_majorities", "trading_post_majorities")
PAID = ("bids", "palace", "church", "trading_post", "deploy5", "deploy3", "deploy1")
DONE = [f"done_{action}" for action in ACTIONS]
EVENTS = [f"event_{season}_year{year}" for year in (1, 2) for season in ("spring", "summer", "fall")]


def by_game(played, column):
    """A column of the seats table as a matrix [games, seats]."""
    return played.seats[column].reshape(played.count, played.rules.players)


def test_every_seat_of_a_game_has_its_row(played):
    players = played.rules.players
    assert len(played.games) == played.count
    assert list(played.seats["seat"]) == [*range(players)] * played.count
    # Battles are numbered by their game within the range; the other rows stand in the order of the games.
    fought = np.bincount(played.battles["game"], minlength=played.count)
    assert list(fought) == list(played.games["casts"] - 1)


def test_no_game_breaks_a_rule(played):
    assert broken_rules(played.tables, played.rules) == []


def test_victory_points_are_the_sum_of_their_sources(played):  # B7.4 E6 L1 M5
    shape = (played.count, 2, 4, played.rules.players)
    at_once = (played.seasons.count("vp_favors") + played.seasons.count("vp_landsknechte")).reshape(shape).sum(axis=2)
    for year in (1, 2):
        sources = [*SOURCES, *["statues", "trophies"] * ("leaders" in played.rules.expansions)]
        points = played.seats.total(f"vp_{source}_year{year}" for source in sources) + at_once[:, year - 1].ravel()
        before = played.seats["vp_year1"] if year == 2 else 0
        after = played.seats["vp_year1"] if year == 1 else played.seats["vp"]
        assert (points + before == after).all()


def test_points_for_counties_and_buildings_of_the_second_year_are_those_held_at_the_end(played):  # B7.4
    assert (played.seats["vp_counties_year2"] == played.seats["counties"]).all()
    buildings = played.seats.total(("palaces", "churches", "trading_posts"))
    assert (played.seats["vp_buildings_year2"] == buildings).all()


def test_thalers_are_what_was_there_plus_taxes_minus_payments(played):  # B0.7 B1.1 B5.2
    gifts = played.seats.total(("favor_thalers", "landsknecht_thalers"))
    income = played.seats["taxes"] + gifts - played.seats.total(f"paid_{kind}" for kind in PAID)
    assert (played.seats["thalers"] == THALERS[played.rules.players] + income).all()
    assert (played.seats["thalers"] >= 0).all()


def test_prices_are_those_of_the_rules(played):  # B5.3 B5.6 B5.7 M2
    prices = {"palace": 3, "church": 2, "trading_post": 1, "deploy5": 3, "deploy3": 2, "deploy1": 1}
    for kind, price in prices.items():
        done = played.seats[f"done_{kind}"]
        rebate = price * done - played.seats[f"paid_{kind}"]
        assert (rebate >= 0).all()
        assert (rebate <= done * (kind in KINDS and "leaders" in played.rules.expansions)).all()
    favors = {"palace": 21, "church": 17, "trading_post": 7}
    for kind, column in zip(KINDS, ("palaces", "churches", "trading_posts"), strict=True):
        given = played.seats.count(f"favor_{favors[kind]}").reshape(-1, played.rules.players).sum(axis=1)
        built = by_game(played, f"done_{kind}").sum(axis=1) + given
        assert (by_game(played, column).sum(axis=1) <= built).all()


def test_every_action_box_of_six_rounds_is_accounted_for(played):  # B2.6 B3.2
    assert (played.seats.total([*DONE, "skipped", "passes"]) == 60).all()
    assert (played.seats.total(DONE) <= 60).all()


def test_armies_on_the_board_are_those_deployed_less_those_lost_or_thrown(played):  # B0.2
    armies = played.seats.total(("armies", "in_tower", "in_tray"))
    assert (armies <= 62).all()
    assert (played.seats["armies"] >= played.seats["counties"]).all()  # B6.11


def test_wins_share_one_point_among_the_best(played):  # B7.6
    wins, ranks = by_game(played, "win"), by_game(played, "rank")
    points, thalers = by_game(played, "vp"), by_game(played, "thalers")
    for game in range(played.count):
        standing = [(points[game, seat], thalers[game, seat]) for seat in range(played.rules.players)]
        winners = [seat for seat, value in enumerate(standing) if value == max(standing)]
        assert list(np.flatnonzero(wins[game])) == winners
        assert sum(1 / wins[game, seat] for seat in winners) == pytest.approx(1)
        assert list(ranks[game]) == [1 + sum(other > own for other in standing) for own in standing]
        assert played.games["winners"][game] == len(winners)
        assert played.games["winner"][game] == (winners[0] if len(winners) == 1 else -1)
        ordered = sorted(points[game])
        assert played.games["vp_best"][game] == ordered[-1]
        assert played.games["vp_margin"][game] == ordered[-1] - ordered[-2]


def test_the_leader_after_year_one_is_the_only_best_seat(played):
    for points, leader in zip(by_game(played, "vp_year1"), played.games["leader_year1"], strict=True):
        best = np.flatnonzero(points == points.max())
        assert leader == (best[0] if len(best) == 1 else -1)


def test_no_event_card_comes_twice(played):  # B1.8 B2.4 B2.7 B7.5
    cards = np.array([played.games[name] for name in [*EVENTS, "winter_event_year1", "winter_event_year2"]]).T
    assert ((cards >= 0) & (cards < 12)).all()
    assert all(len(set(row)) == 8 for row in cards)


def test_the_tower_is_filled_once_and_never_emptied(played):  # B1.6 B6.1
    players = played.rules.players
    games, seats = played.games, played.seats
    battles = seats.total(("attacks", "revolts")).reshape(-1, players).sum(axis=1)
    assert (games["casts"] == 1 + battles).all()
    assert (games["tower_after_fill"] <= FILL[players]).all()
    assert (games["cubes_cast"] - games["cubes_fallen"] == games["tower_end"]).all()


def test_counties_are_owned_or_neutral(played):  # B0.1 B1.5
    owned = by_game(played, "counties").sum(axis=1)
    assert (owned + played.games["neutral_end"] == IN_PLAY[played.rules.players]).all()


def test_every_round_every_seat_has_a_place_and_a_tile(played):  # B4.3 V1
    tiles = played.rules.edition == "2e"
    assert (played.seats.total(f"tile_{tile}" for tile in TILES) == 6 * tiles).all()
    places = played.seats["place_total"]
    assert ((places >= 6) & (places <= (30 if tiles else 6 * played.rules.players))).all()
    rounds = played.seasons["season"] < 3
    assert tiles or (played.seasons["tile"] == -1).all()
    for column in ("place", "tile") if tiles else ("place",):
        values = played.seasons[column][rounds].reshape(-1, played.rules.players)
        assert all(len(set(row)) == played.rules.players for row in values)


def test_grain_and_markers_stay_within_their_limits(played):  # B0.4 B0.6
    assert (played.seasons["grain_held"] <= 18).all()
    assert (played.seasons["grain_held"] >= 0).all()
    placed, removed = played.seats["markers_placed"], played.seats["markers_removed"]
    assert (placed <= played.seats.total(("done_grain", "done_taxes"))).all()
    assert (removed <= played.seats["done_trading_post"] + played.seats.count("favor_7")).all()


def test_counts_of_battles_contain_each_other(played):  # B6
    seats, players = played.seats, played.rules.players
    assert (seats["attacks_won"] + seats["attacks_tied"] <= seats["attacks"]).all()
    assert (seats["attacks_on_players_won"] <= seats["attacks_on_players"]).all()
    assert (seats["winter_revolts"] <= seats["revolts"]).all()
    assert (seats["winter_revolts_lost"] <= seats["revolts_lost"]).all()
    assert (seats["attacks"] <= seats.total(("done_combat_a", "done_combat_b"))).all()
    made = seats["attacks_on_players"].reshape(-1, players).sum(axis=1)
    suffered = seats["times_attacked"].reshape(-1, players).sum(axis=1)
    assert (made == suffered).all()
    assert (seats["shortages"] <= 2).all()


def test_seasons_come_in_the_order_of_the_years(played):  # B2 B7
    shape = (played.count, 2, 4, played.rules.players)
    year, season, seat = (played.seasons[name].reshape(shape) for name in ("year", "season", "seat"))
    assert (year == np.arange(1, 3)[None, :, None, None]).all()
    assert (season == np.arange(4)[None, None, :, None]).all()
    assert (seat == np.arange(played.rules.players)).all()


def test_seasons_add_up_to_the_game(played):
    last = played.seasons.matrix.reshape(played.count, 8, played.rules.players, -1)
    for name in played.seats.names[played.seats.names.index("vp_counties_year1") :]:  # every count
        column = played.seasons.names.index(name)
        assert (last[..., column].sum(axis=1).ravel() == played.seats[name]).all()
    column = played.seasons.names.index("vp")
    assert (last[:, 7, :, column].ravel() == played.seats["vp"]).all()
    assert (last[:, 3, :, column].ravel() == played.seats["vp_year1"]).all()


def test_counties_collect_what_their_numbers_events_tile_and_leader_allow(played):  # B4.4 B5.4 M2
    more = (played.rules.edition == "2e") + ("leaders" in played.rules.expansions)
    for action, most in (("taxes", BOARD.tax.max()), ("grain", BOARD.grain.max())):
        assert (played.seats[action] <= (most + more) * played.seats[f"done_{action}"]).all()
        assert (played.seats[action] >= 2 * played.seats[f"done_{action}"]).all()


def test_battle_rows_agree_with_the_seats(played):  # B6
    battles, seats = played.battles, played.seats
    in_revolt = battles["attacker"] < 0
    assert in_revolt.sum() == seats["revolts"].sum()
    assert (~in_revolt).sum() == seats["attacks"].sum()
    assert (battles["result"][~in_revolt] == 0).sum() == seats["attacks_won"].sum()
    assert (battles["result"][in_revolt] != 1).sum() == seats["revolts_lost"].sum()  # a tie loses as well
    engaged = battles.total(("engaged_attacker", "engaged_defender"))
    assert (battles["cubes_cast"] == engaged + battles["tray_before"]).all()
    assert (battles["survivors"] >= 0).all()
    held = (battles["result"] == 1) & (battles["defender"] >= 0)
    level = battles["attackers_out"] == battles["defenders_out"]
    assert (level[in_revolt] == (battles["result"][in_revolt] == 2)).all()  # B6.10
    by_peasants = battles["defenders_out"] == 0  # armies that stood aside hold the county [A13]
    assert (battles["survivors"][held & ~by_peasants] >= 1).all()
    assert (battles["survivors"][held & by_peasants] == 0).all()
    assert (battles["survivors"][(battles["result"] == 0) & ~in_revolt] >= 1).all()
    assert (battles["survivors"][battles["result"] == 2] == 0).all()


# -------------------------------------------------------------------------------------------- reproducibility


def test_a_game_is_the_same_whatever_was_played_before(played):
    first = min(3, played.count - 1)
    alone = played.arena.play(first, 1)
    players = played.rules.players
    assert (alone.games[0] == played.games.matrix[first]).all()
    assert (alone.seats == played.seats.matrix[first * players : (first + 1) * players]).all()
    assert alone.seasons.shape[0] == alone.battles.shape[0] == 0


def test_the_tables_do_not_depend_on_what_else_is_recorded(played):
    plain = played.arena.play(0, min(2, played.count))
    assert (plain.games == played.games.matrix[: len(plain.games)]).all()
    assert (plain.seats == played.seats.matrix[: len(plain.seats)]).all()


def test_other_games_and_other_seeds_differ(make_arena):
    one, other = make_arena(Ruleset(players=4), 1), make_arena(Ruleset(players=4), 2)
    first, second = one.play(0, 2).seats, other.play(0, 2).seats
    assert (first[:4] != first[4:]).any()
    assert (first != second).any()


def test_lineups_change_seats_with_their_letters(make_arena):  # B1.3
    usual = make_arena(Ruleset(players=3)).trace(0).snapshots[0]
    turned = make_arena(Ruleset(players=3, lineups=("C", "A", "B"))).trace(0).snapshots[0]
    assert [int(turned.land[seat]) for seat in (1, 2, 0)] == [int(usual.land[seat]) for seat in range(3)]
