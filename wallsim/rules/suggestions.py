"""Which known word somebody may have meant who wrote another."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 60  # characters of a word that is worth comparing


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """`; did you mean balanced?` to stand at the end of a refusal, or nothing if no known word is close."""
    if not isinstance(word, str) or len(word) > _LONGEST:
        return ""
    lower = {name.lower(): name for name in known}
    plain = word.strip().lower()
    for spelling in dict.fromkeys((plain.replace("-", "_"), plain)):
        if close := get_close_matches(spelling, lower, n=1, cutoff=0.7):
            return f"; did you mean {lower[close[0]]}?"
    return ""
