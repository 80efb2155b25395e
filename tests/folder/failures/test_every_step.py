"""A command that dies between any two of its changes leaves a folder that says so, and that the same command finishes.

Every kind of folder that wallsim writes is killed at every step. `verify` then says "finished" if and only if every
file of an undisturbed folder is there.
"""

import pytest

from tests.folder.failures import making
from tests.folder.failures.cases import CASES, COMMANDS
from tests.folder.failures.deaths import contents, deaths, leftovers
from tests.folder.failures.making import verified
from wallsim.folder.verification import KINDS, folder_kind, write_marker


def die_everywhere(case, place, stride=1):
    """Let a command die at every step, or at one in so many, and repeat it."""
    prepared, whole = place / "before" / "x", place / "whole" / "x"
    for folder in (prepared, whole):
        folder.parent.mkdir()
        case.before(folder)
    sound = verified(prepared) != 1
    case.act(whole)
    case.finish(whole)
    assert verified(whole) == 0
    undisturbed, steps = contents(whole), 0
    finished = [undisturbed, *([contents(prepared)] if verified(prepared) == 0 else [])]
    for moment, folder in deaths(case.act, place, prepared, stride):
        there = contents(folder) if folder.exists() else {}
        if sound:
            status = 2 if not there else 0 if there in finished else 3
            assert verified(folder) == status, (moment, sorted(there))
        case.act(folder)
        case.finish(folder)
        assert contents(folder) == undisturbed, moment
        assert (verified(folder), leftovers(folder)) == (0, []), moment
        steps = moment
    assert steps >= case.least


of_the_dead = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


@of_the_dead
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_folder_is_finished_if_and_only_if_all_of_it_is_there(quick, name, stride):
    die_everywhere(CASES[name], quick, stride)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_so_is_that_of_a_command_with_its_pictures(quick, command):
    die_everywhere(COMMANDS[command], quick)


def test_a_benchmark_is_never_finished(tmp_path):
    for _, folder in deaths(lambda folder: (folder.mkdir(), write_marker(folder, "wallsim bench scale")), tmp_path):
        assert verified(folder) == (3 if contents(folder) else 2)
    write_marker(tmp_path, "wallsim bench scale")
    assert verified(tmp_path) == 3


def test_no_kind_of_folder_is_left_out(made):
    assert {"benchmark", *(folder_kind(made(name)).what for name in making.KINDS)} == {kind.what for kind in KINDS}
