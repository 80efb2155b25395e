"""docs/python.md is true: its examples run one after another in one process and print what stands below them."""

import contextlib
import io
import shutil

import pytest

import wallsim
from tests.docs.pages import DOCS, ROOT, code_blocks

PAGE = DOCS / "python.md"
CUT = "…"  # stands for any further lines


def examples() -> list[tuple[str, str]]:
    """Each block of Python with the text below it that it prints."""
    blocks = code_blocks(PAGE)
    languages = [language for language, _ in blocks]
    assert languages == ["python", "text"] * (len(blocks) // 2)
    return [(blocks[place][1], blocks[place + 1][1]) for place in range(0, len(blocks), 2)]


def assert_printed(printed: str, shown: str) -> None:
    """Every line is as shown, up to one that is cut; blanks at their ends do not count."""
    lines, expected = (text.rstrip("\n").split("\n") for text in (printed, shown))
    if expected[-1] == CUT:
        expected.pop()
        assert len(lines) > len(expected), printed
        lines = lines[: len(expected)]
    assert [line.rstrip() for line in lines] == [line.rstrip() for line in expected], printed


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder with the examples of policies, and a terminal of 100 columns."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def test_the_examples_print_what_the_page_says(here):
    names = {}
    for code, shown in examples():
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "docs/python.md", "exec"), names)
        assert_printed(printed.getvalue(), shown)
    assert {path.name for path in (here / "results").iterdir()} == {"tour", "tour-cup", "tour-harsher"}


def test_every_public_name_is_on_the_page():
    text = PAGE.read_text("utf-8")
    public = [name for name in wallsim.__all__ if name != "__version__"]
    assert [name for name in public if f"wallsim.{name}" not in text and f"`{name}`" not in text] == []


def test_what_is_printed_may_be_cut_only_at_its_end():
    assert_printed("a  \nb\nc\n", "a\n…\n")
    with pytest.raises(AssertionError):
        assert_printed("a\nb\n", "a\n")
    with pytest.raises(AssertionError):
        assert_printed("a\nb\n", "b\n…\n")
