"""`wallsim openings`: a page, a table or a document of the first plans."""

import csv

import pytest

from tests.cli.commands import document, done
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished run with plans; do not change it."""
    experiment = Experiment(policies="balanced", players=3, games=150, seed=2, plans=True)
    return play_run(experiment, tmp_path_factory.mktemp("openings") / "run").folder


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
