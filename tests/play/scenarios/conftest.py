"""Small finished scenarios with other policies and expansions, played once and copied for tests that damage them."""

import shutil

import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios

PLAIN = Experiment(policies="random", players=3, games=60, seed=3, seasons=True)
COURT = Experiment(policies=["builder", "random", "random"], players=3, games=60, seed=3, expansions="court")
BOTH = ScenarioSet({"plain": PLAIN, "court": COURT})


@pytest.fixture(scope="session")
def both(tmp_path_factory):
    """The finished scenarios; do not change them."""
    return play_scenarios(BOTH, tmp_path_factory.mktemp("scenarios") / "both", workers=2)


@pytest.fixture
def spoilt_both(both, tmp_path):
    """A copy of their folder that a test may damage."""
    shutil.copytree(both.folder, tmp_path / "spoilt")
    return tmp_path / "spoilt"
