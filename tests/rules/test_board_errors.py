"""Errors of cards and chart are named by file, line and column, and all errors of a folder at once."""

import pickle

import pytest

from wallsim.rules.board import BoardError, Problem, load_board


def test_the_shipped_board_has_no_error(folder):
    assert folder.errors() == []


# --- events, supply chart, expansions ---------------------------------------------------------------------


def test_eleven_events_are_an_error(folder):  # B0.5
    folder.drop("events.csv", "small_levies")
    error = folder.only_error()
    assert error[:3] == ("events.csv", 12, "event")
    assert "exactly 12" in error.text


def test_two_events_of_one_name_are_an_error(folder):  # B0.5
    line = folder.replace("events.csv", "palace_guard_6,", "palace_guard_2,")
    error = folder.only_error()
    assert error[:3] == ("events.csv", line, "event")
    assert "'palace_guard_2'" in error.text


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("1,1,1,1", "2,2,1,1", 2, "shortage_from"),  # no range for 1; the next row then overlaps
        ("3,4,2,2", "4,4,2,2", 4, "shortage_from"),
        ("3,4,2,2", "2,4,2,2", 4, "shortage_from"),
        ("5,6,2,3", "5,4,2,3", 5, "shortage_to"),
        ("5,6,2,3", "5,,2,3", 5, "shortage_to"),
        ("7,,3,3", "7,9,3,3", 6, "shortage_to"),
    ],
)
def test_the_supply_chart_has_no_gaps_and_an_open_end(folder, old, new, line, column):  # B7.2
    folder.replace("supply_chart.csv", old, new)
    assert ("supply_chart.csv", line, column) in folder.places()


def test_an_empty_supply_chart_is_an_error(folder):  # B7.2
    folder.write("supply_chart.csv", folder.lines("supply_chart.csv")[:1])
    assert folder.only_error()[:3] == ("supply_chart.csv", 1, "shortage_from")


def test_twenty_favors_and_a_number_met_twice_are_errors(folder):  # E2
    line = folder.replace("favors.csv", "21,free", "20,free")
    assert folder.only_error()[:3] == ("favors.csv", line, "number")
    folder.drop("favors.csv", "20,free")
    assert "exactly 21" in folder.only_error().text


def test_five_landsknecht_cards_are_an_error(folder):  # L1
    line = folder.add("landsknechte.csv", "4,1,1,1,1,own")
    assert folder.places() == {("landsknechte.csv", line, "card")}


# --- all at once ------------------------------------------------------------------------------------------


def spoil(folder):
    folder.replace("counties.csv", "Altmark,Brandenburg,6", "Altmark,Brandenburg,60")
    folder.add("borders.csv", "Altmark,Altmark")
    folder.replace("lineups.csv", "3,A,Anhalt", "3,A,Tirol")
    folder.replace("events.csv", "tax_max_5,tax_max_5", "tax_max_5,tax_max_7")
    (folder.path / "favors.csv").unlink()


def test_all_errors_are_reported_together_in_the_order_of_files_and_lines(folder):
    spoil(folder)
    assert [error[:3] for error in folder.errors()] == [
        ("counties.csv", 2, "tax"),
        ("borders.csv", 116, "county_b"),
        ("lineups.csv", 10, "county"),
        ("events.csv", 6, "effect"),
        ("favors.csv", 0, ""),
    ]


def test_loading_raises_all_errors_and_prints_each_on_a_line(folder):
    spoil(folder)
    with pytest.raises(BoardError) as caught:
        load_board(folder.path)
    assert caught.value.errors == folder.errors()
    first, *lines = str(caught.value).splitlines()
    assert first == "the board has 5 errors:"
    assert lines[0] == ("counties.csv, line 2, column tax: '60' is not allowed; it must be a whole number from 1 to 9")
    assert lines[4].startswith("favors.csv: missing file")


def test_the_error_survives_the_way_to_another_process(folder):
    error = BoardError([Problem("counties.csv", 2, "tax", "wrong")])
    assert pickle.loads(pickle.dumps(error)).errors == error.errors


# --- line-ups, which a draft does not need ----------------------------------------------------------------


def test_a_board_may_have_no_line_ups(folder):  # B1.3, B1.4
    (folder.path / "lineups.csv").unlink()
    assert folder.errors() == []
    assert load_board(folder.path).lineups == {}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_board_may_lack_the_line_ups_of_a_number_of_players(folder, players):  # B1.3
    lines = [line for line in folder.lines("lineups.csv") if not line.startswith(f"{players},")]
    folder.write("lineups.csv", lines)
    assert folder.errors() == []
    assert players not in {number for number, _ in load_board(folder.path).lineups}


def test_a_line_up_that_is_missing_beside_others_is_an_error(folder):  # B1.3
    lines = [line for line in folder.lines("lineups.csv") if not line.startswith("4,B,")]
    folder.write("lineups.csv", lines)
    assert folder.only_error()[:3] == ("lineups.csv", 1, "lineup")
    assert "'B' for 4 players" in folder.only_error().text


def test_surplus_line_ups_alone_are_an_error(folder):  # B1.3
    folder.write("lineups.csv", [folder.lines("lineups.csv")[0], "3,D,Baden,5,rulebook"])
    assert "line-up 'D' for 3 players" in folder.only_error().text
