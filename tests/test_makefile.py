"""The Makefile's targets are short names for the scripts, which stay."""

import re
import shutil
import subprocess

import pytest

from tests.test_architecture import ROOT

TEXT = (ROOT / "Makefile").read_text("utf-8")
TARGETS = re.search(r"^\.PHONY: (.*)$", TEXT, re.MULTILINE).group(1).split()


def make(*arguments):
    """What make prints for these arguments, in the project's folder."""
    if shutil.which("make") is None:
        pytest.skip("there is no make on this machine")
    done = subprocess.run(["make", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_target_says_what_it_does():
    assert re.findall(r"^(\w+):.*## \w", TEXT, re.MULTILINE) == TARGETS


def test_make_alone_lists_the_targets():
    assert [line.split()[1] for line in make().splitlines()] == TARGETS


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "help"])
def test_a_target_calls_a_script_that_is_there_and_hands_it_the_arguments(target):
    shell, script, *rest = make("-n", target, "ARGS=--help").split()
    assert shell in ("sh", "bash")
    assert (ROOT / script).is_file()
    assert (ROOT / script).read_text("utf-8").startswith(f"#!/{'bin/sh' if shell == 'sh' else 'usr/bin/env bash'}\n")
    assert rest == {"setup": [], "lint": ["lint"]}.get(target, ["--help"])
