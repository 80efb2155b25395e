"""An error in a board file's form, header, rows or cells is named by file, line and column."""

import os
import unicodedata

import pytest

from wallsim.rules.board import check_board
from wallsim.rules.board_check import OPTIONAL, SCHEMAS


def test_a_missing_folder_is_one_error(tmp_path):
    (error,) = check_board(tmp_path / "nowhere")
    assert "nowhere" in error.file
    assert "no such folder" in error.text


@pytest.mark.parametrize(
    "file",
    [file for file in SCHEMAS if file not in OPTIONAL],
)
def test_a_missing_file_is_one_error(folder, file):
    (folder.path / file).unlink()
    error = folder.only_error()
    assert error[:3] == (file, 0, "")
    assert "missing file" in error.text


def test_a_folder_in_place_of_a_file_is_a_missing_file(folder):
    (folder.path / "events.csv").unlink()
    (folder.path / "events.csv").mkdir()
    assert folder.only_error().file == "events.csv"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_an_error(folder):
    (folder.path / "events.csv").chmod(0)
    assert "cannot be read" in folder.only_error().text


def test_an_empty_file_is_an_error(folder):
    (folder.path / "events.csv").write_bytes(b"")
    error = folder.only_error()
    assert error[:3] == ("events.csv", 1, "")
    assert "empty" in error.text


def test_bytes_that_are_not_utf8_are_named_by_line(folder):
    path = folder.path / "counties.csv"
    path.write_bytes(path.read_text("utf-8").encode("latin-1"))
    error = folder.only_error()
    assert error[:3] == ("counties.csv", 5, "")
    assert "0xfc" in error.text
    assert "UTF-8" in error.text


def test_an_unclosed_quote_is_named_by_the_line_that_opens_it(folder):
    line = folder.replace("events.csv", "tax_min_6,tax_min_6", '"tax_min_6,tax_min_6')
    error = folder.only_error()
    assert (error.file, error.line) == ("events.csv", line)
    assert "CSV" in error.text


def test_a_missing_column_is_named(folder):
    folder.replace("counties.csv", "min_players", "least_players")
    errors = folder.errors()
    assert folder.places() == {("counties.csv", 1, "min_players"), ("counties.csv", 1, "least_players")}
    assert any("missing column" in error.text for error in errors)
    assert any("unknown column 'least_players'" in error.text for error in errors)


def test_a_duplicate_column_is_named(folder):
    header, *lines = folder.lines("counties.csv")
    folder.write("counties.csv", [header + ",tax", *(line + ",5" for line in lines)])
    error = folder.only_error()
    assert error[:3] == ("counties.csv", 1, "tax")
    assert "duplicate column" in error.text


def test_a_row_with_too_few_fields_names_the_first_column_without_one(folder):
    line = folder.replace("counties.csv", "Anhalt,Sachsen,5,4,1,3", "Anhalt,Sachsen,5,4,1")
    errors = folder.errors()
    assert ("counties.csv", line, "min_players") in folder.places()
    assert any("5 fields; 6 are allowed" in error.text for error in errors)


def test_a_row_with_too_many_fields_names_the_last_column(folder):
    line = folder.replace("events.csv", "palace_guard_6,palace_guard,6", "palace_guard_6,palace_guard,6,0")
    error = folder.only_error()
    assert error[:3] == ("events.csv", line, "meaning")
    assert "5 fields" in error.text


def test_blank_lines_do_not_shift_the_numbering(folder):
    header, *rows = folder.lines("counties.csv")
    folder.write("counties.csv", [header, "", *rows, ""])
    line = folder.replace("counties.csv", "Anhalt,Sachsen,5,", "Anhalt,Sachsen,50,")
    assert folder.only_error()[:3] == ("counties.csv", line, "tax")


