"""Amounts: what happens to the game when a designer turns one of its numbers?

Method. Each number of the game that means something with four players is played a step below and a step above its
printed value, on the same games, and what changes from the lower to the higher value is compared by block of four
games: points, their spread, the wins of year one's leader, wins by line-up, what holding each tile brings, and the wins
of four styles of the zoo at one table. Numbers of the expansions are turned with all expansions in play. Then a
space-filling design turns the numbers of VARIABLES at once, a Gaussian process is fitted, and the fairest numbers that
it knows are raced and confirmed on games that the search never saw, in every play and tower. A cell is a play and a
tower calibration, with line-ups. With --quick there are few numbers, cells and games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import code
from wallsim.report.tables.estimates import number
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, of_scope, sure_of, texts_of, value
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity, Value, add_values
from wallsim.studies.scope import BASELINE_TOWER, Scope
from wallsim.studies.sentences import in_a_sentence
from wallsim.studies.series import MEAN
from wallsim.studies.study import Judged, Page, Storage, Study
from wallsim.studies.table_captions import scope_words

from ..editions.estimates import EXPANDED
from ..tiles.estimates import held_always
from .estimates import (
    CLAIMS,
    DOUBLED,
    DOUBLED_BLOCKS,
    JUDGED,
    LINEUPS,
    PLAYERS,
    STYLES,
    claim_outcomes,
    doubled,
    in_fours,
    one_at_a_time,
    scope_of,
    turned,
    turned_in,
)  # fmt: skip
from .finding import both_tables, finding_of
from .picture import amounts_at_a_glance
from .surface import FAIR, KINDS, RESPONSES, UNITS, VARIABLES, search, sizes_of

_LEVEL_WINS = 2.0  # percentage points from a quarter of the wins: a line-up within them is level
TURNED = {each.name: each for each in turned()}
SIGNED = {digits: estimate(digits, "+") for digits in (1, 2)}


def changed(form: str = "{}") -> Callable[[Key], str]:
    """The words of what changes with a number; the item is the number's name and what changes."""

    def words(key: Key) -> str:
        name, _, what = key.item.partition(" ")
        return f"{form.format(what)}, from {TURNED[name].low} to {TURNED[name].high} in {name}"

    return words


def _unit(key: Key) -> str:
    return "% points" if key.item.endswith(LEADER) else "VP"


def _of_picture(key: Key) -> str:
    return changed()(key) if key.item.endswith(SPREAD) else changed("worth of the tile {}")(key)


