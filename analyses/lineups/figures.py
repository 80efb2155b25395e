"""The figures of the study `lineups` in the register."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.board import load_board
from wallsim.stats.blocks import Estimate, combined
from wallsim.stats.hotelling import JointTest, hotelling_of_two
from wallsim.stats.intervals import Confidence
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import LINEUP, Rows

from .adjustments import COUNTIES, POINTS, PRINTED, THALERS, WITH, after_exchange, counties_of
from .estimates import (
    CLAIMS,
    HEAD_SIZE,
    LEADER,
    Design,
    Lineups,
    Means,
    OfSize,
    equal_seats,
    outcomes,
    pooled,
    same_everywhere,
)
from .families import (
    claims,
    groups,
    sure_of_answer,
    sure_of_borders,
    sure_of_each_spread,
    sure_of_exchanged,
    sure_of_handicaps,
    sure_of_land,
    sure_of_levels,
    sure_of_printed,
    sure_of_seats,
    sure_of_seats_by_cell,
    sure_of_spreads,
    sure_of_versions,
)
from .games import letters_of, spread_of
from .judgement_figures import add_gaps
from .neighbours import FEATURES, FREE_BORDERS, lands
from .search import SEED, cells_of

WINS, ABOVE, SPREAD, HEADLINE = "wins", "points", "spread", "headline"
LEVELS = "wins-of-all-versions"  # as printed, in the family of all versions; with an adjustment these are WINS
POOLED, AWAY = "wins-by-version", "wins-from-fair"
SPREADS, UNSEEN, FOREIGN = "mean-spread", "mean-spread-unseen", "mean-spread-foreign"
READ, AGAIN, FRESH, OTHERS = "wins-read-from", "wins-read-with-handicap", "wins-fresh", "wins-other-cells"
HANDICAP, READ_AGAIN, OWN_HANDICAP, START = "handicap", "handicap-read-again", "handicap-of-cell", "start-Thalers"
SEAT_WINS, SEAT_POINTS = "seat-wins", "seat-points"
FRESH_TEST, SEAT_TEST, NEIGHBOUR_TEST = "test-of-fresh-games", "test-of-seats", "test-of-arrangements"
LAND, LAND_POINTS, WORTH = "land", "points-by-land", "worth-of-land"
_SHARE, _GAP, _VP = "%", "% points", "VP"
UNITS = {claim.outcome: _SHARE if claim.outcome == LEADER else _GAP for claim in CLAIMS}


def item(letter: str, version: str) -> str:
    """The item of a line-up under a version: its letter alone as printed."""
    return letter if version == PRINTED else f"{letter} {version}"


def seat_item(seat: int) -> str:
    """The item of a seat."""
    return f"seat {seat}"


def land_item(letter: str, version: str, feature: str) -> str:
    """The item of a feature of a line-up's land."""
    return f"{item(letter, version)} {feature_item(feature)}"


def feature_item(feature: str) -> str:
    """The item of a feature, without an apostrophe."""
    return "borders with free counties" if feature == FREE_BORDERS else feature


def borders_with(other: str) -> str:
    """The feature of a line-up's borders with one other line-up."""
    return f"borders with {other}"


def of_cell(version: str) -> str:
    """The quantity of the wins of a version in a cell, one of the family of all versions."""
    return LEVELS if version == PRINTED else WINS


def add_figures(result: Lineups, rows: Rows) -> None:
    """Add every figure: wins, points and spreads by version and cell, handicaps, seats, land, tests and claims."""
    for size in result.sizes.values():
        _add_printed(result.design, size, rows)
        _add_versions(result.design, size, rows)
        _add_spreads(result.design, size, rows)
        _add_handicaps(result.design, size, rows)
        _add_seats(result.design, size, rows)
        _add_land(result.design, size, rows)
    add_gaps(result, rows)
    sure, tower = sure_of_land(result.design), result.design.towers[0]
    for play, worth in result.land.items():
        for feature, each in worth.items():
            rows.estimate(
                WORTH, feature_item(feature), each, sure, words=f"points that one more of a line-up's {feature} brings",
                unit=_VP, players=HEAD_SIZE, play=play, tower=tower, setup=LINEUP, null=0.0,
            )  # fmt: skip
    for players, size in result.sizes.items():
        cells = {cell: outcomes(means) for cell, means in size.cells.items()}
        add_claims(rows, claims(players), cells, result.design.plays_of(players), UNITS, players=players)


def _pool(size: OfSize, version: str, cells: Sequence[Cell]) -> Means:
    # The mean over some cells, each with the same weight.
    return pooled([size.cells[cell][version] for cell in cells])


