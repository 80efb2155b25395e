"""Line-ups: their games in every arrangement over the seats, the fixes that make them fairer, and the imbalance.

Games are played in memory. A game number in every arrangement is a block; of a game the victory points and Thalers of
each line-up at the end are stored, so that the wins under any handicap in victory points can be read off the same
games. A fix is such a handicap, other Thalers at the start, one exchange of two counties or of two army groups between
line-ups, or two of these at once. Casual and strong bots have fixes of their own for each number of players;
`.ci/maker mends` writes the file of them. A handicap changes no game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import (
    CALIBRATIONS,
    CASUAL,
    STRONG,
    Cell,
    Play,
    levels,
)
from wallsim.analysis.games.arrangements import Arranged, arrangements
from wallsim.analysis.games.spread import Spread, spread_of_shares
from wallsim.engine.arena import Arena
from wallsim.errors import InputError
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.rules.board import Board
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.setup_edits import EDITED, lineup_of
from wallsim.studies import scenarios
from wallsim.studies.finding import listed
from wallsim.studies.games import Games, block_size, in_batches
from wallsim.studies.scope import BASELINE_TOWER, SETTINGS, in_setup, plays_for
from wallsim.studies.study import Choices

EXPERIMENT, FIXES = (Path(__file__).with_name(f"{name}.toml") for name in ("experiment", "mends"))
_THALERS = 4096  # more than anybody has: the weight of a victory point where Thalers decide ties (B7.6)
SIZES = (4, 3, 5)
BLOCKS = {3: 110, 4: 62, 5: 24}  # of 6 numbers a player in every cell: 1,980, 1,488 and 720 numbers
CELLS = in_setup(SETTINGS, "lineup")  # of the study
HEAD_SIZE = SIZES[0]  # four players are the game of the headline
PRINTED = "as printed"
POINTS, THALERS, EXCHANGE, PAIR = "handicap in VP", "start Thalers", "exchange", "two changes"
KINDS = (POINTS, THALERS, EXCHANGE, PAIR)  # the simplest first
VERSIONS = (PRINTED, *KINDS)
WITH = {
    PRINTED: "as printed", POINTS: "with a handicap in VP", THALERS: "with other Thalers at the start",
    EXCHANGE: "with one exchange of counties or army groups", PAIR: "with two changes",
}  # fmt: skip
FIXED_PLAYS = (CASUAL, STRONG)  # the bots that have fixes of their own
FIXED, AT_MOST = 1.5, 2.5  # percentage points: the imbalance of a fixed table, and the upper end of its interval
SEED = 202_672  # of the games of the search


def cells_of(play: str, towers: Iterable[str] = CALIBRATIONS) -> list[Cell]:
    """The cells of some bots under each tower: those in which their fixes are searched for, and judged."""
    return [Cell(play, tower, "lineup") for tower in towers]


def searched(players: int, cell: Cell) -> Experiment:
    """The experiment of such a cell with printed line-ups, with the seed of the search."""
    return experiment_of(players, cell).changed(seed=SEED)


class Design(NamedTuple):
    """What is played: the numbers of players, the cells, and blocks of 6 numbers a player by number of players.

    `land_games` are those in each arrangement of every exchange of counties.
    """

    sizes: tuple[int, ...]
    cells: tuple[Cell, ...]
    blocks: dict[int, int]
    land_games: int
    quick: bool = False

    @property
    def plays(self) -> tuple[str, ...]:
        """The names of the plays, from weak to strong."""
        return tuple(play.name for play in self.plays_of(HEAD_SIZE))

    @property
    def towers(self) -> tuple[str, ...]:
        """The towers, the default first."""
        return levels("tower", self.cells)

    def home(self) -> dict[Cell, Experiment]:
        """The cells of four players under the first tower."""
        return {cell: experiment_of(HEAD_SIZE, cell) for cell in self.cells if cell.tower == self.towers[0]}

    def plays_of(self, players: int) -> tuple[Play, ...]:
        """The plays with the policies of this number of players."""
        known = {cell.play for cell in self.cells}
        return tuple(play for play in plays_for(players) if play.name in known)

    def numbers(self, players: int) -> int:
        """The game numbers of a cell: the blocks of the estimates."""
        return self.blocks[players] * block_size(players)


def design_of(choices: Choices) -> Design:
    """The design, with the chosen number of games as game numbers in every cell."""
    numbers, quick = choices.games, choices.quick
    blocks, land = dict.fromkeys(SIZES, 20) if quick else dict(BLOCKS), 15
    if numbers is not None:
        blocks = {size: max(1, numbers // block_size(size)) for size in SIZES}
        land = max(1, min(land, numbers // len(ways_of(HEAD_SIZE))))
    if quick:
        cells = (cell for cell in CELLS if cell.play in FIXED_PLAYS and cell.tower == BASELINE_TOWER)
        return Design((HEAD_SIZE,), in_order(cells), blocks, land, True)
    return Design(SIZES, in_order(CELLS), blocks, land)


def in_order(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Cells by play, from weak to strong, as tables have them."""
    names = [play.name for play in plays_for(HEAD_SIZE)]
    return tuple(sorted(cells, key=lambda cell: names.index(cell.play)))


