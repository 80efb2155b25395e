"""Ray plays the same games: the example of the documentation, run as it stands there but for games and folder."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.naive.rng import JIT
from tests.play.watching import parts_of
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.play.play import play_run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray has no wheels for every system"),
    pytest.mark.skipif(not JIT, reason="workers would take minutes without the compiler"),
]
ROOT = Path(__file__).resolve().parents[2]
GAMES = 3000
# No dashboard, and no address but this machine's own, which not every machine lets programs use.
LOCAL = 'ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1")'


def example():
    """The example's code with a small run; every replacement must find its place."""
    (code,) = re.findall(
        r"```python\n(import joblib\nimport ray\n.*?)```", (ROOT / "docs/clusters.md").read_text(), re.S
    )
    for there, here in (("ray.init()", LOCAL), ("1_000_000", str(GAMES)), ('"results/long"', "sys.argv[1]")):
        assert code.count(there) == 1, there
        code = code.replace(there, here)
    return "import sys\n" + code


def run(code, *words):
    """Run code in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(
        [sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True, timeout=300
    )


@pytest.mark.one_in(4)
def test_the_example_writes_the_bytes_of_threads(tmp_path):
    try:
        started = run(f"import ray\n{LOCAL}")
    except subprocess.TimeoutExpired:
        pytest.skip("Ray does not start here within five minutes")
    if started.returncode:
        pytest.skip(f"Ray does not start here: {started.stderr[-300:]}")
    done = run(example(), str(tmp_path / "there"))
    assert done.returncode == 0, done.stderr
    here = play_run(Experiment(games=GAMES), tmp_path / "here")
    assert len(parts_of(here.folder)) > 8
    assert parts_of(tmp_path / "there") == parts_of(here.folder)
    assert Run.verify(tmp_path / "there") == []