def _mean(estimates: Sequence[Estimate]) -> Estimate:
    return combined([1 / len(estimates)] * len(estimates), estimates)


def _add_printed(design: Design, size: OfSize, rows: Rows) -> None:
    players, fair = size.players, 100 / size.players
    sure = sure_of_printed(design, players)
    for group in groups(design, players):
        means = _pool(size, PRINTED, group.cells)
        over = "" if group.play and group.tower else f", mean of {len(group.cells)} cells"
        for letter in letters_of(players):
            for quantity, each, words, unit, null in (
                (WINS, means.shares[letter], "wins of line-up", _SHARE, fair),
                (ABOVE, means.points[letter], "victory points above the mean of the table of line-up", _VP, 0.0),
            ):
                rows.estimate(
                    quantity, letter, each, sure, words=f"{words} {letter} as printed{over}", unit=unit,
                    players=players, play=group.play, tower=group.tower, setup=LINEUP, null=null,
                )  # fmt: skip


def _add_versions(design: Design, size: OfSize, rows: Rows) -> None:
    players, fair, cells = size.players, 100 / size.players, list(size.cells)
    for version in size.versions:
        shares = _pool(size, version, cells).shares
        for letter, share in shares.items():
            words, over = f"wins of line-up {letter} {WITH[version]}", f"mean of {len(cells)} cells"
            if version == PRINTED:
                _add(rows, HEADLINE, letter, share, sure_of_answer(players), f"{words}, {over}", _SHARE, players, fair)
            key = item(letter, version)
            _add(rows, POOLED, key, share, sure_of_versions(design), f"{words}, {over}", _SHARE, players, fair)
            away = Estimate(share.value - fair, share.influence)
            _add(rows, AWAY, key, away, sure_of_versions(design), f"{words} less the fair share, {over}", _GAP, players)
            for cell in cells:
                each = size.cells[cell][version].shares[letter]
                rows.estimate(
                    of_cell(version), key, each, sure_of_levels(design), words=words, unit=_SHARE, players=players,
                    cell=cell, null=fair,
                )  # fmt: skip


def _add_spreads(design: Design, size: OfSize, rows: Rows) -> None:
    for version in size.versions:
        words = f"spread of wins {WITH[version]}: standard deviation around the fair share"
        spreads = {cell: spread_of(means[version].shares) for cell, means in size.cells.items()}
        for cell, spread in spreads.items():
            rows.estimate(
                SPREAD, version, spread, sure_of_each_spread(design), words=words, unit=_GAP, players=size.players,
                cell=cell,
            )  # fmt: skip
        for quantity, cells, over in (
            (SPREADS, list(spreads), "mean of all cells"),
            (UNSEEN, size.unseen, "mean of the cells that the search never saw"),
            (FOREIGN, size.foreign, "mean of the cells of which the search saw neither play nor tower"),
        ):
            if cells:
                mean = _mean([spreads[cell] for cell in cells])
                rows.estimate(
                    quantity, version, mean, sure_of_spreads(design), words=f"{words}, {over}", unit=_GAP,
                    players=size.players, setup=LINEUP,
                )  # fmt: skip


def _add_handicaps(design: Design, size: OfSize, rows: Rows) -> None:
    players, fair, sure = size.players, 100 / size.players, sure_of_handicaps(design)
    seen = cells_of(players) if set(cells_of(players)) <= set(size.cells) else []
    fresh, others = (_pool(size, POINTS, cells) if cells else None for cells in (seen, size.unseen))
    for at, letter in enumerate(letters_of(players)):
        words = f"wins of line-up {letter}"
        for quantity, means, of_what, seed in (
            (READ, size.read[PRINTED], "as printed, in the games that the handicap was read from", SEED),
            (AGAIN, size.read[POINTS], "with the handicap, in the games that it was read from", SEED),
            (FRESH, fresh, "with the handicap, in fresh games of the cells that it was read from", None),
            (OTHERS, others, "with the handicap, in the cells that it was not read from", None),
        ):
            if means is not None:
                rows.estimate(
                    quantity, letter, means.shares[letter], sure, words=f"{words} {of_what}", unit=_SHARE,
                    players=players, setup=LINEUP, null=fair, seed=seed,
                )  # fmt: skip
        for quantity, value, words, unit in (
            (HANDICAP, size.adjustments[POINTS].halves[at] / 2, "points at the end that level the wins", _VP),
            (READ_AGAIN, size.again[at] / 2, "points at the end that level the wins, read from the games again", _VP),
            (START, size.adjustments[THALERS].thalers[at], "Thalers at the start that level the wins most", "Thalers"),
        ):
            rows.number(
                quantity, letter, value, words=f"{words}, line-up {letter}", unit=unit, players=players, setup=LINEUP,
                seed=SEED,
            )  # fmt: skip
        words = f"points at the end that level the wins of this cell alone, line-up {letter}"
        for cell, halves in size.handicaps.items():
            rows.number(
                OWN_HANDICAP, letter, halves[at] / 2, words=words, unit=_VP, players=players, cell=cell,
                n=design.numbers(players), n_unit="blocks",
            )  # fmt: skip
    if fresh is not None:
        test = hotelling_of_two(_free(size.read[POINTS]), _free(fresh))
        _add_test(rows, FRESH_TEST, test, "that fresh games have the shares of the games read", players)


