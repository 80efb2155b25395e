"""Remarkable games of a run: each is the extreme of its kind, counted in another way, and what is missing is said."""

import polars as pl
import pytest

import wallsim
from tests.refusals import refused
from wallsim.analysis.games.remarkable import KINDS, remarkable_game

MIXED = {"players": 3, "policies": ["casual", "balanced", "random"], "games": 60, "seed": 4}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return wallsim.play(wallsim.Experiment(**MIXED), tmp_path_factory.mktemp("plain") / "run")


@pytest.fixture(scope="module")
def detailed(tmp_path_factory):
    experiment = wallsim.Experiment(**MIXED, seasons=True, battles=True)
    return wallsim.play(experiment, tmp_path_factory.mktemp("detailed") / "run")


def alone(run):
    """The games that one seat won, with its row, as dictionaries."""
    games = run.scan("games").collect().rows(named=True)
    seats = {(row["game"], row["seat"]): row for row in run.scan("seats").collect().rows(named=True)}
    return [(game, seats[game["game"], game["winner"]], seats) for game in games if game["winner"] is not None]


def test_a_comeback_is_from_the_largest_deficit_after_year_one(run):
    def behind(game, own, seats):
        return max(seats[game["game"], seat]["vp_year1"] for seat in range(3)) - own["vp_year1"]

    most = max(behind(*each) for each in alone(run))
    first = min(game["game"] for game, own, seats in alone(run) if behind(game, own, seats) == most)
    assert remarkable_game(run, "comeback").game == first
    assert most > 0


def test_with_seasons_a_comeback_is_from_any_of_them_but_the_last(detailed):
    rows = detailed.scan("seasons").collect().rows(named=True)
    winners = {game["game"]: game["winner"] for game, _, _ in alone(detailed)}
    best, own = {}, {}
    for row in rows:
        key = (row["game"], row["year"], row["season"])
        if key[1:] != (2, "winter"):
            best[key] = max(best.get(key, -1), row["vp_with_board"])
            if winners.get(row["game"]) == row["seat"]:
                own[key] = row["vp_with_board"]
    most = max(best[key] - points for key, points in own.items())
    first = min(key[0] for key, points in own.items() if best[key] - points == most)
    assert remarkable_game(detailed, "comeback").game == first


@pytest.mark.parametrize(("policies", "who"), [(MIXED["policies"], "policy"), ("balanced", "seat")])
def test_an_upset_is_a_clear_win_of_who_wins_least_a_bot_or_among_equals_a_seat(policies, who, tmp_path):
    run = wallsim.play(wallsim.Experiment(**{**MIXED, "policies": policies}), tmp_path / "run")
    shares = {}
    for row in run.scan("seats").collect().rows(named=True):
        shares.setdefault(row[who], []).append(row["win"])
    least = min({own[who] for _, own, _ in alone(run)}, key=lambda one: sum(shares[one]) / len(shares[one]))
    wins = [(game["vp_margin"], -game["game"]) for game, own, _ in alone(run) if own[who] == least]
    assert remarkable_game(run, "upset").game == -max(wins)[1]


def test_the_closest_game_has_the_smallest_gap(run):
    gaps = []
    for game in range(MIXED["games"]):
        rows = run.scan("seats").filter(pl.col("game") == game).collect().rows(named=True)
        (one, purse), (other, second) = sorted(((row["vp"], row["thalers"]) for row in rows), reverse=True)[:2]
        gaps.append((one - other, abs(purse - second), game))
    assert remarkable_game(run, "closest").game == min(gaps)[2]


def test_luck_is_of_the_winner_beyond_battles_alike(detailed):
    rows = detailed.scan("battles").collect().rows(named=True)
    alike = {}
    for row in rows:
        alike.setdefault((row["kind"], row["engaged_attacker"], row["engaged_defender"]), []).append(row)
    luck = {}
    for same in alike.values():
        for side in ("attacker", "defender"):
            mean = sum(row["result"] == side for row in same) / len(same)
            for row in same:
                if row[side] is not None:
                    key = (row["game"], row[side])
                    luck[key] = luck.get(key, 0.0) + (row["result"] == side) - mean
    winners = {game["game"]: luck.get((game["game"], game["winner"]), 0.0) for game, _, _ in alone(detailed)}
    assert remarkable_game(detailed, "luck").game == max(winners, key=winners.get)


def test_what_is_missing_is_named(run, tmp_path):
    few = wallsim.play(wallsim.Experiment(**MIXED, columns="lean"), tmp_path / "few")
    for played, kind, names in (
        (run, "luck", ("remarkable: luck", "battles", "--battles")),
        (run, "fun", ("remarkable: 'fun'", ", ".join(KINDS))),
        (few, "closest", ("remarkable: closest", "thalers", "seats")),
    ):
        with refused(*names):
            remarkable_game(played, kind)
