"""`import wallsim`: quick, lazy, typed, and `trace` stays a function although a folder has its name."""

import re
import subprocess
import sys

import pytest

import wallsim
from tests.test_architecture import ROOT

CPU_SECONDS = 0.1  # that importing the package may take
SCRIPT = """
import pathlib
import wallsim

experiment = wallsim.Experiment(players=3, policies=["balanced", "random", "random"], expansions="all", games=10)
run = wallsim.play(experiment, "results", workers=2, progress=True)
reveal_type(run)
summary = wallsim.summarise(run)
reveal_type(summary)
reveal_type(summary.seats[0].share_interval)
reveal_type(summary.frame())
cup = wallsim.play(wallsim.Tournament(["balanced", "random"], table=experiment, blocks=60))
reveal_type(cup)
reveal_type(wallsim.summarise(cup).ratings.ladder[0].strength)
reveal_type(wallsim.open_run("results"))
found = wallsim.compare(run, "results", seat=1, columns=["vp"], intervals="bootstrap")
reveal_type(found)
reveal_type(found.contrasts[0].change.value)
reveal_type(wallsim.compare(wallsim.open_run("results"), run).frame())
reveal_type(wallsim.trace(run, 3).story())
reveal_type(wallsim.trace(experiment)[0])
reveal_type(wallsim.play("e.toml", trust_code=True))
reveal_type(wallsim.play(pathlib.Path("e.toml"), "results"))
reveal_type(wallsim.summarise("results"))
reveal_type(wallsim.summarise(pathlib.Path("results")))
reveal_type(wallsim.trace("results", 5))
reveal_type(wallsim.trace(pathlib.Path("e.toml")))
reveal_type(wallsim.compare("results", pathlib.Path("results")))
reveal_type(wallsim.Tournament(["balanced", "random"], "e.toml").blocks)
reveal_type(wallsim.__version__)
try:
    wallsim.Experiment(players=7)  # type: ignore[arg-type]
except wallsim.InputError as error:
    reveal_type(error.exit_status)
wallsim.plya  # type: ignore[attr-defined]
"""
REVEALED = [
    "Run",
    "RunSummary",
    "tuple[float, float] | None",
    "DataFrame",
    "TournamentRun",
    "float",
    "Run | TournamentRun",
    "RunComparison",
    "float",
    "DataFrame",
    "str",
    "dict[str, Any]",
    "Run",
    "Run",
    "RunSummary | TournamentSummary",
    "RunSummary | TournamentSummary",
    "Trace",
    "Trace",
    "RunComparison",
    "int",
    "str",
    "int",
]


def python(code):
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_loads_nothing_but_the_standard_library():
    code = "import sys; before = set(sys.modules); import wallsim; print(*sorted(set(sys.modules) - before))"
    loaded = python(code).split()
    assert "wallsim" in loaded
    assert [name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names] == ["wallsim"]


def test_importing_the_package_is_quick():
    code = "import time; t = time.process_time(); import wallsim; print(time.process_time() - t)"
    assert min(float(python(code)) for _ in range(3)) < CPU_SECONDS


def test_an_exception_is_named_without_loading_a_library():
    code = "import sys, wallsim; wallsim.WallsimError; print('numpy' in sys.modules, 'polars' in sys.modules)"
    assert python(code) == "False False"


@pytest.mark.parametrize("name", wallsim.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name):
    value = getattr(wallsim, name)
    assert name in dir(wallsim)
    if name == "__version__":
        assert re.match(r"\d+\.\d+\.\d+", value)
    else:
        assert value.__doc__.strip()
        assert value.__name__ == name


def test_the_public_names_are_declared_once_for_all():
    assert set(wallsim.__all__) == {*wallsim._MODULES, "__version__"}
    assert wallsim.__all__ == sorted(wallsim.__all__)
    names = {}
    exec("from wallsim import *", names)
    assert names.keys() >= set(wallsim.__all__)


@pytest.mark.parametrize("name", ["Experiment", "Tournament", "compare", "open_run", "play", "summarise", "trace"])
def test_the_documentation_of_a_name_has_parameters_and_errors(name):
    text = getattr(wallsim, name).__doc__
    headings = ["Parameters", "Raises", "Examples"] + ([] if name[0].isupper() else ["Returns"])
    assert all(f"\n    {heading}\n    {'-' * len(heading)}\n" in text for heading in headings)


def test_another_spelling_is_no_attribute_but_suggests_one():
    with pytest.raises(AttributeError, match="module 'wallsim' has no attribute 'summarize'"):
        _ = wallsim.summarize
    assert "Did you mean: 'summarise'?" in python(
        "import subprocess, sys\n"
        "code = 'import wallsim; wallsim.summarize'\n"
        "print(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True).stderr)"
    )


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "code",
    [
        "from wallsim.trace.match import Match\nimport wallsim",
        "import wallsim\nwallsim.trace\nfrom wallsim.trace.match import Match",
        "import wallsim.trace",
        "import wallsim\nfrom wallsim.trace import match\nmatch.Match",
    ],
)
def test_trace_is_the_function_whatever_was_imported_before(code):
    shown = python(f"{code}\nfrom wallsim import trace\nprint(wallsim.trace is trace, type(trace).__name__)")
    assert shown == "True function"


@pytest.mark.slow
def test_type_checkers_know_the_names(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache" / "scripts", "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout
    revealed = re.findall(r'Revealed type is "(.*)"', done.stdout)
    assert [re.sub(r"[\w.]+\.(\w+)", r"\1", text) for text in revealed] == REVEALED
