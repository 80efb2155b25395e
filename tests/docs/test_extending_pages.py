"""The pages of docs/extending name files that exist, names that stand in them, and the test that tries the page."""

import re

import pytest

from tests.docs.pages import DOCS
from tests.test_architecture import ROOT

PAGES = sorted((DOCS / "extending").glob("*.md"))
TOP = ("wallsim", "tests", "data", "analyses", "docs", "notebooks", ".ci")
WRITTEN = ("build/", "docs/tonight.pdf", "exploit.json")  # what commands write


@pytest.fixture(scope="module")
def words():
    """Every word of the sources."""
    found = (path for top in ("wallsim", "tests", "analyses", ".ci") for path in (ROOT / top).rglob("*"))
    files = [path for path in found if path.is_file() and path.suffix in ("", ".py", ".toml")]
    return set(re.findall(r"\w+", "\n".join(path.read_text("utf-8") for path in files)))


def spans(text):
    """The code spans of a text, but for files that commands write; a * stands for any NAME."""
    found = re.findall(r"`([^`]+)`", text)
    return [span.replace("NAME", "*") for span in found if not span.startswith(WRITTEN)]


def paths(text):
    """The files and folders of the repository that code spans of a text name in full."""
    return [span.split()[0] for span in spans(text) if span.split("/")[0] in TOP]


def beside(path):
    """The folders of the files, or the folders, that a path names."""
    return {found.parent if found.is_file() else found for found in ROOT.glob(path)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_exists(page):
    text = page.read_text("utf-8")
    assert [path for path in paths(text) if not beside(path)] == []
    folders = {ROOT}.union(*map(beside, paths(text)))
    bare = [span for span in spans(text) if re.fullmatch(r"\w+\.(py|csv|toml|json|md)", span)]
    assert [file for file in bare if not any((folder / file).is_file() for folder in folders)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_name_that_a_page_gives_to_a_file_stands_in_it(page, words):
    text = " ".join(page.read_text("utf-8").split())
    for names, path in re.findall(r"((?:`\w+`(?:, | and )?)+)(?: in | of | \()`([^` ]+\.py)`", text):
        if path.split("/")[0] in TOP and "NAME" not in path:
            held = set(re.findall(r"\w+", (ROOT / path).read_text("utf-8")))
            assert [name for name in spans(names) if "*" not in name and name not in held] == [], path
    assert [span for span in spans(text) if re.fullmatch(r"\w+", span) and span not in words] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_ends_with_what_tries_it(page):
    last = page.read_text("utf-8").rstrip().split("\n\n")[-1]
    assert last.startswith("Tried by `")
    assert paths(last) != []
    for path in paths(last):
        assert path != "tests/docs/test_extending.py" or f'"{page.name}"' in (ROOT / path).read_text("utf-8")
