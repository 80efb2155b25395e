"""What event cards are called in texts: the words of a card's name."""

from __future__ import annotations

import re

_LIMIT = re.compile(r"(tax|grain)_(max|min)_(\d+)")
_YIELDS, _ENDS = {"tax": "taxes", "grain": "grain"}, {"max": "at most", "min": "at least"}


def event_words(card: str) -> str:
    """A card in words: `taxes of at most 5`, `church peace 3`, whose number is the grain that it takes in winter."""
    limit = _LIMIT.fullmatch(card)
    if limit is None:
        return card.replace("_", " ")
    what, end, amount = limit.groups()
    return f"{_YIELDS[what]} of {_ENDS[end]} {amount}"
