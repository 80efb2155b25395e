"""Elements with the ids of figures, in place of the marks that traced numbers leave in texts."""

from __future__ import annotations

import re
from html import escape

from wallsim.report.tables.traced import MARKED, Source, joined, source_of, unmarked

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
