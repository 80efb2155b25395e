"""Runs the notebooks and lays them out as pages with their results and pictures, for `.ci/docs --notebooks`."""

import base64
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER, FIRST = "notebooks", "quickstart"
SECONDS = 600  # for one cell, of which the first may compile
ANSI = re.compile(r"\x1b\[[0-9;]*m")
_STORED = "executed.ipynb"


class NotebookError(Exception):
    """A notebook does not run; the message names it and the error."""


def notebook_names(root: Path) -> list[str]:
    """The names of a checkout's notebooks: the quickstart first, the others by name."""
    return sorted(
        (path.stem for path in (root / FOLDER).glob("*.ipynb")), key=lambda name: (name != "quickstart", name)
    )


def navigation_of(root: Path) -> str:
    """The section of the menu with all notebooks, each by the beginning of its heading."""
    entries = []
    for name in notebook_names(root):
        first = json.loads((root / FOLDER / f"{name}.ipynb").read_text("utf-8"))["cells"][0]["source"]
        title = "".join(first).partition("\n")[0].removeprefix("# ").partition(":")[0]
        entries.append(f"{{ {json.dumps(title, ensure_ascii=False)} = {json.dumps(f'{FOLDER}/{name}.md')} }}")
    return f'{{ "Notebooks" = [{", ".join(entries)}] }},\n'


def key_of(root: Path, name: str) -> str:
    """What an executed notebook is stored by: a hash of the notebook, the register and the versions of all packages."""
    versions = (root / "pyproject.toml", root / ".ci" / "requirements.txt")
    found = hashlib.sha256()
    for path in (root / FOLDER / f"{name}.ipynb", *versions, *sorted((root / "data" / "figures").glob("*.*"))):
        data = path.read_bytes() if path.exists() else b""
        found.update(f"{path.name} {len(data)}\n".encode() + data)
    return found.hexdigest()[:20]


def lay_out_notebooks(root: Path, pages: Path, stored: Path) -> None:
    """Write a page for every notebook into the folder `pages`; run those that the folder `stored` does not have."""
    used = set()
    for name in notebook_names(root):
        place = stored / f"{name}-{key_of(root, name)}"
        used.add(place)
        if not (place / _STORED).exists():
            print(f"docs: running notebooks/{name}.ipynb", file=sys.stderr)
            place.mkdir(parents=True, exist_ok=True)
            part = place / f"{_STORED}.part"
            part.write_text(json.dumps(executed(root, name)), "utf-8")
            part.replace(place / _STORED)
        text, pictures = as_markdown(name, json.loads((place / _STORED).read_text("utf-8")))
        (pages / FOLDER).mkdir(parents=True, exist_ok=True)
        (pages / FOLDER / f"{name}.md").write_text(text, "utf-8")
        for file, data in pictures.items():
            (pages / FOLDER / file).write_bytes(data)
    for place in set(stored.glob("*")) - used:
        shutil.rmtree(place)


def executed(root: Path, name: str) -> Any:
    """The notebook with its outputs, run in an empty folder on the checkout's package; NotebookError if it fails."""
    import nbclient
    import nbformat

    os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
    notebook = nbformat.read(root / FOLDER / f"{name}.ipynb", as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / FOLDER
        place.mkdir()
        paths = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
        client = nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3")
        try:
            client.execute(cwd=str(place), env={**os.environ, "PYTHONPATH": paths})
        except nbclient.exceptions.CellExecutionError as error:
            raise NotebookError(f"{FOLDER}/{name}.ipynb: {ANSI.sub('', str(error))}") from None
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
                parts.append("".join(data["text/markdown"]).strip())
            else:
                text = ANSI.sub("", "".join(output.get("text", data.get("text/plain", "")))).rstrip()
                parts += [f"````text\n{text}\n````"] if text else []
    return "\n\n".join(parts) + "\n", pictures
