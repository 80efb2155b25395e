"""What the study `lineups` publishes: its quantities, and their values by key, made of the results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.board import load_board
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.hotelling import JointTest, hotelling, hotelling_of_two
from wallsim.stats.intervals import Confidence
from wallsim.studies.quantities import Key, Number, Quantity, Value

from .adjustments import COUNTIES, KINDS, POINTS, PRINTED, THALERS, VERSIONS, WITH, after_exchange, counties_of
from .estimates import ALL, HEAD_SIZE, Design, Lineups, Means, OfSize, adjustments_of, mean_of, pooled
from .games import EXPERIMENT, letters_of, spread_of
from .judgement import BETTER, ERRORS, OUTCOMES, SEEDS, WEAKER, WORSE, level_errors
from .neighbours import ITEMS, lands
from .search import PLAYS, SEED, TOWERS, cells_of

WEAKER_PLAYER = "by the next weaker play"
TESTED = {
    "F": "F", "p": "p-value", "contrasts": "degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F",
}  # fmt: skip
GAP = "% points"
ABOVE = "victory points above the mean of the table of {lineup}{over}"
SPREADS = {
    "spread": "", "mean-spread": ", mean of all cells",
    "mean-spread-unseen": ", mean of the cells that the search never saw",
    "mean-spread-foreign": ", mean of the cells of which the search saw neither play nor tower",
}  # fmt: skip
HANDICAPPED = {
    "wins-read-from": "as printed, in the games that the handicap was read from",
    "wins-read-with-handicap": "with the handicap, in the games that it was read from",
    "wins-fresh": "with the handicap, in fresh games of the cells that it was read from",
    "wins-other-cells": "with the handicap, in the cells that it was not read from",
}
LEVELLING = {
    "handicap": "points at the end that level the wins",
    "handicap-read-again": "points at the end that level the wins, read from the games again",
    "start-Thalers": "Thalers at the start that level the wins most",
}
TESTS = {
    "test-of-fresh-games": "that fresh games have the shares of the games read",
    "test-of-seats": "that seats win alike in all cells",
    "test-of-arrangements": "that the wins of line-ups do not depend on which of them sits where",
}


def quantities(design: Design) -> tuple[Quantity, ...]:
    """The quantities; the words of a mean say of how many cells of the design it is one."""

    def said(text: str) -> Callable[[Key], str]:
        """Words with the line-up and its version as {lineup}, the cells of a mean as {over}, and {feature} of land."""

        def words(key: Key) -> str:
            letter, _, rest = key.item.partition(" ")
            version = next((kind for kind in KINDS if rest.startswith(kind)), PRINTED)
            over = f", mean of {len(design.groups(key.players)[key.cell])} cells"
            over = "" if key.cell.play and key.cell.tower else over
            other = rest.removeprefix(version).strip()  # than a version, such as borders with a line-up
            feature = named.get(other) or named.get(key.item) or other
            return text.format(lineup=f"line-up {letter} {WITH[version]}", over=over, feature=feature, item=key.item)

        return words

    named = {name: feature for feature, name in ITEMS.items()}
    share = partial(Quantity, unit="%", null=lambda key: 100 / key.players)
    everywhere = partial(Quantity, together=())
    seats = partial(Quantity, together=lambda key: ("seats", key.cell == ALL), hides=lambda row: row.play != "")
    skill = partial(everywhere, family="skill", seed=lambda _: seed_of_skill())
    return (
        share("wins", said("wins of {lineup}{over}"), together=_of_version, shown="picture"),
        Quantity("points", said(ABOVE), null=0, together=_of_version, shown="tables of printed line-ups",
                 hides=lambda row: "-exchange-" in row.id),
        share("headline", said("wins of {lineup}{over}"), together=("players",), shown="notebook"),
        share("wins-by-version", said("wins of {lineup}{over}"), together=()),
        everywhere("wins-from-fair", said("wins of {lineup} less the fair share{over}"), GAP, 0, shown=""),
        share("wins-of-all-versions", said("wins of {lineup}"), together=_of_version, shown="report"),
        *(everywhere(name, _spread, GAP, family="" if name == "spread" else "mean spreads",
                     shown="report" if name == "spread" else "tables") for name in SPREADS),
        *(share(name, f"wins of line-up {{item}} {words}", together=(), family="handicap",
                seed=_of_search if "-read-" in name else None) for name, words in HANDICAPPED.items()),
        *(Quantity(name, f"{words}, line-up {{item}}", "Thalers" if name == "start-Thalers" else "VP",
                   seed=_of_search, shown="notebook" if name == "start-Thalers" else "tables")
          for name, words in LEVELLING.items()),
        Quantity("handicap-of-cell", "points at the end that level the wins of this cell alone, line-up {item}",
                 hides=lambda row: row.players != 4),
        *(Quantity(name, lambda key: f"{TESTED[key.item]} of the joint test {TESTS[key.quantity]}", "number")
          for name in TESTS),
        seats("seat-wins", said("wins of {item}, all line-ups alike{over}"), "%", lambda key: 100 / key.players),
        seats("seat-points", said("victory points above the table's mean of {item}, all line-ups alike{over}"), null=0),
        Quantity("land", said("{feature} of {lineup}"), "number"),
        everywhere("points-by-land", said(ABOVE), null=0),
        *(skill(f"A-less-C-in-{what}", _gap_words, "VP" if what == "points" else GAP, 0) for what in OUTCOMES),
        *(skill(f"errors-that-level-A-and-C-in-{what}",
                f"added errors of {BETTER}'s player at which {BETTER} and {WORSE} have the same {what}")
          for what in OUTCOMES),
        everywhere("worth-of-land", said("points that one more of a line-up's {feature} brings"), null=0),
    )  # fmt: skip


def _of_version(key: Key) -> Hashable:
    # As printed a table holds together, in which means of cells have cells as well; versions do in all cells.
    if len(key.item) == 1 and key.quantity != "wins-of-all-versions":
        return key.quantity, key.players
    return "exchanged" if key.quantity == "points" else "levels"


def _of_search(_: Key) -> int:
    return SEED


def seed_of_skill() -> int:
    """The seed of the games in which the player of line-up A is worse."""
    return load_experiment(EXPERIMENT).seed + SEEDS


def _spread(key: Key) -> str:
    return f"spread of wins {WITH[key.item]}: standard deviation around the fair share{SPREADS[key.quantity]}"


def _gap_words(key: Key) -> str:
    what = f"{key.quantity.rpartition('-')[2]} of line-up {BETTER} less those of {WORSE} at one table"
    if key.item == WEAKER_PLAYER:
        return f"{what}, {BETTER} played by {WEAKER[key.cell.play]} play"
    return f"{what}, {BETTER}'s player with added {key.item.removeprefix('with ')} in judging every option"


def item(letter: str, version: str) -> str:
    """The item of a line-up under a version: its letter alone as printed."""
    return letter if version == PRINTED else f"{letter} {version}"


def of_cell(version: str) -> str:
    """The quantity of the wins of a version in a cell, one of the family of all versions."""
    return "wins-of-all-versions" if version == PRINTED else "wins"


def with_errors(error: float) -> str:
    """The item of the errors of line-up A's player."""
    return f"with errors of {error:g} VP"


