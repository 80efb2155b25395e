"""The design of the study `lineups`: its cells, the games of every version of the line-ups, and the estimates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import CALIBRATIONS, Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.seating.arrangements import Arranged
from wallsim.rules.board import Board, load_board
from wallsim.runs.experiment import Experiment
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, block_mean, combined
from wallsim.studies.cache import Cache
from wallsim.studies.games import block_size
from wallsim.studies.scope import plays_for
from wallsim.studies.study import Choices, Storage

from .adjustments import ADJUSTMENTS, KINDS, POINTS, PRINTED, WITH, Adjustment, handicap_of, read_adjustments
from .games import Played, experiment_of, letters_of, spread_of, ways_of
from .games import play as play_numbers
from .judgement import BLOCKS as ERRING_BLOCKS
from .judgement import ERRORS, SEEDS, WEAKER, Gaps, all_gaps
from .neighbours import worth_of_land
from .search import FULL, cells_of
from .search import experiment_of as searched

SIZES = (4, 3, 5)  # players; four are the game of the headline
HEAD_SIZE = SIZES[0]
BLOCKS = {3: 222, 4: 166, 5: 132}  # of 6 numbers a player in every cell: about 4,000 numbers
QUICK_BLOCKS = 20
NEAR = 2.0  # percentage points: line-ups whose wins are within are level
LAND_GAMES, QUICK_LAND_GAMES = 24, 17  # in each arrangement of every exchange
LEADER = "line-up A"
ALL = Cell("", "", "lineup")  # of means of all cells


def less_spread(kind: str) -> str:
    """The outcome of an adjustment: the spread of wins as printed minus that with it, in percentage points."""
    return f"spread of wins as printed minus with {kind}"


CLAIMS = (
    Claim("Line-up A wins more than its share.", LEADER, 100 / HEAD_SIZE),
    *(Claim(f"Wins are spread less {WITH[kind]} than as printed.", less_spread(kind), 0) for kind in KINDS),
)


def claims(players: int) -> list[Claim]:
    """The claims judged with a number of players: that of line-up A with four players only."""
    return [claim for claim in CLAIMS if players == HEAD_SIZE or claim.outcome != LEADER]


class Design(NamedTuple):
    """What is played: the numbers of players, plays, towers, blocks of 6 numbers a player by number of players."""

    sizes: tuple[int, ...]
    plays: tuple[str, ...]
    towers: tuple[str, ...]
    blocks: dict[int, int]
    land_games: int
    read: int = FULL.read
    quick: bool = False

    def cells(self, players: int) -> list[Cell]:
        """All combinations of play and tower."""
        return [Cell(play.name, tower, "lineup") for play in self.plays_of(players) for tower in self.towers]

    def home_cells(self, players: int) -> list[Cell]:
        """Those under the first tower."""
        return [cell for cell in self.cells(players) if cell.tower == self.towers[0]]

    def plays_of(self, players: int) -> tuple[Play, ...]:
        """The plays with the policies of this number of players."""
        return tuple(play for play in plays_for(players) if play.name in self.plays)

    def numbers(self, players: int) -> int:
        """The game numbers of a cell: the blocks of the estimates."""
        return self.blocks[players] * block_size(players)

    def groups(self, players: int) -> dict[Cell, list[Cell]]:
        """Cells whose mean is shown: all, those of each play and of each tower, and each cell alone."""
        cells = self.cells(players)
        plays = [Cell(play.name, "", "lineup") for play in self.plays_of(players)]
        every = [ALL, *plays, *(Cell("", tower, "lineup") for tower in self.towers), *cells]
        return {each: [cell for cell in cells if each.play in ("", cell.play) and each.tower in ("", cell.tower)]
                for each in every}  # fmt: skip

    def skill(self) -> dict[str, Experiment]:
        """The tables of four players under the first tower at which the player of line-up A is worse, by play."""
        home = {cell.play: experiment_of(HEAD_SIZE, cell) for cell in self.home_cells(HEAD_SIZE)}
        return {play: each.changed(seed=each.seed + SEEDS) for play, each in home.items() if play in WEAKER}

    def skill_blocks(self) -> int:
        """The blocks of numbers at those tables."""
        return min(self.blocks[HEAD_SIZE], ERRING_BLOCKS)


def design_of(choices: Choices) -> Design:
    """The design, with the chosen number of games as game numbers in every cell."""
    numbers, quick = choices.games, choices.quick
    blocks = dict.fromkeys(SIZES, QUICK_BLOCKS) if quick else dict(BLOCKS)
    land, read = QUICK_LAND_GAMES if quick else LAND_GAMES, FULL.read
    if numbers is not None:
        blocks = {size: max(1, numbers // block_size(size)) for size in SIZES}
        land, read = max(1, min(land, numbers // len(ways_of(HEAD_SIZE)))), min(read, blocks[HEAD_SIZE])
    if quick:
        return Design((HEAD_SIZE,), (MIDDLING, STRONG), CALIBRATIONS[:1], blocks, land, read, True)
    return Design(SIZES, tuple(play.name for play in plays_for(HEAD_SIZE)), CALIBRATIONS, blocks, land, read)


def adjustments_of(players: int, path: Path = ADJUSTMENTS) -> dict[str, Adjustment]:
    """The adjustments for a number of players, by kind."""
    return {adjustment.kind: adjustment for adjustment in read_adjustments(path) if adjustment.players == players}


class Means(NamedTuple):
    """The estimates of a cell or of a pool of them under one version, by letter.

    `shares` are wins in per cent, `points` victory points above the table's mean, without a handicap.
    """

    shares: dict[str, Estimate]
    points: dict[str, Estimate]


class Seats(NamedTuple):
    """What the seats of a cell have in a version: shares of wins in per cent and points above the mean, by seat.

    `wins` are the shares of seats but the last, float64 [numbers, seats - 1], less the fair one; `apart` are the wins
    of line-ups in an arrangement less those in the first, float64 [numbers, contrasts].
    """

    shares: list[Estimate]
    points: list[Estimate]
    wins: np.ndarray
    apart: np.ndarray


class OfSize(NamedTuple):
    """The results with a number of players: by cell and version; the seats and the handicap of each cell as printed.

    `read` are the means of the very games that the handicap was read from, over the cells of the search, as printed
    and with it; `again` is the handicap as these games give it now.
    """

    players: int
    cells: dict[Cell, dict[str, Means]]
    seats: dict[Cell, Seats]
    handicaps: dict[Cell, tuple[int, ...]]
    read: dict[str, Means]
    again: tuple[int, ...]

    @property
    def unseen(self) -> list[Cell]:
        """The cells that the search did not see."""
        return [cell for cell in self.cells if cell not in cells_of(self.players)]


class Lineups(NamedTuple):
    """The results by number of players; by play the worth of a line-up's land, and what A has more than C in `gaps`."""

    design: Design
    sizes: dict[int, OfSize]
    land: dict[str, dict[str, Estimate]]
    gaps: dict[str, Gaps]


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments: dict[str, list[Experiment]] = {}
    read: dict[str, Experiment] = {}
    for players in design.sizes:
        board = load_board()
        changes = [{}, *(adjustment.changes(board) for adjustment in adjustments_of(players).values())]
        for cell in design.cells(players):
            key = "/".join((str(players), *cell))
            experiments[key] = [experiment_of(players, cell, change) for change in changes]
        read |= {"/".join((str(players), *cell)): searched(players, cell) for cell in cells_of(players)}
    erring = {"tables": design.skill(), "weaker": WEAKER, "errors": ERRORS, "blocks": design.skill_blocks()}
    return {"experiments": experiments, "read": read, "mends": read_adjustments(), "design": design, "erring": erring}


