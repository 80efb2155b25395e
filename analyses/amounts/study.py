"""Amounts: what happens to the game when a designer turns one of its numbers?

Method. All numbers of the game that mean something with four players are screened together: those of the second
edition in one design, those of the expansions, with all expansions in play, in another. In each run of a design every
number is a step below or a step above its printed value (`screening`). So each effect rests on all games of a setting,
and interactions of two numbers do not bias it. It is the change from the lower to the higher value in the mean over the
lower and higher values of all other numbers, not that at the printed ones. The numbers that move the spread of points,
the wins of year one's leader or a tile most, in standard errors, are then changed alone, with all others as printed, at
three tables and on games of another seed. What holding each tile brings and the wins of four styles of the zoo at one
table are measured for these numbers, with master bots. The unit of errors is a block of four games. Then a
space-filling design changes the numbers of VARIABLES at once, a Gaussian process is fitted, and the fairest numbers
that it knows are raced and confirmed on games that the search never saw, in every setting. A setting is a play and a
tower calibration, with line-ups. With --quick there are few numbers, settings and games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import code
from wallsim.report.figures.forest import forest
from wallsim.report.figures.style import INK, styled
from wallsim.report.tables.estimates import number
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import side_of
from wallsim.studies.contrasts import MEAN
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import (
    MOST_NAMED,
    MOST_ROWS,
    RESTS_ON,
    Finding,
    bots_of,
    either,
    in_a_sentence,
    moving_most,
)
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, value
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.scope import BASELINE, CASUAL_TABLE, PLAYERS, Scope
from wallsim.studies.scope import PRINTED_TABLES as CELLS
from wallsim.studies.study import Judged, Study
from wallsim.studies.table_captions import scope_words

from ..editions.study import TAUGHT
from ..robustness.answers import left_open
from . import estimates as it
from .estimates import KINDS
from .games import JUDGED, LINEUPS, STYLES, WINS, Turned, seed_of, turned

FOURS = 6  # blocks of four games, one for each seat, in a block of 24: the unit of all errors but of doubled gifts
TURNED = {each.name: each for each in turned()}
SURE = "{family} simultaneous {level} intervals."  # under tables
STAR = " * with all expansions"
MEANS = "A change in the mean over the lower and higher values of all other numbers, not at the printed ones."
SCREENING = (
    "Screened: each run has every number a step below or a step above its printed value, so each effect rests on all "
    "games of a cell. It is the mean change over the lower and higher values of all other numbers, not that at the "
    "printed ones; a number that moves much at these alone may be missed. County points are 1 or 2 here, since hardly "
    "anybody would score in some runs with 0. The numbers that move the spread or the leader's wins at a table, or a "
    "tile, most are changed alone, on games of another seed."
)
SIGNED = {digits: estimate(digits, "+") for digits in (1, 2)}
_LEVEL_WINS = 2.0  # percentage points from a quarter of the wins: a line-up within them is level
_WORDS = {  # of the names of amounts
    "tile_deploy5": "tile_six", "majority_tie": "tie", "start_thalers_4_players": "starting thalers", "_": " ",
    "deploy": "deploy ", "event ": "event: ", "landsknechte": "Landsknechte", "thalers": "Thalers", "tile ": "tile: ",
}  # fmt: skip


def changed(what: str = "{rest}", values: Mapping[str, Turned] = TURNED, after: str = "") -> Callable[[Key], str]:
    """The words of what changes with a number; the item is the number's name and what changes."""
    return lambda key: what + ", from {1} to {2} in {0}".format(*values[key.item.partition(" ")[0]]) + after


def unit(key: Key) -> str:
    """The unit of an outcome of whole games."""
    return "% points" if key.item.endswith((LEADER, *WINS.values())) else "VP"


DOUBLE = "more VP that the tile {item} brings with a doubled gift"
SCREENED = partial(changed, values={name: each.screened() for name, each in TURNED.items()},
                   after=", in the mean over the lower and higher values of all others")  # fmt: skip
