"""The figures of table drafters among each other in the register: added there, and read back for pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.figure import Figures, Rows

from .cells import DRAFT, PLAYERS, Scope
from .deals import BORDER
from .rivals import JUDGED, Rivals, in_table, plays_of_rivals, sizes_of_rivals

ONE_MORE = {"points": "one-more-by-the-table", "wins": "one-more-by-the-table-in-wins"}
RESPONSE = {"points": "response", "wins": "response-in-wins"}
ALL_LESS_NONE, SAME_WORTHS, BORDERS = "all-by-the-table", "response-correlation", "response-border"
TABLES = FIRST, FITTED_TABLE = "the table", "the response"
_UNITS = {"points": "VP", "wins": "% points"}
_WORDS = {"points": "VP above the table's mean", "wins": "wins"}


def others_of(others: int) -> str:
    """The item of so many others who draft by the table."""
    return f"{others} others"


def sure_of_rivals(scope: Scope) -> Confidence:
    """The confidence of all intervals: gains by number of others, means of tables, and responses."""
    sizes = sizes_of_rivals(scope)
    a_play = len(ONE_MORE) * sum(sizes) + len(sizes) + len(RESPONSE)
    return Confidence(LEVEL, len(plays_of_rivals(scope)) * a_play)


def add_rivals(result: Rivals, scope: Scope, rows: Rows) -> None:
    """Add what table drafters gain, the means of their tables, and the responses."""
    sure, tower = sure_of_rivals(scope), scope.towers[0]
    for (players, play), gains in result.gains.items():
        at: dict[str, Any] = {"players": players, "play": play, "tower": tower, "setup": DRAFT, "null": 0.0}
        at["seed"] = in_table(scope, play, players, JUDGED).seed
        for what, quantity in ONE_MORE.items():
            for others, values in enumerate(getattr(gains, what)):
                words = (
                    f"{_WORDS[what]} that a seat gains if it drafts by the table of this play instead of the default, "
                    f"{others} others drafting by it"
                )
                rows.estimate(
                    quantity, others_of(others), block_mean(values), sure, words=words, unit=_UNITS[what], **at
                )
        more = block_mean(gains.means[-1] - gains.means[0])
        words = "VP of a seat, mean of the table, where all draft by the table of this play less where none does"
        rows.estimate(ALL_LESS_NONE, "", more, sure, words=words, unit="VP", **at)
    for play, each in result.responses.items():
        at = {"players": PLAYERS, "play": play, "tower": tower, "setup": DRAFT, "null": 0.0}
        judged = in_table(scope, play, PLAYERS, JUDGED).seed
        for what, quantity in RESPONSE.items():
            words = f"{_WORDS[what]} that a seat gains by the response to the table, all others drafting by the table"
            gain = block_mean(getattr(each, what))
            rows.estimate(quantity, "", gain, sure, words=words, unit=_UNITS[what], seed=judged, **at)
        worths = [
            np.array([table.counties[name] for name in each.first.counties]) for table in (each.first, each.table)
        ]
        words = "correlation of the worths of counties in the table and in the response to it"
        rows.number(SAME_WORTHS, "", float(np.corrcoef(worths)[0, 1]), words=words, unit="correlation", **at)
        for name, table in zip(TABLES, (each.first, each.table), strict=True):
            words = f"VP above the table's mean for one more {BORDER}, in {name}"
            rows.number(BORDERS, name, table.neighbours[BORDER], words=words, unit="VP", **at)


def side_among(figures: Figures, scope: Scope, play: str) -> int | None:
    """1 if the table is known to gain however many others draft by it, -1 if it is known to cost, None where it turns.

    0 where neither is known for each number of others. With four players.
    """
    sure = sure_of_rivals(scope)
    at: dict[str, Any] = {"players": PLAYERS, "play": play, "tower": scope.towers[0], "setup": DRAFT}
    each = (figures.of(ONE_MORE["points"], others_of(others), **at) for others in range(PLAYERS))
    sides = {side_of(figure.interval(sure)) for figure in each}
    if {1, -1} <= sides:
        return None
    return sides.pop() if len(sides) == 1 else 0
