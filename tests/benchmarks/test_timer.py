"""A timer runs the games of the installation that it is given, in a process of its own, and ends with it."""

import os

import pytest
from benchmarks.timer import Timer

from tests.benchmarks.installations import EXPERIMENT, installation, package
from tests.refusals import refused
from tests.test_architecture import ROOT
from wallsim.errors import RunError


def test_it_plays_with_the_sources_of_the_folder_and_counts_cpu_seconds(tmp_path):
    with Timer(installation(package(tmp_path))) as timer:
        assert timer.engine_version == 3
        assert 0.02 <= timer.seconds("random", 5, 20) < 0.5
        assert 0.001 <= timer.seconds("random", 0, 1) < 0.5


def test_an_unknown_policy_names_the_option_and_the_installation(tmp_path):
    with (
        Timer(installation(package(tmp_path), "against: old")) as timer,
        refused("policies: bold", "against: old"),
    ):
        timer.seconds("bold", 0, 1)


@pytest.mark.parametrize(
    ("part", "source", "missing"),
    [
        ("engine", "", "ENGINE_VERSION"),
        ("engine", "import missing_library", "missing_library"),
        ("experiment", "import missing_library", "missing_library"),
    ],
)
def test_an_installation_that_lacks_what_is_needed_is_rejected(tmp_path, part, source, missing):
    def play():
        with Timer(installation(package(tmp_path, **{part: source}), "against: old")) as timer:
            timer.seconds("random", 0, 1)

    with refused("against: old", missing):
        play()


def test_a_process_that_ends_is_reported_with_its_last_message(tmp_path):
    text = EXPERIMENT.replace(
        "start = time", "import os, sys; sys.stderr.write('out of luck'); sys.stderr.flush(); os._exit(7); start = time"
    )
    with (
        Timer(installation(package(tmp_path, experiment=text))) as timer,
        refused("status 7", "out of luck", by=RunError),
    ):
        timer.seconds("random", 0, 1)


def test_its_process_ends_with_it(tmp_path):
    with Timer(installation(package(tmp_path))) as timer:
        number = timer._process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_another_wallsim_than_the_one_in_the_folder_is_not_measured(tmp_path):
    with refused("other", ROOT / "wallsim"):
        Timer(installation(tmp_path))
