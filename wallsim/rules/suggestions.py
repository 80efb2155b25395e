"""Which known word somebody may have meant who wrote another."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

_LONGEST, _MOST_KNOWN = 60, 200  # characters of a word, and known words, that are worth comparing


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """`; did you mean balanced?` to stand at the end of a refusal, or nothing if no known word is close."""
    if not isinstance(word, str) or len(word) > _LONGEST:
        return ""
    lower = {name.lower(): name for name in islice(known, _MOST_KNOWN)}
    plain = word.strip().lower()
    for spelling in dict.fromkeys((plain.replace("-", "_"), plain)):
        if close := get_close_matches(spelling, lower, n=1, cutoff=0.7):
            return f"; did you mean {lower[close[0]]}?"
    return ""
