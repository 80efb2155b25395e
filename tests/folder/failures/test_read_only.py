"""A folder that cannot be written or read: writing commands refuse it by name, the others go on reading."""

import os
import shutil

import pytest

from tests.folder.failures.conftest import EXPERIMENT
from tests.folder.failures.disks import disk
from tests.folder.failures.making import CUP, SET
from tests.folder.mishaps import flip_a_bit
from tests.refusals import refused
from wallsim.folder.lock import ReadOnlyError
from wallsim.play.play import play_run, play_slice
from wallsim.play.scenarios.play import play_scenarios
from wallsim.play.tournament.play import play_tournament

NOBODY = 65534
READ_ONLY, DENIED = "Read-only file system", "Permission denied"


@pytest.fixture(scope="module")
def fixed(tmp_path_factory, whole, made):
    """A disk with finished, damaged and unfinished folders, mounted so that nothing can be written."""
    place = tmp_path_factory.mktemp("fixed") / "disk"
    with disk(place) as mounted:
        shutil.copytree(whole, place / "run")
        shutil.copytree(whole, place / "damaged")
        flip_a_bit(place / "damaged" / "codebook.md")
        play_slice(EXPERIMENT, place / "slice", (0, 2))
        for kind, missing in (("scenarios", "scenario=plain/manifest.json"), ("tournament", "codebook.md")):
            shutil.copytree(made(kind), place / kind)
            shutil.copytree(made(kind), place / f"unfinished {kind}")
            (place / f"unfinished {kind}" / missing).unlink()
        mounted.change("ro")
        yield place


def assert_refused(status, said, folder, reason):
    """The command ended with a line that names the folder, and with the status of invalid input."""
    assert (status, said.count("\n"), said.startswith(f"{folder}"), reason in said) == (2, 1, True, True), said


RUN = ("run", "FILE", "--out", "FOLDER", "--quiet")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("slice", RUN), ("new", RUN), ("slice", (*RUN, "--slice", "1/2")), ("damaged", ("repair", "FOLDER", "--quiet")),
        ("slice", ("merge", "FOLDER", "WHOLE")),
    ],
)  # fmt: skip
def test_commands_that_write_refuse_a_read_only_folder(forks, file, fixed, whole, name, words):
    names = {"FILE": file, "FOLDER": fixed / name, "WHOLE": whole}
    status, said = forks.run(*(names.get(word, word) for word in words))
    assert_refused(status, said, fixed / name, READ_ONLY)


def test_a_finished_run_there_is_read_copied_and_left_as_it_is_by_every_command(forks, file, fixed, quick):
    run = fixed / "run"
    reading = [(name, run) for name in ("verify", "summary", "codebook", "runs", "repair")]
    for words in (*reading, ("run", file, "--out", run, "--quiet"), ("merge", quick / "merged", fixed / "slice", run)):
        status, said = forks.run(*words)
        assert status == 0, said
    assert forks.run("verify", quick / "merged")[0] == 3  # whole, but without a manifest


def test_so_are_scenarios_and_a_tournament_but_unfinished_ones_are_refused(fixed):
    fewer, more = (EXPERIMENT.model_copy(update={"games": games}) for games in (3, EXPERIMENT.games + 2))
    assert play_run(fewer, fixed / "run").manifest["games"] == 3
    with refused(fixed, READ_ONLY, by=ReadOnlyError):
        play_run(more, fixed / "run")
    assert list(play_scenarios(SET, fixed / "scenarios").runs) == ["plain", "other"]
    assert play_tournament(CUP, fixed / "tournament").note_look() == (6,)
    for play, what in ((play_scenarios, SET), (play_tournament, CUP)):
        with refused(fixed, READ_ONLY, by=ReadOnlyError):
            play(what, fixed / f"unfinished {'scenarios' if what is SET else 'tournament'}")


@pytest.fixture
def theirs(quick, whole, file):
    """A copy of the run that belongs to a user without rights, who is to start the commands."""
    if os.getuid() != 0:
        pytest.skip("only root can start commands as another user")
    quick.chmod(0o755)
    shutil.copytree(whole, quick / "run")
    shutil.copy(file, quick / "x.toml")
    for path in (quick / "run", *(quick / "run").rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    return quick / "run"


@pytest.mark.parametrize(
    ("command", "name", "mode", "status"),
    [
        ("verify", ".", 0o555, 0),
        ("verify", ".", 0o000, 2),
        ("verify", "journal.jsonl", 0o000, 2),
        ("verify", "log.jsonl", 0o000, 2),
        ("verify", "codebook.md", 0o000, 2),
        ("verify", "seats/part-000003.parquet", 0o000, 1),
        ("summary", "manifest.json", 0o000, 2),
        ("summary", "seats/part-000003.parquet", 0o000, 1),
        ("runs", ".", 0o000, 2),
        ("repair", ".", 0o555, 0),  # nothing is to be written
        ("repair", "experiment.toml", 0o000, 2),
    ],
)
def test_rights_that_are_missing_are_reported_plainly(forks, theirs, command, name, mode, status):
    (theirs / name).chmod(mode)
    result, said = forks.run(command, theirs, user=NOBODY)
    (theirs / name).chmod(0o755)
    assert result == status, said
    assert "Traceback" not in said
    if status:
        assert str(theirs / name) in said or name in said, said
        assert command == "summary" or DENIED in said or "is not readable" in said, said


def test_a_folder_without_the_right_to_write_is_read_but_neither_repaired_nor_resumed(forks, theirs, quick):
    for path in (theirs, *theirs.rglob("*")):
        os.chown(path, 0, 0)
    run = ("run", quick / "x.toml", "--out", theirs, "--quiet")
    for words in (*((name, theirs) for name in ("verify", "summary", "runs", "codebook")), run):
        status, said = forks.run(*words, user=NOBODY)
        assert status == 0, said
    flip_a_bit(theirs / "codebook.md")
    (theirs / "manifest.json").unlink()
    for words in (("repair", theirs), run):
        status, said = forks.run(*words, user=NOBODY)
        assert_refused(status, said, theirs, DENIED)
