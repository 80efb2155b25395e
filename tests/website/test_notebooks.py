"""Notebooks become pages with their results and pictures, and are run again only if something changed."""

import base64
import json
import sys
from types import SimpleNamespace

import pytest
from website import notebooks
from website.markdown import links, reading_errors
from website.notebook_checks import problems_of
from website.notebooks import NotebookError, as_markdown, executed, key_of, lay_out_notebooks, notebook_names, page_of

from tests.test_architecture import ROOT

DOT = base64.b64encode(b"a picture").decode()
CELLS = [
    ("markdown", "# Dots: a picture\n\nWords."),
    ("code", "1 + 1", {"output_type": "execute_result", "data": {"text/plain": "2", "text/html": "<b>2</b>"}}),
    ("markdown", "## Many\n\n- one"),
    ("code", "draw()", {"output_type": "display_data", "data": {"image/png": DOT, "text/plain": "<Plot>"}}),
    ("code", "say()", {"output_type": "stream", "name": "stdout", "text": "\x1b[31mred\x1b[0m\n"}),
    ("code", "text", {"output_type": "execute_result", "data": {"text/markdown": "| [a](b.md#c) |\n|---|"}}),
    ("code", "silent()"),
]
PAGE = """# Dots: a picture

Words.

```python
1 + 1
```

````text
2
````

## Many

- one

```python
draw()
```

![Many](dots-1.png)

```python
say()
```

````text
red
````

```python
text
```

| [a](../docs/studies/b.md#c) |
|---|

```python
silent()
```
"""


def notebook(cells, outputs=True):
    """A notebook of cells, each its kind, its source and its outputs."""
    made = []
    for number, (kind, source, *given) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"c{number}", "metadata": {}, "source": source.splitlines(keepends=True)}
        code = {"execution_count": None, "outputs": given if outputs else []} if kind == "code" else {}
        made.append(cell | code)
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


FILES = (
    "data/figures/price.csv", "data/figures/price.toml", ".ci/requirements.txt", "pyproject.toml", "wallsim/runs.py",
)  # fmt: skip


@pytest.fixture
def root(tmp_path):
    """A checkout with a notebook, a register, a package and versions."""
    for folder in ("notebooks", "data/figures", ".ci", "wallsim"):
        (tmp_path / "root" / folder).mkdir(parents=True)
    (tmp_path / "root" / "notebooks" / "dots.ipynb").write_text(json.dumps(notebook(CELLS, outputs=False)), "utf-8")
    for name in FILES:
        (tmp_path / "root" / name).write_text(f"{name} 1\n", "utf-8")
    return tmp_path / "root"


def test_a_page_shows_sources_results_and_pictures_by_the_heading_above():
    assert as_markdown("dots", notebook(CELLS)) == (PAGE, {"dots-1.png": b"a picture"})


def test_notebooks_are_run_again_only_if_notebook_register_package_or_versions_changed(root, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(notebooks, "executed", lambda root, name: ran.append(name) or notebook(CELLS))
    pages, stored = tmp_path / "pages", tmp_path / "stored"

    def page(**run):
        lay_out_notebooks(root, pages, stored, **run)
        return (pages / page_of("dots")).read_text("utf-8")

    assert page() == page() == PAGE
    assert ran == ["dots"]
    assert (pages / "notebooks" / "dots-1.png").read_bytes() == b"a picture"
    for name in (*FILES, "notebooks/dots.ipynb"):
        before = key_of(root, "dots")
        (root / name).write_text((root / name).read_text("utf-8") + " ", "utf-8")
        assert key_of(root, "dots") != before
    assert page(run=False) == as_markdown("dots", notebook(CELLS, outputs=False))[0] != PAGE
    assert page() == PAGE
    assert ran == ["dots", "dots"]
    assert len(list(stored.iterdir())) == 1, "what is out of date is deleted"


def test_the_page_on_notebooks_leads_to_every_notebook_the_quickstart_first():
    names = [page_of(name) for name in notebook_names(ROOT)]
    assert names[0] == page_of("quickstart")
    linked = {link.target for link in links((ROOT / "docs" / "notebooks.md").read_text("utf-8"))}
    assert {f"../{name.removesuffix('.md')}" for name in names} <= linked


def test_the_words_of_notebooks_read_the_same_on_the_site():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                assert reading_errors("".join(cell["source"])) == [], path.name


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("1 / 0", {"output_type": "error", "ename": "NameError"}),
        ("warn()", {"output_type": "stream", "name": "stderr", "text": "a warning"}),
        ("!run", {"output_type": "stream", "name": "stdout", "text": "/bin/bash: line 1: run: command not found"}),
        ("show()", {"output_type": "stream", "name": "stdout", "text": "Traceback (most recent call last):\n"}),
        ("so.Plot(", {"output_type": "stream", "name": "stdout", "text": "Wrote page.html."}),
    ],
)
def test_what_is_wrong_in_an_output_is_found(source, output):
    good = {"output_type": "stream", "name": "stdout", "text": "Wrote page.html."}
    assert problems_of(SimpleNamespace(cell_type="code", source="write()", outputs=[good])) == []
    assert len(problems_of(SimpleNamespace(cell_type="code", source=source, outputs=[output]))) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_a_notebook_is_run_in_a_folder_of_its_own_with_the_package_of_the_checkout(root, monkeypatch, tmp_path):
    pytest.importorskip("nbclient")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    (root / "here.py").write_text("answer = 42\n", "utf-8")
    source = "import here\nimport matplotlib.pyplot as plt\nplt.plot([1, here.answer])\nopen('x', 'w').write('y');"
    path = root / "notebooks" / "dots.ipynb"
    path.write_text(json.dumps(notebook([("markdown", "# Dots"), ("code", source)])), "utf-8")
    text, pictures = as_markdown("dots", executed(root, "dots"))
    assert pictures["dots-1.png"].startswith(b"\x89PNG")
    assert "![Dots](dots-1.png)" in text
    assert [each.name for each in path.parent.iterdir()] == ["dots.ipynb"]
    for sources, error in (
        (["1 / 0"], "ZeroDivisionError"),
        (["import sys\nprint('a warning', file=sys.stderr)"], "a warning"),
        (["so = type('so', (), {'Plot': print})", "so.Plot()"], "no picture was drawn"),
        (["FOLDER = 'run'", "!{sys.executable} -m wallsim none > {FOLDER}"], "assert _exit_code == 0"),
        (["FOLDER = 'run'", 'page = f"{FOLDER}-page.html"'], "-page.html was not written"),
    ):
        path.write_text(json.dumps(notebook([("code", source) for source in sources])), "utf-8")
        with pytest.raises(NotebookError, match=rf"notebooks/dots\.ipynb: (.|\n)*{error}"):
            executed(root, "dots")
    assert "here" not in sys.modules
