"""A command that has been silent for two seconds of work says that it is at work; one with --quiet does not."""

import subprocess
import sys

from tests.test_architecture import ROOT

SLOW = """
import time
import wallsim.cli.activity as activity
activity._FIRST_SECONDS, activity._NEXT_SECONDS, activity._LOOK_SECONDS = 0.2, 0.5, 0.02
import wallsim.report.tables.catalogues as tables
def busy(*_):
    if {quiet}:
        activity.stay_silent()
    until = time.process_time() + {seconds}
    while time.process_time() < until:
        pass
    return []
tables.tower_rows = busy
from wallsim.__main__ import main
main()
"""


def messages(seconds, quiet=False):
    """What `wallsim towers` says on standard error if it takes so many seconds of CPU time more."""
    code = SLOW.format(seconds=seconds, quiet=quiet)
    done = subprocess.run([sys.executable, "-c", code, "towers"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stderr


def test_silence_is_broken():
    lines = messages(1.5).splitlines()
    assert len(lines) >= 2
    assert all(line.startswith("At work for ") for line in lines)


def test_quiet_commands_say_nothing():
    assert messages(1.0, quiet=True) == ""
