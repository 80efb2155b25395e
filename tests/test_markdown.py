"""Tables in Markdown have a line per row, and cells that cannot break out of their column."""

import pytest

from wallsim.markdown import markdown_table


def test_a_table_has_a_line_of_headings_a_rule_and_a_line_per_row():
    assert markdown_table(("a", "b"), [("1", "2"), ("3", "4 | 5")]) == (
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 \\| 5 |"
    )
    assert markdown_table(("a",), iter([])) == "| a |\n| --- |"


def test_a_row_with_a_cell_too_few_is_refused():
    with pytest.raises(ValueError, match="each needs 2 cells"):
        markdown_table(("a", "b"), [("1", "2"), ("3",)])