def values_of(result: Lineups) -> dict[Key, Value]:
    """All values; None for the mean of cells that are not played."""
    values: dict[Key, Value] = {}
    for size in result.sizes.values():
        for part in (_printed, _versions, _spreads, _handicaps, _seats, _land):
            values |= dict(part(result.design, size))
    tower = result.design.towers[0]
    for play, gaps in result.gaps.items():
        at = (HEAD_SIZE, Cell(play, tower, "lineup"))
        for outcome in OUTCOMES:
            errors, weaker = gaps.errors[outcome], gaps.weaker[outcome]
            quantity = f"A-less-C-in-{outcome}"
            values |= {Key(quantity, with_errors(error), *at): gap for error, gap in zip(ERRORS, errors, strict=True)}
            values[Key(quantity, WEAKER_PLAYER, *at)] = weaker
            values[Key(f"errors-that-level-A-and-C-in-{outcome}", "", *at)] = partial(_level, errors)
    for play, worth in result.land.items():
        cell = Cell(play, tower, "lineup")
        values |= {Key("worth-of-land", ITEMS[name], HEAD_SIZE, cell): each for name, each in worth.items()}
    return values


def _level(errors: Sequence[Estimate], sure: Confidence) -> Number:
    return Number(*level_errors(errors, sure), errors[0].blocks, sure)


def _pool(size: OfSize, version: str, cells: Sequence[Cell]) -> Means:
    # The mean over some cells, each with the same weight.
    return pooled([size.cells[cell][version] for cell in cells])


def _printed(design: Design, size: OfSize) -> Iterator[tuple[Key, Value]]:
    for group, cells in design.groups(size.players).items():
        means = _pool(size, PRINTED, cells)
        for letter in letters_of(size.players):
            yield Key("wins", letter, size.players, group), means.shares[letter]
            yield Key("points", letter, size.players, group), means.points[letter]


