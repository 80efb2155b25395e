"""Comparisons of planted runs: the treated seat, the others, the table, its spread, and every split."""

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run, wins_of
from tests.refusals import assert_names, refused
from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.contrast import DEVIATION, EACH, MARGIN, OTHERS, TABLE, TREATED
from wallsim.analysis.contrasts.groups import NONE_BEFORE, standings, treated_rounds, treated_seats
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES

GAMES, PLAYERS = 480, 4
VP = np.random.default_rng(51).integers(20, 60, (GAMES, PLAYERS)).astype(float)
TURN = np.arange(GAMES)[:, None] % PLAYERS == np.arange(PLAYERS)


def runs(change, *, seasons=None, seasons_after=None, **facts):
    """Two runs of the same games; the second has `change`, [games, seats], added to its victory points."""
    return paired_runs(
        planted_run("a", {"vp": VP, "win": wins_of(VP), "thalers": VP % 7}, seasons=seasons),
        planted_run("b", {"vp": VP + change, "win": wins_of(VP + change), "thalers": VP % 7},
                    seasons=seasons if seasons_after is None else seasons_after, **facts),
    )  # fmt: skip


def change_of(result, who, column="vp", group=""):
    (one,) = [each for each in result.contrasts if (each.who, each.column, each.group) == (who, column, group)]
    return one.change.value


@pytest.mark.parametrize(("seat", "treated"), [("1", np.eye(PLAYERS)[1]), ("turn", TURN), ("B", np.eye(PLAYERS)[1])])
def test_a_point_for_the_treated_seat_is_found_where_it_was_given(seat, treated):
    result = compare(runs(np.ones((GAMES, 1)) * treated), seat, columns=("win", "vp", "thalers"))
    assert change_of(result, TREATED) == pytest.approx(1)
    assert change_of(result, OTHERS) == pytest.approx(0)
    assert change_of(result, TABLE) == pytest.approx(1 / PLAYERS)
    assert change_of(result, TREATED, "win") > 0
    assert not [each for each in result.contrasts if each.column == "win" and each.who != TREATED]
    assert {each.same for each in result.contrasts if each.column == "thalers"} == {True}
    assert result.confidence.n_comparisons == len(result.contrasts) == len(result.p_values())


def test_the_spread_is_between_the_seats_of_a_table():
    result = compare(runs(VP), columns=("vp",))  # twice the points: twice the spread
    assert change_of(result, DEVIATION) == pytest.approx(VP.std(axis=1).mean())
    assert change_of(result, MARGIN) == pytest.approx((VP.max(axis=1) - VP.min(axis=1)).mean())


def test_without_a_treated_seat_each_has_its_rows():
    result = compare(runs(np.arange(PLAYERS) * np.ones((GAMES, 1))), columns=("win", "vp"))
    for seat in range(PLAYERS):
        assert change_of(result, EACH, "vp", f"seat {seat}") == pytest.approx(seat)
    assert sum(change_of(result, EACH, "win", f"seat {seat}") for seat in range(PLAYERS)) == pytest.approx(0)
    by_lineup = compare(runs(np.arange(PLAYERS) * np.ones((GAMES, 1))), by="lineup")
    assert change_of(by_lineup, EACH, "vp", "line-up D") == pytest.approx(3)


def test_splits_by_seat_and_by_the_round_of_the_change_take_their_games_alone():
    rounds = np.arange(GAMES)[:, None] // PLAYERS % len(ROUND_NAMES)
    pairing = runs(TURN * (1.0 + rounds + 10 * np.arange(PLAYERS)))
    by_seat = compare(pairing, "turn", "seat", columns=("vp",))
    for seat in range(PLAYERS):
        assert change_of(by_seat, TREATED, group=f"seat {seat}") == pytest.approx(3.5 + 10 * seat)
    by_round = compare(pairing, "turn", "round", "turn", columns=("vp",))
    for place, name in enumerate(ROUND_NAMES):
        assert change_of(by_round, TREATED, group=name) == pytest.approx(1 + place + 15)
        assert change_of(by_round, OTHERS, group=name) == pytest.approx(0)


