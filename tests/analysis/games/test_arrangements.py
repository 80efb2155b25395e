"""In all arrangements a line-up's worth and a seat's worth are separated."""

from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from scipy.stats import kstest

from tests.refusals import refused
from wallsim.analysis.games.arrangements import Arranged, arranged, arrangements
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.stats.intervals import Confidence

LETTERS = ("A", "B", "C", "D")
WAYS = tuple(arrangements(LETTERS))


def planted(blocks, seed, lineups=(0.0,) * 4, seats=(0.0,) * 4, shared=1.0):
    """Games whose winner is the highest of worth of line-up and seat, luck, and luck that a block's games share."""
    rng = np.random.default_rng(seed)
    at = np.array([[way.index(letter) for letter in LETTERS] for way in WAYS])
    worth = rng.gumbel(size=(blocks, len(WAYS), 4)) + np.asarray(lineups) + np.asarray(seats)[at]
    worth += rng.normal(0, shared, (blocks, 1, 4)) if shared else 0
    wins = (worth == worth.max(axis=2, keepdims=True)).astype(float)
    return Arranged(LETTERS, WAYS, wins, 50 + 5 * worth)


def test_every_line_up_has_every_seat_twice_and_both_neighbours_on_either_side():
    assert WAYS == tuple(map(tuple, ("ABCD", "BCDA", "CDAB", "DABC", "DCBA", "CBAD", "BADC", "ADCB")))
    assert Counter((letter, seat) for way in WAYS for seat, letter in enumerate(way)) == {
        (letter, seat): 2 for letter in LETTERS for seat in range(4)
    }
    left = Counter((way[seat - 1], letter) for way in WAYS for seat, letter in enumerate(way))
    assert left == dict.fromkeys(left, 4)
    assert all((other, one) in left for one, other in left)
    assert len(arrangements("ABC")) == 6


def test_wins_and_points_are_those_of_the_tables(tmp_path):
    runs = [
        play_run(Experiment(games=40, lineups=list(way), policies="balanced"), tmp_path / "".join(way)) for way in WAYS
    ]
    games = arranged(runs)
    assert (games.letters, games.arrangements, games.blocks) == (LETTERS, WAYS, 40)
    rows = pl.concat([run.scan("seats").collect() for run in runs])
    for at, letter in enumerate(LETTERS):
        mine = rows.filter(pl.col("lineup").cast(pl.String) == letter)
        win = mine["win"].cast(pl.Float64)
        assert games.shares()[letter].value == pytest.approx(100 * win.mean())
        assert games.points()[letter].value == pytest.approx(mine["vp"].mean())
        assert games.deviation(letter) == pytest.approx(mine["vp"].std())
        # A block is a game number: the error is that of the means of its eight games.
        means = mine.group_by("game").agg(pl.col("win").cast(pl.Float64).mean())["win"]
        assert games.shares()[letter].error == pytest.approx(100 * means.std() / 40**0.5)
        seat = rows.filter(seat=at)["win"].cast(pl.Float64)
        assert games.shares_of_seats()[at].value == pytest.approx(100 * seat.mean())
    spreads = [
        each["vp"].max() - each["vp"].min() for run in runs for _, each in run.scan("seats").collect().group_by("game")
    ]
    assert games.spread().value == pytest.approx(np.mean(spreads))
    # The last game of the third arrangement, looked up by hand.
    last = runs[2].scan("seats").collect().filter(game=39).sort("seat")
    assert games.vp[39, 2].tolist() == [last["vp"][WAYS[2].index(letter)] for letter in LETTERS]


def test_a_seat_that_wins_more_is_found_whatever_the_line_ups_are_worth():
    games = planted(2000, 1, lineups=(0.8, 0, 0, -0.4), seats=(0.3, 0, 0, 0))
    assert games.same_everywhere().p_value < 1e-6
    assert games.same_everywhere().degrees == (21, 2000 - 21)
    low, _ = games.shares_of_seats()[0].interval(Confidence(0.95, 4))
    assert low > 25
    gaps = games.differences()
    assert len(gaps) == 4 * 28
    (letter, one, other), gap = max(gaps.items(), key=lambda each: abs(each[1].value))
    high, below = (one, other) if gap.value > 0 else (other, one)
    assert high.index(letter) == 0 != below.index(letter)
    low, high_end = gap.interval(Confidence(0.95, len(gaps)))
    assert low * high_end > 0


def test_line_ups_that_differ_are_no_effect_of_the_seat():
    chances = [planted(200, seed, lineups=(0.8, 0, 0, -0.4)).same_everywhere().p_value for seed in range(250)]
    assert kstest(chances, "uniform").pvalue > 0.01


def test_differences_are_those_of_all_pairs_of_arrangements_paired_by_block():
    games = planted(300, 2)
    ways, gaps = ["".join(way) for way in WAYS], games.differences()
    assert list(gaps) == [(letter, *pair) for letter in LETTERS for pair in combinations(ways, 2)]
    for (letter, one, other), gap in gaps.items():
        at = LETTERS.index(letter)
        paired = games.wins[:, ways.index(one), at] - games.wins[:, ways.index(other), at]
        assert gap.value == pytest.approx(100 * paired.mean())
        assert gap.error == pytest.approx(100 * paired.std(ddof=1) / 300**0.5)


def test_other_runs_cannot_be_put_together(tmp_path):
    one = play_run(Experiment(games=4, lineups=list("ABCD")), tmp_path / "one")
    for name, other in (("more", {"games": 5}), ("tower", {"tower": "mid"}), ("policy", {"policies": "random"})):
        run = play_run(Experiment(**{"games": 4, "lineups": list("DCBA"), **other}), tmp_path / name)
        with refused("arrangement"):
            arranged([one, run])
    with refused("arrangement"):
        arranged([play_run(Experiment(games=4, setup="draft"), tmp_path / "draft")])
