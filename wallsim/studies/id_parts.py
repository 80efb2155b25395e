"""What follows from parts of ids: columns, such as the unit from an outcome's name, and the labels of items.

A pattern is an item, its beginning ("A-*"), its end ("*-wins"), the place with any number of players ("*/strong/mid"),
or a number of players and the place ("4p/strong/mid"; "4p" where ids name no place).

The label of `A-palace-pass` is "pass on palace, line-up A" if there are labels of `A-*`, "{rest}, line-up A", and of
`palace-*`, "{rest} on palace": {rest} stands for the label of what follows the beginning.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple


class Head(NamedTuple):
    """The parts of an id after the quantity: the number of players, the item, and the place with the moment."""

    players: int
    item: str
    place: str


def patterns_of(head: Head) -> Iterator[str]:
    """The patterns that fit."""
    hyphens = [found.start() for found in re.finditer("-", head.item)]
    yield head.item
    yield from (f"{head.item[:at]}-*" for at in hyphens)
    yield from (f"*{head.item[at:]}" for at in hyphens)
    yield f"{head.players}p{head.place}"
    if head.place:
        yield f"{head.players}p/*"
        yield f"*{head.place}"


def found_by(patterns: Mapping[str, str], head: Head) -> str | None:
    """The value of the first pattern that fits, if any does."""
    return next((patterns[each] for each in patterns_of(head) if each in patterns), None)


def patterns_for(values: Iterable[tuple[Head, str]], otherwise: str, *, narrow: bool = False) -> dict[str, str]:
    """Patterns that give heads their values; heads with several values, or with `otherwise`, fit none.

    With `narrow` none at all if they would take more room than the values.
    """
    said: dict[Head, list[str]] = defaultdict(list)
    fitting: dict[str, dict[Head, None]] = defaultdict(dict)
    for head, value in values:
        said[head].append(value)
        for pattern in patterns_of(head):
            fitting[pattern][head] = None
    found: dict[str, str] = {}
    left = {head: len("".join(each)) for head, each in said.items() if {*each} != {otherwise}}
    saved = 0
    for pattern, heads in sorted(fitting.items(), key=lambda each: (-len(each[1]), len(each[0]), each[0])):
        known = {value for head in heads for value in said[head]}
        if len(known) == 1 and any(head in left for head in heads):
            found[pattern] = known.pop()
            saved += sum(left.pop(head, 0) for head in heads) - len(pattern)
    return found if saved > 0 or not narrow else {}


NONE: Mapping[str, str] = MappingProxyType({})
REST, ANY = "{rest}", "-*"
_ENTRY = 7  # characters of an entry of a file beside its name and text
_FEWEST = 2  # items for which a beginning gets a label


def plain(item: str) -> str:
    """The label of an item that has no other: spaces for hyphens, and a minus at the beginning."""
    return f"{'−' if item.startswith('-') else ''}{item.removeprefix('-')}".replace("-", " ")


def label_of(item: str, labels: Mapping[str, str], quantity: str, own: Mapping[str, str] = NONE) -> str:
    """The label of an item: its own, or by the longest beginning that has one, or the plain one.

    Those of QUANTITY.ITEM come before all others, and `own` before both.
    """
    names = [(item, ""), *((begin + ANY, rest) for begin, rest in reversed([*_parted(item)]))]
    for whose, texts in (("", own), (f"{quantity}.", labels), ("", labels)):
        for name, rest in names:
            if text := texts.get(whose + name):
                return text.replace(REST, label_of(rest, labels, quantity, own)) if rest else text
    return plain(item)


def size_of(labels: Mapping[str, str]) -> int:
    """How many characters labels take in a file."""
    return sum(len(name) + len(text) + _ENTRY for name, text in labels.items())


def labels_for(texts: Mapping[str, str], known: Mapping[str, str], quantity: str) -> dict[str, str]:
    """Labels, as few as are found, that give these texts of a quantity's items beside labels that are known."""
    missing = {item: text for item, text in texts.items() if label_of(item, known, quantity) != text}
    inner: dict[str, str] = {}
    for item, text in missing.items():
        rest, label = _within(item, text, known)
        if inner.setdefault(rest, label) != label:
            inner[item] = text
    labels = _by_beginnings(inner, dict(inner))
    while wrong := {item: text for item, text in texts.items() if label_of(item, known, quantity, labels) != text}:
        labels |= wrong
    for name in sorted(labels, key=len, reverse=True):  # such as that of A-palace-*, beside A-* and palace-*
        others = {each: text for each, text in labels.items() if each != name}
        users = [item for item in texts if name.removesuffix(ANY) in item]
        if all(label_of(item, known, quantity, others) == texts[item] for item in users):
            labels = others
    return labels


