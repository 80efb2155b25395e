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
from wallsim.escaping import toml_line
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
    PRINTED: "as printed", POINTS: "with a handicap in VP", THALERS: "with other Thalers at the start",
    COUNTIES: "with an exchange of two counties", GROUPS: "with an exchange of two army groups",
}  # fmt: skip
_STEPS = (4, 2, 1)  # half victory points by which a handicap is varied
_HEAD = """\
# Mends of the line-ups, as the search found them:
#
#     .venv/bin/python -m wallsim.analyses.lineups.search results/search --into analyses/lineups/mends.toml
#
# The study `lineups` confirms them on games of another seed. `halves` are half victory points by line-up.
"""


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
            given = (f"{letter} {number(half / 2, 1)}" for letter, half in zip(letters, self.halves, strict=True))
            return f"at the end {', '.join(given)} VP more"
        if self.thalers:
            held = (f"{letter} {amount}" for letter, amount in zip(letters, self.thalers, strict=True))
            return f"{', '.join(held)} Thalers at the start"
        owner, (one, other) = owners(board, self.players), self.exchange
        (first, armies), (second, others) = owner[one], owner[other]
        if self.kind == COUNTIES:
            return f"{first} puts its {armies} armies into {other} and {second} its {others} armies into {one}"
        return f"{others} armies in {one} ({first}) and {armies} armies in {other} ({second})"


def owners(board: Board, players: int) -> dict[str, tuple[str, int]]:
    """The line-up and the armies of every county of the printed line-ups."""
    return {
        board.counties[county]: (letter, armies)
        for letter in letters_of(players)
        for county, armies, _ in board.lineups[players, letter]
    }


def after_exchange(board: Board, adjustment: Adjustment) -> dict[str, dict[str, int]]:
    """The line-ups that an exchange edits, each with its counties and their armies.

    Two counties change hands, and the army groups stay with their line-ups; or the armies of two counties are
    exchanged, and the counties stay.
    """
    owner = owners(board, adjustment.players)
    one, other = adjustment.exchange
    renamed = {one: other, other: one}
    edited: dict[str, dict[str, int]] = {letter: {} for letter in sorted({owner[one][0], owner[other][0]})}
    for name, (letter, armies) in owner.items():
        if letter in edited and adjustment.kind == COUNTIES:
            edited[letter][renamed.get(name, name)] = armies
        elif letter in edited:
            edited[letter][name] = owner[renamed.get(name, name)][1]
    return edited


def exchanges(board: Board, players: int, kind: str) -> list[Adjustment]:
    """Every exchange of two counties between two line-ups, or of two different army groups anywhere."""
    owner, place = owners(board, players), 0 if kind == COUNTIES else 1
    return [Adjustment(players, kind, exchange=(one, other)) for one, other in combinations(owner, 2)
            if owner[one][place] != owner[other][place]]  # fmt: skip


def unevenness(shares: np.ndarray) -> float:
    """The mean square of the deviations from the fair share, of shares [cells, line-ups] in per cent."""
    return float(((shares - 100 / shares.shape[1]) ** 2).mean())


def handicap_of(cells: Sequence[Played]) -> tuple[int, ...]:
    """The handicap by line-up, in half victory points, that levels the wins of these cells together; the least is 0.

    It is read off the games: nothing is played. From none on, one line-up's handicap is changed by two points, then by
    one, then by half a point, as long as that lowers the unevenness of the mean shares over the cells.
    """

    def score(halves: tuple[int, ...]) -> float:
        return unevenness(np.mean([100 * cell.wins(halves).mean(axis=(0, 1)) for cell in cells], axis=0)[None])

    best = (0,) * len(cells[0].letters)
    lowest = score(best)
    for step in _STEPS:
        while True:
            tried = {halves: score(halves) for halves in _changed(best, step)}
            halves = min(tried, key=tried.__getitem__)
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
    parts = [_HEAD, *(toml_line(name, value) for name, value in facts.items())]
    for each in adjustments:
        parts += ["", "[[mends]]", *(toml_line(name, value) for name, value in each._asdict().items() if value != ())]
    return "\n".join(parts) + "\n"


def read_adjustments(path: Path = ADJUSTMENTS) -> tuple[Adjustment, ...]:
    """The adjustments of a file. InputError if it cannot be read or is none of these."""
    try:
        adjustments = tuple(Adjustment(**_tuples(table)) for table in tomllib.loads(path.read_text("utf-8"))["mends"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: cannot be read as adjustments of line-ups: {error}") from None
    if strange := sorted({each.kind for each in adjustments} - set(KINDS)):
        raise InputError(f"{path}: {', '.join(strange)} is not one of {', '.join(KINDS)}")
    return adjustments


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(each) if isinstance(each, list) else each for name, each in table.items()}


def adjustments_of(players: int) -> dict[str, Adjustment]:
    """The adjustments for a number of players, by kind."""
    return {each.kind: each for each in read_adjustments() if each.players == players}
