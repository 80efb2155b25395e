"""The tables of grain in winter, and of whom event cards help."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, of_estimate
from wallsim.rules.event_words import event_words
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.scope import Scope, sizes_of
from wallsim.studies.table_captions import SHORT_NAMES

from . import grain, holdings
from .cards import CARDS, LOSSES, WINTERS
from .grain import AMOUNTS, MARGINS, RESERVES
from .holdings import ENDS, HOLDINGS
from .more_figures import (
    HOLDER,
    RESERVE,
    SHORT,
    holder,
    less_of,
    loss,
    margin,
    margin_in_words,
    missing_of,
    reserve,
    sure_of_holders,
    sure_of_losses,
    sure_of_reserves,
)

WORTH_IT = 0.25  # VP: less does not matter at a table
MOST_SHOWN = 12  # cards and holdings that are listed first
_HEADS = {"vp": "VP", "win": "wins, % points"}


def grain_tables(figures: Figures, scope: Scope) -> list[str]:
    """What one grain less changes, by the card and by what is missing, and what a reserve is worth."""
    parts = []
    for players in sizes_of(scope):
        parts += [less_table(figures, scope, players, outcome) for outcome in _HEADS]
        parts += [missing_table(figures, scope, players, outcome) for outcome in _HEADS]
        parts += [short_table(figures, scope, players), reserve_table(figures, scope, players)]
    return parts


def less_table(figures: Figures, scope: Scope, players: int, outcome: str) -> str:
    """One row per loss: what one grain less changes in each winter at each table."""
    sure = sure_of_losses()
    rows = [
        (str(amount), ", ".join(event_words(card) for card in CARDS if LOSSES[card] == amount),
         *_cells(figures, scope, players, less_of(outcome), loss(amount), sure, 2))
        for amount in AMOUNTS
    ]  # fmt: skip
    heads = ("grain that winter takes", "cards", *_columns(scope))
    head = f"{_HEADS[outcome]} by one grain less, {players} players"
    return f"{head}\n\n{markdown_table(heads, rows)}\n\n{_under(scope, sure)}"


def missing_table(figures: Figures, scope: Scope, players: int, outcome: str) -> str:
    """One row per margin: what one grain less changes for seats with it, in each winter at each table."""
    sure = sure_of_losses()
    rows = [
        (margin_in_words(value), *_cells(figures, scope, players, missing_of(outcome), margin(value), sure, 2))
        for value in MARGINS
    ]
    head = f"{_HEADS[outcome]} by one grain less, {players} players, by the grain after the loss"
    return f"{markdown_table((head, *_columns(scope)), rows)}\n\n{_under(scope, sure)}"


def short_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per loss: the share of seats that lack grain."""
    sure = sure_of_losses()
    rows = [(str(amount), *_cells(figures, scope, players, SHORT, loss(amount), sure, 1, "")) for amount in AMOUNTS]
    head = f"seats short of grain, %, {players} players, by the grain that winter takes"
    return f"{markdown_table((head, *_columns(scope)), rows)}\n\n{_under(scope, sure)}"


