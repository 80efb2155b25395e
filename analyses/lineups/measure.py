"""What the study `lineups` plays: the printed line-ups in every cell, each fix where it is meant, and the estimates."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.games.arrangements import Arranged
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.play.parallel import checked_workers
from wallsim.rules.board import load_board
from wallsim.stats.blocks import Estimate, Measured, block_mean, combined
from wallsim.stats.screening import JointTest, hotelling
from wallsim.studies.claims import claim_quantity, claim_values
from wallsim.studies.quantities import About, Key, Number, Quantity, Value
from wallsim.studies.study import Storage

from . import games as it
from . import worth
from .games import FIXED_PLAYS, HEAD_SIZE, KINDS, POINTS, PRINTED, THALERS, WITH, Design, Played, fixes_of, letters_of
from .worth import BETTER, OUTCOMES, WORSE

LEADER = "line-up A"
ALL = Cell("", "", "lineup")  # of means of all cells
# What a joint test publishes, by its part of the item, and what is tested.
TESTED = {
    "F": "F", "p": "p-value", "contrasts": "degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F",
}  # fmt: skip
SEATS, WAYS = "test-of-seats", "test-of-arrangements"
Found = dict[Key, Estimate]  # of cells


CLAIMS = (Claim("Line-up A wins more than its share.", LEADER, 100 / HEAD_SIZE),)
GAP = "% points"
UNITS = {LEADER: "%"}


def claims(players: int) -> list[Claim]:
    """The claims judged with a number of players: that of line-up A with four players only."""
    return [*CLAIMS] if players == HEAD_SIZE else []


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments = {}
    for players, cell in product(design.sizes, design.cells):
        printed = it.experiment_of(players, cell)
        fixes = fixes_of(players, cell.play).values()
        changes = [{}, *(each.changes(load_board()) for each in fixes)]
        experiments["/".join((str(players), *cell))] = [printed.changed(**each) for each in changes]
    tables = {cell.play: table for cell, table in worth.tables_of(design).items()}
    erring = {"tables": tables, "weaker": worth.WEAKER, "errors": worth.ERRORS, "blocks": worth.blocks_of(design)}
    return {"experiments": experiments, "mends": it.read_fixes(), "design": design, "erring": erring}


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play every version in its cells, and estimate; last the outcomes of the claims."""
    values: dict[Key, Value] = {}
    for players in design.sizes:
        cells, blocks, found = design.cells, design.blocks[players], Found()
        with ThreadPoolExecutor(checked_workers(storage.workers)) as pool:
            for estimates, imbalances in pool.map(partial(in_cell, players, blocks, storage), cells):
                found |= estimates
                values |= imbalances
        values |= of_wins(cells, players, found)
        values |= of_fixes(players)
        values |= of_seats(cells, players, found)
        values |= of_land(cells, players, found)
    values |= worth.gaps(design, storage)
    values |= worth.worth_of_land(design, storage)
    return published(design, values)


def published(design: Design, values: Mapping[Key, Any]) -> dict[Key, Value]:
    """The values with what means are of in their words, and the outcomes of the claims in all cells."""
    about = {cell: f", mean of {len(cells)} cells" for cell, cells in groups_of(design.cells).items()
             if not (cell.play and cell.tower)}  # fmt: skip
    result = {key: About(each, about[key.cell]) if key.cell in about else each for key, each in values.items()}
    for players in filter(claims, design.sizes):
        cells = {cell: outcomes(values, players, cell) for cell in design.cells}
        result |= claim_values(claims(players), cells, players)
    return result


def in_cell(players: int, blocks: int, storage: Storage, cell: Cell) -> tuple[Found, dict[Key, Measured]]:
    """The estimates of a cell and its imbalances: as printed, and with the fixes for its bots."""
    board, experiment = load_board(), it.experiment_of(players, cell)
    games = {PRINTED: cached_games(experiment, blocks, storage)}
    found, handicaps = Found(), dict[str, tuple[int, ...]]()
    known, setups = fixes_of(players, cell.play), {experiment.hash(): games[PRINTED]}
    for kind, fix in known.items():
        changed, handicaps[kind] = experiment.changed(**fix.changes(board)), fix.points
        if (setup := changed.hash()) not in setups:
            setups[setup] = cached_games(changed, blocks, storage)
        games[kind] = setups[setup]
    for version, played in games.items():
        found |= estimates_of(played.arranged(handicaps.get(version, ())), version, cell)
    return found, {Key("imbalance", version, players, cell): played.imbalance(handicaps.get(version, ()))
                   for version, played in games.items()}  # fmt: skip