CHANGE = partial(Quantity, null=0)
ALONE = partial(CHANGE, together=(), seed=lambda _: seed_of(it.ALONE))
CONFIRMED = partial(Quantity, family="responses", seed=lambda _: seed_of(it.CONFIRM))
QUANTITIES = (
    CHANGE("screened", SCREENED(), unit, together=()),
    CHANGE("screened-tile", SCREENED("worth of the tile {rest}"), "VP a round"),
    ALONE("alone", changed(), unit, shown="first screen, tables, picture"),
    ALONE("alone-tile", changed("worth of the tile {rest}"), "VP a round", shown="tables, picture"),
    ALONE("alone-style", changed("style of {rest}"), "% points"),
    CHANGE("doubled", DOUBLE),
    CHANGE("doubled-rounds", DOUBLE, shown="words"),
    Quantity("explained", "share of the variance of {item} between points that the surface explains of unseen ones",
             "share"),
    Quantity("design-points", "points of the design beside the printed numbers", "points"),
    Quantity("fairest", lambda key: f"{key.item} in the fairest numbers found; printed {PRINTED[key.item]}", "number",
             null=lambda key: PRINTED[key.item]),
    CONFIRMED("tile-worth", "VP a round that holding {first} brings, with the numbers {rest}", "VP a round", null=0,
              hides=lambda row: row.cell != BASELINE),
    CONFIRMED("line-up-wins", "wins of line-up {first} with the numbers {rest}", "%", null=it.FAIR,
              hides=lambda row: "-printed/" in row.id and row.cell != BASELINE),
    Quantity("tile-range", "best tile less the worst, with the numbers {item}", "VP a round"),
    Quantity("line-up-range", "best line-up less the worst, with the numbers {item}", "% points"),
)  # fmt: skip


def words_of(name: str) -> str:
    """An amount in words, such as `county points`."""
    for old, new in _WORDS.items():
        name = name.replace(old, new)
    return " ".join(name.split())


def finding(figures: Figures, scope: Scope) -> Finding:
    """Which number moves the spread of points most, and how many are known to move it, in casual and strong play."""
    every = changes_in(figures, scope, CELLS)
    most, *_ = moving_most(every)
    values = [each.value for each in every[most]]
    ends = " to ".join(dict.fromkeys(number(value, 1, "+") for value in (min(values), max(values))))

    def sentence(words: str, cells: Sequence[Cell]) -> str:
        changes = changes_in(figures, scope, cells)
        sides = [[side_of(each.ends) for each in found] for found in changes.values()]
        moving = sum({*each} in ({1}, {-1}) and len(each) == len(cells) for each in sides)
        name, *others = moving_most(changes)
        names = either([words_of(each) for each in (name, *others)], "numbers")
        values = " and ".join(in_a_sentence(each, "+ 2") for each in changes[name])
        values = f": {values} VP" if len(others) < MOST_NAMED else ""
        return f"{words.format(len(changes), moving, 'is' if moving == 1 else 'are')}, most with {names}{values}."

    return Finding(
        f"No number is known to move the spread of points more than {words_of(most)}: {ends} VP from the lower to the "
        f"higher one {RESTS_ON}",
        sentence("Of {} numbers changed alone, {} {} known to move the spread", CELLS[:1]),
        sentence("With line-ups, {1} {2} known to move it for both master and scholar bots", CELLS[1:]),
        picture="The numbers changed alone: what each does to the spread of points, and to the worth of every tile",
        **left_open(figures, it.CLAIMS),
    )


def changes_in(figures: Figures, scope: Scope, cells: Sequence[Cell] = CELLS) -> dict[str, list[Figure]]:
    """The changes of the spread by number that was changed alone, in those of some cells that are played."""
    by_name = {each.name: figures.cells("alone", f"{each.name} {SPREAD}", players=PLAYERS) for each in turned(scope)}
    return {name: [found[cell] for cell in cells if cell in found] for name, found in by_name.items() if found}


