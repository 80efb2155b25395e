"""Adjustments: ways to make the line-ups fairer, read from the file that `search.py` writes.

An adjustment is a handicap in victory points at the end, other Thalers at the start, one exchange of two counties
between two line-ups, or one of two army groups. The last three change an experiment; a handicap changes no game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.errors import InputError
from wallsim.report.tables.estimates import number
from wallsim.rules.board import Board

from .games import Played, letters_of

ADJUSTMENTS = Path(__file__).with_name("mends.toml")
PRINTED = "as printed"
POINTS, THALERS = "handicap in VP", "start Thalers"
COUNTIES, GROUPS = "exchange of two counties", "exchange of two army groups"
KINDS = (POINTS, THALERS, COUNTIES, GROUPS)
VERSIONS = (PRINTED, *KINDS)
WITH = {
    PRINTED: "as printed",
    POINTS: "with a handicap in VP",
    THALERS: "with other Thalers at the start",
    COUNTIES: "with an exchange of two counties",
    GROUPS: "with an exchange of two army groups",
}
_STEPS = (4, 2, 1)  # half victory points by which a handicap is varied


class Adjustment(NamedTuple):
    """An adjustment for a number of players: `halves` are half points by line-up, `thalers` the starting Thalers.

    `exchange` names the two counties that change hands, or whose army groups do.
    """

    players: int
    kind: str
    halves: tuple[int, ...] = ()
    thalers: tuple[int, ...] = ()
    exchange: tuple[str, ...] = ()

    def changes(self, board: Board) -> dict[str, Any]:
        """The keys of an experiment that the adjustment changes; none for a handicap."""
        if self.thalers:
            return {"thalers": dict(zip(letters_of(self.players), self.thalers, strict=True))}
        return {"lineup": after_exchange(board, self)} if self.exchange else {}

    def in_words(self, board: Board) -> str:
        """The adjustment in words for players."""
        letters = letters_of(self.players)
        if self.halves:
            given = [f"{letter} {number(half / 2, 1)}" for letter, half in zip(letters, self.halves, strict=True)]
            return f"at the end {', '.join(given)} VP more"
        if self.thalers:
            held = [f"{letter} {amount}" for letter, amount in zip(letters, self.thalers, strict=True)]
            return f"{', '.join(held)} Thalers at the start"
        owner = owners(board, self.players)
        (one, first), (other, second) = ((name, owner[name]) for name in self.exchange)
        if self.kind == COUNTIES:
            return (
                f"{first[0]} puts its {first[1]} armies into {other} and {second[0]} its {second[1]} armies into {one}"
            )
        return f"{second[1]} armies in {one} ({first[0]}) and {first[1]} armies in {other} ({second[0]})"


def owners(board: Board, players: int) -> dict[str, tuple[str, int]]:
    """The line-up and the armies of every county of the printed line-ups."""
    return {
        board.counties[county]: (letter, armies)
        for letter in letters_of(players)
        for county, armies, _ in board.lineups[players, letter]
    }


def counties_of(board: Board, players: int) -> dict[str, tuple[str, ...]]:
    """The names of the counties of each printed line-up."""
    owner = owners(board, players)
    return {letter: tuple(name for name in owner if owner[name][0] == letter) for letter in letters_of(players)}


def after_exchange(board: Board, adjustment: Adjustment) -> dict[str, dict[str, int]]:
    """The line-ups that an exchange edits, each with its counties and their armies.

    Two counties change hands, and the army groups stay with their line-ups; or the armies of two counties are
    exchanged, and the counties stay.
    """
    owner = owners(board, adjustment.players)
    one, other = adjustment.exchange
    renamed = {one: other, other: one}
    edited: dict[str, dict[str, int]] = {}
    for letter in sorted({owner[one][0], owner[other][0]}):
        mine = [name for name, (at, _) in owner.items() if at == letter]
        if adjustment.kind == COUNTIES:
            edited[letter] = {renamed.get(name, name): owner[name][1] for name in mine}
        else:
            edited[letter] = {name: owner[renamed.get(name, name)][1] for name in mine}
    return edited


def exchanges(board: Board, players: int, kind: str) -> list[Adjustment]:
    """Every exchange of two counties between two line-ups, or of two different army groups anywhere."""
    owner = owners(board, players)

    def differs(one: str, other: str) -> bool:
        place = 0 if kind == COUNTIES else 1
        return owner[one][place] != owner[other][place]

    return [Adjustment(players, kind, exchange=pair) for pair in combinations(owner, 2) if differs(*pair)]


def unevenness(shares: np.ndarray) -> float:
    """The mean square of the deviations from the fair share, of shares [cells, line-ups] in per cent."""
    return float(((shares - 100 / shares.shape[1]) ** 2).mean())


def handicap_of(cells: Sequence[Played]) -> tuple[int, ...]:
    """The handicap by line-up, in half victory points, that levels the wins of these cells together; the least is 0.

    It is read off the games: nothing is played. From none on, one line-up's handicap is changed by two points, then by
    one, then by half a point, as long as that lowers the unevenness of the mean shares over the cells.
    """
    size = len(cells[0].letters)

    def score(halves: tuple[int, ...]) -> float:
        return unevenness(np.mean([100 * cell.wins(halves).mean(axis=(0, 1)) for cell in cells], axis=0)[None])

    best = (0,) * size
    lowest = score(best)
    for step in _STEPS:
        while True:
            tried = {halves: score(halves) for halves in _changed(best, step)}
            halves = min(tried, key=lambda each: tried[each])
            if tried[halves] >= lowest:
                break
            best, lowest = halves, tried[halves]
    return best


def _changed(halves: tuple[int, ...], step: int) -> Iterator[tuple[int, ...]]:
    for at in range(len(halves)):
        for change in (step, -step):
            other = [half + change * (place == at) for place, half in enumerate(halves)]
            yield tuple(half - min(other) for half in other)


def adjustments_text(adjustments: Sequence[Adjustment], facts: Mapping[str, object]) -> str:
    """The file's text; `facts` say where it comes from."""
    lines = [
        "# Mends of the line-ups, as the search found them:",
        "#",
        "#     .venv/bin/python -m wallsim.analyses.lineups.search results/search --into analyses/lineups/mends.toml",
        "#",
        "# The study `lineups` confirms them on games of another seed. `halves` are half victory points by line-up.",
        "",
        *(f"{name} = {_toml(value)}" for name, value in facts.items()),
    ]
    for adjustment in adjustments:
        lines += ["", "[[mends]]"]
        lines += [f"{name} = {_toml(value)}" for name, value in adjustment._asdict().items() if value != ()]
    return "\n".join(lines) + "\n"


def read_adjustments(path: Path = ADJUSTMENTS) -> tuple[Adjustment, ...]:
    """The adjustments of a file. InputError if it cannot be read or is none of these."""
    try:
        tables = tomllib.loads(path.read_text("utf-8"))["mends"]
        adjustments = tuple(Adjustment(**_tuples(table)) for table in tables)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: cannot be read as adjustments of line-ups: {error}") from None
    strange = sorted({adjustment.kind for adjustment in adjustments} - set(KINDS))
    if strange:
        raise InputError(f"{path}: {', '.join(strange)} is not one of {', '.join(KINDS)}")
    return adjustments


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, tuple | list) else str(value)
