"""`wallsim board map` draws the map of a board by the numbers of a file; `board check` names the errors of a map."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.commands import document, done, refusal
from tests.refusals import assert_names
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
    drawn = done("board", "map", "--values", "values.csv", "--numbers", "--title", "Who wins", "--out", "x.svg")
    assert "x.svg" in drawn.stderr
    assert {"Who wins", "win", "no value", "12.5", "−3.0", "Holstein", "Bayern"} <= words_of("x.svg")


@pytest.mark.slow
def test_one_of_several_columns_is_chosen_and_a_picture_can_be_narrow():
    done("board", "map", *TAX, "--narrow", "--unit", "Thalers", "--out", "x.svg")
    assert {"Thalers", "Holst."} <= words_of("x.svg")
    done("board", "map", "mine", *TAX, "--out", "x.png")
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ("empty", "first line")),
        ("name,win\nTirol,1\n", ("line 1:", "name, win", "county")),
        ("county,a,b\nTirol,1,2\n", ("line 1:", "2 columns", "one of a, b")),
        ("county,a,a\nTirol,1,2\n", ("a, a", "once")),
        ("county,win\nTyrol,1\n", ("line 2, column county:", "'Tyrol'", "did you mean Tirol?")),
        ("county,win\nTirol,1\nTirol,2\n", ("line 3, column county: duplicate", "'Tirol'")),
        ("county,win\nTirol,much\n", ("line 2, column win: 'much'", "finite")),
        ("county,win\nTirol,1,2\n", ("line 2: 3 fields", "2 are allowed")),
        ("county,win\nTirol,\n", ("no county",)),
        ('county,win\n"Tirol,1\n', ("CSV",)),
    ],
)
def test_a_wrong_file_of_numbers_is_refused_by_line_and_column(text, names):
    Path("values.csv").write_text(text, "utf-8")
    assert_names(refusal("board", "map", "--values", "values.csv", "--out", "x.png"), *names)
    assert not Path("x.png").exists()


def test_a_map_with_errors_is_refused_by_check_and_map_and_the_board_can_still_be_played():
    drawn = json.loads(Path("mine/map.json").read_text("utf-8"))
    drawn["counties"]["Tirol"]["region"] = "Bayern"
    Path("mine/map.json").write_text(json.dumps(drawn), "utf-8")
    field = "counties.Tirol.region"
    assert_names(refusal("board", "check", "mine"), "mine: 1 error", f"map.json, field {field}: 'Bayern'", "played")
    assert field in refusal("board", "map", "mine", "--out", "x.png")
    (error,) = document("board", "check", "mine", status=2)["faults"]
    assert (error["file"], error["line"], error["column"]) == ("map.json", 0, field)
    assert "'Bayern'" in error["text"]
    done("run", "--board", "mine", "--policies", "random", "--games", 5, "--out", "run")
    assert not Path("run/board/map.json").exists()
    done("board", "map", "run/board", "--out", "x.png")  # the shipped map fits


def test_a_board_without_a_map_is_sound_and_has_that_of_the_game_if_it_fits():
    Path("mine/map.json").unlink()
    done("board", "check", "mine")
    done("board", "map", "mine", "--out", "x.png")
    for file in ("counties.csv", "borders.csv", "lineups.csv"):
        path = Path("mine") / file
        path.write_text(path.read_text("utf-8").replace("Anhalt", "Elsewhere"), "utf-8")
    done("board", "check", "mine")
    assert_names(refusal("board", "map", "mine", "--out", "y.png"), "mine:", "map.json", "counties or borders")
