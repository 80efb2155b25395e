"""Every notebook runs from its first cell to its last, on a few games in a folder of its own.

Those of studies with a quick look run after it, on its games: tests/cli/test_study.py, and for robustness
tests/analyses/test_robustness.py.
"""

import pytest

from tests.cli.test_study import LOOKS
from tests.notebooks import run_notebook
from tests.test_architecture import ROOT

GAMES = {"quickstart": 300, "skill": 300, "tower": 40}
LONG = ("skill", "tower")  # many runs; tests/analyses plays the same designs in the quick suite


def test_every_notebook_is_run():
    assert {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} == {*GAMES, *LOOKS, "robustness"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else (), id=name) for name in GAMES]
)
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_the_notebook_runs(name, tmp_path, monkeypatch):
    run_notebook(name, tmp_path, monkeypatch, GAMES=str(GAMES[name]), FOLDER=repr(str(tmp_path / "run")))
