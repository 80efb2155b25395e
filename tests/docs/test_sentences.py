"""No page for users has a sentence over 30 words; tables, code and what studies write do not count."""

import re

import pytest

from tests.docs.pages import DOCS, README, STUDIES, name, pages, prose

MOST_WORDS = 30
WRITTEN = re.compile(r"^ *<!-- (\S+)[^>]*-->.*?^ *<!-- /\1[^>]*-->$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"\s*(?:[-*]|(\d+)\.) +")
END = re.compile(r"""(?<=[.!?])[)*”"]*\s+(?=[*“"(\[]*(?:[A-Z0-9]|wallsim|CODE))""")
TABLES = {DOCS / "studies" / f"{study}-tables.md" for study in STUDIES}
FOR_USERS = [page for page in pages() if page.parent in (README.parent, DOCS, DOCS / "studies") and page not in TABLES]


def sentences(text: str) -> list[str]:
    """The sentences of a text in Markdown without fenced code.

    A heading, a paragraph and each entry of a list end a sentence; a colon or a semicolon does not. Tables, addresses
    of links, comments, and blocks between marks do not count. A code span is one word.
    """
    text = re.sub(r"<!--.*?-->", "", WRITTEN.sub("", re.sub(r"`[^`]+`", "CODE", text)), flags=re.DOTALL)
    found: list[list[str]] = [[]]
    number = 0  # of the last entry; a line that begins with another number goes on with a sentence
    for line in LINK.sub(r"\1", text).splitlines():
        entry = ITEM.match(line)
        if entry and entry[1]:
            number, entry = (int(entry[1]), entry) if int(entry[1]) in (1, number + 1) else (number, None)
        if not line.strip() or entry or line.startswith(("#", "|", "[")) or found[-1][:1] == ["#"]:
            found.append([])
        if not line.startswith("|") and not re.match(r"\[[\w.]+\]: ", line):
            found[-1].append("#" if line.startswith("#") else line[entry.end() :] if entry else line)
    return [sentence for block in found for sentence in END.split(" ".join(block)) if sentence.strip(" #")]


def words(sentence: str) -> int:
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def test_a_sentence_ends_with_its_entry_and_code_is_one_word():
    text = "# Title\nOne `a b c` [two three](x y.md)\nfour. wallsim ends\n- an entry:\n- more; on\n\n| no | table |\n"
    left_out = "<!-- finding of x -->\nNot this.\n<!-- /finding -->\n[A1]: #a1\n[A2]: #a2\n"
    assert [words(each) for each in sentences(text)] == [5, 2, 2, 2]
    assert sentences(left_out) == []


@pytest.mark.parametrize("page", FOR_USERS, ids=name)
def test_no_sentence_is_long(page):
    long = {sentence: words(sentence) for sentence in sentences(prose(page)) if words(sentence) > MOST_WORDS}
    assert long == {}
