"""Line-ups: which line-ups win, at which seats, and what makes them fair?

Method. A cell is a play (all seats alike, from weak to expert and scholar bots) under a tower calibration: every play
under the first tower, casual, expert and scholar bots under two more. Every game number is played in all arrangements
of the line-ups over the seats, the rotations and their mirror images: that is a block, the unit of all errors. All
versions of the line-ups, as printed and with the mends of `mends.toml`, are played on the same numbers; a handicap in
victory points is added at the end of printed games. The mends were found by `.ci/maker mends` on games of another seed,
under two plays and two towers, and are judged here in all cells. Wins are those of a cell or the mean of cells, each
with the same weight, with Student's t intervals. With --quick there are two cells of four players, and --games is the
game numbers of each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from math import inf
from textwrap import wrap

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D

from wallsim.analysis.claims.answers import DEPENDS, UNKNOWN
from wallsim.analysis.claims.cells import Cell, plays_in_words
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import NOTHING, number
from wallsim.rules.board import load_board
from wallsim.rules.ruleset import LETTERS
from wallsim.studies.figure import Figure, Figures, slug
from wallsim.studies.finding import BOTS, RESTS_ON, Finding, best_first, bots_of, listed
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of, value
from wallsim.studies.scope import CASUAL_TABLE, PRINTED_TABLES
from wallsim.studies.study import Choices, Judged, Study
from wallsim.studies.table_captions import QUICK

from ..robustness.answers import answer_of, claims_table, differing, is_published, not_known
from . import games as it
from . import measure
from .games import COUNTIES, HEAD_SIZE, KINDS, PRINTED, READ, SEED, VERSIONS, Design, letters_of
from .measure import ALL, FRESH, SEATS, WAYS, claims, groups_of, item, less_spread, named
from .worth import FEATURES, OTHERS, in_skill, land_cells

LINES = PRINTED_TABLES[1:]
NAMES = dict(zip(VERSIONS, ("the printed line-ups", "a handicap", "other Thalers", "swapped counties",
                           "swapped army groups"), strict=True))  # fmt: skip
NEAR = 2.0  # percentage points: line-ups whose wins are within are level
SHARES, SPREADS, SIGNED = estimate(1, top=100.0), estimate(1), estimate(2, "+")


def finding(figures: Figures, _: Design) -> Finding:
    """Which line-ups win too often, and what evens them out at each table."""
    casual, strong = nearest(figures, [CASUAL_TABLE]), nearest(figures, LINES)
    lines_of_play = {cell: nearest(figures, [cell]) for cell in LINES}
    title = f"casual bots play fairest with {_either(casual)}"
    experienced = f"With line-ups, imbalance is {_compared(figures, LINES, strong)}."
    if not set.intersection(*map(set, lines_of_play.values())):
        title += "; no fix is fairest for both expert and scholar bots"
        printed = " and ".join(number(figures.of("spread", PRINTED, players=HEAD_SIZE, cell=cell).value, 1)
                               for cell in LINES)  # fmt: skip
        one, other = (f"{BOTS[cell.play]} bots with {_with_spread(figures, cell, alike)}"
                      for cell, alike in lines_of_play.items())  # fmt: skip
        experienced = f"With line-ups, imbalance is {printed} as printed. Fairest are {one}, {other}."
    elif set(casual) == set(strong):
        title = f"casual, expert and scholar bots play fairest with {_either(casual)}"
    else:
        title += f", expert and scholar bots with {_either(strong)}"
    shares = {letter: [figures.of("wins", letter, players=HEAD_SIZE, cell=cell) for cell in PRINTED_TABLES]
              for letter in letters_of(HEAD_SIZE)}  # fmt: skip
    most = 100 / HEAD_SIZE + NEAR
    if many := [letter for letter, each in shares.items() if all(_ends(share)[0] > most for share in each)]:
        who = f"line-ups {' and '.join(many)} win" if len(many) > 1 else f"line-up {many[0]} wins"
        title = f"{who} too often; {title}"
    unknown, failed = _either(_answered(figures, UNKNOWN)), _failed(figures)
    return Finding(
        f"{title[0].upper()}{title[1:]} {RESTS_ON}",
        f"Imbalance is {_compared(figures, [CASUAL_TABLE], casual, ' percentage points')}.",
        experienced,
        f"For which bots games are fairer with {unknown}." if unknown else not_known(figures, claims(HEAD_SIZE)),
        "Wins by line-up as printed and with each change: casual, expert and scholar bots, 3 to 5 players",
        f"Some fixes make games of some {failed} bots less fair." if failed else differing(figures, claims(HEAD_SIZE)),
    )


def nearest(figures: Figures, cells: Sequence[Cell], players: int = HEAD_SIZE) -> list[str]:
    """The versions with the least spread of wins in all of some cells, as far as their intervals tell; the best first.

    In a cell these are the best and those whose interval meets that of the best. Without one that is among them in all
    cells, they are the best of each. The best is that whose greatest spread is least.
    """
    spreads = [{kind: figures.of("spread", kind, players=players, cell=cell) for kind in VERSIONS} for cell in cells]
    alike = [best_first(each, sure_of(list(each.values())), largest=False) for each in spreads]
    chosen = set.intersection(*map(set, alike)) or {best for best, *_ in alike}
    return sorted((kind for kind in VERSIONS if kind in chosen),
                  key=lambda kind: max(each[kind].value for each in spreads))  # fmt: skip


def _ends(figure: Figure) -> tuple[float, float]:
    return figure.ends or (-inf, inf)


def _answered(figures: Figures, word: str) -> list[str]:
    # The fixes with an answer.
    asked = KINDS if is_published(figures) else ()
    return [kind for kind in asked if answer_of(figures.study, less_spread(kind)).word == word]


def _failed(figures: Figures) -> str:
    # The bots for which some fix that differs between bots is known to make games less fair.
    plays = {cell.play for kind in _answered(figures, DEPENDS)
             for cell in answer_of(figures.study, less_spread(kind)).fails_in}  # fmt: skip
    return listed(sorted(BOTS.get(play, play) for play in plays), "or")


def _compared(figures: Figures, cells: Sequence[Cell], alike: Sequence[str], unit: str = "") -> str:
    best, *others = alike
    printed = f"{_spread(figures, cells, PRINTED)}{unit} as printed"
    fixed = "" if best == PRINTED else f", {_spread(figures, cells, best)} with {NAMES[best]}"
    return f"{printed}{fixed}{_not_apart(others)}"


def _not_apart(kinds: Sequence[str]) -> str:
    return f", not distinguishable from {_either(kinds)}" if kinds else ""


def _with_spread(figures: Figures, cell: Cell, kinds: Sequence[str]) -> str:
    # Fixes that are not distinguishable, the best first and with its imbalance.
    best, *others = (NAMES[kind] for kind in kinds)
    return listed([f"{best} ({_spread(figures, [cell], kinds[0])})", *others], "or")


def _spread(figures: Figures, cells: Sequence[Cell], kind: str) -> str:
    return " and ".join(SPREADS(figures.of("spread", kind, players=HEAD_SIZE, cell=cell)) for cell in cells)


def _either(kinds: Sequence[str]) -> str:
    return listed([NAMES[kind] for kind in kinds], "or")


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """Spreads, versions, the handicap, printed line-ups in every cell, skill, seats, land and claims."""
    yield spreads_by_table(design)
    yield games_played(figures, design)
    yield from (spreads_by_table(design, players) for players in design.sizes if players != HEAD_SIZE)
    rows = [Line((str(players), letter, number(100 / players, 1)), {"players": players, "item": letter})
            for players in design.sizes for letter in letters_of(players)]  # fmt: skip
    kinds = [Line(f"wins, %, {kind}", {"item": "" if kind == PRINTED else kind}) for kind in VERSIONS]
    yield Grid(("players", "line-up", "fair, %"), rows, kinds, {"quantity": "wins-by-version"}, SHARES,
               under(design, "The mean of all cells. "))  # fmt: skip
    yield _versions(figures, design)
    yield Grid(
        ("players", "line-up"), [row._replace(head=row.head[:2]) for row in rows],
        (Line("handicap, VP", {"quantity": "handicap"}, value(1)),
         Line("games it was read from, as printed", {"quantity": "wins-read-from"}),
         Line("the same games with it", {"quantity": "wins-read-with-handicap"}),
         Line("fresh games of the same cells", {"quantity": "wins-fresh"}),
         Line("all other cells", {"quantity": "wins-other-cells"})),
        {}, SHARES, under(design, handicap_words(figures, design)), gaps=design.quick,
    )  # fmt: skip
    yield "The handicap that levels the games of each cell alone:"
    own = [Line(f"`{tower}`", texts=[
        _halves(figures, "handicap-of-cell", HEAD_SIZE, cell) if cell in design.cells else NOTHING
        for cell in (Cell(play, tower, "lineup") for play in design.plays)
    ]) for tower in design.towers]  # fmt: skip
    yield Grid(f"VP for {', '.join(letters_of(HEAD_SIZE))}", own, list(map(Line, design.plays)))
    for players in design.sizes:
        for quantity, head, show in (("wins", "wins, %", SHARES), ("points", "VP above the table's mean", SIGNED)):
            yield Grid(f"{players} players, {head}", lines("cell", groups_of(design.cells), group_name),
                       lines("item", letters_of(players)), {"quantity": quantity, "players": players}, show,
                       under(design._replace(sizes=(players,))))  # fmt: skip
    yield in_skill(figures, design)
    seats = [Line((str(players), head), {"quantity": f"seat-{what}", "players": players}, show)
             for players in design.sizes
             for what, head, show in (("wins", "wins, %", None), ("points", "VP above the mean", SIGNED))]  # fmt: skip
    yield Grid(("players", "all line-ups alike"), seats, lines("item", [f"seat {n}" for n in range(max(design.sizes))]),
               {"cell": ALL}, under=under(design, after=seat_words(figures, design)))  # fmt: skip
    yield _borders(figures, design)
    yield Grid("VP for one more of", lines("item", FEATURES, named), lines("cell", land_cells(design), group_name),
               {"quantity": "worth-of-land", "players": HEAD_SIZE}, SIGNED, held_together(
                   f"{HEAD_SIZE} players, tower `{design.towers[0]}`; every exchange of two counties between two "
                   "line-ups on the same {n} game numbers, one game each: a number is a block. The ± are half-widths "
                   "of {family} simultaneous {level} intervals."))  # fmt: skip
    for players in design.sizes:
        judged = claims_table(figures, claims(players), design.plays_of(players), players=players)
        yield f"{players} players, {len(design.cells)} cells.\n\n{judged}"


def spreads_by_table(design: Design, players: int = HEAD_SIZE) -> Grid:
    """What each version changes, and the spread of wins at each table, or in the cells of a quick look."""
    cells = list(design.home() if design.quick else PRINTED_TABLES)
    return Grid(
        (f"{players} players", "what changes"),
        [Line((NAMES[kind], what_changes(players, kind)), {"item": kind}) for kind in VERSIONS],
        lines("cell", cells, lambda cell: bots_of(cell.play)),
        {"quantity": "spread", "players": players}, SPREADS, held_together(
            "Imbalance: the standard deviation of the line-ups' shares around the fair one, in percentage "
            f"points. Tower {cells[0].tower}, printed line-ups with that change, {{n}} blocks; the ± are half-widths "
            "of {family} simultaneous {level} intervals."),
    )  # fmt: skip


def what_changes(players: int, kind: str) -> str:
    """What a version changes, in words; a dash for the printed line-ups."""
    return NOTHING if kind == PRINTED else it.adjustments_of(players)[kind].in_words(load_board())


def _versions(figures: Figures, design: Design) -> Grid:
    """What each version changes, the spread of wins in the cells, and how many cells are level."""
    rows, ranges, level = [], [], []
    for players, kind in product(design.sizes, VERSIONS):
        rows.append(Line((str(players), kind, what_changes(players, kind)), {"players": players, "item": kind}))
        spreads = figures.cells("spread", kind, players=players)
        least, *_, largest = sorted(spread.value for spread in spreads.values())
        ranges.append(f"{number(least, 1)} to {number(largest, 1)}")
        found = [is_level([figures.of("wins", item(letter, kind), players=players, cell=cell)
                           for letter in letters_of(players)]) for cell in spreads]  # fmt: skip
        level.append(", ".join(str(found.count(known)) for known in (True, False, None)))
    return Grid(
        ("players", "version", "what changes"), rows,
        (Line("spread of wins, mean of cells", {"quantity": "mean-spread"}),
         Line("in cells the search never saw", {"quantity": "mean-spread-unseen"}),
         Line("in cells of which it saw neither play nor tower", {"quantity": "mean-spread-foreign"}),
         Line("least to largest", texts=ranges), Line("cells level, not level, not known", texts=level)), {},
        SPREADS, under(design,
            "The spread of wins is the standard deviation of the line-ups' shares around the fair one, in percentage "
            f"points. A cell is level where every share lies within {NEAR:g} percentage points of the fair one; it is "
            f"said to be level or not where the simultaneous intervals of all shares say so. "),
        gaps=design.quick,
    )  # fmt: skip


def is_level(shares: Sequence[Figure]) -> bool | None:
    """Whether all shares are within `NEAR` of the fair one, as their intervals say; None where they do not say."""
    fair, ends = 100 / len(shares), list(map(_ends, shares))
    if all(fair - NEAR <= low and high <= fair + NEAR for low, high in ends):
        return True
    return False if any(low > fair + NEAR or high < fair - NEAR for low, high in ends) else None


def _borders(figures: Figures, design: Design) -> Grid:
    """What each line-up has on the map, and its points: as printed, and of the two that exchange counties."""

    def with_others(figure: Figure) -> str:
        keys = {other: figure.id.replace(slug(OTHERS), f"borders-with-{other}") for other in LETTERS}
        each = ", ".join(f"{other} {figures[key].value:.0f}" for other, key in keys.items() if key in figures)
        return f"{figure.value:.0f} ({each})"

    rows = []
    for players in design.sizes:
        exchanged = it.adjustments_of(players)[COUNTIES].edited(load_board())
        for letter, kind in (*product(letters_of(players), [PRINTED]), *product(exchanged, [COUNTIES])):
            rows.append(Line((str(players), letter, kind), {"players": players, "item": item(letter, kind)}))
    columns = [Line(named(name), {"quantity": "land", "item": name}, with_others if name == OTHERS else value(0))
               for name in FEATURES]  # fmt: skip
    last = Line("VP above the mean", {"quantity": "points-by-land"}, SIGNED)
    return Grid(("players", "line-up", "version"), rows, (*columns, last),
                under=under(design, "The last column is the mean of all cells. "))  # fmt: skip


def group_name(group: Cell) -> str:
    """Cells whose mean is shown in words, as a row of a table begins."""
    if group.play:
        return f"{group.play}, `{group.tower}`" if group.tower else f"{group.play} play"
    return f"tower `{group.tower}`" if group.tower else "all cells"


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the numbers rest on."""
    each = "; ".join(
        f"{players} players: {len(design.cells)} cells of {design.numbers(players):,} game numbers in "
        f"{2 * players} arrangements, {len(KINDS)} times" for players in design.sizes
    )  # fmt: skip
    plays = "; ".join(
        f"with {players} players {plays_in_words(design.plays_of(players), players)}" for players in design.sizes
    )
    return (
        f"{QUICK * design.quick}{each} (the handicap needs no games). Seed {STUDY.experiment().seed}, engine version "
        f"{figures.engine}. Plays: {plays}. Cells: {it.cells_in_words(design.cells)}. A mean of cells is that of these."
    )


