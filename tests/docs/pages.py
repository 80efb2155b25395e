"""The pages that people read, README.md and those of docs, and their code blocks."""

import re
import shlex
from pathlib import Path

from tests.test_architecture import ROOT
from wallsim.studies.catalogue import own_studies

README = ROOT / "README.md"
DOCS = ROOT / "docs"
STUDIES = own_studies()


def pages() -> list[Path]:
    """README.md, and every page of docs in alphabetical order."""
    return [README, *sorted(DOCS.rglob("*.md"))]


def name(page: Path) -> str:
    """How a page is called here: README.md, docs/results.md."""
    return page.relative_to(ROOT).as_posix()


def code_blocks(page: Path) -> list[tuple[str, str]]:
    """(language, text) of the fenced code blocks of a page, in their order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[list[str]]:
    """The words of every command of a console block, comments left out; each line must be one."""
    lines = text.splitlines()
    assert all(line.startswith("$ ") for line in lines), text
    return [shlex.split(line[2:], comments=True) for line in lines]


def prose(page: Path) -> str:
    """The text of a page without its fenced code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
