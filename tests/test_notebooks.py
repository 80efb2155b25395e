"""Every notebook teaches in the same shape. The build of the docs site runs them: `.ci/website/notebooks.py`."""

import json
import re

import pytest

from tests.test_architecture import ROOT
from wallsim.studies.catalogue import own_studies

NOTEBOOKS = {
    path.stem: ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
}
GUIDES = {"blogger", "data_scientist", "designer", "quickstart"}


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
