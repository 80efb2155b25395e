"""Links, anchors and lists are read from Markdown as GitHub reads them."""

import pytest
from website.markdown import anchors, links, reading_errors, slug


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("B4.2 Order, and tiles", "b42-order-and-tiles"),
        ("`wallsim run --out` and flags", "wallsim-run---out-and-flags"),
        ("The *urn*, __one__ `drop_rate`", "the-urn-one-drop_rate"),
        ("Österreich – Bayern", "österreich--bayern"),
        ('<a id="b1"></a>B1 Set-up', "b1-set-up"),
    ],
)
def test_a_heading_has_the_anchor_that_github_gives_it(heading, anchor):
    assert slug(heading) == anchor


def test_anchors_are_headings_and_explicit_ids_and_repeated_headings_are_numbered():
    text = '# Towers\n\n## Numbers\n\n<a id="b4-2"></a>\n**B4.2**\n\n## Numbers ##\n\n```\n# no heading\n```\n'
    assert anchors(text) == {"towers", "numbers", "numbers-1", "b4-2"}


LINKS = {
    "see [towers](towers.md#urn) and [results](<results.md>)": ["results.md", "towers.md#urn"],
    "[![badge](badge.svg)](speed.md)": ["badge.svg", "speed.md"],
    "[trust][t] and [t]\n\n[t]: trust.md": ["trust.md"],
    '<img alt="map" src="map.png"> <a href="rules.md">rules</a>': ["map.png", "rules.md"],
    "[trust][t]": ["[t]"],
    "[a page](a_(game).md)": ["a_(game).md"],
    "`[code](code.md)` and ``[more `code`](more.md)``": [],
    "<!-- [hidden](hidden.md) -->": [],
    "~~~\n[fenced](fenced.md)\n```\n[still](still.md)\n~~~\n": [],
}


@pytest.mark.parametrize("text", LINKS)
def test_links_and_pictures_are_found_with_their_lines_and_code_is_not_read(text):
    assert [link.target for link in links(text)] == LINKS[text]
    assert [link.line for link in links("# A\n\nsee [over two\nlines](rules.md)\n")] == [4]


ALIKE = (
    "- one\n- two\n    - below\n\n    more of two\n", "# Heading\n- one\n",
    "a number in a sentence, of the year\n2026. No list.\n", "```\ntext\n- no list\n```\n",
    "1. one\n   goes on\n2. two\n",
)  # fmt: skip
OTHERWISE = {
    "text\n- one\n": (2, "blank line"), "- one\n  - below\n": (2, "4 blanks"),
    "- one\n\n  more of one\n": (3, "4 blanks"), "- at least min(14, c\n  + 8) of them\n": (2, "4 blanks"),
}  # fmt: skip


@pytest.mark.parametrize("text", ALIKE)
def test_lists_that_read_alike_everywhere_are_no_error(text):
    assert reading_errors(text) == []


@pytest.mark.parametrize("text", OTHERWISE)
def test_lists_that_the_site_renders_otherwise_are_errors(text):
    [(line, error)] = reading_errors(text)
    assert line == OTHERWISE[text][0]
    assert OTHERWISE[text][1] in error