def _free(means: Means) -> np.ndarray:
    # The shares of each block but that of the last line-up, which follows from the others.
    return np.stack([each.value + each.influence for each in means.shares.values()][:-1], axis=1)


def _add_seats(design: Design, size: OfSize, rows: Rows) -> None:
    players, fair = size.players, 100 / size.players
    for seat in range(players):
        for quantity, words, unit, null in (
            (SEAT_WINS, f"wins of seat {seat}, all line-ups alike", _SHARE, fair),
            (SEAT_POINTS, f"victory points above the table's mean of seat {seat}, all line-ups alike", _VP, 0.0),
        ):
            by_cell = {
                cell: (seats.shares if quantity == SEAT_WINS else seats.points)[seat]
                for cell, seats in size.seats.items()
            }
            mean, over = _mean(list(by_cell.values())), f"mean of {len(by_cell)} cells"
            _add(rows, quantity, seat_item(seat), mean, sure_of_seats(design), f"{words}, {over}", unit, players, null)
            for cell, each in by_cell.items():
                rows.estimate(
                    quantity, seat_item(seat), each, sure_of_seats_by_cell(design), words=words, unit=unit,
                    players=players, cell=cell, null=null,
                )  # fmt: skip
    _add_test(rows, SEAT_TEST, equal_seats(size), "that seats win alike in all cells", players)
    words = "that the wins of line-ups do not depend on which of them sits where"
    _add_test(rows, NEIGHBOUR_TEST, same_everywhere(size), words, players)


def _add_test(rows: Rows, quantity: str, test: JointTest | None, what: str, players: int) -> None:
    if test is None:
        return
    for name, value, words in (
        ("F", test.f, "F of the joint test"),
        ("p", test.p_value, "p-value of the joint test"),
        ("contrasts", test.degrees[0], "degrees of freedom of the numerator of F of the joint test"),
        ("degrees", test.degrees[1], "degrees of freedom of the denominator of F of the joint test"),
    ):
        rows.number(
            quantity, name, value, words=f"{words} {what}", unit="number", players=players, setup=LINEUP,
            n=test.blocks, n_unit="blocks",
        )  # fmt: skip


def _add_land(design: Design, size: OfSize, rows: Rows) -> None:
    board, players = load_board(), size.players
    printed = {letter: list(names) for letter, names in counties_of(board, players).items()}
    edited = {letter: list(names) for letter, names in after_exchange(board, size.adjustments[COUNTIES]).items()}
    for version, lineups, letters in (
        (PRINTED, printed, letters_of(players)), (COUNTIES, printed | edited, tuple(edited)),
    ):  # fmt: skip
        points, land = _pool(size, version, list(size.cells)).points, lands(board, players, lineups)
        for letter in letters:
            here = dict(zip(FEATURES, land[letter].features, strict=True))
            here |= {borders_with(other): count for other, count in land[letter].borders.items()}
            for feature, count in here.items():
                rows.number(
                    LAND, land_item(letter, version, feature), count,
                    words=f"{feature} of line-up {letter} {WITH[version]}", unit="number", players=players,
                    setup=LINEUP,
                )  # fmt: skip
            words = f"victory points above the mean of the table of line-up {letter} {WITH[version]}"
            key, sure = item(letter, version), sure_of_borders(design)
            _add(
                rows, LAND_POINTS, key, points[letter], sure, f"{words}, mean of {len(size.cells)} cells", _VP, players
            )
            for cell in size.cells if version == COUNTIES else ():
                rows.estimate(
                    ABOVE, key, size.cells[cell][version].points[letter], sure_of_exchanged(design), words=words,
                    unit=_VP, players=players, cell=cell, null=0.0,
                )  # fmt: skip


def _add(
    rows: Rows, quantity: str, key: str, each: Estimate, sure: Confidence, words: str, unit: str, players: int,
    null: float = 0.0,
) -> None:  # fmt: skip
    # A mean of all cells.
    rows.estimate(quantity, key, each, sure, words=words, unit=unit, players=players, setup=LINEUP, null=null)
