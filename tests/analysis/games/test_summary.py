"""The summary: its numbers against plain Python, its intervals against published ones, its words."""

import io
import math
import statistics

import pytest
from rich.console import Console

from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.tables.summary import print_summary
from wallsim.stats.intervals import Confidence, mean_interval, wilson


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return play_run(
        Experiment(games=1500, seed=5, players=3, policies="random"), tmp_path_factory.mktemp("runs") / "run"
    )


def printed(run, width=100):
    console = Console(width=width, record=True, file=io.StringIO())
    print_summary(console, run, summarise(run))
    return console.export_text()


def test_wilsons_interval_has_its_known_values():
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    z = Confidence(0.95).z
    for wins, trials, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        assert wilson(wins / trials, trials, z) == pytest.approx((low, high), abs=5e-5)


def test_wilsons_ends_solve_its_equation():
    z = Confidence(0.95, 4).z
    for end in wilson(0.3, 1000, z):
        assert abs(0.3 - end) == pytest.approx(z * math.sqrt(end * (1 - end) / 1000))


def test_several_intervals_at_once_are_wider():
    assert Confidence(0.95).z == pytest.approx(1.959964, abs=1e-6)
    assert Confidence(0.95, 4).z == pytest.approx(2.497705, abs=1e-6)


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
    run = play_run(Experiment(games=62), tmp_path / "run")
    summary = summarise(run)
    assert {finding.share_interval for finding in summary.seats} == {None}
    assert {finding.vp_deviation for finding in summary.seats} == {None}
    assert "4 simultaneous intervals need at least 63 games; these are 62, so there are none." in printed(run)


def test_the_printed_summary_says_all_that_a_reader_needs(run):
    text = printed(run, width=200)
    for piece in (
        "1,500 games, 3 players, line-ups, seed 5",
        "Fair share 33.33%",
        "hold for all seats simultaneously with 95% confidence (Bonferroni)",
        "Tower: spielbyweb, model independent (a cube falls through with chance 0.6667",
        "Assumed in the board's data: line-up A: Anhalt with 2 armies.",
        "Each line-up stays with its seat",
        "games per CPU second",
        str(run.folder),
        "import polars as pl",
    ):
        assert piece in text


def test_a_draft_is_not_said_to_have_lineups(tmp_path):
    text = printed(play_run(Experiment(games=40, setup="draft"), tmp_path / "run"))
    assert "line-up stays" not in text
    assert "drafted" in text