def cached_games(experiment: Experiment, blocks: int, storage: Storage) -> Played:
    """The games of an experiment in all arrangements, from number 0 on, unless they are cached."""

    def played(facts: Mapping[str, Any]) -> dict[str, np.ndarray]:
        return it.play(experiment.components(), experiment.seed, facts["blocks"])._asdict()

    return Played(**storage.cache.get("all arrangements", {"experiment": experiment, "blocks": blocks}, played))


def estimates_of(games: Arranged, version: str, cell: Cell = ALL) -> Iterator[tuple[Key, Estimate]]:
    """Of each line-up the wins in per cent and the points above the table's mean.

    As printed also those of each seat, where every line-up sits equally often; and for a joint test the wins in each
    arrangement less those in the first, of all line-ups but the last, whose wins follow.
    """
    shares, above, size = games.shares(), games.vp - games.vp.mean(axis=2, keepdims=True), len(games.letters)
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


def means(
    found: Found, key: Key, groups: Mapping[Cell, Sequence[Cell]], named: Key | None = None
) -> Iterator[tuple[Key, Estimate | None]]:
    """The mean over the cells of each group, by a key of another name if one is given; None for a group of none."""
    for group, cells in groups.items():
        yield (named or key)._replace(cell=group), mean(found, key, cells) if cells else None


def groups_of(cells: Sequence[Cell]) -> dict[Cell, list[Cell]]:
    """Cells whose mean is shown: all, those of each play and of each tower, and each cell alone.

    A play or a tower with a single cell is that cell.
    """
    plays = (Cell(cell.play, "", "lineup") for cell in cells)
    towers = (Cell("", cell.tower, "lineup") for cell in cells)
    groups = {each: [cell for cell in cells if each.play in ("", cell.play) and each.tower in ("", cell.tower)]
              for each in dict.fromkeys((ALL, *plays, *towers, *cells))}  # fmt: skip
    return {group: each for group, each in groups.items() if group in (ALL, *cells) or len(each) > 1}


def of_wins(cells: Sequence[Cell], players: int, found: Found) -> Iterator[tuple[Key, Value]]:
    """The wins and points as printed, in cells and as means of cells, and the wins with each fix where it is meant."""
    for letter in letters_of(players):
        for quantity in ("wins", "points"):
            yield from means(found, Key(quantity, letter, players), groups_of(cells))
        yield Key("headline", letter, players, ALL), mean(found, Key("wins", letter, players), cells)
        for cell, kind in product(cells, KINDS):
            if (key := Key("wins", item(letter, kind), players, cell)) in found:
                yield key, found[key]


def of_fixes(players: int) -> Iterator[tuple[Key, Value]]:
    """The handicap and the Thalers of the fixes for each kind of bots."""
    for play in FIXED_PLAYS:
        known, cell = fixes_of(players, play), Cell(play, "", "lineup")
        for quantity, given in (("handicap", known[POINTS].points), ("start-Thalers", known[THALERS].thalers)):
            for letter, amount in zip(letters_of(players), given, strict=True):
                yield Key(quantity, letter, players, cell), Number(amount)


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
    for seat, quantity in product(range(players), ("seat-wins", "seat-points")):
        key = Key(quantity, f"seat {seat}", players)
        yield from means(found, key, {ALL: cells, **{cell: [cell] for cell in cells}})
    wins = (found[Key("seat-wins", f"seat {seat}", players, cell)] for cell in cells for seat in range(players - 1))
    yield from tested(SEATS, players, hotelling(by_number(wins) - 100 / players))
    ways = (each for key, each in found.items() if key.quantity == WAYS and key.cell in cells)
    yield from tested(WAYS, players, hotelling(by_number(ways)))


def of_land(cells: Sequence[Cell], players: int, found: Found) -> Iterator[tuple[Key, Value]]:
    """What each printed line-up has on the map, and its points."""
    for letter, land in worth.lands(load_board(), players).items():
        key = Key("points", letter, players)
        for feature, count in land.items():
            yield Key("land", f"{letter} {feature}", players, ALL), Number(count)
        yield from means(found, key, {ALL: cells}, key._replace(quantity="points-by-land"))


def item(letter: str, version: str) -> str:
    """The item of a line-up under a version: its letter alone as printed."""
    return letter if version == PRINTED else f"{letter} {version}"


def outcomes(found: Mapping[Key, Any], players: int, cell: Cell = ALL) -> dict[str, Estimate]:
    """The outcome of a cell for the claim: line-up A's share."""
    return {LEADER: found[Key("wins", letters_of(players)[0], players, cell)]}


