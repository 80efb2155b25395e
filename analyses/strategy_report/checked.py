"""Checking the texts of the report against the register."""

from __future__ import annotations

from pathlib import Path

from .chapters import GROUPS, results
from .sentences import Known
from .texts import HEADLINE, TAKEAWAYS, read_texts, text_errors


def report_errors(folder: Path | None = None, known: Known | None = None) -> list[str]:
    """What is wrong in the texts of the report, one line each: FILE:LINE:COLUMN: what. Those of a folder if given.

    They may speak of what is `known`, by default of all published studies.
    """
    texts = read_texts(folder)
    missing = [f"docs/report/{name}.md: is missing" for name in (HEADLINE, TAKEAWAYS, *GROUPS) if name not in texts]
    unread = [f"docs/report/{name}.md: is the text of no group" for name in texts if name not in _names()]
    return [*missing, *unread, *text_errors(texts, known or Known(results()))]


def _names() -> tuple[str, ...]:
    return (HEADLINE, TAKEAWAYS, *GROUPS)