def _versions(_: Design, size: OfSize) -> Iterator[tuple[Key, Value]]:
    players, fair = size.players, 100 / size.players
    for version in VERSIONS:
        for letter, share in _pool(size, version, list(size.cells)).shares.items():
            key = item(letter, version)
            if version == PRINTED:
                yield Key("headline", letter, players, ALL), share
            yield Key("wins-by-version", key, players, ALL), share
            yield Key("wins-from-fair", key, players, ALL), Estimate(share.value - fair, share.influence)
            for cell, means in size.cells.items():
                yield Key(of_cell(version), key, players, cell), means[version].shares[letter]


def _spreads(_: Design, size: OfSize) -> Iterator[tuple[Key, Value]]:
    foreign = [cell for cell in size.cells if cell.play not in PLAYS and cell.tower not in TOWERS]
    for version in VERSIONS:
        spreads = {cell: spread_of(means[version].shares) for cell, means in size.cells.items()}
        for cell, spread in spreads.items():
            yield Key("spread", version, size.players, cell), spread
        for which, cells in (("", list(spreads)), ("-unseen", size.unseen), ("-foreign", foreign)):
            mean = mean_of([spreads[cell] for cell in cells]) if cells else None
            yield Key(f"mean-spread{which}", version, size.players, ALL), mean


def _handicaps(design: Design, size: OfSize) -> Iterator[tuple[Key, Value]]:
    seen = cells_of(size.players) if set(cells_of(size.players)) <= set(size.cells) else []
    fresh, others = (_pool(size, POINTS, cells) if cells else None for cells in (seen, size.unseen))
    adjustments = adjustments_of(size.players)
    wins = {"read-from": size.read[PRINTED], "read-with-handicap": size.read[POINTS], "fresh": fresh,
            "other-cells": others}  # fmt: skip
    for at, letter in enumerate(letters_of(size.players)):
        for name, means in wins.items():
            yield Key(f"wins-{name}", letter, size.players, ALL), None if means is None else means.shares[letter]
        for quantity, value in (
            ("handicap", adjustments[POINTS].halves[at] / 2), ("handicap-read-again", size.again[at] / 2),
            ("start-Thalers", adjustments[THALERS].thalers[at]),
        ):  # fmt: skip
            yield Key(quantity, letter, size.players, ALL), Number(value)
        for cell, halves in size.handicaps.items():
            own = Number(halves[at] / 2, n=design.numbers(size.players))
            yield Key("handicap-of-cell", letter, size.players, cell), own
    if fresh is not None:
        yield from _test("test-of-fresh-games", hotelling_of_two(_free(size.read[POINTS]), _free(fresh)), size.players)


def _free(means: Means) -> np.ndarray:
    # The shares of each block but that of the last line-up, which follows from the others.
    return np.stack([each.value + each.influence for each in means.shares.values()][:-1], axis=1)


def _seats(_: Design, size: OfSize) -> Iterator[tuple[Key, Value]]:
    for seat in range(size.players):
        for what in ("wins", "points"):
            key = Key(f"seat-{what}", f"seat {seat}", size.players, ALL)
            by_cell = {cell: (seats.shares if what == "wins" else seats.points)[seat]
                       for cell, seats in size.seats.items()}  # fmt: skip
            yield key, mean_of(list(by_cell.values()))
            yield from ((key._replace(cell=cell), each) for cell, each in by_cell.items())
    for quantity, part in (("test-of-seats", "wins"), ("test-of-arrangements", "apart")):
        every = np.concatenate([getattr(seats, part) for seats in size.seats.values()], axis=1)
        yield from _test(quantity, hotelling(every), size.players)


def _test(quantity: str, test: JointTest | None, players: int) -> Iterator[tuple[Key, Value]]:
    if test is not None:
        for name, value in zip(TESTED, (test.f, test.p_value, *test.degrees), strict=True):
            yield Key(quantity, name, players, ALL), Number(value, n=test.blocks)


def _land(_: Design, size: OfSize) -> Iterator[tuple[Key, Value]]:
    board, players = load_board(), size.players
    printed = {letter: list(names) for letter, names in counties_of(board, players).items()}
    edited = {letter: list(names) for letter, names in after_exchange(board, adjustments_of(players)[COUNTIES]).items()}
    for version, lineups in ((PRINTED, printed), (COUNTIES, edited)):
        points, land = _pool(size, version, list(size.cells)).points, lands(board, players, printed | lineups)
        for letter in sorted(lineups):
            key = item(letter, version)
            counts = dict(zip(ITEMS.values(), land[letter].features, strict=True))
            counts |= {f"borders with {other}": count for other, count in land[letter].borders.items()}
            for name, count in counts.items():
                yield Key("land", f"{key} {name}", players, ALL), Number(count)
            yield Key("points-by-land", key, players, ALL), points[letter]
            for cell in size.cells if version == COUNTIES else ():
                yield Key("points", key, players, cell), size.cells[cell][version].points[letter]
