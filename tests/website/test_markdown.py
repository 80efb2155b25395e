"""Links, anchors, lists and numbers of Markdown are read as GitHub reads them, and links lead somewhere."""

from math import nan
from types import SimpleNamespace

import pytest
from website.links import errors_of, link_errors, markdown_files, target_of
from website.markdown import anchors, links, reading_errors, slug
from website.numbers import number_errors

from tests.refusals import assert_names
from tests.test_architecture import ROOT, tracked_files


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("B4.2 Order, and tiles", "b42-order-and-tiles"),
        ("`wallsim run --out` and flags", "wallsim-run---out-and-flags"),
        ("The *urn*, __one__ `drop_rate`", "the-urn-one-drop_rate"),
        ("See [the towers](towers.md#urn)", "see-the-towers"),
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
    'a picture ![wins](studies/wins.png "Wins")': ["studies/wins.png"],
    "a link [over two\nlines](rules.md)": ["rules.md"],
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


@pytest.fixture
def project(tmp_path):
    """A project of a README and two pages."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Game\n\n[towers](docs/towers.md#the-urn)\n", "utf-8")
    (tmp_path / "docs" / "towers.md").write_text("# Towers\n\n## The urn\n\n[game](../README.md)\n", "utf-8")
    return tmp_path


def test_no_page_of_the_project_has_a_dead_link():
    assert errors_of(ROOT) == []


def test_links_lead_to_files_that_git_keeps():
    tracked = set(tracked_files())
    tracked |= {folder for path in tracked for folder in path.parents}
    for page in markdown_files(ROOT):
        for link in links(page.read_text("utf-8")):
            named = target_of(page, link)
            assert named is None or named[0] in tracked, f"{page.name}, line {link.line}: {link.target}"


@pytest.mark.parametrize(
    ("target", "about"),
    [
        ("tower.md", "exist"), ("towers.md#vase", "anchor"), ("#vase", "anchor"), ("/docs/towers.md", "top"),
        ("../../secret.md", "outside"), ("rules.toml#3", "has none"),
    ],
)  # fmt: skip
def test_a_dead_link_is_named_with_its_line(project, target, about):
    (project / "docs" / "rules.toml").write_text("", "utf-8")
    page = project / "docs" / "more.md"
    sound = "[numba](https://numba.pydata.org/#x) [mail](mailto:nobody@example.org) [game](../README.md)"
    page.write_text(f"# More {sound}\n\n[dead]({target})\n", "utf-8")
    [error] = link_errors(page, project)
    assert_names(error, f"line 3: {target}", about)


FIGURES = {
    "worth": SimpleNamespace(value=3.14, low=2.91, high=3.37),
    "games": SimpleNamespace(value=12_000.0, low=nan, high=nan),
    "loss": SimpleNamespace(value=-7.0, low=-7.5, high=-6.5),
}


NO_ERROR = (
    "It is worth 3.14 VP, or 3.1 points.",
    "Between 2.91 and 3.37 VP.",
    "12,000 points.",
    "Known to ± 0.23 VP.",  # the half-width
    "It costs 7 VP.",  # of a negative value
    "95 % of intervals hold, 99 % of those.",  # levels
    "By B5.8, in 4 games with 3 seats.",  # rules, and what has no unit
    "The command `play --cost 5.5` and\n```\n9.99 VP\n```\n",
    "See [there](page-1.5.md).",
    "<!-- made by the study -->\n8.88 VP\n<!-- /made by the study -->\n",
)
WRONG = {
    "It is worth 3.15 VP.": "3.15", "It is worth 3.2 VP.": "3.2", "It costs 9 Thalers.": "9",
    "Known to ± 0.46 VP.": "0.46",  # the whole width
    "12,001 points.": "12,001",
    "90 % of intervals hold.": "90", "As `3.14` says, 4.25.\n\n<!-- made -->\n3.14\n<!-- /made -->\n": "4.25",
}  # fmt: skip


@pytest.mark.parametrize("text", NO_ERROR)
def test_figures_and_what_is_no_number_of_a_sentence_are_without_error(text):
    assert number_errors(text, FIGURES) == []


@pytest.mark.parametrize("text", WRONG)
def test_a_number_that_is_no_figure_is_named_with_its_place(text):
    [error] = number_errors(text, FIGURES)
    assert error.startswith(f"{WRONG[text]} is no figure")
    assert WRONG[text] in error.partition("...")[2]
