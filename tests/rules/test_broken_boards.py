"""What is wrong with a board is named by file, line and column, with its value, and all errors of a folder at once."""

import os
import unicodedata

import pytest

from tests.refusals import assert_names
from wallsim.rules.board import BoardError, check_board, load_board
from wallsim.rules.board_check import OPTIONAL, SCHEMAS

ALTMARK = "Altmark,Brandenburg,6,2,2,3"
BREMEN = "Bremen,Brandenburg,4,4,2,4"
ZWEIBRÜCKEN = "Bm. Zweibrücken,Kurpfalz,4,4,2,3"


def assert_errors(folder, *expected):
    """Assert that these are all errors, each by what it names, between bars."""
    errors = [str(error) for error in folder.errors()]
    assert len(errors) == len(expected), errors
    for error, names in zip(errors, expected, strict=True):
        assert_names(error, *names.split("|"))


@pytest.mark.parametrize(
    ("file", "old", "new", "column", "names"),
    [
        # Cells
        ("counties.csv", ALTMARK, "Altmark,Brandenburg,six,2,2,3", "tax", ["'six'", "1 to 9"]),
        ("counties.csv", ALTMARK, "Altmark,Brandenburg,0,2,2,3", "tax", ["'0'", "1 to 9"]),
        ("counties.csv", ALTMARK, "Altmark,Brandenburg,10,2,2,3", "tax", ["'10'", "1 to 9"]),
        ("counties.csv", ALTMARK, f"Altmark,Brandenburg,{'9' * 10_000},2,2,3", "tax", ["'999", "1 to 9"]),
        ("counties.csv", ALTMARK, "Altmark,Brandenburg,٦,2,2,3", "tax", ["'٦'", "1 to 9"]),
        ("counties.csv", ALTMARK, "Altmark,Brandenburg,6,2,4,3", "sites", ["'4'", "1 to 3"]),
        ("counties.csv", ALTMARK, "Altmark,Brandenburg,6,2,2,6", "min_players", ["'6'", "3 to 5"]),
        ("lineups.csv", "3,A,Anhalt,2,", "3,A,Anhalt,6,", "armies", ["'6'", "2 to 5"]),
        ("lineups.csv", "Anhalt,2,assumed", "Anhalt,2,guessed", "provenance", ["'guessed'", "rulebook, assumed"]),
        ("lineups.csv", "3,A,Anhalt,2,", "3,A,,2,", "county", ["''", "not empty"]),
        ("events.csv", "tax_max_5,tax_max_5,0", "tax_max_5,tax_max_7,0", "effect", ["'tax_max_7'", "tax_min_6"]),
        ("events.csv", "tax_max_5,tax_max_5,0", "tax_max_5,tax_max_5,10", "winter_grain_loss", ["'10'", "0 to 9"]),
        ("supply_chart.csv", "3,4,2,2", "3,4,x,2", "revolting_counties", ["'x'", "0 to 3"]),
        ("supply_chart.csv", "3,4,2,2", "3,4,2,21", "extra_peasants", ["'21'", "0 to 20"]),
        ("favors.csv", "2,thalers,2", "2,thalers,many", "value", ["'many'", "thalers", "1 to 20"]),
        ("favors.csv", "2,thalers,2", "2,guilders,2", "kind", ["'guilders'", "cancel_event, thalers"]),
        ("favors.csv", "7,free_building,trading_post", "7,free_building,castle", "value", ["'castle'", "palace, ch"]),
        ("favors.csv", "10,no_attack,A", "10,no_attack,C", "value", ["'C'", "A, B, A or B"]),
        ("favors.csv", "1,cancel_event,,", "1,cancel_event,1,", "value", ["'1'", "empty"]),
        ("landsknechte.csv", "2,2,1,0,0", "2,2,-1,0,0", "tray_armies", ["'-1'", "0 to 20"]),
        ("borders.csv", "Altmark,Anhalt", "Altmark, Anhalt", "county_b", ["' Anhalt'", "spaces"]),
        # Borders
        ("borders.csv", "Altmark,Anhalt", "Altmark,Anhalter", "county_b", ["unknown", "'Anhalter'"]),
        ("borders.csv", "Altmark,Lüneburg", "Altmarck,Lüneburg", "county_a", ["unknown", "'Altmarck'"]),
        ("borders.csv", None, "Altmark,Altmark", "county_b", ["'Altmark'", "itself"]),
        ("borders.csv", None, "Altmark,Anhalt", "county_b", ["'Anhalt' duplicates line 2"]),
        ("borders.csv", None, "Anhalt,Altmark", "county_b", ["'Altmark' duplicates line 2", "other direction"]),
        # Line-ups (B0.1, B1.2, B1.3)
        ("lineups.csv", None, "3,D,Altmark,5,rulebook", "lineup", ["'D'", "A, B, C"]),
        ("lineups.csv", "4,A,Baden,2", "4,A,Baden,4", "armies", ["5,4,4,4,3,3,2,2", "exactly 5,4,4,3,3,2,2,2"]),
        ("lineups.csv", "4,D,Vogtland", "4,D,Baden", "county", ["'Baden' duplicates line 35"]),
        ("lineups.csv", "3,A,Anhalt", "3,A,Tirol", "county", ["'Tirol'", "3 players"]),
        ("lineups.csv", "3,A,Anhalt", "3,A,Mailand", "county", ["unknown", "'Mailand'"]),
        # Events, supply chart and favors (B0.5, B7.2, E2)
        ("events.csv", "palace_guard_6,", "palace_guard_2,", "event", ["'palace_guard_2' duplicates line 4"]),
        ("supply_chart.csv", "3,4,2,2", "4,4,2,2", "shortage_from", ["4", "3"]),
        ("supply_chart.csv", "3,4,2,2", "2,4,2,2", "shortage_from", ["2", "3"]),
        ("supply_chart.csv", "5,6,2,3", "5,,2,3", "shortage_to", ["''", "last range"]),
        ("supply_chart.csv", "7,,3,3", "7,9,3,3", "shortage_to", ["9", "empty"]),
        ("favors.csv", "21,free", "20,free", "number", ["20 duplicates line 21"]),
        # Lines
        ("events.csv", "palace_guard,6", "palace_guard,6,0", "meaning", ["5 fields", "4"]),
        ("events.csv", "tax_min_6,tax_min_6", '"tax_min_6,tax_min_6', "", ["CSV"]),
    ],
)
def test_what_is_wrong_in_one_line_is_named_by_line_column_and_value(folder, file, old, new, column, names):
    line = folder.change(file, old, new)
    error = folder.only_error()
    assert error[:3] == (file, line, column)
    assert_names(error.text, *names)
    assert len(error.text) < 250


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        # Counties (B0.1)
        (
            [("counties.csv", None, "Altmark,Kurpfalz,3,3,1,3")],
            ["line 47, column county|'Altmark' duplicates line 2", "column county|46 rows|exactly 45",
             "line 47, column region|'Kurpfalz' has 10|exactly 9"],
        ),
        (
            [("counties.csv", "Strassburg,Kurpfalz", "Strassburg,Elsass")],
            ["line 45, column region|'Kurpfalz' has 8", "line 46, column region|6 regions|Elsass|exactly 5",
             "line 46, column region|'Elsass' has 1"],
        ),
        ([("counties.csv", BREMEN, BREMEN[:-1] + "3")], ["counties.csv, line 1, column min_players|7|exactly 8"]),
        ([("counties.csv", ZWEIBRÜCKEN, ZWEIBRÜCKEN[:-1] + "4")], ["line 41, column min_players|9|exactly 8"]),
        # Borders
        (
            [("borders.csv", "Bremen,Holstein", None), ("borders.csv", "Bremen,Osnabrück", None)],
            ["counties.csv, line 3, column county|'Bremen'|no neighbour"],
        ),
        # Line-ups (B1.2)
        ([("lineups.csv", "5,B,Regensburg,2", None)], ["lineups.csv, line 73, column armies|B for 5 players"]),
        (
            [("lineups.csv", "4,A,Anhalt,2", "6,A,Anhalt,2")],
            ["line 34, column players|'6'|3 to 5", "line 36, column armies|A for 4 players"],
        ),
        # Events, supply chart and expansions (B0.5, B7.2, E2, L1)
        ([("events.csv", "small_levies", None)], ["events.csv, line 12, column event|11|exactly 12"]),
        (
            [("supply_chart.csv", "1,1,1,1", "2,2,1,1")],
            ["line 2, column shortage_from|2|1", "line 3, column shortage_from|2|3"],
        ),
        (
            [("supply_chart.csv", "5,6,2,3", "5,4,2,3")],
            ["line 5, column shortage_to|4|5 or more", "line 6, column shortage_from|7|5"],
        ),
        ([("favors.csv", "21,free", None)], ["favors.csv, line 21, column number|20|exactly 21"]),
        (
            [("landsknechte.csv", None, "4,1,1,1,1,own")],
            ["line 6, column card|4 duplicates line 5", "line 6, column card|5 rows|exactly 4"],
        ),
        # Lines and columns
        (
            [("counties.csv", "Anhalt,Sachsen,5,4,1,3", "Anhalt,Sachsen,5,4,1")],
            ["line 11, column min_players|5 fields|6", "column region|'Sachsen' has 8"],
        ),
        (
            [("counties.csv", "sites,min_players", "sites,least_players")],
            ["line 1, column least_players|unknown column", "line 1, column min_players|missing column"],
        ),
        # Everything at once, in the order of files and lines
        (
            [("lineups.csv", "3,A,Anhalt", "3,A,Tirol"), ("events.csv", "tax_max_5,tax_max_5", "tax_max_5,tax_max_7"),
             ("counties.csv", "Altmark,Brandenburg,6", "Altmark,Brandenburg,60"),
             ("borders.csv", None, "Altmark,Altmark"), ("counties.csv", "Anhalt,Sachsen,5", "Anhalt,Sachsen,50")],
            ["counties.csv, line 2, column tax", "counties.csv, line 11, column tax", "borders.csv, line 116",
             "lineups.csv, line 10", "events.csv, line 6, column effect"],
        ),
    ],
)  # fmt: skip
def test_all_that_a_change_makes_wrong_is_named(folder, changes, errors):
    for change in changes:
        folder.change(*change)
    assert_errors(folder, *errors)


