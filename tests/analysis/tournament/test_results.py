"""A tournament's findings hang together: one ladder for all of them, and the assumptions of a rotated table."""

import polars as pl
import pytest

from tests.analysis.planted import planted_rows
from tests.refusals import assert_names
from wallsim.analysis.tournament.results import judge, lineup_wins
from wallsim.experiment.experiment import Experiment
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.stats.intervals import Confidence

NAMES = ("random", "balanced", "heedless", "builder")


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    tournament = Tournament(NAMES, Experiment(players=3, seed=2), 66)
    return judge(play_tournament(tournament, tmp_path_factory.mktemp("cup")), resamples=200)


def test_the_planted_order_comes_out(findings):
    assert findings.ratings.policies[-1] == "random"
    assert findings.ratings.policies.index("balanced") < findings.ratings.policies.index("heedless")
    last, others = findings.ratings.ladder[-1], findings.ratings.ladder[:-1]
    assert last.win_interval[1] < min(other.win_interval[0] for other in others)


def test_all_findings_are_of_the_same_games_and_in_the_order_of_the_ladder(findings):
    assert (findings.ratings.games, findings.ratings.blocks) == (66 * 12, 66)
    assert (findings.skill.games, findings.skill.blocks) == (66 * 12, 66)
    assert findings.payoffs.policies == findings.ratings.policies
    assert set(findings.payoffs.games[findings.payoffs.games > 0]) == {66 * 6}  # two of four tables have a pair
    assert sum(rating.win_share for rating in findings.ratings.ladder) / 4 == pytest.approx(1 / 3)


def test_a_balanced_design_leaves_the_seat_little_and_parts_that_add_up(findings):
    assert abs(findings.skill.share("seat")) < 0.02
    assert findings.skill.share("policy") > 0.4
    assert abs(findings.skill.overlap) < 0.02
    assert not findings.skill.notes


def test_it_says_that_seats_and_line_ups_are_dealt_around(findings):
    text = "\n".join(findings.assumptions)
    assert_names(text, "every seat and line-up", "balanced, builder, heedless and random")
    assert "stays with its seat" not in text


def test_shares_are_those_of_the_rows():
    rows = planted_rows([1.0, 0.0, -1.0, 0.5, 0.2], 60, 3, lineups=True)
    found = lineup_wins(rows)
    assert list(found) == [None, "p0", "p1", "p2", "p3", "p4"]
    for bot, lineups in found.items():
        assert list(lineups) == ["L0", "L1", "L2", "L3"]
        for letter, estimate in lineups.items():
            of_bot = rows if bot is None else rows.filter(pl.col("policy") == bot)
            assert estimate.value == pytest.approx(of_bot.filter(pl.col("lineup") == letter)["win"].mean())
            assert estimate.blocks == 60
    low, high = found["p0"]["L0"].interval(Confidence())
    assert low < found["p0"]["L0"].value < high
    assert sum(each.value for each in found[None].values()) == pytest.approx(1.0)


def test_a_draft_has_none():
    assert lineup_wins(planted_rows([1.0, 0.0, -1.0, 0.5], 4, 3)) == {}
