"""The steps of a game: each line of its trace with its sentences, what it changed, odds before casts, and chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wallsim.analysis.battle.cast_odds import CastOdds, cast_odds
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Table
from wallsim.trace.story.game import told_by_line
from wallsim.trace.table import merge_patch, patched, tables


@dataclass(frozen=True)
class Step:
    """One line of a trace, and what it did.

    Attributes
    ----------
    number
        Its place in the trace, from 0.
    line
        The line of the trace.
    sentences
        The paragraphs of the story that tell of it, none for most plans. `# ` begins a heading, `- ` an entry of a
        list, three spaces an entry below another.
    patch
        What changed on the table, as a JSON merge patch (RFC 7396). The patches of all steps up to one, applied in
        order to an empty table, give the table after it.
    odds
        Of a `battle` the chances of attacker, defender and tie before the cast, from tray, tower and its model, and
        whether they are exact; None for other lines.
    chances
        At the end of a season the chance of each seat to win, by a learned value; None for other lines, before fall of
        year 1, and where no value was learned.
    """

    number: int
    line: dict[str, Any]
    sentences: tuple[str, ...]
    patch: dict[str, Any]
    odds: CastOdds | None
    chances: tuple[float, ...] | None

    def applied(self, table: Table) -> Table:
        """The table after the step, from the table before it, which stays as it is; `{}` before the first step."""
        return patched(table, self.patch)


def steps_of(match: Match, lines: Sequence[dict[str, Any]], chances: Mapping[int, tuple[float, ...]]) -> Iterator[Step]:
    """The steps of a whole trace in order; `chances` has those of each seat to win by the number of the line."""
    told = told_by_line(match, lines)
    before: Table = {}
    for number, (line, (after, cast)) in enumerate(zip(lines, tables(match, lines), strict=True)):
        odds = None if cast is None else cast_odds(match.tower, cast, number)
        yield Step(number, line, tuple(told[number]), merge_patch(before, after), odds, chances.get(number))
        before = after


def tower_luck(steps: Sequence[Step], players: int) -> list[float]:
    """Won battles less the chances of winning them, added up by seat: luck in the tower.

    An attacker wins a battle that takes the county, a defender one that keeps it.
    """
    luck = [0.0] * players
    for step in steps:
        for seat, gained in battle_luck(step).items():
            luck[seat] += gained
    return luck


def battle_luck(step: Step) -> dict[int, float]:
    """Of a `battle` 1 or 0 for winning, less the chance, for each seat that fights; {} for other lines."""
    line, odds = step.line, step.odds
    if odds is None:
        return {}
    sides = {"attacker": odds.attacker, "defender": odds.defender}
    return {
        line[side]: float(line["result"] == side) - chance for side, chance in sides.items() if type(line[side]) is int
    }
