"""HTML of the report: its templates, and Markdown of the studies as HTML."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

from wallsim.report.html.page import SCRIPTS, STYLES
from wallsim.report.html.page import rendered as rendered_from

TEMPLATES = Path(__file__).with_name("templates")
rendered = partial(
    rendered_from,
    folder=TEMPLATES,
    styles=(*STYLES, "report.css"),
    scripts=(*SCRIPTS, "draft_rule.js", "draft.js", "lineups.js"),
)


def as_html(markdown: str, chapters: frozenset[str] = frozenset()) -> Markup:
    """Markdown of a study as HTML; links to other pages lead to their chapters, or are left out if there is none."""
    tokens = _markdown().parse(markdown)
    for token in tokens:
        opened: list[bool] = []
        kept = []
        for child in token.children or []:
            if child.type == "link_open":
                target = Path(str(child.attrGet("href"))).stem.removesuffix("-tables")
                opened.append(target in chapters)
                child.attrSet("href", f"#{target}")
            closing = child.type == "link_close"
            if child.type not in ("link_open", "link_close") or (opened.pop() if closing else opened[-1]):
                kept.append(child)
        if token.children is not None:
            token.children = kept
    text = _markdown().renderer.render(tokens, _markdown().options, {})
    return Markup(
        text.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    )


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")
