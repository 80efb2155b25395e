"""`wallsim openings`: a page, a table or a document of the first plans, and what it refuses."""

import csv
import re

import pytest

from tests.cli.test_games import wallsim
from tests.cli.test_json import document
from wallsim.analysis.openings.choices import BOXES
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished run with plans; do not change it."""
    experiment = Experiment(policies="balanced", players=3, games=150, seed=2, plans=True)
    return play_run(experiment, tmp_path_factory.mktemp("openings") / "run").folder


@pytest.mark.slow
def test_the_page_has_every_line_up_and_box_and_stays_offline(folder, tmp_path):
    page = tmp_path / "new" / "page.html"
    result = wallsim("openings", str(folder), "--forced", "40", "--out", str(page))
    assert result.exit_code == 0, result.output
    text = page.read_text("utf-8")
    assert all(f"Line-up {letter}, balanced" in text for letter in "ABC")
    assert text.count('<details class="box-of">') == 3 * len(BOXES)
    assert "150 games" in text
    assert "forced: VP" in text
    assert not re.search(r"<[^>]*\s(style|on\w+)=|src=|https?://", text)
    anchors = set(re.findall(r'href="#([^"]+)"', text))
    assert anchors <= set(re.findall(r'id="([^"]+)"', text))
    again = tmp_path / "again.html"
    wallsim("openings", str(folder), "--forced", "40", "--out", str(again))
    assert again.read_bytes() == page.read_bytes()


def test_the_table_has_the_rows_of_the_document(folder, tmp_path):
    table = tmp_path / "rows.csv"
    assert wallsim("openings", str(folder), "--lineup", "B", "--out", str(table)).exit_code == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    listed = document("openings", str(folder), "--lineup", "B")["openings"]
    assert len(rows) == len(listed)
    for row, other in zip(rows, listed, strict=True):
        assert (row["box"], row["card"], int(row["plans"])) == (other["box"], other["card"], other["plans"])
        low, high = other["share_interval"] or ("", "")
        assert [row["share_low"], row["share_high"]] == [low, high] or float(row["share_low"]) == pytest.approx(low)
    assert {row["lineup"] for row in rows} == {"B"}
    assert {row["season"] for row in rows} == {"spring", "summer"}


def test_several_runs_are_parts_of_one_page(folder, tmp_path):
    other = play_run(Experiment(policies="random", games=40, plans=True), tmp_path / "other").folder
    page = tmp_path / "page.html"
    assert wallsim("openings", str(folder), str(other), "--out", str(page)).exit_code == 0
    text = page.read_text("utf-8")
    assert "150 games of 3 players" in text
    assert "40 games of 4 players" in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--forced", "x"], '--forced: "x" is not a whole number'),
        (["--forced", "151"], "--forced: 151 is not a whole number from 0 to 150"),
        (["--lineup", "D"], "--lineup: 'D' is not in"),
        (["--out", "page.txt"], "--out: page.txt: name a file that ends with .html or .csv"),
        (["--policy", "random"], "--policy: 'random' is not in"),
    ],
)
def test_bad_input_ends_with_status_2_and_writes_nothing(words, why, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = wallsim("openings", str(folder), *words)
    assert result.exit_code == 2
    assert why in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_plans_is_refused_with_the_option_that_writes_them(tmp_path):
    run = play_run(Experiment(policies="random", games=1), tmp_path / "run").folder
    result = wallsim("openings", str(run), "--out", str(tmp_path / "page.html"))
    assert result.exit_code == 2
    assert "--plans" in result.output
    assert not (tmp_path / "page.html").exists()
    assert wallsim("openings", str(tmp_path / "nothing")).exit_code == 2