def cells_in_words(cells: Sequence[Cell]) -> str:
    """Which plays are played under which towers, for a study with one set-up: towers with the same plays together."""
    towers: dict[tuple[str, ...], list[str]] = {}
    for tower in levels("tower", cells):
        plays = levels("play", (cell for cell in cells if cell.tower == tower))
        towers.setdefault(plays, []).append(f"`{tower}`")
    every = len(levels("play", cells))
    return "; ".join(f"under {' and '.join(each)} {'every' if len(plays) == every else listed(plays, 'and')} play"
                     for plays, each in towers.items())  # fmt: skip


class Played(NamedTuple):
    """Games of line-ups: `vp` and `thalers` at the end, int16 [numbers, arrangements, line-ups], by letter.

    Thalers decide ties; they are 0 where [A9] shares.
    """

    vp: np.ndarray
    thalers: np.ndarray

    def wins(self, handicap: Sequence[int] = ()) -> np.ndarray:
        """The shares in the win, float64 [numbers, arrangements, line-ups], with a handicap in victory points."""
        points = self.vp.astype(np.int64) + (np.asarray(handicap, np.int64) if len(handicap) else 0)
        points = points * _THALERS + self.thalers
        best = points == points.max(axis=2, keepdims=True)
        return np.asarray(best / best.sum(axis=2, keepdims=True))

    def shares(self) -> np.ndarray:
        """The shares of all wins in per cent, float64 [line-ups]."""
        return np.asarray(100 * self.wins().mean(axis=(0, 1)))

    def imbalance(self, handicap: Sequence[int] = ()) -> Spread:
        """The standard deviation of the shares around the fair one, in percentage points, less what chance adds.

        A number is a unit: its wins are means over the arrangements.
        """
        return spread_of_shares(self.wins(handicap).mean(axis=1))

    def arranged(self, handicap: Sequence[int] = ()) -> Arranged:
        """The same games as wins and points by arrangement; a handicap counts for both."""
        size, gift = self.vp.shape[2], np.asarray(handicap) if len(handicap) else 0
        return Arranged(letters_of(size), ways_of(size), self.wins(handicap), self.vp + np.float64(gift))


def experiment_of(players: int, cell: Cell) -> Experiment:
    """The experiment of a cell with printed line-ups, in which all seats play alike."""
    return scenarios.experiment_of(EXPERIMENT, cell, players)


def letters_of(players: int) -> tuple[str, ...]:
    """The line-ups of a number of players."""
    return tuple(LETTERS[:players])


def ways_of(players: int) -> tuple[tuple[str, ...], ...]:
    """All arrangements of the line-ups over the seats."""
    return tuple(arrangements(letters_of(players)))


