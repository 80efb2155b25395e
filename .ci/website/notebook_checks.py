"""What must hold of a notebook that was run: no errors, no warnings, every file written, every picture drawn."""

import re
from collections.abc import Callable, Sequence
from typing import Any

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


def checked(cells: Sequence[Any], new_cell: Callable[[str], Any]) -> list[Any]:
    """The cells with others between them, which fail if a command of a shell did, or if a file was not written."""
    result: list[Any] = []
    places: list[str] = []
    for cell in cells:
        result.append(cell)
        if cell.cell_type == "code":
            places += _PLACES.findall(cell.source)
            if _SHELL.search(cell.source):
                result.append(new_cell(_EXIT_CODE))
    return [*result, new_cell(_MISSING.format(texts=[f'f"{place}"' for place in places] + ["FOLDER"] * (not places)))]


def problems_of(cell: Any) -> list[str]:
    """What is wrong with a cell that was run: errors, standard error, what shells and Python report, and no picture."""
    if cell.cell_type != "code":
        return []
    problems = []
    for output in cell.outputs:
        text = output.get("text", "") + output.get("data", {}).get("text/plain", "")
        if output["output_type"] == "error" or output.get("name") == "stderr" or _FAILED.search(text):
            problems.append(text or str(output))
    if _DRAWS.search(cell.source) and not any("image/png" in output.get("data", {}) for output in cell.outputs):
        problems.append("no picture was drawn")
    return problems
