"""HTML of the report: its templates, and Markdown of the studies as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.html.ids import with_ids
from wallsim.report.html.page import SCRIPTS, STYLES
from wallsim.report.html.page import rendered as rendered_from
from wallsim.report.tables.traced import unmarked
from wallsim.stats.intervals import LEVEL
from wallsim.studies.table_page import anchor_of

TEMPLATES = Path(__file__).with_name("templates")
FRONT_STYLE = TEMPLATES / "front.css"
_STYLES = (*STYLES, "report.css", "front.css")
_SCRIPTS = (*SCRIPTS, "pictures.js", "draft_rule.js", "draft.js", "lineups.js")
_MARKDOWN = MarkdownIt("commonmark").enable("table")
_FACTS = {"version": __version__, "engine": ENGINE_VERSION, "level": LEVEL}


def rendered(template: str, *, traced: bool = True, scripts: Sequence[str] = _SCRIPTS, **facts: Any) -> str:
    """A page from a template, with the ids of the figures that its numbers come from if they are `traced`."""
    facts = {**_FACTS, **facts}
    page = rendered_from(template, folder=TEMPLATES, styles=_STYLES, scripts=scripts, draws=bool(scripts), **facts)
    return with_ids(page) if traced else page


def as_line(markdown: str, chapters: frozenset[str] = frozenset()) -> Markup:
    """A line of Markdown, such as a title, as HTML without a paragraph around it."""
    return Markup(str(as_html(markdown, chapters)).strip().removeprefix("<p>").removesuffix("</p>"))


def as_html(markdown: str, chapters: frozenset[str] = frozenset(), page: str = "") -> Markup:
    """Markdown of a study as HTML; links to other pages lead to their chapters, or are left out if there is none.

    The chapters are on another `page` if one is named. Headings have the anchors that they have everywhere; links to
    these stay.
    """
    tokens, known = _MARKDOWN.parse(markdown), set(chapters)
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            anchor = anchor_of(unmarked(following.content))
            token.attrSet("id", anchor)
            known.add(anchor)
    for token in tokens:
        kept, leads = [], False
        for child in token.children or ():
            if child.type == "link_open":
                target = Path(str(child.attrGet("href"))).stem.removesuffix("-tables").removeprefix("#")
                leads = target in known
                child.attrSet("href", f"{page}#{target}")
            if leads or child.type not in ("link_open", "link_close"):
                kept.append(child)
        token.children = token.children and kept
    text = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    text = text.replace("<table>", '<div class="scroll" tabindex="0"><table class="sortable">')
    return Markup(text.replace("</table>", "</table></div>"))
