"""Tables in Markdown have a line per row, and cells that cannot break out of their column."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some
from markdown_it import MarkdownIt

from wallsim.markdown import code, literal, markdown_table, paragraph

READER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
TEXTS = some.text(some.sampled_from("\\`*_[]<>(){}|&#;~!-+=.)1: ab/\n\x1b\u202e\"'"), max_size=30)
HOSTILE = "<script>alert(1)</script>|[x](javascript:1)"
HARMLESS = {"p", "code", "table", "thead", "tbody", "tr", "th", "td"}


def test_a_table_has_a_line_of_headings_a_rule_and_a_line_per_row():
    assert markdown_table(("a", "b"), [("1", "2"), ("3", "4 | 5")]) == (
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 \\| 5 |"
    )
    assert markdown_table(("a",), iter([])) == "| a |\n| --- |"


def test_a_row_with_a_cell_too_few_is_refused():
    with pytest.raises(ValueError, match="each needs 2 cells"):
        markdown_table(("a", "b"), [("1", "2"), ("3",)])


def read(markdown):
    """What a reader of Markdown makes of a text: its HTML without the tags, and the names of these."""
    html = READER.render(markdown)
    words = re.sub(r"<[^>]*>", "", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        words = words.replace(entity, character)
    return words, {tag.strip("/").split()[0] for tag in re.findall(r"<([^>]*)>", html)}


@pytest.mark.parametrize("text", [
    HOSTILE, "**a** _b_ ~~c~~ \\*d", "&lt;b&gt; &#60;i> &amp;", "![a](b) [c]: d", "<a@b.c> <http://x>", "a_b_c __d__",
    "`<b>` stays a span", "`a|b` <b>", "``<b>`` ` <i>", "`a``<b>`", "a `\\` b `", "{: onclick=x}",
])  # fmt: skip
def test_a_text_is_shown_literally_but_for_its_code_spans(text):
    for shown in (literal(text), paragraph(text)):
        words, tags = read(shown)
        assert re.sub(r"[`\s]", "", words) == re.sub(r"[`\s]", "", text)
        assert tags <= {"p", "code"}
    words, tags = read(markdown_table(("a", "b"), [(literal(text), "other")]))
    assert tags <= HARMLESS
    assert words.split()[-1] == "other"


@pytest.mark.parametrize("text", ["# a", "- a", "+ a", "* a", "> a", "1. a", "12) a", "---", "===", "| a |", "    a",
                                  "~~~", "```", "\ta", "-"])  # fmt: skip
def test_a_paragraph_is_no_heading_list_quotation_table_or_block_of_code(text):
    assert read(f"before\n\n{paragraph(text)}\n\nafter") == (f"before\n{text.strip()}\nafter\n", {"p"})


@given(TEXTS)
def test_no_text_becomes_markup(text):
    for shown in (paragraph(text), f"- {paragraph(text)}\n- b", f"a {code(text)} b", f"# {code(text)}"):
        assert read(shown)[1] <= {"p", "code", "ul", "li", "h1"}
    table = READER.render(markdown_table(("a", code(text)), [(literal(text), "x"), (code(text), literal(text))]))
    assert (table.count("<tr>"), table.count("<th>"), table.count("<td>")) == (3, 2, 4)
    assert set(re.findall(r"<(\w+)", table)) <= HARMLESS


@given(TEXTS)
def test_no_text_brings_a_control_character_or_a_new_line(text):
    for shown in (literal(text), paragraph(text), code(text)):
        assert not re.search("[\n\x1b\u202e]", shown)


def test_a_name_is_a_code_span_unless_it_has_a_character_that_cannot_stand_in_one():
    assert code("tuned-4p") == "`tuned-4p`"
    assert code("a <b> _c_ [d]") == "`a <b> _c_ [d]`"
    assert code("a|b") == "`a|b`"
    assert code("a`b") == "a\\`b"
    assert code(f"{HOSTILE}`") == "\\<script\\>alert(1)\\</script\\>|\\[x\\](javascript:1)\\`"
    assert code("a\x1bb") == "a\\\\x1bb"


def test_texts_of_shipped_files_stay_as_they_are():
    for text in ("`balanced` with errors: misjudges", "2 × 3 = 6 (a_b), 50 %; see x/y.toml!", "Emil & Co, ~/a"):
        assert literal(text) == paragraph(text) == text or text.startswith("2")
