"""A Monte Carlo toolkit for the board game Wallenstein.

    import wallsim

    run = wallsim.play(wallsim.Experiment(players=4, games=10_000), "results/python")
    print(wallsim.summarise(run))
    seats = run.scan("seats").collect()

`Experiment` and `Tournament` say what is played, `play` plays it, `open_run` and `Scenarios` open what was played
before, `summarise` finds out who won, `compare` what changed from one run to another, `means_by` and `differences_by`
average rows by group, `trace` shows one game, `outlook` predicts results from a `State` of the table, `advise`
what a seat should decide, `review` looks at a game that people played, `tune`, `exploit`, `learn` and `teach` search
for better bots, `verify` checks a folder of results, and `figures` reads the published figures of the studies.
A run may be given as the path of its folder, an experiment as the path of its file.
Every exception is a `WallsimError`: an `InputError` if the caller can fix it, a `RunError` if something failed.
Importing the package is quick: each name is loaded when it is first used.
"""

from __future__ import annotations

import os
import sys

# `python -m wallsim...` has put the current folder first on the path; modules that lie there take no part, unless it is
# the source tree.
if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and sys.path[0] != os.path.dirname(__path__[0]):
    del sys.path[0]

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wallsim.analysis.games.steps import Step
    from wallsim.api.advice import advise
    from wallsim.api.comparison import compare, compare_scenarios
    from wallsim.api.group_means import differences_by, means_by
    from wallsim.api.inputs import open_run
    from wallsim.api.outlook import outlook
    from wallsim.api.play import play
    from wallsim.api.review import review
    from wallsim.api.searches import exploit, learn, teach, tune
    from wallsim.api.summary import summarise
    from wallsim.api.trace import trace, traces
    from wallsim.api.verification import verify
    from wallsim.errors import InputError, RunError, WallsimError
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.scenarios import Scenarios
    from wallsim.play.tournament.tournament import Tournament
    from wallsim.studies.published import figures
    from wallsim.trace.state import State

    __version__: str

__all__ = [
    "Experiment",
    "InputError",
    "RunError",
    "Scenarios",
    "State",
    "Step",
    "Tournament",
    "WallsimError",
    "__version__",
    "advise",
    "compare",
    "compare_scenarios",
    "differences_by",
    "exploit",
    "figures",
    "learn",
    "means_by",
    "open_run",
    "outlook",
    "play",
    "review",
    "summarise",
    "teach",
    "trace",
    "traces",
    "tune",
    "verify",
]

_MODULES = {
    "Experiment": "wallsim.experiment.experiment",
    "InputError": "wallsim.errors",
    "RunError": "wallsim.errors",
    "Scenarios": "wallsim.folder.scenarios",
    "State": "wallsim.trace.state",
    "Step": "wallsim.analysis.games.steps",
    "Tournament": "wallsim.play.tournament.tournament",
    "WallsimError": "wallsim.errors",
    "advise": "wallsim.api.advice",
    "compare": "wallsim.api.comparison",
    "compare_scenarios": "wallsim.api.comparison",
    "differences_by": "wallsim.api.group_means",
    "exploit": "wallsim.api.searches",
    "figures": "wallsim.studies.published",
    "learn": "wallsim.api.searches",
    "means_by": "wallsim.api.group_means",
    "open_run": "wallsim.api.inputs",
    "outlook": "wallsim.api.outlook",
    "play": "wallsim.api.play",
    "review": "wallsim.api.review",
    "summarise": "wallsim.api.summary",
    "teach": "wallsim.api.searches",
    "trace": "wallsim.api.trace",
    "traces": "wallsim.api.trace",
    "tune": "wallsim.api.searches",
    "verify": "wallsim.api.verification",
}


if not TYPE_CHECKING:  # else any name would be taken to exist

    def __getattr__(name: str) -> Any:
        """Load a public name when it is first used (PEP 562)."""
        if name == "__version__":
            value = _version()
        elif name in _MODULES:
            value = _load(name)
        else:
            raise AttributeError(f"module 'wallsim' has no attribute {name!r}", name=name, obj=sys.modules[__name__])
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})


def _load(name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("wallsim")
    except PackageNotFoundError:  # a source tree that was not installed
        return "not installed"


class _Package(ModuleType):
    """The package as a module in which `play` and `trace` are always the functions.

    Two folders have the same names, and Python sets every imported module as an attribute of its package. Modules of
    these folders are imported by `from wallsim.trace.match import Match` or `from wallsim.trace import match`.
    """

    @property
    def play(self) -> Any:
        """The function of `wallsim.api.play`."""
        return _load("play")

    @play.setter
    def play(self, module: ModuleType) -> None:
        """Leave the module where `from wallsim.play.play import play_run` finds it."""

    @property
    def trace(self) -> Any:
        """The function of `wallsim.api.trace`."""
        return _load("trace")

    @trace.setter
    def trace(self, module: ModuleType) -> None:
        """Leave the module where `from wallsim.trace.story.game import story` finds it."""


sys.modules[__name__].__class__ = _Package
