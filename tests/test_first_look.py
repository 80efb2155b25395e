"""The study `first_look` plays its runs, prints its tables, and puts them into the file it is told."""

import re
import runpy
import sys
from types import SimpleNamespace

import polars as pl
import pytest
from matplotlib import pyplot as plt

from tests.test_architecture import ROOT
from wallsim.report.marked import marks
from wallsim.runs.results import open_run

SCRIPT = ROOT / "analyses" / "first_look.py"
TEXT = "before\n<!-- figures: do not edit -->\nold\n<!-- /figures -->\nafter\n"


@pytest.fixture
def study(tmp_path, monkeypatch):
    plt.switch_backend("Agg")
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["first_look.py", "runs", "picture.png", "--games", "120", *words])
        runpy.run_path(str(SCRIPT), run_name="__main__")

    return run


def test_the_study_answers_in_two_tables_and_a_picture(study, tmp_path, capsys):
    (tmp_path / "text.md").write_text(TEXT, "utf-8")
    study("--into", "text.md")
    printed = capsys.readouterr().out
    text = (tmp_path / "text.md").read_text("utf-8")
    assert printed.strip() in text
    opening = "<!-- figures of experiment [0-9a-f]{12}: written by analyses/first_look.py, do not edit -->"
    assert re.match(f"before\n{opening}\n120 games, 4 players", text)
    assert text.endswith("<!-- /figures -->\nafter\n")
    assert "old" not in text
    assert len([line for line in text.splitlines() if line.startswith("|")]) == (4 + 2) + (7 + 2) + (2 + 2)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert len([*(tmp_path / "runs").iterdir()]) == 7


def test_the_claim_is_judged_for_weak_middling_and_strong_play(study, tmp_path, capsys):
    study("--strong", "builder")
    printed = capsys.readouterr().out
    rows = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("| Line-up A wins")]
    shares, ahead = [], []
    for folder in ("policy_balanced_noise_16", "as_it_stands", "policy_builder"):
        seats = open_run(tmp_path / "runs" / folder).scan("seats").collect()
        won = {letter: seats.filter(pl.col("lineup") == letter)["win"].cast(pl.Float64).mean() for letter in "AB"}
        shares.append(100 * won["A"])
        ahead.append(100 * (won["A"] - won["B"]))
    assert [cells[1] for cells in rows] == ["line-up A > 25", "A less B > 0"]
    for cells, values in zip(rows, (shares, ahead), strict=True):
        found = [float(cell.split(" ± ")[0].replace("−", "-")) for cell in cells[2:5]]
        assert found == pytest.approx(values, abs=0.051)
        assert "strength" in cells[5]


def test_the_digest_tells_any_change_of_any_run():
    first_look = SimpleNamespace(**runpy.run_path(str(SCRIPT), run_name="first_look"))
    digests = {first_look.digest(), first_look.digest(120), first_look.digest(None, "builder")}
    assert len(digests) == 3
    assert first_look.digest() == first_look.digest(None, first_look.STRONG)


def test_the_study_refuses_a_strong_policy_that_is_none(study, tmp_path):
    with pytest.raises(SystemExit, match="nobody"):
        study("--strong", "nobody")
    assert not (tmp_path / "runs").exists()


def test_the_study_refuses_a_text_without_its_place(study, tmp_path):
    (tmp_path / "text.md").write_text("nothing marked", "utf-8")
    with pytest.raises(SystemExit, match=r"text\.md: has 0 places"):
        study("--into", "text.md")


def test_the_readme_has_one_place_for_the_figures():
    name = runpy.run_path(str(SCRIPT), run_name="first_look")["MARKS"]
    assert len(marks(name).findall((ROOT / "README.md").read_text("utf-8"))) == 1
