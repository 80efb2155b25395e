"""A teaching: its seatings, and the lessons behind it."""

from collections import Counter

import numpy as np
import pytest

from tests.naive.rng import JIT
from tests.refusals import refused
from tests.searches.teaching.planted_lessons import lesson_settings, lessons_of, nothing
from wallsim.engine.arena import Trials
from wallsim.experiment.experiment import Experiment
from wallsim.folder.search_kinds import TEACHINGS, chunk_file
from wallsim.folder.work_folder import WorkFolder
from wallsim.play.setting import Setting
from wallsim.searches.teaching import lessons as played
from wallsim.searches.teaching.lessons import LessonGames
from wallsim.searches.teaching.teaching import _numbered, earlier_teaching


def test_every_seat_may_be_the_pupils_and_one_is():
    pupils, rivals = Counter(), Counter()
    for block in range(80):
        seats, mask = lesson_settings().seating(4, block)
        assert mask > 0
        for seat, policy in enumerate(seats):
            taught = mask >> seat & 1
            assert policy.name == "balanced" if taught else policy.name in ("banker", "strong-4p")
            pupils[seat] += taught
            rivals[policy.name] += 1 - taught
    assert all(30 < pupils[seat] < 75 for seat in range(4))
    assert rivals["banker"] > 20
    assert rivals["strong-4p"] > 20
    assert lesson_settings().seating(4, 7) == lesson_settings().seating(4, 7)


@pytest.mark.skipif(not JIT, reason="thousands of playouts")
@pytest.mark.slow
@pytest.mark.parametrize("attacks", [False, True], ids=["plans", "attacks"])
def test_lessons_of_a_chunk_are_those_of_their_arenas(monkeypatch, attacks):
    monkeypatch.setattr(played, "LESSON_BLOCK", 2)
    monkeypatch.setattr(played, "LESSON_CHUNK", 3)
    some = lesson_settings(attacks=attacks)
    result = LessonGames(some).play(3, 1)
    assert sorted(set(result.block.tolist())) == [3, 4, 5]
    assert attacks or len(result.result) == 3 * 2 * 6
    assert result.counties.sum() == len(result.fact)
    for block in (3, 4):
        seated, mask = some.seating(3, block)
        arena = Setting(some.cells[block % 2]).arena(seated, some.seed_for("games", 3), block // 2)
        trials = Trials(some.value, some.rounds, 1, False, 0.01)
        if attacks:
            taken = arena.attack_lessons(2 * block, 2, mask, trials=trials)
        else:
            taken = arena.lessons(2 * block, 2, mask, trials=trials, plans=6, spread=3.0)
        here = result.where(result.block == block)
        assert np.array_equal(here.result, taken.results.mean(axis=2), equal_nan=True)
        assert (here.columns == taken.columns).all()
        assert (here.fact[: here.counties[0]] == taken.seen["fact"][0, : here.counties[0]]).all()


def test_other_fits_and_more_games_are_the_same_teaching():
    other = lesson_settings(units=0, games=10**6, passes=9, shrink=0.1)
    assert other.identity() == lesson_settings().identity()
    assert lesson_settings(plans=7).identity() != lesson_settings().identity()
    attacks = lesson_settings(attacks=True)
    assert attacks.identity() == lesson_settings(attacks=True, plans=7).identity() != lesson_settings().identity()


def test_earlier_lessons_are_those_of_the_numbers_of_players_that_are_taught(tmp_path):
    with WorkFolder(tmp_path / "one", TEACHINGS, lesson_settings().identity()) as store:
        for key in ((3, 0), (4, 0), (3, 1)):
            store.record(key, {"games": 400, "lessons": 4}, {chunk_file("lessons", key): b"lessons"})
    assert set(earlier_teaching(lesson_settings(), tmp_path / "one").chunks) == {(3, 0), (4, 0), (3, 1)}
    four = lesson_settings(cells=(Experiment(players=4),))
    assert earlier_teaching(four, tmp_path / "one").chunks == ((4, 0),)
    with refused(tmp_path / "one", "plans"):
        earlier_teaching(lesson_settings(attacks=True), tmp_path / "one")


def test_blocks_of_several_folders_stay_apart_and_held_out_or_not():
    parts = [lessons_of(nothing, number=number) for number in (90, 50, 30)]
    numbered = _numbered(parts)
    blocks = [set(part.block.tolist()) for part in numbered]
    assert not blocks[0] & blocks[1] | blocks[1] & blocks[2]
    for before, after in zip(parts, numbered, strict=True):
        assert (before.block % 10 == after.block % 10).all()