def test_44_counties_are_an_error_and_so_is_the_region_of_eight(folder):  # B0.1
    folder.change("counties.csv", "Vogtland", None)
    errors = [error for error in folder.errors() if error.file == "counties.csv"]
    assert [error.column for error in errors] == ["region", "county"]
    assert_names(errors[0].text, "'Sachsen' has 8", "exactly 9")
    assert_names(errors[1].text, "44 rows", "exactly 45")
    assert any("'Vogtland'" in error.text for error in folder.errors() if error.file == "borders.csv")


def test_four_regions_are_an_error(folder):  # B0.1
    folder.write("counties.csv", [line.replace(",Sachsen,", ",Bayern,") for line in folder.lines("counties.csv")])
    assert_errors(folder, "line 1, column region|4 regions|exactly 5", "column region|'Bayern' has 18|exactly 9")


# --- borders ----------------------------------------------------------------------------------------------


def test_borders_listed_in_one_direction_of_two_are_all_named(folder):
    header, *lines = folder.lines("borders.csv")
    folder.write("borders.csv", [header, *lines, *(",".join(reversed(line.split(","))) for line in lines)])
    assert folder.errors() == []
    folder.change("borders.csv", "Bremen,Holstein", None)
    folder.change("borders.csv", "Tirol,Salzburg", None)
    salzburg, holstein = (folder.line_of("borders.csv", pair) for pair in ("Salzburg,Tirol", "Holstein,Bremen"))
    assert_errors(
        folder,
        f"line {salzburg}, column county_b|asymmetric|add Tirol,Salzburg",
        f"line {holstein}, column county_b|asymmetric|add Bremen,Holstein",
    )


