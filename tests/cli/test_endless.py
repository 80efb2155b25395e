"""A policy whose machine code never returns: Ctrl-C and SIGTERM end the command, and finished games are stored."""

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.commands import start
from tests.naive.rng import JIT
from tests.refusals import assert_names
from wallsim.cli import forced_exit
from wallsim.compile_cache.folder import LOCK

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT, reason="answers are machine code")]
ENDLESS = """
from wallsim.jit import lowest_bit

def place(game, rules, mind, seat, free):
    while game.number {when}:
        free |= 1 << lowest_bit(free)
    return lowest_bit(free)
"""
STOPS = pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
SECONDS = forced_exit.GRACE_SECONDS + 6  # to the end; the machine may be busy


def write(here, when):
    (here / "mine.py").write_text(ENDLESS.format(when=when), "utf-8")


def wait_until_stuck(process):
    """Until a process has neither read nor written anything for some seconds: it is in machine code."""
    traffic, quiet, deadline = "", 0, time.monotonic() + 200
    while quiet < 8 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.5)
        before, traffic = traffic, Path(f"/proc/{process.pid}/io").read_text("utf-8")
        quiet = quiet + 1 if traffic == before else 0
    assert process.poll() is None, process.communicate()


def end(process, sent, seconds=SECONDS):
    """Send a signal, and see that the command ends soon without a traceback; returns what it says."""
    began = time.monotonic()
    process.send_signal(sent)
    output, errors = process.communicate(timeout=60)
    assert time.monotonic() - began < seconds
    assert (output, process.returncode) == ("", {signal.SIGINT: 130, signal.SIGTERM: 143}[sent]), errors
    assert "Traceback" not in errors, errors
    assert "Stopped." in errors
    return errors


def begin(*words):
    return start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_in_the_midst_of_a_run_what_is_finished_is_kept(here):
    write(here, "== 1234")
    (here / "x.toml").write_text(
        'policies = ["mine.py", "random", "random", "random"]\ngames = 2000\nchunk = 100\n', "utf-8"
    )
    process = begin("run", "x.toml", "--trust-code", "--workers", "2", "--out", "run")
    wait_until_stuck(process)
    errors = end(process, signal.SIGTERM)
    stored = re.search(r"Stopped\. ([0-9,]+) finished games .* in run;", errors)
    assert stored is not None, errors
    lines = (here / "run" / "journal.jsonl").read_text("utf-8").splitlines()[1:]
    assert int(stored[1].replace(",", "")) == 100 * len(lines) >= 1000


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "line",
    [
        "run --policies mine.py,random,random,random --games 100 --out run",
        "tune balanced --pool mine.py --generations 1 --games 12 --out tuned",
        "trace --policies mine.py,random,random,random",
    ],
)
def test_so_does_any_command_in_its_first_games(here, line):
    write(here, ">= 0")
    process = begin(*line.split())
    wait_until_stuck(process)
    errors = end(process, signal.SIGINT)
    assert "No games" in errors or not line.startswith("run")


def _compiled(folder):
    """The number of kernels that a process has compiled, by the lock file of its cache."""
    return max((int(path.read_text() or 0) for path in folder.rglob(LOCK)), default=0)


@pytest.mark.one_in(4)
@STOPS
def test_while_the_engine_is_compiled(here, monkeypatch, sent):
    """The compiler would lose the signal, or go on with half of what it needs."""
    monkeypatch.setenv("WALLSIM_CACHE_DIR", str(here / "cache"))
    process = begin("run", "--games", "100", "--out", "run")
    deadline = time.monotonic() + 120
    while _compiled(here) < 50 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert_names(end(process, sent, 5).splitlines()[-1], "No games", "in run")
