"""Line-ups: their games in every arrangement over the seats, the adjustments that make them fairer, and the spread.

Games are played in memory. A game number in every arrangement is a block; of a game the victory points and Thalers of
each line-up at the end are stored, so that the wins under any handicap in victory points can be read off the same
games. An adjustment is such a handicap, other Thalers at the start, one exchange of two counties between two line-ups,
or one of two army groups; `.ci/maker mends` writes the file of them. A handicap changes no game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import MIDDLING, STRONG, Cell, Play, levels
from wallsim.analysis.games.arrangements import Arranged, arrangements
from wallsim.engine.arena import Arena
from wallsim.errors import InputError
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.report.tables.estimates import number
from wallsim.rules.board import Board
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.setup_edits import EDITED, lineup_of
from wallsim.stats.blocks import Estimate, combined
from wallsim.studies import scenarios
from wallsim.studies.finding import listed
from wallsim.studies.games import Games, block_size, in_batches
from wallsim.studies.scope import BASELINE_TOWER, SETTINGS, in_setup, plays_for
from wallsim.studies.study import Choices

EXPERIMENT, ADJUSTMENTS = (Path(__file__).with_name(f"{name}.toml") for name in ("experiment", "mends"))
_THALERS = 4096  # more than anybody has: the weight of half a victory point where Thalers decide ties (B7.6)
SIZES = (4, 3, 5)
BLOCKS = {3: 55, 4: 62, 5: 20}  # of 6 numbers a player in every cell: 990, 1,488 and 600 numbers
CELLS = in_setup(SETTINGS, "lineup")  # of the study
HEAD_SIZE = SIZES[0]  # four players are the game of the headline
PRINTED = "as printed"
POINTS, THALERS = "handicap in VP", "start Thalers"
COUNTIES, GROUPS = "exchange of two counties", "exchange of two army groups"
KINDS = (POINTS, THALERS, COUNTIES, GROUPS)
VERSIONS = (PRINTED, *KINDS)
WITH = {
    PRINTED: "as printed", POINTS: "with a handicap in VP", THALERS: "with other Thalers at the start",
    COUNTIES: "with an exchange of two counties", GROUPS: "with an exchange of two army groups",
}  # fmt: skip
# The games of the search for mends: it saw these cells, and read the handicap off so many blocks.
SEED, READ = 202_672, 84
PLAYS, TOWERS = (MIDDLING, STRONG), ("spielbyweb", "rulebook")


def cells_of(players: int) -> list[Cell]:
    """The cells in which mends are searched for."""
    return [Cell(play.name, tower, "lineup") for play in plays_for(players) if play.name in PLAYS for tower in TOWERS]


def searched(players: int, cell: Cell) -> Experiment:
    """The experiment of such a cell with printed line-ups."""
    return experiment_of(players, cell).changed(seed=SEED)


class Design(NamedTuple):
    """What is played: the numbers of players, the cells, and blocks of 6 numbers a player by number of players.

    `land_games` are those in each arrangement of every exchange of counties, `read` the blocks that the handicap is
    read from.
    """

    sizes: tuple[int, ...]
    cells: tuple[Cell, ...]
    blocks: dict[int, int]
    land_games: int
    read: int
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
    blocks = dict.fromkeys(SIZES, 20) if quick else dict(BLOCKS)
    land, read = 15, READ // 2
    if numbers is not None:
        blocks = {size: max(1, numbers // block_size(size)) for size in SIZES}
        land, read = max(1, min(land, numbers // len(ways_of(HEAD_SIZE)))), min(read, blocks[HEAD_SIZE])
    if quick:
        cells = (cell for cell in CELLS if cell.play in (MIDDLING, STRONG) and cell.tower == BASELINE_TOWER)
        return Design((HEAD_SIZE,), in_order(cells), blocks, land, read, True)
    return Design(SIZES, in_order(CELLS), blocks, land, read)


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

    def wins(self, halves: Sequence[int] | None = None) -> np.ndarray:
        """The shares in the win, float64 [numbers, arrangements, line-ups], with a handicap in half victory points."""
        points = 2 * self.vp.astype(np.int64) + (0 if halves is None else np.asarray(halves, np.int64))
        points = points * _THALERS + self.thalers
        best = points == points.max(axis=2, keepdims=True)
        return np.asarray(best / best.sum(axis=2, keepdims=True))

    def shares(self, halves: Sequence[int] | None = None) -> np.ndarray:
        """The shares of all wins in per cent, float64 [line-ups]."""
        return np.asarray(100 * self.wins(halves).mean(axis=(0, 1)))

    def arranged(self, halves: Sequence[int] | None = None) -> Arranged:
        """The same games as wins and points by arrangement; a handicap counts for both."""
        size, gift = self.vp.shape[2], 0.0 if halves is None else np.asarray(halves) / 2
        return Arranged(letters_of(size), ways_of(size), self.wins(halves), self.vp + gift)


def experiment_of(players: int, cell: Cell) -> Experiment:
    """The experiment of a cell with printed line-ups, in which all seats play alike."""
    return scenarios.experiment_of(EXPERIMENT, cell, players)


def letters_of(players: int) -> tuple[str, ...]:
    """The line-ups of a number of players."""
    return tuple(LETTERS[:players])


def ways_of(players: int) -> tuple[tuple[str, ...], ...]:
    """All arrangements of the line-ups over the seats."""
    return tuple(arrangements(letters_of(players)))


def arenas_of(base: Arena, board: Board, ruleset: Ruleset) -> dict[tuple[str, ...], Arena]:
    """The arena of each arrangement of the line-ups.

    `base` is that of any set-up with the same line-ups, board, tower and rules: Thalers and line-ups are replaced by
    those of `ruleset`. Packing a tower for each would take longer than the games.
    """
    arenas = {}
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
        arenas[way] = base.with_rules(seated)
    return arenas


def play(parts: Components, seed: int, blocks: int, workers: int | None = 1) -> Played:
    """Play game numbers 0 on in every arrangement: `blocks` of 6 numbers a player."""
    return played(parts.arena(seed), parts.board, parts.ruleset, range(blocks), workers)


def played(base: Arena, board: Board, ruleset: Ruleset, blocks: range, workers: int | None = 1) -> Played:
    """Play blocks of 6 numbers a player in every arrangement, in the arenas of `arenas_of`."""
    arranged = []
    for way, arena in arenas_of(base, board, ruleset).items():
        ends = partial(_ends, [way.index(letter) for letter in letters_of(base.seats)])
        arranged.append(np.concatenate(in_batches(arena, blocks, ends, workers=workers), axis=1))
    vp, thalers = np.stack(arranged, axis=2)
    return Played(vp, thalers if ruleset.final_tie == "thalers" else np.zeros_like(thalers))


def _ends(seats: Sequence[int], games: Games) -> np.ndarray:
    return np.array([games.seats(name)[:, seats] for name in ("vp", "thalers")], np.int16)


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
    """An adjustment: `halves` are half points by line-up, `thalers` the starting Thalers.

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
        amounts = map(str, self.thalers or (number(half / 2, 1) for half in self.halves))
        given = ", ".join(map(" ".join, zip(letters_of(self.players), amounts, strict=False)))
        if not self.exchange:
            return f"{given} Thalers at the start" if self.thalers else f"at the end {given} VP more"
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
        result: dict[str, dict[str, int]] = {letter: {} for letter in sorted({owner[one][0], owner[other][0]})}
        for name, (letter, _) in owner.items():
            there = {one: other, other: one}.get(name, name)
            county, armies = (there, owner[name][1]) if self.kind == COUNTIES else (name, owner[there][1])
            if letter in result:
                result[letter][county] = armies
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
        return unevenness(np.mean([cell.shares(halves) for cell in cells], axis=0)[None])

    best: tuple[int, ...] = (0,) * cells[0].vp.shape[2]
    for step in (4, 2, 1):  # half victory points
        while (better := min((best, *_changed(best, step)), key=score)) != best:
            best = better
    return best


def _changed(halves: tuple[int, ...], step: int) -> Iterator[tuple[int, ...]]:
    for at, change in product(range(len(halves)), (step, -step)):
        other = [half + change * (place == at) for place, half in enumerate(halves)]
        yield tuple(half - min(other) for half in other)


def read_adjustments(path: Path = ADJUSTMENTS) -> tuple[Adjustment, ...]:
    """The adjustments of a file. InputError if it cannot be read or is none of these."""
    try:
        tables: list[dict[str, Any]] = [
            {name: tuple(each) if isinstance(each, list) else each for name, each in table.items()}
            for table in tomllib.loads(path.read_text("utf-8"))["mends"]
        ]
        adjustments = tuple(Adjustment(**table) for table in tables)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: cannot be read as adjustments of line-ups: {error}") from None
    if strange := sorted({each.kind for each in adjustments} - set(KINDS)):
        raise InputError(f"{path}: {', '.join(strange)} is not one of {', '.join(KINDS)}")
    return adjustments


def adjustments_of(players: int) -> dict[str, Adjustment]:
    """The adjustments for a number of players, by kind."""
    return {each.kind: each for each in read_adjustments() if each.players == players}
