"""The study `casual` plays tables of five equal policies and sets them beside what people report."""

import polars as pl
import pytest

from analyses import casual
from tests.analyses.studies import files_of, filled, is_png, number, page_for, run_study, table_of
from wallsim.analyses.casual.reported import PEOPLE
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.runs.folder.results import open_run
from wallsim.stats.intervals import Confidence

NAMES = ("random", "builder")
GAMES = 120


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("casual")
    return folder, run(folder, *page_for(casual, folder))


def run(folder, *words):
    """Run the study on a few games; what it printed."""
    status, printed, errors = run_study(casual, folder, "--games", str(GAMES), "--policies", ",".join(NAMES), *words)
    assert (status, errors) == (0, "")
    return printed


def test_each_policy_has_all_five_seats_and_every_line_up(told):
    folder, _ = told
    for name in NAMES:
        identity = open_run(folder / "runs" / name).manifest["experiment"]["identity"]
        assert [policy["name"] for policy in identity["policies"]] == [name] * 5
        assert sorted(identity["lineups"]) == list("ABCDE")


def test_the_answer_lies_between_the_marks_and_the_picture_beside_it(told):
    folder, printed = told
    planned = casual.experiments(NAMES, GAMES)
    assert (folder / "page.md").read_text("utf-8") == filled(casual, (casual.digest(planned), printed))
    assert is_png(folder / "it.png")
    assert printed.startswith(f"2 policies, {GAMES} games each: {2 * GAMES} games; 5 players, line-ups, ")


def test_people_stand_above_the_policies_in_both_tables(told):
    folder, printed = told
    points, conduct = table_of(printed, "mean victory points"), table_of(printed, "Thalers bid")
    for rows in (points, conduct):
        assert [row[0] for row in rows] == [casual.REPORTED, "`random`", "`builder`"]
    assert points[0][1:] == ["45", "37", "34", "29", "26", "–"]
    assert conduct[0][1:] == ["4", "2", "1", "0", "0", "–", "2", "most"]
    best = (
        open_run(folder / "runs" / "builder")
        .scan("seats")
        .collect()
        .group_by("game")
        .agg(best=pl.col("vp").max())["best"]
    )
    assert number(points[2][1]) == pytest.approx(best.mean(), abs=0.051)
    found = casual.study(folder / "runs", casual.experiments(NAMES, GAMES))
    assert number(points[2][6]) == pytest.approx(found.policies["builder"].distance(PEOPLE), abs=0.051)


def test_intervals_hold_for_a_whole_table(told):
    folder, printed = told
    found = casual.study(folder / "runs", casual.experiments(NAMES, GAMES))
    assert found.confidence == Confidence(0.95, 2 * 8)
    half = found.confidence.t(GAMES) * found.policies["random"].points[0].error
    assert table_of(printed, "mean victory points")[1][1].endswith(f" ± {half:.1f}")


def test_a_study_that_is_there_is_not_played_again(told):
    folder, printed = told
    before = files_of(folder)
    assert run(folder) == printed
    assert files_of(folder) == before


def test_the_policies_of_the_study_are_there():
    assert len(set(casual.POLICIES)) == len(casual.POLICIES)
    assert all(load_policy(name) for name in casual.POLICIES)
    with pytest.raises(InputError, match="nobody"):
        casual.experiments(["nobody"])
