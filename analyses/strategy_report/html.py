"""HTML of the report: its templates, and Markdown of the studies as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.html.page import SCRIPTS, STYLES
from wallsim.report.html.page import rendered as rendered_from
from wallsim.report.tables.traced import MARKED, Source, joined, source_of, unmarked
from wallsim.stats.intervals import LEVEL
from wallsim.studies.published import published_studies
from wallsim.studies.register import register_file
from wallsim.studies.shared_files import read_played
from wallsim.studies.table_page import anchor_of

TEMPLATES = Path(__file__).with_name("templates")
FRONT_STYLE = TEMPLATES / "front.css"
_STYLES = (*STYLES, "report.css", "front.css")
_SCRIPTS = (*SCRIPTS, "pictures.js", "draft_rule.js", "draft.js", "lineups.js")
_MARKDOWN = MarkdownIt("commonmark").enable("table")


def engine_words() -> str:
    """The engine version of today, and the earliest from which published figures were carried over to it, in words."""
    played = {read_played(study, register_file(study).parent)["engine"] for study in published_studies()} - {
        ENGINE_VERSION
    }
    earlier = f", with figures carried over from version {min(played)} or later" if played else ""
    return f"engine version {ENGINE_VERSION}{earlier}"


def rendered(template: str, *, traced: bool = True, scripts: Sequence[str] = _SCRIPTS, **facts: Any) -> str:
    """A page from a template, with the ids of the figures that its numbers come from if they are `traced`."""
    facts = {"version": __version__, "engine": engine_words(), "level": LEVEL, **facts}
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


ANCHOR = "figure-"  # begins the anchor of a figure in a page; its id follows
# An element whose content is text alone, a tag, or a marked number.
_PARTS = re.compile(
    r"<(script|style|title|option|noscript)\b.*?</\1>|<(/?)(svg)\b[^>]*>|<[^>]*>|" + MARKED.pattern, re.DOTALL
)
_LINK = re.compile(rf' href="#{ANCHOR}([^"]+)"')


def with_ids(page: str) -> str:
    """A page in which every marked number is an element with `data-id`: the ids of its figures, in their order.

    Text gets `<data>` with the number that is written as its value and the unit of the register, pictures `<tspan>`,
    and words that a verdict decides `<span>` with `data-claim`. Attributes, titles and options cannot hold elements:
    their marks are left out. The first element of a figure to which a link of the page leads, `#figure-ID`, is its
    anchor; a link without one leads nowhere.
    """
    page = joined(page)
    wanted = set(_LINK.findall(page))
    inside, pieces, last = False, [], 0
    anchors: set[str] = set()
    for found in _PARTS.finditer(page):
        pieces.append(page[last : found.start()])
        last = found.end()
        if found[4] is None:
            inside = found[2] == "" if found[3] else inside
            pieces.append(unmarked(found[0]))
            continue
        if (source := source_of(found[4])) is None:  # a character that somebody has in a name
            pieces.append(found[0])
            continue
        key = " ".join(source.ids)
        anchor = key if key in wanted and key not in anchors else None
        anchors |= {key} if anchor else set()
        pieces.append(_element(source, found[5], anchor, picture=inside))
    text = "".join([*pieces, unmarked(page[last:])])
    return _LINK.sub(lambda link: link[0] if link[1] in anchors else "", text)


def _element(source: Source, text: str, anchor: str | None, *, picture: bool) -> str:
    ids, place = " ".join(source.ids), f' id="{ANCHOR}{anchor}"' if anchor else ""
    if source.value is None:
        return f'<span{place} data-claim="{ids}">{text}</span>'
    if picture:
        return f'<tspan{place} data-id="{ids}">{text}</tspan>'
    unit = f' data-unit="{escape(source.unit)}"' if source.unit else ""
    return f'<data{place} value="{source.value:.10g}" data-id="{ids}"{unit}>{text}</data>'
