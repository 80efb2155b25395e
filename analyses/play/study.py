"""Play: how do casual and strong bots play, and what does a tip do for the seat that follows it?

Method. Tables of casual bots with the printed line-ups, and of master and of scholar bots who draft, are played as they
are, and their actions counted by round. Then one seat follows a tip of players: some of its weights are set so that it
does what the tip says, or code answers some questions otherwise, and all else stays. What a tip forbids is forbidden by
code, which binds taught bots, too; only the duty to move is stronger. It is played in every seat, in the same games as
before, and each number is the mean change of that seat's result. A block is a game number with all its seats. A measure
shows that the habit did change; where it hardly did, the players play so already. The others do not adapt. A habit that
costs may be one that the seat was not prepared for. So at tables of four a seat is tuned for every habit that costs
there: a search has set all its other weights, and another one those of a seat without a habit, as long. The two are
compared in the same games, which the searches did not play. The three habits that move points most in other games are
followed by all seats, too, against the same games in which nobody follows them. A county of the middle has six or more
neighbours; attacks and losses there are compared with those of all other counties. With --quick there are four players
and few games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import code
from wallsim.report.figures.style import COLOURS, FAINT, INK, half_width, styled
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures, quantity_of
from wallsim.studies.finding import BOTS, MOST_ROWS, RESTS_ON, Finding, listed
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.scope import PLAYERS
from wallsim.studies.scope import THREE_TABLES as TABLES
from wallsim.studies.study import Study
from wallsim.studies.table_captions import LINE_NAMES as NAMES

from . import changes as games
from .changes import GAIN, HABITS, IN_MIDDLE, LARGEST, OTHERS_THAN, POINTS, SHOWN, TIPS, WINS, Design, at_table

ATTACKED, LOST = "attacked", "lost"  # quantities of counties
LEAST = 0.1  # of a measure: a habit that moves it by less was there already, or could not be had
_TUNED = ", even if tuned for it"
_MIDDLE = held_together(
    "A county of the middle has six or more neighbours; means of such counties, and of all others. An owner is a seat "
    "that holds it at some time. The ± are half-widths of {family} simultaneous {level} intervals."
)
_SIGNED, _IN_TENTHS = estimate(2, "+"), estimate(1, "+")
_LESS = {  # what is compared of a seat that is tuned for a habit
    GAIN: f"{POINTS} of a seat tuned for the habit, less an untuned one",
    POINTS: f"{POINTS} of a seat tuned for the habit, less one tuned without",
    WINS: "wins of a seat tuned for the habit, less one tuned without",
    SHOWN: "{} of a seat tuned for the habit, less an untuned one",
}


def _parts(key: Key) -> tuple[str, str]:
    """The habit of an item, empty for none, and what is estimated."""
    what = next(each for each in _LESS if key.item.replace("-", " ").endswith(each))
    return key.item[: -len(what)].strip(), what


def _unit(key: Key) -> str:
    name, what = _parts(key)
    return HABITS[name].measure.words if what == SHOWN else "% points" if what == WINS else "VP"


def _of_habit(key: Key) -> str:
    name, what = _parts(key)
    return f"change of a seat's {_unit(key) if what == SHOWN else what} by the habit: {name}"


def _of_all(key: Key) -> str:
    name, what = _parts(key)
    return f"change of the mean seat's {_unit(key) if what == SHOWN else what} where all have the habit: {name}"


def _of_tuned(key: Key) -> str:
    name, what = _parts(key)
    return f"{_LESS[what].format(_unit(key))}: {name}" if name else f"change of a seat's {what} by tuning alone"


QUANTITIES = (
    Quantity("measure", "{item} of a seat in a round", "per seat and round"),
    Quantity("habit", _of_habit, _unit, 0, lambda key: ("habit", _parts(key)[1], key.players)),
    Quantity(ATTACKED, "attacks of players on owners of {item} in a game", "attacks a game", together=()),
    Quantity(LOST, "owners of {item} that lose it in the game", "%", together=()),
    Quantity("all", _of_all, _unit, 0, lambda key: ("all", _parts(key)[1])),
    # Together are those for a habit, and those of tuning alone.
    Quantity("tuned", _of_tuned, _unit, 0, lambda key: ("tuned", _parts(key)[1], bool(_parts(key)[0]))),
)


def finding_of(figures: Figures, _: Design) -> Finding:
    """What changed habits bring at each table: of those that cost an untuned seat, what they bring a tuned one."""
    found = known(figures, TABLES)
    return Finding(
        title_of(found[-1], found[1]), _casual(figures), _strong(figures), "",
        "Change of a seat's victory points by each habit, tuned and untuned, at each table, with intervals",
        _by_tuning(figures),
    )  # fmt: skip


def title_of(cost: Sequence[str], gain: Sequence[str]) -> str:
    """Which tips are known to lose or to gain points for all bots, in a sentence; those that move most first."""
    tuned = f" tuned for {'them' if len(cost) > 1 else 'it'}" if cost else ""
    who = f"casual, master and scholar bots{tuned} {RESTS_ON}"
    if not cost:
        return f"{f'“{_tip(gain[0])}” gains' if gain else 'No tip is known to lose or to gain'} points for {who}"
    more = len(cost) - 2
    others = [f"{more} more tip{'s' if more > 1 else ''}"] if more > 0 else []
    named = listed([*(f"“{_tip(name)}”" for name in cost[:2]), *others])
    return f"{named} lose{'' if len(cost) > 1 else 's'} points for {who}"


def _tip(name: str) -> str:
    return TIPS.get(name, name)


def known(figures: Figures, tables: Sequence[Cell]) -> dict[int, list[str]]:
    """The habits that are known to cost (-1) or to bring points (1) at all of some tables, those that move most first.

    Only habits that take effect at all of them; and those cost that cost seats that are tuned for them.
    """
    found: dict[int, list[str]] = {-1: [], 1: []}
    for name in largest(figures, tables):
        leading = [led(figures, name, table) for table in tables]
        sides = {side_of(one.ends) for one in leading}
        tuned = all(quantity_of(one.id) == "tuned" for one in leading)
        if (sides == {1} or (sides == {-1} and tuned)) and all(map(partial(takes_effect, figures, name), leading)):
            found[sides.pop()].append(name)
    return found


def largest(figures: Figures, tables: Sequence[Cell] = TABLES) -> list[str]:
    """The habits, those first that move points most in the mean of some tables."""
    return sorted(HABITS, key=lambda name: -abs(sum(led(figures, name, table).value for table in tables)))


def led(figures: Figures, name: str, table: Cell) -> Figure:
    """The change of points by a habit: of a tuned seat where one was tuned for it, else of an untuned one."""
    tuned = figures.find("tuned", f"{name} {POINTS}", players=PLAYERS, cell=table)
    return points_of(figures, name, table) if tuned is None else tuned


def points_of(figures: Figures, name: str, table: Cell, players: int = PLAYERS) -> Figure:
    """The change of points by a habit."""
    return figures.of("habit", f"{name} {POINTS}", players=players, cell=table)


def takes_effect(figures: Figures, name: str, one: Figure) -> bool:
    """Whether the seat of a figure follows its habit (`shown`)."""
    return shown(figures, name, one.cell, one.players, quantity_of(one.id))


def shown(figures: Figures, name: str, table: Cell, players: int = PLAYERS, quantity: str = "habit") -> bool:
    """Whether a seat with the habit, or `tuned` for it, moves its measure to the side that it should, by `LEAST`."""
    value = figures.of(quantity, f"{name} {SHOWN}", players=players, cell=table).value
    return (value if HABITS[name].more else -value) >= LEAST


def bracketed(figures: Figures, name: str, table: Cell, text: str, **of: Any) -> str:
    """A text about a habit at a table, in brackets where the habit hardly changes what players do (`shown`)."""
    return text if shown(figures, name, table, **of) else f"({text})"


def _casual(figures: Figures) -> str:
    """The tips that lose and gain most for casual bots, of those that are known to, with those that may be as large."""
    [table], found = TABLES[:1], known(figures, TABLES[:1])
    parts: list[str] = []
    for sign, verb, tuned in ((-1, "loses", _TUNED), (1, "gains", "")):
        if found[sign]:
            of = {name: led(figures, name, table) for name in found[sign]}
            name, *rest = sorted(of, key=lambda name: -sign * of[name].value)
            others = [each for each in rest if _meet(of[each], of[name])]
            more = f", not distinguishable from {len(others)} more" if others else ""
            unit = "" if parts else " VP"
            parts.append(f"“{_tip(name)}” {verb} most{tuned} ({_IN_TENTHS(of[name])}{unit}){more}")
    return f"{'; '.join(parts) or 'No tip is known to lose or to gain points'}."


def _meet(one: Figure, other: Figure) -> bool:
    # Whether intervals meet, which may be of two families; one that is not known meets all.
    ends = one.ends, other.ends
    return ends[0] is None or ends[1] is None or max(ends[0][0], ends[1][0]) <= min(ends[0][1], ends[1][1])


def _strong(figures: Figures) -> str:
    """What a tip that is known to lose for master and scholar bots, or else to gain, changes for both."""
    tables, found = TABLES[1:], known(figures, TABLES[1:])
    if not (named := found[-1] or found[1]):
        return "No tip is known to lose or to gain points for both master and scholar bots."
    verb = "loses" if found[-1] else "gains"
    values = ", ".join(f"{BOTS[table.play]} bots {_IN_TENTHS(led(figures, named[0], table))}" for table in tables)
    return f"“{_tip(named[0])}” {verb} {values} VP{'' if found[1] else '; none is known to gain for both'}."


def _by_tuning(figures: Figures) -> str:
    """Of the tips that seats were tuned for and follow, the one of which tuning takes most of the loss."""
    saved: dict[tuple[str, Cell], float] = {}
    for name, table in product(HABITS, TABLES):
        after, before = led(figures, name, table), points_of(figures, name, table)
        if after is not before and takes_effect(figures, name, after):
            saved[name, table] = after.value - before.value
    if not saved:
        return ""
    name, table = max(saved, key=saved.__getitem__)
    values = [number(one(figures, name, table).value, 1, "+") for one in (points_of, led)]
    return f"Tuning {BOTS[table.play]} bots for “{_tip(name)}” changes its {values[0]} to {values[1]} VP."


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """How each table plays by round, what every habit changes, what tuned seats gain, and fought counties."""
    experiment = at_table(PLAYERS, TABLES[0])
    named = ", ".join(f"{NAMES[table]} ({code(at_table(PLAYERS, table).policies[0])})" for table in TABLES)
    each = " and ".join(f"{design.blocks(size):,} with {size} players" for size in design.sizes)
    yield (
        f"Game numbers at each table: {each}, each played as it is and once a seat with each of {len(HABITS)} habits; "
        f"a number with all its seats is a block. Tables of four: {named}; tower {experiment.tower}, seed "
        f"{experiment.seed}, engine version {figures.engine}."
    )
    means = held_together("Means of all seats; the ± are half-widths of {family} simultaneous {level} intervals.")
    for players, table in product(design.sizes, TABLES):
        yield Grid(f"a seat, {players} players, {NAMES[table]}", lines("item", games.MEASURES),
                   lines("moment", games.ROUNDS), {"quantity": "measure", "players": players, "cell": table},
                   under=means)  # fmt: skip
    yield from (changes(figures, design, players) for players in design.sizes)
    yield from (tuned(figures, table) for table in TABLES)
    columns = [Line(f"{NAMES[table]}, {players} players", {"players": players, "cell": table})
               for players, table in product(design.sizes, TABLES)]  # fmt: skip
    for what, head in ((POINTS, "all seats follow the tip, VP"), (SHOWN, "what shows that all follow it")):
        yield Grid(head, lines("item", LARGEST, TIPS.__getitem__), [
            each._replace(at={**each.at, "item": what}) for each in columns
        ], {"quantity": "all"}, _SIGNED, held_together(
            "Change of the mean seat where all seats follow the tip, against the same games in which nobody does; the "
            "three tips that move points most in other games. The ± are half-widths of {family} simultaneous {level} "
            "intervals."
        ))  # fmt: skip
    for quantity, head in ((ATTACKED, "attacks of players in a game on its owners"), (LOST, "owners that lose it, %")):
        yield Grid(head, lines("item", (IN_MIDDLE, OTHERS_THAN)), columns, {"quantity": quantity}, under=_MIDDLE)
    for players in design.sizes:
        at = {"quantity": "habit", "players": players}
        yield Grid(f"wins, % points, {players} players", lines("item", HABITS, TIPS.__getitem__),
                   lines("cell", TABLES, NAMES.__getitem__, item=WINS), at, _SIGNED)  # fmt: skip
        yield Grid(f"what shows the habit, {players} players",
                   lines("item", HABITS, lambda name: f"{TIPS[name]}: {HABITS[name].measure.words}"),
                   lines("cell", TABLES, NAMES.__getitem__, item=SHOWN), at, _SIGNED)  # fmt: skip
    yield Grid(f"a county, {PLAYERS} players", lines("item", load_board().counties), [
        Line(f"{what}, {NAMES[table]}", {"quantity": quantity, "cell": table}, estimate(decimals))
        for table in TABLES
        for what, quantity, decimals in (("attacks", ATTACKED, 2), ("lost, %", LOST, 0))
    ], {"players": PLAYERS}, under=held_together(
        "Attacks of players on its owners in a game, and owners that lose it in the game: an owner is a seat that "
        "holds it at some time. The ± are half-widths of {family} simultaneous {level} intervals for each."
    ), gaps=True)  # fmt: skip


def first(figures: Figures, design: Design) -> Grid:
    """The habits that move points most, at each table: what a tuned and an untuned seat gain."""
    return changes(figures, design, most=MOST_ROWS)


def changes(figures: Figures, design: Design, players: int = PLAYERS, most: int | None = None) -> Grid:
    """One row per habit: the change of points at each table; in brackets where the habit hardly changed.

    Tables of four have columns of tuned seats, too, and the first `most` habits by what they move, in tenths.
    """

    def show(name: str, one: Figure) -> str:
        text = (_SIGNED if most is None else _IN_TENTHS)(one)
        return text if takes_effect(figures, name, one) else f"({text})"

    names = largest(figures)[:most] if players == PLAYERS else list(HABITS)
    kinds, also = {"habit": "untuned"}, ""
    if players == PLAYERS:
        kinds = {"tuned": "tuned", "habit": "untuned"}
        families = {one.family for name, table in product(names, TABLES)
                    if quantity_of((one := led(figures, name, table)).id) == "tuned"}  # fmt: skip
        also = (f"Tuned: of a seat tuned for the tip, less one tuned as long without it ({max(families, default=0)} "
                "intervals); a dash where none was, since the tip is not known to lose. ")  # fmt: skip
    columns = [Line(f"{NAMES[table]}, {words}", {"cell": table, "quantity": quantity, "item": POINTS})
               for table, (quantity, words) in product(TABLES, kinds.items())]  # fmt: skip
    untuned = points_of(figures, names[0], TABLES[0], players)
    return Grid(
        f"one seat of {players}, VP", [Line(TIPS[name], {"item": name}, partial(show, name)) for name in names],
        columns, {"players": players}, gaps=True,
        under=held_together(
            f"Change of a seat's points when it alone follows the tip, the mean of all seats, "
            f"{design.blocks(players):,} blocks. {also}Untuned: the ± are half-widths of {untuned.family} simultaneous "
            "{level} intervals. In brackets: these bots do so already, or hardly can."))  # fmt: skip


def tuned(figures: Figures, table: Cell) -> Grid:
    """One row per habit that costs an untuned seat points at a table: what a seat gains that is tuned for it."""
    of, at = partial(figures.of, "tuned", players=PLAYERS, cell=table), {"quantity": "tuned"}
    names = [name for name in HABITS if figures.find("tuned", f"{name} {POINTS}", players=PLAYERS, cell=table)]
    shows = [f"{_IN_TENTHS(of(f'{name} {SHOWN}'))} {HABITS[name].measure.words}" for name in names]
    points, wins, one = of(POINTS), of(WINS), led(figures, names[0], table)
    return Grid(f"{NAMES[table]}, {PLAYERS} players", lines("item", names, TIPS.__getitem__), (
        Line("untuned, VP", {"quantity": "habit", "item": POINTS}), Line("tuned, VP", {**at, "item": POINTS}),
        Line("tuned, wins, % points", {**at, "item": WINS}),
        Line("tuned, VP, to an untuned seat", {**at, "item": GAIN}),
        Line("what shows the habit, to an untuned seat",
             texts=[bracketed(figures, name, table, text, quantity="tuned")
                    for name, text in zip(names, shows, strict=True)]),
    ), {"players": PLAYERS, "cell": table}, _IN_TENTHS, (
        "Seats that follow a tip and are tuned for it, less a seat that was tuned as long without one; that seat is "
        f"{_IN_TENTHS(points)} VP and {_IN_TENTHS(wins)} percentage points of wins above an untuned one. "
        "The last columns compare with an untuned seat; in brackets: the tuned seat hardly follows the tip. The ± "
        f"are half-widths of {one.family} simultaneous {one.level:.0%} intervals for each number."
    ))  # fmt: skip


def marks_by_table(axes: Axes, rows: Sequence[str], tables: Mapping[str, Sequence[Figure]], apart: float) -> None:
    """Draw the rows from above, each with a mark and an interval for every table, by the name of the table."""
    for place, (name, each) in enumerate(tables.items()):
        axes.errorbar(
            [one.value for one in each], [-row + apart * (1 - place) for row in range(len(rows))],
            xerr=[half_width(one, sure_of([one])) for one in each], label=name, color=COLOURS[place],
            marker="osD"[place], markersize=5, linestyle="none", capsize=2,
        )  # fmt: skip
    axes.set_yticks([-row for row in range(len(rows))], rows)
    axes.set_ylim(-len(rows) + 0.4, 0.6)


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """A row per habit with a mark per table of four: the change of points, tuned where it is known; untuned pale."""
    names = largest(figures)[:MOST_ROWS]
    figure, axes = plt.subplots(figsize=(7.6, 0.42 * len(names) + 1.6))
    axes.axvline(0, color=FAINT, linewidth=1.0, zorder=1)
    marks = {NAMES[table]: [led(figures, name, table) for name in names] for table in TABLES}
    marks_by_table(axes, [TIPS[name] for name in names], marks, 0.24)
    for place, table in enumerate(TABLES):
        axes.plot([points_of(figures, name, table).value for name in names],
                  [-row + 0.24 * (1 - place) for row in range(len(names))], "osD"[place], color=COLOURS[place],
                  markersize=5, markerfacecolor="none", alpha=0.5)  # fmt: skip
    axes.set_xlabel("change of the seat's victory points; hollow: by a bot not tuned for the tip")
    axes.legend(loc="upper center", bbox_to_anchor=(0.35, -0.1))
    title = f"One seat of {PLAYERS} changes a habit; {design.blocks(PLAYERS):,} game numbers"
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    return figure


STUDY = Study(
    __file__, __doc__, games.design, games.identity, games.play, finding=finding_of, first=first, tables=tables,
    picture=picture, quantities=QUANTITIES,
    games="numbers of games at a table of four instead of the experiment's",
)  # fmt: skip