def first(figures: Figures, scope: Scope) -> Grid:
    """One row for each of the numbers that move the spread most: its change in casual and in strong play."""
    changes = changes_in(figures, scope)
    played = {each.cell for found in changes.values() for each in found}
    sizes = {name: max((abs(one.value) for one in found), default=0.0) for name, found in changes.items()}
    shown = [TURNED[name] for name in sorted(sizes, reverse=True, key=sizes.__getitem__)[:MOST_ROWS]]
    rows = [Line(f"{words_of(each.name)}{each.star}", {"item": f"{each.name} {SPREAD}"}) for each in shown]
    steps = Line("from → to", texts=[f"{each.low} → {each.high}" for each in shown])
    cells = lines("cell", [cell for cell in CELLS if cell in played], lambda cell: f"{bots_of(cell.play)}, VP")
    return Grid(
        "number of", rows, (steps, *cells), {"quantity": "alone", "players": PLAYERS}, SIGNED[2],
        held_together("Change of the spread of points with one number, all others as printed; those that move it most. "
                      f"Printed line-ups, tower {CASUAL_TABLE.tower}; {SURE} * with all expansions, which of strong "
                      "bots only masters know."),
    )  # fmt: skip


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What each number moves alone, and in the screening in all cells; doubled gifts; the fairest numbers."""
    at, home, blocks = {"players": PLAYERS}, scope.baseline_cell(), FOURS * scope.others
    numbers = [each.screened() for each in turned(scope)]
    words = scope_words(figures, scope, STUDY.experiment(), len({each.base for each in numbers}), "screening designs")
    yield f"{words} Errors are those of blocks of four games, one a seat. {SCREENING}"
    yield summary_words(figures, scope)
    outcomes = [Line(what, {"item": what}, SIGNED[digits]) for what, digits in ((POINTS, 2), (SPREAD, 2), (LEADER, 1))]
    wins = lines("item", WINS.values(), "{}, % points".format, show=SIGNED[1])
    for table in scope.tables:
        rows, steps = _by_number(_alone(figures, scope, table))
        yield Grid(f"changed alone, {bots_of(table.play)}", rows, (steps, *outcomes, *wins),
                   {**at, "quantity": "alone", "cell": table}, under=held_together(
            f"All other numbers are as printed. Printed line-ups, tower {table.tower}; {{n}} blocks of four games of "
            f"each value, {SURE}{STAR}, with which master bots are `{TAUGHT}`."))  # fmt: skip
    rows, steps = _by_number(_alone(figures, scope, home))
    in_tiles = lines("item", TILES, "tile `{}`, VP a round".format)
    held = "A tile is held in every round, and none with the same luck."
    yield Grid(
        f"changed alone, tiles, {bots_of(home.play)}",
        rows,
        (steps, *in_tiles),
        {**at, "quantity": "alone-tile", "cell": home},
        SIGNED[2],
        held_together(f"All other numbers are as printed. {held} {{n}} blocks of four games, {SURE}{STAR}."),
    )
    yield Grid(f"changed alone, styles, {bots_of(home.play)}", rows,
               (steps, *lines("item", STYLES, "`{}`, % points".format)),
               {**at, "quantity": "alone-style", "cell": home}, SIGNED[1],
               held_together("All other numbers are as printed. The styles sit at one table, in each seat once. {n} "
                             f"blocks of four games, {SURE}{STAR}."))  # fmt: skip
    yield robust_table(figures, numbers, blocks)
    rows, steps = _by_number(numbers)
    plays = [cell for cell in scope.cells() if cell.tower == home.tower]
    for what, digits in ((POINTS, 2), (SPREAD, 2), (LEADER, 1), *((words, 1) for words in WINS.values())):
        yield Grid(f"screened change of: {what}", rows,
                   (steps, *lines("cell", plays, lambda cell: cell.play, item=what)),
                   {**at, "quantity": "screened"}, SIGNED[digits],
                   held_together(f"{MEANS} Printed line-ups, tower {home.tower}; at least {blocks:,} blocks of four "
                                 f"games, {SURE}{STAR}.", least=blocks))  # fmt: skip
    yield turns_words(figures, scope)
    yield Grid(
        "screened change of: tiles",
        rows,
        (steps, *in_tiles),
        {**at, "quantity": "screened-tile", "cell": home},
        SIGNED[2],
        held_together(f"{MEANS} {held} {{n}} blocks of four games, {SURE}{STAR}."),
    )
    gifts = [", ".join(f"{name} = {value}" for name, value in gift.items()) for gift in it.DOUBLED.values()]
    yield Grid("tile", lines("item", it.DOUBLED, code), (Line("doubled gift", texts=gifts),
               *lines("moment", (MEAN, *ROUND_NAMES))), {**at, "quantity": "doubled", "cell": home}, SIGNED[2],
               held_together("VP more that a tile in one round brings against none, with the gift doubled: {n} blocks "
                             f"of 24 in the baseline cell; {SURE}"))  # fmt: skip
    bounds = ", ".join(f"`{name}` {low} to {high}" for name, (low, high) in it.VARIABLES.items())
    yield (f"Searched: {bounds}; {figures.of('design-points').value:.0f} points and the printed numbers, strong "
           "play.")  # fmt: skip
    responses = (*lines("item", TILES, "tile `{}`".format), *lines("item", LINEUPS, "wins of line-up {}".format))
    yield Grid("response", responses, [Line("variance explained, %")], {**at, "quantity": "explained", "cell": home},
               lambda figure: f"{100 * figure.value:.0f}",
               "The share of the variance between points that the fitted surface explains of points it has not seen, "
               "in five-fold cross-validation; sampling error is part of the rest.")  # fmt: skip
    found = {name: round(figures.of("fairest", name).value) for name in it.VARIABLES}
    other = (f"`{name}` = {each} (printed {PRINTED[name]})" for name, each in found.items() if each != PRINTED[name])
    yield f"The fairest numbers found: {', '.join(other)}."
    cells = list(figures.cells("tile-range", KINDS[0], players=PLAYERS))
    yield Grid(cells[0].in_words(cells), (
        *lines("item", TILES, "tile `{}`, VP a round".format, quantity="tile-worth"),
        *lines("item", LINEUPS, "line-up {}, wins, %".format, quantity="line-up-wins", show=estimate(1)),
    ), lines("item", KINDS), {**at, "cell": cells[0]},
        under=held_together(f"Confirmed on games that no search saw; {SURE}"))  # fmt: skip
    level = []
    for cell in cells:
        share = partial(figures.of, "line-up-wins", players=PLAYERS, cell=cell)
        near = [name for name in LINEUPS if abs(share(f"{name} {KINDS[1]}").value - it.FAIR) < _LEVEL_WINS]
        level.append(", ".join(near) or "none")
    yield Grid("cell", lines("cell", cells, lambda cell: cell.in_words(cells)), (
        *lines("item", KINDS, "tiles, {}".format, quantity="tile-range", show=value(2)),
        *lines("item", KINDS, "line-ups, {}".format, quantity="line-up-range", show=value(1)),
        Line("level line-ups, found", texts=level),
    ), at, under="Best less worst: of the tiles in VP a round, of the line-ups in percentage points of wins. A "
                 f"line-up is level within {_LEVEL_WINS:g} points of a quarter of the wins.")  # fmt: skip


def _alone(figures: Figures, scope: Scope, cell: Cell) -> list[Turned]:
    # The numbers that were changed alone in a cell.
    return [each for each in turned(scope)
            if cell in figures.cells("alone", f"{each.name} {SPREAD}", players=PLAYERS)]  # fmt: skip


def _by_number(numbers: Sequence[Turned]) -> tuple[list[Line], Line]:
    # A row for each number, and the column of their values.
    rows = [Line(f"{code(each.name)}{each.star}", {"item": each.name}) for each in numbers]
    return rows, Line("from → to", texts=[f"{each.low} → {each.high}" for each in numbers])


def robust_table(figures: Figures, numbers: Sequence[Turned], blocks: int) -> Grid:
    """One row a number that moves the spread or the leader's wins in some cell: where, and between which values."""
    shown, texts, unknown = [], [], "not known in any"
    for each in numbers:
        row = []
        for what in JUDGED:
            found = figures.all_of("screened", f"{each.name} {what}", players=PLAYERS)
            values, sides = [one.value for one in found], [side_of(one.ends) for one in found]
            known = f"up in {sides.count(1)}, down in {sides.count(-1)}" if any(sides) else unknown
            row += [f"{number(min(values), 2, '+')} to {number(max(values), 2, '+')}", known]
        if {*row[1::2]} != {unknown}:
            shown.append(each)
            texts.append([str(len(found)), *row])
    names, (rows, steps) = ("cells", "spread of VP", "known", "leader's wins, % points", "known"), _by_number(shown)
    columns = [Line(name, texts=[row[at] for row in texts]) for at, name in enumerate(names)]
    return Grid("screened in all settings", rows, (steps, *columns), under=held_together(
        f"{MEANS} Least and most over the cells of play and tower; only numbers that move either in some cell are "
        f"shown. At least {blocks} blocks a cell, {SURE}{STAR}, judged by one line of strong play.",
        least=blocks)(found))  # fmt: skip


