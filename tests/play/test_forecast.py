"""A forecast is near what a run then takes, and each kind of game is timed once."""

import tempfile

import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play import forecast as module
from wallsim.play.forecast import forecast
from wallsim.play.play import play_run

RANDOM = Experiment(policies="random", games=6000)


def test_bytes_are_near_those_of_the_run_and_nothing_is_left_behind(tmp_path, monkeypatch):
    run = play_run(RANDOM, tmp_path / "run", workers=1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    expected = forecast({"": RANDOM}, workers=1)[""]
    assert expected.games == 6000
    assert expected.bytes == pytest.approx(run.manifest["bytes"], rel=0.1)
    assert 0 < expected.seconds < 60
    assert list(tmp_path.iterdir()) == [run.folder]


def test_each_kind_is_timed_once_and_seed_and_games_make_no_kind(monkeypatch):
    timed = []
    sample = module._Sample(0.5, 10.0, 100)
    monkeypatch.setattr(module, "_sample", lambda experiment, *_: timed.append(experiment) or sample)
    more = RANDOM.model_copy(update={"games": 20, "seed": 4})
    drafted = RANDOM.model_copy(update={"setup": "draft", "lineups": (), "games": 400})
    result = forecast({"a": RANDOM, "b": more, "c": drafted}, workers=1)
    assert timed == [RANDOM, drafted]
    assert [each.seconds for each in result.values()] == [3000, 10, 200]
    assert result["b"].bytes == 100 + 19 * 10


def test_fewer_chunks_than_workers_leave_workers_idle(monkeypatch):
    monkeypatch.setattr(module, "_sample", lambda *_: module._Sample(0.5, 10.0, 100))
    assert forecast({"": RANDOM.model_copy(update={"games": 20})}, workers=4)[""].seconds == 40
