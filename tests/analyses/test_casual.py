"""The study `casual` plays tables of five equal policies and sets them beside what people report."""

import polars as pl
import pytest

from tests.analyses.studies import files_of, look, number, table_of
from wallsim.analyses.casual import estimates as casual
from wallsim.analyses.casual.page import REPORTED
from wallsim.analyses.casual.reported import PEOPLE
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.runs.folder.results import open_run
from wallsim.stats.intervals import Confidence
from wallsim.studies.study import Choices

NAMES = ("random", "builder")
GAMES = 120


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and its result."""
    folder = tmp_path_factory.mktemp("casual")
    return folder, run(folder)


def run(folder):
    """The study on a few games."""
    return look("casual", folder, GAMES, quick=False, policies=",".join(NAMES))


def test_each_policy_has_all_five_seats_and_every_line_up(told):
    folder, _ = told
    for name in NAMES:
        identity = open_run(folder / name).manifest["experiment"]["identity"]
        assert [policy["name"] for policy in identity["policies"]] == [name] * 5
        assert sorted(identity["lineups"]) == list("ABCDE")


def test_the_page_says_what_was_played(told):
    text = told[1].page.text
    assert text.startswith(f"2 policies, {GAMES} games each: {2 * GAMES} games; 5 players, line-ups, ")


def test_people_stand_above_the_policies_in_both_tables(told):
    folder, printed, found = told[0], told[1].page.text, told[1].found
    points, conduct = table_of(printed, "mean victory points"), table_of(printed, "Thalers bid")
    for rows in (points, conduct):
        assert [row[0] for row in rows] == [REPORTED, "`random`", "`builder`"]
    assert points[0][1:] == ["45", "37", "34", "29", "26", "–"]
    assert conduct[0][1:] == ["4", "2", "1", "0", "0", "–", "2", "most"]
    best = open_run(folder / "builder").scan("seats").collect().group_by("game").agg(best=pl.col("vp").max())["best"]
    assert number(points[2][1]) == pytest.approx(best.mean(), abs=0.051)
    assert number(points[2][6]) == pytest.approx(found.policies["builder"].distance(PEOPLE), abs=0.051)


def test_intervals_hold_for_a_whole_table(told):
    printed, found = told[1].page.text, told[1].found
    assert found.confidence == Confidence(0.95, 2 * 8)
    half = found.confidence.t(GAMES) * found.policies["random"].points[0].error
    assert table_of(printed, "mean victory points")[1][1].endswith(f" ± {half:.1f}")


def test_a_study_that_is_there_is_not_played_again(told):
    folder, result = told
    before = files_of(folder)
    assert run(folder).page == result.page
    assert files_of(folder) == before


def test_the_policies_of_the_study_are_there():
    assert len(set(casual.POLICIES)) == len(casual.POLICIES)
    assert all(load_policy(name) for name in casual.POLICIES)
    with pytest.raises(InputError, match="nobody"):
        casual.design(Choices(options={"policies": "nobody"}))
