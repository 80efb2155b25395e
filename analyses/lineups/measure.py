"""What the study `lineups` plays: every version of the line-ups in every cell, and what is estimated from the games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
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
from wallsim.stats.blocks import Estimate, block_mean, combined
from wallsim.stats.screening import JointTest, hotelling, hotelling_of_two
from wallsim.studies.claims import claim_quantity, claim_values
from wallsim.studies.quantities import About, Key, Number, Quantity, Value
from wallsim.studies.study import Storage

from . import games as it
from . import worth
from .games import HEAD_SIZE, KINDS, POINTS, PRINTED, VERSIONS, WITH, Design, Played, adjustments_of, letters_of
from .worth import BETTER, OUTCOMES, WORSE

LEADER = "line-up A"
ALL = Cell("", "", "lineup")  # of means of all cells
ALL_VERSIONS = "wins-of-all-versions"  # the wins as printed once more, in the family of all versions
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
    *(Claim(f"Wins are spread less {WITH[kind]} than as printed.", less_spread(kind), 0) for kind in KINDS),
)
GAP = "% points"
UNITS = {claim.outcome: "%" if claim.outcome == LEADER else GAP for claim in CLAIMS}


def claims(players: int) -> list[Claim]:
    """The claims judged with a number of players: that of line-up A with four players only."""
    return [claim for claim in CLAIMS if players == HEAD_SIZE or claim.outcome != LEADER]


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    board, experiments = load_board(), {}
    read: dict[str, Experiment] = {}
    for players in design.sizes:
        changes = [{}, *(each.changes(board) for each in adjustments_of(players).values())]
        for cell in dict.fromkeys((*design.cells, *it.cells_of(players))):
            printed = it.experiment_of(players, cell)
            experiments["/".join((str(players), *cell))] = [printed.changed(**each) for each in changes]
        read |= {"/".join((str(players), *cell)): it.searched(players, cell) for cell in it.cells_of(players)}
    tables = {cell.play: table for cell, table in worth.tables_of(design).items()}
    erring = {"tables": tables, "weaker": worth.WEAKER, "errors": worth.ERRORS, "blocks": worth.blocks_of(design)}
    mends = it.read_adjustments()
    return {"experiments": experiments, "read": read, "mends": mends, "design": design, "erring": erring}


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play every version in every cell, and estimate; last the outcomes of the claims."""
    values: dict[Key, Value] = {}
    for players in design.sizes:
        cells, known, blocks = design.cells, it.cells_of(players), design.blocks[players]
        with ThreadPoolExecutor(checked_workers(storage.workers)) as pool:
            played = list(pool.map(partial(in_cell, players, blocks, storage), cells))
            read = [it.searched(players, cell) for cell in known]
            source = list(pool.map(lambda each: cached_games(each, design.read, storage), read))
        found = {key: each for estimates, _ in played for key, each in estimates.items()}
        for cell in known:  # what is no setting of the study has the handicap alone, to compare it with what was read
            if cell not in cells:
                found |= in_cell(players, blocks, storage, cell, (POINTS,))[0]
        values |= of_wins(cells, players, found)
        values |= of_handicaps(cells, players, found, source)
        for cell, (_, halves) in zip(cells, played, strict=True):
            for letter, half in zip(letters_of(players), halves, strict=True):
                values[Key("handicap-of-cell", letter, players, cell)] = Number(half / 2, n=design.numbers(players))
        values |= of_seats(cells, players, found)
        values |= of_land(cells, players, found)
    values |= worth.gaps(design, storage)
    values |= worth.worth_of_land(design, storage)
    return published(design, values)


def published(design: Design, values: Mapping[Key, Any]) -> dict[Key, Value]:
    """The values with what means are of in their words, and the outcomes of the claims in all cells."""
    result = {key: each if key.cell.play and key.cell.tower else About(each, mean_of(design, key))
              for key, each in values.items()}  # fmt: skip
    for players in design.sizes:
        cells = {cell: outcomes(values, players, cell) for cell in design.cells}
        result |= claim_values(claims(players), cells, players)
    return result


def mean_of(design: Design, key: Key) -> str:
    """Of how many cells a figure is the mean, for the end of its words."""
    return f", mean of {len(groups_of(design.cells)[key.cell])} cells"


def in_cell(
    players: int, blocks: int, storage: Storage, cell: Cell, kinds: Sequence[str] = KINDS
) -> tuple[Found, tuple[int, ...]]:
    """The estimates of a cell, and the handicap that levels it alone."""
    play = partial(cached_games, blocks=blocks, storage=storage)
    found, printed = by_version(it.experiment_of(players, cell), play, kinds, cell)
    return found, it.handicap_of([printed])


def by_version(
    experiment: Experiment, play: Callable[[Experiment], Played], kinds: Sequence[str], cell: Cell = ALL
) -> tuple[Found, Played]:
    """The estimates of an experiment's games as printed and with some kinds of adjustments; and the printed games."""
    board, printed = experiment.components().board, play(experiment)
    found = dict(estimates_of(printed.arranged(), PRINTED, cell))
    for kind in kinds:
        each = adjustments_of(experiment.players)[kind]
        games = printed if kind == POINTS else play(experiment.changed(**each.changes(board)))
        found |= estimates_of(games.arranged(each.halves or None), kind, cell)
    return found, printed


