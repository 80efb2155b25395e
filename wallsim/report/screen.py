"""The console of all tables and progress, which prints control characters as escapes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from wallsim.escaping import escaped


class Screen(Console):
    """A console that prints paths, names and numbers unchanged, including brackets and colons.

    Only characters that act on a terminal become escapes: in texts before they are laid out, so that they have room,
    and in everything else when it is drawn. What the console itself sends to move or to colour is left alone.
    """

    def __init__(self, **settings: Any) -> None:
        """`settings` are those of rich."""
        super().__init__(**{"highlight": False, "markup": False, "emoji": False, **settings})

    def render_str(self, text: str, **looks: Any) -> Text:
        """A string as rich text."""
        return super().render_str(escaped(text), **looks)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces of text of anything that can be drawn."""
        if isinstance(renderable, Text) and escaped(renderable.plain) != renderable.plain:
            renderable = renderable.blank_copy(escaped(renderable.plain))  # before lines are made of it
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escaped(segment.text))