def numbers(design: Design) -> str:
    """The game numbers of a cell by number of players."""
    return ", ".join(f"{design.numbers(players):,} with {players} players" for players in design.sizes)


def under(design: Design, before: str = "", after: str = "") -> Callable[[Sequence[Figure]], str]:
    """The line under a table: blocks, level, and the assumed data that it rests on."""
    words = [f"{players} players, {guess}" for players in design.sizes
             for guess in it.experiment_of(players, design.cells[0]).components().assumed()]  # fmt: skip
    assumed = f" Assumed, not printed: {'; '.join(words)}." if words else ""
    text = held_together(f"{before}Blocks in every cell: {numbers(design)}; the ± are half-widths of {{family}} "
                         f"simultaneous {{level}} intervals.{assumed}{after}")  # fmt: skip
    return lambda used: text([min(used, key=lambda figure: (-figure.family, figure.n))])


def handicap_words(figures: Figures, design: Design) -> str:
    """What the handicap is, read from its games again, and whether fresh games have their shares."""
    again = [f"{players} players {_halves(figures, 'handicap-read-again', players)}" for players in design.sizes]
    tests = [f"with {players} players {decided(figures, FRESH, players)}" for players in design.sizes
             if figures.all_of("wins-fresh", letters_of(players)[0], players=players)]  # fmt: skip
    part = f", of which {100 * design.read / READ:.0f} % are here" if design.read < READ else ""
    joint = f" Joint tests at 1 % that fresh games have the shares of those read: {'; '.join(tests)}." if tests else ""
    return (
        f"Shares of wins in %. The handicap was read from games of seed {SEED}{part}; read off these again, it is "
        f"{'; '.join(again)}.{joint} "
    )


