"""Every notebook teaches in the same shape, and runs from its first cell to its last in a folder of its own."""

import json
import re

import pytest

from tests.notebooks import checked, problems_of, run_notebook
from tests.test_architecture import ROOT
from wallsim.studies.catalogue import own_studies

NOTEBOOKS = {
    path.stem: ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}
GUIDES = {"blogger", "data_scientist", "designer", "quickstart"}
SIZES = {
    "designer": 300,
    "lineups": 60,
    "quickstart": 300,
}  # games of each run; else FEW, or the blocks of a tournament
FEW, BLOCKS = 48, 12


def size_of(name):
    """The parameter that says how much is played, and a small value of it."""
    if "BLOCKS = " in NOTEBOOKS[name][1]:
        return {"BLOCKS": str(BLOCKS)}
    return {"GAMES": str(SIZES.get(name, FEW))}


def test_there_are_guides_and_notebooks_of_studies():
    assert set(NOTEBOOKS) >= GUIDES
    assert set(own_studies()) >= set(NOTEBOOKS) - GUIDES


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_reads_the_register_and_run_tables_shows_its_picture_s_code_and_ends_with_exercises(name):
    heading, parameters, *cells = NOTEBOOKS[name]
    assert re.match(r"# .+\n\n\*\*Question\.\*\* (.|\n)+\n\n\*\*Method\.\*\* \(1\) ", heading)
    assert re.search(r'^FOLDER = "\.\./results/', parameters, re.MULTILINE)
    text = "\n".join(cells)
    read = (r"wallsim\.figures\(", r"wallsim\.(means_by|differences_by|compare)\(")
    register, table = (re.search(words, text).start() for words in read)
    assert register < table
    assert re.search(r"\b(so\.Plot|sns\.\w+)\(", text)
    assert re.search(r"\.scan\(|wallsim\.compare\(", text)
    *_, limits, exercises = cells
    assert limits.startswith("## What limits th")
    assert re.match(r"## Your turn\n\n1\. (.|\n)+\n2\. ", exercises)


def test_together_they_read_tables_with_polars_pandas_and_duckdb():
    every = "\n".join("\n".join(cells) for cells in NOTEBOOKS.values())
    for words in ("duckdb.sql(", ".to_pandas()", "pl.col("):
        assert words in every


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_calls_no_shell_which_would_hide_errors(name):
    lines = [line for cell in NOTEBOOKS[name][1:] for line in cell.splitlines()]
    assert not [line for line in lines if re.match(r" *!|%%?(bash|sh|system|sx)\b|.*= *!", line)]


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "error", "ename": "NameError"},
        {"output_type": "stream", "name": "stderr", "text": "a warning"},
        {"output_type": "stream", "name": "stdout", "text": "/bin/bash: line 1: {sys.executable}: command not found"},
        {"output_type": "stream", "name": "stdout", "text": "Traceback (most recent call last):\n"},
    ],
)
def test_what_is_wrong_in_an_output_is_found(output):
    assert problems_of([{"output_type": "stream", "name": "stdout", "text": "Wrote page.html."}]) == []
    assert len(problems_of([output])) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "failure"),
    [
        ("!{sys.executable} -m wallsim policies > {FOLDER}", "assert _exit_code == 0"),
        ('page = f"{FOLDER}-page.html"', "-page.html was not written"),
    ],
)
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_a_command_that_fails_and_a_file_that_is_missing_are_found(tmp_path, source, failure):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    new = nbformat.v4.new_code_cell
    cells = [new(f"FOLDER = {str(tmp_path / 'run')!r}"), new(source)]
    notebook = nbformat.v4.new_notebook(cells=checked(cells, new))
    with pytest.raises(nbclient.exceptions.CellExecutionError, match=re.escape(failure)):
        nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute(cwd=str(tmp_path))


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NOTEBOOKS)
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_the_notebook_runs(name, tmp_path, monkeypatch):
    run_notebook(name, tmp_path, monkeypatch, **size_of(name), FOLDER=repr(str(tmp_path / "run")))
