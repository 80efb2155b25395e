"""A command that dies between any two of its changes leaves a folder that says so, and that the same command finishes.

Every kind of folder that wallsim writes is killed at every step. `verify` then says "finished" if and only if every
file of an undisturbed folder is there.
"""

import warnings
from dataclasses import dataclass, replace

import pytest

from tests.cli.commands import wallsim
from tests.cli.searches import TINY, tiny
from tests.folder.failures.deaths import contents, deaths, leftovers
from tests.folder.failures.making import CUP, PLAIN, SET, cup, published, small_and_plain, study, verified
from tests.folder.mishaps import flip_a_bit
from tests.searches import work
from wallsim.folder.merge import merge
from wallsim.folder.verification import KINDS, folder_kind, write_marker
from wallsim.play.extending import Look, grow_run, grow_scenarios, grow_tournament
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair
from wallsim.play.scenarios.play import play_scenario_slices, play_scenarios
from wallsim.play.tournament.tournament import Tournament

GROWING = PLAIN.model_copy(update={"games": 900, "chunk": 300})


def nothing(folder):
    """What some folders have before, and need afterwards."""


def fewer_games(folder):
    play_run(PLAIN.model_copy(update={"games": 3}), folder)


def slices(folder):
    play_slice(PLAIN, folder, (0, 3))
    play_slice(PLAIN, folder, (1, 3))


def damaged(folder):
    """A finished run of which something in every kind of file is damaged."""
    play_slice(PLAIN, folder, (1, 3))
    play_run(PLAIN, folder)
    for name in ("seats/part-000000.parquet", "experiment.toml", "journal-1-of-3.jsonl", "manifest.json"):
        flip_a_bit(folder / name)
    (folder / "codebook.md").unlink()
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"chunk": 1')


def halves(folder):
    """Two folders beside it, each with a half of the games."""
    for number in (0, 1):
        play_slice(PLAIN, folder.parent.parent / f"half-{number}", (number, 2))


def merged(folder):
    """Both halves in one folder."""
    merge(folder, [folder.parent.parent / f"half-{number}" for number in (0, 1)])


def enough(games):
    """Judges games to be enough from a number on."""
    return lambda result: Look(result.manifest["games"] >= games, games, "")


def grown(folder):
    grow_run(GROWING, folder, enough(600), workers=1)


def grown_set(folder):
    both = replace(SET, experiments={name: GROWING.changed(seed=seed) for name, seed in (("a", 1), ("b", 2))})
    grow_scenarios(both, folder, lambda result: enough(600)(result.runs["b"]), workers=1)


def more_blocks(folder):
    with warnings.catch_warnings(action="ignore"):  # about intervals
        cup(folder, 9)


def grown_cup(folder):
    wanted = Tournament(CUP.policies, CUP.table, 60)
    published(grow_tournament(wanted, folder, enough(2 * 72), workers=1))


@dataclass(frozen=True)
class Case:
    """A command that dies and is repeated, what lies in the folder before, and what finishes it afterwards."""

    act: object
    before: object = nothing
    finish: object = nothing
    least: int = 5  # steps


def repaired(folder):
    repair(folder, workers=1)


CASES = {
    "run": Case(lambda folder: play_run(PLAIN, folder, workers=1)),
    "more games": Case(lambda folder: play_run(PLAIN, folder, workers=1), fewer_games),
    "until": Case(grown),
    "slice": Case(lambda folder: play_slice(PLAIN, folder, (2, 3), workers=1), slices, repaired, least=2),
    "gather": Case(repaired, slices),
    "repair": Case(repaired, damaged),
    "merge": Case(merged, halves, repaired),
    "scenarios": Case(lambda folder: play_scenarios(SET, folder, workers=1)),
    "scenarios until": Case(grown_set),
    "scenario slices": Case(
        lambda folder: play_scenario_slices(SET, folder, (0, 2), workers=1), finish=repaired
    ),
    "tournament": Case(cup),
    "more blocks": Case(more_blocks, cup),
    "tournament until": Case(grown_cup),
    **{what: Case(lambda folder, kind=kind: work.do(folder, kind)) for what, kind in work.KINDS.items()},
    "study": Case(study),
}  # fmt: skip
WORDS = ("tournament", "random,heedless", "--players", "3", "--blocks", "6", "--workers", "1")
COMMANDS = {
    **{command: Case(lambda folder, command=command: tiny(command, folder)) for command in TINY},
    "tournament": Case(lambda folder: wallsim(*WORDS, "--out", str(folder))),
}


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    small_and_plain(monkeypatch)


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
def test_a_folder_is_finished_if_and_only_if_all_of_it_is_there(quick, name):
    die_everywhere(CASES[name], quick, stride=5)


@of_the_dead
@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_so_it_is_after_any_step(quick, name):
    die_everywhere(CASES[name], quick)


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


def test_no_kind_of_folder_is_left_out(tmp_path):
    kinds = {"benchmark"}
    for name in ("run", "scenarios", "tournament", "study", *work.KINDS):
        folder = tmp_path / name / "x"
        folder.parent.mkdir()
        CASES[name].act(folder)
        kinds.add(folder_kind(folder).what)
    assert kinds == {kind.what for kind in KINDS}
