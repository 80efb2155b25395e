"""The tables of what the auction offers: bids for a tile with a place, and tiles kept from the leader."""

from __future__ import annotations

from math import floor, isfinite

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, number, of_estimate
from wallsim.report.tables.traced import marked
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.screening import holm
from wallsim.studies.contrasts import MEAN
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.scope import Scope, sizes_of
from wallsim.studies.table_captions import LINE_NAMES

from .auction import LED_MOMENTS, MOMENTS, tables_of
from .auction_figures import (
    ADDS_UP,
    KEPT,
    LEADER_WINS,
    OFFER,
    OFFER_PRICE,
    OFFER_THALERS,
    PLACE_ALONE,
    TILE_ALONE,
    offer,
    place_alone,
    sure_of_led,
    sure_of_means,
    sure_of_offers,
    sure_of_parts,
)

PLAYERS, LARGEST_BID = 4, 4  # of the first table; Thalers
BIDS = "bid at most with the last place, casual / experienced"  # the head of the table of bids, with its place
_LEVEL_OF_TESTS = 0.01


def bids(figures: Figures, scope: Scope) -> dict[str, list[str]]:
    """How much to bid at most for each tile with the last place of four, by round: casual / experienced table.

    At the experienced table it is the bid that pays in each line of strong play. The only bids that are advised: the
    first page of the study and the sheet to print have them.
    """
    casual, *lines = tables_of(scope).tables
    found: dict[str, list[str]] = {}
    for tile in TILES:
        for moment in ROUND_NAMES:
            least = min(lines, key=lambda table: offered(figures, PLAYERS, table, tile, PLAYERS, moment).value)
            both = (_bid(figures, PLAYERS, table, tile, PLAYERS, moment) for table in (casual, least))
            found.setdefault(_words(tile), []).append(" / ".join(both))
    return found


def offer_bids(figures: Figures, scope: Scope) -> str:
    """The bids as a table, one row per tile."""
    return markdown_table((BIDS, *ROUND_NAMES), [(tile, *cells) for tile, cells in bids(figures, scope).items()])


def auction_tables(figures: Figures, scope: Scope) -> list[str]:
    """All tables of the auction, by number of players and table."""
    parts = []
    for players in sizes_of(scope):
        for table in tables_of(scope).tables:
            parts += [offer_table(figures, scope, players, table), part_table(figures, players, table)]
        parts += [mean_table(figures, scope, players), kept_table(figures, scope, players)]
        parts.append(leader_table(figures, scope, players))
    return [*parts, sum_words(figures, scope)]


def offer_table(figures: Figures, scope: Scope, players: int, table: Cell) -> str:
    """One row per tile and place: the bid at most by round, with the interval of the point where it breaks even."""
    sure, rows = sure_of_offers(players), []
    for tile in TILES:
        for place in range(1, players + 1):
            cells = []
            for moment in MOMENTS:
                even = offered(figures, players, table, tile, place, moment)
                bid = _bid(figures, players, table, tile, place, moment)
                cells.append(f"{bid} ({ends(even.interval(sure), 1)})")
            rows.append((f"{_words(tile)}, place {place}", *cells))
    blocks = tables_of(scope).baseline
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    head = f"bid at most, {players} players, {LINE_NAMES[table]}"
    return (
        f"{markdown_table((head, *MOMENTS), rows)}\n\nWhole Thalers up to "
        "the point where a bid breaks even against the mean offer; in brackets that point's interval, one of "
        f"{sure.n_comparisons} that hold simultaneously at {LEVEL:.0%}. It is missing where the price of a Thaler may "
        f"be 0. {blocks:,} blocks of {block_size(players)}; tile and place are added up.{few}"
    )


def part_table(figures: Figures, players: int, table: Cell) -> str:
    """One row per tile and per place: its points by round, against the mean of tiles or of places."""
    sure = sure_of_parts(players)
    items = [(TILE_ALONE, tile) for tile in TILES]
    items += [(PLACE_ALONE, place_alone(place)) for place in range(1, players + 1)]
    rows = []
    for quantity, name in items:
        each = (figures.of(quantity, name, players=players, cell=table, moment=moment) for moment in MOMENTS)
        rows.append((_words(name), *(of_estimate(one, sure, 2, sign="+") for one in each)))
    head = f"VP against the mean, {players} players, {LINE_NAMES[table]}"
    return f"{markdown_table((head, *MOMENTS), rows)}\n\n{_under(sure)}"


