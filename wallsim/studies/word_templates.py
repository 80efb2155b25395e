"""Words of figures as a template for each quantity, such as "wins of {item}", and the labels of items that fill it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

WHERE = ("play", "tower", "setup", "moment")  # what a template may name beside {item}
_MARKS = {name: f"{{{name}}}" for name in (*WHERE, "item")}
Row = tuple[str, str, Mapping[str, str]]  # words, the item of the id, and play, tower, set-up and moment by name


def plain(item: str) -> str:
    """The label of an item that has no other: spaces for hyphens, and a minus at the beginning."""
    return re.sub("^-", "−", item).replace("-", " ")


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template with the values of what it names."""
    for name, mark in _MARKS.items() if "{" in template else ():
        if mark in template:
            template = template.replace(mark, values.get(name, mark))
    return template


def template_of(rows: Sequence[Row], known: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The template of a quantity, and the labels of its items, with which it gives back the words of most rows.

    `known` are labels of other quantities, which are taken where they fit.
    """
    texts = [words for words, _, _ in rows]
    for name in WHERE:
        found = [_replaced(text, where[name], name) for text, (_, _, where) in zip(texts, rows, strict=True)]
        if len({where[name] for _, _, where in rows}) > 1 and all(map(str.__ne__, found, texts)):
            texts = found
    labels = [known.get(item) or plain(item) for _, item, _ in rows]
    guesses = (_replaced(text, label, "item") for text, label in zip(texts, labels, strict=True))
    begin = _beginning(texts)
    end = _beginning([text[len(begin) :][::-1] for text in texts])[::-1]
    templates = (Counter(guesses).most_common(1)[0][0], f"{begin}{{item}}{end}")
    choices = [(template, _labels(template, rows)) for template in templates]
    return max(choices, key=lambda choice: _count(choice[0], choice[1], rows))


def _labels(template: str, rows: Sequence[Row]) -> dict[str, str]:
    begin, item, end = template.partition("{item}")
    found: dict[str, Counter[str]] = {}
    for words, name, where in rows if item else ():
        first, last = filled(begin, where), filled(end, where)
        if words.startswith(first) and words.endswith(last) and len(words) >= len(first) + len(last):
            found.setdefault(name, Counter())[words[len(first) : len(words) - len(last)]] += 1
    return {name: labels.most_common(1)[0][0] for name, labels in found.items()}


def _count(template: str, labels: Mapping[str, str], rows: Sequence[Row]) -> int:
    return sum(filled(template, {**where, "item": labels.get(item, "")}) == words for words, item, where in rows)


def _replaced(words: str, text: str, name: str) -> str:
    # The first place where the text stands as words of its own.
    return re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", f"{{{name}}}", words, count=1) if text else words


def _beginning(texts: Sequence[str]) -> str:
    # What all texts begin with, without a part of a word.
    first, last = min(texts), max(texts)
    end = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return re.sub(r"\w*\Z", "", first[:end])
