"""What expansions bring, seat by seat, against plain Python; points by source add up to the score."""

import statistics

import polars as pl
import pytest

from wallsim.analysis.games.breakdown import SOURCES as BASE_SOURCES
from wallsim.analysis.games.breakdown import breakdown, points_by_source, sources_of
from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import Confidence, mean_interval

SOURCES = ["counties", "buildings", "majorities", "favors", "Landsknechte", "statues", "trophies"]
USES = ["favors taken", "courtiers sent", "Landsknechte cards", "statues left", "trophies taken"]
MEANT = {
    "buildings": ["vp_buildings_year1", "vp_buildings_year2"],
    "majorities": [f"vp_{kind}_majorities_year{y}" for kind in ("palace", "church", "trading_post") for y in (1, 2)],
    "favors": ["vp_favors"],
    "statues": ["vp_statues_year1", "vp_statues_year2"],
    "courtiers sent": ["courtiers_for_armies", "courtiers_for_cubes"],
    "Landsknechte cards": ["landsknecht_cards"],
    "trophies taken": ["trophies"],
}


def played(folder, **keys):
    return play_run(Experiment(policies="random", **keys), folder, workers=1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return played(tmp_path_factory.mktemp("breakdown") / "run", games=400, players=5, edition="1e", expansions="all")


def test_the_lines_are_sources_first_then_uses(run):
    assert [(line.name, line.is_points) for line in breakdown(run)] == [
        *((name, True) for name in SOURCES), *((name, False) for name in USES)
    ]  # fmt: skip


def test_means_and_intervals_are_those_of_plain_python(run):
    rows, lines = run.scan("seats").collect().rows(named=True), {line.name: line for line in breakdown(run)}
    confidence = Confidence(0.95, 5)
    for name, columns in MEANT.items():
        for seat in range(5):
            values = [sum(row[column] for column in columns) for row in rows if row["seat"] == seat]
            mean, deviation = statistics.mean(values), statistics.stdev(values)
            assert lines[name].seats[seat].mean == pytest.approx(mean)
            if deviation:
                expected = mean_interval(mean, deviation, 400, confidence)
                assert lines[name].seats[seat].interval == pytest.approx(expected)
            else:
                assert lines[name].seats[seat].interval is None


def test_points_of_all_lines_add_up_to_the_mean_score(run):  # B7.4, E6, L1, M5
    lines = [line for line in breakdown(run) if line.is_points]
    for finding in summarise(run).seats:
        assert sum(line.seats[finding.seat].mean for line in lines) == pytest.approx(finding.vp)


def test_lines_are_those_of_the_expansions_in_play(tmp_path):
    run = played(tmp_path / "run", games=40, expansions="leaders")
    names = [line.name for line in summarise(run).breakdown]
    assert names == ["counties", "buildings", "majorities", "statues", "trophies", "statues left", "trophies taken"]
    assert summarise(played(tmp_path / "base", games=40)).breakdown == ()


def test_what_is_alike_in_every_game_has_no_interval(tmp_path):
    few = breakdown(played(tmp_path / "few", games=62, expansions="court"))
    assert {seat.interval for line in few for seat in line.seats} == {None}
    # In the base game the score is all there is, and nobody is ever without a county in so few games.
    enough = breakdown(played(tmp_path / "enough", games=63, expansions="court"))
    assert all(seat.interval is not None for line in enough if line.name == "counties" for seat in line.seats)


# ------------------------------------------------------------------------------------------- points by winter

IN_WINTERS, IN_ROUNDS = ("statues", "trophies"), ("favors", "Landsknechte")


@pytest.mark.parametrize("expansions", [(), ("court",), ("landsknechte",), ("leaders",), EXPANSIONS], ids=str)
def test_points_by_source_add_up_to_the_score_of_each_player(expansions, tmp_path):  # B7.4, E6, L1, M5
    added = [source for source in sources_of(expansions) if source not in BASE_SOURCES]
    run = played(tmp_path / "run", games=120, expansions=expansions)
    points = points_by_source(run)
    named = points["source"].unique(maintain_order=True).to_list()
    assert named == [*BASE_SOURCES, *[s for s in added if s in IN_WINTERS], *[s for s in added if s in IN_ROUNDS]]
    assert set(points.filter(pl.col("year").is_null())["source"]) == set(added) & set(IN_ROUNDS)
    totals = points.group_by("player").agg(pl.col("vp").sum()).sort("player")
    scores = run.scan("seats").group_by(pl.col("lineup").cast(pl.String)).agg(pl.col("vp").mean()).collect()
    assert dict(totals.iter_rows()) == pytest.approx(dict(scores.iter_rows()))
    assert all(points.filter(source=source)["vp"].sum() > 0 for source in added)


def test_players_of_a_draft_are_named_by_seat(tmp_path):
    run = played(tmp_path / "run", games=20, setup="draft", players=3)
    assert points_by_source(run)["player"].unique(maintain_order=True).to_list() == ["seat 0", "seat 1", "seat 2"]
