"""Blocks are put between their marks, and nowhere else."""

import pytest

from tests.refusals import refused
from wallsim.report.tables.marked_blocks import marks, put_between_marks

TEXT = "a\n<!-- figures -->\nold\n<!-- /figures -->\nb\n<!-- tower figures -->\nkept\n<!-- /tower figures -->\n"
SHORT = "<!-- headline -->\n<!-- /headline -->\n"


def write(path, *blocks):
    """Write a text."""
    path.write_bytes("".join(blocks).encode())
    return path


def test_only_what_stands_between_the_marks_of_that_name_changes(tmp_path):
    path = write(tmp_path / "text.md", TEXT)
    for _ in range(2):  # also over its own opening mark
        put_between_marks([path], {"figures": "new \\1\n"}, "0123456789abcdef", "study.py")
    opening = "<!-- figures of experiment 0123456789ab: written by study.py, do not edit -->"
    assert path.read_text("utf-8") == TEXT.replace("<!-- figures -->\nold", f"{opening}\nnew \\1")
    assert len(marks("tower figures").findall(TEXT)) == 1


def test_each_page_receives_the_blocks_for_which_it_has_marks(tmp_path):
    blocks = {"figures": "long", "headline": "short"}
    one, other = write(tmp_path / "one.md", TEXT), write(tmp_path / "other.md", SHORT)
    put_between_marks([one, other], blocks, "0", "study.py")
    assert one.read_text("utf-8").count("\nlong\n<!-- /figures -->") == 1
    assert "short" not in one.read_text("utf-8")
    opening, *rest = other.read_text("utf-8").splitlines()
    assert opening.startswith("<!-- headline of experiment 0: ")
    assert rest == ["short", "<!-- /headline -->"]
    both = write(tmp_path / "both.md", TEXT, SHORT)
    put_between_marks([both], blocks, "0", "study.py")
    assert "\nlong\n" in both.read_text("utf-8")
    assert "\nshort\n" in both.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"", ("no place", "figures or headline", "<!-- figures -->")),
        (TEXT.replace("<!-- /figures -->", "").encode(), ("no place", "figures")),
        ((TEXT + TEXT).encode(), ("more than one", "figures")),
        (b"\xff" + TEXT.encode(), ("as text",)),
        (None, ("as text",)),
    ],
    ids=["empty", "unclosed", "twice", "not UTF-8", "missing"],
)
def test_a_text_that_will_not_do_leaves_all_as_they_are(tmp_path, text, names):
    good, bad = write(tmp_path / "good.md", TEXT), tmp_path / "text.md"
    if text is not None:
        bad.write_bytes(text)
    with refused("text.md:", *names):
        put_between_marks([good, bad], {"figures": "new", "headline": "short"}, "0", "study.py")
    assert good.read_text("utf-8") == TEXT
    assert text is None or bad.read_bytes() == text