def arenas_of(base: Arena, board: Board, ruleset: Ruleset, ways: Sequence[int] = ()) -> dict[tuple[str, ...], Arena]:
    """The arena of each arrangement of the line-ups, or of some of them.

    `base` is that of any set-up with the same line-ups, board, tower and rules: Thalers and line-ups are replaced by
    those of `ruleset`. Packing a tower for each would take longer than the games.
    """
    arenas, every = {}, ways_of(ruleset.players)
    for way in [every[at] for at in ways] or every:
        own, seated = replace(ruleset, lineups=way), base.rules.copy()
        there = seated[0]
        there.starting_thalers[: own.players] = own.starting_thalers()
        there.lineup_county, there.lineup_army = 0, 0
        for seat, letter in enumerate(way):
            groups = lineup_of(board, own, letter)
            there.lineup_groups[seat], there.lineup_edited[seat] = len(groups), groups[0].source == EDITED
            there.lineup_county[seat, : len(groups)] = [group.county for group in groups]
            there.lineup_army[seat, : len(groups)] = [group.armies for group in groups]
        arenas[way] = base.with_rules(seated)
    return arenas


def play(parts: Components, seed: int, blocks: int, workers: int | None = 1) -> Played:
    """Play game numbers 0 on in every arrangement: `blocks` of 6 numbers a player."""
    return played(parts.arena(seed), parts.board, parts.ruleset, range(blocks), workers)


def played(
    base: Arena, board: Board, ruleset: Ruleset, blocks: range, workers: int | None = 1, ways: Sequence[int] = ()
) -> Played:
    """Play blocks of 6 numbers a player in every arrangement or in some, in the arenas of `arenas_of`."""
    arranged = []
    for way, arena in arenas_of(base, board, ruleset, ways).items():
        ends = partial(_ends, [way.index(letter) for letter in letters_of(base.seats)])
        arranged.append(np.concatenate(in_batches(arena, blocks, ends, workers=workers), axis=1))
    vp, thalers = np.stack(arranged, axis=2)
    return Played(vp, thalers if ruleset.final_tie == "thalers" else np.zeros_like(thalers))


def _ends(seats: Sequence[int], games: Games) -> np.ndarray:
    return np.array([games.seats(name)[:, seats] for name in ("vp", "thalers")], np.int16)


class Fix(NamedTuple):
    """A fix for so many bots of one kind of play: one change of the printed line-ups, or two.

    `points` are the victory points of a handicap, `thalers` those at the start, by line-up. `counties` are two that
    change hands while the army groups stay; `groups` two whose army groups are exchanged while the counties stay.
    """

    players: int
    play: str
    kind: str
    points: tuple[int, ...] = ()
    thalers: tuple[int, ...] = ()
    counties: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def changes(self, board: Board) -> dict[str, Any]:
        """The keys of an experiment that the fix changes; a handicap changes none."""
        given = {"thalers": dict(zip(letters_of(self.players), self.thalers, strict=True))} if self.thalers else {}
        return {**given, "lineup": edited} if (edited := self.edited(board)) else given

    def in_words(self, board: Board) -> str:
        """The fix in words for players."""
        return "; ".join(self.parts(board))

    def parts(self, board: Board) -> list[str]:
        """The changes of the fix in words for players, one or two."""
        owner, words = owners(board, self.players), []
        if self.counties:
            (first, armies), (second, others) = (owner[county] for county in self.counties)
            one, other = self.counties
            words.append(f"{first} puts its {armies} armies into {other} and {second} its {others} armies into {one}")
        if self.groups:
            (first, armies), (second, others) = (owner[county] for county in self.groups)
            one, other = self.groups
            words.append(f"{others} armies in {one} ({first}) and {armies} armies in {other} ({second})")
        letters = letters_of(self.players)
        if self.thalers:
            words.append(f"{', '.join(map('{} {}'.format, letters, self.thalers))} Thalers at the start")
        if self.points:
            more = [f"{letter} {points}" for letter, points in zip(letters, self.points, strict=True) if points]
            words.append(f"at the end {', '.join(more)} VP more" if more else "no VP at the end")
        return words

    def edited(self, board: Board) -> dict[str, dict[str, int]]:
        """The line-ups that an exchange edits, each with its counties and their armies."""
        owner, county = owners(board, self.players), dict(zip(self.counties, reversed(self.counties), strict=True))
        group = dict(zip(self.groups, reversed(self.groups), strict=True))
        letters = sorted({owner[name][0] for name in (*county, *group)})
        result: dict[str, dict[str, int]] = {letter: {} for letter in letters}
        for name, (letter, _) in owner.items():
            if letter in result:
                result[letter][county.get(name, name)] = owner[group.get(name, name)][1]
        return result

    def with_points(self, points: Sequence[int]) -> Fix:
        """The same with a handicap: alone a handicap, else two changes."""
        return self._replace(points=tuple(points), kind=PAIR if self.changes_setup else POINTS)

    def beside(self, other: Fix) -> Fix | None:
        """The exchanges of both, of which one is of counties and one of groups; None if they share a county."""
        if {*self.counties, *self.groups} & {*other.counties, *other.groups}:
            return None
        counties, groups = self.counties or other.counties, self.groups or other.groups
        return self._replace(kind=PAIR, counties=counties, groups=groups)

    @property
    def changes_setup(self) -> bool:
        """Whether it changes more than the count at the end."""
        return bool(self.thalers or self.counties or self.groups)


