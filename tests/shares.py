"""Laws that are tried on many examples: a run of the tests takes a share of the examples, and each commit another one.

A test says so by `@pytest.mark.one_in(10)`: of ten of its examples one is run. By `one_in(3, "file")` a file's tests
are run together or not at all, and by `one_in(3, "example")` the tests of an example, because they share what takes
long. `WALLSIM_SHARE` is the seed that chooses them, or `all` for every example; without it the seed is made of the
commit's name. Hypothesis draws its examples from one of a few seeds, chosen with equal chances.
"""

import os
import subprocess
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALL = "all"
VARIABLE = "WALLSIM_SHARE"
ONE_OF_SLOW = 4  # of as many files a run takes the slow tests of one, but for those with a share of their own
SEEDS = 4  # of hypothesis: few, so that a change can be tried with each


def seed_of_this_run():
    """The seed of the shares, a number, or None where every example is run."""
    given = os.environ.get(VARIABLE, "")
    if given == ALL:
        return None
    if given:
        return int(given)
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True)
    return int(commit.stdout[:6], 16) if commit.returncode == 0 else 0


def shared_name(nodeid, together=None):
    """The name by which a test is in a share: its own, or that of its file or example, whose tests stay together."""
    file, _, name = nodeid.partition("::")
    return {"file": file, "example": f"{file}[{name.partition('[')[2]}", None: nodeid}[together]


def is_taken(name, of, seed):
    """Whether the example of a name is in the share of a seed: shares of the seeds 0 to `of` - 1 are all examples."""
    return seed is None or (zlib.crc32(name.encode()) + seed) % of == 0
