"""Words of figures as a template for each quantity, such as "wins of {item}", and the labels of items that fill it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from wallsim.studies.item_columns import Head, patterns_for
from wallsim.studies.item_labels import as_words, beginning, labels_for, size_of

WHERE = ("play", "tower", "setup", "moment")  # what a template may name beside {item} and {about}
_MARKS = {name: f"{{{name}}}" for name in (*WHERE, "item", "about")}
_ABOUT = ": "  # before what only the result says
_FEW = 4  # figures for each text of {about}, at least


class Row(NamedTuple):
    """A figure: its words, the parts of its id, and its play, tower, set-up and moment by name."""

    words: str
    head: Head
    where: Mapping[str, str]


class Template(NamedTuple):
    """The template of a quantity's words, the labels of its items, and what {about} stands for."""

    text: str
    labels: Mapping[str, str]
    about: Mapping[Head, str]


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template with the values of what it names."""
    for name, mark in _MARKS.items() if "{" in template else ():
        if mark in template:
            template = template.replace(mark, values.get(name, mark))
    return template


def template_of(rows: Sequence[Row], known: Mapping[str, str], quantity: str) -> Template:
    """The template with which the words of most rows take the fewest characters of a file.

    `known` are labels of other quantities, which cost nothing.
    """
    texts = [row.words for row in rows]
    for name in WHERE:
        found = [_replaced(text, row.where[name], name) for text, row in zip(texts, rows, strict=True)]
        if len({row.where[name] for row in rows}) > 1 and all(map(str.__ne__, found, texts)):
            texts = found
    choices = [
        Template(template, _labels(template, rows, about), about)
        for about, heads, end in _abouts(rows, texts) for template in _templates(heads, rows, end)
    ]  # fmt: skip
    return min(choices, key=lambda choice: _size(choice, rows, known, quantity))


def _abouts(rows: Sequence[Row], texts: Sequence[str]) -> Iterator[tuple[Mapping[Head, str], Sequence[str], str]]:
    # What {about} stands for, what stands before it, and the end of the template: nothing, what follows the last colon,
    # or what follows the words that all figures of an item begin with.
    yield {}, texts, ""
    by_item: dict[str, list[str]] = {}
    for row, text in zip(rows, texts, strict=True):
        by_item.setdefault(row.head.item, []).append(text)
    shared = {item: beginning(each) if len({*each}) > 1 else each[0] for item, each in by_item.items()}
    for end, heads in (
        (_ABOUT, [text.rpartition(_ABOUT)[0] for text in texts]), ("", [shared[row.head.item] for row in rows])
    ):  # fmt: skip
        abouts = [text[len(head) + len(end) :] for text, head in zip(texts, heads, strict=True)]
        if all(heads) and 1 < len({*abouts}) <= len(rows) / _FEW:
            yield dict(zip((row.head for row in rows), abouts, strict=True)), heads, f"{end}{{about}}"


def _templates(texts: Sequence[str], rows: Sequence[Row], end: str) -> Iterator[str]:
    guesses = (as_words(row.head.item).sub("{item}", text, count=1) for text, row in zip(texts, rows, strict=True))
    begin = beginning(texts)
    last = beginning([text[len(begin) :][::-1] for text in texts])[::-1]
    for template in dict.fromkeys((Counter(guesses).most_common(1)[0][0], f"{begin}{{item}}{last}", "{item}")):
        yield template + end


def _labels(template: str, rows: Sequence[Row], about: Mapping[Head, str]) -> dict[str, str]:
    begin, item, end = template.partition("{item}")
    found: dict[str, Counter[str]] = {}
    for words, head, where in rows if item else ():
        values = {**where, "about": about.get(head, "")}
        first, last = filled(begin, values), filled(end, values)
        if words.startswith(first) and words.endswith(last) and len(words) > len(first) + len(last):
            found.setdefault(head.item, Counter())[words[len(first) : len(words) - len(last)]] += 1
    return {name: labels.most_common(1)[0][0] for name, labels in found.items()}


def _size(template: Template, rows: Sequence[Row], known: Mapping[str, str], quantity: str) -> int:
    size = size_of(labels_for(template.labels, known, quantity))
    size += size_of(patterns_for(template.about.items(), ""))
    for words, head, where in rows:
        values = {**where, "item": template.labels.get(head.item, ""), "about": template.about.get(head, "")}
        size += 0 if filled(template.text, values) == words else len(words)
    return size


def _replaced(words: str, text: str, name: str) -> str:
    # The first place where the text stands as words of its own.
    return re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", f"{{{name}}}", words, count=1) if text else words
