"""What figures of a study share: the columns of the register that stand once, and those that an id gives.

Their words are a template for each quantity, such as "wins of {item}", which the labels of items fill.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import isnan, nan
from typing import Any, NamedTuple

from wallsim.studies.figure import Figure, slug
from wallsim.studies.id_parts import Head, as_words, beginning, found_by, label_of, labels_for, patterns_for, size_of

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


KINDS = {each.name: {"int": int, "float": float, "str": str}[str(each.type)] for each in fields(Figure)}
EMPTY = {name: nan if kind is float else kind() for name, kind in KINDS.items()}
OF_STUDY = ("seed", "level", "family")  # the study's, unless a quantity has another
ABOUT = "about"  # what {about} stands for in the words
OF_ID = ("unit", "n_unit", "null", *OF_STUDY)  # what may follow from the item or the place
_ID = re.compile(r"[^./@]*\.?([^./@]*)(?:\.(\d+)p)?(?:\.([^./@]*))?((?:/[^/@]*){0,3}(?:@[^/@]*)?)")
_END = re.compile(r"(?:/([^/@]*)/([^/@]*))?(?:/([^/@]*))?(?:@(.*))?")  # play, tower, set-up and moment


@dataclass(frozen=True)
class Shared:
    """What the figures of a study share.

    `study` has the columns that are equal for all; `names` the plays, towers, set-ups and moments by column.
    `quantities` has all columns of each quantity: `quantity` is the template of words, `setup` that of ids without one.
    `labels` are the texts of items that are not the plain ones (`id_parts`). `patterns` has by column and quantity
    the values that follow from patterns of ids.
    """

    study: Mapping[str, Any]
    names: Mapping[str, list[str]]
    quantities: Mapping[str, Mapping[str, Any]]
    labels: Mapping[str, str]
    patterns: Mapping[str, Mapping[str, Mapping[str, Any]]]
    _places: dict[str, dict[str, str]] = field(default_factory=dict, init=False)  # by the ends of ids that name them
    _labels: dict[tuple[str, str], str] = field(default_factory=dict, init=False)  # by quantity and item

    def columns(self, key: str, n: int) -> dict[str, Any]:
        """The columns of the figure with an id and a sample size, where its row is empty.

        ValueError that names an unknown quantity, play, tower, set-up or moment.
        """
        quantity, head = parts_of(key)
        if quantity not in self.quantities:
            raise ValueError(f"id: {key!r}: codebook.csv has no row of the quantity {quantity!r}")
        place = self._places.get(head.place) or self._place(key, head.place)
        columns = {**self.quantities[quantity], ABOUT: "", **place, "players": head.players}
        for name, by_quantity in self.patterns.items():
            if quantity in by_quantity and (value := found_by(by_quantity[quantity], head)) is not None:
                columns[name] = value
        if not place["setup"]:
            columns["setup"] = self.quantities[quantity]["setup"]
        if not n:
            columns["n_unit"] = ""
        values = {**place, "setup": columns["setup"], "item": self._label(quantity, head.item)}
        columns["quantity"] = filled(columns["quantity"], {**values, ABOUT: columns.pop(ABOUT)})
        return columns

    def _label(self, quantity: str, item: str) -> str:
        label = self._labels.get((quantity, item))
        return self._labels.setdefault((quantity, item), label or label_of(item, self.labels, quantity))

    def _place(self, key: str, end: str) -> dict[str, str]:
        place, found = {}, _END.fullmatch(end)
        for name, part in zip(WHERE, found.groups("") if found else (), strict=True):
            slugs = {slug(text): text for text in self.names.get(name, ())}
            slugs |= {"": "", "all": ""} if name in ("play", "tower") else {"": ""}
            if part not in slugs:
                known = ", ".join(filter(None, slugs)) or "none"
                raise ValueError(f"id: {key!r}: {name}: {part!r} is not one of {known}")
            place[name] = slugs[part]
        return self._places.setdefault(end, place)


def parts_of(key: str) -> tuple[str, Head]:
    """The quantity of an id, and its other parts. ValueError for another form."""
    found = _ID.fullmatch(key)
    if found is None:
        raise ValueError(f"id: {key!r} is not of the form STUDY.QUANTITY[.4p][.ITEM][/PLAY/TOWER[/SETUP]][@MOMENT]")
    quantity, players, item, end = found.groups("")
    return quantity, Head(int(players or 0), item, end)


def shared_by(figures: Iterable[Figure]) -> Shared:
    """What these figures share, of which there is at least one."""
    every = list(figures)
    by_quantity: dict[str, list[Figure]] = {}
    for row in every:
        by_quantity.setdefault(parts_of(row.id)[0], []).append(row)
    study = {name: _most(every, name) for name in (*OF_STUDY, "engine", "digest")} | {"family": 1}
    labels: dict[str, str] = {}
    quantities, texts = {}, {}
    patterns: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in (ABOUT, *OF_ID)}
    for quantity, rows in by_quantity.items():
        heads = [parts_of(row.id)[1] for row in rows]
        where = ({name: getattr(row, name) for name in WHERE} for row in rows)
        words = [Row(row.quantity, head, each) for row, head, each in zip(rows, heads, where, strict=True)]
        template = template_of(words, labels, quantity)
        texts[quantity] = template.labels
        found = labels_for(template.labels, labels, quantity)
        if _wrong(texts, {**found, **labels}):
            found = {f"{quantity}.{name}": text for name, text in found.items()}
        labels |= found
        quantities[quantity] = {
            **EMPTY,
            **study,
            "quantity": template.text,
            "unit": _same(rows, "unit", ""),
            "n_unit": _same([row for row in rows if row.n], "n_unit", ""),
            "null": _same(rows, "null", nan),
            "setup": _same([row for row in rows if row.id.count("/") % 2 == 0], "setup", ""),  # that name none
            **{name: _same(rows, name, study[name]) for name in OF_STUDY},
        }
        patterns[ABOUT][quantity] = patterns_for(template.about.items(), "")
        for name in OF_ID:
            texts_of = ((head, as_text(getattr(row, name))) for head, row in zip(heads, rows, strict=True)
                        if row.n or name != "n_unit")  # fmt: skip
            found = patterns_for(texts_of, as_text(quantities[quantity][name]), narrow=True)
            patterns[name][quantity] = {pattern: KINDS[name](text) for pattern, text in found.items()}
    names = {name: [text for text in dict.fromkeys(getattr(row, name) for row in every) if text] for name in WHERE}
    return Shared(study, names, quantities, labels, patterns)


def _wrong(texts: Mapping[str, Mapping[str, str]], labels: Mapping[str, str]) -> bool:
    # Whether the label of some item, by quantity, is another.
    return any(
        label_of(item, labels, quantity) != text for quantity, each in texts.items() for item, text in each.items()
    )


def as_text(value: Any) -> str:
    """A value as a cell of the register; what is not known is empty."""
    return str(value) if not isinstance(value, float) else "" if isnan(value) else f"{value:.10g}"


def _same(rows: Iterable[Figure], name: str, otherwise: Any) -> Any:
    found = {str(value): value for row in rows for value in [getattr(row, name)]}
    return next(iter(found.values())) if len(found) == 1 else otherwise


def _most(rows: Iterable[Figure], name: str) -> Any:
    return Counter(getattr(row, name) for row in rows).most_common(1)[0][0]
