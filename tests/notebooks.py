"""Running a notebook from its first cell to its last, with other values in its cell of parameters."""

import re
import warnings

import pytest

from tests.test_architecture import ROOT

_SHELL = re.compile(r"(?m)^ *(?:!|%%(?:bash|sh|system))")  # a cell whose failure the kernel does not report
_PLACES = re.compile(r"\{FOLDER\}[^\s\"']*")  # the names of files and folders that a notebook writes
_FAILED = re.compile(r"Traceback \(most recent|command not found|No such file|ModuleNotFoundError|Permission denied")
_EXIT_CODE = "assert _exit_code == 0, _exit_code"
_MISSING = """
from pathlib import Path as _Path
for _text in {texts!r}:
    try:
        _place = _Path(eval(_text))
    except NameError:  # of a loop
        continue
    assert _place.exists(), f"{{_place}} was not written"
"""
_DRAWS = re.compile(r"(?m)^ *(so\.Plot|sns\.heatmap)\(")  # the calls that draw a picture


def with_parameters(source: str, values: dict[str, str]) -> str:
    """The source of a parameter cell with other values; each parameter must be assigned once."""
    for name, value in values.items():
        source, count = re.subn(rf"(?m)^{name} = .*$", f"{name} = {value}", source)
        assert count == 1, f"the first code cell must assign {name} once"
    return source


def checked(cells, new_cell):
    """The cells with others between them, which fail if a command of a shell did, or if a file was not written."""
    result, places = [], []
    for cell in cells:
        result.append(cell)
        if cell.cell_type == "code":
            places += _PLACES.findall(cell.source)
            if _SHELL.search(cell.source):
                result.append(new_cell(_EXIT_CODE))
    return [*result, new_cell(_MISSING.format(texts=[f'f"{place}"' for place in places] + ["FOLDER"] * (not places)))]


def problems_of(outputs):
    """What is wrong in the outputs of a cell: errors, anything on standard error, and what shells and Python report."""
    problems = []
    for output in outputs:
        text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
        if output["output_type"] == "error" or output.get("name") == "stderr" or _FAILED.search(text):
            problems.append(text or output)
    return problems


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
    notebook.cells = checked(notebook.cells, nbformat.v4.new_code_cell)
    client.execute()
    assert not [problem for cell in cells for problem in problems_of(cell.outputs)]
    pictures = sum("image/png" in out.get("data", {}) for cell in cells for out in cell.outputs)
    assert pictures == sum(bool(_DRAWS.search(cell.source)) for cell in cells)