def cached_games(experiment: Experiment, blocks: int, storage: Storage) -> Played:
    """The games of an experiment in all arrangements, from number 0 on, unless they are cached."""

    def played(facts: Mapping[str, Any]) -> dict[str, np.ndarray]:
        return it.play(experiment.components(), experiment.seed, facts["blocks"])._asdict()

    return Played(**storage.cache.get("all arrangements", {"experiment": experiment, "blocks": blocks}, played))


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
    """The wins of every version and their spread, in cells and as means of cells."""
    alone, letters = {cell: [cell] for cell in cells}, letters_of(players)
    for quantity, letter in product(("wins", "points"), letters):
        yield from means(found, Key(quantity, letter, players), groups_of(cells))
    for version, letter in product(VERSIONS, letters):
        key = Key("wins", item(letter, version), players, ALL)
        share = mean(found, key, cells)
        if version == PRINTED:
            yield key._replace(quantity="headline"), share
        yield key._replace(quantity="wins-by-version"), share
        yield key._replace(quantity="wins-from-fair"), Estimate(share.value - 100 / players, share.influence)
        yield from means(found, key, alone, key._replace(quantity=ALL_VERSIONS if version == PRINTED else "wins"))
    unseen = [cell for cell in cells if cell not in it.cells_of(players)]
    foreign = [cell for cell in cells if cell.play not in it.PLAYS and cell.tower not in it.TOWERS]
    for version in VERSIONS:
        key = Key("spread", version, players)
        yield from means(found, key, alone)
        for end, members in (("", cells), ("-unseen", unseen), ("-foreign", foreign)):
            yield from means(found, key, {ALL: members}, key._replace(quantity=f"mean-spread{end}"))


def of_handicaps(
    cells: Sequence[Cell], players: int, found: Found, source: Sequence[Played]
) -> Iterator[tuple[Key, Value]]:
    """The handicap and what it does in the games that it was read from, in fresh ones, and in other cells; Thalers."""
    known, adjustments, again = it.cells_of(players), adjustments_of(players), it.handicap_of(source)
    others = [cell for cell in cells if cell not in known]
    halves, read = adjustments[POINTS].halves, Found()
    for cell, games in zip(known, source, strict=True):
        read |= estimates_of(games.arranged(), PRINTED, cell)
        read |= estimates_of(games.arranged(halves), POINTS, cell)
    for at, letter in enumerate(letters_of(players)):
        key, with_handicap = Key("wins", letter, players, ALL), Key("wins", item(letter, POINTS), players)
        for quantity, where, wins, members in (
            ("wins-read-from", read, key, known), ("wins-read-with-handicap", read, with_handicap, known),
            ("wins-fresh", found, with_handicap, known), ("wins-other-cells", found, with_handicap, others),
        ):  # fmt: skip
            yield from means(where, wins, {ALL: members}, key._replace(quantity=quantity))
        yield key._replace(quantity="handicap"), Number(halves[at] / 2)
        yield key._replace(quantity="handicap-read-again"), Number(again[at] / 2)
        yield key._replace(quantity="start-Thalers"), Number(adjustments[it.THALERS].thalers[at])
    keys = [Key("wins", item(letter, POINTS), players) for letter in letters_of(players)[:-1]]
    two = (by_number(mean(games, key, known) for key in keys) for games in (read, found))
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
    for seat, quantity in product(range(players), ("seat-wins", "seat-points")):
        key = Key(quantity, f"seat {seat}", players)
        yield from means(found, key, {ALL: cells, **{cell: [cell] for cell in cells}})
    wins = (found[Key("seat-wins", f"seat {seat}", players, cell)] for cell in cells for seat in range(players - 1))
    yield from tested(SEATS, players, hotelling(by_number(wins) - 100 / players))
    ways = (each for key, each in found.items() if key.quantity == WAYS and key.cell in cells)
    yield from tested(WAYS, players, hotelling(by_number(ways)))


def of_land(cells: Sequence[Cell], players: int, found: Found) -> Iterator[tuple[Key, Value]]:
    """What each line-up has on the map, and its points: as printed, and of the two that exchange counties."""
    board = load_board()
    for version, edited in ((PRINTED, {}), (it.COUNTIES, adjustments_of(players)[it.COUNTIES].edited(board))):
        land = worth.lands(board, players, edited)
        for letter in edited or land:
            key = Key("points", item(letter, version), players)
            for feature, count in land[letter].items():
                yield Key("land", f"{key.item} {feature}", players, ALL), Number(count)
            yield from means(found, key, {ALL: cells}, key._replace(quantity="points-by-land"))
            yield from means(found, key, {cell: [cell] for cell in cells if edited})


def item(letter: str, version: str) -> str:
    """The item of a line-up under a version: its letter alone as printed."""
    return letter if version == PRINTED else f"{letter} {version}"


