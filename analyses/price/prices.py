"""The price of a Thaler in victory points, as the study `price` published it in the register.

Other studies turn victory points into Thalers with it; `in_thalers` carries the error of the price along.
"""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.stats.blocks import Estimate
from wallsim.stats.ratios import Ratio
from wallsim.studies.contrasts import MEAN
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.register import read_register

BY_MOMENT, BY_CELL = "thaler", "thaler-by-cell"  # quantities of that study


def read_prices() -> Figures:
    """The published figures of the study `price`. InputError without them."""
    return read_register("price")


def price_of(prices: Figures, players: int, cell: Cell, moment: str = MEAN) -> Figure:
    """What one of four Thalers more brings in a cell and round. InputError if the study did not measure it."""
    by_moment = prices.cells(BY_MOMENT, players=players, moment=moment)
    result = by_moment if cell in by_moment else prices.cells(BY_CELL, players=players) if moment == MEAN else {}
    if cell not in result:
        where = f"{players} players, {', '.join(cell)}, {moment}"
        raise InputError(
            f"data/figures/price.csv: has no price of a Thaler for {where}; play the study `price` in full"
        )
    return result[cell]


def in_thalers(points: Estimate, price: Figure | Estimate) -> Ratio:
    """Victory points as Thalers, with the errors of both; they come from games of different seeds."""
    return Ratio(points.value, points.error, price.value, price.error, min(points.blocks, price.blocks))
