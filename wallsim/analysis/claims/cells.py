"""Cells: the conditions under which a claim is judged, every combination of play, tower and set-up."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from wallsim.rules.other_settings import SETUP_WORDS

SETUPS = ("lineup", "draft")
CALIBRATIONS = ("spielbyweb", "mid", "rulebook")
MODELS = {"independent": "", "urn": "-urn", "layered": "-layered"}  # with the suffix of their presets' names
TOWERS = {f"{name}{end}": (name, model) for name in CALIBRATIONS for model, end in MODELS.items()}


class Cell(NamedTuple):
    """One combination of the factors: the name of the play, of the tower, and of the set-up."""

    play: str
    tower: str
    setup: str

    def in_words(self, among: Iterable[Cell]) -> str:
        """The levels of the factors that vary `among` the cells, such as: `mid`, strong, draft."""
        return ", ".join(_word(field, getattr(self, field)) for field in varying(among)) or "the only cell"


def varying(among: Iterable[Cell]) -> list[str]:
    """The factors with more than one level, the tower first, since most results are grouped by tower."""
    cells = list(among)
    return [field for field in ("tower", "play", "setup") if len({getattr(cell, field) for cell in cells}) > 1]


def grouped(cells: Collection[Cell], among: Collection[Cell]) -> str:
    """Some of the judged cells in short: `rulebook`; `mid`, `mid-urn` under strong, second strong (draft).

    A level is named alone if all its cells are meant. The other cells are grouped by tower or by play, whichever takes
    fewer groups. Factors with a single level are left out.
    """
    fields = varying(among)
    words: list[str] = []
    left = [cell for cell in among if cell in set(cells)]
    for field in reversed(fields):  # a set-up has the most cells, a tower the fewest
        whole = []
        for level in dict.fromkeys(getattr(cell, field) for cell in left):
            of_level = {cell for cell in among if getattr(cell, field) == level}
            if of_level <= set(cells):
                whole.append(_word(field, level))
                left = [cell for cell in left if cell not in of_level]
        words += [", ".join(whole)] if whole else []
    if left:
        sizes = {field: len({getattr(cell, field) for cell in among}) for field in fields}
        ways = [
            _groups(left, field, {other: sizes[other] for other in fields if other != field}) for field in fields[:2]
        ]
        shortest = min(ways, key=len)
        words += shortest
    return "; ".join(words)


def _groups(cells: list[Cell], leading: str, others: dict[str, int]) -> list[str]:
    # Levels of the leading factor with the same combinations of the others form one group. `others` has the number of
    # levels of each other factor.
    combinations: dict[str, tuple[tuple[str, ...], ...]] = {}
    for level in dict.fromkeys(getattr(cell, leading) for cell in cells):
        mine = [cell for cell in cells if getattr(cell, leading) == level]
        combinations[level] = tuple(tuple(getattr(cell, field) for field in others) for cell in mine)
    words = []
    for rest_levels in dict.fromkeys(combinations.values()):
        levels = ", ".join(_word(leading, level) for level in combinations if combinations[level] == rest_levels)
        words.append(f"{levels} under {_listed(rest_levels, others)}" if others else levels)
    return words


def _listed(rest_levels: tuple[tuple[str, ...], ...], others: dict[str, int]) -> str:
    # The levels of the first factor, grouped by their levels of the second, which are not listed if they are all.
    first_field, *second_field = others
    seconds: dict[str, tuple[str, ...]] = {}
    for first, *rest in rest_levels:
        seconds[first] = (*seconds.get(first, ()), *rest)
    words = []
    for second in dict.fromkeys(seconds.values()):
        firsts = ", ".join(_word(first_field, first) for first in seconds if seconds[first] == second)
        whole = not second_field or len(second) == others[second_field[0]]
        words.append(firsts if whole else f"{firsts} ({', '.join(_word(second_field[0], level) for level in second)})")
    return " and ".join(words)


def _word(field: str, level: str) -> str:
    return f"`{level}`" if field == "tower" else SETUP_WORDS.get(level, level) if field == "setup" else level