BASELINE = Cell("strong", "spielbyweb", "lineup")
EVERYWHERE: dict[str, Any] = {"together": (), "null": 0}  # intervals hold together in all cells
QUANTITIES = (
    Quantity("change", changed(), _unit, null=0, family="games"),
    Quantity("wins", changed("wins of {}"), "% points", null=0, family="games"),
    Quantity("headline", changed(), _unit, null=0, shown="words", hides=lambda row: "-VP-of-a-seat/" in row.id),
    Quantity("by-cell", changed(), _unit, **EVERYWHERE, shown="first screen, tables"),
    Quantity("points-by-cell", changed(), **EVERYWHERE, hides=lambda row: row.tower != BASELINE_TOWER),
    Quantity("wins-by-play", changed("wins of line-up {}"), "% points", **EVERYWHERE),
    Quantity("tile", changed("worth of the tile {}"), "VP a round", null=0, family="worths"),
    Quantity("style", changed("style of {}"), "% points", null=0, family="worths"),
    Quantity("picture", _of_picture, lambda key: "VP" if key.item.endswith(SPREAD) else "VP a round", null=0,
             shown="picture"),
    Quantity("doubled", "more VP that the tile {item} brings with a doubled gift", null=0),
    Quantity("doubled-rounds", "more VP that the tile {item} brings with a doubled gift", null=0, shown="words"),
    Quantity("explained", "share of the variance of {item} between points that the surface explains of unseen ones",
             "share"),
    Quantity("design-points", "points of the design beside the printed numbers", "points"),
    Quantity("fairest", lambda key: f"{key.item} in the fairest numbers found; printed {PRINTED[key.item]}", "number",
             null=lambda key: PRINTED[key.item]),
    Quantity("tile-worth",
             lambda key: "VP a round that holding {} brings, with the numbers {}".format(*key.item.split()),
             "VP a round", null=0, family="responses", hides=lambda row: row.cell != BASELINE),
    Quantity("line-up-wins", lambda key: "wins of line-up {} with the numbers {}".format(*key.item.split()), "%",
             null=FAIR, family="responses", hides=lambda row: "-printed/" in row.id and row.cell != BASELINE),
    Quantity("tile-range", "best tile less the worst, with the numbers {item}", "VP a round"),
    Quantity("line-up-range", "best line-up less the worst, with the numbers {item}", "% points"),
)  # fmt: skip


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments = {
        "/".join((each.name, *cell)): each.experiments(cell)
        for cell, each in product(scope.cells(), turned_in(scope))
        if each.is_played(cell)
    }
    sizes = [scope.baseline, scope.others, DOUBLED_BLOCKS[scope.quick]]
    alone = {"experiments": experiments, "blocks": sizes, "styles": STYLES, "doubled": DOUBLED, "held": held_always()}
    return {"turned": alone, "surface": VARIABLES, "sizes": sizes_of(scope), "units": UNITS}


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Turn the numbers one by one and together, and double the gifts of tiles."""
    return {key: each for part in (one_at_a_time, doubled, search)
            for key, each in part(scope, storage.cache, storage.workers).items()}  # fmt: skip


def figures(result: Mapping[Key, Value], rows: Rows) -> None:
    """Add every figure."""
    add_values(rows, QUANTITIES, result)


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the numbers that move the spread most, and all tables."""
    finding = None if scope.quick else finding_of(figures, scope)
    return Page(finding, both_tables(figures, scope).text(figures), texts_of(figures, tables(figures, scope)))


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What each number moves in strong play, in all cells, and of tiles; the surface and the fairest numbers."""
    rows, home, fours = turned_in(scope), scope.baseline_cell(), in_fours(scope)
    heads = [Line(f"{code(each.name)}{' *' if each.base == EXPANDED else ''}", {"item": each.name}) for each in rows]
    steps, at = Line("from → to", texts=[f"{each.low} → {each.high}" for each in rows]), {"players": PLAYERS}
    words = scope_words(scope, STUDY.experiment(), 2 * len(rows))
    yield f"{words} Errors are those of blocks of four games, one a seat."
    yield summary_words(figures, scope)
    outcomes = [Line(what, {"item": what}, SIGNED[digits]) for what, digits in ((POINTS, 2), (SPREAD, 2), (LEADER, 1))]
    wins = lines("item", LINEUPS, "wins of {}, % points".format, quantity="wins", show=SIGNED[1])
    note = " * with all expansions, played by `strong-4p-bigbox`."
    yield Grid("number", heads, (steps, *outcomes, *wins), {**at, "quantity": "change", "cell": home},
               under=of_scope(fours, pairing=True, after=note))  # fmt: skip
    yield robust_table(figures, scope, heads, steps)
    yield from play_tables(scope, [Line(code(each.name), {"item": each.name}) for each in rows], steps)
    yield turns_words(figures, scope)
    note = (" A tile is held in every round, and none with the same luck; the styles sit at one table, in each seat "
            "once. * with all expansions.")  # fmt: skip
    yield Grid("number", heads, (
        steps, *lines("item", TILES, "tile `{}`, VP a round".format, quantity="tile", show=SIGNED[2]),
        *lines("item", STYLES, "`{}`, % points".format, quantity="style", show=SIGNED[1]),
    ), {**at, "cell": home}, under=of_scope(fours, pairing=True, after=note))  # fmt: skip
    gifts = [", ".join(f"{name} = {value}" for name, value in gift.items()) for gift in DOUBLED.values()]
    yield Grid("tile", lines("item", DOUBLED, code), (Line("doubled gift", texts=gifts),
               *lines("moment", (MEAN, *ROUND_NAMES))), {**at, "quantity": "doubled", "cell": home}, SIGNED[2],
               held_together("VP more that a tile in one round brings against none, with the gift doubled: {n} blocks "
                             "of 24 in the baseline cell; {family} simultaneous {level} intervals."))  # fmt: skip
    bounds = ", ".join(f"`{name}` {low} to {high}" for name, (low, high) in VARIABLES.items())
    yield (f"Turned at once: {bounds}; {figures.of('design-points').value:.0f} points and the printed numbers, strong "
           "play.")  # fmt: skip
    responses = lines("item", RESPONSES, lambda name: f"tile `{name}`" if name in TILES else f"wins of line-up {name}")
    yield Grid("response", responses, [Line("variance explained, %")], {**at, "quantity": "explained", "cell": home},
               lambda figure: f"{100 * figure.value:.0f}",
               "The share of the variance between points that the fitted surface explains of points it has not seen, "
               "in five-fold cross-validation; sampling error is part of the rest.")  # fmt: skip
    found = {name: round(figures.of("fairest", name).value) for name in VARIABLES}
    numbers = (f"`{name}` = {each} (printed {PRINTED[name]})" for name, each in found.items() if each != PRINTED[name])
    yield f"The fairest numbers found: {', '.join(numbers)}."
    cells = list(figures.cells("tile-range", KINDS[0], players=PLAYERS))
    yield Grid(cells[0].in_words(cells), (
        *lines("item", TILES, "tile `{}`, VP a round".format, quantity="tile-worth"),
        *lines("item", LINEUPS, "line-up {}, wins, %".format, quantity="line-up-wins", show=estimate(1)),
    ), lines("item", KINDS), {**at, "cell": cells[0]}, under=lambda used: "Confirmed on games that no search saw; "
               f"{used[0].family} simultaneous {LEVEL:.0%} intervals.")  # fmt: skip
    ranges = (lines("item", KINDS, f"{what}s, {{}}".format, quantity=f"{what}-range", show=value(digits))
              for what, digits in (("tile", 2), ("line-up", 1)))  # fmt: skip
    level = Line("level line-ups, found", texts=[level_lineups(figures, cell) for cell in cells])
    yield Grid("cell", lines("cell", cells, lambda cell: cell.in_words(cells)), (*next(ranges), *next(ranges), level),
               at, under="Best less worst: of the tiles in VP a round, of the line-ups in percentage points of wins. A "
               f"line-up is level within {_LEVEL_WINS:g} points of a quarter of the wins.")  # fmt: skip


def play_tables(scope: Scope, heads: Sequence[Line], steps: Line) -> Iterator[Grid]:
    """One table for each outcome: a row per number, a column per kind of play."""
    shown = [("points-by-cell", POINTS, POINTS, 2), *(("by-cell", what, what, 2 - (what == LEADER)) for what in JUDGED)]
    shown += [("wins-by-play", letter, f"wins of line-up {letter}, % points", 1) for letter in LINEUPS]
    blocks, cells = in_fours(scope).others, play_cells(scope)
    for quantity, what, head, digits in shown:
        yield Grid(f"change of: {head}", heads, (steps, *lines("cell", cells, lambda cell: cell.play, item=what)),
                   {"quantity": quantity, "players": PLAYERS}, SIGNED[digits], lambda used:
                   f"Printed line-ups, tower {scope.baseline_cell().tower}; at least {blocks:,} blocks of four games, "
                   f"{simultaneous(sure_of(used), blocks)}")  # fmt: skip


def robust_table(figures: Figures, scope: Scope, heads: Sequence[Line], steps: Line) -> Grid:
    """One row a number that moves the spread or the leader's wins in some cell: where, and between which values."""
    blocks, rows, shown = in_fours(scope).others, [], []
    for head, step in zip(heads, steps.texts, strict=True):
        of = [[*figures.cells("by-cell", f"{head.at['item']} {what}", players=PLAYERS).values()] for what in JUDGED]
        sides = [[side_of(each.ends) for each in found] for found in of]
        if any(map(any, sides)):
            rows.append(head)
            texts = [text for found, side in zip(of, sides, strict=True) for text in (_ends(found), _known(side))]
            shown.append((step, str(len(of[0])), *texts))
    names = ("from → to", "cells", "spread of VP", "known", "leader's wins, % points", "known")
    sure = sure_of(figures.all_of("by-cell", f"{turned_in(scope)[0].name} {SPREAD}", players=PLAYERS))
    return Grid("number", rows, [Line(name, texts=[row[at] for row in shown]) for at, name in enumerate(names)], under=(
        "Least and most over the cells of play and tower; only numbers that move either in some cell are shown. At "
        f"least {blocks} blocks a cell, {simultaneous(sure, blocks)} * with all expansions, judged by one line of "
        "strong play."))  # fmt: skip


