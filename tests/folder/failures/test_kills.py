"""Runs, searches and studies that are killed or stopped at any moment lose nothing, and end as undisturbed ones."""

import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import nullcontext

import pytest

from tests.cli.searches import TINY, undisturbed
from tests.folder.failures.conftest import assert_undisturbed
from tests.folder.failures.forks import ROOT, Forks
from tests.folder.mishaps import every_file
from tests.play.clusters import local_cluster
from wallsim.errors import InputError
from wallsim.folder.verification import state_of, verify_results

# What a process ends with: by its own word, or by the signal, before it listens or after it has finished.
ENDS = {
    signal.SIGKILL: (-signal.SIGKILL,),
    signal.SIGTERM: (143, -signal.SIGTERM),
    signal.SIGINT: (130, -signal.SIGINT),
}
KILL, TERMINATE, INTERRUPT = ENDS
SLICES = 3
LONGEST = 0.5  # seconds before the first signal
THEIRS = "site-packages/distributed/"  # of Dask's own threads
BEGUN = ("journal.jsonl", "record.json", "parts/checksums.jsonl")  # files by which a folder has a kind


def assert_sound(folder):
    """What a stopped process left behind is whole, however little it is."""
    begun = any((folder / name).exists() for name in BEGUN)
    with nullcontext() if begun else pytest.raises(InputError):
        assert verify_results(folder) == []


def was_stopped(child, number, folder):
    """Whether a process was stopped by a signal, as it should; otherwise it finished."""
    status, said = child.wait(), child.said()
    assert ("Traceback" not in said and "Exception" not in said) or THEIRS in said, said
    if status == 0 or (any((folder / name).exists() for name in BEGUN) and state_of(folder).finished):
        return False
    assert status in ENDS[number], (status, said)
    return True


def size_of(folder):
    """The bytes of all files in a folder."""
    try:
        return sum(path.stat().st_size for path in folder.rglob("*"))
    except FileNotFoundError:  # a file that has just been renamed
        return -1


class Stopping:
    """Starts commands and stops them at random moments, until a number of processes has been stopped.

    `after`: soon after something new in the folder, in so many seconds, since they take a while until they begin.
    """

    def __init__(self, forks, number, times, after=None):
        self.forks, self.number, self.left, self.after = forks, number, times, after
        self.chance = random.Random(1000 * number + times)

    def moment(self, folder):
        """Wait for the next moment to stop something, later each time, so that a busy machine gets on, too."""
        if self.after is None:
            time.sleep(self.chance.uniform(0, self.longest))
            self.longest *= 1.1
            return
        before, until = size_of(folder), time.monotonic() + 20
        while size_of(folder) == before and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0, self.after))

    def until_finished(self, folder, *command):
        """Repeat a command until it finishes, stopping it each time but for the last."""
        self.longest = LONGEST
        while True:
            workers = ("--workers", self.chance.choice((1, 2)), "--quiet") if command[0] in ("run", "repair") else ()
            child = self.forks.start(*command, *workers)
            if self.left > 0:
                self.moment(folder)
                child.kill(self.number)
            if not was_stopped(child, self.number, folder):
                return
            self.left -= 1
            assert_sound(folder)

    def slices(self, folder, file):
        """Play slices beside each other, stopping one or all of them and starting them again."""
        unfinished, self.longest = set(range(SLICES)), LONGEST
        while unfinished:
            command = ("run", file, "--out", folder, "--workers", 1, "--quiet")
            children = {number: self.forks.start(*command, "--slice", f"{number}/{SLICES}") for number in unfinished}
            self.moment(folder)
            for number in self.chance.choice(([self.chance.choice(sorted(unfinished))], sorted(unfinished))):
                children[number].kill(self.number)
            for number, child in children.items():
                if was_stopped(child, self.number, folder):
                    self.left -= 1
                else:
                    unfinished.remove(number)
            assert_sound(folder)

    def again_and_again(self, folder, *command, slices=None):
        """Let the work finish, looking at each folder that it makes, until enough processes have been stopped."""
        while self.left > 0:
            if slices:
                self.slices(folder, slices)
            self.until_finished(folder, *command)
            yield
            shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("sliced", "number", "times"),
    [
        pytest.param(True, KILL, 3),
        *(
            pytest.param(sliced, number, times, marks=[pytest.mark.slow, pytest.mark.one_in(8)])
            for sliced in (False, True)
            for number, times in ((KILL, 12), (TERMINATE, 6), (INTERRUPT, 6))
        ),
    ],
)
def test_runs_and_slices_that_are_stopped_have_the_bytes_of_an_undisturbed_run(
    forks, file, quick, whole, sliced, number, times
):
    folder = quick / "run"
    words = ("repair", folder) if sliced else ("run", file, "--out", folder)
    for _ in Stopping(forks, number, times).again_and_again(folder, *words, slices=file if sliced else None):
        assert_undisturbed(folder, whole)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize(("number", "times"), [(KILL, 2), (TERMINATE, 1), (INTERRUPT, 1)])
def test_so_has_a_run_on_a_cluster(forks, file, quick, whole, number, times):
    folder = quick / "run"
    with local_cluster() as cluster:
        words = ("run", file, "--out", folder, "--dask", cluster.scheduler_address)
        for _ in Stopping(forks, number, times, after=0.1).again_and_again(folder, *words):
            assert_undisturbed(folder, whole)


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("number", ENDS)
def test_so_has_a_run_of_the_command_itself(file, quick, whole, number):
    folder = quick / "run"
    command = [sys.executable, "-m", "wallsim", "run", file, "--out", folder, "--workers", "2", "--quiet"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while process.poll() is None and size_of(folder) == 0:
        time.sleep(0.01)
    process.send_signal(number)
    said, _ = process.communicate()
    if process.returncode:  # otherwise the machine is so fast that the run was finished before the signal
        assert process.returncode in ENDS[number], said
        assert_sound(folder)
        assert subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode == 0
    assert_undisturbed(folder, whole)


# ------------------------------------------------------------------------------------------------ searches, studies

MODULES = (
    "cma", "joblib", "wallsim.cli.searches", "wallsim.api.searches",
    "wallsim.report.tables.tuning", "wallsim.report.tables.learning",
    "wallsim.report.figures.tuning", "wallsim.searches.tuning.session",
    "wallsim.searches.learning.learning", "wallsim.searches.teaching.teaching",
)  # fmt: skip
MORE = {
    **dict.fromkeys(("tune", "exploit"), ("--generations", 6)),
    "learn": ("--games", 6000),
    "teach": ("--games", 1200),
}
COMMANDS = {
    "study": ("study", "price", "--quick", "--games", "24", "--workers", 1),
    **{command: (command, *TINY[command], *more) for command, more in MORE.items()},
}


@pytest.fixture(scope="module")
def searching(tmp_path_factory):
    """Starts searches in processes of their own."""
    with Forks(tmp_path_factory.mktemp("forks"), *MODULES) as started:
        yield started


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("number", "times"), [(KILL, 4), (TERMINATE, 2), (INTERRUPT, 1)])
def test_searches_and_studies_that_are_stopped_and_resumed_end_undisturbed(searching, quick, command, number, times):
    words, folder, whole = (*COMMANDS[command], "--out"), quick / "x", quick / "whole" / "x"
    assert searching.run(*words, whole)[0] == 0
    stopping = Stopping(searching, number, times, after=3 if command == "study" else None)
    for _ in stopping.again_and_again(folder, *words, folder):
        assert every_file(folder) == every_file(whole) if command == "study" else undisturbed(folder, whole)
        assert list(folder.glob("*.damaged-*")) == []