def _halves(figures: Figures, quantity: str, players: int, cell: Cell = ALL) -> str:
    each = (figures.of(quantity, letter, players=players, cell=cell) for letter in letters_of(players))
    return ", ".join(number(figure.value, 1) for figure in each)


def seat_words(figures: Figures, design: Design) -> str:
    """Whether seats win alike, and whether it matters who sits where."""
    tests = [f"With {players} players, that seats win alike: {decided(figures, SEATS, players)}; that it does "
             "not matter for the wins of line-ups which of them sits where: "
             f"{decided(figures, WAYS, players)}." for players in design.sizes]  # fmt: skip
    return f" Two joint tests over all cells (Hotelling), each at 1 %. {' '.join(tests)}"


def decided(figures: Figures, quantity: str, players: int) -> str:
    """The result of a joint test at 1 %, in words."""
    if not figures.all_of(quantity, "F", players=players):
        return "too few blocks for this test"
    f, p, contrasts, degrees = (figures.of(quantity, name, players=players, cell=ALL).value for name in measure.TESTED)
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    selected = "rejected" if p < 0.01 else "not rejected"
    return f"F = {f:.2f} with {contrasts:.0f} and {degrees:,.0f} degrees, {chance}, {selected}"


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """Wins by line-up in casual play and both lines of strong play: a row a number of players, a column a version.

    A quick look has its own plays. They have colours, and towers have shapes.
    """
    plays = list(design.plays) if design.quick else [cell.play for cell in PRINTED_TABLES]
    colours, marks = dict(zip(plays, COLOURS, strict=False)), dict(zip(design.towers, "o^D", strict=False))
    size = len(design.sizes), len(VERSIONS)
    room = (2.15 * size[1] + 0.6, 2.5 * size[0] + 1.1)
    drawn, grid = plt.subplots(*size, figsize=room, sharey="row", squeeze=False)
    drawn.suptitle("Wins by line-up, as printed and with each change\nA mark is a kind of bot under a tower. "
                   f"Game numbers in every arrangement: {numbers(design)}", x=0.01, ha="left", fontsize=9)  # fmt: skip
    for (players, kind), axes in zip(product(design.sizes, VERSIONS), grid.flat, strict=True):
        letters, fair = letters_of(players), 100 / players
        axes.axhspan(fair - NEAR, fair + NEAR, color=FAINT, alpha=0.3, linewidth=0)
        for (place, letter), (at, play), tower in product(enumerate(letters), enumerate(plays), design.towers):
            share = figures.of("wins", item(letter, kind), players=players, cell=Cell(play, tower, "lineup"))
            axes.plot(place + 0.7 / len(plays) * (at - (len(plays) - 1) / 2), share.value, marker=marks[tower],
                      color=colours[play], markersize=4, linestyle="none", alpha=0.85)  # fmt: skip
        axes.set_xticks(range(players), letters)
        axes.set_xlim(-0.5, players - 0.5)
        axes.set_ylim(bottom=0)
        axes.set_title("\n".join([f"{players} players", *wrap(kind, 18, break_on_hyphens=False)]), fontsize=8.5)
        if kind == PRINTED:
            axes.set_ylabel("wins, %")
    legend = partial(Line2D, [], [], linestyle="none")
    handles = [legend(marker="s", color=colour, label=play) for play, colour in colours.items()]
    handles += [legend(marker=mark, color=INK, markersize=4, label=f"tower {name}") for name, mark in marks.items()]
    drawn.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 8))
    return drawn


STUDY: Study = Study(
    __file__, __doc__, it.design_of, measure.identity, measure.play, finding=finding, tables=tables,
    picture=picture, quantities=measure.QUANTITIES,
    judged=(Judged(measure.CLAIMS, measure.claim_outcomes, setups=("lineup",), units=measure.UNITS),),
    games="game numbers in every cell instead of the study's",
    sample=Choices(games=960, quick=True), compared=("wins",),
)  # fmt: skip
