"""Of a run: the page of a game by `wallsim replay`, the table of the first plans by `wallsim openings`."""

import csv
import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import document, done
from tests.refusals import assert_names
from wallsim.analysis.openings.choices import BOXES
from wallsim.api.trace import replay_page, trace
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.play.play import play_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of 12 games; do not change it."""
    folder = tmp_path_factory.mktemp("replay") / "run"
    done("run", "--players", 3, "--policies", "random", "--seed", 5, "--games", 12, "--out", folder, "--quiet")
    return folder


def test_a_run_and_an_experiment_give_the_page_of_the_game(run, here):
    assert "deep/a.html" in done("replay", run, "--game", 3, "--out", "deep/a.html").output
    Path("x.toml").write_text('players = 3\npolicies = "random"\nseed = 5\ngames = 4\n', "utf-8")
    done("replay", "x.toml", "--game", 3, "--out", "b.html")
    page, events = Path("deep/a.html").read_text("utf-8"), trace(Run.open(run), 3)
    assert Path("b.html").read_text("utf-8") == page == replay_page(events)
    data = re.search(r'id="data">(.*?)</script>', page, re.S)[1]
    assert len(json.loads(data)["steps"]) == len(events)
    done("replay", run)
    assert "Game 0 of seed 5" in Path("results/game-0.html").read_text("utf-8")


@pytest.mark.parametrize("kind", ["closest", "comeback", "upset"])
def test_a_remarkable_game_is_picked_from_the_run(run, here, kind):
    number = re.search(r"^Game (\d+): ", done("replay", run, "--remarkable", kind, "--out", "a.html").stdout, re.M)[1]
    assert f"<h1>Game {number} of seed 5</h1>" in Path("a.html").read_text("utf-8")


def test_the_table_of_openings_has_the_rows_of_the_document_and_the_page_every_line_up_and_box(tmp_path):
    experiment = Experiment(policies="balanced", players=3, games=150, seed=2, plans=True)
    folder, table = play_run(experiment, tmp_path / "run").folder, tmp_path / "rows.csv"
    done("openings", folder, "--lineup", "B", "--out", table)
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, other in zip(rows, document("openings", folder, "--lineup", "B")["openings"], strict=True):
        assert (row["box"], row["card"], int(row["plans"])) == (other["box"], other["card"], other["plans"])
        low, high = other["share_interval"] or ("", "")
        assert [row["share_low"], row["share_high"]] == [low, high] or float(row["share_low"]) == pytest.approx(low)
    assert {row["lineup"] for row in rows} == {"B"}
    assert {row["season"] for row in rows} == {"spring", "summer"}
    other = play_run(Experiment(policies="random", games=40, plans=True), tmp_path / "other").folder
    done("openings", folder, other, "--forced", 40, "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert_names(page, "150 games of 3 players", "40 games of 4 players", "forced: VP")
    assert_names(page, *(f"Line-up {letter}, {name}" for name in ("balanced", "random") for letter in "ABC"))
    assert page.count('<details class="box-of">') == (3 + 4) * len(BOXES)
    assert not re.search(r"<[^>]*\s(style|on\w+)=|src=|https?://", page)
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
