"""Every notebook teaches in the same shape, and runs from its first cell to its last in a folder of its own."""

import json
import re

import pytest

from tests.notebooks import run_notebook
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


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NOTEBOOKS)
@pytest.mark.filterwarnings("default")  # Jupyter's own warnings are not ours
def test_the_notebook_runs(name, tmp_path, monkeypatch):
    run_notebook(name, tmp_path, monkeypatch, **size_of(name), FOLDER=repr(str(tmp_path / "run")))
