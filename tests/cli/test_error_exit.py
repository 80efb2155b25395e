"""A process that ends at once while custom policies are in use is explained on stderr; one that ends well is not."""

import signal
import subprocess
import sys

import pytest

from tests.test_architecture import ROOT

HEAD = f"""
import os, signal, sys
sys.path.insert(0, {str(ROOT)!r})
from wallsim.cli import error_exit
from wallsim.policies.custom.load_observers import tell_loaded
error_exit.announce_sudden_ends()
tell_loaded("mine")
tell_loaded("mine")
tell_loaded("other")
"""


def ended(code):
    """The exit status and stderr of a process that loads two policies and then runs this."""
    result = subprocess.run([sys.executable, "-c", HEAD + code], capture_output=True, text=True)
    return result.returncode, result.stderr


@pytest.mark.parametrize(
    ("code", "number", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", signal.SIGSEGV, "(Segmentation fault)"),
        ("os.kill(os.getpid(), signal.SIGKILL)", signal.SIGKILL, "(it was killed, or a stack overflowed)"),
    ],
)
def test_a_sudden_end_is_explained_in_one_line(code, number, said):
    status, stderr = ended(code)
    assert status == -number
    assert len(stderr.splitlines()) == 1
    assert said in stderr
    assert "in use: mine, other. " in stderr
    assert "--check-policies" in stderr


@pytest.mark.parametrize("code", ["", "sys.exit(2)", "error_exit.ends_well(); os._exit(130)"])
def test_an_orderly_end_is_not(code):
    assert ended(code)[1] == ""
