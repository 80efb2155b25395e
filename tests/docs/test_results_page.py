"""docs/results.md describes every table."""

import re

from tests.docs.pages import DOCS
from wallsim.folder.schema import ON_REQUEST, TABLES

PAGE = DOCS / "results.md"


def test_every_table_is_described():
    rows = re.findall(r"^\| `(\w+)` \| (always|with `--\w+`|[^|]*) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    described = {table: when for table, when in rows if table in TABLES}
    assert set(described) == set(TABLES)
    assert {table for table, when in described.items() if when == "always"} == set(TABLES) - set(ON_REQUEST)
