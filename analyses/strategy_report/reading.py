"""The texts that people write, as the parts of the first page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from wallsim.errors import InputError

from .html import as_html, as_line
from .sentences import Known, written
from .texts import HEADLINE, TAKEAWAYS, Text, parted, read_texts


class Section(NamedTuple):
    """A title and what stands below it."""

    title: Markup
    body: Markup


class Reading(NamedTuple):
    """The headline, the takeaways, and the opening of every group of chapters."""

    headline: Section
    takeaways: list[Section]
    groups: dict[str, Section]


def reading(known: Known, groups: Mapping[str, object], texts: Mapping[str, str] | None = None) -> Reading:
    """The texts of the report with their numbers and verdicts. InputError for one that is missing or has no words.

    `groups` are the names of the groups of chapters; links lead to the chapters of the studies that are known.
    """
    texts = read_texts() if texts is None else texts
    found: dict[str, Text] = {}
    for name in (HEADLINE, TAKEAWAYS, *groups):
        if name not in texts:
            raise InputError(f"docs/report/{name}.md: is missing")
        try:
            found[name] = parted(written(texts[name], known))
        except InputError as error:
            raise InputError(f"docs/report/{name}.md:{error}") from None
    chapters = frozenset(known.studies)

    def section(title: str, body: str) -> Section:
        return Section(as_line(title, chapters), as_html(body, chapters))

    return Reading(
        section(found[HEADLINE].title, found[HEADLINE].opening),
        [section(*part) for part in found[TAKEAWAYS].parts],
        {name: section(found[name].title, found[name].opening) for name in groups},
    )
