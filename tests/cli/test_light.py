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
import json, os, sys
from wallsim.cli import app
for words in json.loads(sys.argv[1]):
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        continue
    try:
        status = app(words, standalone_mode=True)
    except SystemExit as end:
        status = end.code
    print("\\n" + json.dumps([status or 0, *{name.split(".")[0] for name in sys.modules}]), flush=True)
    os._exit(0)
"""


def imported(*commands):
    """The status of each command and the modules that it imports, in forks of one process that has but begun."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(commands)], capture_output=True, text=True, check=True
    )
    ended = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[") and '"sys"' in line]
    assert len(ended) == len(commands)
    return [(status, set(modules)) for status, *modules in ended]


@pytest.mark.parametrize(
    ("lines", "never", "status"),
    [
        (("--help", "run --help", "--version"), ARRAYS | {"rich"}, 0),
        (("rules", "rules --json", "policies", "towers", "codebook", "trace --help"), ARRAYS, 0),
        (("run --players 9", "run --policies nobody", "run --games 1 --plot x.gif", "trace --tower nowhere",
          "policy show nobody", "tower show --tower nowhere", "tower show --policy nobody",
          "battle odds --attackers x"), TABLES, 2),
    ],
    ids=["help", "lists", "refusals"],
)  # fmt: skip
def test_light_commands_leave_heavy_libraries_alone(lines, never, status):
    for line, (ended, modules) in zip(lines, imported(*(line.split() for line in lines)), strict=True):
        assert (line, ended, modules & never) == (line, status, set())


def test_finished_runs_are_read_and_compared_without_the_compiler_and_libraries_of_pictures(tmp_path):
    folder = str(play_run(Experiment(policies="random", games=40), tmp_path / "run").folder)
    summary, verify, compare = imported(["summary", folder], ["verify", folder], ["compare", folder, folder])
    assert [(status, modules & HEAVY) for status, modules in (summary, verify)] == [(0, set())] * 2
    assert (compare[0], compare[1] & HEAVY) == (0, {"scipy"})


def test_a_run_loads_the_compiler_and_polars_alone(tmp_path):
    words = ["run", "--policies", "random", "--games", "1", "--out"]
    _, (ended, modules) = imported([*words, str(tmp_path / "first")], [*words, str(tmp_path / "second")])
    assert ended == 0  # the first may have had to compile
    assert {"numba", "polars"} <= modules
    assert not modules & (HEAVY - {"numba", "llvmlite", "scipy"} | {"pyarrow", "pycparser", "cffi"})