def turns_words(figures: Figures, scope: Scope) -> str:
    """Which numbers are known to help a line-up in one kind of play and to harm it in another."""
    found = []
    for each, letter in product(turned(scope), LINEUPS):
        by_cell = figures.cells("screened", f"{each.name} {WINS[letter]}", players=PLAYERS)
        helps, harms = (" and ".join(cell.play for cell, one in by_cell.items() if side_of(one.ends) == side)
                        for side in (1, -1))  # fmt: skip
        if helps and harms:
            found.append(f"{code(each.name)} helps line-up {letter} in {helps} play and harms it in {harms} play")
    if not found:
        return "No screened number is known to help a line-up in one kind of play and to harm it in another."
    return f"Screened, from the lower to the higher value: {'; '.join(found)}."


def summary_words(figures: Figures, scope: Scope) -> str:
    """In short: what moves the spread and decisiveness, doubled tiles, and how near to fair the numbers come."""
    of = partial(figures.of, players=PLAYERS, cell=scope.baseline_cell())
    names = [each.name for each in _alone(figures, scope, scope.baseline_cell())]
    most, *others = moving_most({name: [of("alone", f"{name} {SPREAD}")] for name in names})
    known = either([code(name) for name in (most, *others)], "numbers")
    moved = ", ".join(code(name) for name in names if side_of(of("alone", f"{name} {LEADER}").ends)) or "none"
    sides = [side_of(each.ends) for tile in TILES for each in figures.all_of("doubled-rounds", tile, players=PLAYERS)]
    before, after = (figures.cells("tile-range", kind, players=PLAYERS) for kind in KINDS)
    nearer = sum(after[cell].value < each.value for cell, each in before.items())
    tiles, lineups = (" to ".join(number(of(f"{what}-range", kind).value, digits) for kind in KINDS)
                      for what, digits in (("tile", 2), ("line-up", 1)))  # fmt: skip
    return (
        f"Of {len(names)} numbers changed alone, {known} moves the spread of points most in strong play, `{most}` by "
        f"{in_a_sentence(of('alone', f'{most} {SPREAD}'), '+ 2')} VP from its lower to its higher value; the wins of "
        f"year one's leader are known to move with {moved}. With a doubled gift a tile is known to be worth more in "
        f"{sides.count(1)} of {len(sides)} pairs of tile and round, and less in {sides.count(-1)}. The fairest numbers "
        f"that were found bring the best tile and the worst from {tiles} VP a round apart, and nearer to each other in "
        f"{nearer} of {len(before)} cells; the best line-up and the worst from {lineups} percentage points of wins."
    )


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """The numbers that were changed alone: left what each does to the spread, right to the tiles."""
    of, rows = partial(figures.of, players=PLAYERS, cell=scope.baseline_cell()), {}
    for each in _alone(figures, scope, scope.baseline_cell()):
        tiles = {tile: of("alone-tile", f"{each.name} {tile}") for tile in TILES}
        rows[f"{each.name}: {each.low} to {each.high}"] = {SPREAD: of("alone", f"{each.name} {SPREAD}"), **tiles}
    rows = dict(sorted(rows.items(), key=lambda row: -max(abs(each.value) for each in row[1].values())))
    first, *_, last = next(iter(rows.values())).values()
    drawn, (left, right) = plt.subplots(1, 2, figsize=(10.4, 0.4 * len(rows) + 1.9), sharey=True)
    drawn.suptitle(
        "What changing one number does to the spread of points and to the tiles, all others as printed\nStrong play, "
        f"tower spielbyweb, line-ups; the numbers that moved most in a screening; {first.family} (left) and "
        f"{last.family} (right) simultaneous intervals", x=0.01, ha="left",
        fontsize=9)  # fmt: skip
    forest(left, rows, [SPREAD], [INK], zero=2.05)
    left.set_xlabel("change of the spread of VP")
    forest(right, rows, TILES, apart=0.14, size=4, zero=2.05)
    right.set_xlabel("change of a tile's worth, VP a round")
    marks, tiles = right.get_legend_handles_labels()
    drawn.legend(marks, [tile.replace("_", " ") for tile in tiles], loc="outside lower center", ncols=len(TILES))
    return drawn


STUDY = Study(
    __file__, __doc__, it.scope_of, it.identity, it.play, finding=finding, first=first, tables=tables, picture=picture,
    quantities=QUANTITIES,
    # Its outcomes compare 38 versions of a game: so it has fewer cells. Its units of errors are blocks of four games.
    judged=(Judged(it.CLAIMS, it.claim_outcomes, games_a_row=4, setups=("lineup",), published=False),),
)  # fmt: skip