def reserve_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per grain of the reserve: what it brings before the card is known; below it the best reserves."""
    sure = sure_of_reserves()
    rows = [(str(number), *_cells(figures, scope, players, RESERVE, reserve(number), sure, 2)) for number in RESERVES]
    rows.append(("best reserve", *(best_reserve(figures, players, table, winter) for table, winter in _places(scope))))
    head = f"VP by the grain of this number beyond one for each county, {players} players"
    return (
        f"{markdown_table((head, *_columns(scope)), rows)}\n\nBefore the winter's card is known: the mean over the "
        f"twelve cards. The best reserve has every grain that brings {WORTH_IT} VP or more; in brackets the least and "
        f"the most that the intervals allow. {_under(scope, sure)}"
    )


def best_reserve(figures: Figures, players: int, table: Cell, winter: str) -> str:
    """The grain beyond one for each county up to which each brings what matters, and the ends by the intervals."""
    sure, values, ends = sure_of_reserves(), [], []
    for number in RESERVES:
        each = _grain(figures, players, table, winter, RESERVE, reserve(number))
        values.append(each.value)
        ends.append(each.interval(sure))
    if any(end is None for end in ends):
        return str(_reached(values))
    low, high = (_reached([end[at] for end in ends if end is not None]) for at in (0, 1))
    return f"{_reached(values)} ({low} to {high})"


def _reached(values: list[float]) -> int:
    return (
        next((number for number, value in zip(RESERVES, values, strict=True) if value < WORTH_IT), len(values) + 1) - 1
    )


def holding_tables(figures: Figures, scope: Scope) -> list[str]:
    """Whom cards help with each number of players: the changes known at some table, the largest first, and all."""
    parts = []
    for players in sizes_of(scope):
        parts.append(known_table(figures, scope, players))
        for table in holdings.tables_of(scope).tables:
            for end in ENDS:
                sure, rows = sure_of_holders(), []
                for card in CARDS:
                    each = (_holder(figures, players, table, card, holding, end) for holding in HOLDINGS)
                    rows.append((event_words(card), *(of_estimate(one, sure, 2, sign="+") for one in each)))
                head = f"VP of the seats with the {end}, {players} players, {SHORT_NAMES[table]}"
                parts.append(f"{markdown_table((head, *HOLDINGS), rows)}\n\n{_holder_words(scope, players)}")
    return parts


def known_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per card and holding whose change is known somewhere, the largest first, at every table."""
    tables, sure = holdings.tables_of(scope).tables, sure_of_holders()
    found = {
        (card, holding, end): [_holder(figures, players, table, card, holding, end) for table in tables]
        for card in CARDS
        for holding in HOLDINGS
        for end in ENDS
    }
    known = {key: each for key, each in found.items() if any(side_of(one.interval(sure)) for one in each)}
    order = sorted(known, key=lambda key: -max(abs(one.value) for one in known[key]))
    rows = [
        (f"{event_words(card)}: {end} {holding}",
         *(of_estimate(one, sure, 2, sign="+") for one in known[card, holding, end]))
        for card, holding, end in order[:MOST_SHOWN]
    ]  # fmt: skip
    if not rows:
        return f"With {players} players no card is known to help some seats more than others."
    heads = (f"event card: whom it moves against the table, VP, {players} players", *(SHORT_NAMES[t] for t in tables))
    more = f"The {len(rows)} largest of {len(order)} changes that are known at some table."
    return f"{markdown_table(heads, rows)}\n\n{more} {_holder_words(scope, players)}"


def _holder_words(scope: Scope, players: int) -> str:
    sure, blocks = sure_of_holders(), holdings.tables_of(scope).baseline
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"The card in force against the card cancelled: points of such seats above those of their table, {players} "
        f"players, rounds after the first; who has most or fewest is counted when the round begins. {blocks:,} blocks; "
        f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals at each table.{few}"
    )


def _holder(figures: Figures, players: int, table: Cell, card: str, holding: str, end: str) -> Figure:
    return figures.of(HOLDER, holder(card, holding, end), players=players, cell=table)


def _places(scope: Scope) -> list[tuple[Cell, str]]:
    return [(table, winter) for table in grain.tables_of(scope).tables for winter in WINTERS]


def _columns(scope: Scope) -> list[str]:
    return [f"{SHORT_NAMES[table]}, {winter}" for table, winter in _places(scope)]


def _cells(
    figures: Figures, scope: Scope, players: int, quantity: str, item: str, sure: Confidence, decimals: int,
    sign: str = "+",
) -> list[str]:  # fmt: skip
    cells = []
    for table, winter in _places(scope):
        figure = _grain(figures, players, table, winter, quantity, item)
        cells.append(NOTHING if figure.value != figure.value else of_estimate(figure, sure, decimals, sign=sign))
    return cells


def _grain(figures: Figures, players: int, table: Cell, winter: str, quantity: str, item: str) -> Figure:
    return figures.of(quantity, item, players=players, cell=table, moment=winter)


def _under(scope: Scope, sure: Confidence) -> str:
    blocks = grain.tables_of(scope).baseline
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{blocks:,} blocks of each table; the ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} "
        f"intervals at each table.{few}"
    )
