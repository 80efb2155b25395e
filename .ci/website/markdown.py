"""Reads Markdown: its links, its anchors, and what GitHub and the site would render differently."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"^\s*(```+|~~~+)")
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:[^\n]|\n(?!\s*\n))*?)(?<!`)\1(?!`)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
TARGET = r"\(\s*<?((?:[^()\s>]|\([^()\s]*\))*)"  # (target, (target "title" or (<target>; brackets inside are allowed
INLINE_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]" + TARGET)
PICTURE = re.compile(r"!\[[^\[\]]*\]" + TARGET)  # once more alone, as it may stand inside a link's text
DEFINITION = re.compile(r"^ {0,3}\[([^\[\]^]+)\]:\s*<?([^\s>]+)", re.MULTILINE)
REFERENCE = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
HTML_TARGET = re.compile(r"<(?:a|img|source)\b[^>]*?\s(?:href|src|srcset)=[\"']([^\"']*)[\"']", re.IGNORECASE)
HTML_ANCHOR = re.compile(r"<\w+\b[^>]*?\s(?:id|name)=[\"']([^\"']+)[\"']", re.IGNORECASE)
LIST_ITEM = re.compile(r"^ *(?:[-*+]|1[.)])[ \t]+\S")  # a list with another number cannot start inside a paragraph
INDENT = 4  # of what belongs to an item of a list: GitHub takes two or three blanks as well, the site does not


@dataclass(frozen=True)
class Link:
    """One link or picture: the line it stands on (from 1) and its target as written."""

    line: int
    target: str


def without_code(text: str, spans: bool = True) -> str:
    """The text with fenced code and comments made blank, and code spans too if `spans`; lines keep their numbers."""
    lines, fence = [], ""
    for line in COMMENT.sub(_blank, text).splitlines():
        mark = FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and line.strip() == mark.group(1):
                fence = ""
            lines.append("")
        elif mark:
            fence = mark.group(1)
            lines.append("")
        else:
            lines.append(line)
    prose = "\n".join(lines)
    return CODE_SPAN.sub(_blank, prose) if spans else prose


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def slug(heading: str) -> str:
    """The anchor that GitHub and the site give to the Markdown of a heading."""
    plain = re.sub(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])", r"\1", heading)
    plain = re.sub(r"<[^>]+>", "", plain)
    pieces = re.split(r"(`+.*?`+)", plain)  # underscores are emphasis outside code only
    plain = "".join(p if p.startswith("`") else re.sub(r"(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)", "", p) for p in pieces)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    """Everything that `#...` may name in a page: headings, the second of a name as `name-1`, and explicit ids."""
    seen: dict[str, int] = {}
    for line in without_code(text, spans=False).splitlines():
        heading = HEADING.match(line)
        if heading:
            name = slug(heading.group(1))
            seen[name] = seen.get(name, -1) + 1
    numbered = {f"{name}-{number}" for name, last in seen.items() for number in range(1, last + 1)}
    return set(seen) | numbered | set(HTML_ANCHOR.findall(without_code(text)))


def links(text: str) -> list[Link]:
    """Every link and picture of a page by line; a reference that is never defined has the target `[its name]`."""
    prose = without_code(text)
    defined = {name.lower() for name, _ in DEFINITION.findall(prose)}
    found = {
        Link(prose.count("\n", 0, match.start(match.lastindex or 0)) + 1, match.group(match.lastindex or 0))
        for pattern in (INLINE_LINK, PICTURE, DEFINITION, HTML_TARGET)
        for match in pattern.finditer(prose)
    }
    for match in REFERENCE.finditer(prose):
        name = match.group(2) or match.group(1)
        if name.lower() not in defined:
            found.add(Link(prose.count("\n", 0, match.start()) + 1, f"[{name}]"))
    return sorted(found, key=lambda link: (link.line, link.target))


def reading_errors(text: str) -> list[tuple[int, str]]:
    """(line, error) of lists that GitHub renders as lists and the site as something else."""
    errors = []
    for first, block in _blocks(without_code(text, spans=False)):
        items = [place for place, line in enumerate(block) if LIST_ITEM.match(line)]
        if items and items[0] > 0:
            errors.append((first + items[0], "put a blank line before the list"))
        for place in {0, *items}:
            if 0 < len(block[place]) - len(block[place].lstrip(" ")) < INDENT:
                errors.append((first + place, f"indent it by {INDENT} blanks, or not at all"))
    return sorted(errors)


def _blocks(prose: str) -> Iterator[tuple[int, list[str]]]:
    """(number of the first line, lines) of what blank lines and headings separate."""
    block: list[str] = []
    for number, line in enumerate([*prose.splitlines(), ""], start=1):
        if line.strip() and not HEADING.match(line):
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
