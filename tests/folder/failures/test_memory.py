"""Too little memory: the command ends plainly, nothing is damaged, and with more of it the run goes on."""

import resource
from pathlib import Path

import pytest

from tests.folder.failures.conftest import assert_undisturbed
from tests.refusals import assert_names
from wallsim.folder.results import Run

MEGABYTE = 1 << 20


def play_within(forks, file, folder, megabytes):
    """Play with so many megabytes of address space beside what is loaded; whether they were too few."""
    loaded = int(Path(f"/proc/{forks.number}/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    command = ("run", file, "--out", folder, "--workers", 2, "--quiet")
    status, said = forks.run(*command, limits={"RLIMIT_AS": loaded + megabytes * MEGABYTE})
    assert status in (0, 1), said
    if status:
        assert_names(said, "memory", "workers", "`chunk`", "inished chunks are stored")
        assert said.count("\n") == 1, said
    if (folder / "journal.jsonl").exists():
        assert Run.verify(folder) == []
    return status == 1


def test_too_little_memory_is_reported_plainly(forks, file, quick, whole):
    assert play_within(forks, file, quick / "run", 40)
    assert forks.run("run", file, "--out", quick / "run", "--quiet")[0] == 0
    assert_undisturbed(quick / "run", whole)


@pytest.mark.one_in(6)
@pytest.mark.slow
def test_so_it_is_however_far_the_memory_reaches(forks, file, quick, whole):
    for megabytes in range(20, 600, 145):
        folder = quick / f"run-{megabytes}"
        if play_within(forks, file, folder, megabytes):
            assert forks.run("run", file, "--out", folder, "--quiet")[0] == 0
        assert_undisturbed(folder, whole)
