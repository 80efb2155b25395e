"""HTML of the report: its templates, and Markdown of the studies as HTML."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from wallsim.report.html.ids import with_ids
from wallsim.report.html.page import SCRIPTS, STYLES
from wallsim.report.html.page import rendered as rendered_from
from wallsim.report.tables.traced import unmarked
from wallsim.studies.table_page import anchor_of

TEMPLATES = Path(__file__).with_name("templates")
_STYLES = (*STYLES, "report.css")
_SCRIPTS = (*SCRIPTS, "pictures.js", "draft_rule.js", "draft.js", "lineups.js")


def rendered(template: str, *, traced: bool = True, **facts: Any) -> str:
    """A page from a template, with the ids of the figures that its numbers come from if they are `traced`."""
    page = rendered_from(template, folder=TEMPLATES, styles=_STYLES, scripts=_SCRIPTS, draws=True, **facts)
    return with_ids(page) if traced else page


def as_line(markdown: str, chapters: frozenset[str] = frozenset()) -> Markup:
    """A line of Markdown, such as a title, as HTML without a paragraph around it."""
    text = str(as_html(markdown, chapters)).strip()
    return Markup(text.removeprefix("<p>").removesuffix("</p>"))


def as_html(markdown: str, chapters: frozenset[str] = frozenset()) -> Markup:
    """Markdown of a study as HTML; links to other pages lead to their chapters, or are left out if there is none.

    Headings have the anchors that they have everywhere, and links to these stay.
    """
    tokens = _markdown().parse(markdown)
    headings = [following.content for token, following in pairwise(tokens) if token.type == "heading_open"]
    anchors = [anchor_of(unmarked(heading)) for heading in headings]
    for token, anchor in zip((each for each in tokens if each.type == "heading_open"), anchors, strict=True):
        token.attrSet("id", anchor)
    for token in tokens:
        opened: list[bool] = []
        kept = []
        for child in token.children or []:
            if child.type == "link_open":
                target = Path(str(child.attrGet("href"))).stem.removesuffix("-tables").removeprefix("#")
                opened.append(target in chapters or target in anchors)
                child.attrSet("href", f"#{target}")
            closing = child.type == "link_close"
            if child.type not in ("link_open", "link_close") or (opened.pop() if closing else opened[-1]):
                kept.append(child)
        if token.children is not None:
            token.children = kept
    text = _markdown().renderer.render(tokens, _markdown().options, {})
    return Markup(
        text.replace("<table>", '<div class="scroll" tabindex="0"><table class="sortable">').replace(
            "</table>", "</table></div>"
        )
    )


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")
