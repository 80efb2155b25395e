"""Runs, slices, interruptions, merges and repairs of any numbers of games, in any order, make the same folder."""

import random
import shutil

import pytest

from tests.folder.failures.conftest import assert_undisturbed
from wallsim.errors import InputError, WallsimError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.merge import merge
from wallsim.folder.results import Run
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair

GAMES = (60, 100, 130, 200, 240)
CHUNKS = (20, 30, None)
DAMAGES = ("flip", "cut", "delete")


class Stopping(RunObserver):
    """Interrupts a run after some batches."""

    def __init__(self, batches):
        self.left = batches

    def played(self, games):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of the most games, for each division into chunks."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return {chunk: play_run(experiment(max(GAMES), chunk), folder / str(chunk)).folder for chunk in CHUNKS}


def experiment(games, chunk):
    return Experiment(policies="random", games=games, seed=5, chunk=chunk)


class Mixture:
    """Actions in a folder by chance."""

    def __init__(self, number, quick):
        self.chance = random.Random(number)
        self.chunk = self.chance.choice(CHUNKS)
        self.folder, self.other = quick / f"run-{number}", quick / f"other-{number}"
        self.done = []

    def do(self, action):
        """Do something; stopping it is not a failure."""
        count = self.chance.choice((1, 2, 3))
        games, slice_ = self.chance.choice(GAMES), (self.chance.randrange(count), count)
        how = {"workers": self.chance.choice((1, 2))}
        self.done.append((action, games, slice_))
        if action.startswith("stopped"):
            how["observer"] = Stopping(self.chance.randint(0, 8))
        try:
            if action.endswith("run"):
                play_run(experiment(games, self.chunk), self.folder, **how)
            elif action.endswith("slice"):
                play_slice(experiment(games, self.chunk), self.folder, slice_, **how)
            elif action == "merge":
                play_slice(experiment(games, self.chunk), self.other, slice_, **how)
                merge(self.folder, [self.other])
                shutil.rmtree(self.other)
            elif action == "repair" and self.folder.exists():
                repair(self.folder, **how)
        except KeyboardInterrupt:
            pass

    def damage(self):
        """Flip a bit of a file, cut it short or delete it; sound rows are read, or none."""
        result = sorted(path for path in self.folder.rglob("*") if path.is_file() and path.stat().st_size)
        if not result:
            return
        path, how = self.chance.choice(result), self.chance.choice(DAMAGES)
        self.done.append((how, path.relative_to(self.folder).as_posix()))
        data = bytearray(path.read_bytes())
        at = self.chance.randrange(len(data))
        if how == "delete":
            path.unlink()
        elif how == "cut":
            path.write_bytes(data[:at])
        else:
            data[at] ^= 1 << self.chance.randrange(8)
            path.write_bytes(data)

    def assert_no_wrong_rows(self, whole):
        """What can be read is what was played."""
        try:
            run = Run.open(self.folder)
            rows = run.scan("seats").collect()
        except WallsimError:
            return
        all_rows = Run.open(whole).scan("seats", check=False).collect()
        assert rows.equals(all_rows.head(4 * run.manifest["games"])), self.done


def mix(quick, undisturbed, number):
    """Sound actions only: the folder is sound after each of them."""
    mixture = Mixture(number, quick)
    whole = undisturbed[mixture.chunk]
    for _ in range(mixture.chance.randint(2, 7)):
        mixture.do(mixture.chance.choice(("run", "slice", "stopped run", "stopped slice", "merge", "repair")))
        try:
            assert Run.verify(mixture.folder) == [], mixture.done
        except InputError:
            assert not mixture.folder.exists(), mixture.done  # a repair of nothing
        mixture.assert_no_wrong_rows(whole)
    play_run(experiment(max(GAMES), mixture.chunk), mixture.folder)
    assert_undisturbed(mixture.folder, whole)


def mix_with_damage(quick, undisturbed, number):
    """Actions may be refused, but no row is wrong, and in the end all is as it should be."""
    mixture = Mixture(number, quick)
    whole = undisturbed[mixture.chunk]
    for _ in range(mixture.chance.randint(3, 9)):
        try:
            mixture.do(mixture.chance.choice(("run", "slice", "stopped run", "stopped slice", "merge", "repair")))
        except WallsimError as error:
            mixture.done.append(str(error))
        if mixture.chance.random() < 0.5:
            mixture.damage()
        mixture.assert_no_wrong_rows(whole)
    play_run(experiment(max(GAMES), mixture.chunk), mixture.folder)
    assert_undisturbed(mixture.folder, whole)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("kind", [mix, mix_with_damage])
def test_any_order_makes_one_and_the_same_folder(quick, undisturbed, kind, number):
    kind(quick, undisturbed, number)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [mix, mix_with_damage])
def test_so_do_sixty(quick, undisturbed, kind):
    for number in range(100, 160):
        kind(quick, undisturbed, number)
