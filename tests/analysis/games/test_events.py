"""The events of a run's games, and the edition that a study of events refuses."""

import pytest

from wallsim.analysis.games.events import WHEN, events_of
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run

GAMES = 20


def test_every_game_has_eight_different_events(tmp_path):  # B1.8 B2.4 B7.1
    run = play_run(Experiment(policies=("random",) * 4, games=GAMES, seed=3), tmp_path / "run")
    result = events_of(run).collect()
    assert result.height == GAMES * len(WHEN)
    assert result.select("year", "season").unique().height == len(WHEN) == 8
    assert result.group_by("game").n_unique()["event"].to_list() == [8] * GAMES


def test_the_first_edition_is_refused_because_its_events_are_not_known(tmp_path):  # V8
    run = play_run(Experiment(policies=("random",) * 4, games=GAMES, edition="1e"), tmp_path / "old")
    with pytest.raises(InputError, match=r'old: edition "1e" has no known events \(V8'):
        events_of(run)
