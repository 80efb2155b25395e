"""Every notebook runs from its first cell to its last, on a few games in a folder of its own."""

import re
import warnings
from pathlib import Path

import pytest

from tests.test_architecture import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LONG = (
    "tower",
    "skill",
    "price",
    "tiles",
    "events",
    "editions",
    "amounts",
    "draft",
    "expansions",
    "lineups",
    "robustness",
)  # many runs; tests/analyses plays the same designs in the quick suite
FEW = {"GAMES": "300", "FOLDER": None}  # parameters that the first code cell must have; None: a temporary folder
FEWER = {"tower": "40"}  # games of 306 runs


def with_parameters(source: str, values: dict[str, str]) -> str:
    """The source of a parameter cell with other values; each parameter must be assigned once."""
    for name, value in values.items():
        source, count = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value}", source)
        assert count == 1, f"the first code cell must assign {name} once"
    return source


def test_there_is_a_notebook():
    assert NOTEBOOKS


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow if path.stem in LONG else (), id=path.stem) for path in NOTEBOOKS],
)
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_the_notebook_runs(path: Path, tmp_path, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nbclient = pytest.importorskip("nbclient")
        nbformat = pytest.importorskip("nbformat")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    few = {**FEW, "GAMES": FEWER.get(path.stem, FEW["GAMES"]), "FOLDER": repr(str(tmp_path / "run"))}
    cells[0].source = with_parameters(cells[0].source, few)
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    )
    client.execute()
    assert not [
        out for cell in cells for out in cell.outputs if out.output_type == "error" or out.get("name") == "stderr"
    ]
    pictures = sum("image/png" in out.get("data", {}) for cell in cells for out in cell.outputs)
    assert pictures == sum("figures." in cell.source for cell in cells)
