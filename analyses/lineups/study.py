"""Line-ups: which line-ups win, at which seats, and what makes them fair?

Method. A cell is a play (all seats alike, from weak to two lines of strong play) under a tower calibration. Every game
number is played in all arrangements of the line-ups over the seats, the rotations and their mirror images: that is a
block, the unit of all errors. All versions of the line-ups, as printed and with the mends of `mends.toml`, are
played on the same numbers; a handicap in victory points is added at the end of printed games. The mends were found by
`search.py` on games of another seed, under two plays and two towers, and are judged here in all cells. Wins are
those of a cell or the mean of cells, each with the same weight, with Student's t intervals. With --quick there are
two cells of four players, and --games is the game numbers of each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from math import inf

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.ruleset import LETTERS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Figure, Figures, Rows, slug
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of, texts_of, value
from wallsim.studies.quantities import Key, Quantity, Value, add_values
from wallsim.studies.study import Judged, Page, Study

from ..robustness.answers import claims_table
from . import measure
from .finding import NEAR, decided, finding_of, in_skill, picture, spreads_by_table, what_changes
from .games import COUNTIES, KINDS, PRINTED, VERSIONS, WITH, adjustments_of, experiment_of, letters_of
from .measure import ALL, FRESH, HEAD_SIZE, SEATS, WAYS, Design, claims, item, of_cell
from .search import FULL, SEED
from .worth import BETTER, FEATURES, OTHERS, OUTCOMES, SEEDS, WEAKER, WEAKER_PLAYER, WORSE

SHARES, SIGNED = estimate(1, top=100.0), estimate(2, "+")
GAP = "% points"
UNITS = {claim.outcome: "%" if claim.outcome == measure.LEADER else GAP for claim in measure.CLAIMS}
WINS, ABOVE = "wins of {lineup}{about}", "victory points above the mean of the table of {lineup}{about}"
# In words, and as the head of a column.
SPREADS = {
    "mean-spread": ("all cells", "spread of wins, mean of cells"),
    "mean-spread-unseen": ("the cells that the search never saw", "in cells the search never saw"),
    "mean-spread-foreign": ("the cells of which the search saw neither play nor tower",
                            "in cells of which it saw neither play nor tower"),
}  # fmt: skip
HANDICAPPED = {
    "wins-read-from": ("as printed, in the games that the handicap was read from",
                       "games it was read from, as printed"),
    "wins-read-with-handicap": ("with the handicap, in the games that it was read from", "the same games with it"),
    "wins-fresh": ("with the handicap, in fresh games of the cells that it was read from",
                   "fresh games of the same cells"),
    "wins-other-cells": ("with the handicap, in the cells that it was not read from", "all other cells"),
}  # fmt: skip
TESTS = {
    FRESH: "that fresh games have the shares of the games read", SEATS: "that seats win alike in all cells",
    WAYS: "that the wins of line-ups do not depend on which of them sits where",
}  # fmt: skip


def _named(feature: str) -> str:
    return feature.replace("free counties", "nobody's")  # an item has no apostrophe


def _of_lineup(text: str) -> Callable[[Key], str]:
    # Words with the line-up and its version as {lineup}, and {feature} of its land.
    def words(key: Key) -> str:
        letter, _, rest = key.item.partition(" ")
        version = next((kind for kind in KINDS if rest.startswith(kind)), PRINTED)
        words = text.replace("{feature}", _named(rest.removeprefix(version).strip()))
        return words.replace("{lineup}", f"line-up {letter} {WITH[version]}")

    return words


def _spread(key: Key) -> str:
    return f"spread of wins {WITH[key.item]}: standard deviation around the fair share"


def _of_version(key: Key) -> Hashable:
    # As printed a table holds together, in which means of cells have cells as well; versions do in all cells.
    if len(key.item) == 1 and key.quantity != "wins-of-all-versions":
        return key.quantity, key.players
    return "exchanged" if key.quantity == "points" else "levels"


def _gap(key: Key) -> str:
    what = f"{key.quantity.rpartition('-')[2]} of line-up {BETTER} less those of {WORSE} at one table"
    if key.item == WEAKER_PLAYER:
        return f"{what}, {BETTER} played by {WEAKER[key.cell.play]} play"
    return f"{what}, {BETTER}'s player with added {key.item.removeprefix('with ')} in judging every option"


_SHARE = partial(Quantity, unit="%", null=lambda key: 100 / key.players)
_ALL = partial(Quantity, together=())
_SEATS = partial(Quantity, together=lambda key: ("seats", key.cell == ALL), hides=lambda row: row.play != "")
_SEARCHED = partial(Quantity, seed=lambda _: SEED)
_SKILL = partial(_ALL, family="skill", seed=lambda _: STUDY.experiment().seed + SEEDS)
QUANTITIES = (
    _SHARE("wins", _of_lineup(WINS), together=_of_version, shown="picture"),
    Quantity("points", _of_lineup(ABOVE), null=0, together=_of_version, shown="tables of printed line-ups",
             hides=lambda row: "-exchange-" in row.id),
    _SHARE("headline", _of_lineup(WINS), together=("players",), shown="notebook"),
    _SHARE("wins-by-version", _of_lineup(WINS), together=()),
    _ALL("wins-from-fair", _of_lineup("wins of {lineup} less the fair share{about}"), GAP, 0, shown=""),
    _SHARE("wins-of-all-versions", _of_lineup("wins of {lineup}"), together=_of_version, shown="report"),
    _ALL("spread", _spread, GAP, shown="report"),
    *(_ALL(name, lambda key: f"{_spread(key)}, mean of {SPREADS[key.quantity][0]}", GAP, family="mean spreads")
      for name in SPREADS),
    *(_SHARE(name, f"wins of line-up {{item}} {words}", together=(), family="handicap",
             seed=(lambda _: SEED) if "-read-" in name else None) for name, (words, _) in HANDICAPPED.items()),
    _SEARCHED("handicap", "points at the end that level the wins, line-up {item}"),
    _SEARCHED("handicap-read-again",
              "points at the end that level the wins, read from the games again, line-up {item}"),
    _SEARCHED("start-Thalers", "Thalers at the start that level the wins most, line-up {item}", "Thalers",
              shown="notebook"),
    Quantity("handicap-of-cell", "points at the end that level the wins of this cell alone, line-up {item}",
             hides=lambda row: row.players != HEAD_SIZE),
    *(Quantity(name, lambda key: f"{measure.TESTED[key.item]} of the joint test {TESTS[key.quantity]}", "number")
      for name in TESTS),
    _SEATS("seat-wins", "wins of {item}, all line-ups alike{about}", "%", lambda key: 100 / key.players),
    _SEATS("seat-points", "victory points above the table's mean of {item}, all line-ups alike{about}", null=0),
    Quantity("land", _of_lineup("{feature} of {lineup}"), "number"),
    _ALL("points-by-land", _of_lineup(ABOVE), null=0),
    *(_SKILL(f"A-less-C-in-{what}", _gap, "VP" if what == "points" else GAP, 0) for what in OUTCOMES),
    *(_SKILL(f"errors-that-level-A-and-C-in-{what}",
             f"added errors of {BETTER}'s player at which {BETTER} and {WORSE} have the same {what}")
      for what in OUTCOMES),
    _ALL("worth-of-land", lambda key: f"points that one more of a line-up's {_named(key.item)} brings", null=0),
)  # fmt: skip


def add_figures(result: tuple[Design, dict[Key, Value]], rows: Rows) -> None:
    """Add every figure, and the claims in all cells."""
    design, values = result
    about = {key: f", mean of {len(design.groups(key.players)[key.cell])} cells" for key in values
             if not (key.cell.play and key.cell.tower)}  # fmt: skip
    add_values(rows, QUANTITIES, values, about)
    for players in design.sizes:
        cells = {cell: measure.outcomes(values, players, cell) for cell in design.cells(players)}
        add_claims(rows, claims(players), cells, design.plays_of(players), UNITS, players=players)


def page(figures: Figures, design: Design) -> Page:
    """The finding with the spread of wins at each table, and all tables."""
    first = spreads_by_table(design).text(figures)
    return Page(finding_of(figures, design), first, texts_of(figures, tables(figures, design)))


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """Spreads, versions, the handicap, printed line-ups in every cell, skill, seats, land and claims."""
    yield games_played(design)
    yield from (spreads_by_table(design, players) for players in design.sizes if players != HEAD_SIZE)
    lineups = [(players, letter) for players in design.sizes for letter in letters_of(players)]
    rows = [Line((str(players), letter, number(100 / players, 1)), {"players": players, "item": letter})
            for players, letter in lineups]  # fmt: skip
    kinds = [Line(f"wins, %, {kind}", {"item": "" if kind == PRINTED else kind}) for kind in VERSIONS]
    yield Grid(("players", "line-up", "fair, %"), rows, kinds, {"quantity": "wins-by-version"}, SHARES,
               under(design, "The mean of all cells. "))  # fmt: skip
    yield _spreads(figures, design)
    rows = [Line((str(players), letter), {"players": players, "item": letter}) for players, letter in lineups]
    columns = (Line(head, {"quantity": name}) for name, (_, head) in HANDICAPPED.items())
    yield Grid(("players", "line-up"), rows, (Line("handicap, VP", {"quantity": "handicap"}, value(1)), *columns), {},
               SHARES, under(design, handicap_words(figures, design)), gaps=design.quick)  # fmt: skip
    yield "The handicap that levels the games of each cell alone:"
    plays = [play.name for play in design.plays_of(HEAD_SIZE)]
    own = [Line(f"`{tower}`", texts=[_halves(figures, "handicap-of-cell", HEAD_SIZE, Cell(play, tower, "lineup"))
                                     for play in plays]) for tower in design.towers]  # fmt: skip
    yield Grid(f"VP for {', '.join(letters_of(HEAD_SIZE))}", own, [Line(play) for play in plays])
    for players in design.sizes:
        for quantity, head, show in (("wins", "wins, %", SHARES), ("points", "VP above the table's mean", SIGNED)):
            yield Grid(f"{players} players, {head}", lines("cell", design.groups(players), group_name),
                       lines("item", letters_of(players)), {"quantity": quantity, "players": players}, show,
                       under(design, sizes=[players]))  # fmt: skip
    yield in_skill(figures, design)
    seats = [Line((str(players), head), {"quantity": f"seat-{what}", "players": players}, show)
             for players in design.sizes
             for what, head, show in (("wins", "wins, %", None), ("points", "VP above the mean", SIGNED))]  # fmt: skip
    yield Grid(("players", "all line-ups alike"), seats, lines("item", [f"seat {n}" for n in range(max(design.sizes))]),
               {"cell": ALL}, under=under(design, after=seat_words(figures, design)))  # fmt: skip
    yield _borders(figures, design)
    yield Grid("VP for one more of", lines("item", FEATURES, _named), lines("play", plays),
               {"quantity": "worth-of-land", "players": HEAD_SIZE, "tower": design.towers[0]}, SIGNED, held_together(
                   f"{HEAD_SIZE} players, tower `{design.towers[0]}`; every exchange of two counties between two "
                   "line-ups on the same {n} game numbers, one game each: a number is a block. The ± are half-widths "
                   "of {family} simultaneous {level} intervals."))  # fmt: skip
    for players in design.sizes:
        judged = claims_table(figures, claims(players), design.plays_of(players), players=players)
        yield f"{players} players, {len(design.cells(players))} cells.\n\n{judged}"


def _spreads(figures: Figures, design: Design) -> Grid:
    """What each version changes, the spread of wins in the cells, and how many cells are level."""
    each = [(players, kind) for players in design.sizes for kind in VERSIONS]
    ranges, level, family = [], [], 0
    for players, kind in each:
        spreads = [spread.value for spread in figures.cells("spread", kind, players=players).values()]
        ranges.append(f"{number(min(spreads), 1)} to {number(max(spreads), 1)}")
        wins = [figures.cells(of_cell(kind), item(letter, kind), players=players).values()
                for letter in letters_of(players)]  # fmt: skip
        found, family = list(map(is_level, zip(*wins, strict=True))), next(iter(wins[0])).family
        level.append(", ".join(str(found.count(known)) for known in (True, False, None)))
    return Grid(
        ("players", "version", "what changes"),
        [Line((str(players), kind, what_changes(players, kind)), {"players": players, "item": kind})
         for players, kind in each],
        (*(Line(head, {"quantity": name}) for name, (_, head) in SPREADS.items()),
         Line("least to largest", texts=ranges), Line("cells level, not level, not known", texts=level)), {},
        estimate(1), under(design,
            "The spread of wins is the standard deviation of the line-ups' shares around the fair one, in percentage "
            f"points. A cell is level where every share lies within {NEAR:g} percentage points of the fair one; it is "
            f"said to be level or not where the {family} simultaneous intervals of all shares say so. "),
        gaps=design.quick,
    )  # fmt: skip


def is_level(shares: Sequence[Figure]) -> bool | None:
    """Whether all shares are within `NEAR` of the fair one, as their intervals say; None where they do not say."""
    fair, ends = 100 / len(shares), [share.ends or (-inf, inf) for share in shares]
    if all(fair - NEAR <= low and high <= fair + NEAR for low, high in ends):
        return True
    return False if any(low > fair + NEAR or high < fair - NEAR for low, high in ends) else None


def _borders(figures: Figures, design: Design) -> Grid:
    """What each line-up has on the map, and its points: as printed, and of the two that exchange counties."""

    def with_others(figure: Figure) -> str:
        keys = {other: figure.id.replace(slug(OTHERS), f"borders-with-{other}") for other in LETTERS}
        each = ", ".join(f"{other} {figures[key].value:.0f}" for other, key in keys.items() if key in figures)
        return f"{figure.value:.0f} ({each})"

    each = [(players, letter, version) for players in design.sizes for version, letters in (
        (PRINTED, letters_of(players)), (COUNTIES, adjustments_of(players)[COUNTIES].edited(load_board())),
    ) for letter in letters]  # fmt: skip
    columns = [Line(_named(name), {"quantity": "land", "item": name}, with_others if name == OTHERS else value(0))
               for name in FEATURES]  # fmt: skip
    rows = [Line((str(players), letter, kind), {"players": players, "item": item(letter, kind)})
            for players, letter, kind in each]  # fmt: skip
    last = Line("VP above the mean", {"quantity": "points-by-land"}, SIGNED)
    return Grid(("players", "line-up", "version"), rows, (*columns, last),
                under=under(design, "The last column is the mean of all cells. "))  # fmt: skip


def group_name(group: Cell) -> str:
    """Cells whose mean is shown in words, as a row of a table begins."""
    if group.play:
        return f"{group.play}, `{group.tower}`" if group.tower else f"{group.play} play"
    return f"tower `{group.tower}`" if group.tower else "all cells"


def games_played(design: Design) -> str:
    """What was played, and what the numbers rest on."""
    quick = "A quick look, in few cells and games: no claim is judged as the study does. " if design.quick else ""
    each = "; ".join(
        f"{players} players: {len(design.cells(players))} cells of {design.numbers(players):,} game numbers in "
        f"{2 * players} arrangements, {len(KINDS)} times" for players in design.sizes
    )  # fmt: skip
    plays = "; ".join(f"with {players} players {plays_in_words(design.plays_of(players))}" for players in design.sizes)
    return (
        f"{quick}{each} (the handicap needs no games). Seed {STUDY.experiment().seed}, engine version "
        f"{ENGINE_VERSION}. Plays: {plays}. Towers: {', '.join(f'`{tower}`' for tower in design.towers)}."
    )


def under(
    design: Design, before: str = "", after: str = "", sizes: Sequence[int] = ()
) -> Callable[[Sequence[Figure]], str]:
    """The line under a table: blocks, level, and the assumed data that it rests on, for some numbers of players."""
    selected = sizes or design.sizes
    blocks = ", ".join(f"{design.numbers(players):,} with {players} players" for players in selected)
    fewest = min(map(design.numbers, selected))
    words = [f"{players} players, {guess}" for players in selected
             for guess in experiment_of(players, design.cells(players)[0]).components().assumed()]  # fmt: skip
    assumed = f" Assumed, not printed: {'; '.join(words)}." if words else ""

    def written(used: Sequence[Figure]) -> str:
        sure = sure_of([max(used, key=lambda figure: figure.family)])
        few = f" {sure.too_few(fewest, 'blocks')}" if fewest < sure.min_blocks else ""
        return (
            f"{before}Blocks in every cell: {blocks}; the ± are half-widths of {sure.n_comparisons:,} simultaneous "
            f"{LEVEL:.0%} intervals.{few}{assumed}{after}"
        )

    return written


def handicap_words(figures: Figures, design: Design) -> str:
    """What the handicap is, read from its games again, and whether fresh games have their shares."""
    again = [f"{players} players {_halves(figures, 'handicap-read-again', players)}" for players in design.sizes]
    tests = [f"with {players} players {decided(figures, FRESH, players)}" for players in design.sizes
             if figures.all_of("wins-fresh", letters_of(players)[0], players=players)]  # fmt: skip
    part = ", only a part of which is here" if design.read < FULL.read else ""
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


outcomes = measure.claim_outcomes
STUDY: Study = Study(
    __file__, __doc__, measure.design_of, measure.identity, measure.play, add_figures, page, picture,
    quantities=QUANTITIES, judged=(Judged(measure.CLAIMS, outcomes, setups=("lineup",), units=UNITS, some=outcomes),),
    games="game numbers in every cell instead of the study's",
)  # fmt: skip
