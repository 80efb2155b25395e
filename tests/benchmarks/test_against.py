"""`.ci/bench against`: what it prints and refuses, and one real comparison of the checkout with itself."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks import speed_ratio
from benchmarks.installation import is_checkout

from tests.benchmarks.commands import bench, message_of
from tests.benchmarks.installations import Stopwatch, package
from tests.cli.commands import ROOT
from tests.naive.rng import JIT
from tests.refusals import assert_names


@pytest.fixture
def other(tmp_path, monkeypatch):
    """The folder of another installation; timers of both give fixed speeds."""
    folder = package(tmp_path / "other")
    stopwatch = Stopwatch(**{"the running wallsim": 3000, f"against: {folder}": 2000})
    original = speed_ratio.compare_speeds
    monkeypatch.setattr(
        speed_ratio, "compare_speeds", lambda *words, **named: original(*words, **named, start=stopwatch)
    )
    return folder


def test_the_table_has_a_line_per_policy_and_progress_goes_to_stderr(other):
    result = bench("against", str(other), "--policies", "random,balanced", "--turns", "4")
    assert result.exit_code == 0, result.output
    for policy in ("random", "balanced"):
        assert re.search(rf"^{policy} +1\.500 +1\.500 to 1\.500 +3,000 +2,000", result.stdout, re.MULTILINE)
    assert "0.1.2" in result.stdout
    assert len(result.stderr.splitlines()) == 5


def document_of(*words):
    """The document that a comparison prints, and its only policy."""
    result = bench("against", *words, "--policies", "random", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    return document, *document["policies"]


def test_the_document_has_the_ratio_of_each_policy(other):
    document, policy = document_of(str(other))
    assert [policy["ratio"], *policy["ratio_interval"]] == pytest.approx([1.5, 1.5, 1.5])
    assert len(policy["turns"]["games_per_cpu_second"]) == document["turns"] == 9


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("nowhere",), ("'nowhere'", "folder")),
        ((str(ROOT), "--turns", "2"), ("--turns", "2", "3")),
        ((str(ROOT), "--policies", "x.py"), ("--policies", "x.py", ".toml")),
        ((), ("DIR|COMMIT",)),
    ],
)
def test_bad_input_is_refused_with_option_value_and_what_is_allowed(words, named):
    assert_names(message_of("against", *words), *named)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.skipif(not is_checkout(ROOT), reason="exports a commit of the checkout")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_comparison_leaves_no_folder_and_no_process(tmp_path, monkeypatch, number, status):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with started("against", "HEAD") as process:
        assert process.stderr.readline()
        assert [path.name for path in tmp_path.glob("wallsim-bench-*")]
        children = _children(process.pid)
        process.send_signal(number)
        assert process.wait(60) == status
        assert "Traceback" not in process.stderr.read()
    assert list(tmp_path.glob("wallsim-bench-*")) == []
    _wait_for_the_end_of(children)


def started(*words):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / ".ci")])}
    command = [sys.executable, "-m", "benchmarks", *words]
    return subprocess.Popen(command, env=environment, text=True, stderr=subprocess.PIPE)


def _wait_for_the_end_of(children):
    """A child that had only just been started is not killed: it ends when it finds its input closed."""
    last = time.monotonic() + 60
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < last
        time.sleep(0.1)


def _children(number):
    try:
        return Path(f"/proc/{number}/task/{number}/children").read_text("utf-8").split()
    except FileNotFoundError:  # another system than Linux
        return []


@pytest.mark.one_in(8)
@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="times machine code")
def test_the_checkout_is_about_as_fast_as_itself(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))))
    document, policy = document_of(str(ROOT), "--turns", "3")
    assert document["running"] == document["against"]
    low, high = policy["ratio_interval"]
    assert 0 < low < policy["ratio"] < high
