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

from collections.abc import Iterator, Mapping
from functools import partial

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code
from wallsim.rules.board import load_board
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.games import block_size
from wallsim.studies.grids import Grid, Line, Show, estimate, held_together, lines, sure_of, texts_of
from wallsim.studies.quantities import Key, Quantity, Value, add_values
from wallsim.studies.study import Page, Study

from .changes import POINTS, SHOWN, WINS
from .estimates import Design, design, identity, play
from .finding import NAMES, bracketed, finding_of, points_of
from .habits import HABITS, MEASURES, ROUNDS
from .picture import points_by_habit
from .tables import PLAYERS, TABLES, experiment_of
from .tuned import COSTLY, GAIN

ATTACKED, LOST = "attacked", "lost"  # quantities of counties
_OUTCOMES = (GAIN, POINTS, WINS, SHOWN)
_LESS = {  # what is compared of a seat that is tuned for a habit
    POINTS: f"{POINTS} of a seat tuned for the habit, less one tuned without",
    WINS: "wins of a seat tuned for the habit, less one tuned without",
    GAIN: f"{POINTS} of a seat tuned for the habit, less an untuned one",
    SHOWN: "{} of a seat tuned for the habit, less an untuned one",
}


def _parts(key: Key) -> tuple[str, str]:
    """The habit of an item, empty for none, and what is estimated."""
    what = next(each for each in _OUTCOMES if key.item.replace("-", " ").endswith(each))
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


def add_figures(values: Mapping[Key, Value], rows: Rows) -> None:
    """Add every figure: measures by round, the changes by each habit, counties that are fought for, tuned seats."""
    add_values(rows, QUANTITIES, values)


def page(figures: Figures, design: Design) -> Page:
    """The finding with the changes of points, and all tables."""
    first = changes(figures, design).text(figures)
    return Page(finding_of(figures, design), first, texts_of(figures, tables(figures, design)))


def tables(figures: Figures, design: Design) -> Iterator[Grid | str]:
    """How each table plays by round, what every habit changes, what tuned seats gain, and fought counties."""
    named = ", ".join(f"{NAMES[table]} ({code(experiment_of(PLAYERS, table).policies[0])})" for table in TABLES)
    games = " and ".join(f"{design.blocks * block_size(size):,} with {size} players" for size in design.sizes)
    experiment = experiment_of(PLAYERS, TABLES[0])
    yield (
        f"{design.blocks:,} blocks of numbers at each table ({games}), each played as it is and once a seat with each "
        f"of {len(HABITS)} habits; tables of four: {named}; tower {experiment.tower}, seed {experiment.seed}, "
        f"engine version {ENGINE_VERSION}."
    )
    means = held_together("Means of all seats; the ± are half-widths of {family} simultaneous {level} intervals.")
    for players in design.sizes:
        for table in TABLES:
            at = {"quantity": "measure", "players": players, "cell": table}
            head = f"a seat, {players} players, {NAMES[table]}"
            yield Grid(head, lines("item", MEASURES), lines("moment", ROUNDS), at, under=means)
    yield from (changes(figures, design, players) for players in design.sizes if players != PLAYERS)
    yield from (tuned(figures, table) for table in TABLES)
    for players in design.sizes:
        at = {"quantity": "habit", "players": players}
        yield Grid(f"wins, % points, {players} players", lines("item", HABITS),
                   lines("cell", TABLES, NAMES.__getitem__, item=WINS), at, estimate(2, "+"))  # fmt: skip
        yield Grid(f"what shows the habit, {players} players",
                   lines("item", HABITS, lambda name: f"{name}: {HABITS[name].measure.words}"),
                   lines("cell", TABLES, NAMES.__getitem__, item=SHOWN), at, estimate(2, "+"))  # fmt: skip
    columns = [
        Line(f"{what}, {NAMES[table]}", {"quantity": quantity, "cell": table}, estimate(decimals))
        for table in TABLES
        for what, quantity, decimals in (("attacks", ATTACKED, 2), ("lost, %", LOST, 0))
    ]
    under = held_together(
        "Attacks of players on its owners in a game, and owners that lose it in the game: an owner is a seat that "
        "holds it at some time. The ± are half-widths of {family} simultaneous {level} intervals for each."
    )
    yield Grid(f"a county, {PLAYERS} players", lines("item", load_board().counties), columns, {"players": PLAYERS},
               under=under, gaps=True)  # fmt: skip


def changes(figures: Figures, design: Design, players: int = PLAYERS) -> Grid:
    """One row per habit: the change of points at each table; in brackets where the habit hardly changed."""

    def show(name: str) -> Show:
        return lambda one: bracketed(figures, name, one.cell, estimate(2, "+")(one), players)

    rows = [Line(name, {"item": name}, show(name)) for name in HABITS]
    under = held_together(
        f"Change of a seat's points when it alone follows the saying, the mean of all seats, {design.blocks:,} blocks; "
        "the ± are half-widths of {family} simultaneous {level} intervals. In brackets: players of that table play so "
        "already, or hardly can."
    )
    return Grid(f"one seat of {players}, VP", rows, lines("cell", TABLES, NAMES.__getitem__, item=POINTS),
                {"quantity": "habit", "players": players}, under=under)  # fmt: skip


def tuned(figures: Figures, table: Cell) -> Grid:
    """One row per habit that costs an untuned seat points at a table: what a seat gains that is tuned for it."""

    def show(name: str, one: Figure) -> str:
        text = estimate(1, "+")(one)
        if _parts(Key("tuned", one.id.split(".")[3].partition("/")[0]))[1] != SHOWN:
            return text
        return bracketed(figures, name, table, f"{text} {HABITS[name].measure.words}", quantity="tuned")

    rows = [Line(name, {"item": name}, partial(show, name)) for name in COSTLY[table]]
    columns = [Line("untuned, VP", {"quantity": "habit", "item": POINTS})]
    heads = {
        POINTS: "tuned, VP", WINS: "tuned, wins, % points", GAIN: "tuned, VP, to an untuned seat",
        SHOWN: "what shows the habit, to an untuned seat",
    }  # fmt: skip
    columns += [Line(head, {"quantity": "tuned", "item": what}) for what, head in heads.items()]
    points, wins, one = (figures.of("tuned", item, players=PLAYERS, cell=table)
                         for item in (POINTS, WINS, f"{COSTLY[table][0]} {POINTS}"))  # fmt: skip
    under = (
        "Seats that follow a saying and are tuned for it, less a seat that was tuned as long without one; that seat is "
        f"{estimate(1, '+')(points)} VP and {estimate(1, '+')(wins)} percentage points of wins above an untuned one. "
        "The last columns compare with an untuned seat; in brackets: the tuned seat hardly follows the saying. The ± "
        f"are half-widths of {one.family} simultaneous {one.level:.0%} intervals for each number."
    )
    return Grid(f"{NAMES[table]}, {PLAYERS} players", rows, columns, {"players": PLAYERS, "cell": table}, under=under)


def picture(figures: Figures, design: Design) -> Picture:
    """The change of points by each habit at each table of four."""
    rows = {name: [points_of(figures, name, table) for table in TABLES] for name in HABITS}
    title = f"One seat of {PLAYERS} changes a habit; {design.blocks:,} blocks of {block_size(PLAYERS)} numbers"
    return points_by_habit(rows, [NAMES[table] for table in TABLES], sure_of(next(iter(rows.values()))), title)


STUDY = Study(
    __file__, __doc__, design, identity, play, add_figures, page, picture, quantities=QUANTITIES,
    games="numbers of games at a table of four instead of the experiment's",
)  # fmt: skip