def outcomes(found: Mapping[Key, Any], players: int, cell: Cell = ALL) -> dict[str, Estimate]:
    """The outcomes of a cell for the claims: line-up A's share, and by how much each adjustment lowers the spread."""
    spreads = {kind: found[key] for kind in VERSIONS if (key := Key("spread", kind, players, cell)) in found}
    result = {LEADER: found[Key("wins", letters_of(players)[0], players, cell)]}
    return result | {less_spread(kind): spreads[PRINTED] - spreads[kind] for kind in spreads if kind != PRINTED}


def claim_outcomes(experiment: Experiment, blocks: int, names: Collection[str] | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 game numbers a player in all arrangements.

    A number is a unit. The adjustments are those for its number of players. Empty in a draft or a deal, and with an
    edited set-up; with other than four players, nothing is claimed of single line-ups. With `names` there are those
    outcomes alone, and no more is played than they need.
    """
    if experiment.setup != "lineup" or experiment.thalers or experiment.without or experiment.lineup:
        return {}
    kinds = [kind for kind in KINDS if names is None or less_spread(kind) in names]
    found, _ = by_version(experiment, lambda each: it.play(each.components(), each.seed, blocks), kinds)
    claimed = {claim.outcome for claim in claims(experiment.players) if names is None or claim.outcome in names}
    return {name: one for name, one in outcomes(found, experiment.players).items() if name in claimed}


def named(feature: str) -> str:
    """A feature of land in words: an item has no apostrophe."""
    return feature.replace("free counties", "nobody's")


def _of_lineup(text: str, key: Key) -> str:
    # Words with the line-up and its version as {lineup}, and {feature} of its land.
    letter, _, rest = key.item.partition(" ")
    version = next((kind for kind in KINDS if rest.startswith(kind)), PRINTED)
    words = text.replace("{feature}", named(rest.removeprefix(version).strip()))
    return words.replace("{lineup}", f"line-up {letter} {WITH[version]}")


def _spread(of: str, key: Key) -> str:
    return f"spread of wins {WITH[key.item]}: standard deviation around the fair share{of}"


def _of_version(key: Key) -> Hashable:
    # As printed a table holds together, in which means of cells have cells as well; versions do in all cells.
    if len(key.item) == 1 and key.quantity != ALL_VERSIONS:
        return key.quantity, key.players
    return "exchanged" if key.quantity == "points" else "levels"


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
_SPREAD = partial(_ALL, unit=GAP, family="mean spreads")
_SEATS = partial(Quantity, together=lambda key: ("seats", key.cell == ALL), hides=lambda row: row.play != "")
_SEARCHED = partial(Quantity, seed=lambda _: it.SEED)
_HANDICAP = partial(_SHARE, together=(), family="handicap")
_SKILL = partial(_ALL, family="skill", seed=lambda _: load_experiment(it.EXPERIMENT).seed + worth.SEEDS)
QUANTITIES = (
    _SHARE("wins", WINS, together=_of_version, shown="picture"),
    Quantity("points", ABOVE, null=0, together=_of_version, shown="tables of printed line-ups",
             hides=lambda row: "-exchange-of-" in row.id),
    _SHARE("headline", WINS, together=("players",), shown="notebook"),
    _SHARE("wins-by-version", WINS, together=()),
    _ALL("wins-from-fair", partial(_of_lineup, "wins of {lineup} less the fair share{about}"), GAP, 0, shown=""),
    _SHARE(ALL_VERSIONS, partial(_of_lineup, "wins of {lineup}"), together=_of_version, shown=""),
    _ALL("spread", partial(_spread, ""), GAP, shown="report"),
    _SPREAD("mean-spread", partial(_spread, ", mean of all cells")),
    _SPREAD("mean-spread-unseen", partial(_spread, ", mean of the cells that the search never saw")),
    _SPREAD("mean-spread-foreign",
            partial(_spread, ", mean of the cells of which the search saw neither play nor tower")),
    _HANDICAP("wins-read-from", "wins of line-up {item} as printed, in the games that the handicap was read from",
              seed=lambda _: it.SEED),
    _HANDICAP("wins-read-with-handicap",
              "wins of line-up {item} with the handicap, in the games that it was read from", seed=lambda _: it.SEED),
    _HANDICAP("wins-fresh",
              "wins of line-up {item} with the handicap, in fresh games of the cells that it was read from"),
    _HANDICAP("wins-other-cells", "wins of line-up {item} with the handicap, in the cells that it was not read from"),
    _SEARCHED("handicap", "points at the end that level the wins, line-up {item}"),
    _SEARCHED("handicap-read-again",
              "points at the end that level the wins, read from the games again, line-up {item}"),
    _SEARCHED("start-Thalers", "Thalers at the start that level the wins most, line-up {item}", "Thalers",
              shown="notebook"),
    Quantity("handicap-of-cell", "points at the end that level the wins of this cell alone, line-up {item}",
             hides=lambda row: row.players != HEAD_SIZE),
    _test(FRESH, "fresh games have the shares of the games read"),
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