def test_a_quoted_field_over_two_lines_does_not_shift_the_numbering(folder):
    folder.replace("events.csv", '"deploy 5 gives', '"deploy 5\ngives')
    folder.replace("events.csv", "tax_max_5,tax_max_5,0,collect", 'tax_max_5,tax_max_5,0,"x\ny",collect')
    line = folder.line_of("events.csv", "tax_max_5,tax_max_5")
    assert folder.only_error()[:2] == ("events.csv", line)


@pytest.mark.parametrize(
    ("file", "old", "new", "column", "value"),
    [
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,six,2", "tax", "'six'"),
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,6.0,2", "tax", "'6.0'"),
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,,2", "tax", "''"),
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,0,2", "tax", "'0'"),
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,10,2", "tax", "'10'"),
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,6,-2", "grain", "'-2'"),
        ("counties.csv", "Altmark,Brandenburg,6,2,2,3", "Altmark,Brandenburg,6,2,4,3", "sites", "'4'"),
        ("counties.csv", "Altmark,Brandenburg,6,2,2,3", "Altmark,Brandenburg,6,2,2,6", "min_players", "'6'"),
        ("counties.csv", "Altmark,Brandenburg,6,2", "Altmark,Brandenburg,٦,2", "tax", "'٦'"),
        ("lineups.csv", "4,A,Anhalt,2", "6,A,Anhalt,2", "players", "'6'"),
        ("lineups.csv", "3,A,Anhalt,2,", "3,A,Anhalt,6,", "armies", "'6'"),
        ("lineups.csv", "3,A,Anhalt,2,assumed", "3,A,Anhalt,2,guessed", "provenance", "'guessed'"),
        ("lineups.csv", "3,A,Anhalt,2,", "3,A,,2,", "county", "''"),
        ("events.csv", "tax_max_5,tax_max_5,0", "tax_max_5,tax_max_7,0", "effect", "'tax_max_7'"),
        ("events.csv", "tax_max_5,tax_max_5,0", "tax_max_5,tax_max_5,10", "winter_grain_loss", "'10'"),
        ("supply_chart.csv", "3,4,2,2", "3,4,x,2", "revolting_counties", "'x'"),
        ("supply_chart.csv", "3,4,2,2", "3,4,2,21", "extra_peasants", "'21'"),
        ("favors.csv", "2,thalers,2", "2,thalers,many", "value", "'many'"),
        ("favors.csv", "2,thalers,2", "2,guilders,2", "kind", "'guilders'"),
        ("favors.csv", "7,free_building,trading_post", "7,free_building,castle", "value", "'castle'"),
        ("favors.csv", "10,no_attack,A", "10,no_attack,C", "value", "'C'"),
        ("favors.csv", "1,cancel_event,,", "1,cancel_event,1,", "value", "'1'"),
        ("landsknechte.csv", "2,2,1,0,0", "2,2,-1,0,0", "tray_armies", "'-1'"),
    ],
)
def test_a_wrong_cell_is_named_with_its_value(folder, file, old, new, column, value):
    line = folder.replace(file, old, new)
    errors = folder.errors()
    assert (file, line, column) in folder.places()
    (error,) = [error for error in errors if error[:3] == (file, line, column)]
    assert value in error.text
    assert "must be" in error.text


def test_spaces_around_a_name_are_an_error(folder):
    line = folder.replace("borders.csv", "Altmark,Anhalt", "Altmark, Anhalt")
    error = folder.only_error()
    assert error[:3] == ("borders.csv", line, "county_b")
    assert "' Anhalt'" in error.text


def test_a_number_of_a_thousand_digits_is_refused_and_shown_shortened(folder):
    folder.replace("counties.csv", "Altmark,Brandenburg,6", "Altmark,Brandenburg," + "9" * 10000)
    assert len(folder.only_error().text) < 150


def test_names_may_be_typed_with_combining_accents(folder):
    text = (folder.path / "borders.csv").read_text("utf-8")
    (folder.path / "borders.csv").write_text(unicodedata.normalize("NFD", text), "utf-8")
    assert folder.errors() == []
