"""`wallsim openings`: a page, a table or a document of the first plans."""

import csv
import re

import pytest

from tests.cli.commands import document, done
from tests.refusals import assert_names
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
    done("openings", folder, "--forced", 40, "--out", page)
    text = page.read_text("utf-8")
    assert_names(text, *(f"Line-up {letter}, balanced" for letter in "ABC"), "150 games", "forced: VP")
    assert text.count('<details class="box-of">') == 3 * len(BOXES)
    assert not re.search(r"<[^>]*\s(style|on\w+)=|src=|https?://", text)
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r'id="([^"]+)"', text))
    done("openings", folder, "--forced", 40, "--out", tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_the_table_has_the_rows_of_the_document(folder, tmp_path):
    table = tmp_path / "rows.csv"
    done("openings", folder, "--lineup", "B", "--out", table)
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, other in zip(rows, document("openings", folder, "--lineup", "B")["openings"], strict=True):
        assert (row["box"], row["card"], int(row["plans"])) == (other["box"], other["card"], other["plans"])
        low, high = other["share_interval"] or ("", "")
        assert [row["share_low"], row["share_high"]] == [low, high] or float(row["share_low"]) == pytest.approx(low)
    assert {row["lineup"] for row in rows} == {"B"}
    assert {row["season"] for row in rows} == {"spring", "summer"}


def test_several_runs_are_parts_of_one_page(folder, tmp_path):
    other = play_run(Experiment(policies="random", games=40, plans=True), tmp_path / "other").folder
    done("openings", folder, other, "--out", tmp_path / "page.html")
    assert_names((tmp_path / "page.html").read_text("utf-8"), "150 games of 3 players", "40 games of 4 players")
