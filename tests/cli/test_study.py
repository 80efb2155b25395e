"""`wallsim study` plays a study of the repository into a folder."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from tests.cli.test_games import refusal, wallsim
from tests.notebooks import run_notebook
from wallsim.cli.study import STUDIES

LOOKS = (
    "price",
    "tiles",
    "events",
    "lineups",
    "draft",
    "expansions",
    "editions",
    "amounts",
)  # robustness: tests/analyses


def test_every_study_of_the_repository_can_be_named():
    files = (Path(__file__).parents[2] / "analyses").glob("*.py")
    assert set(STUDIES) == {path.stem for path in files if "\nSTUDY = driver.Study(" in path.read_text("utf-8")}


def test_a_study_writes_its_picture_and_files_and_prints_its_tables(tmp_path):
    plt.switch_backend("Agg")
    result = wallsim("study", "price", "--quick", "--games", "24", "--workers", "1", "--out", str(tmp_path / "p"))
    assert result.exit_code == 0, result.output
    assert "| VP per Thaler |" in result.stdout
    assert {path.name for path in (tmp_path / "p").iterdir()} == {
        "changes.parquet", "parts", "price.md", "price.png", "prices.csv", "record.json", "study.json",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_a_quick_look_answers_with_intervals_and_the_notebook_shows_it(name, tmp_path, monkeypatch):
    plt.switch_backend("Agg")
    result = wallsim("study", name, "--quick", "--out", str(tmp_path / name))
    assert result.exit_code == 0, result.output
    [answer] = re.findall(r"^\*\*(?:Answer|4 players)\.\*\* .*", result.stdout, re.MULTILINE)
    assert "±" in answer
    assert "not known" not in answer
    assert (tmp_path / name / f"{name}.png").is_file()
    verified = wallsim("study", name, "--verify", "--replay", "2", "--out", str(tmp_path / name))
    assert verified.exit_code == 0, verified.output
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / name / "parts").rglob("*")}
    run_notebook(name, tmp_path, monkeypatch, GAMES="None", FOLDER=repr(str(tmp_path / name)))  # as many games
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / name / "parts").rglob("*")}
    assert after == before, "the notebook plays nothing again"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("prise",), "prise is not one of"),
        (("casual", "--quick"), "the study casual has no such option"),
    ],
)
def test_unknown_studies_and_options_are_refused(words, message, tmp_path):
    assert message in refusal("study", *words, "--out", str(tmp_path / "x"))
