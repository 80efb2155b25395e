"""A process that dies before any one of its steps on the disk leaves a folder that the same command finishes."""

import shutil
import signal

import pytest

from tests.runs.failures.conftest import assert_undisturbed
from tests.runs.mishaps import flip_a_bit
from wallsim.rules.files import data_folder
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import experiment_text
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.results import verify
from wallsim.runs.play import play_run, play_slice


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """An experiment with a tower of its own."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copy(data_folder("tower") / "mid.toml", folder / "leaning.toml")
    experiment = Experiment(policies="random", games=60, seed=4, chunk=20, tower=str(folder / "leaning.toml"))
    (folder / "x.toml").write_text(experiment_text(experiment), "utf-8")
    return folder / "x.toml", experiment


@pytest.fixture(scope="module")
def whole(file, tmp_path_factory):
    """Its run without mishaps."""
    return play_run(file[1], tmp_path_factory.mktemp("whole") / "run", workers=1).folder


def nothing(experiment, folder):
    """A folder that does not exist yet."""


def fewer_games(experiment, folder):
    """A finished run with fewer games."""
    play_run(experiment.model_copy(update={"games": 50}), folder)


def slices(experiment, folder):
    """Two of three slices."""
    play_slice(experiment, folder, (0, 3))
    play_slice(experiment, folder, (1, 3))


def damage(experiment, folder):
    """A finished run of which something in every kind of file is damaged."""
    play_slice(experiment, folder, (1, 3))
    play_run(experiment, folder)
    flip_a_bit(folder / "seats" / "part-000000.parquet")
    flip_a_bit(folder / "tower-leaning.toml")
    flip_a_bit(folder / "journal-1-of-3.jsonl")
    flip_a_bit(folder / "manifest.json")
    (folder / "codebook.md").unlink()
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"chunk": 1')


# What lies in the folder before, and the command that is killed and repeated.
ACTIONS = {
    "run": (nothing, lambda file, folder, other: ("run", file, "--out", folder, "--quiet")),
    "grow": (fewer_games, lambda file, folder, other: ("run", file, "--out", folder, "--quiet")),
    "gather": (slices, lambda file, folder, other: ("repair", folder, "--quiet")),
    "repair": (damage, lambda file, folder, other: ("repair", folder, "--quiet")),
    "merge": (slices, lambda file, folder, other: ("merge", folder, other)),
    "merge again": (nothing, lambda file, folder, other: ("merge", folder, other)),
    "slice": (nothing, lambda file, folder, other: ("run", file, "--out", folder, "--slice", "2/3", "--quiet")),
}


GROWING = {"experiment.toml", "journal.jsonl", "manifest.json"}


def die_and_repeat(forks, file, quick, whole, action, moment):
    """Do an action in a process that dies at a moment, and again; whether it died."""
    prepare, command = ACTIONS[action]
    path, experiment = file
    folder = quick / f"{action}-{moment}"
    prepare(experiment, folder)
    words = command(path, folder, whole)
    status, said = forks.run(*words, dies_at=moment)
    assert status in (0, -signal.SIGKILL), said
    if action != "repair" and (folder / "journal.jsonl").exists():
        errors = verify(folder)
        # When games are added, experiment, journal's header and manifest change one after the other.
        assert errors == [] or (action == "grow" and {error.split(":")[0] for error in errors} <= GROWING)
    if status:
        assert forks.run(*words)[0] == 0
    if action in ("slice", "merge", "merge again"):
        assert forks.run("repair", folder, "--quiet")[0] == 0
    assert_undisturbed(folder, whole)
    assert Journal(FileStore(folder)).errors == []
    shutil.rmtree(folder)
    return status != 0


@pytest.mark.one_in(4)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_process_that_dies_early_or_late_is_repeated(forks, file, quick, whole, action):
    for moment in (2, 30):
        die_and_repeat(forks, file, quick, whole, action, moment)


@pytest.mark.one_in(7)
@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
def test_a_process_that_dies_before_any_step_is_repeated(forks, file, quick, whole, action):
    moment, steps = 0, 1 if action == "run" else 2
    while die_and_repeat(forks, file, quick, whole, action, moment):
        moment += steps
    assert moment > 10
