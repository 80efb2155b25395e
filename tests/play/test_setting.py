"""A setting plays the games that the experiment would, and deals every line-up to every seat."""

import numpy as np
import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy

RANDOM = load_policy("random")


def test_it_plays_the_games_of_the_experiment():
    experiment = Experiment(players=3, policies=("random",) * 3, seed=7)
    ours = Setting(experiment).arena([RANDOM] * 3, 7).play(0, 20)
    assert all(np.array_equal(one, other) for one, other in zip(ours, experiment.arena().play(0, 20), strict=True))
    with pytest.raises(ValueError, match="2 policies for 3 seats"):
        Setting(experiment).arena([RANDOM] * 2, 1)


def test_a_shift_is_another_way_of_dealing_the_line_ups():
    setting = Setting(Experiment(players=3))
    assert [setting.lineups(shift) for shift in range(3)] == [("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B")]
    shifted = Experiment(players=3, policies=("random",) * 3, lineups=("B", "C", "A"))
    assert np.array_equal(setting.arena([RANDOM] * 3, 1, 1).play(0, 20).seats, shifted.arena().play(0, 20).seats)


def test_a_draft_has_no_line_ups_to_shift():
    setting = Setting(Experiment(players=3, setup="draft"))
    assert setting.lineups(2) == ("", "", "")
    one, other = (setting.arena([RANDOM] * 3, 1, shift).play(0, 5).seats for shift in (0, 2))
    assert np.array_equal(one, other)
