"""The price of a Thaler in victory points, read from the file that the study `price` writes.

Other studies turn victory points into Thalers with it: `read_prices().of(...)`, and `in_thalers` carries the error of
the price along. `analyses/prices.csv` is `prices.csv` of the published study.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.stats.blocks import Estimate
from wallsim.stats.ratios import Ratio

PRICES = Path(__file__).with_suffix(".csv")
MEAN = "all rounds"
_HEADS = ("players", "play", "tower", "setup", "round", "vp_per_thaler", "error", "blocks")


class Price(NamedTuple):
    """What one of four Thalers more brings in victory points, its standard error, and the blocks behind it."""

    value: float
    error: float
    blocks: int


@dataclass(frozen=True)
class Prices:
    """Prices by number of players, cell and round, `MEAN` for the mean of all rounds, or `start`."""

    rows: dict[tuple[int, Cell, str], Price]

    def of(self, players: int, cell: Cell, moment: str = MEAN) -> Price:
        """The price in a cell and round. InputError if the study did not measure it."""
        try:
            return self.rows[players, cell, moment]
        except KeyError:
            where = f"{players} players, {', '.join(cell)}, {moment}"
            raise InputError(
                f"prices: none for {where}; play the study `price` in full, and take its prices.csv"
            ) from None


def in_thalers(points: Estimate, price: Price) -> Ratio:
    """Victory points as Thalers, with the errors of both; they come from games of different seeds."""
    return Ratio(points.value, points.error, price.value, price.error, min(points.blocks, price.blocks))


def prices_text(rows: Iterable[tuple[int, Cell, str, Estimate]]) -> str:
    """The file's text: one line per number of players, cell and round."""
    lines = [",".join(_HEADS)]
    for players, cell, moment, price in rows:
        numbers = f"{price.value:.6f},{price.error:.6f},{price.blocks}"
        lines.append(f"{players},{cell.play},{cell.tower},{cell.setup},{moment},{numbers}")
    return "\n".join(lines) + "\n"


def read_prices(path: Path = PRICES) -> Prices:
    """The prices of a file. InputError if it cannot be read or is none of these."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != _HEADS:
                raise InputError(f"{path}: has other columns than {', '.join(_HEADS)}")
            return Prices({_key(row): _price(row) for row in reader})
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as prices: {error}") from None


def _key(row: dict[str, str]) -> tuple[int, Cell, str]:
    return int(row["players"]), Cell(row["play"], row["tower"], row["setup"]), row["round"]


def _price(row: dict[str, str]) -> Price:
    return Price(float(row["vp_per_thaler"]), float(row["error"]), int(row["blocks"]))
