"""`wallsim board map` draws the map of a board by the numbers of a file; `board check` names the errors of a map."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_games import refusal, wallsim
from tests.cli.test_json import document
from wallsim.rules.files import data_folder

COUNTIES = data_folder("board") / "counties.csv"
TAX = ("--values", str(COUNTIES), "--column", "tax")


@pytest.fixture(autouse=True)
def _here(here):
    Path("values.csv").write_text("county,win\nTirol,12.5\nBöhmen,\nHolstein,nan\nBaden,-3\n", "utf-8")
    shutil.copytree(data_folder("board"), "mine")


def words_of(path):
    tree = ElementTree.fromstring(Path(path).read_text("utf-8"))
    return {"".join(node.itertext()).strip() for node in tree.iter() if node.tag.endswith("}text")}


def test_the_numbers_of_a_file_colour_the_map():
    result = wallsim("board", "map", "--values", "values.csv", "--numbers", "--title", "Who wins", "--out", "x.svg")
    assert result.exit_code == 0, result.output
    assert "Wrote x.svg" in result.stderr
    assert {"Who wins", "win", "no value", "12.5", "−3.0", "Holstein", "Bayern"} <= words_of("x.svg")


@pytest.mark.slow
def test_one_of_several_columns_is_chosen_and_a_picture_can_be_narrow():
    assert wallsim("board", "map", *TAX, "--narrow", "--unit", "Thalers", "--out", "x.svg").exit_code == 0
    assert {"Thalers", "Holst."} <= words_of("x.svg")
    assert wallsim("board", "map", "mine", *TAX, "--out", "x.png").exit_code == 0
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")


def test_without_numbers_the_regions_are_drawn():
    assert wallsim("board", "map", "--out", "x.svg").exit_code == 0
    assert "Württemberg" in words_of("x.svg")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; the first line must name the columns"),
        ("name,win\nTirol,1\n", "line 1: the columns are name, win; county and others"),
        ("county\nTirol\n", "line 1: has 0 columns beside county"),
        ("county,a,b\nTirol,1,2\n", "line 1: has 2 columns beside county; name one of a, b"),
        ("county,a,a\nTirol,1,2\n", "each once, are allowed"),
        ("county,win\nTyrol,1\n", "line 2, column county: unknown county 'Tyrol'; did you mean Tirol?"),
        ("county,win\nTirol,1\nTirol,2\n", "line 3, column county: duplicate county 'Tirol'"),
        ("county,win\nTirol,much\n", "line 2, column win: 'much' is not a finite number"),
        ("county,win\nTirol,inf\n", "line 2, column win: 'inf' is not a finite number"),
        ("county,win\nTirol,1,2\n", "line 2: 3 fields; 2 are allowed"),
        ("county,win\nTirol,\n", "no county has a number"),
        ('county,win\n"Tirol,1\n', "not readable as CSV"),
        ("county,win\n" + "x" * 1_000_000, "exceeds the limit of 1,000,000 bytes"),
    ],
)
def test_a_wrong_file_of_numbers_is_refused_by_line_and_column(text, words):
    Path("values.csv").write_text(text, "utf-8")
    assert words in refusal("board", "map", "--values", "values.csv", "--out", "x.png")
    assert not Path("x.png").exists()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--out", "x.gif"), "--out: x.gif: name a file that ends with .png or .svg or .pdf"),
        (("--out", "nowhere/x.png"), "nowhere/x.png cannot be written"),
        (("--out", "x.png", "--numbers"), "--numbers: needs the numbers of --values"),
        (("--out", "x.png", "--column", "tax"), "--column: needs the numbers of --values"),
        (("--out", "x.png", "--values", "no.csv"), "no.csv: cannot be read: No such file or directory"),
        (("--out", "x.png", "--values", str(COUNTIES), "--column", "tx"), "did you mean tax?"),
        (("--out", "x.png", *TAX, "--scale", "sequental"), "did you mean sequential?"),
        (("nowhere", "--out", "x.png"), "nowhere"),
    ],
)
def test_wrong_options_are_refused(flags, words):
    assert words in refusal("board", "map", *flags)
    assert not Path("x.png").exists()


def test_a_map_with_errors_is_refused_by_check_and_map_and_the_board_can_still_be_played():
    drawn = json.loads(Path("mine/map.json").read_text("utf-8"))
    drawn["counties"]["Tirol"]["region"] = "Bayern"
    Path("mine/map.json").write_text(json.dumps(drawn), "utf-8")
    said = refusal("board", "check", "mine")
    assert "mine: 1 error\nmap.json, field counties.Tirol.region: 'Bayern' is not 'Österreich'" in said
    assert "The board can be played" in said
    assert "field counties.Tirol.region" in refusal("board", "map", "mine", "--out", "x.png")
    (error,) = document("board", "check", "mine", status=2)["faults"]
    assert (error["file"], error["line"], error["column"]) == ("map.json", 0, "counties.Tirol.region")
    flags = ("--board", "mine", "--policies", "random", "--games", "5", "--out", "run")
    assert wallsim("run", *flags).exit_code == 0
    assert not Path("run/board/map.json").exists()
    assert wallsim("board", "map", "run/board", "--out", "x.png").exit_code == 0  # the shipped map fits


def test_a_board_without_a_map_is_sound_and_has_that_of_the_game_if_it_fits():
    Path("mine/map.json").unlink()
    assert "no errors" in wallsim("board", "check", "mine").stdout
    assert wallsim("board", "map", "mine", "--out", "x.png").exit_code == 0
    for file in ("counties.csv", "borders.csv", "lineups.csv"):
        path = Path("mine") / file
        path.write_text(path.read_text("utf-8").replace("Anhalt", "Elsewhere"), "utf-8")
    assert "no errors" in wallsim("board", "check", "mine").stdout
    assert "mine: has no map.json, and its counties or borders" in refusal("board", "map", "mine", "--out", "y.png")
