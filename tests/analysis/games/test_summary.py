"""The summary: its numbers against plain Python, its intervals against published ones."""

import statistics

import pytest

from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.stats.intervals import Confidence, mean_interval, wilson


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return play_run(
        Experiment(games=1500, seed=5, players=3, policies="random"), tmp_path_factory.mktemp("runs") / "run"
    )


def test_the_numbers_are_those_of_plain_python(run):
    rows = run.scan("seats").collect().rows(named=True)
    summary = summarise(run)
    confidence = Confidence(0.95, 3)
    for finding in summary.seats:
        mine = [row for row in rows if row["seat"] == finding.seat]
        points = [row["vp"] for row in mine]
        share = sum(row["win"] for row in mine) / 1500
        assert finding.lineup == "ABC"[finding.seat]
        assert finding.policy == "random"
        assert finding.share == pytest.approx(share)
        assert finding.share_interval == pytest.approx(wilson(share, 1500, confidence.z))
        assert finding.vp == pytest.approx(statistics.mean(points))
        assert finding.vp_deviation == pytest.approx(statistics.stdev(points))
        assert finding.vp_interval == pytest.approx(
            mean_interval(statistics.mean(points), statistics.stdev(points), 1500, confidence)
        )
    shared = {row["game"] for row in rows if 0 < row["win"] < 1}
    assert summary.shared == pytest.approx(len(shared) / 1500)
    assert sum(finding.share for finding in summary.seats) == pytest.approx(1)


def test_a_seat_is_marked_only_if_its_interval_leaves_the_fair_share(run):
    finding = summarise(run).seats[0]
    low, high = finding.share_interval
    assert finding.against((low + high) / 2) == ""
    assert finding.against(low - 0.01) == "above"
    assert finding.against(high + 0.01) == "below"


def test_few_games_claim_nothing(tmp_path):
    summary = summarise(play_run(Experiment(games=62), tmp_path / "run"))
    assert {finding.share_interval for finding in summary.seats} == {None}
    assert {finding.vp_deviation for finding in summary.seats} == {None}
