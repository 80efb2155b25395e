"""The figures of the study `casual` in the register."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import LINEUP, Rows

from .estimates import SEATS
from .reported import PEOPLE, Measured

POINTS, BIDS, BUILT = "points", "bid", "built"
COUNTY_BIDS, ON_NEUTRALS, DISTANCE = "county-bids", "attacks-on-neutrals", "distance"
REPORTED_POINTS, REPORTED_BIDS, REPORTED_BUILT = "reported-points", "reported-bid", "reported-built"
TOWER = "spielbyweb"  # of the experiment
_WHOSE = "at casual tables of five, as people report: rounded, of few tables, not simulated"
_NO_SEED = 0
_POINTS_AT, _BID_OF = "victory points at the end, place", "mean Thalers bid, choice"


def place(number: int) -> str:
    """The item of a place at the end, from 1 on."""
    return f"place {number}"


def choice(number: int) -> str:
    """The item of a turn in the order of choosing, from 1 on."""
    return f"choice {number}"


def confidence(policies: int) -> Confidence:
    """The confidence of all intervals of a table of so many policies."""
    return Confidence(LEVEL, policies * (SEATS + 3))


def add_figures(result: Mapping[str, Measured], rows: Rows) -> None:
    """Add what people report, without intervals, and the same of every policy, which stands as the play."""
    _add_reported(rows)
    sure = confidence(len(result))
    for name, each in result.items():
        stored: list[tuple[str, str, Estimate, str, str]] = [
            *((POINTS, place(at), one, f"{_POINTS_AT} {at}", "VP") for at, one in enumerate(each.points, start=1)),
            *((BIDS, choice(at), one, f"{_BID_OF} {at}", "Thalers") for at, one in enumerate(each.bids, start=1)),
            (COUNTY_BIDS, "", each.county_bids, "rounds with a bid of a county card", "% of rounds"),
            (BUILT, "", each.built, "buildings put up by actions, by seat", "per round"),
            (ON_NEUTRALS, "", each.on_neutrals, "attacks on neutral counties", "% of attacks"),
        ]
        cell = Cell(name, TOWER, LINEUP)
        for quantity, item, estimate, words, unit in stored:
            rows.estimate(
                quantity, item, estimate, sure, words=f"{words}, {name} in all seats", unit=unit, players=SEATS,
                cell=cell, n_unit="games",
            )  # fmt: skip
        words = f"root of the mean squared difference of the points by place from those reported, {name} in all seats"
        rows.number(
            DISTANCE, "", each.distance(), words=words, unit="VP", players=SEATS, cell=cell, n=each.built.blocks,
            n_unit="games",
        )  # fmt: skip


def _add_reported(rows: Rows) -> None:
    stored = [
        *((REPORTED_POINTS, place(at), one, f"{_POINTS_AT} {at}", "VP") for at, one in enumerate(PEOPLE.points, 1)),
        *(
            (REPORTED_BIDS, choice(at), one, f"Thalers bid in one round, choice {at}", "Thalers")
            for at, one in enumerate(PEOPLE.bids, start=1)
        ),
        (REPORTED_BUILT, "", PEOPLE.built, "buildings put up, by seat", "per round"),
    ]
    for quantity, item, value, words, unit in stored:
        rows.number(
            quantity, item, value, words=f"{words}, {_WHOSE}", unit=unit, players=SEATS, seed=_NO_SEED
        )  # fmt: skip
