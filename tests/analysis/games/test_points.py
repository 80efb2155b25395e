"""Points by source and the tower's contents add up to what the tables say."""

import polars as pl
import pytest

from wallsim.analysis.games.breakdown import SOURCES, points_by_source, sources_of
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.rules.terms import EXPANSIONS


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return play_run(Experiment(policies="random", games=300), tmp_path_factory.mktemp("points") / "run", workers=1)


def test_sources_of_both_winters_add_up_to_the_score_of_each_player(run):  # B7.4
    points = points_by_source(run)
    assert points.height == 4 * 2 * len(SOURCES)
    totals = points.group_by("player").agg(pl.col("vp").sum()).sort("player")
    scores = run.scan("seats").group_by("lineup").agg(pl.col("vp").mean()).sort("lineup").collect()
    assert totals["player"].to_list() == scores["lineup"].cast(pl.String).to_list()
    assert totals["vp"].to_list() == pytest.approx(scores["vp"].to_list())


@pytest.mark.parametrize(
    ("expansions", "added"),
    [
        (("court",), ["favors"]),
        (("landsknechte",), ["Landsknechte"]),
        (("leaders",), ["statues", "trophies"]),
        (EXPANSIONS, ["favors", "Landsknechte", "statues", "trophies"]),
    ],
)
def test_sources_of_expansions_add_up_to_the_score_too(expansions, added, tmp_path):  # E6, L1, M5
    run = play_run(Experiment(policies="random", games=120, expansions=expansions), tmp_path / "run", workers=1)
    points = points_by_source(run)
    assert points["source"].unique(maintain_order=True).to_list() == [
        *SOURCES, *[source for source in added if source in ("statues", "trophies")],
        *[source for source in added if source in ("favors", "Landsknechte")],
    ]  # fmt: skip
    assert list(sources_of(expansions)) == [*SOURCES, *added]
    in_rounds = points.filter(pl.col("year").is_null())
    assert in_rounds["source"].unique(maintain_order=True).to_list() == [
        s for s in added if s not in ("statues", "trophies")
    ]
    totals = points.group_by("player").agg(pl.col("vp").sum()).sort("player")["vp"]
    scores = run.scan("seats").group_by("lineup").agg(pl.col("vp").mean()).sort("lineup").collect()["vp"]
    assert totals.to_list() == pytest.approx(scores.to_list())
    assert points.filter(pl.col("source") == added[0])["vp"].sum() > 0


def test_players_of_a_draft_are_named_by_seat(tmp_path):
    run = play_run(Experiment(policies="random", games=20, setup="draft", players=3), tmp_path / "run", workers=1)
    assert points_by_source(run)["player"].unique(maintain_order=True).to_list() == ["seat 0", "seat 1", "seat 2"]