def test_a_map_in_two_pieces_is_an_error(folder):
    island = {"Kärnten", "Steiermark"}
    folder.keep("borders.csv", lambda line: len(set(line.split(",")) & island) != 1)
    line = folder.line_of("counties.csv", "Kärnten")
    assert_errors(folder, f"counties.csv, line {line}, column county|no way to Kärnten, Steiermark|5 players")


def test_a_map_that_only_falls_apart_with_three_players_is_an_error(folder):  # B0.1
    folder.keep("borders.csv", lambda line: "Kärnten" not in line or line == "Kärnten,Steiermark")
    assert_errors(folder, "counties.csv|no way to Kärnten on|3 players")


# --- line-ups, which a draft does not need ----------------------------------------------------------------


@pytest.mark.parametrize("left_out", ["345", "3", "4", "5"])
def test_a_board_may_lack_the_line_ups_of_some_numbers_of_players(folder, left_out):  # B1.3, B1.4
    folder.keep("lineups.csv", lambda line: line[0] not in left_out)
    assert folder.errors() == []
    assert {str(players) for players, _ in load_board(folder.path).lineups} == {*"345"} - {*left_out}


def test_a_line_up_that_is_missing_beside_others_is_an_error(folder):  # B1.3
    folder.keep("lineups.csv", lambda line: not line.startswith("4,C,"))
    assert_errors(folder, "lineups.csv, line 1, column lineup|'C' for 4 players|missing")