def claim_outcomes(experiment: Experiment, blocks: int, names: Collection[str] | None = None) -> dict[str, Estimate]:
    """The outcome of CLAIMS under any experiment, from blocks of 6 game numbers a player in all arrangements.

    A number is a unit. Empty in a draft or a deal, with an edited set-up, and with other than four players; and where
    `names` are others.
    """
    if experiment.setup != "lineup" or experiment.thalers or experiment.without or experiment.lineup:
        return {}
    if not claims(experiment.players) or (names is not None and LEADER not in names):
        return {}
    found = dict(estimates_of(it.play(experiment.components(), experiment.seed, blocks).arranged(), PRINTED))
    return outcomes(found, experiment.players)


def named(feature: str) -> str:
    """A feature of land in words: an item has no apostrophe."""
    return feature.replace("free counties", "nobody's")


def _of_lineup(text: str, key: Key) -> str:
    # Words with the line-up and its version as {lineup}, and {feature} of its land.
    letter, _, rest = key.item.partition(" ")
    version = next((kind for kind in KINDS if rest.startswith(kind)), PRINTED)
    words = text.replace("{feature}", named(rest.removeprefix(version).strip()))
    return words.replace("{lineup}", f"line-up {letter} {WITH[version]}")


def _of_version(key: Key) -> Hashable:
    # As printed a table holds together, in which means of cells have cells as well; fixes do in all cells.
    return (key.quantity, key.players) if len(key.item) == 1 else "fixes"


def _gap(key: Key) -> str:
    what = f"{key.quantity.rpartition('-')[2]} of line-up {BETTER} less those of {WORSE} at one table"
    if key.item == worth.WEAKER_PLAYER:
        return f"{what}, {BETTER} played by {worth.WEAKER[key.cell.play]} play"
    return f"{what}, {BETTER}'s player with added {key.item.removeprefix('with ')} in judging every option"


def _test(name: str, tested: str) -> Quantity:
    return Quantity(name, lambda key: f"{TESTED[key.item]} of the joint test that {tested}", "number")


WINS = partial(_of_lineup, "wins of {lineup}{about}")
ABOVE = partial(_of_lineup, "victory points above the mean of the table of {lineup}{about}")
_SHARE = partial(Quantity, unit="%", null=lambda key: 100 / key.players)
_ALL = partial(Quantity, together=())
_SEATS = partial(Quantity, together=lambda key: ("seats", key.cell == ALL), hides=lambda row: row.play != "")
_SEARCHED = partial(Quantity, seed=lambda _: it.SEED)
_SKILL = partial(_ALL, family="skill", seed=lambda _: load_experiment(it.EXPERIMENT).seed + worth.SEEDS)
QUANTITIES = (
    _SHARE("wins", WINS, together=_of_version, shown="picture"),
    Quantity("points", ABOVE, null=0, together=_of_version, shown="tables of printed line-ups"),
    _SHARE("headline", WINS, together=("players",), shown="notebook"),
    _ALL("imbalance", lambda key: f"imbalance of wins {WITH[key.item]}: standard deviation around the fair share, "
                                  "without what chance adds", GAP, shown="first screen"),
    _SEARCHED("handicap", "points at the end that level the wins most, line-up {item}"),
    _SEARCHED("start-Thalers", "Thalers at the start that level the wins most, line-up {item}", "Thalers",
              shown="notebook"),
    _test(SEATS, "seats win alike in all cells"),
    _test(WAYS, "the wins of line-ups do not depend on which of them sits where"),
    _SEATS("seat-wins", "wins of {item}, all line-ups alike{about}", "%", lambda key: 100 / key.players),
    _SEATS("seat-points", "victory points above the table's mean of {item}, all line-ups alike{about}", null=0),
    Quantity("land", partial(_of_lineup, "{feature} of {lineup}"), "number"),
    _ALL("points-by-land", ABOVE, null=0),
    *(_SKILL(f"A-less-C-in-{what}", _gap, "VP" if what == "points" else GAP, 0) for what in OUTCOMES),
    *(_SKILL(f"errors-that-level-A-and-C-in-{what}",
             f"added errors of {BETTER}'s player at which {BETTER} and {WORSE} have the same {what}")
      for what in OUTCOMES),
    _ALL("worth-of-land", lambda key: f"points that one more of a line-up's {named(key.item)} brings", null=0),
    claim_quantity(CLAIMS, UNITS),
)  # fmt: skip
