"""The table counties names where counties came from and how they were lost; its numbers are those of the trace."""

import polars as pl
import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

KEY = ["game", "seat"]


@pytest.fixture(scope="module", params=["small", "first edition with all expansions", "draft"])
def run(request, small_run, full_run, tmp_path_factory):
    """Finished runs with every table: line-ups, the first edition with every expansion, and a draft."""
    if request.param != "draft":
        return small_run if request.param == "small" else full_run
    experiment = Experiment(
        policies=("random", "balanced", "random"), players=3, setup="draft", games=200, seed=3, expansions="all",
        seasons=True, battles=True, counties=True,
    )  # fmt: skip
    return play_run(experiment, tmp_path_factory.mktemp("runs") / "draft")


def counties_of(run):
    return run.scan("counties").collect()


def test_starting_counties_have_a_pick_armies_and_a_source(run):  # B1.2 B1.3 B1.4
    counties, players = counties_of(run), run.identity["players"]
    dealt = counties.filter(pl.col("pick") > 0)
    groups = {3: [2, 2, 2, 2, 3, 3, 4, 4, 5], 4: [2, 2, 2, 3, 3, 4, 4, 5]}[players]
    for _, rows in dealt.filter(pl.col("game") < 30).group_by(KEY):
        assert rows["pick"].to_list() == list(range(1, len(groups) + 1))
        assert sorted(rows["armies_dealt"]) == groups
    if run.identity["setup"] == "draft":
        assert set(dealt["source"]) == {"shown", "deck"}
        turns = dealt.sort("game", "draft_turn").group_by("game", maintain_order=True).agg("draft_turn")
        assert set(map(tuple, turns["draft_turn"].to_list())) == {tuple(range(1, players * len(groups) + 1))}
        assert (dealt["pick"] == (dealt["draft_turn"] - 1) // players + 1).all()
    else:
        assert set(dealt["source"]) == {"lineup"}
        assert set(dealt["draft_turn"]) == {0}
    later = counties.filter(pl.col("pick") == 0)
    assert set(later["armies_dealt"]) == set(later["draft_turn"]) == {0}
    assert dealt["taken_season"].null_count() == dealt.height
    assert later["taken_season"].null_count() == 0


def test_a_county_kept_to_the_end_was_regained_as_often_as_lost(run):
    counties = counties_of(run)
    balance = (pl.col("pick") > 0).cast(pl.Int64) + pl.col("conquests") - pl.col("losses")
    assert counties.select((balance == pl.col("held_year2")).all()).item()
    never = counties.filter(pl.col("losses") == 0)
    assert set(never["lost_year"]) == {0}
    assert never["lost_in"].null_count() == never["lost_to"].null_count() == never.height
    kept = never.filter(pl.col("pick") > 0)
    assert set(kept["seasons_held"]) == {8}
    lost = counties.filter(pl.col("losses") > 0)
    assert lost.select("lost_year", "lost_season", "lost_in").null_count().row(0) == (0, 0, 0)
    assert lost.filter(pl.col("lost_in") != "player")["lost_to"].drop_nulls().is_empty()
