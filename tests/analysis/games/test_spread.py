"""The spread of wins between line-ups: recounted game by game, planted ones known, and its change paired by game."""

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.games.spread import _spreads as spreads_of_sums
from wallsim.analysis.games.spread import is_of_lineups, spread_of_pairing, spread_of_run, spread_of_shares
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.stats.blocks import block_mean, combined
from wallsim.stats.intervals import Confidence

PLAIN = Experiment(players=4, policies="balanced", games=1500, seed=6, chunk=400)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run, and one of the same games with more Thalers for line-up B."""
    folder = tmp_path_factory.mktemp("runs")
    helped = PLAIN.model_copy(update={"thalers": {"B": 25}})
    return play_run(PLAIN, folder / "plain"), play_run(helped, folder / "helped")


def wins(run):
    """Shares in the win, float64 [games, seats]."""
    return run.scan("seats").sort("game", "seat").collect()["win"].to_numpy().astype(float).reshape(-1, 4)


def by_game(table):
    """The same spread by the influences of single games: as counted, without what chance adds, and its influence."""
    parts = [block_mean(100 * table[:, seat]) for seat in range(4)]
    away = [part.value - 25.0 for part in parts]
    spread = np.sqrt(np.mean(np.square(away)))
    value = np.sqrt(max(0.0, spread**2 - np.mean([part.error**2 for part in parts])))
    return value, combined([each / (4 * spread) for each in away], parts)


def test_it_is_the_deviation_of_the_shares_from_the_fair_one_with_the_error_of_single_games(runs):
    for run in runs:
        spread, linear = by_game(wins(run))
        found = spread_of_run(run)
        assert found.value == pytest.approx(spread)
        assert found.error == pytest.approx(linear.error, rel=1e-6)
        assert found.blocks == 1500
        again = spread_of_shares(wins(run))
        assert (again.value, again.error, again.noise) == pytest.approx((found.value, found.error, found.noise))


def test_the_change_is_paired_by_game(runs):
    found = spread_of_pairing(paired_runs(*runs))
    (one, first), (other, second) = (by_game(wins(run)) for run in runs)
    assert (found.first.value, found.second.value) == (pytest.approx(one), pytest.approx(other))
    assert found.change.value == pytest.approx(other - one)
    assert found.change.error == pytest.approx((second - first).error, rel=1e-6)
    assert found.first == pytest.approx(spread_of_run(runs[0]))


def test_a_run_compared_to_itself_has_no_change(runs):
    found = spread_of_pairing(paired_runs(runs[0], runs[0]))
    assert found.change.value == 0.0
    assert found.change.error == pytest.approx(0.0, abs=1e-9)
    assert found.change.interval(Confidence()) is None


@pytest.mark.parametrize(("seats", "away"), [(3, 1.0), (4, 0.0), (4, 0.25), (5, 1.0)])
def test_a_planted_spread_is_covered_as_often_as_its_interval_says(seats, away):
    """From equal chances to uneven ones; 600 samples of 2,000 games, at worst 92 %, 95 less three standard errors."""
    uneven = {3: [0.45, 0.33, 0.22], 4: [0.37, 0.28, 0.2, 0.15], 5: [0.3, 0.24, 0.2, 0.16, 0.1]}[seats]
    chances = 1 / seats + away * (np.array(uneven) - 1 / seats)
    rng, covered = np.random.default_rng(seats), 0
    true = 100 * np.sqrt(np.mean((chances - 1 / seats) ** 2))
    for wins in rng.multinomial(2000, chances, 600):  # each game has one winner, so products are on the diagonal
        [found], _ = spreads_of_sums(wins.astype(float), np.diag(wins.astype(float)), 2000, seats)
        low, high = found.interval(Confidence())
        covered += low <= true <= high
    assert 0.92 < covered / 600


def test_a_change_of_spreads_near_nothing_has_no_interval(runs):
    rng = np.random.default_rng(8)
    equal = [planted_run(name, {"win": np.eye(4)[rng.integers(0, 4, 300)]}) for name in "ab"]
    assert spread_of_pairing(paired_runs(*equal)).change.interval(Confidence()) is None
    assert spread_of_pairing(paired_runs(*runs)).change.interval(Confidence()) is not None


def test_only_line_ups_of_one_policy_have_one(tmp_path):
    assert is_of_lineups(play_run(PLAIN.model_copy(update={"games": 40}), tmp_path / "one"))
    mixed = Experiment(players=3, policies=("balanced", "random", "random"), games=40)
    draft = Experiment(players=3, policies="random", setup="draft", games=40)
    assert not any(is_of_lineups(play_run(each, tmp_path / each.setup)) for each in (mixed, draft))