def mean_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per tile and place: its points as measured together, in the mean of the rounds at each table."""
    tables, sure, rows = tables_of(scope).tables, sure_of_means(players), []
    for tile in TILES:
        for place in range(1, players + 1):
            each = (figures.of(OFFER, offer(tile, place), players=players, cell=table, moment=MEAN) for table in tables)
            rows.append((f"{_words(tile)}, place {place}", *(of_estimate(one, sure, 2, sign="+") for one in each)))
    heads = (f"VP, mean of the rounds, {players} players", *(LINE_NAMES[table] for table in tables))
    return f"{markdown_table(heads, rows)}\n\nAs measured together, not added up. {_under(sure)}"


def kept_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per table and tile: the Thalers that keeping it from the leader is worth to each rival."""
    sure, rows = sure_of_led(), []
    for table in tables_of(scope).tables:
        for tile in TILES:
            each = (figures.of(KEPT, tile, players=players, cell=table, moment=moment) for moment in LED_MOMENTS)
            cells = (f"{number(one.value, 1)} ({ends(one.interval(sure), 1)})" for one in each)
            rows.append((f"{_words(tile)}, {LINE_NAMES[table]}", *cells))
    head = f"Thalers that it is worth to keep a tile from the leader, {players} players"
    return (
        f"{markdown_table((head, *LED_MOMENTS), rows)}\n\nThe Thalers that bring a rival as many wins as the leader "
        "loses to each of them with the mean of the five tiles instead of this one. An "
        f"interval is missing where the Thalers may bring no wins. {_under(sure)}"
    )


def leader_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per table and tile: the wins of a leader with it, against one with the mean of tiles."""
    sure, rows = sure_of_led(), []
    for table in tables_of(scope).tables:
        for tile in TILES:
            each = (figures.of(LEADER_WINS, tile, players=players, cell=table, moment=moment) for moment in LED_MOMENTS)
            cells = (of_estimate(one, sure, 1, sign="+") for one in each)
            rows.append((f"{_words(tile)}, {LINE_NAMES[table]}", *cells))
    head = f"wins of a leader with the tile, % points, {players} players"
    return (
        f"{markdown_table((head, *LED_MOMENTS), rows)}\n\nAgainst the mean of the five tiles. A leader is a seat that "
        f"nobody was ahead of when the round began; each rival loses its share of these wins. {_under(sure)}"
    )


def sum_words(figures: Figures, scope: Scope) -> str:
    """Whether what a tile and a place bring adds up, by the tests at every table and number of players."""
    tests = {
        (players, table): row.value
        for players in sizes_of(scope)
        for table in tables_of(scope).tables
        for row in figures.all_of(ADDS_UP, players=players)
        if row.cell == table and row.moment == MEAN
    }
    if not tests:
        return "Whether tile and place add up is not known from so few blocks."
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    rejected = [f"{LINE_NAMES[table]} of {players}" for (players, table), p in adjusted.items() if p < _LEVEL_OF_TESTS]
    least = number(min(tests.values()), 3)
    found = f"It is rejected at {', '.join(rejected)}." if rejected else "It is rejected nowhere."
    return (
        "That a tile and a place bring together what they bring alone is tested jointly at each table, in the mean of "
        f"the rounds (Hotelling), {len(tests)} tests with Holm's correction at {_LEVEL_OF_TESTS:.0%}. {found} The "
        f"least p-value is {least}."
    )


def bid_of(figures: Figures, players: int, table: Cell, tile: str, place: int, moment: str) -> int | None:
    """The whole Thalers of a bid that breaks even, at most the largest.

    None where it is not known: the price of a Thaler is not above 0.
    """
    even = offered(figures, players, table, tile, place, moment).value
    price = figures.of(OFFER_PRICE, players=players, cell=table, moment=moment).value
    return min(LARGEST_BID, max(0, floor(even))) if price > 0 and isfinite(even) else None


def offered(figures: Figures, players: int, table: Cell, tile: str, place: int, moment: str) -> Figure:
    """The Thalers at which a bid for a tile with a place breaks even."""
    return figures.of(OFFER_THALERS, offer(tile, place), players=players, cell=table, moment=moment)


def _bid(figures: Figures, players: int, table: Cell, tile: str, place: int, moment: str) -> str:
    bid = bid_of(figures, players, table, tile, place, moment)
    even = offered(figures, players, table, tile, place, moment)
    return NOTHING if bid is None else marked(str(bid), even.value)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _under(sure: Confidence) -> str:
    return f"The intervals are {sure.n_comparisons} that hold simultaneously at {LEVEL:.0%}, for each table."
