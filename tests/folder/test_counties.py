"""The table counties agrees with the other tables."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

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


def test_each_seat_and_county_of_a_game_has_one_row(run):
    counties = counties_of(run)
    assert counties.select(*KEY, "county").is_unique().all()
    assert counties["game"].is_sorted()


def test_what_was_held_after_winter_is_what_the_seasons_count(run):  # B7
    kinds = {"palaces": "palace", "churches": "church", "trading_posts": "trading_post"}
    for year in (1, 2):
        winter = run.scan("seasons").filter(pl.col("year") == year, pl.col("season") == "winter").collect()
        sums = {
            "counties": pl.col(f"held_year{year}"),
            "armies": pl.col(f"armies_year{year}"),
            **{plural: pl.col(f"{kind}_year{year}") for plural, kind in kinds.items()},
        }
        result = counties_of(run).group_by(KEY).agg(column.cast(pl.Int64).sum().alias(n) for n, column in sums.items())
        expected = winter.select(*KEY, *(pl.col(name).cast(pl.Int64) for name in sums))
        assert_frame_equal(result.sort(KEY), expected.sort(KEY))


def test_win_rank_and_points_are_those_of_the_seat(run):
    ours = counties_of(run).select(*KEY, "lineup", "policy", "win", "rank", "vp").unique().sort(KEY)
    seats = run.scan("seats").select(ours.columns).sort(KEY).collect()
    assert_frame_equal(ours, seats)


def test_gains_and_losses_are_those_of_the_battles(run):  # B6.7 B6.9 B6.10
    counties, battles = counties_of(run), run.scan("battles").collect()
    taken = battles.filter(pl.col("result") == "attacker", pl.col("attacker").is_not_null()).height
    by_favor = run.scan("seats").select(pl.col("^favor_counties$").cast(pl.Int64).sum()).collect()
    favors = by_favor.item() if by_favor.width else 0
    assert counties["conquests"].cast(pl.Int64).sum() == taken + favors
    lost = battles.filter(pl.col("result") != "defender", pl.col("defender").is_not_null()).height
    assert counties["losses"].cast(pl.Int64).sum() == lost
    gained_first = counties.filter(pl.col("source").is_in(["conquered", "favor"]))
    assert gained_first["conquests"].min() >= 1
    assert (gained_first["source"] == "favor").sum() <= favors


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
