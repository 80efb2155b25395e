"""Two policies meet in every seating, and planted differences between them come back."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from wallsim.analyses.tower.played import seatings, versus
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run
from wallsim.stats.intervals import Confidence


class Planted:
    """A run of given seats: what `versus` asks of one."""

    def __init__(self, rows, games):
        self.manifest = {"games": games, "experiment": {"identity": {"players": 4}}}
        self._rows = rows

    def scan(self, _):
        return self._rows


def planted(policies, wins, points):
    """A run whose seats win and score as given, [games, seats] each."""
    games = len(wins)
    return Planted(
        pl.LazyFrame(
            {
                "game": np.repeat(np.arange(games), 4),
                "seat": np.tile(np.arange(4), games),
                "policy": list(policies) * games,
                "win": wins.ravel(),
                "vp": points.ravel(),
            },
            schema_overrides={"vp": pl.Int16, "win": pl.Float32},
        ),
        games,
    )


def test_each_policy_sits_in_each_seat_equally_often():
    table = seatings("a", "b")
    assert len(set(table)) == 6
    assert all(Counter(policies) == {"a": 2, "b": 2} for policies in table)
    for seat in range(4):
        assert Counter(policies[seat] for policies in table) == {"a": 3, "b": 3}
    assert len(seatings("a", "b", 2)) == 2
    with pytest.raises(ValueError, match="5 seats"):
        seatings("a", "b", 5)


def test_planted_wins_and_points_come_back():
    """Seat 0 is good for 9 points and wins; policy a is worth 4 points and nothing else."""
    rng, runs = np.random.default_rng(1), []
    for policies in seatings("a", "b"):
        points = rng.integers(40, 50, (400, 4)) + [9, 0, 0, 0] + 4 * np.array([name == "a" for name in policies])
        wins = np.tile([0.5, 0.25, 0.25, 0.0], (400, 1))
        runs.append(planted(policies, wins, points))
    win, ahead = versus(runs, "a")
    assert win.value == pytest.approx(0.5)
    assert win.interval(Confidence()) is None  # no block differed
    low, high = ahead.interval(Confidence(0.997))
    assert low < 4 < high
    assert high - low < 0.8
    assert versus(runs, "b")[1].value == pytest.approx(-ahead.value)


def test_wins_of_the_two_sides_add_up_to_every_game(tmp_path):
    runs = []
    for number, policies in enumerate(seatings("balanced", "random")):
        experiment = Experiment(games=60, seed=3, policies=policies)
        runs.append(play_run(experiment, tmp_path / str(number), workers=1))
    mine, ahead = versus(runs, "balanced")
    theirs, behind = versus(runs, "random")
    assert mine.blocks == 60
    assert mine.value + theirs.value == pytest.approx(1)
    assert ahead.value == pytest.approx(-behind.value)
    assert mine.value > 0.9
    assert ahead.value > 20
