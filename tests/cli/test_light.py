"""What light commands import: neither the compiler nor libraries that they have no use for."""

import json
import subprocess
import sys

import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run

HEAVY = {"numba", "llvmlite", "scipy", "matplotlib", "seaborn", "pandas", "statsmodels", "joblib", "sklearn", "IPython"}
TABLES = HEAVY | {"polars"}
ARRAYS = TABLES | {"numpy"}
SCRIPT = """
import json, sys
from wallsim.cli import app
try:
    app(sys.argv[1:], standalone_mode=True)
except SystemExit as end:
    status = end.code or 0
print("\\n" + json.dumps({"status": status, "modules": sorted({name.split(".")[0] for name in sys.modules})}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("light") / "run"
    play_run(Experiment(policies="random", games=40), folder)
    return folder


def imported(*words):
    done = subprocess.run([sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout.splitlines()[-1])
    return said["status"], set(said["modules"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "never", "status"),
    [
        (("--help",), ARRAYS | {"rich"}, 0),
        (("run", "--help"), ARRAYS | {"rich"}, 0),
        (("--version",), ARRAYS | {"rich"}, 0),
        (("rules",), ARRAYS, 0),
        (("rules", "--json"), ARRAYS, 0),
        (("policies",), ARRAYS, 0),
        (("towers",), ARRAYS, 0),
        (("codebook",), ARRAYS, 0),
        (("run", "--players", "9"), TABLES, 2),
        (("run", "--policies", "nobody"), TABLES, 2),
        (("run", "--games", "1", "--plot", "x.gif"), TABLES, 2),
        (("trace", "--tower", "nowhere"), TABLES, 2),
        (("policy", "show", "nobody"), TABLES, 2),
        (("tower", "show", "--tower", "nowhere"), TABLES, 2),
        (("tower", "show", "--policy", "nobody"), TABLES, 2),
        (("battle", "odds", "--attackers", "x"), TABLES, 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",  # sets have no order to share
)
def test_light_commands_leave_heavy_libraries_alone(words, never, status):
    ended, modules = imported(*words)
    assert ended == status
    assert not modules & never


@pytest.mark.parametrize("command", ["summary", "verify"])
def test_finished_runs_are_read_without_the_compiler(folder, command):
    ended, modules = imported(command, str(folder))
    assert ended == 0
    assert not modules & HEAVY


def test_a_run_loads_the_compiler_and_polars_alone(tmp_path):
    imported("run", "--policies", "random", "--games", "1", "--out", str(tmp_path / "first"))  # may have to compile
    ended, modules = imported("run", "--policies", "random", "--games", "1", "--out", str(tmp_path / "second"))
    assert ended == 0
    assert {"numba", "polars"} <= modules
    assert not modules & (HEAVY - {"numba", "llvmlite", "scipy"} | {"pyarrow", "pycparser", "cffi"})


def test_runs_are_compared_without_the_compiler_and_the_libraries_of_pictures(folder):
    ended, modules = imported("compare", str(folder), str(folder))
    assert ended == 0
    assert not modules & (HEAVY - {"scipy"})
