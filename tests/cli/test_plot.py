"""Pictures of a run: the format by the ending of the file, and refusals before anything is played."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_games import refusal, wallsim


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_ending_says_the_format():
    words = ("run", "--policies", "random", "--games", "40", "--out", "run")
    assert "Wrote x.svg" in wallsim(*words, "--plot", "x.svg").stderr
    tree = ElementTree.fromstring(Path("x.svg").read_text("utf-8"))
    assert tree.tag.endswith("svg")
    assert not [node for node in tree.iter() if node.tag.endswith("image")]
    first = Path("x.svg").read_bytes()
    assert wallsim("summary", "run", "--plot", "x.svg").exit_code == 0
    assert Path("x.svg").read_bytes() == first
    for ending, begins in ((".png", b"\x89PNG"), (".PDF", b"%PDF"), (".pdf", b"%PDF")):
        assert wallsim("summary", "run", "--plot", f"x{ending}").exit_code == 0
        assert Path(f"x{ending}").read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ["x", "x.gif", "x.svgz", "nowhere/x.svg"])
def test_other_names_are_refused_before_anything_is_played(name):
    assert name in refusal("run", "--games", "5", "--out", "run", "--plot", name)
    assert not Path("run").exists()
