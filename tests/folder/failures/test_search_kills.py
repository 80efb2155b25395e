"""Searches that are killed or stopped at any moment lose nothing, and end with the bytes of undisturbed ones."""

import random
import shutil
import time
from functools import cache

import pytest

from tests.cli.searches import TINY, undisturbed
from tests.folder.failures.forks import Forks
from tests.folder.failures.test_kills import ENDS, INTERRUPT, KILL, TERMINATE, THEIRS
from wallsim.folder.verification import verify_results

MODULES = (
    "cma", "joblib", "wallsim.cli.searches", "wallsim.api.searches",
    "wallsim.report.tables.tuning", "wallsim.report.tables.learning",
    "wallsim.report.figures.tuning", "wallsim.searches.tuning.session",
    "wallsim.searches.learning.learning", "wallsim.searches.teaching.teaching",
)  # fmt: skip
MORE = {
    "tune": ("--generations", 6),
    "exploit": ("--generations", 6),
    "learn": ("--games", 6000),
    "teach": ("--games", 1200),
}
LONGEST = 0.6  # seconds before a signal


@pytest.fixture(scope="module")
def searching(tmp_path_factory):
    """Starts searches in processes of their own."""
    with Forks(tmp_path_factory.mktemp("forks"), *MODULES) as started:
        yield started


@pytest.fixture(scope="module")
def whole(searching, tmp_path_factory):
    """Gives the folder of an undisturbed search by a command."""

    @cache
    def searched(command):
        folder = tmp_path_factory.mktemp(command) / "x"
        status, said = searching.run(command, *TINY[command], *MORE[command], "--out", folder)
        assert status == 0, said
        return folder

    return searched


def stop_and_resume(searching, whole, folder, command, number, times):
    """Stop searches at random moments, resuming each until it is finished, until so many have been stopped."""
    chance = random.Random(f"{command} {number} {times}")
    while times > 0:
        child = searching.start(command, *TINY[command], *MORE[command], "--out", folder)
        time.sleep(chance.uniform(0, LONGEST))
        child.kill(number)
        status, said = child.wait(), child.said()
        assert "Traceback" not in said or any(words in said for words in THEIRS), said
        if (folder / "journal.jsonl").exists():
            assert verify_results(folder) == []
        if status == 0:
            assert undisturbed(folder, whole)
            shutil.rmtree(folder)
            continue
        assert status in ENDS[number], (status, said)
        times -= 1
    status, said = searching.run(command, *TINY[command], *MORE[command], "--out", folder)
    assert status == 0, said
    assert "damaged" not in said
    assert undisturbed(folder, whole)
    assert list(folder.glob("*.damaged-*")) == []


@pytest.mark.one_in(9)
@pytest.mark.slow
@pytest.mark.parametrize("command", TINY)
@pytest.mark.parametrize(("number", "times"), [(KILL, 9), (TERMINATE, 4), (INTERRUPT, 4)])
def test_fifty_one_searches_that_are_stopped_and_resumed_end_undisturbed(
    searching, whole, quick, command, number, times
):
    stop_and_resume(searching, whole(command), quick / "x", command, number, times)
