"""A study that is killed or stopped at any moment ends with the files of an undisturbed one."""

import random
import shutil
import signal
import time

import pytest

from wallsim.folder.study_folder import is_study
from wallsim.folder.verification import state_of, verify_results

WORDS = ("study", "price", "--quick", "--games", "24", "--workers", 1, "--out")


def files_in(folder):
    """The bytes of all files, also of those that killed writers left."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(("number", "times"), [(signal.SIGKILL, 10), (signal.SIGTERM, 5), (signal.SIGINT, 5)])
def test_a_study_that_is_stopped_and_resumed_has_the_files_of_an_undisturbed_one(forks, quick, number, times):
    chance = random.Random(number)
    assert forks.start(*WORDS, quick / "whole").wait() == 0
    whole, folder = files_in(quick / "whole"), quick / "price"
    while times > 0:
        child = forks.start(*WORDS, folder)
        until = time.monotonic() + 20
        while not folder.exists() and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 3))
        child.kill(number)
        if child.wait() != 0:
            times -= 1
            if is_study(_place(folder)):
                assert verify_results(folder) == []
            continue
        assert state_of(folder).finished
        assert files_in(folder) == whole
        shutil.rmtree(folder)
    assert forks.start(*WORDS, folder).wait() == 0
    assert files_in(folder) == whole


def _place(folder):
    from wallsim.folder.file_stores import file_store

    return file_store(folder)
