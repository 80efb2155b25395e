"""Tiles: what are a bonus tile and a place in the player order worth, and what bid for them breaks even?

Method. A block is 6 × players games in a row, in which each pair of seat and round is treated once. After all have
picked and before anything is done, the treated seat gets a tile, or none, instead of its own, or trades places with
whoever has the place asked for; tiles stay then. Nobody knows of it beforehand and no other luck changes. A tile is
compared with none, a place with the mean of all places, by block. At the two tables, of
experienced players who draft and of casual ones with line-ups, the seat also has the tile, or none, in every round: the
six rounds' effects add up to that, but for a rest. Thalers are victory points divided by the price of a Thaler in the
same cell and round (of the study `price`, whose games have another seed); their intervals carry its error (Fieller).
Beside it stands what the mere averages of holders would have said: by how much seats that held a tile ended above the
mean of their table, in the games without interventions. A cell is a play, a tower calibration and a
set-up, for each number of players. CLAIMS are judged in all cells, with intervals that hold simultaneously for a number
of players. With --quick there are few cells and blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import nan

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import ends, number
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.stats.screening import holm
from wallsim.studies.contrasts import MEAN, Contrasts, Plan, Series
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.grids import At, Grid, Line, estimate, held_together, lines, of_scope, sure_of, with_ends
from wallsim.studies.quantities import Quantity
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, sizes_of
from wallsim.studies.table_captions import LINE_NAMES, limits, scope_words, table_name

from ..robustness.answers import claims_table
from . import auction
from . import estimates as played
from .auction import LED_MOMENTS, MOMENTS, offer, offers, tables_of
from .bids import bid_words, first, sentences
from .estimates import CLAIMS, NAMES, PLAYERS, SIZES, place_name
from .picture import worth_by_round

_LEVEL_OF_TESTS = 0.01
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
    EFFECT("offer", lambda key: f"victory points that {_with(key.item)} brings against the mean offer"),
    EFFECT("offer-thalers", lambda key: f"{EVEN} {_with(key.item)}, against the mean offer", "Thalers"),
    PART("offer-tile", f"{AUCTION} tiles"),
    PART("offer-place", f"{AUCTION} places"),
    EFFECT("offer-price", "victory points that one of four more Thalers brings", "VP per Thaler", shown=CHOOSES),
    Quantity("offer-adds-up", "p-value of the test that what a tile and a place bring adds up", "probability",
             shown=CHOOSES, hides=lambda row: row.moment != MEAN),
    EFFECT("leader-wins", "wins of a leader with the tile {item}, less those of one with the mean of the five tiles",
           "% points"),
    EFFECT("kept-from-leader", "Thalers that bring a rival as many wins as {item} kept from the leader", "Thalers"),
)  # fmt: skip


def _with(item: str) -> str:
    return item.replace(" place", " with place")


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """Tiles and places by round and by number of players, holders, the auction, and the claims."""
    words = scope_words(scope, STUDY.experiment(), len(played.scenarios(PLAYERS) | played.held_always()))
    yield f"{words} The same with 3 and 5 players, each with its own strong policies."
    tiles, columns = lines("item", TILES, NAMES.__getitem__), lines("moment", MOMENTS)
    points = {"vp": "VP", "win": "wins, % points"}
    for (outcome, unit), table in product(points.items(), scope.tables):
        yield Grid(f"{unit}, tile against none, {table_name(table)}", tiles, columns, _at(table, f"tile-{outcome}"),
                   estimate(2, "+"), of_scope(scope, pairing=True))  # fmt: skip
    for table in scope.tables:
        note = " An interval is missing where there are too few blocks, or the price may be 0."
        for quantity, against in (("thalers", "none"), ("thalers-ranked", "the mean of tiles")):
            yield Grid(f"Thalers that break even, against {against}, {table_name(table)}", tiles, columns,
                       _at(table, quantity), with_ends(1), of_scope(scope, after=note))  # fmt: skip
        yield "This is the tile alone, whatever its place; a bid also decides the place (below)."
    for table in scope.tables:
        held = (("given", "given, VP against none"), ("ranked", "given, VP against the mean of tiles"),
                ("held", "held in play, VP above the table"))  # fmt: skip
        given, real = ({tile: side_of(figures.of(name, tile, players=PLAYERS, cell=table).ends) for tile in TILES}
                       for name in ("sign-given", "sign-held"))  # fmt: skip
        wrong = ", ".join(NAMES[tile] for tile in TILES if given[tile] * real[tile] < 0) or "no tile"
        note = f" The averages of holders have the wrong sign against no tile, beyond all errors, for {wrong}."
        yield Grid(f"tile, mean of the rounds, {table_name(table)}", tiles, (
            *(Line(head, {"quantity": f"holder-{name}"}, estimate(2, "+")) for name, head in held),
            Line("Thalers that holders paid", {"quantity": "holder-paid"}),
            Line("Thalers that break even against the mean of tiles", {"quantity": "holder-thalers"}, with_ends(1)),
        ), _at(table), under=of_scope(scope, after=note))  # fmt: skip
    for (outcome, unit), table in product(points.items(), scope.tables):
        yield Grid(f"{unit}, place against the mean, {table_name(table)}",
                   [Line(str(place), {"item": place_name(place)}) for place in range(1, PLAYERS + 1)], columns,
                   _at(table, f"place-{outcome}"), estimate(2, "+"), of_scope(scope, pairing=True))  # fmt: skip
    for table in scope.tables:
        sums = {"six-rounds": "the six rounds' effects added up", "every-round": "held in every round",
                "rest": "the rest"}  # fmt: skip
        yield Grid(f"VP, tile against none, {table_name(table)}", tiles, lines("quantity", sums, sums.__getitem__),
                   _at(table), estimate(2, "+"), of_scope(scope))  # fmt: skip
    for table in scope.tables:
        places = lines("item", map(place_name, range(1, max(SIZES) + 1)), quantity="place-by-size")
        yield Grid(f"mean of the rounds, {table_name(table)}", (*tiles, *places), (
            *lines("players", SIZES, lambda size: f"VP, {size} players"),
            *lines("players", SIZES, lambda size: f"Thalers, {size}", quantity="thalers-by-size", show=with_ends(1)),
        ), _at(table, "tile-by-size"), estimate(2, "+"), of_scope(scope))  # fmt: skip
    for players in sizes_of(scope):
        yield from auction_tables(figures, scope, players)
    yield sum_words(figures, scope)
    for players in SIZES:
        known = figures.all_of("claim", next(iter(CLAIMS)).outcome, players=players)
        text = claims_table(figures, tuple(CLAIMS), scope.plays, players=players, decimals=2)
        yield f"With {players} players:\n\n{text} {limits(sure_of(known), scope.others, len(scope.cells()))}"


def auction_tables(figures: Figures, scope: Scope, players: int) -> Iterator[Grid]:
    """Offers, tiles and places by round, and tiles kept from the leader, with a number of players."""
    own, who = tables_of(scope), f"{players} players"
    rows = [Line(f"{NAMES[tile]}, place {place}", {"item": offer(tile, place)}) for tile, place in offers(players)]
    for table in own.tables:
        yield Grid(f"bid at most, {who}, {LINE_NAMES[table]}", rows, lines("moment", MOMENTS),
                   _at(table, "offer-thalers", players),
                   lambda even: f"{bid_words(figures, even)} ({ends(even.ends, 1)})",
                   held_together(
                       "Whole Thalers up to the point where a bid breaks even against the mean offer; in brackets that "
                       "point's interval, one of {family} that hold simultaneously at {level}. It is missing where the "
                       f"price of a Thaler may be 0. {own.baseline:,} blocks of {block_size(players)}; tile and "
                       "place are added up."))  # fmt: skip
        parts = (*lines("item", TILES, NAMES.__getitem__, quantity="offer-tile"),
                 *lines("item", map(place_name, range(1, players + 1)), quantity="offer-place"))  # fmt: skip
        yield Grid(f"VP against the mean, {who}, {LINE_NAMES[table]}", parts, lines("moment", MOMENTS),
                   _at(table, "", players), estimate(2, "+"), partial(_held, ""))  # fmt: skip
    yield Grid(f"VP, mean of the rounds, {who}", rows, lines("cell", own.tables, LINE_NAMES.__getitem__),
               {"quantity": "offer", "players": players, "moment": MEAN}, estimate(2, "+"),
               partial(_held, "As measured together, not added up."))  # fmt: skip
    leaders = [Line(f"{NAMES[tile]}, {LINE_NAMES[table]}", {"item": tile, "cell": table})
               for table, tile in product(own.tables, TILES)]  # fmt: skip
    for head, quantity, show, words in (
        (f"Thalers that it is worth to keep a tile from the leader, {who}", "kept-from-leader", with_ends(1),
         "The Thalers that bring a rival as many wins as the leader loses to each of them with the mean of the five "
         "tiles instead of this one. An interval is missing where the Thalers may bring no wins."),
        (f"wins of a leader with the tile, % points, {who}", "leader-wins", estimate(1, "+"),
         "Against the mean of the five tiles. A leader is a seat that nobody was ahead of when the round began; each "
         "rival loses its share of these wins."),
    ):  # fmt: skip
        yield Grid(head, leaders, lines("moment", LED_MOMENTS), {"quantity": quantity, "players": players}, show,
                   partial(_held, words))  # fmt: skip


def _at(table: Cell, quantity: str = "", players: int = PLAYERS) -> At:
    return {"quantity": quantity, "players": players, "cell": table}


def _held(words: str, used: Sequence[Figure]) -> str:
    sure = f"The intervals are {used[0].family} that hold simultaneously at {LEVEL:.0%}, for each table."
    return f"{words} {sure}".strip()


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


def picture(figures: Figures, scope: Scope) -> Picture:
    """A bar a tile, round by round; beside it each tile as given and as held."""
    of = partial(figures.of, players=PLAYERS, cell=scope.baseline_cell())
    bars = {NAMES[tile]: [of("tile-vp", tile, moment=moment) for moment in ROUND_NAMES] for tile in TILES}
    pairs = [(of("ranked", tile, moment=MEAN), of("held", tile)) for tile in TILES]
    note = f"{scope.baseline:,} blocks of 24 games; bars: simultaneous {LEVEL:.0%} intervals"
    title = f"What tiles bring, {table_name(scope.baseline_cell())}"
    return worth_by_round(bars, pairs, sure_of([each for each, _ in pairs]), title, note)


STUDY = Contrasts(
    __file__, __doc__,
    plans=[Plan(f"{size} players", played.scenarios(size), (size,), alone=played.held_always()) for size in SIZES],
    count=played.count, seasons=True, blocks=Blocks(others=200, quick=168, quick_others=40), tables=TWO_TABLES,
    quantities=QUANTITIES,
    series=(
        *(Series(f"tile-{what}", items, MOMENTS) for what, items in played.TILES_BRING.items()),
        Series("tile-by-size", played.TILES_BRING["vp"], sizes=SIZES, named=False),
    ),
    measure=played.measure, beside=auction.play, decides=played.decides, claims=CLAIMS, judged=SIZES,
    first=first, shown=tables, open=sentences, picture=picture,
    sentences={"picture": "Victory points that each tile brings against none in each round; beside it each tile as it "
                          "was given and as seats held it, against the mean"},
).study()  # fmt: skip