def play(design: Design, storage: Storage) -> Lineups:
    """Play every version in every cell, and estimate."""
    cache, threads = storage.cache, checked_workers(storage.workers)
    sizes = {players: of_size(players, design, cache, threads) for players in design.sizes}
    plays = {cell.play: experiment_of(HEAD_SIZE, cell) for cell in design.home_cells(HEAD_SIZE)}
    land = worth_of_land(plays, design.land_games, cache, threads)
    return Lineups(design, sizes, land, all_gaps(design.skill(), design.skill_blocks(), cache, threads))


def of_size(players: int, design: Design, cache: Cache, workers: int) -> OfSize:
    """The results with a number of players."""
    adjustments, blocks, cells = adjustments_of(players), design.blocks[players], design.cells(players)

    def of_cell(cell: Cell) -> tuple[dict[str, Means], Seats, tuple[int, ...]]:
        def played(changes: Mapping[str, Any]) -> Played:
            return cached_games(experiment_of(players, cell, changes), blocks, cache)

        printed = played({})
        versions = by_version(printed, played, adjustments, load_board())
        return versions, seats_of(printed.arranged()), handicap_of([printed])

    def read(cell: Cell) -> Played:
        return cached_games(searched(players, cell), design.read, cache)

    with ThreadPoolExecutor(workers) as pool:
        found = dict(zip(cells, pool.map(of_cell, cells), strict=True))
        source = list(pool.map(read, cells_of(players)))
    given = {PRINTED: None, POINTS: adjustments[POINTS].halves}
    shares = {kind: pooled([means_of(games.arranged(halves)) for games in source]) for kind, halves in given.items()}
    return OfSize(
        players, {cell: means for cell, (means, _, _) in found.items()},
        {cell: seats for cell, (_, seats, _) in found.items()}, {cell: own for cell, (*_, own) in found.items()},
        shares, handicap_of(source),
    )  # fmt: skip


