"""Play: how do casual and strong players play, and what does another habit bring one seat?

Method. Tables of casual players with the printed line-ups, and of each line of strong players who draft, are played as
they are, and their actions counted by round. Then one seat follows a saying of players: some of its weights are set so
that it does what the saying says, or code answers one question otherwise, and all else stays. It is played in every
seat, in the same games as before, and each number is the mean change of that seat's result by block of games. A
measure shows that the habit did change; where it hardly did, the players play so already. The others do not adapt. A
habit that costs may be one that the seat was not prepared for. So at tables of four a seat is tuned for every habit
that costs there: a search has set all its other weights, and another one those of a seat without a habit, as long. The
two are compared in the same games, which the searches did not play. At tables of four, attacks of players and lost
counties are counted by county. With --quick there are four players and few games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code
from wallsim.report.figures.style import COLOURS, FAINT, INK, half_width, new_axes, styled
from wallsim.report.tables.estimates import in_words
from wallsim.rules.board import load_board
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.games import block_size
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of, texts_of
from wallsim.studies.quantities import Key, Quantity, add_values
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE
from wallsim.studies.study import Page, Study
from wallsim.studies.table_captions import LINE_NAMES as NAMES

from .changes import COSTLY, GAIN, PLAYERS, POINTS, SHOWN, TABLES, WINS, Design, at_table, design, identity, play
from .habits import HABITS, MEASURES, ROUNDS

ATTACKED, LOST = "attacked", "lost"  # quantities of counties
LEAST = 0.1  # of a measure: a habit that moves it by less was there already, or could not be had
LINES = (EXPERIENCED_TABLE, SECOND_TABLE)
_MARKS, _APART = ("o", "s", "D"), 0.24  # of the tables, and the part of a row between them
_SIGNED = estimate(2, "+")
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


def _of_tuned(key: Key) -> str:
    name, what = _parts(key)
    return f"{_LESS[what].format(_unit(key))}: {name}" if name else f"change of a seat's {what} by tuning alone"


def _tuned_together(key: Key) -> tuple[str, ...]:
    name, what = _parts(key)
    return ("tuned", what, "for a habit" if name else "alone")


QUANTITIES = (
    Quantity("measure", "{item} of a seat in a round", "per seat and round"),
    Quantity("habit", _of_habit, _unit, 0, lambda key: ("habit", _parts(key)[1], key.players)),
    Quantity(ATTACKED, "attacks of players on owners of {item} in a game", "attacks a game", together=()),
    Quantity(LOST, "owners of {item} that lose it in the game", "%", together=()),
    Quantity("tuned", _of_tuned, _unit, 0, _tuned_together),
)


def page(figures: Figures, design: Design) -> Page:
    """The finding with the changes of points, and all tables."""
    first = changes(figures, design).text(figures)
    return Page(finding_of(figures, design), first, texts_of(figures, tables(figures, design)))


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """What changed habits bring at each table; None in a quick look."""
    if design.quick:
        return None
    found = known(figures, TABLES)
    cost, gain = (sorted(found[sign], key=lambda name: -sign * found[sign][name]) for sign in (-1, 1))
    return Finding(
        title_of(cost, gain), _sentence(figures, [CASUAL_TABLE]), _sentence(figures, LINES),
        "What a saying brings where all follow it.",
        "Change of a seat's victory points by each habit, at each table, with intervals",
    )  # fmt: skip


def title_of(cost: Sequence[str], gain: Sequence[str]) -> str:
    """Which sayings are known to cost or to bring points at every table, in a sentence; those that move most first."""
    if not cost:
        return f"“{gain[0]}” brings points at every table" if gain else (
            "No saying is known to cost or to bring points at every table"
        )  # fmt: skip
    named, more = " and ".join(f"“{name}”" for name in cost[:2]), len(cost) - 2
    others = f", as do{'es' if more == 1 else ''} {more} more saying{'s' if more > 1 else ''}"
    return f"{named} cost{'' if len(cost) > 1 else 's'} points at every table{others if more > 0 else ''}"


def known(figures: Figures, tables: Sequence[Cell]) -> dict[int, dict[str, float]]:
    """The habits that are known to cost (-1) or to bring points (1) at all of some tables: their mean change there.

    Only habits that take effect at all of them.
    """
    found: dict[int, dict[str, float]] = {-1: {}, 1: {}}
    for name in HABITS:
        each = [points_of(figures, name, table) for table in tables]
        sides = {side_of(figure.ends) for figure in each}
        if sides in ({1}, {-1}) and all(shown(figures, name, table) for table in tables):
            found[sides.pop()][name] = sum(figure.value for figure in each) / len(each)
    return found


def points_of(figures: Figures, name: str, table: Cell, players: int = PLAYERS) -> Figure:
    """The change of points by a habit."""
    return figures.of("habit", f"{name} {POINTS}", players=players, cell=table)


def shown(figures: Figures, name: str, table: Cell, players: int = PLAYERS, quantity: str = "habit") -> bool:
    """Whether a seat with the habit, or `tuned` for it, moves its measure to the side that it should, by `LEAST`."""
    value = figures.of(quantity, f"{name} {SHOWN}", players=players, cell=table).value
    return (value if HABITS[name].more else -value) >= LEAST


def bracketed(
    figures: Figures, name: str, table: Cell, text: str, players: int = PLAYERS, quantity: str = "habit"
) -> str:
    """A text about a habit at a table, in brackets where the habit hardly changes what players do."""
    return text if shown(figures, name, table, players, quantity) else f"({text})"


def _sentence(figures: Figures, tables: Sequence[Cell]) -> str:
    """The habits that cost and bring most, of those that are known to at all of these tables."""
    found, parts = known(figures, tables), []
    for sign, verb in ((-1, "costs most"), (1, "brings most")):
        if found[sign]:
            name = max(found[sign], key=lambda each: sign * found[sign][each])
            values = " and ".join(_text(points_of(figures, name, table)) for table in tables)
            tuned = "" if found[1] else _tuned(figures, name, tables)  # the box has room for six numbers
            parts.append(f"“{name}” {verb} ({values} VP{tuned})")
    lines = " in both lines" if len(tables) > 1 else ""
    first = "Of those that cost both lines, " if lines and found[-1] else ""  # others may cost more in one of them
    if not parts:
        return f"No saying is known to cost or to bring points{lines}."
    ending = "" if found[1] or "tuned" in parts[0] else f"; none is known to bring points{lines}"
    return f"{first}{', '.join(parts)}{ending}."


def _tuned(figures: Figures, name: str, tables: Sequence[Cell]) -> str:
    """What a habit brings seats that are tuned for it, where several tables have such seats; else nothing."""
    if len(tables) < 2 or not all(name in COSTLY[table] for table in tables):
        return ""
    each = (figures.of("tuned", f"{name} {POINTS}", players=PLAYERS, cell=table) for table in tables)
    return f"; {' and '.join(_text(figure) for figure in each)} tuned for it"


def _text(figure: Figure) -> str:
    return in_words(figure.value, figure.ends, 1, "+")


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """How each table plays by round, what every habit changes, what tuned seats gain, and fought counties."""
    experiment = at_table(PLAYERS, TABLES[0])
    named = ", ".join(f"{NAMES[table]} ({code(at_table(PLAYERS, table).policies[0])})" for table in TABLES)
    games = " and ".join(f"{design.blocks * block_size(size):,} with {size} players" for size in design.sizes)
    yield (
        f"{design.blocks:,} blocks of numbers at each table ({games}), each played as it is and once a seat with each "
        f"of {len(HABITS)} habits; tables of four: {named}; tower {experiment.tower}, seed {experiment.seed}, "
        f"engine version {ENGINE_VERSION}."
    )
    means = held_together("Means of all seats; the ± are half-widths of {family} simultaneous {level} intervals.")
    for players in design.sizes:
        for table in TABLES:
            yield Grid(f"a seat, {players} players, {NAMES[table]}", lines("item", MEASURES), lines("moment", ROUNDS),
                       {"quantity": "measure", "players": players, "cell": table}, under=means)  # fmt: skip
    yield from (changes(figures, design, players) for players in design.sizes if players != PLAYERS)
    yield from (tuned(figures, table) for table in TABLES)
    for players in design.sizes:
        at = {"quantity": "habit", "players": players}
        yield Grid(f"wins, % points, {players} players", lines("item", HABITS),
                   lines("cell", TABLES, NAMES.__getitem__, item=WINS), at, _SIGNED)  # fmt: skip
        yield Grid(f"what shows the habit, {players} players",
                   lines("item", HABITS, lambda name: f"{name}: {HABITS[name].measure.words}"),
                   lines("cell", TABLES, NAMES.__getitem__, item=SHOWN), at, _SIGNED)  # fmt: skip
    yield Grid(f"a county, {PLAYERS} players", lines("item", load_board().counties), [
        Line(f"{what}, {NAMES[table]}", {"quantity": quantity, "cell": table}, estimate(decimals))
        for table in TABLES
        for what, quantity, decimals in (("attacks", ATTACKED, 2), ("lost, %", LOST, 0))
    ], {"players": PLAYERS}, under=held_together(
        "Attacks of players on its owners in a game, and owners that lose it in the game: an owner is a seat that "
        "holds it at some time. The ± are half-widths of {family} simultaneous {level} intervals for each."
    ), gaps=True)  # fmt: skip


def changes(figures: Figures, design: Design, players: int = PLAYERS) -> Grid:
    """One row per habit: the change of points at each table; in brackets where the habit hardly changed."""

    def show(name: str, one: Figure) -> str:
        return bracketed(figures, name, one.cell, _SIGNED(one), players)

    return Grid(
        f"one seat of {players}, VP", [Line(name, {"item": name}, partial(show, name)) for name in HABITS],
        lines("cell", TABLES, NAMES.__getitem__, item=POINTS), {"quantity": "habit", "players": players},
        under=held_together(
            f"Change of a seat's points when it alone follows the saying, the mean of all seats, {design.blocks:,} "
            "blocks; the ± are half-widths of {family} simultaneous {level} intervals. In brackets: players of that "
            "table play so already, or hardly can."
        ),
    )  # fmt: skip


def tuned(figures: Figures, table: Cell) -> Grid:
    """One row per habit that costs an untuned seat points at a table: what a seat gains that is tuned for it."""
    of, show, at = partial(figures.of, "tuned", players=PLAYERS, cell=table), estimate(1, "+"), {"quantity": "tuned"}
    shows = "what shows the habit, to an untuned seat"
    texts = {
        (name, shows): bracketed(figures, name, table, f"{show(of(f'{name} {SHOWN}'))} {HABITS[name].measure.words}",
                                 quantity="tuned")
        for name in COSTLY[table]
    }  # fmt: skip
    points, wins, one = of(POINTS), of(WINS), of(f"{COSTLY[table][0]} {POINTS}")
    return Grid(f"{NAMES[table]}, {PLAYERS} players", lines("item", COSTLY[table]), (
        Line("untuned, VP", {"quantity": "habit", "item": POINTS}), Line("tuned, VP", {**at, "item": POINTS}),
        Line("tuned, wins, % points", {**at, "item": WINS}),
        Line("tuned, VP, to an untuned seat", {**at, "item": GAIN}), Line(shows),
    ), {"players": PLAYERS, "cell": table}, show, (
        "Seats that follow a saying and are tuned for it, less a seat that was tuned as long without one; that seat is "
        f"{show(points)} VP and {show(wins)} percentage points of wins above an untuned one. "
        "The last columns compare with an untuned seat; in brackets: the tuned seat hardly follows the saying. The ± "
        f"are half-widths of {one.family} simultaneous {one.level:.0%} intervals for each number."
    ), texts=texts)  # fmt: skip


@styled
def picture(figures: Figures, design: Design) -> Picture:
    """A row per habit with a mark per table of four: the change of points with its interval."""
    axes = new_axes(7.6, 0.42 * len(HABITS) + 1.6)
    axes.axvline(0, color=FAINT, linewidth=1.0, zorder=1)
    for place, table in enumerate(TABLES):
        each = [points_of(figures, name, table) for name in HABITS]
        axes.errorbar(
            [one.value for one in each], [-row + _APART * (1 - place) for row in range(len(HABITS))],
            xerr=[half_width(one, sure_of(each)) for one in each], label=NAMES[table], color=COLOURS[place],
            marker=_MARKS[place], markersize=5, linestyle="none", capsize=2,
        )  # fmt: skip
    axes.set_yticks([-row for row in range(len(HABITS))], list(HABITS))
    axes.set_ylim(-len(HABITS) + 0.4, 0.6)
    axes.set_xlabel("change of the seat's victory points")
    axes.legend(loc="upper center", bbox_to_anchor=(0.35, -0.1))
    title = f"One seat of {PLAYERS} changes a habit; {design.blocks:,} blocks of {block_size(PLAYERS)} numbers"
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


STUDY = Study(
    __file__, __doc__, design, identity, play, lambda values, rows: add_values(rows, QUANTITIES, values), page, picture,
    quantities=QUANTITIES, games="numbers of games at a table of four instead of the experiment's",
)  # fmt: skip
