"""The figures of the study `price` in the register."""

from __future__ import annotations

from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows

from .estimates import CLAIMS, GIFTS, MEAN, MOMENTS, PLAYERS, PRICE, SIZES, START, WORTH, Price

GAINS, BY_MOMENT, BY_CELL, HEADLINE = "gift", "thaler", "thaler-by-cell", "headline"
OUTCOMES = {"vp": ("victory points", "VP"), "win": ("wins", "% points")}
LAST = MOMENTS[-1]
UNITS = {claim.outcome: "VP" for claim in CLAIMS} | {WORTH: "% points per VP"}  # of the claims


def gains_of(outcome: str) -> str:
    """The quantity of what gifts bring of an outcome."""
    return f"{GAINS}-{outcome}"


def confidence() -> Confidence:
    """The confidence of the intervals of gifts by moment, at each of the two tables."""
    return Confidence(LEVEL, len(GIFTS) * len(MOMENTS))


def of_moments() -> Confidence:
    """The confidence of the prices of a Thaler by moment and number of players at one table."""
    return Confidence(LEVEL, 1 + len(MOMENTS) + len(SIZES) * len(MOMENTS))


def of_headline() -> Confidence:
    """The confidence of the four intervals of each table in the answer."""
    return Confidence(LEVEL, 8)


def add_figures(result: Price, rows: Rows) -> None:
    """Add every figure: gifts by moment, prices by moment and by cell, the answer, and the claims in all cells."""
    for table, changes in result.changes.items():
        for (name, outcome, moment), change in changes.items():
            what, unit = OUTCOMES[outcome]
            words = f"{what} that a gift of {name} brings a seat"
            rows.estimate(
                gains_of(outcome), name, change.estimate, confidence(), words=words, unit=unit, players=PLAYERS,
                cell=table, moment=moment, null=0.0, pairing=change.gain,
            )  # fmt: skip
    for (size, cell, moment), price in result.prices.items():
        if cell in result.scope.tables:
            rows.estimate(
                BY_MOMENT, "", price, of_moments(), words="victory points that one of four more Thalers brings",
                unit=PRICE, players=size, cell=cell, moment=moment, null=0.0,
            )  # fmt: skip
        if moment == MEAN:
            rows.estimate(
                BY_CELL, "", price, Confidence(LEVEL, len(result.cells)),
                words="victory points that one of four more Thalers brings, mean of the rounds",
                unit=PRICE, players=size, cell=cell, null=0.0,
            )  # fmt: skip
    brings = "victory points that one of four more Thalers brings"
    for table in result.scope.tables:
        for item, estimate, words, unit, moment in (
            (PRICE, result.cells[table][PRICE], brings, PRICE, MEAN),
            (PRICE, result.prices[PLAYERS, table, START], brings, PRICE, START),
            (PRICE, result.prices[PLAYERS, table, LAST], brings, PRICE, LAST),
            (WORTH, result.cells[table][WORTH], "wins that a victory point brings", "% points", MEAN),
        ):
            rows.estimate(
                HEADLINE, item, estimate, of_headline(), words=words, unit=unit, players=PLAYERS, cell=table,
                moment=moment, null=0.0,
            )  # fmt: skip
    add_claims(rows, CLAIMS, result.cells, result.scope.plays, UNITS)