def by_version(
    printed: Played, play: Callable[[Mapping[str, Any]], Played], adjustments: Mapping[str, Adjustment], board: Board
) -> dict[str, Means]:
    """The means of printed games and of those with each adjustment; `play` plays those with changes of the set-up."""
    result = {PRINTED: means_of(printed.arranged())}
    for kind, adjustment in adjustments.items():
        games = printed if kind == POINTS else play(adjustment.changes(board))
        result[kind] = means_of(games.arranged(adjustment.halves or None))
    return result


def cached_games(experiment: Experiment, blocks: int, cache: Cache) -> Played:
    """The games of an experiment in all arrangements, from number 0 on, unless they are cached."""
    parts = experiment.components()

    def played(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        games = play_numbers(parts, experiment.seed, design["blocks"])
        return {"vp": games.vp, "thalers": games.thalers}

    result = cache.get("all arrangements", {"experiment": experiment, "blocks": blocks}, played)
    return Played(**result, by_thalers=parts.ruleset.final_tie == "thalers")


def means_of(games: Arranged) -> Means:
    """The means of the games of a cell."""
    above = games.vp - games.vp.mean(axis=2, keepdims=True)
    points = {letter: block_mean(above[:, :, at].mean(axis=1)) for at, letter in enumerate(games.letters)}
    return Means(games.shares(), points)


def seats_of(games: Arranged) -> Seats:
    """What the seats of a cell have; every line-up sits at each equally often."""
    above = games.vp - games.vp.mean(axis=2, keepdims=True)
    here = [games.seats == seat for seat in range(len(games.letters))]
    wins = np.stack([100 * games.wins[:, each].mean(axis=1) for each in here], axis=1)
    points = [block_mean(above[:, each].mean(axis=1)) for each in here]
    apart = games.wins[:, 1:, :-1] - games.wins[:, :1, :-1]
    fair = 100 / len(here)
    return Seats(games.shares_of_seats(), points, wins[:, :-1] - fair, apart.reshape(games.blocks, -1))


def mean_of(cells: Sequence[Estimate]) -> Estimate:
    """The mean over cells of the same game numbers, paired by number, each cell with the same weight."""
    return combined([1 / len(cells)] * len(cells), cells)


def pooled(cells: Sequence[Means]) -> Means:
    """The means over cells, by letter."""
    shares, points = ({letter: mean_of([each[part][letter] for each in cells]) for letter in cells[0][part]}
                      for part in range(2))  # fmt: skip
    return Means(shares, points)


def outcomes(versions: Mapping[str, Means]) -> dict[str, Estimate]:
    """The outcomes of a cell for the claims: line-up A's share, and by how much each adjustment lowers the spread."""
    spreads = {kind: spread_of(means.shares) for kind, means in versions.items()}
    first = letters_of(HEAD_SIZE)[0]
    result = {LEADER: versions[PRINTED].shares[first]}
    return result | {less_spread(kind): spreads[PRINTED] - spreads[kind] for kind in spreads if kind != PRINTED}


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 game numbers a player in all arrangements.

    A number is a unit. Its policies, tower, board, rules and seed are taken as they are; its arrangement of line-ups
    does not matter, since all are played. The adjustments are those for its number of players. Empty in a draft or a
    deal, and with an edited set-up; with other than four players, nothing is claimed of single line-ups. With `names`
    there are those outcomes alone, and no more is played than they need.
    """
    if experiment.setup != "lineup" or experiment.thalers or experiment.without or experiment.lineup:
        return {}
    wanted = {kind: each for kind, each in adjustments_of(experiment.players).items()
              if names is None or less_spread(kind) in names}  # fmt: skip

    def played(changes: Mapping[str, Any]) -> Played:
        return play_numbers(experiment.changed(**changes).components(), experiment.seed, blocks, workers)

    result = outcomes(by_version(played({}), played, wanted, experiment.components().board))
    unclaimed = {LEADER} if experiment.players != HEAD_SIZE else set()
    return {name: one for name, one in result.items() if name not in unclaimed and (names is None or name in names)}
