"""docs/results.md lists every column as `wallsim codebook` does.

After a change of columns: WALLSIM_WRITE_CODEBOOK=1 .ci/test tests/docs/test_results_page.py
"""

import os
import re

from typer.testing import CliRunner

from tests.docs.pages import DOCS
from wallsim.cli import app
from wallsim.runs.folder.schema import ON_REQUEST, TABLES

PAGE = DOCS / "results.md"
MARKED = re.compile(r"(?<=^<!-- codebook: )([^\n]*-->\n)(.*?)(?=^<!-- /codebook -->)", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"\[?\b([ABELMV]\d+(?:\.\d+)?)\b\]?")  # B4.2, or [A7] for a switch


def codebook():
    """What the command prints, its headings one level lower, without its title, its rule numbers as links."""
    result = CliRunner().invoke(app, ["codebook", "--expansions", "all"])
    assert result.exit_code == 0, result.output
    title, text = result.stdout.split("\n", 1)
    assert title == "# Codebook"
    text = RULE.sub(lambda estimate: f"[{estimate[1]}](rules.md#{estimate[1].lower().replace('.', '-')})", text)
    return re.sub(r"^## ", "### ", text.strip("\n"), flags=re.MULTILINE)


def test_the_columns_are_those_of_the_codebook():
    page = PAGE.read_text("utf-8")
    if os.environ.get("WALLSIM_WRITE_CODEBOOK"):
        page = MARKED.sub(lambda estimate: f"{estimate[1]}\n{codebook()}\n\n", page)
        PAGE.write_text(page, "utf-8")
    [(_, listed)] = MARKED.findall(page)
    assert listed.strip() == codebook(), "columns have changed; see the first lines of this file"


def test_every_table_is_described():
    rows = re.findall(r"^\| `(\w+)` \| (always|with `--\w+`|[^|]*) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    described = {table: when for table, when in rows if table in TABLES}
    assert set(described) == set(TABLES)
    assert {table for table, when in described.items() if when == "always"} == set(TABLES) - set(ON_REQUEST)