def simultaneous(sure: Confidence, blocks: int) -> str:
    """How many intervals hold together, and how many blocks they would need where there are too few."""
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few}"


def play_cells(scope: Scope) -> list[Cell]:
    """The cells of all plays under the first tower, where wins by line-up are shown beside each other."""
    return [cell for cell in scope.cells() if cell.tower == scope.baseline_cell().tower]


def _known(sides: Sequence[int]) -> str:
    return f"up in {sides.count(1)}, down in {sides.count(-1)}" if any(sides) else "not known in any"


def _ends(changes: Sequence[Figure]) -> str:
    values = [each.value for each in changes]
    return f"{number(min(values), 2, '+')} to {number(max(values), 2, '+')}"


def level_lineups(figures: Figures, cell: Cell) -> str:
    """The line-ups that are level with the numbers found."""
    of = partial(figures.of, "line-up-wins", players=PLAYERS, cell=cell)
    return ", ".join(name for name in LINEUPS if abs(of(f"{name} {KINDS[1]}").value - FAIR) < _LEVEL_WINS) or "none"


def turns_words(figures: Figures, scope: Scope) -> str:
    """Which numbers are known to help a line-up in one kind of play and to harm it in another."""
    found = []
    for name, letter in ((each.name, letter) for each in turned_in(scope) for letter in LINEUPS):
        by_cell = figures.cells("wins-by-play", f"{name} {letter}", players=PLAYERS)
        helps, harms = (" and ".join(cell.play for cell, one in by_cell.items() if side_of(one.ends) == side)
                        for side in (1, -1))  # fmt: skip
        if helps and harms:
            found.append(f"{code(name)} helps line-up {letter} in {helps} play and harms it in {harms} play")
    if not found:
        return "No number is known to help a line-up in one kind of play and to harm it in another."
    return f"From the lower to the higher value {'; '.join(found)}."


