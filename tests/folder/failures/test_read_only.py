"""A folder that cannot be written or read: writing commands refuse it by name, the others go on reading."""

import os
import shutil

import pytest

from tests.folder.failures.conftest import EXPERIMENT
from tests.folder.failures.disks import disk
from tests.folder.mishaps import flip_a_bit
from wallsim.play.play import play_slice

NOBODY = 65534
READ_ONLY, DENIED = "Read-only file system", "Permission denied"


@pytest.fixture(scope="module")
def fixed(tmp_path_factory, whole):
    """A disk with a finished run, a damaged one and a slice, mounted so that nothing can be written."""
    place = tmp_path_factory.mktemp("fixed") / "disk"
    with disk(place) as mounted:
        shutil.copytree(whole, place / "run")
        shutil.copytree(whole, place / "damaged")
        flip_a_bit(place / "damaged" / "codebook.md")
        play_slice(EXPERIMENT, place / "slice", (0, 2))
        mounted.change("ro")
        yield place


def assert_refused(status, said, folder, reason):
    """The command ended with a line that names the folder, and with the status of invalid input."""
    assert (status, said.count("\n"), said.startswith(f"{folder}"), reason in said) == (2, 1, True, True), said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("slice", ("run", "FILE", "--out", "FOLDER", "--quiet")),
        ("slice", ("run", "FILE", "--out", "FOLDER", "--slice", "1/2", "--quiet")),
        ("new", ("run", "FILE", "--out", "FOLDER", "--quiet")),
        ("damaged", ("repair", "FOLDER", "--quiet")),
        ("slice", ("repair", "FOLDER", "--quiet")),
        ("slice", ("merge", "FOLDER", "WHOLE")),
    ],
)
def test_commands_that_write_refuse_a_read_only_folder(forks, file, fixed, whole, name, words):
    names = {"FILE": file, "FOLDER": fixed / name, "WHOLE": whole}
    status, said = forks.run(*(names.get(word, word) for word in words))
    assert_refused(status, said, fixed / name, READ_ONLY)


@pytest.mark.parametrize(
    "command",
    [
        *(("run", "FILE", "--out", "FOLDER", "--quiet"), ("repair", "FOLDER", "--quiet")),  # of a finished run
        *((name, "FOLDER") for name in ("verify", "summary", "codebook", "runs")),
    ],
)
def test_commands_that_only_read_take_a_read_only_folder(forks, file, fixed, command):
    names = {"FILE": file, "FOLDER": fixed / "run"}
    status, said = forks.run(*(names.get(word, word) for word in command))
    assert status == 0, said


def test_a_read_only_folder_is_merged_from(forks, fixed, quick):
    assert forks.run("merge", quick / "merged", fixed / "slice", fixed / "run")[0] == 0
    assert forks.run("verify", quick / "merged")[0] == 3  # whole, but without a manifest


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
        ("repair", "journal.jsonl", 0o444, 0),
        ("repair", "journal.jsonl", 0o000, 2),
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


@pytest.mark.parametrize("command", [("repair", ...), ("run", "FILE", "--out", ..., "--quiet")])
def test_a_damaged_folder_without_the_right_to_write_is_refused(forks, theirs, quick, command):
    flip_a_bit(theirs / "codebook.md")
    theirs.chmod(0o555)
    names = {"FILE": quick / "x.toml", ...: theirs}
    status, said = forks.run(*(names.get(word, word) for word in command), user=NOBODY)
    theirs.chmod(0o755)
    assert_refused(status, said, theirs, DENIED)


def test_a_folder_of_another_user_can_be_read_but_not_written(forks, theirs, quick):
    for path in (theirs, *theirs.rglob("*")):
        os.chown(path, 0, 0)
    for command in ("verify", "summary", "runs", "codebook"):
        status, said = forks.run(command, theirs, user=NOBODY)
        assert status == 0, said
    assert forks.run("run", quick / "x.toml", "--out", theirs, "--quiet", user=NOBODY)[0] == 0
    (theirs / "manifest.json").unlink()
    status, said = forks.run("run", quick / "x.toml", "--out", theirs, user=NOBODY)
    assert_refused(status, said, theirs, DENIED)