def test_a_line_up_without_a_player_is_an_error_also_alone(folder):  # B1.3
    folder.write("lineups.csv", ["players,lineup,county,armies,provenance", "3,D,Baden,5,rulebook"])
    assert_names(folder.only_error().text, "'D' for 3 players")


# --- whole files ------------------------------------------------------------------------------------------


def test_a_missing_folder_is_one_error(tmp_path):
    (error,) = check_board(tmp_path / "nowhere")
    assert_names(str(error), "nowhere", "no such folder")


@pytest.mark.parametrize("file", SCHEMAS)
def test_all_files_but_the_line_ups_are_needed(folder, file):  # B1.4
    (folder.path / file).unlink()
    assert_errors(folder, *([] if file in OPTIONAL else [f"{file}|missing file|{next(iter(SCHEMAS[file]))}"]))
    assert folder.places() == ([] if file in OPTIONAL else [(file, 0, "")])


def test_a_folder_in_place_of_a_file_is_an_error_of_the_file(folder):
    (folder.path / "events.csv").unlink()
    (folder.path / "events.csv").mkdir()
    assert folder.places() == [("events.csv", 0, "")]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_an_error(folder):
    (folder.path / "events.csv").chmod(0)
    assert_errors(folder, "events.csv|cannot be read")


@pytest.mark.parametrize(("rest", "names"), [(0, "line 1|empty"), (1, "line 1, column shortage_from|no rows")])
def test_a_file_without_rows_is_one_error(folder, rest, names):  # B7.2
    text = "".join(f"{line}\n" for line in folder.lines("supply_chart.csv")[:rest])
    (folder.path / "supply_chart.csv").write_text(text, "utf-8")
    assert_errors(folder, f"supply_chart.csv, {names}")


def test_a_map_without_borders_is_one_error(folder):
    folder.write("borders.csv", folder.lines("borders.csv")[:1])
    assert_errors(folder, "borders.csv, line 1, column county_a|no rows")


def test_bytes_that_are_not_utf8_are_named_by_line(folder):
    path = folder.path / "counties.csv"
    path.write_bytes(path.read_text("utf-8").encode("latin-1"))
    assert_errors(folder, "counties.csv, line 5|0xfc|UTF-8")


def test_a_duplicate_column_is_named(folder):
    header, *lines = folder.lines("counties.csv")
    folder.write("counties.csv", [header + ",tax", *(line + ",5" for line in lines)])
    assert_errors(folder, "counties.csv, line 1, column tax|duplicate")


def test_lines_are_counted_in_the_file_also_behind_blank_lines_and_fields_over_two(folder):
    header, *rows = folder.lines("counties.csv")
    folder.write("counties.csv", [header, "", *rows, ""])
    folder.change("events.csv", '"deploy 5 gives', '"deploy 5\ngives')
    county = folder.change("counties.csv", "Anhalt,Sachsen,5,", "Anhalt,Sachsen,50,")
    folder.change("events.csv", "tax_max_5,tax_max_5,0,collect", 'tax_max_5,tax_max_5,0,"x\ny",collect')
    assert folder.places() == [
        ("counties.csv", county, "tax"),
        ("events.csv", folder.line_of("events.csv", "tax_max_5,tax_max_5"), "meaning"),
    ]


def test_names_may_be_typed_with_combining_accents(folder):
    text = (folder.path / "borders.csv").read_text("utf-8")
    (folder.path / "borders.csv").write_text(unicodedata.normalize("NFD", text), "utf-8")
    assert folder.errors() == []


# --- the error that is raised -----------------------------------------------------------------------------


def test_loading_raises_all_errors_and_prints_each_on_a_line(folder):
    folder.change("counties.csv", "Altmark,Brandenburg,6", "Altmark,Brandenburg,60")
    (folder.path / "favors.csv").unlink()
    with pytest.raises(BoardError) as caught:
        load_board(folder.path)
    assert caught.value.errors == folder.errors()
    first, *lines = str(caught.value).splitlines()
    assert_names(first, "2 errors")
    assert_names(lines[0], "counties.csv, line 2, column tax: '60'", "1 to 9")
    assert_names(lines[1], "favors.csv: missing file")