def summary_words(figures: Figures, scope: Scope) -> str:
    """In short: what moves the spread and decisiveness, doubled tiles, and how near to fair the numbers come."""
    home, names = scope.baseline_cell(), [each.name for each in turned_in(scope)]
    of = partial(figures.of, players=PLAYERS, cell=home)
    most = max(names, key=lambda name: abs(of("headline", f"{name} {SPREAD}").value))
    moved = ", ".join(code(name) for name in names if side_of(of("headline", f"{name} {LEADER}").ends)) or "none"
    sides = [side_of(each.ends) for tile in DOUBLED for each in figures.all_of("doubled-rounds", tile, players=PLAYERS)]
    before, after = (figures.cells("tile-range", kind, players=PLAYERS) for kind in KINDS)
    nearer = sum(after[cell].value < each.value for cell, each in before.items())
    tiles, lineups = (" to ".join(number(of(f"{what}-range", kind).value, digits) for kind in KINDS)
                      for what, digits in (("tile", 2), ("line-up", 1)))  # fmt: skip
    return (
        f"In strong play the spread of points moves most with `{most}`, by "
        f"{in_a_sentence(of('headline', f'{most} {SPREAD}'), '+ 2')} VP from its lower to its higher value; the wins "
        f"of year one's leader are known to move with {moved}. With a doubled gift a tile is known to be worth more in "
        f"{sides.count(1)} of {len(sides)} pairs of tile and round, and less in {sides.count(-1)}. The fairest numbers "
        f"that were found bring the best tile and the worst from {tiles} VP a round apart, and nearer to each other in "
        f"{nearer} of {len(before)} cells; the best line-up and the worst from {lineups} percentage points of wins."
    )


def picture(figures: Figures, scope: Scope) -> Picture:
    """The numbers that move the spread or a tile most, and what each does to spread and to the tiles."""
    of, what = partial(figures.of, "picture", players=PLAYERS, cell=scope.baseline_cell()), (SPREAD, *TILES)
    shown = {each: [of(f"{each.name} {one}") for one in what] for each in turned_in(scope)
             if figures.all_of("picture", f"{each.name} {SPREAD}", players=PLAYERS)}  # fmt: skip
    order = sorted(shown, key=lambda each: max(abs(one.value) for one in shown[each]), reverse=True)
    sure, named = sure_of(shown[order[0]]), {f"{each.name}: {each.low} to {each.high}": shown[each] for each in order}
    title = (
        "What turning a number does to the spread of points and to the tiles\n"
        "Strong play, tower spielbyweb, line-ups; the numbers that move the spread or a tile most; "
        f"{sure.n_comparisons} simultaneous intervals"
    )
    return amounts_at_a_glance(named, sure, title)


STUDY = Study(
    __file__, __doc__, scope_of, identity, play, figures, page, picture, quantities=QUANTITIES,
    # Its outcomes compare 38 versions of a game: so it has fewer cells. Its units of errors are blocks of four games.
    judged=(Judged(CLAIMS, claim_outcomes, games_a_row=4, setups=("lineup",)),),
)  # fmt: skip
