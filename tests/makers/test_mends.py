"""The search for fairer line-ups: races, steps, and the command."""

import numpy as np
import pytest
from makers import mends as search

from tests.refusals import assert_names
from wallsim.analyses.lineups import games as it
from wallsim.analyses.lineups.games import EXCHANGE, POINTS, THALERS, Fix
from wallsim.rules.board import load_board

RNG = np.random.default_rng(8)


class Made:
    """A course without games: fixes are rows of true points, and chance falls with the number of blocks."""

    players, bases = 4, (0, 1)

    def __init__(self, truth):
        self.truth, self.asked = np.asarray(truth), []

    def above(self, tried, blocks):
        self.asked.append((len(tried), blocks))
        return self.truth[tried] + RNG.normal(0, 2 / np.sqrt(blocks), (len(tried), 2, 4))


def test_a_race_finds_the_most_even_setup_alone_and_with_a_handicap():
    truth = RNG.normal(0, 4, (200, 2, 4))
    truth[137] = 0.2
    truth[11] = (9, -3, -3, -3)  # the same under both towers: a handicap levels it
    course, rankings = Made(truth), (search.uneven, search.uneven_with_handicap)
    alone, levelled = search.race(course, list(range(200)), (2, 3, 0.2), print, rankings=rankings, last=2)
    assert alone[0] == 137
    assert set(levelled) == {137, 11}
    assert course.asked[0] == (200, 2)
    assert [blocks for _, blocks in course.asked] == [2, 6, 18, 54]
    assert all(tried <= 80 for tried, _ in course.asked[1:])


class Planted(search.Course):
    """A course whose games are made: points by line-up under each tower, of a set-up, and chance."""

    def __init__(self, points):
        self.players, self.play, self.bases, self.done, self.points = 4, "casual", (0, 1, 2), 0, points
        self.rng = np.random.default_rng(5)

    def played(self, fixes, blocks, ways=()):
        return [[self.games(self.points(fix, tower), len(blocks)) for tower in self.bases] for fix in fixes]

    def games(self, points, blocks):
        vp = 50 + self.rng.normal(0, 8, (24 * blocks, 8, 4)) + points
        return it.Played(vp.round().astype(np.int16), np.zeros(vp.shape, np.int16))


UNEVEN = np.array([4.0, 0, 0, -4])


def judged(points, budget):
    """The worst imbalance of each fix that the search finds, in games that it never saw, and the fixes."""
    found = {fix.kind: fix for fix in search.search(Planted(points), budget, lambda _: None)}
    course = Planted(points)
    course.rng = np.random.default_rng(6)
    return {kind: it.worst(course.played([fix], range(40))[0], fix.points) for kind, fix in found.items()}, found


def test_a_planted_imbalance_is_fixed_by_each_kind_and_one_that_towers_turn_round_by_none():
    good = it.exchanges(load_board(), 4, "casual", of_groups=False)[9].counties
    budget = search.FULL._replace(read=((4, 30),), exchanges=(1, 4, 0.02), near=(16, 4, 0.2), last=1)

    def fixable(fix, tower):
        thalers = 0.4 * (np.array(fix.thalers) - 15) if fix.thalers else 0
        return UNEVEN * (fix.counties != good) + thalers

    worst, found = judged(fixable, budget)
    assert tuple(worst) == it.KINDS
    assert max(worst.values()) < it.FIXED
    assert found[POINTS].points == pytest.approx((0, 4, 4, 8), abs=1)
    assert found[EXCHANGE].counties == good
    worst, _ = judged(lambda fix, tower: UNEVEN * (1, 1, -1)[tower], budget)
    assert min(worst.values()) > it.AT_MOST


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
    assert np.isfinite(search.next_step(np.zeros((2, 4)), wins)).all()  # two steps at one place have no slope


def test_a_course_plays_the_games_of_its_setups_on_numbers_of_their_own():
    """Printed line-ups have the same games as the experiment in all arrangements, and edits change them."""
    cells = search.cells_of("casual")[:1]
    course = search.Course(4, cells, workers=1)
    fix = Fix(4, "casual", THALERS, thalers=(40, 15, 15, 15))
    [[games], [others]] = course.played([Fix(4, "casual", POINTS), fix], range(1, 2))
    again = it.play(search.searched(4, cells[0]).components(), search.SEED, 2)
    assert (games.vp == again.vp[24:]).all()
    assert others.vp[:, :, 0].mean() > games.vp[:, :, 0].mean() + 2
    course.done = 1
    [[above]] = course.above([Fix(4, "casual", POINTS)], 1)  # in two arrangements, one the mirror image of the other
    points = games.vp[:, [0, 4]].mean(axis=(0, 1))
    assert np.allclose(above, points - points.mean())
    assert course.shares(fix, 1).sum() == pytest.approx(100)
    assert course.done == 3


def test_the_command_writes_the_adjustments_and_a_log(tmp_path, monkeypatch, capsys):
    fixes = {
        (size, play): Fix(size, play, POINTS, points=(0,) * size)
        for size in search.SIZES
        for play in search.FIXED_PLAYS
    }

    def made(course, budget, report):
        report(f"{course.players} {course.play}, {course.workers} threads, {budget.step}")
        return [fixes[course.players, course.play]]

    monkeypatch.setattr(search, "search", made)
    assert search.main([str(tmp_path / "a"), "--into", str(tmp_path / "m.toml"), "--workers", "3"]) == 0
    assert it.read_fixes(tmp_path / "m.toml") == tuple(fixes.values())
    assert (tmp_path / "a" / "search.log").read_text("utf-8") == capsys.readouterr().out
    assert search.main([str(tmp_path / "b"), "--quick"]) == 0
    assert (tmp_path / "b" / "mends.toml").is_file()
    assert f", {search.QUICK.step}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["{here}/file"], ["{here}/file", "folder"]),
        (["{here}/log", "--into", "{here}"], ["--into: {here}", "folder"]),
        (["{here}/log", "--into", "{here}/none/mends.toml"], ["--into: {here}/none:", "no folder"]),
        (["{here}/none", "--ready"], ["{here}/none", "folder"]),
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


def test_ready_files_are_written_and_those_of_tables_without_a_fix_go(tmp_path, monkeypatch):
    monkeypatch.setattr(search, "read_register", lambda name: name)
    monkeypatch.setattr(search, "ready_files", lambda figures: {"fair-4p-casual.toml": f"# of {figures}\n"})
    (tmp_path / "fair-3p-strong.toml").touch()
    (tmp_path / "fairer.toml").touch()
    assert search.main([str(tmp_path), "--ready"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"fair-4p-casual.toml", "fairer.toml"}
    assert (tmp_path / "fair-4p-casual.toml").read_text("utf-8") == "# of lineups\n"
