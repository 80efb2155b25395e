"""Which seat a change was made for, in which round, and where it stood before."""

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run
from tests.refusals import refused
from wallsim.analysis.contrasts.groups import NONE_BEFORE, standings, treated_rounds, treated_seats
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES

GAMES, PLAYERS = 48, 4
SEATS = {"vp": np.zeros((GAMES, PLAYERS))}


def pairing(seasons=None, **facts):
    return paired_runs(planted_run("a", SEATS, seasons=seasons), planted_run("b", SEATS, **facts))


def test_a_line_up_may_sit_elsewhere_in_the_second_run():
    first, second = treated_seats(pairing(lineups=["B", "A", "C", "D"]), "A")
    assert (set(first), set(second)) == ({0}, {1})


@pytest.mark.parametrize(
    ("seat", "facts", "names"),
    [
        ("4", {}, ("seat: 4", "0 to 3")),
        ("E", {}, ('seat: "E"', "0 to 3, turn", "A, B, C, D")),
        ("A", {"setup": "draft"}, ("b: ", "draft")),
    ],
)
def test_other_seats_are_refused(seat, facts, names):
    with refused(*names):
        treated_seats(pairing(**facts), seat)


def test_every_seat_meets_every_round_once_in_a_row_of_games():
    both = pairing()
    seats, rounds = treated_seats(both, "turn")[0], treated_rounds(both, "turn")
    names = [SEASON_NAMES[place] for place in rounds]
    row = 6 * PLAYERS
    assert len(set(zip(seats[:row], names[:row], strict=True))) == row
    assert set(names) == set(ROUND_NAMES)
    assert set(treated_rounds(both, "winter 1")) == {3}
    with refused('round: "autumn"', "spring 1, "):
        treated_rounds(both, "autumn")


def test_a_standing_is_that_before_the_moment_of_the_game():
    points = np.random.default_rng(1).random((GAMES, len(SEASON_NAMES), PLAYERS))
    points[:, 1] = [5, 9, 9, 2]  # after summer 1
    result = standings(pairing({"vp_with_board": points}), np.full(GAMES, SEASON_NAMES.index("fall 1")))
    assert result.tolist() == [[3, 1, 1, 4]] * GAMES
    points = np.random.default_rng(3).permuted(np.tile(np.arange(4.0), (GAMES, len(SEASON_NAMES), 1)), axis=2)
    both = pairing({"vp_with_board": points})
    moments = treated_rounds(both, "turn")
    result = standings(both, moments)
    for game, moment in enumerate(moments):
        expected = [NONE_BEFORE] * PLAYERS if moment == 0 else (4 - points[game, moment - 1]).tolist()
        assert result[game].tolist() == expected
