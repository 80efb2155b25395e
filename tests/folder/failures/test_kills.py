"""Processes that are killed or stopped at any moment lose nothing and change nothing."""

import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.folder.failures.conftest import assert_undisturbed
from tests.folder.failures.forks import ROOT
from tests.play.clusters import local_cluster
from wallsim.errors import InputError
from wallsim.folder.results import Run

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


def assert_sound(folder):
    """What a stopped process left behind is whole, however little it is."""
    if (folder / "journal.jsonl").exists():
        assert Run.verify(folder) == []
    else:
        with pytest.raises(InputError):
            Run.verify(folder)


def was_stopped(child, number, folder):
    """Whether a process was stopped by a signal, as it should; otherwise it finished."""
    status, said = child.wait(), child.said()
    tidy = "Traceback" not in said and "Exception" not in said
    assert tidy or THEIRS in said, said
    if status == 0 or (folder / "manifest.json").exists():
        return False
    assert status in ENDS[number], (status, said)
    return True


class Stopping:
    """Starts commands and stops them at random moments, until a number of processes has been stopped."""

    def __init__(self, forks, number, times):
        self.forks, self.number, self.left = forks, number, times
        self.chance = random.Random(1000 * number + times)

    def moment(self):
        """Wait for the next moment to stop something, later each time, so that a busy machine gets on, too."""
        time.sleep(self.chance.uniform(0, self.longest))
        self.longest *= 1.1

    def until_finished(self, folder, *command):
        """Repeat a command until it finishes, stopping it each time."""
        self.longest = LONGEST
        while True:
            child = self.forks.start(*command, "--workers", self.chance.choice((1, 2)), "--quiet")
            self.moment()
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
            self.moment()
            for number in self.chance.choice(([self.chance.choice(sorted(unfinished))], sorted(unfinished))):
                children[number].kill(self.number)
            for number, child in children.items():
                if was_stopped(child, self.number, folder):
                    self.left -= 1
                else:
                    unfinished.remove(number)
            assert_sound(folder)


class StoppingEarly(Stopping):
    """Stops commands soon after something new in a folder, since they take a while to find their cluster."""

    def __init__(self, forks, number, times, folder):
        super().__init__(forks, number, times)
        self.folder = folder

    def moment(self):
        """Wait for something new, and a little longer."""
        before, until = journal_length(self.folder), time.monotonic() + 20
        while journal_length(self.folder) == before and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0, 0.1))


def stop_runs(stopping, file, folder, whole):
    """Runs that are resumed by their command."""
    while stopping.left > 0:
        stopping.until_finished(folder, "run", file, "--out", folder)
        assert_undisturbed(folder, whole)
        shutil.rmtree(folder)


def stop_slices(stopping, file, folder, whole):
    """Slices that are started again and gathered by repairs, which are stopped, too."""
    while stopping.left > 0:
        stopping.slices(folder, file)
        stopping.until_finished(folder, "repair", folder)
        assert_undisturbed(folder, whole)
        shutil.rmtree(folder)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize(("number", "times"), [(KILL, 4), (TERMINATE, 2), (INTERRUPT, 2)])
def test_a_run_that_is_stopped_and_resumed_has_the_bytes_of_an_undisturbed_one(
    forks, file, quick, whole, number, times
):
    stop_runs(Stopping(forks, number, times), file, quick / "run", whole)


def test_slices_that_are_killed_and_gathered_have_the_bytes_of_an_undisturbed_run(forks, file, quick, whole):
    stop_slices(Stopping(forks, KILL, 3), file, quick / "run", whole)


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize(("number", "times"), [(KILL, 50), (TERMINATE, 25), (INTERRUPT, 25)])
@pytest.mark.parametrize("stop", [stop_runs, stop_slices])
def test_so_have_runs_and_slices_that_are_stopped_a_hundred_times(forks, file, quick, whole, stop, number, times):
    stop(Stopping(forks, number, times), file, quick / "run", whole)


@pytest.mark.one_in(10)
@pytest.mark.slow
def test_so_has_a_run_on_a_cluster(forks, file, quick, whole):
    with local_cluster() as cluster:
        for number, times in ((KILL, 4), (TERMINATE, 2), (INTERRUPT, 2)):
            stopping = StoppingEarly(forks, number, times, quick / "run")
            while stopping.left > 0:
                words = ("run", file, "--out", quick / "run", "--dask", cluster.scheduler_address)
                stopping.until_finished(quick / "run", *words)
                assert_undisturbed(quick / "run", whole)
                shutil.rmtree(quick / "run")


@pytest.mark.one_in(6)
@pytest.mark.slow
def test_so_has_a_run_of_the_command_itself(file, quick, whole):
    chance, folder = random.Random(5), quick / "run"
    command = [sys.executable, "-m", "wallsim", "run", file, "--out", folder, "--workers", "2", "--quiet"]
    stops = 0
    for number in (KILL, TERMINATE, INTERRUPT, KILL):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        before = journal_length(folder)
        while process.poll() is None and journal_length(folder) == before:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.02))
        process.send_signal(number)
        said, _ = process.communicate()
        if process.returncode == 0:  # a machine so fast that the run was finished before the signal
            break
        assert process.returncode in ENDS[number], said
        assert_sound(folder)
        stops += 1
    assert stops
    assert subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL).returncode == 0
    assert_undisturbed(folder, whole)


def journal_length(folder):
    """The bytes of a folder's journal."""
    journal = folder / "journal.jsonl"
    return journal.stat().st_size if journal.exists() else 0
