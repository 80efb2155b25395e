"""The table of docs/values.md is that of the shipped values, and the page names every feature's file."""

import os

from tests.docs.pages import DOCS
from wallsim.policies.value.value_file import load_value, value_names
from wallsim.report.tables.learning import markdown_of

BEGIN, END = "<!-- values -->", "<!-- /values -->"
PAGE = DOCS / "values.md"


def test_the_table_of_the_page_is_that_of_the_shipped_values():
    """`WALLSIM_WRITE_VALUES=1` writes it."""
    table = "\n".join(markdown_of(load_value(name).name, load_value(name).contents) for name in value_names())
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    result, after = rest.split(END)
    if os.environ.get("WALLSIM_WRITE_VALUES"):
        PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", "utf-8")
    else:
        assert result.strip() == table.strip(), "WALLSIM_WRITE_VALUES=1 .ci/test tests/docs/test_values_page.py"
