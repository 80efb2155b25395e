"""The search for fairer line-ups: races, steps, and the command."""

import tomllib

import numpy as np
import pytest
from makers import mends as search

from tests.refusals import assert_names
from wallsim.analyses.lineups import games as it
from wallsim.analyses.lineups.games import POINTS, THALERS, Adjustment

RNG = np.random.default_rng(8)


class Made:
    """A course without games: adjustments are rows of true shares, and chance falls with the number of blocks."""

    players = 4

    def __init__(self, truth):
        self.truth, self.cells, self.asked = np.asarray(truth), (0, 1), []

    def shares(self, tried, blocks):
        self.asked.append((len(tried), blocks))
        return self.truth[tried] + RNG.normal(0, 4 / np.sqrt(blocks), (len(tried), 2, 4))


def test_a_race_finds_the_most_even_setup():
    truth, said = 25 + RNG.normal(0, 8, (200, 2, 4)), []
    truth[137] = 25.5
    course = Made(truth)
    assert search.race(course, list(range(200)), (2, 3, 0.2), said.append) == 137
    assert course.asked == [(200, 2), (40, 6), (8, 18), (1, 54)]
    assert float(said[-1].partition("unevenness ")[2].rstrip(")")) < 4


def test_steps_lead_to_level_thalers_in_whole_ones_within_the_rules():
    best, tried = np.array([-6.0, -1.0, 5.0, 2.0]), np.array([[0.0, 0, 0, 0], [-3, 0, 2, 1]])
    wins = np.stack([25 + 0.9 * (tried - best)] * 2, axis=1)  # linear in Thalers
    assert np.allclose(search.next_step(tried, wins), best)
    for above in ([0.0, 0, 0, 0], [-3.4, 0.6, 1.4, 1.4], [1e-9, -1e-9, 2.5, -2.5]):
        thalers = search.whole(np.array(above), 15)
        assert sum(thalers) == 60
        assert np.all(np.abs(np.array(thalers) - 15 - above) < 1)
    bounded = search.bounded_thalers(np.array([-30.0, 10, 10, 10]), 15)
    assert (bounded.min(), bounded.sum()) == (-15, pytest.approx(0))
    assert search.bounded_thalers(np.array([-12.0, -12, -12, 36]), 15).max() == pytest.approx(30)
    assert (search.bounded_thalers(np.array([-3.0, 1, 1, 1]), 15) == [-3, 1, 1, 1]).all()


def test_a_course_plays_the_games_of_its_setups_on_numbers_of_their_own():
    """Printed line-ups have the same games as the experiment in all arrangements, and edits change them."""
    course = search.Course(4, search.cells_of(4)[:1], workers=1)
    both = [Adjustment(4, THALERS, thalers=each) for each in ((), (40, 15, 15, 15))]
    [[games], [others]] = course.played(both, range(1, 2))
    again = it.play(course.cells[0], search.SEED, 2)
    assert (games.vp == again.vp[24:]).all()
    assert others.vp[:, :, 0].mean() > games.vp[:, :, 0].mean() + 2
    first, second = (course.shares(both[:1], 1)[0, 0] for _ in range(2))  # of one block after the other
    assert np.allclose(second, 100 * games.wins().mean(axis=(0, 1)))
    assert first.sum() == pytest.approx(100)
    assert (first != second).any()


def test_the_command_writes_the_adjustments_and_a_log(tmp_path, monkeypatch, capsys):
    adjustments = {size: [Adjustment(size, POINTS, halves=(0,) * size)] for size in search.SIZES}

    def made(players, budget, workers, report):
        report(f"{players} players, {workers} threads")
        return adjustments[players]

    monkeypatch.setattr(search, "search", made)
    assert search.main([str(tmp_path / "a"), "--into", str(tmp_path / "m.toml"), "--workers", "3"]) == 0
    assert it.read_adjustments(tmp_path / "m.toml") == tuple(each for one in adjustments.values() for each in one)
    assert (tmp_path / "a" / "search.log").read_text("utf-8") == capsys.readouterr().out
    assert search.main([str(tmp_path / "b"), "--quick"]) == 0
    assert tomllib.loads((tmp_path / "b" / "mends.toml").read_text("utf-8"))["read"] == search.QUICK.read


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["{here}/file"], ["{here}/file", "folder"]),
        (["{here}/log", "--into", "{here}"], ["--into: {here}", "folder"]),
        (["{here}/log", "--into", "{here}/none/mends.toml"], ["--into: {here}/none:", "no folder"]),
        (["{here}/log", "--workers", "0"], ["workers", "0", "from 1"]),
        (["{here}/log", "\x1b[1m"], ["unrecognized", "\\x1b[1m"]),
    ],
)
def test_the_command_refuses_invalid_input_before_it_plays(tmp_path, monkeypatch, capsys, arguments, names):
    monkeypatch.setattr(search, "search", lambda *_: pytest.fail("played"))
    (tmp_path / "file").touch()
    try:
        status = search.main([argument.format(here=tmp_path) for argument in arguments])
    except SystemExit as end:  # of argparse
        status = end.code
    assert status == 2
    assert_names(capsys.readouterr().err, *(name.format(here=tmp_path) for name in names))


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [(OSError("disk full"), 1, "disk full"), (KeyboardInterrupt(), 130, "nothing is stored")],
)
def test_a_search_that_cannot_write_or_is_interrupted_says_so(tmp_path, monkeypatch, capsys, error, status, said):
    def failing(*_):
        raise error

    monkeypatch.setattr(search, "search", failing)
    assert search.main([str(tmp_path)]) == status
    assert said in capsys.readouterr().err
    assert not (tmp_path / "mends.toml").exists()


@pytest.mark.slow
def test_the_handicap_is_the_one_that_its_games_give():
    [games] = search.Course(4, search.cells_of(4)).played([Adjustment(4, POINTS)], range(search.FULL.read))
    assert it.handicap_of(games) == it.adjustments_of(4)[POINTS].halves
