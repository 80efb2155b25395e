"""Whole games: what must hold between the numbers of the result tables, whatever happened."""

import numpy as np

from tests.engine.invariants import broken_rules
from tests.naive.making import BOARD
from tests.policies.seating import arena_of
from wallsim.policies.catalogue import load_policy


def test_every_seat_of_a_game_has_its_row(played):
    games, seats = played.columns("games"), played.columns("seats")
    assert len(played.tables.games) == played.count
    assert (seats["seat"] == np.arange(played.rules.players)).all()
    # Battles are numbered by their game within the range; the other rows stand in the order of the games.
    fought = np.bincount(played.columns("battles")["game"], minlength=played.count)
    assert list(fought) == list(games["casts"] - 1)


def test_no_game_breaks_a_rule(played):
    assert broken_rules(played.tables, played.rules) == []


def test_seasons_come_in_the_order_of_the_years(played):  # B2 B7
    seasons = played.columns("seasons")
    assert (seasons["year"] == np.repeat([1, 2], 4)[:, None]).all()
    assert (seasons["season"] == np.tile(range(4), 2)[:, None]).all()
    assert (seasons["seat"] == np.arange(played.rules.players)).all()


def test_seasons_add_up_to_the_game(played):
    seats, seasons = played.columns("seats"), played.columns("seasons")
    for name in [*seats.place][seats.place["vp_counties_year1"] :]:  # every count
        assert (seasons[name].sum(axis=1) == seats[name]).all(), name


def test_counties_collect_what_their_numbers_events_tile_and_leader_allow(played):  # B4.4 B5.4 M2
    seats = played.columns("seats")
    more = (played.rules.edition == "2e") + ("leaders" in played.rules.expansions)
    for action, most in (("taxes", BOARD.tax.max()), ("grain", BOARD.grain.max())):
        assert (seats[action] <= (most + more) * seats[f"done_{action}"]).all()
        assert (seats[action] >= 2 * seats[f"done_{action}"]).all()


def test_battle_rows_agree_with_the_seats(played):  # B6
    battles, seats = played.columns("battles"), played.columns("seats")
    result, survivors, in_revolt = battles["result"], battles["survivors"], battles["attacker"] < 0
    assert in_revolt.sum() == seats["revolts"].sum()
    assert (~in_revolt).sum() == seats["attacks"].sum()
    assert (result[~in_revolt] == 0).sum() == seats["attacks_won"].sum()
    assert (result[in_revolt] != 1).sum() == seats["revolts_lost"].sum()  # a tie loses as well
    engaged = battles.total(("engaged_attacker", "engaged_defender"))
    assert (battles["cubes_cast"] == engaged + battles["tray_before"]).all()
    assert (survivors >= 0).all()
    held = (result == 1) & (battles["defender"] >= 0)
    level = battles["attackers_out"] == battles["defenders_out"]
    assert (level[in_revolt] == (result[in_revolt] == 2)).all()  # B6.10
    by_peasants = battles["defenders_out"] == 0  # armies that stood aside hold the county [A13]
    assert (survivors[held & ~by_peasants] >= 1).all()
    assert (survivors[held & by_peasants] == 0).all()
    assert (survivors[(result == 0) & ~in_revolt] >= 1).all()
    assert (survivors[result == 2] == 0).all()


# -------------------------------------------------------------------------------------------- reproducibility


def test_a_game_is_the_same_alone_in_a_batch_and_whatever_else_is_recorded(played):
    """The streams of chance of a game depend on its number alone."""
    for number in {0, min(3, played.count - 1)}:
        alone = played.arena.play(number, 1)
        players = played.rules.players
        assert (alone.games[0] == played.tables.games[number]).all()
        assert (alone.seats == played.tables.seats[number * players : (number + 1) * players]).all()
        assert len(alone.seasons) == len(alone.battles) == 0


def test_other_games_and_other_seeds_differ():
    first, second = (arena_of(4, "lineup", load_policy("random"), seed=seed).play(0, 2).seats for seed in (1, 2))
    assert (first[:4] != first[4:]).any()
    assert (first != second).any()


def test_lineups_change_seats_with_their_letters():  # B1.3
    usual, turned = (
        arena_of(3, "lineup", load_policy("random"), lineups=letters).trace(0).snapshots[0]
        for letters in (("A", "B", "C"), ("C", "A", "B"))
    )
    assert [int(turned.land[seat]) for seat in (1, 2, 0)] == [int(usual.land[seat]) for seat in range(3)]
