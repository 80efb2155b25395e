"""The figures of the study `first_look` in the register."""

from __future__ import annotations

from itertools import combinations

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.seating.arrangements import Arranged
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Figure, Figures, Rows

from .estimates import AHEAD, ARRANGEMENTS, CLAIMS, FAIR, LETTERS, POINTS, FirstLook, baseline_cell

PLAYERS = 4  # players
WINS, SEAT_WINS, FIRST_ABOVE_LAST = "wins", "seat-wins", "first-above-last"
HEADLINE, SCORE, DEVIATION = "headline", "points", "points-deviation"
BY_SOURCE, GAP, TEST = "points-by-source", "difference-by-arrangement", "test-of-arrangements"
T_SQUARED, F, P, CONTRASTS, DEGREES = "T-squared", "F", "p", "contrasts", "degrees"
PAIRS = tuple(combinations(["".join(way) for way in ARRANGEMENTS], 2))
SURE_OF_BASELINE = Confidence(LEVEL, 2 * len(LETTERS))  # wins and points of the line-ups
SURE_OF_SEATS = Confidence(LEVEL, len(LETTERS))
SURE_OF_GAPS = Confidence(LEVEL, len(LETTERS) * len(PAIRS))
SURE_OF_SOURCES = Confidence(LEVEL, len(POINTS))
_SHARE, _GAP, _VP = "%", "% points", "VP"
UNITS = {AHEAD: _GAP}  # of the claims


def sure_of_shares(cells: int) -> Confidence:
    """The confidence of the shares of all line-ups in so many cells."""
    return Confidence(LEVEL, len(LETTERS) * cells)


def sure_of_drafts(plays: int) -> Confidence:
    """The confidence of the numbers of drafted games of so many plays, and of the points beside them."""
    return Confidence(LEVEL, plays * (len(LETTERS) + 2))


def shares(figures: Figures, letter: str) -> dict[Cell, Figure]:
    """A line-up's share of wins by cell, one of those of all line-ups in all cells."""
    return figures.cells(WINS, letter, players=PLAYERS)


def seat_item(seat: int) -> str:
    """The item of a seat."""
    return f"seat {seat}"


def gap_item(letter: str, one: str, other: str) -> str:
    """The item of the difference of a line-up's share between two arrangements."""
    return f"{letter} {one} less {other}"


def source_item(letter: str, source: str) -> str:
    """The item of a line-up's points from a source."""
    return f"{letter} {source}"


def winter(year: int) -> str:
    """The moment at which the points of a year are counted."""
    return f"winter {year}"


def add_figures(result: FirstLook, rows: Rows) -> None:
    """Add every figure: wins by cell, those of the baseline by line-up, seat and arrangement, drafts and claims."""
    _add_baseline(result, rows)
    _add_arrangements(result.baseline, rows)
    sure = sure_of_shares(len(result.cells))
    for letter in LETTERS:
        for cell, estimates in result.cells.items():
            rows.estimate(
                WINS, letter, estimates[f"line-up {letter}"], sure, words=f"wins of line-up {letter}", unit=_SHARE,
                players=PLAYERS, cell=cell, null=FAIR,
            )  # fmt: skip
    _add_drafts(result, rows)
    add_claims(rows, CLAIMS, result.cells, result.plays, UNITS, players=PLAYERS)


def _add_baseline(result: FirstLook, rows: Rows) -> None:
    games, home = result.baseline, baseline_cell()
    points = games.points()
    for letter, share in games.shares().items():
        for quantity, each, words, unit, null in (
            (HEADLINE, share, f"wins of line-up {letter}", _SHARE, FAIR),
            (SCORE, points[letter], f"victory points at the end of line-up {letter}", _VP, float("nan")),
        ):
            rows.estimate(
                quantity, letter, each, SURE_OF_BASELINE, words=words, unit=unit, players=PLAYERS, cell=home, null=null
            )
        rows.number(
            DEVIATION, letter, games.deviation(letter),
            words=f"standard deviation between games of the victory points at the end of line-up {letter}", unit=_VP,
            players=PLAYERS, cell=home, n=games.blocks, n_unit="blocks",
        )  # fmt: skip
    for (letter, source, year), each in result.points.items():
        rows.estimate(
            BY_SOURCE, source_item(letter, source), each, SURE_OF_SOURCES,
            words=f"victory points of line-up {letter} from {source} in the winter of year {year}", unit=_VP,
            players=PLAYERS, cell=home, moment=winter(year),
        )  # fmt: skip


def _add_arrangements(games: Arranged, rows: Rows) -> None:
    home = baseline_cell()
    for seat, share in enumerate(games.shares_of_seats()):
        rows.estimate(
            SEAT_WINS, seat_item(seat), share, SURE_OF_SEATS, words=f"wins of seat {seat}, all line-ups alike",
            unit=_SHARE, players=PLAYERS, cell=home, null=FAIR,
        )  # fmt: skip
    for (letter, one, other), gap in games.differences().items():
        words = f"wins of line-up {letter} in the arrangement {one} (seats 0 to 3) less those in {other}"
        rows.estimate(
            GAP, gap_item(letter, one, other), gap, SURE_OF_GAPS, words=words, unit=_GAP, players=PLAYERS, cell=home,
            null=0.0,
        )  # fmt: skip
    test = games.same_everywhere()
    if test is None:
        return
    for name, value, words in (
        (T_SQUARED, test.t_squared, "Hotelling's T² of the joint paired test"),
        (F, test.f, "F of the joint paired test"),
        (CONTRASTS, test.degrees[0], "degrees of freedom of the numerator of F of the joint paired test"),
        (DEGREES, test.degrees[1], "degrees of freedom of the denominator of F of the joint paired test"),
        (P, test.p_value, "p-value of the joint paired test"),
    ):
        rows.number(
            TEST, name, value, words=f"{words} that no line-up's wins depend on the arrangement", unit="number",
            players=PLAYERS, cell=home, n=test.blocks, n_unit="blocks",
        )  # fmt: skip


def _add_drafts(result: FirstLook, rows: Rows) -> None:
    sure, tower = sure_of_drafts(len(result.drafts)), baseline_cell().tower
    for play, draft in result.drafts.items():
        cell = Cell(play, tower, "draft")
        for seat, share in enumerate(draft.seats):
            rows.estimate(
                SEAT_WINS, seat_item(seat), share, sure, words=f"wins of seat {seat} in the draft", unit=_SHARE,
                players=PLAYERS, cell=cell, n_unit="games", null=FAIR,
            )  # fmt: skip
        for where, each, unit in (
            (cell, draft.spread, "games"),
            (Cell(play, tower, "lineup"), result.spreads[play], "blocks"),
        ):
            rows.estimate(
                FIRST_ABOVE_LAST, "", each, sure, words="victory points of the first seat above the last", unit=_VP,
                players=PLAYERS, cell=where, n_unit=unit,
            )  # fmt: skip
