"""The default number of workers: the cores that this process may use, by affinity, cgroups and batch systems."""

import os

import pytest

from wallsim.cli.output import workers_of
from wallsim.play import parallel
from wallsim.play.parallel import CPUS_OF_TASK, checked_workers

SECOND, FIRST = "0::/jobs/step\n", "3:cpuset:/\n4:cpu,cpuacct:/jobs/step\n"
GROUPS = "sys/fs/cgroup"


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A machine with 64 cores, whose files about cgroups a test writes."""
    monkeypatch.setattr(parallel, "_SYSTEM", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)), raising=False)
    monkeypatch.delenv(CPUS_OF_TASK, raising=False)

    def write(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "ascii")

    return write


@pytest.mark.parametrize(
    ("membership", "files", "cores"),
    [
        ("", {}, 64),
        (SECOND, {}, 64),
        (SECOND, {"cpu.max": "max 100000\n"}, 64),
        (SECOND, {"cpu.max": "200000 100000\n"}, 2),  # as in a container
        (SECOND, {"jobs/step/cpu.max": "150000 100000\n"}, 2),
        (SECOND, {"jobs/step/cpu.max": "max 100000\n", "jobs/cpu.max": "50000 100000\n"}, 1),
        (SECOND, {"jobs/step/cpu.max": "9900000 100000\n", "jobs/other/cpu.max": "100000 100000\n"}, 64),
        (SECOND, {"jobs/step/cpu.max": "what else\n"}, 64),
        (FIRST, {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
        (FIRST, {"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        (FIRST, {"cpu/jobs/cpu.cfs_quota_us": "300000\n", "cpu/jobs/cpu.cfs_period_us": "50000\n"}, 6),
        (FIRST, {"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "0\n"}, 64),
    ],
)
def test_the_quota_of_a_cgroup_is_the_default(system, membership, files, cores):
    system({"proc/self/cgroup": membership, **{f"{GROUPS}/{name}": text for name, text in files.items()}})
    assert checked_workers(None) == workers_of(None) == parallel.own_cores() == cores
    assert (checked_workers(7), workers_of("7")) == (7, 7)


@pytest.mark.parametrize(("given", "cores"), [("4", 4), ("200", 64), ("", 64), ("0", 64), ("x", 64), ("9" * 5000, 64)])
def test_so_is_what_a_batch_system_gives_a_task(system, monkeypatch, given, cores):
    monkeypatch.setenv(CPUS_OF_TASK, given)
    assert checked_workers(None) == cores
    system({"proc/self/cgroup": SECOND, f"{GROUPS}/cpu.max": "300000 100000\n"})
    assert checked_workers(None) == min(cores, 3)
