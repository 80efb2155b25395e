"""HTML of the report: Markdown of the studies as HTML, templates, and the policy that keeps a page offline."""

from __future__ import annotations

import base64
import hashlib
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from wallsim.report.tables.estimates import number

TEMPLATES = Path(__file__).with_name("templates")


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


def rendered(template: str, **facts: Any) -> str:
    """A page, with its style and script in it and a policy that allows these two alone."""
    style, script = (_asset(name) for name in ("style.css", "report.js"))
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    return _environment().get_template(template).render(
        style=Markup(style), script=Markup(script), policy=policy, **facts
    )  # fmt: skip


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["signed"] = partial(number, sign="+")
    return made


@cache
def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
