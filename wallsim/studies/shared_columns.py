"""What figures of a study share: the columns of the register that stand once, and those that an id gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from math import nan
from typing import Any

from wallsim.studies.figure import Figure, slug
from wallsim.studies.word_templates import WHERE, filled, plain, template_of

KINDS = {each.name: {"int": int, "float": float, "str": str}[str(each.type)] for each in fields(Figure)}
EMPTY = {name: nan if kind is float else kind() for name, kind in KINDS.items()}
OF_STUDY = ("seed", "level", "family")  # the study's, unless a quantity has another
_ID = re.compile(r"[^./@]*\.?([^./@]*)(?:\.(\d+)p)?(?:\.([^./@]*))?((?:/[^/@]*){0,3}(?:@[^/@]*)?)")
_END = re.compile(r"(?:/([^/@]*)/([^/@]*))?(?:/([^/@]*))?(?:@(.*))?")  # play, tower, set-up and moment


@dataclass(frozen=True)
class Shared:
    """What the figures of a study share.

    `study` has the columns that are equal for all; `names` the plays, towers, set-ups and moments by column.
    `quantities` has all columns of each quantity: `quantity` is the template of words, `setup` that of ids without one.
    `labels` are the texts of items, by the item or by QUANTITY.ITEM, that are not the plain ones.
    """

    study: Mapping[str, Any]
    names: Mapping[str, list[str]]
    quantities: Mapping[str, Mapping[str, Any]]
    labels: Mapping[str, str]
    _places: dict[str, dict[str, str]] = field(default_factory=dict, init=False)  # by the ends of ids that name them

    def columns(self, key: str, n: int) -> dict[str, Any]:
        """The columns of the figure with an id and a sample size, where its row is empty.

        ValueError that names an unknown quantity, play, tower, set-up or moment.
        """
        quantity, players, item, end = parts_of(key)
        if quantity not in self.quantities:
            raise ValueError(f"id: {key!r}: codebook.csv has no row of the quantity {quantity!r}")
        place = self._places.get(end) or self._place(key, end)
        columns = {**self.quantities[quantity], **place, "players": players}
        if not place["setup"]:
            columns["setup"] = self.quantities[quantity]["setup"]
        if not n:
            columns["n_unit"] = ""
        label = self.labels.get(f"{quantity}.{item}") or self.labels.get(item) or plain(item)
        columns["quantity"] = filled(columns["quantity"], {**place, "setup": columns["setup"], "item": label})
        return columns

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


def parts_of(key: str) -> tuple[str, int, str, str]:
    """The parts of an id: quantity, number of players, item, and its end, with play, tower, set-up and moment."""
    found = _ID.fullmatch(key)
    if found is None:
        raise ValueError(f"id: {key!r} is not of the form STUDY.QUANTITY[.4p][.ITEM][/PLAY/TOWER[/SETUP]][@MOMENT]")
    quantity, players, item, end = found.groups("")
    return quantity, int(players or 0), item, end


def shared_by(figures: Iterable[Figure]) -> Shared:
    """What these figures share, of which there is at least one."""
    every = list(figures)
    by_quantity: dict[str, list[Figure]] = {}
    for row in every:
        by_quantity.setdefault(parts_of(row.id)[0], []).append(row)
    study = {name: _most(every, name) for name in (*OF_STUDY, "engine", "digest")} | {"family": 1}
    labels: dict[str, str] = {}
    quantities = {}
    for quantity, rows in by_quantity.items():
        words = [(row.quantity, parts_of(row.id)[2], {name: getattr(row, name) for name in WHERE}) for row in rows]
        template, texts = template_of(words, labels)
        for item, text in texts.items():
            if labels.setdefault(item, text) != text:
                labels[f"{quantity}.{item}"] = text
        quantities[quantity] = {
            **EMPTY,
            **study,
            "quantity": template,
            "unit": _same(rows, "unit", ""),
            "n_unit": _same([row for row in rows if row.n], "n_unit", ""),
            "null": _same(rows, "null", nan),
            "setup": _same([row for row in rows if row.id.count("/") % 2 == 0], "setup", ""),  # that name none
            **{name: _same(rows, name, study[name]) for name in OF_STUDY},
        }
    names = {name: [text for text in dict.fromkeys(getattr(row, name) for row in every) if text] for name in WHERE}
    return Shared(study, names, quantities, {item: text for item, text in labels.items() if text != plain(item)})


def _same(rows: Iterable[Figure], name: str, otherwise: Any) -> Any:
    found = {str(value): value for row in rows for value in [getattr(row, name)]}
    return next(iter(found.values())) if len(found) == 1 else otherwise


def _most(rows: Iterable[Figure], name: str) -> Any:
    return Counter(getattr(row, name) for row in rows).most_common(1)[0][0]