def test_a_split_by_standing_takes_that_before_the_change():
    points = np.random.default_rng(52).permuted(np.tile(np.arange(4.0), (GAMES, len(SEASON_NAMES), 1)), axis=2)
    seasons = {"vp_with_board": points, "thalers": points}
    before = 4 - points[:, SEASON_NAMES.index("summer 1")]
    treated = np.eye(PLAYERS)[2]
    after = {"vp_with_board": points[::-1], "thalers": points}  # the second run's standings are not read
    pairing = runs(before * treated, seasons=seasons, seasons_after=after)
    result = compare(pairing, "2", "standing", "fall 1", columns=("vp",))
    for standing in range(1, PLAYERS + 1):
        assert change_of(result, TREATED, group=f"standing {standing}") == pytest.approx(standing)
    (note,) = result.notes
    assert_names(note, "in A", "before fall 1")
    of_all = compare(runs(before, seasons=seasons), by="standing", moment="fall 1")
    assert change_of(of_all, EACH, group="standing 4") == pytest.approx(4)


def test_games_changed_in_the_first_round_have_no_standing_and_that_is_reported():
    seasons = {"vp_with_board": np.random.default_rng(53).random((GAMES, len(SEASON_NAMES), PLAYERS))}
    result = compare(runs(TURN, seasons=seasons), "turn", "standing", "turn", columns=("vp",))
    assert sum(each.counted for each in result.contrasts if each.who == TREATED) == GAMES * 5 / 6
    assert any("spring 1 are excluded" in note for note in result.notes)
    with refused("before round 1"):
        compare(runs(TURN, seasons=seasons), "turn", "standing", "spring 1")


def test_by_round_the_columns_are_those_of_the_seasons():
    points = np.random.default_rng(54).random((GAMES, len(SEASON_NAMES), PLAYERS))
    after = points + np.arange(len(SEASON_NAMES))[:, None] * np.eye(PLAYERS)[0]
    both = {"vp_with_board": points, "thalers": points}, {"vp_with_board": after, "thalers": points}
    pairing = runs(0 * VP, seasons=both[0], seasons_after=both[1])
    result = compare(pairing, "0", "round")
    for place, name in enumerate(SEASON_NAMES):
        assert change_of(result, TREATED, "vp_with_board", name) == pytest.approx(place)
        assert change_of(result, TABLE, "vp_with_board", name) == pytest.approx(place / PLAYERS)
    assert {each.who for each in compare(pairing, by="round").contrasts} == {TABLE, DEVIATION, MARGIN}


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"by": "colour"}, ('by: "colour"', "seat, lineup, round, standing")),
        ({"by": "standing", "seat": "0"}, ("round: none", "standing", "moment")),
        ({"moment": "turn"}, ("round: turn", "round or standing")),
        ({"by": "round", "moment": "fall 1", "seat": "0"}, ("round: fall 1", "only turn")),
        ({"by": "round", "moment": "turn"}, ("seat: none", "round")),
        ({"by": "round"}, ("a: ", "'seasons'")),
        ({"columns": ("vpp", "policy")}, ("columns: vpp", "seats", "did you mean vp")),
        ({"columns": ("game",)}, ("columns: game", "seats")),
    ],
)
def test_what_these_runs_do_not_have_is_refused(arguments, names):
    columns = {} if arguments.get("by") == "round" else {"columns": ("vp",)}
    with refused(*names):
        compare(runs(TURN), **{**columns, **arguments})


# ----------------------------------------------------------------------------- treated seats, rounds and standings


def same_runs(seasons=None, **facts):
    """Two runs without a change, of which the first has these seasons, and the second other facts."""
    return paired_runs(planted_run("a", {"vp": VP}, seasons=seasons), planted_run("b", {"vp": VP}, **facts))


def test_a_line_up_may_sit_elsewhere_in_the_second_run():
    first, second = treated_seats(same_runs(lineups=["B", "A", "C", "D"]), "A")
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
        treated_seats(same_runs(**facts), seat)


def test_every_seat_meets_every_round_once_in_a_row_of_games():
    both = same_runs()
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
    result = standings(same_runs({"vp_with_board": points}), np.full(GAMES, SEASON_NAMES.index("fall 1")))
    assert result.tolist() == [[3, 1, 1, 4]] * GAMES
    points = np.random.default_rng(3).permuted(np.tile(np.arange(4.0), (GAMES, len(SEASON_NAMES), 1)), axis=2)
    both = same_runs({"vp_with_board": points})
    moments = treated_rounds(both, "turn")
    result = standings(both, moments)
    for game, moment in enumerate(moments):
        expected = [NONE_BEFORE] * PLAYERS if moment == 0 else (4 - points[game, moment - 1]).tolist()
        assert result[game].tolist() == expected