def owners(board: Board, players: int) -> dict[str, tuple[str, int]]:
    """The line-up and the armies of every county of the printed line-ups."""
    return {
        board.counties[county]: (letter, armies)
        for letter in letters_of(players)
        for county, armies, _ in board.lineups[players, letter]
    }


def exchanges(board: Board, players: int, play: str, of_groups: bool) -> list[Fix]:
    """Every exchange of two counties between two line-ups, or of two different army groups anywhere."""
    owner, place = owners(board, players), int(of_groups)
    pairs = [(one, other) for one, other in combinations(owner, 2) if owner[one][place] != owner[other][place]]
    if of_groups:
        return [Fix(players, play, EXCHANGE, groups=pair) for pair in pairs]
    return [Fix(players, play, EXCHANGE, counties=pair) for pair in pairs]


def worst(cells: Sequence[Played], handicap: Sequence[int] = ()) -> float:
    """The largest imbalance of these cells."""
    return max(cell.imbalance(handicap).value for cell in cells)


def handicap_of(cells: Sequence[Played]) -> tuple[int, ...]:
    """The handicap by line-up, in whole victory points, with the least imbalance in the worst of these cells.

    It is read off the games: nothing is played. From none on, points of one line-up, or of one for another's, are
    changed by two and then by one, as long as that helps. The least is 0.
    """
    size = cells[0].vp.shape[2]
    one = np.eye(size, dtype=int)
    steps = [*one, *-one, *(one[taker] - one[giver] for taker, giver in permutations(range(size), 2))]
    best: tuple[int, ...] = (0,) * size
    for amount in (2, 1):
        while True:
            moved = (np.array(best) + amount * step for step in steps)
            tried = {tuple(int(points) for points in each - each.min()) for each in moved}
            found = min((best, *sorted(tried)), key=partial(worst, cells))
            if found == best:
                break
            best = found
    return best


def read_fixes(path: Path = FIXES) -> tuple[Fix, ...]:
    """The fixes of a file. InputError if it cannot be read or has none of these."""
    try:
        tables: list[dict[str, Any]] = [
            {name: tuple(each) if isinstance(each, list) else each for name, each in table.items()}
            for table in tomllib.loads(path.read_text("utf-8"))["mends"]
        ]
        fixes = tuple(Fix(**table) for table in tables)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: cannot be read as fixes of line-ups: {error}") from None
    if strange := sorted({each.kind for each in fixes} - set(KINDS)):
        raise InputError(f"{path}: kind: {', '.join(strange)} is not one of {', '.join(KINDS)}")
    if strange := sorted({each.play for each in fixes} - set(FIXED_PLAYS)):
        raise InputError(f"{path}: play: {', '.join(strange)} is not one of {', '.join(FIXED_PLAYS)}")
    return fixes


def fixes_of(players: int, play: str) -> dict[str, Fix]:
    """The fixes for so many bots of a play, by kind; none for bots that have no fixes of their own."""
    return {each.kind: each for each in read_fixes() if (each.players, each.play) == (players, play)}