def _within(item: str, text: str, known: Mapping[str, str]) -> tuple[str, str]:
    # What is left of an item and its text when labels of beginnings that fit are taken off.
    for begin, rest in _parted(item):
        before, found, after = known.get(begin + ANY, "").partition(REST)
        for _, label in _inner({rest: text}, before, after) if found else ():
            return _within(rest, label, known)
    return item, text


def _parted(item: str) -> Iterator[tuple[str, str]]:
    # A beginning and the rest, at every hyphen.
    return ((item[: found.start()], item[found.end() :]) for found in re.finditer("(?<=.)-(?=.)", item))


class _Frame(NamedTuple):
    """A beginning of items, what may stand before and after the labels of the rests, and these by rest."""

    name: str
    before: str
    after: str
    labels: Mapping[str, str]


def _by_beginnings(texts: Mapping[str, str], known: dict[str, str]) -> dict[str, str]:
    # Take the beginning that saves most, until none does; the rests whose labels are not plain are items themselves.
    # `known` are the labels of all items and rests so far.
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for item, text in texts.items():
        for begin, rest in _parted(item):
            groups[begin][rest] = text
    frames = [
        _Frame(begin, before, after, dict(_inner(rests, before, after)))
        for begin, rests in groups.items() if len(rests) >= _FEWEST for before, after in _frames(rests)
    ]  # fmt: skip
    uses = Counter(each for frame in frames for each in frame.labels.items())
    left, inner, labels = dict(texts), dict[str, str](), dict[str, str]()
    fewest = 2  # uses of a label of a rest that is not plain; at last one is enough
    while frames:
        savings = [_saving(frame, left, known, uses, fewest) for frame in frames]
        saved, rests = max(savings, key=lambda each: each[0])
        best = frames[savings.index((saved, rests))]
        if saved <= 0 and fewest == 1:
            break
        if saved <= 0:
            fewest = 1
            continue
        labels[best.name + ANY] = f"{best.before}{REST}{best.after}"
        known |= rests
        inner |= {rest: label for rest, label in rests.items() if label != plain(rest)}
        for rest in rests:
            del left[f"{best.name}-{rest}"]
        frames = [frame for frame in frames if frame.name != best.name]
    return {**(_by_beginnings(inner, known) if inner else inner), **left, **labels}


def _saving(
    frame: _Frame, left: Mapping[str, str], known: Mapping[str, str], uses: Mapping[tuple[str, str], int], fewest: int
) -> tuple[float, dict[str, str]]:
    # How many characters a label of the beginning saves, and the labels of the rests of which it does.
    saved, rests = -float(len(frame.name + frame.before + frame.after + ANY + REST) + _ENTRY), {}
    for rest, label in frame.labels.items():
        text, settled, used = left.get(f"{frame.name}-{rest}"), known.get(rest), uses[rest, label]
        free = label == (settled or plain(rest))
        if text is not None and settled in (None, label) and (free or used >= fewest):
            saved += len(frame.name) + 1 + len(rest) + len(text) + _ENTRY
            saved -= 0 if free else (len(rest) + len(label) + _ENTRY) / used
            rests[rest] = label
    return (saved if len(rests) >= _FEWEST else 0.0), rests


def _inner(group: Mapping[str, str], before: str, after: str) -> Iterator[tuple[str, str]]:
    for rest, text in group.items():
        if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
            yield rest, text[len(before) : len(text) - len(after)]


def _frames(rests: Mapping[str, str]) -> set[tuple[str, str]]:
    # What may stand before and after the rests' labels: what all texts share, and where most rests stand in their text.
    found = Counter(
        (text[: place.start()], text[place.end() :])
        for rest, text in rests.items() for place in as_words(rest).finditer(text)
    )  # fmt: skip
    before = beginning(rests.values())
    after = beginning(text[len(before) :][::-1] for text in rests.values())[::-1]
    return {(before, after), *(frame for frame, _ in found.most_common(3))}


def as_words(item: str) -> re.Pattern[str]:
    """An item as words of its own in a text, with any characters for its hyphens."""
    words = r"[^\w×+]+".join(map(re.escape, item.split("-")))
    return re.compile(rf"(?<!\w){words}(?!\w)")


def beginning(texts: Iterable[str]) -> str:
    """What all texts begin with, without a part of a word, which may have hyphens."""
    every = list(texts)
    first, last = min(every), max(every)
    end = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    inside = any(re.match(r"[\w-]", text[end:]) for text in every)
    return re.sub(r"[\w-]*\Z", "", first[:end]) if inside else first[:end]
