"""Runs the notebooks and lays them out as pages with their results and pictures.

No test runs them a second time: what is wrong in their outputs, files or pictures stops the build of the site.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from website.notebook_checks import checked, problems_of

FOLDER, PACKAGE = "notebooks", ("wallsim", "analyses")
SECONDS = 600  # for one cell, of which the first may compile
ANSI = re.compile(r"\x1b\[[0-9;]*m")
STUDIES = "../docs/studies/"  # the folder of the pages that a study's text links to, from that of the notebooks
_STORED = "executed.ipynb"
_QUIET = ["--IPKernelApp.log_level=ERROR"]
_STUDY_LINK = re.compile(r"\]\((?=[\w-]+\.md\b)")


class NotebookError(Exception):
    """A notebook does not run; the message names it and the error."""


def notebook_names(root: Path) -> list[str]:
    """The names of a checkout's notebooks: the quickstart first, the others by name."""
    return sorted(
        (path.stem for path in (root / FOLDER).glob("*.ipynb")), key=lambda name: (name != "quickstart", name)
    )


def page_of(name: str) -> str:
    """The page of a notebook by its place in the site: that to which links to its file lead."""
    return f"{FOLDER}/{name}.ipynb.md"


def navigation_of(root: Path) -> str:
    """The section of the menu with all notebooks, each by the beginning of its heading; empty if there are none."""
    entries = []
    for name in notebook_names(root):
        first = json.loads((root / FOLDER / f"{name}.ipynb").read_text("utf-8"))["cells"][0]["source"]
        title = "".join(first).partition("\n")[0].removeprefix("# ").partition(":")[0]
        entries.append(f"{{ {json.dumps(title, ensure_ascii=False)} = {json.dumps(page_of(name))} }}")
    return f'{{ "Notebooks" = [{", ".join(entries)}] }},\n' if entries else ""


def key_of(root: Path, name: str) -> str:
    """What an executed notebook is stored by: a hash of the notebook, the register, the package and all versions."""
    versions = (root / "pyproject.toml", root / ".ci" / "requirements.txt")
    figures, modules = (root / "data" / "figures").glob("*.*"), ((root / part).rglob("*.py") for part in PACKAGE)
    found = hashlib.sha256()
    for path in (root / FOLDER / f"{name}.ipynb", *versions, *sorted(figures), *sorted(chain(*modules))):
        data = path.read_bytes() if path.exists() else b""
        found.update(f"{path.relative_to(root)} {len(data)}\n".encode() + data)
    return found.hexdigest()[:20]


def lay_out_notebooks(root: Path, pages: Path, stored: Path, *, run: bool = True) -> None:
    """Write a page for every notebook into the folder `pages`; run those that the folder `stored` does not have.

    Without `run` these have no results. NotebookError if one fails.
    """
    used = set()
    for name in notebook_names(root):
        place = stored / f"{name}-{key_of(root, name)}"
        used.add(place)
        if run and not (place / _STORED).exists():
            print(f"docs: running {FOLDER}/{name}.ipynb", file=sys.stderr)
            place.mkdir(parents=True, exist_ok=True)
            part = place / f"{_STORED}.part"
            part.write_text(json.dumps(executed(root, name)), "utf-8")
            part.replace(place / _STORED)
        source = place / _STORED if (place / _STORED).exists() else root / FOLDER / f"{name}.ipynb"
        text, pictures = as_markdown(name, json.loads(source.read_text("utf-8")))
        (pages / FOLDER).mkdir(parents=True, exist_ok=True)
        (pages / page_of(name)).write_text(text, "utf-8")
        for file, data in pictures.items():
            (pages / FOLDER / file).write_bytes(data)
    for place in set(stored.glob("*")) - used if run else ():
        shutil.rmtree(place)


def executed(root: Path, name: str) -> Any:
    """The notebook with its outputs, run in an empty folder on the checkout's package.

    NotebookError if it fails, writes to standard error, leaves out a file that it names, or draws no picture.
    """
    import nbclient
    import nbformat

    os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
    notebook = nbformat.read(root / FOLDER / f"{name}.ipynb", as_version=4)
    cells = notebook.cells
    notebook.cells = checked(cells, nbformat.v4.new_code_cell)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / FOLDER
        place.mkdir()
        paths = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
        client = nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", extra_arguments=_QUIET)
        try:
            client.execute(cwd=str(place), env={**os.environ, "PYTHONPATH": paths})
        except nbclient.exceptions.CellExecutionError as error:
            raise NotebookError(f"{FOLDER}/{name}.ipynb: {ANSI.sub('', str(error))}") from None
    notebook.cells = cells
    if problems := [problem for cell in cells for problem in problems_of(cell)]:
        raise NotebookError(f"{FOLDER}/{name}.ipynb: {problems[0]}")
    return notebook


def as_markdown(name: str, notebook: Mapping[str, Any]) -> tuple[str, dict[str, bytes]]:
    """The page of an executed notebook, and its pictures by file name, which it shows by the heading above them."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    heading = name
    for cell in notebook["cells"]:
        source = "".join(cell["source"]).strip()
        if cell["cell_type"] == "markdown":
            heading = next((line.lstrip("# ") for line in source.splitlines() if line.startswith("#")), heading)
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                file = f"{name}-{len(pictures) + 1}.png"
                pictures[file] = base64.b64decode(data["image/png"])
                parts.append(f"![{heading}]({file})")
            elif "text/markdown" in data:
                parts.append(_STUDY_LINK.sub(f"]({STUDIES}", "".join(data["text/markdown"]).strip()))
            else:
                text = ANSI.sub("", "".join(output.get("text", data.get("text/plain", "")))).rstrip()
                parts += [f"````text\n{text}\n````"] if text else []
    return "\n\n".join(parts) + "\n", pictures
