"""A full disk, too little memory: a plain message, finished games are kept, and no more than space is needed."""

import resource
import shutil
from pathlib import Path

import pytest

from tests.folder.failures.conftest import EXPERIMENT, assert_undisturbed
from tests.folder.failures.disks import disk
from tests.folder.mishaps import flip_a_bit
from tests.refusals import assert_names
from wallsim.folder.commit import append_line
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.results import Run
from wallsim.play.play import play_run, play_slice

ENOUGH = "size=16m"
FULL = "No space left on device"


def finished(folder):
    """The finished games of a folder in which all that is there is whole."""
    if not (folder / "journal.jsonl").exists():
        return 0
    assert Run.verify(folder) == []
    assert not list(folder.rglob("*.writing"))
    return Journal(FileStore(folder)).done


def nothing(folder, whole):
    """A folder that does not exist yet."""


def fewer_games(folder, whole):
    """A finished run with fewer games."""
    play_run(EXPERIMENT.model_copy(update={"games": 3500}), folder)


def first_slice(folder, whole):
    """One of two slices."""
    play_slice(EXPERIMENT, folder, (0, 2))


def damage(folder, whole):
    """A finished run of which documents, manifest and tables are damaged."""
    shutil.copytree(whole, folder)
    for name in ("experiment.toml", "manifest.json", "seats/part-000007.parquet"):
        flip_a_bit(folder / name)
    (folder / "codebook.md").unlink()
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"chunk": 1')


# What lies on the disk before, and the command for which there is too little space.
ACTIONS = {
    "run": (nothing, lambda file, folder, whole: ("run", file, "--out", folder, "--workers", 1, "--quiet")),
    "slice": (nothing, lambda file, folder, whole: ("run", file, "--out", folder, "--slice", "1/2", "--quiet")),
    "grow": (fewer_games, lambda file, folder, whole: ("run", file, "--out", folder, "--workers", 2, "--quiet")),
    "gather": (first_slice, lambda file, folder, whole: ("repair", folder, "--workers", 2, "--quiet")),
    "repair": (damage, lambda file, folder, whole: ("repair", folder, "--workers", 1, "--quiet")),
    "merge": (first_slice, lambda file, folder, whole: ("merge", folder, whole)),
}


def fill(forks, file, place, whole, action, kilobytes):
    """Do an action with so much space, and again with enough of it; its first exit status."""
    prepare, command = ACTIONS[action]
    with disk(place) as small:
        folder = place / "run"
        words = command(file, folder, whole)
        prepare(folder, whole)
        small.leave(kilobytes)
        status, said = forks.run(*words)
        if status:
            assert (status, said.count("\n"), said.startswith(f"{folder}: "), FULL in said) == (1, 1, True, True), said
        if action not in ("repair", "grow"):
            before = finished(folder)
        small.change(ENOUGH)
        assert forks.run(*words)[0] == 0
        if action in ("slice", "merge"):
            assert finished(folder) >= before
            assert forks.run("repair", folder, "--quiet")[0] == 0
        assert_undisturbed(folder, whole)
    return status


@pytest.mark.parametrize(("action", "kilobytes"), [("run", 700), ("repair", 4), ("merge", 300), ("gather", 0)])
def test_a_full_disk_is_reported_plainly_and_space_is_enough_to_go_on(forks, file, quick, whole, action, kilobytes):
    assert fill(forks, file, quick / "disk", whole, action, kilobytes) == 1


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("action", ACTIONS)
def test_so_it_is_wherever_the_disk_becomes_full(forks, file, quick, whole, action):
    kilobytes = 0
    while fill(forks, file, quick / "disk", whole, action, kilobytes):
        kilobytes += 4 if kilobytes < 60 else 76


def test_a_line_that_does_not_fit_leaves_no_part_of_it(tmp_path):
    with disk(tmp_path / "disk", 8):
        journal = tmp_path / "disk" / "journal.jsonl"
        journal.write_bytes(b"a" * 3999 + b"\n")  # a page has room for a part of the next line
        (tmp_path / "disk" / "other").write_bytes(b"b" * 4096)
        with pytest.raises(OSError, match=FULL):
            append_line(journal, b"c" * 1000)
        assert journal.read_bytes() == b"a" * 3999 + b"\n"


LIMITS = {
    "RLIMIT_FSIZE": (15_000, ("File too large",)),
    "RLIMIT_AS": (40 << 20, ("memory", "workers", "`chunk`", "inished chunks are stored")),
}


def loaded(forks):
    """The bytes of address space that a command takes from its start."""
    return int(Path(f"/proc/{forks.number}/statm").read_text("ascii").split()[0]) * resource.getpagesize()


@pytest.mark.parametrize("limit", LIMITS)
def test_so_is_a_limit_of_the_process(forks, file, quick, whole, limit):
    folder, (most, names) = quick / "run", LIMITS[limit]
    if limit == "RLIMIT_AS":
        most += loaded(forks)
    words = ("run", file, "--out", folder, "--workers", 2, "--quiet")
    status, said = forks.run(*words, limits={limit: most})
    assert (status, said.count("\n")) == (1, 1), said
    assert_names(said, *names)
    finished(folder)
    assert forks.run(*words)[0] == 0
    assert_undisturbed(folder, whole)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("megabytes", range(20, 1820, 200))
def test_so_is_too_little_memory_wherever_it_ends(forks, file, quick, whole, megabytes):
    folder = quick / "run"
    words = ("run", file, "--out", folder, "--workers", 2, "--quiet")
    status, said = forks.run(*words, limits={"RLIMIT_AS": loaded(forks) + (megabytes << 20)})
    assert status in (0, 1), said
    if status:
        assert_names(said, *LIMITS["RLIMIT_AS"][1])
        assert said.count("\n") == 1, said
        if (folder / "journal.jsonl").exists():
            assert Run.verify(folder) == []
        assert forks.run(*words)[0] == 0
    assert_undisturbed(folder, whole)
