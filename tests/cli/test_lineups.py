"""`wallsim lineups`: the printed line-ups, the free counties and those out of play."""

import shutil
from collections import Counter

import pytest

from tests.cli.commands import document, done
from tests.refusals import assert_names
from wallsim.rules.board import load_board
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ARMY_GROUPS
from wallsim.studies.register import read_register


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_county_is_listed_once_with_the_numbers_of_its_card(players):  # B0.1, B1.3
    board = load_board()
    found = document("lineups", "--players", players)
    assert (found["players"], found["not_default"]) == (players, [])
    rows = {row["county"]: row for row in found["counties"]}
    assert set(rows) == set(board.counties)
    for place, name in enumerate(board.counties):
        numbers = [rows[name][key] for key in ("thalers", "grain", "sites")]
        assert numbers == [board.tax[place], board.grain[place], board.sites[place]]
        assert (rows[name]["lineup"] == "out") == (board.min_players[place] > players)
    for letter in "ABCDE"[:players]:
        armies = Counter(row["armies"] for row in rows.values() if row["lineup"] == letter)
        assert armies == Counter(ARMY_GROUPS[players])
    assert {row["armies"] for row in rows.values() if row["lineup"] in ("free", "out")} == {None}


def test_a_board_without_line_ups_has_free_counties_alone(tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "mine")
    (tmp_path / "mine" / "lineups.csv").unlink()
    assert "no line-ups" in done("lineups", "--board", tmp_path / "mine").stdout
    found = document("lineups", "--board", tmp_path / "mine")
    assert {row["lineup"] for row in found["counties"]} == {"free"}
    assert found["not_default"][0].startswith("board mine (")


def test_the_printed_line_ups_have_values_and_wins_of_the_register():
    text = done("lineups").stdout
    figure = read_register("lineups")["lineups.wins.4p.A/casual/spielbyweb"]
    assert f"{figure.value:.1f}" in text
    values = [line.split()[-1] for line in text.splitlines() if line.startswith(("A ", "free "))]
    assert all(float(value.replace("\u2212", "-")) < 5 for value in values)
    assert "4 players only" in done("lineups", "--players", 5).stdout
    assert_names(done("lineups", "--players", 3).stdout, "Erzbm. Köln", '"Hm. Paderborn"', "assumed", "free", "out ")


def test_the_document_has_values_and_wins_with_their_ids():
    found = document("lineups")
    assert set(found["values"]) == {county["county"] for county in found["counties"]}
    wins = read_register("lineups")["lineups.wins.4p.B/casual/spielbyweb"]
    assert found["wins"]["B"] == {"id": wins.id, "value": wins.value, "low": wins.low, "high": wins.high}
    assert document("lineups", "--players", 3)["values"] == {}
