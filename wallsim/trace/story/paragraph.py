"""A paragraph of a story with the line of the trace that it tells."""

from __future__ import annotations

from wallsim.trace.story.replayed_state import Line


class Paragraph(str):
    """A paragraph that tells a line of the trace; one without a line belongs to the paragraph before it."""

    line: Line

    def __new__(cls, line: Line, text: str) -> Paragraph:
        """The text, with its line."""
        made = super().__new__(cls, text)
        made.line = line
        return made
