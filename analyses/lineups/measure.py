"""What the study `lineups` plays: every version of the line-ups in every cell, and what is estimated from the games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
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
from wallsim.stats.hotelling import JointTest, hotelling, hotelling_of_two
from wallsim.studies.cache import Cache
from wallsim.studies.games import block_size
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import plays_for
from wallsim.studies.study import Choices, Storage

from . import games as it
from . import search, worth
from .games import POINTS, PRINTED, VERSIONS, Played, adjustments_of, experiment_of, letters_of
from .search import SIZES, cells_of

HEAD_SIZE = SIZES[0]  # four players are the game of the headline
BLOCKS = {3: 222, 4: 166, 5: 132}  # of 6 numbers a player in every cell: about 4,000 numbers
QUICK_BLOCKS = 20
LAND_GAMES, QUICK_LAND_GAMES = 24, 17  # in each arrangement of every exchange
LEADER = "line-up A"
ALL = Cell("", "", "lineup")  # of means of all cells
# What a joint test publishes, by its part of the item, and what is tested.
TESTED = {
    "F": "F", "p": "p-value", "contrasts": "degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F",
}  # fmt: skip
FRESH, SEATS, WAYS = "test-of-fresh-games", "test-of-seats", "test-of-arrangements"
Found = dict[Key, Estimate]  # of cells


def less_spread(kind: str) -> str:
    """The outcome of an adjustment: the spread of wins as printed minus that with it, in percentage points."""
    return f"spread of wins as printed minus with {kind}"


CLAIMS = (
    Claim("Line-up A wins more than its share.", LEADER, 100 / HEAD_SIZE),
    *(Claim(f"Wins are spread less {it.WITH[kind]} than as printed.", less_spread(kind), 0) for kind in it.KINDS),
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
    read: int = search.FULL.read
    quick: bool = False

    def cells(self, players: int) -> list[Cell]:
        """All combinations of play and tower."""
        return [Cell(play.name, tower, "lineup") for play in self.plays_of(players) for tower in self.towers]

    def home_cells(self, players: int = HEAD_SIZE) -> list[Cell]:
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

    def skill(self) -> dict[Cell, Experiment]:
        """The tables of four players under the first tower at which the player of line-up A is worse, by cell."""
        home = {cell: experiment_of(HEAD_SIZE, cell) for cell in self.home_cells() if cell.play in worth.WEAKER}
        return {cell: each.changed(seed=each.seed + worth.SEEDS) for cell, each in home.items()}

    def skill_blocks(self) -> int:
        """The blocks of numbers at those tables."""
        return min(self.blocks[HEAD_SIZE], worth.BLOCKS)


def design_of(choices: Choices) -> Design:
    """The design, with the chosen number of games as game numbers in every cell."""
    numbers, quick = choices.games, choices.quick
    blocks = dict.fromkeys(SIZES, QUICK_BLOCKS) if quick else dict(BLOCKS)
    land, read = QUICK_LAND_GAMES if quick else LAND_GAMES, search.FULL.read
    if numbers is not None:
        blocks = {size: max(1, numbers // block_size(size)) for size in SIZES}
        land, read = max(1, min(land, numbers // len(it.ways_of(HEAD_SIZE)))), min(read, blocks[HEAD_SIZE])
    if quick:
        return Design((HEAD_SIZE,), (MIDDLING, STRONG), CALIBRATIONS[:1], blocks, land, read, True)
    return Design(SIZES, tuple(play.name for play in plays_for(HEAD_SIZE)), CALIBRATIONS, blocks, land, read)


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    board, experiments = load_board(), {}
    read: dict[str, Experiment] = {}
    for players in design.sizes:
        changes = [{}, *(each.changes(board) for each in adjustments_of(players).values())]
        for cell in design.cells(players):
            experiments["/".join((str(players), *cell))] = [experiment_of(players, cell, each) for each in changes]
        read |= {"/".join((str(players), *cell)): search.searched(players, cell) for cell in cells_of(players)}
    tables = {cell.play: table for cell, table in design.skill().items()}
    erring = {"tables": tables, "weaker": worth.WEAKER, "errors": worth.ERRORS, "blocks": design.skill_blocks()}
    mends = it.read_adjustments()
    return {"experiments": experiments, "read": read, "mends": mends, "design": design, "erring": erring}


def play(design: Design, storage: Storage) -> tuple[Design, dict[Key, Value]]:
    """Play every version in every cell, and estimate."""
    cache, workers = storage.cache, checked_workers(storage.workers)
    values: dict[Key, Value] = {}
    for players in design.sizes:
        cells = design.cells(players)
        read = [search.searched(players, cell) for cell in cells_of(players)]
        with ThreadPoolExecutor(workers) as pool:
            played = list(pool.map(partial(in_cell, players, design.blocks[players], cache), cells))
            source = list(pool.map(lambda each: cached_games(each, design.read, cache), read))
        found = {key: each for estimates, _ in played for key, each in estimates.items()}
        values.update(of_wins(design, players, found))
        values.update(of_handicaps(design, players, found, source, [own for _, own in played]))
        values.update(of_seats(cells, players, found))
        values.update(of_land(cells, players, found))
    home = {cell: experiment_of(HEAD_SIZE, cell) for cell in design.home_cells()}
    values.update(worth.gaps(design.skill(), design.skill_blocks(), cache, workers))
    values.update(worth.worth_of_land(home, design.land_games, cache, workers))
    return design, values


def in_cell(players: int, blocks: int, cache: Cache, cell: Cell) -> tuple[Found, tuple[int, ...]]:
    """The estimates of a cell, and the handicap that levels it alone."""

    def played(changes: Mapping[str, Any]) -> Played:
        return cached_games(experiment_of(players, cell, changes), blocks, cache)

    printed = played({})
    return by_version(printed, played, adjustments_of(players), load_board(), cell), it.handicap_of([printed])


def by_version(
    printed: Played, play: Callable[[Mapping[str, Any]], Played], adjustments: Mapping[str, it.Adjustment],
    board: Board, cell: Cell = ALL,
) -> Found:  # fmt: skip
    """The estimates of printed games and of those with each adjustment; `play` plays those with an edited set-up."""
    result = dict(estimates_of(printed.arranged(), PRINTED, cell))
    for kind, each in adjustments.items():
        games = printed if kind == POINTS else play(each.changes(board))
        result |= estimates_of(games.arranged(each.halves or None), kind, cell)
    return result


def cached_games(experiment: Experiment, blocks: int, cache: Cache) -> Played:
    """The games of an experiment in all arrangements, from number 0 on, unless they are cached."""
    parts = experiment.components()

    def played(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        games = it.play(parts, experiment.seed, design["blocks"])
        return {"vp": games.vp, "thalers": games.thalers}

    result = cache.get("all arrangements", {"experiment": experiment, "blocks": blocks}, played)
    return Played(**result, by_thalers=parts.ruleset.final_tie == "thalers")


def estimates_of(games: Arranged, version: str, cell: Cell = ALL) -> Iterator[tuple[Key, Estimate]]:
    """The spread of wins, and of each line-up the wins in per cent and the points above the table's mean.

    As printed also those of each seat, where every line-up sits equally often; and for a joint test the wins in each
    arrangement less those in the first, of all line-ups but the last, whose wins follow.
    """
    shares, above, size = games.shares(), games.vp - games.vp.mean(axis=2, keepdims=True), len(games.letters)
    yield Key("spread", version, size, cell), it.spread_of(shares)
    for at, letter in enumerate(games.letters):
        yield Key("wins", item(letter, version), size, cell), shares[letter]
        yield Key("points", item(letter, version), size, cell), block_mean(above[:, :, at].mean(axis=1))
    if version == PRINTED:
        for seat, share in enumerate(games.shares_of_seats()):
            here = above[:, games.seats == seat].mean(axis=1)
            yield Key("seat-wins", f"seat {seat}", size, cell), share
            yield Key("seat-points", f"seat {seat}", size, cell), block_mean(here)
        for way, at in product(range(1, len(games.arrangements)), range(size - 1)):
            yield Key(WAYS, f"{way} {at}", size, cell), block_mean(games.wins[:, way, at] - games.wins[:, 0, at])


def mean(found: Found, key: Key, cells: Sequence[Cell]) -> Estimate:
    """The mean over cells of the same game numbers, paired by number, each cell with the same weight."""
    return combined([1 / len(cells)] * len(cells), [found[key._replace(cell=cell)] for cell in cells])


def unseen(design: Design, players: int) -> list[Cell]:
    """The cells that the search did not see."""
    return [cell for cell in design.cells(players) if cell not in cells_of(players)]


def of_wins(design: Design, players: int, found: Found) -> Iterator[tuple[Key, Value]]:
    """The wins of every version and their spread, in cells and as means of cells; None for a mean of none."""
    letters, cells = letters_of(players), design.cells(players)
    for group, members in design.groups(players).items():
        for letter in letters:
            for quantity in ("wins", "points"):
                yield Key(quantity, letter, players, group), mean(found, Key(quantity, letter, players), members)
    for version in VERSIONS:
        for name in (item(letter, version) for letter in letters):
            share, at = mean(found, Key("wins", name, players), cells), (name, players, ALL)
            if version == PRINTED:
                yield Key("headline", *at), share
            yield Key("wins-by-version", *at), share
            yield Key("wins-from-fair", *at), Estimate(share.value - 100 / players, share.influence)
            for cell in cells:
                yield Key(of_cell(version), name, players, cell), found[Key("wins", name, players, cell)]
    foreign = [cell for cell in cells if cell.play not in search.PLAYS and cell.tower not in search.TOWERS]
    for version in VERSIONS:
        spread = Key("spread", version, players)
        yield from ((key, found[key]) for key in (spread._replace(cell=cell) for cell in cells))
        for end, members in (("", cells), ("-unseen", unseen(design, players)), ("-foreign", foreign)):
            key = Key(f"mean-spread{end}", version, players, ALL)
            yield key, mean(found, spread, members) if members else None


def of_handicaps(
    design: Design, players: int, found: Found, source: Sequence[Played], own: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Key, Value]]:
    """The handicap and what it does in the games that it was read from, in fresh ones, and in other cells; Thalers."""
    cells, adjustments, again = cells_of(players), adjustments_of(players), it.handicap_of(source)
    seen, others = cells if set(cells) <= set(design.cells(players)) else [], unseen(design, players)
    read: Found = {}
    for cell, games in zip(cells, source, strict=True):
        for kind, halves in ((PRINTED, None), (POINTS, adjustments[POINTS].halves)):
            read |= estimates_of(games.arranged(halves), kind, cell)
    wins = (("wins-read-from", read, PRINTED, cells), ("wins-read-with-handicap", read, POINTS, cells),
            ("wins-fresh", found, POINTS, seen), ("wins-other-cells", found, POINTS, others))  # fmt: skip
    for at, letter in enumerate(letters_of(players)):
        for quantity, where, kind, members in wins:
            share = mean(where, Key("wins", item(letter, kind), players), members) if members else None
            yield Key(quantity, letter, players, ALL), share
        yield Key("handicap", letter, players, ALL), Number(adjustments[POINTS].halves[at] / 2)
        yield Key("handicap-read-again", letter, players, ALL), Number(again[at] / 2)
        yield Key("start-Thalers", letter, players, ALL), Number(adjustments[it.THALERS].thalers[at])
        for cell, halves in zip(design.cells(players), own, strict=True):
            value = Number(halves[at] / 2, n=design.numbers(players))
            yield Key("handicap-of-cell", letter, players, cell), value
    if seen:
        keys = [Key("wins", item(letter, POINTS), players) for letter in letters_of(players)[:-1]]
        two = (by_number(mean(games, key, cells) for key in keys) for games in (read, found))
        yield from tested(FRESH, players, hotelling_of_two(*two))


def by_number(estimates: Iterable[Estimate]) -> np.ndarray:
    """The numbers of which estimates are the means, [numbers, estimates]."""
    return np.stack([each.value + each.influence for each in estimates], axis=1)


def tested(quantity: str, players: int, test: JointTest | None) -> Iterator[tuple[Key, Value]]:
    """A joint test, if it was possible."""
    if test is not None:
        for name, value in zip(TESTED, (test.f, test.p_value, *test.degrees), strict=True):
            yield Key(quantity, name, players, ALL), Number(value, n=test.blocks)


def of_seats(cells: Sequence[Cell], players: int, found: Found) -> Iterator[tuple[Key, Value]]:
    """What seats win and score, and the joint tests over all cells of seats and arrangements."""
    for seat in range(players):
        for quantity in ("seat-wins", "seat-points"):
            key = Key(quantity, f"seat {seat}", players)
            yield key._replace(cell=ALL), mean(found, key, cells)
            yield from ((each, found[each]) for each in (key._replace(cell=cell) for cell in cells))
    wins = (found[Key("seat-wins", f"seat {seat}", players, cell)] for cell in cells for seat in range(players - 1))
    yield from tested(SEATS, players, hotelling(by_number(wins) - 100 / players))
    yield from tested(WAYS, players, hotelling(by_number(each for key, each in found.items() if key.quantity == WAYS)))


def of_land(cells: Sequence[Cell], players: int, found: Found) -> Iterator[tuple[Key, Value]]:
    """What each line-up has on the map, and its points: as printed, and of the two that exchange counties."""
    board = load_board()
    for version, edited in ((PRINTED, {}), (it.COUNTIES, adjustments_of(players)[it.COUNTIES].edited(board))):
        land = worth.lands(board, players, edited)
        for letter in edited or land:
            name = item(letter, version)
            for feature, count in land[letter].items():
                yield Key("land", f"{name} {feature}", players, ALL), Number(count)
            points = Key("points", name, players)
            yield Key("points-by-land", name, players, ALL), mean(found, points, cells)
            for cell in cells if edited else ():
                yield points._replace(cell=cell), found[points._replace(cell=cell)]


def item(letter: str, version: str) -> str:
    """The item of a line-up under a version: its letter alone as printed."""
    return letter if version == PRINTED else f"{letter} {version}"


def of_cell(version: str) -> str:
    """The quantity of the wins of a version in a cell, one of the family of all versions."""
    return "wins-of-all-versions" if version == PRINTED else "wins"


def outcomes(found: Mapping[Key, Any], players: int, cell: Cell = ALL) -> dict[str, Estimate]:
    """The outcomes of a cell for the claims: line-up A's share, and by how much each adjustment lowers the spread."""
    spreads = {kind: found[key] for kind in VERSIONS if (key := Key("spread", kind, players, cell)) in found}
    result = {LEADER: found[Key("wins", letters_of(players)[0], players, cell)]}
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
    players = experiment.players
    wanted = {kind: each for kind, each in adjustments_of(players).items()
              if names is None or less_spread(kind) in names}  # fmt: skip

    def played(changes: Mapping[str, Any]) -> Played:
        return it.play(experiment.changed(**changes).components(), experiment.seed, blocks, workers)

    result = outcomes(by_version(played({}), played, wanted, experiment.components().board), players)
    claimed = {claim.outcome for claim in claims(players)}
    return {name: one for name, one in result.items() if name in claimed and (names is None or name in names)}
