"""Ctrl-C and SIGTERM at moments when libraries lose exceptions: "Stopped.", 130 or 143, and nothing half-written."""

import signal
import subprocess
import sys

import pytest

from tests.folder.failures.conftest import assert_undisturbed
from tests.folder.failures.forks import ROOT
from tests.refusals import assert_names
from wallsim.folder.results import Run

STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
FROM_RUST = "polars:Series._from_pyseries"  # which polars calls, and panics at any exception of it


def stopped(forks, number, function, *words):
    """What a command says that is stopped when this function is called."""
    status, said = forks.run(*words, stopped_in=[number, function])
    assert status == STATUS[number], said
    assert said.splitlines()[-1].startswith("Stopped."), said
    assert not any(word in said for word in ("Traceback", "panicked", "Exception", "Aborted")), said
    return said


@pytest.mark.parametrize("words", [("summary",), ("verify", "--replay", "1"), ("compare",), ("repair",)])
def test_while_polars_reads(forks, whole, words):
    command, *options = words
    folders = [whole] * (2 if command == "compare" else 1)
    stopped(forks, signal.SIGINT, FROM_RUST, command, *folders, *options)
    assert Run.verify(whole) == []


@pytest.mark.parametrize(
    ("function", "number"),
    [
        ("polars:DataFrame.write_parquet", signal.SIGTERM),  # in a worker's thread
        ("wallsim.engine.arena:Arena.play", signal.SIGINT),  # as this
        ("os:replace", signal.SIGINT),
        ("os:link", signal.SIGTERM),
        ("wallsim.folder.journal:ChunkRecord.line", signal.SIGTERM),
    ],
)
def test_while_a_run_plays_and_writes_which_resumes(forks, whole, file, tmp_path, number, function):
    folder = tmp_path / "run"
    words = ("run", file, "--out", folder, "--workers", "2", "--quiet")
    said = stopped(forks, number, function, *words)
    assert_names(said, "the same command")
    assert not list(tmp_path.rglob("*.writing"))
    status, said = forks.run(*words)
    assert status == 0, said
    assert_undisturbed(folder, whole)


AIMED = """
import os, signal, sys
class Aim:
    def find_spec(self, name, *others):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Aim())
class Loses:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
def lose(*_, **__):
    Loses()
    while True:
        pass
sys.argv[0] = "wallsim"
from wallsim.__main__ import main
{patch}
main()
"""


def end_of(module, *words, patch=""):
    """The status and the messages of a command that gets Ctrl-C while a module is imported."""
    code = AIMED.format(module=module, patch=patch)
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.parametrize("module", ["typer", "rich.table"])
def test_while_something_is_imported(module):
    assert end_of(module, "towers") == (130, "Stopped.\n")


def test_in_a_finalizer_which_python_ignores():
    patch = "import wallsim.report.tables.catalogues as tables; tables.tower_rows = lose"
    assert end_of("", "towers", patch=patch) == (130, "Stopped.\n")
