"""Laws that are tried on many examples: a run of the tests takes a share of them, and of changed tests every one.

A test says so by `@pytest.mark.one_in(10)`: of ten of its examples one is run. By `one_in(3, "file")` a file's tests
are run together or not at all, and by `one_in(3, "example")` the tests of an example, because they share what takes
long. The same tree runs the same tests: share 0, and every example of the tests of modules that differ from the commit
in `.ci/landed`, the last one of which every example passed. `WALLSIM_SHARE` is another share, or `all`. Tests marked
`nightly` are in no share: they run with all examples, or where they changed.
"""

import os
import subprocess
import zlib
from functools import cache
from pathlib import Path

from tests.imports import import_graph

ROOT = Path(__file__).resolve().parents[1]
ALL = "all"
VARIABLE = "WALLSIM_SHARE"
ONE_OF_SLOW = 4  # of as many files a run takes the slow tests of one, but for those with a share of their own
LANDED = Path(".ci") / "landed"


def share_of_this_run():
    """The share, a number, or None where every example is run."""
    given = os.environ.get(VARIABLE, "")
    return None if given == ALL else int(given or 0)


def shared_name(nodeid, together=None):
    """The name by which a test is in a share: its own, or that of its file or example, whose tests stay together."""
    file, _, name = nodeid.partition("::")
    return {"file": file, "example": f"{file}[{name.partition('[')[2]}", None: nodeid}[together]


def is_taken(name, of, share):
    """Whether the example of a name is in a share: those of the shares 0 to `of` - 1 are all; in none for `of` None."""
    return share is None or (of is not None and (zlib.crc32(name.encode()) + share) % of == 0)


def in_words():
    """Which examples this run takes, for its first lines."""
    rest = (
        "every example of tests that changed" if changed_files() is not None else "no other: git does not know the one"
    )
    return f"share of the examples: {VARIABLE}={os.environ[VARIABLE]}, and {rest} since the commit in {LANDED}"


@cache
def changed_files(root=ROOT):
    """The files that differ from the landed commit; None where git does not know that commit."""
    try:
        landed = (root / LANDED).read_text("utf-8").strip()
        listed = subprocess.run(
            ["git", "-C", str(root), "diff", "--name-only", "-z", landed], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return frozenset(name for name in listed.stdout.split("\0") if name)


@cache
def changed_tests(changed=None):
    """The files of tests that changed, or import a module that did, by themselves or through helpers among the tests.

    `changed` are files, by default those that differ from the landed commit.
    """
    changed = changed_files() if changed is None else changed
    if not changed:
        return frozenset()
    paths = [path.relative_to(ROOT) for top in ("wallsim", "analyses", "tests") for path in (ROOT / top).rglob("*.py")]
    modules = {".".join(path.with_suffix("").parts): path for path in paths}
    graph = import_graph({module: (ROOT / path).read_text("utf-8") for module, path in modules.items()})
    touched = {module for module, path in modules.items() if path.as_posix() in changed}
    tests = {module: path for module, path in modules.items() if path.name.startswith("test_")}
    return frozenset(path.as_posix() for module, path in tests.items() if _used(module, graph) & touched)


def _used(module, graph):
    """The module, its helpers among the tests, and what these import."""
    used, left = set(), [module]
    while left:
        name = left.pop()
        if name not in used:
            used.add(name)
            left += graph[name] if name.startswith("tests.") else ()
    return used
