"""A replay throws a log's own cubes at its own casts into another tower, emptied when the log's was."""

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.tower.casts import CastLog, Replay
from wallsim.analysis.tower.protocols import bench_design, simulate_log
from wallsim.engine.casting import CastingBench
from wallsim.rules.tower import Independent, TowerModel, load_tower

EVERYTHING_STAYS = TowerModel("sealed", Independent(p=1e-12, q=1e-12))


def log_of(rows, colours=("red", "blue")):
    sessions, events, thrown, fallen = zip(*rows, strict=True)
    return CastLog.of(colours, sessions, events, thrown, fallen)


def test_the_tower_is_empty_when_a_session_begins_after_a_count_and_after_a_bump_that_let_all_out():
    rows = [
        ("a", "fill", (5, 5), (2, 2)),
        ("a", "bench", (1, 0), (0, 0)),
        ("a", "empty", (0, 0), (4, 3)),
        ("a", "bench", (3, 0), (1, 0)),
        ("a", "bump", (0, 0), (2, 0)),
        ("a", "bench", (2, 2), (1, 1)),
        ("a", "bump", (0, 0), (1, 0)),
        ("a", "bench", (2, 2), (2, 2)),
        ("b", "bench", (2, 2), (2, 2)),
        ("b", "bench", (2, 2), (2, 2)),  # empty by itself: chance, not the design
    ]
    replay = Replay(log_of(rows))
    assert replay.emptied.tolist() == [True, False, True, True, False, True, False]
    assert replay.thrown.tolist() == [[5, 5], [1, 0], [3, 0], [2, 2], [2, 2], [2, 2], [2, 2]]
    assert replay.fallen.tolist() == [[2, 2], [0, 0], [1, 0], [1, 1], [2, 2], [2, 2], [2, 2]]
    assert not replay.of_games


def test_the_replay_of_a_bench_log_in_its_own_tower_with_its_own_chance_is_the_log():
    for name in ("spielbyweb", "mid-urn", "rulebook-layered"):
        tower = load_tower(name)
        log = simulate_log(tower, bench_design(60), seed=9, number=4)
        replay = Replay(log)
        assert (replay.throw(CastingBench(tower), 9, 4) == replay.fallen).all()
        assert (replay.throw(CastingBench(tower), 9, 5) != replay.fallen).any()


def test_one_column_stands_for_more_cubes_than_a_colour_has():
    log = log_of([("a", "bench", (60,), (30,)), ("a", "bench", (37,), (37,)), ("a", "bench", (1,), (0,))], ("all",))
    fallen = Replay(log).throw(CastingBench(load_tower("spielbyweb")), 1, 0)
    assert fallen.shape == (3, 1)
    assert 20 <= fallen[0, 0] <= 60
    sealed = Replay(log).throw(CastingBench(EVERYTHING_STAYS), 1, 0)
    assert sealed.tolist() == [[0], [0], [0]]


def test_totals_fall_as_they_do_with_colours():
    # All models treat colours equally, so that spreading totals over colours changes nothing.
    log = simulate_log(load_tower("mid-layered"), bench_design(60))
    bench, alone, together = CastingBench(load_tower("mid-layered")), Replay(log.totals()), Replay(log)
    logs = range(400)
    totals = np.array([alone.throw(bench, 1, number)[:, 0] for number in logs])
    colours = np.array([together.throw(bench, 2, number).sum(axis=1) for number in logs])
    error = np.sqrt((totals.var(axis=0) + colours.var(axis=0)) / len(logs))
    off = (totals.mean(axis=0) - colours.mean(axis=0)) / np.maximum(error, 0.01)
    assert abs(off).max() < 4.5
    assert (off**2).mean() < 2


def test_a_simulated_tower_that_holds_too_much_is_reported_as_none():
    log = log_of([("a", "bench", (40, 0), (35, 0)), ("a", "bench", (40, 1), (45, 1))])
    assert Replay(log).throw(CastingBench(EVERYTHING_STAYS), 1, 0) is None


@pytest.mark.parametrize(
    ("rows", "colours", "names"),
    [
        ([("s", "bench", (1,) * 7, (0,) * 7)], tuple("abcdefg"), ("7 colours", "6")),
        ([("s", "bench", (30, 0), (5, 0)), ("s", "bench", (40, 0), (0, 0))], ("red", "blue"),
         ("line 3", "40 cubes", "red 65")),
        ([("s", "bench", (151,), (5,))], ("all",), ("line 2", "151 cubes")),
        ([("s", "bump", (0, 0), (0, 0))], ("red", "blue"), ("no cast",)),
    ],
)  # fmt: skip
def test_logs_that_no_box_could_have_made_are_refused_with_the_line(rows, colours, names):
    with refused(*names, by=ValueError):
        Replay(log_of(rows, colours))


def test_battles_and_revolts_make_a_log_one_of_games():
    for event in ("battle", "revolt"):
        assert Replay(log_of([("a", "fill", (5, 5), (2, 2)), ("a", event, (1, 0), (0, 0))])).of_games
