"""The board that ships with the package says what the box says, and is read-only."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import wallsim
from tests.naive.table import OUT_WITH_THREE
from wallsim.rules.board import load_board
from wallsim.rules.board_check import read_board_names
from wallsim.rules.files import data_folder
from wallsim.rules.provenance import event_words
from wallsim.rules.terms import EFFECTS


@pytest.fixture(scope="module")
def board():
    return load_board()


def members(mask):
    return {county for county in range(45) if mask >> county & 1}


def border_count(board, counties):
    return sum(len(members(int(board.neighbours[county])) & counties) for county in counties) // 2


def in_play(board, players):
    return {county for county in range(45) if board.min_players[county] <= players}


def test_there_are_45_counties_in_five_regions_of_nine(board):  # B0.1
    assert len(set(board.counties)) == 45
    assert board.regions == ("Brandenburg", "Sachsen", "Österreich", "Bayern", "Kurpfalz")
    assert np.bincount(board.region).tolist() == [9, 9, 9, 9, 9]
    assert board.counties[0] == "Altmark"
    assert board.counties[44] == "Strassburg"


def test_eight_counties_are_out_with_three_players(board):  # B0.1
    of_three = in_play(board, 3)
    assert {*board.counties} - {board.counties[county] for county in of_three} == OUT_WITH_THREE
    assert len(in_play(board, 4)) == len(in_play(board, 5)) == 45
    assert [border_count(board, counties) for counties in (in_play(board, 5), of_three)] == [114, 91]


def test_the_cards_sum_to_what_the_sources_say(board):
    assert (board.tax.sum(), board.grain.sum(), board.sites.sum()) == (216, 135, 88)
    assert board.tax[board.counties.index("Burgund")] == 7
    assert board.sites[board.counties.index("Bremen")] == 2


def test_twelve_events_cost_40_grain_together(board):  # B0.5, B7.1
    assert len(set(board.events)) == 12
    assert board.event_loss.sum() == 40
    assert sorted(board.event_effect.tolist()) == [1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 9]
    assert EFFECTS[board.event_effect[board.events.index("small_levies")]] == "small_levies"


def test_line_ups_keep_the_order_of_the_file(board):  # B1.3
    first = [board.counties[county] for county, _, _ in board.lineups[4, "A"]]
    assert first[:3] == ["Lüneburg", "Holstein", "Württemberg"]


def test_assumed_figures_are_reported(board):  # B1.3, E6
    assumed = [(key, board.counties[c]) for key, rows in board.lineups.items() for c, _, flag in rows if flag]
    assert assumed == [((3, "A"), "Anhalt")]
    in_lineups, *cards = board.assumed
    assert in_lineups.endswith("3 players, line-up A, Anhalt")
    assert "favors.csv: card 2, thalers 2" in cards
    assert len([card for card in cards if card.startswith("favors.csv: ")]) == len(cards) == 15


@pytest.mark.parametrize(
    ("length", "names"),
    [
        (45, ("region", "tax", "grain", "sites", "min_players", "neighbours")),
        (12, ("event_effect", "event_loss")),
        (64, ("revolting", "extra")),
    ],
)
def test_arrays_are_int64_and_read_only(board, length, names):
    for array in (getattr(board, name) for name in names):
        assert (array.dtype, array.shape) == (np.int64, (length,))
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        board.digest = "another"


def test_a_copy_has_the_same_digest_and_needs_no_sources(board, folder):
    (folder.path / "SOURCES.md").unlink()
    for path in (folder.path, str(folder.path)):
        assert load_board(path).digest == board.digest
    assert len(board.digest) == 64


def test_a_board_is_read_again_after_a_figure_changed(board, folder):
    before = load_board(folder.path)
    assert before is load_board(folder.path)
    folder.change("counties.csv", "Altmark,Brandenburg,6,", "Altmark,Brandenburg,7,")
    folder.change("borders.csv", "Altmark,Vorpommern", None)
    changed = load_board(folder.path)
    assert changed.digest != board.digest
    assert (changed.tax - board.tax).tolist() == [1] + [0] * 44
    assert (changed.neighbours != board.neighbours).sum() == 2


def test_borders_may_be_listed_in_both_directions(board, folder):
    header, *lines = folder.lines("borders.csv")
    folder.write("borders.csv", [header, *lines, *(",".join(reversed(line.split(","))) for line in lines)])
    np.testing.assert_array_equal(load_board(folder.path).neighbours, board.neighbours)


def test_columns_may_stand_in_any_order_and_lines_end_as_on_windows(board, folder):
    lines = [",".join(reversed(line.split(","))) for line in folder.lines("counties.csv")]
    (folder.path / "counties.csv").write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*lines, ""]).encode())
    np.testing.assert_array_equal(load_board(folder.path).tax, board.tax)


def test_an_installed_package_finds_the_board_inside_itself(board, tmp_path):
    package = tmp_path / "wallsim"
    shutil.copytree(Path(wallsim.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "_data"))
    shutil.copytree(data_folder("board"), package / "_data" / "board")
    code = "import wallsim.rules.board as b; print(b.__file__, b.load_board().digest)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == [str(package / "rules" / "board.py"), board.digest]


def test_the_names_of_a_board_are_those_of_the_whole_board():
    names, board = read_board_names(), load_board()
    assert (names.counties, names.events) == (board.counties, board.events)


def test_a_card_is_called_by_words_of_its_own(board):
    words = [event_words(card) for card in board.events]
    assert len(set(words)) == 12
    assert {"taxes of at most 5", "grain of at least 4", "church peace 3", "small levies"} < set(words)
    assert not any("_" in each for each in words)
