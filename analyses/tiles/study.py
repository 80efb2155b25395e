"""Tiles: what are a bonus tile and a place in the player order worth, and what bid for them breaks even?

Method. A block is 6 × players games in a row, in which each pair of seat and round is treated once. After all have
picked and before anything is done, the treated seat gets a tile, or none, instead of its own, or trades places with
whoever has the place asked for; tiles stay then. Nobody knows of it beforehand and no other luck changes. A tile is
compared with none, a place with the mean of all places, by block. At the two tables, of
master bots who draft and of casual bots with line-ups, the seat also has the tile, or none, in every round: the
six rounds' effects add up to that, but for a rest. Thalers are victory points divided by the price of a Thaler in the
same cell and round (of the study `price`, whose games have another seed); their intervals carry its error (Fieller).
Beside it stands what the mere averages of holders would have said: by how much seats that held a tile ended above the
mean of their table, in the games without interventions. A cell is a play, a tower calibration and a
set-up, for each number of players. CLAIMS are judged in all cells, with intervals that hold simultaneously for a number
of players. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import floor, isfinite, nan

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, half_width, styled
from wallsim.report.tables.estimates import NOTHING, ends, number
from wallsim.report.tables.traced import marked
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.stats.screening import holm
from wallsim.studies.contrasts import MEAN, Contrasts, Plan, Series
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_NAMED, RESTS_ON, best_first, either, in_a_sentence
from wallsim.studies.games import block_size
from wallsim.studies.grids import At, Grid, Line, Show, estimate, held_together, lines, of_scope, sure_of, with_ends
from wallsim.studies.quantities import Quantity
from wallsim.studies.scope import (
    CASUAL_TABLE,
    EXPERIENCED_TABLE,
    PLAYERS,
    SECOND_TABLE,
    SIZES,
    TWO_TABLES,
    Blocks,
    Scope,
    sizes_of,
)
from wallsim.studies.table_captions import LINE_NAMES, limits, scope_words, table_name

from ..robustness.answers import claims_table, left_open
from . import estimates as it
from .estimates import CLAIMS, MEAN_LATER, NAMES, ROUNDS, offers, places_of, tables_of

LARGEST_BID = 4  # Thalers
BIDS = "bid at most with the last place, casual / strong bots"  # the head of the table of bids, with its place
EXPERIENCED = (EXPERIENCED_TABLE, SECOND_TABLE)
_PLACES = dict(zip(places_of(PLAYERS), ("first", "second", "third", "last"), strict=True))
_LEVEL_OF_TESTS = 0.01
Best = tuple[str, str, str]  # a tile, a place and a round
SIGNED = estimate(2, "+")
BRINGS, ORDER = "victory points that the tile {item} brings against", "in the order brings against the mean of places"
HELD, EVEN = "victory points of holders of {item} above the mean of their table", "Thalers that break even in a bid for"
AUCTION = "victory points that {item} brings in the auction, against the mean of"
EFFECT = partial(Quantity, null=0)
HOLDER, SIGN, SUM, PART = (partial(EFFECT, family=name) for name in ("holder", "sign", "sum", "part"))
SIZE = partial(EFFECT, family="size", together=("cell",))
CHOOSES = "words"  # where a figure is shown that only chooses words, or which bids are known
QUANTITIES = (
    EFFECT("tile-vp", f"{BRINGS} none"),
    EFFECT("tile-win", "wins that the tile {item} brings against none", "% points"),
    EFFECT("place-vp", f"victory points that {{item}} {ORDER}"),
    EFFECT("place-win", f"wins that {{item}} {ORDER}", "% points"),
    EFFECT("ranked", f"{BRINGS} the mean of the five tiles",
           hides=lambda row: row.play != "strong" or row.moment != MEAN),
    EFFECT("thalers", f"{EVEN} {{item}}, against none", "Thalers"),
    EFFECT("thalers-ranked", f"{EVEN} {{item}}, against the mean of tiles", "Thalers"),
    HOLDER("holder-given", f"{BRINGS} none"),
    HOLDER("holder-ranked", f"{BRINGS} the mean of tiles"),
    HOLDER("holder-held", HELD),
    # What was paid is an amount, not an effect: 0 is nothing to hold it against.
    HOLDER("holder-paid", "Thalers that holders of {item} had paid", "Thalers", null=nan),
    HOLDER("holder-thalers", f"{EVEN} {{item}}, against the mean of tiles", "Thalers"),
    EFFECT("held", HELD, like="ranked", shown="picture", hides=lambda row: row.play == "casual"),
    SIGN("sign-given", f"{BRINGS} none", shown=CHOOSES),
    SIGN("sign-held", HELD, shown=CHOOSES),
    SUM("six-rounds", f"{BRINGS} none, the six rounds' effects added up"),
    SUM("every-round", f"{BRINGS} none, held in every round"),
    SUM("rest", f"{BRINGS} none, held in every round less the six added up"),
    SIZE("tile-by-size", f"{BRINGS} none"),
    SIZE("place-by-size", f"victory points that {{item}} {ORDER}"),
    SIZE("thalers-by-size", f"{EVEN} {{item}}", "Thalers"),
    EFFECT("offer", "victory points that {first} with {rest} brings against the mean offer"),
    EFFECT("offer-thalers", f"{EVEN} {{first}} with {{rest}}, against the mean offer", "Thalers"),
    PART("offer-tile", f"{AUCTION} tiles"),
    PART("offer-place", f"{AUCTION} places"),
    Quantity("offer-adds-up", "p-value of the test that what a tile and a place bring adds up", "probability",
             shown=CHOOSES, hides=lambda row: row.moment != MEAN),
    EFFECT("leader-wins", "wins of a leader with the tile {item}, less those of one with the mean of the five tiles",
           "% points"),
    EFFECT("kept-from-leader", "Thalers that bring a rival as many wins as {item} kept from the leader", "Thalers"),
)  # fmt: skip


def bid_of(even: Figure) -> int | None:
    """The whole Thalers of a bid that breaks even at those of a figure, at most the largest; None without a price."""
    return min(LARGEST_BID, max(0, floor(even.value))) if isfinite(even.value) else None


def bid_words(even: Figure) -> str:
    """The same as a text."""
    bid = bid_of(even)
    return NOTHING if bid is None else marked(str(bid), even.value)


def first(figures: Figures, scope: Scope) -> Grid:
    """How much to bid at most for each tile with the last place, at the tables of four.

    At the experienced table it is the bid that pays in each line of strong play. The only bids that are advised: the
    first page of the study and the sheet to print have them.
    """
    grid = _bid_grid(figures, scope, PLAYERS)
    return replace(grid, under=(
        "Thalers at which a bid for the tile with the last of four places breaks even against the mean of what the "
        f"auction offers, rounded down; {LARGEST_BID} is the largest bid. Strong: the bid that pays for master and "
        f"scholar bots. {tables_of(scope).baseline:,} blocks of each table; intervals, other places, and three and "
        "five players are with all tables."))  # fmt: skip


def _bid_grid(figures: Figures, scope: Scope, players: int) -> Grid:
    casual, *strong = tables_of(scope).tables

    def both(even: Figure) -> str:
        by_cell = {each.cell: each for each in figures.headed(even.id.partition("/")[0]) if each.moment == even.moment}
        least = min((by_cell[table] for table in strong), key=lambda each: each.value)
        return f"{bid_words(even)} / {bid_words(least)}"

    rows, columns = lines("item", TILES, NAMES.__getitem__), lines("moment", ROUND_NAMES, item=places_of(players)[-1])
    return Grid(BIDS, rows, columns, {"quantity": "offer-thalers", "players": players, "cell": casual}, both)


def bids(figures: Figures, scope: Scope, players: int = PLAYERS) -> dict[str, list[str]]:
    """The bids of that table by tile and round, or those of tables with another number of players."""
    grid = _bid_grid(figures, scope, players)
    found: dict[str, list[str]] = {str(row.head): [] for row in grid.rows}
    for (row, _), even in grid.figures_of(figures).items():
        found[str(grid.rows[row].head)].append(grid.show(even))
    return found


def sentences(figures: Figures) -> dict[str, str]:
    """For which offer to bid most, and what it is worth to keep a tile from the leader."""
    return {"title": title_of(figures), "casual": f"{_sentence(figures, (CASUAL_TABLE,))}{_against_leaders(figures)}",
            "experienced": _sentence(figures, EXPERIENCED), **left_open(figures, tuple(CLAIMS))}  # fmt: skip


def title_of(figures: Figures) -> str:
    """The finding in a sentence: for how many offers a bid is known to pay."""
    casual, strong = (len(paying(figures, tables)) for tables in ((CASUAL_TABLE,), EXPERIENCED))
    return (f"A bid of one Thaler is known to pay for {casual} of {len(_every_offer())} offers to casual bots, for "
            f"{strong} to master and scholar bots {RESTS_ON}")  # fmt: skip


def in_words(best: Best) -> str:
    """An offer as a sentence has it."""
    tile, place, (season, year) = best[0], best[1], best[2].split()
    return f"{NAMES[tile]}, {_PLACES[place]} place, {'first' if year == '1' else 'second'} {season}"


def _every_offer() -> list[Best]:
    return [(*each, moment) for each in offers(PLAYERS) for moment in ROUND_NAMES]


def paying(figures: Figures, tables: Sequence[Cell]) -> list[Best]:
    """The offers that are known to be worth a bid of a Thaler at all of some tables: their intervals are above it."""
    return [best for best in _every_offer()
            if all(even.ends is not None and even.low >= 1.0 for even in _offered(figures, tables, best))]  # fmt: skip


def _offered(figures: Figures, tables: Sequence[Cell], best: Best) -> list[Figure]:
    # The Thalers at which a bid breaks even at some tables.
    tile, place, moment = best
    return [figures.of(item=f"{tile} {place}", **_at(table, "offer-thalers"), moment=moment) for table in tables]


def _sentence(figures: Figures, tables: Sequence[Cell]) -> str:
    # Which offers are worth a bid.
    found = paying(figures, tables)
    if not found:
        return "No offer is known to be worth a bid of a Thaler."
    if len(found) > MOST_NAMED:
        return f"{len(found)} offers are known to be worth a bid of one Thaler."
    return f"Known to be worth a bid of one Thaler: {'; '.join(map(in_words, found))}."


def _against_leaders(figures: Figures) -> str:
    # Which tile it is worth most to keep from the leader among casual bots.
    kept = {tile: figures.of("kept-from-leader", tile, players=PLAYERS, cell=CASUAL_TABLE, moment=MEAN_LATER)
            for tile in TILES}  # fmt: skip
    tile, *others = best_first(kept, sure_of([*kept.values()]), largest=True)
    if side_of(kept[tile].ends) <= 0 or len(others) >= MOST_NAMED:
        return ""
    adds = "may be worth most" if others else f"adds {in_a_sentence(kept[tile])}"
    return f" Against leaders {either([NAMES[each] for each in (tile, *others)], 'tiles')} {adds}."


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """Tiles and places by round and by number of players, holders, the auction, and the claims."""
    words = scope_words(figures, scope, STUDY.experiment(), len(it.scenarios(PLAYERS)))
    yield f"{words} The same with 3 and 5 players, each with its own strong policies."
    tiles = lines("item", TILES, NAMES.__getitem__)
    places = lines("item", places_of(PLAYERS), lambda place: place.removeprefix("place "))
    columns, plain, paired = lines("moment", ROUNDS), of_scope(scope), of_scope(scope, pairing=True)

    def each(head: str, rows: Sequence[Line], columns: Sequence[Line], quantity: str = "", show: Show = SIGNED,
             under: Callable[[Sequence[Figure]], str] = paired) -> Iterator[Grid]:  # fmt: skip
        for table in scope.tables:
            yield Grid(f"{head}, {table_name(table)}", rows, columns, _at(table, quantity), show, under)

    yield from each("VP, tile against none", tiles, columns, "tile-vp")
    yield from each("wins, % points, tile against none", tiles, columns, "tile-win")
    priced = of_scope(scope, after=" An interval is missing where there are too few blocks, or the price may be 0.")
    thalers = [each(f"Thalers that break even, against {against}", tiles, columns, quantity, with_ends(1), priced)
               for against, quantity in (("none", "thalers"), ("the mean of tiles", "thalers-ranked"))]  # fmt: skip
    for both in zip(*thalers, strict=True):
        yield from both
        yield "This is the tile alone, whatever its place; a bid also decides the place (below)."
    for table in scope.tables:
        given, real = ({tile: side_of(figures.of(name, tile, players=PLAYERS, cell=table).ends) for tile in TILES}
                       for name in ("sign-given", "sign-held"))  # fmt: skip
        wrong = ", ".join(NAMES[tile] for tile in TILES if given[tile] * real[tile] < 0) or "no tile"
        note = f" The averages of holders have the wrong sign against no tile, beyond all errors, for {wrong}."
        yield Grid(f"tile, mean of the rounds, {table_name(table)}", tiles, (
            Line("given, VP against none", {"quantity": "holder-given"}, SIGNED),
            Line("given, VP against the mean of tiles", {"quantity": "holder-ranked"}, SIGNED),
            Line("held in play, VP above the table", {"quantity": "holder-held"}, SIGNED),
            Line("Thalers that holders paid", {"quantity": "holder-paid"}),
            Line("Thalers that break even against the mean of tiles", {"quantity": "holder-thalers"}, with_ends(1)),
        ), _at(table), under=of_scope(scope, after=note))  # fmt: skip
    yield from each("VP, place against the mean", places, columns, "place-vp")
    yield from each("wins, % points, place against the mean", places, columns, "place-win")
    sums = {"six-rounds": "the six rounds' effects added up", "every-round": "held in every round", "rest": "the rest"}
    yield from each("VP, tile against none", tiles, lines("quantity", sums, sums.__getitem__), under=plain)
    places = lines("item", places_of(max(SIZES)), quantity="place-by-size")
    yield from each("mean of the rounds", (*tiles, *places), (
        *lines("players", SIZES, "VP, {} players".format),
        *lines("players", SIZES, "Thalers, {}".format, quantity="thalers-by-size", show=with_ends(1)),
    ), "tile-by-size", under=plain)  # fmt: skip
    for players in sizes_of(scope):
        yield from auction_tables(figures, scope, players)
    yield sum_words(figures, scope)
    for players in SIZES:
        known = figures.all_of("claim", next(iter(CLAIMS)).outcome, players=players)
        text = claims_table(figures, tuple(CLAIMS), scope.plays, players=players, decimals=2)
        yield f"With {players} players:\n\n{text} {limits(sure_of(known), scope.others, len(scope.cells()))}"


def auction_tables(figures: Figures, scope: Scope, players: int) -> Iterator[Grid]:
    """Offers, tiles and places by round, and tiles kept from the leader, with a number of players."""
    own, who, columns = tables_of(scope), f"{players} players", lines("moment", ROUNDS)
    sure = "The intervals are {family} that hold simultaneously at {level}, for each table."
    rows = [Line(f"{NAMES[tile]}, {place}", {"item": f"{tile} {place}"}) for tile, place in offers(players)]
    parts = (*lines("item", TILES, NAMES.__getitem__, quantity="offer-tile"),
             *lines("item", places_of(players), quantity="offer-place"))  # fmt: skip
    for table in own.tables:
        yield Grid(f"bid at most, {who}, {LINE_NAMES[table]}", rows, columns, _at(table, "offer-thalers", players),
                   lambda even: f"{bid_words(even)} ({ends(even.ends, 1)})",
                   held_together(
                       "Whole Thalers up to the point where a bid breaks even against the mean offer; in brackets that "
                       "point's interval, one of {family} that hold simultaneously at {level}. It is missing where the "
                       f"price of a Thaler may be 0. {own.baseline:,} blocks of {block_size(players)}; tile and "
                       "place are added up."))  # fmt: skip
        yield Grid(f"VP against the mean, {who}, {LINE_NAMES[table]}", parts, columns, _at(table, "", players), SIGNED,
                   held_together(sure))  # fmt: skip
    yield Grid(f"VP, mean of the rounds, {who}", rows, lines("cell", own.tables, LINE_NAMES.__getitem__),
               {"quantity": "offer", "players": players, "moment": MEAN}, SIGNED,
               held_together(f"As measured together, not added up. {sure}"))  # fmt: skip
    leaders = [Line(f"{NAMES[tile]}, {LINE_NAMES[table]}", {"item": tile, "cell": table})
               for table, tile in product(own.tables, TILES)]  # fmt: skip
    for head, quantity, show, words in (
        ("Thalers that it is worth to keep a tile from the leader", "kept-from-leader", with_ends(1),
         "The Thalers that bring a rival as many wins as the leader loses to each of them with the mean of the five "
         "tiles instead of this one. An interval is missing where the Thalers may bring no wins."),
        ("wins of a leader with the tile, % points", "leader-wins", estimate(1, "+"),
         "Against the mean of the five tiles. A leader is a seat that nobody was ahead of when the round began; each "
         "rival loses its share of these wins."),
    ):  # fmt: skip
        yield Grid(f"{head}, {who}", leaders, lines("moment", it.LED_MOMENTS),
                   {"quantity": quantity, "players": players}, show, held_together(f"{words} {sure}"))  # fmt: skip


def _at(table: Cell, quantity: str = "", players: int = PLAYERS) -> At:
    return {"quantity": quantity, "players": players, "cell": table}


def sum_words(figures: Figures, scope: Scope) -> str:
    """Whether what a tile and a place bring adds up, by the tests at every table and number of players."""
    tests = {
        f"{LINE_NAMES[table]} of {players}": row.value
        for players in sizes_of(scope)
        for table, row in figures.cells("offer-adds-up", players=players, moment=MEAN).items()
    }
    if not tests:
        return "Whether tile and place add up is not known from so few blocks."
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    rejected = [where for where, p in adjusted.items() if p < _LEVEL_OF_TESTS]
    found = f"It is rejected at {', '.join(rejected)}." if rejected else "It is rejected nowhere."
    return (
        "That a tile and a place bring together what they bring alone is tested jointly at each table, in the mean of "
        f"the rounds (Hotelling), {len(tests)} tests with Holm's correction at {_LEVEL_OF_TESTS:.0%}. {found} The "
        f"least p-value is {number(min(tests.values()), 3)}."
    )


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A bar a tile, round by round; beside it each tile as given and as held, as two dots."""
    of = partial(figures.of, players=PLAYERS, cell=scope.baseline_cell())
    given, held = [of("ranked", tile, moment=MEAN) for tile in TILES], [of("held", tile) for tile in TILES]
    sure, width = sure_of(given), 0.8 / len(TILES)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.2), width_ratios=(2.2, 1))
    figure.suptitle(f"What tiles bring, {table_name(scope.baseline_cell())}", x=0.01, ha="left")
    figure.supxlabel(f"{scope.baseline:,} blocks of 24 games; bars: simultaneous {LEVEL:.0%} intervals", x=0.01,
                     ha="left", fontsize=8)  # fmt: skip
    for at, tile in enumerate(TILES):
        shown = [of("tile-vp", tile, moment=moment) for moment in ROUND_NAMES]
        places, values = [place + (at - 2) * width for place in range(len(shown))], [one.value for one in shown]
        left.bar(places, values, width * 0.92, label=NAMES[tile], color=COLOURS[at])
        left.errorbar(places, values, yerr=[half_width(one, sure) for one in shown], fmt="none", ecolor=INK,
                      elinewidth=0.9, capsize=1.5)  # fmt: skip
    left.axhline(0, color=FAINT, linewidth=0.8)
    left.set_xticks(range(len(ROUND_NAMES)), ROUND_NAMES)
    left.set_ylabel("victory points")
    left.set_title("The tile against none")
    left.legend(ncols=len(TILES), loc="upper center", bbox_to_anchor=(0.5, -0.1), columnspacing=1.0, handlelength=1.2)
    for shown, shift, label, colour, marker in (
        (given, -0.12, "given by the study", INK, "o"), (held, 0.12, "held in play", ACCENT, "s"),
    ):  # fmt: skip
        right.errorbar(
            [one.value for one in shown], [place + shift for place in range(len(shown))],
            xerr=[half_width(one, sure) for one in shown], fmt=marker, color=colour, label=label, markersize=5,
            capsize=2, elinewidth=1,
        )  # fmt: skip
    right.axvline(0, color=FAINT, linewidth=0.8)
    right.set_yticks(range(len(TILES)), list(NAMES.values()))
    right.invert_yaxis()
    right.set_title("Against the mean, VP")
    right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2, columnspacing=1.0, handletextpad=0.3)
    return figure


STUDY = Contrasts(
    __file__, __doc__,
    plans=[Plan(f"{size} players", it.scenarios(size), (size,)) for size in SIZES],
    count=it.count, seasons=True, blocks=Blocks(others=168, quick=168, quick_others=40), tables=TWO_TABLES,
    quantities=QUANTITIES,
    series=(
        *(Series(f"tile-{what}", items, ROUNDS) for what, items in it.TILES_BRING.items()),
        Series("tile-by-size", it.TILES_BRING["vp"], sizes=SIZES, named=False),
    ),
    measure=it.measure, beside=it.play_auction, decides=it.decides, claims=CLAIMS, judged=SIZES,
    first=first, shown=tables, open=sentences, picture=picture,
    sentences={"picture": "Victory points that each tile brings against none in each round; beside it each tile as it "
                          "was given and as seats held it, against the mean"},
).study(compared=("offer",))  # fmt: skip
