"""Figures are put between their marks, and nowhere else."""

import pytest

from wallsim.report.tables.marked import marks, put_between_marks

TEXT = "a\n<!-- figures -->\nold\n<!-- /figures -->\nb\n<!-- tower figures -->\nkept\n<!-- /tower figures -->\n"


def test_only_what_stands_between_the_marks_of_that_name_changes(tmp_path):
    path = tmp_path / "text.md"
    path.write_text(TEXT, "utf-8")
    for _ in range(2):  # also over its own opening mark
        put_between_marks(path, "figures", "0123456789abcdef", "study.py", "new \\1\n")
    opening = "<!-- figures of experiment 0123456789ab: written by study.py, do not edit -->"
    assert path.read_text("utf-8") == TEXT.replace("<!-- figures -->\nold", f"{opening}\nnew \\1")
    assert len(marks("tower figures").findall(TEXT)) == 1


@pytest.mark.parametrize("text", ["", TEXT + TEXT])
def test_a_text_without_its_one_place_is_left_as_it_is(tmp_path, text):
    path = tmp_path / "text.md"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"text\.md: has \d places marked for figures; there must be one"):
        put_between_marks(path, "figures", "0", "study.py", "new\n")
    assert path.read_text("utf-8") == text
