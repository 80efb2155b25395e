"""Running a notebook from its first cell to its last, with other values in its cell of parameters."""

import re
import warnings

import pytest

from tests.test_architecture import ROOT

_DRAWS = re.compile(r"(?m)^ *(so\.Plot|sns\.heatmap)\(")  # the calls that draw a picture


def with_parameters(source: str, values: dict[str, str]) -> str:
    """The source of a parameter cell with other values; each parameter must be assigned once."""
    for name, value in values.items():
        source, count = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value}", source)
        assert count == 1, f"the first code cell must assign {name} once"
    return source


def run_notebook(name, tmp_path, monkeypatch, **values):
    """Run a notebook of the repository; every cell must end without errors, and every figure be drawn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nbclient = pytest.importorskip("nbclient")
        nbformat = pytest.importorskip("nbformat")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    cells[0].source = with_parameters(cells[0].source, values)
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT / "notebooks")}}
    )
    client.execute()
    assert not [
        out for cell in cells for out in cell.outputs if out.output_type == "error" or out.get("name") == "stderr"
    ]
    pictures = sum("image/png" in out.get("data", {}) for cell in cells for out in cell.outputs)
    assert pictures == sum(bool(_DRAWS.search(cell.source)) for cell in cells)
