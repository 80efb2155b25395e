"""Whatever is done, killed and damaged in a folder, no row is wrong, and its command makes the undisturbed bytes of it.

The machine does the same with every kind of folder that `making.KINDS` names.
"""

import random
import shutil
import warnings
from contextlib import nullcontext, suppress

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tests.folder.failures.deaths import contents, dying, leftovers
from tests.folder.failures.making import KINDS, WAYS, files_of, lasting, mended, put, verified
from wallsim.errors import WallsimError
from wallsim.folder.results import Run

CHANCE = st.integers(0, 10**6)


class Machine(RuleBasedStateMachine):
    """A folder of one kind, and what happens to it; `whole` is an undisturbed one."""

    kind, whole, place = None, None, None

    def __init__(self):
        super().__init__()
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        self.folder, self.sound = self.place / "x", True

    def _act(self, action):
        """Do something, which only damage keeps from being done."""
        with nullcontext() if self.sound else suppress(WallsimError):
            action(self.folder)

    def _action(self, number):
        actions = (self.kind.finish, *self.kind.others)
        return actions[number % len(actions)]

    @rule(number=CHANCE)
    def do(self, number):
        """An action is done to its end."""
        self._act(self._action(number))

    @rule(number=CHANCE, moment=st.integers(0, 30))
    def die(self, number, moment):
        """A process dies in the midst of an action."""
        with dying(moment):
            self._act(self._action(number))

    @precondition(lambda self: self.folder.exists() and files_of(self.folder))
    @rule(way=st.sampled_from(WAYS), number=CHANCE)
    def damage(self, way, number):
        """A file is damaged, which of a finished folder is found."""
        files, chance = files_of(self.folder), random.Random(number)
        path, finished = chance.choice(files), verified(self.folder) == 0
        data = path.read_bytes()
        if data:
            self.sound = False
            put(path, way(data, chance))
            assert not (finished and way is WAYS[0] and verified(self.folder) == 0), path

    @invariant()
    def without_damage_the_folder_says_how_far_it_is(self):
        if self.sound:
            there = contents(self.folder) if self.folder.exists() else {}
            status = verified(self.folder)
            assert status == (2 if not there else status and 3), sorted(there)

    @invariant()
    def no_row_is_wrong(self):
        for path in self.whole.rglob("seats"):
            folder = path.parent.relative_to(self.whole)
            with suppress(WallsimError):
                run = Run.open(self.folder / folder)
                rows = run.scan("seats").collect()
                every = Run.open(self.whole / folder).scan("seats").collect()
                assert rows.equals(every.head(3 * run.manifest["games"]))

    def teardown(self):
        """The command makes the folder whole."""
        mended(self.folder, self.kind)
        assert lasting(self.folder) == lasting(self.whole)
        assert (verified(self.folder), leftovers(self.folder)) == (0, [])


of_the_dead = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


@of_the_dead
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("examples", [3, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.one_in(4)])])
def test_any_order_of_actions_deaths_and_damage_makes_one_and_the_same_folder(made, quick, kind, examples):
    about = {"kind": KINDS[kind], "whole": made(kind), "place": quick / "made"}
    how = settings(max_examples=examples, stateful_step_count=8, suppress_health_check=list(HealthCheck))
    with warnings.catch_warnings(action="ignore"):  # about intervals of tournaments, and threads of the dead
        run_state_machine_as_test(type("Machine", (Machine,), about), settings=how)
