"""Whole games: what must hold between the numbers of the result tables, whatever happened."""

import numpy as np

from tests.engine.invariants import broken_rules


def test_every_seat_of_a_game_has_its_row(played):
    games, seats = played.columns("games"), played.columns("seats")
    assert len(played.tables.games) == played.count
    assert (seats["seat"] == np.arange(played.rules.players)).all()
    # Battles are numbered by their game within the range; the other rows stand in the order of the games.
    fought = np.bincount(played.columns("battles")["game"], minlength=played.count)
    assert list(fought) == list(games["casts"] - 1)


def test_no_game_breaks_a_rule(played):
    assert broken_rules(played.tables, played.rules) == []


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


def test_a_game_is_the_same_alone_in_a_batch_and_whatever_else_is_recorded(played):
    """The streams of chance of a game depend on its number alone."""
    players, whole = played.rules.players, played.tables
    for number in {0, min(3, played.count - 1), played.count - 1}:
        alone = played.arena.play(number, 1, seasons=True, battles=True)
        for name, rows in (("games", 1), ("seats", players), ("seasons", 8 * players)):
            own = getattr(whole, name)[number * rows : (number + 1) * rows, 1:]
            assert np.array_equal(getattr(alone, name)[:, 1:], own)
        assert np.array_equal(alone.battles[:, 1:], whole.battles[whole.battles[:, 0] == number, 1:])
        little = played.arena.play(number, 1)
        assert np.array_equal(little.games, whole.games[number : number + 1])
        assert np.array_equal(little.seats, whole.seats[number * players : (number + 1) * players])
        assert len(little.seasons) == len(little.battles) == 0
