"""Line-ups: their games in every arrangement over the seats, the adjustments that make them fairer, and the spread.

Games are played in memory. A game number in every arrangement is a block; of a game the victory points and Thalers of
each line-up at the end are stored, so that the wins under any handicap in victory points can be read off the same
games. An adjustment is such a handicap, other Thalers at the start, one exchange of two counties between two line-ups,
or one of two army groups; `search.py` writes the file of them. A handicap changes no game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.seating.arrangements import Arranged, arrangements
from wallsim.engine.arena import Arena
from wallsim.errors import InputError
from wallsim.escaping import toml_line
from wallsim.report.tables.estimates import number
from wallsim.rules.board import Board
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.setup_edits import EDITED, lineup_of
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, combined
from wallsim.studies.games import Games, in_batches
from wallsim.studies.scope import plays_for

EXPERIMENT = Path(__file__).with_name("experiment.toml")
_THALERS = 4096  # more than anybody has: the weight of half a victory point where Thalers decide ties (B7.6)
_HALVES = 2
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


class Played(NamedTuple):
    """Games of line-ups: `vp` and `thalers` at the end, int16 [numbers, arrangements, line-ups], by letter.

    `by_thalers` says whether Thalers decide ties, as they do unless [A9] shares.
    """

    vp: np.ndarray
    thalers: np.ndarray
    by_thalers: bool = True

    @property
    def letters(self) -> tuple[str, ...]:
        """The line-ups, in the order of the last axis."""
        return letters_of(self.vp.shape[2])

    def wins(self, halves: Sequence[int] | None = None) -> np.ndarray:
        """The shares in the win, float64 [numbers, arrangements, line-ups], with a handicap in half victory points."""
        points = self.vp.astype(np.int64) * _HALVES + (0 if halves is None else np.asarray(halves, np.int64))
        if self.by_thalers:
            points = points * _THALERS + self.thalers
        best = points == points.max(axis=2, keepdims=True)
        return np.asarray(best / best.sum(axis=2, keepdims=True))

    def arranged(self, halves: Sequence[int] | None = None) -> Arranged:
        """The same games as wins and points by arrangement; a handicap counts for both."""
        gift = 0.0 if halves is None else np.asarray(halves) / _HALVES
        return Arranged(self.letters, ways_of(len(self.letters)), self.wins(halves), self.vp + gift)


def experiment_of(players: int, cell: Cell, changes: Mapping[str, Any] | None = None) -> Experiment:
    """The experiment of a cell, in which all seats play alike, with some changes."""
    policy = next(play.policy for play in plays_for(players) if play.name == cell.play)
    return load_experiment(EXPERIMENT, {"players": players, "policies": policy, "tower": cell.tower, **(changes or {})})


def letters_of(players: int) -> tuple[str, ...]:
    """The line-ups of a number of players."""
    return tuple(LETTERS[:players])


def ways_of(players: int) -> tuple[tuple[str, ...], ...]:
    """All arrangements of the line-ups over the seats."""
    return tuple(arrangements(letters_of(players)))


class Arenas(list[Arena]):
    """One arena per arrangement of the line-ups, in the order of `ways_of`.

    `base` is that of any set-up with the same line-ups, board, tower and rules: Thalers and line-ups are replaced by
    those of `ruleset`. Packing a tower for each would take longer than the games.
    """

    def __init__(self, base: Arena, board: Board, ruleset: Ruleset) -> None:
        """Make the arenas."""
        super().__init__()
        self._made_of = base, board, ruleset
        for way in ways_of(ruleset.players):
            own, seated = replace(ruleset, lineups=way), base.rules.copy()
            there = seated[0]
            there.starting_thalers[: own.players] = own.starting_thalers()
            there.lineup_county, there.lineup_army = 0, 0
            for seat, letter in enumerate(way):
                groups = lineup_of(board, own, letter)
                there.lineup_groups[seat], there.lineup_edited[seat] = len(groups), groups[0].source == EDITED
                there.lineup_county[seat, : len(groups)] = [group.county for group in groups]
                there.lineup_army[seat, : len(groups)] = [group.armies for group in groups]
            self.append(base.with_rules(seated))

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes, which make their own: all together are large."""
        return Arenas, self._made_of


def play(parts: Components, seed: int, blocks: int, workers: int | None = 1) -> Played:
    """Play game numbers 0 on in every arrangement: `blocks` of 6 numbers a player."""
    tables = Arenas(parts.arena(seed), parts.board, parts.ruleset)
    batches = in_batches(tables[0], range(blocks), partial(batch, tables), workers=workers)
    vp, thalers = (np.concatenate(each) for each in zip(*batches, strict=True))
    return Played(vp, thalers, parts.ruleset.final_tie == "thalers")


def batch(tables: Sequence[Arena], games: Games) -> tuple[np.ndarray, np.ndarray]:
    """Points and Thalers of the numbers of some games in all arrangements; the games are those of the first."""
    size, each = games.players, []
    for at, (way, arena) in enumerate(zip(ways_of(size), tables, strict=True)):
        here = games if at == 0 else Games(games.first, size, arena.play(games.first, len(games.numbers)))
        order = [way.index(letter) for letter in letters_of(size)]
        each.append([here.seats(name)[:, order].astype(np.int16) for name in ("vp", "thalers")])
    vp, thalers = (np.stack(found, axis=1) for found in zip(*each, strict=True))
    return vp, thalers


def spread_of(shares: Mapping[str, Estimate]) -> Estimate:
    """The spread of wins: the standard deviation of the line-ups' shares around the fair one, in percentage points.

    Its error is that of the linearised root. Chance alone makes it a little larger than it is, never smaller.
    """
    parts = list(shares.values())
    away = [part.value - 100 / len(parts) for part in parts]
    spread = sqrt(sum(each * each for each in away) / len(parts))
    if spread == 0:
        return Estimate(0.0, np.zeros(parts[0].blocks))
    return Estimate(spread, combined([each / (len(parts) * spread) for each in away], parts).influence)


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
        return {"lineup": self.edited(board)} if self.exchange else {}

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

    def edited(self, board: Board) -> dict[str, dict[str, int]]:
        """The line-ups that an exchange edits, each with its counties and their armies.

        Two counties change hands, and the army groups stay with their line-ups; or the armies of two counties are
        exchanged, and the counties stay.
        """
        owner, (one, other) = owners(board, self.players), self.exchange
        renamed = {one: other, other: one}
        result: dict[str, dict[str, int]] = {letter: {} for letter in sorted({owner[one][0], owner[other][0]})}
        for name, (letter, armies) in owner.items():
            if letter in result and self.kind == COUNTIES:
                result[letter][renamed.get(name, name)] = armies
            elif letter in result:
                result[letter][name] = owner[renamed.get(name, name)][1]
        return result


def owners(board: Board, players: int) -> dict[str, tuple[str, int]]:
    """The line-up and the armies of every county of the printed line-ups."""
    return {
        board.counties[county]: (letter, armies)
        for letter in letters_of(players)
        for county, armies, _ in board.lineups[players, letter]
    }


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
