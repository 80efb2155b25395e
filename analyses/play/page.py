"""The page of the study `play`: how each table plays by round, and what every habit changes."""

from __future__ import annotations

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import of_estimate
from wallsim.rules.board import load_board
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures
from wallsim.studies.games import block_size
from wallsim.studies.study import Page

from .changes import SHOWN, WINS
from .estimates import Design
from .figures import ATTACKED, CHANGE, LOST, MEASURE, item, sure_of_counties, sure_of_habits, sure_of_measures
from .finding import NAMES, finding_of, habit_table, points_of
from .habits import HABITS, MEASURES, ROUNDS
from .picture import points_by_habit
from .tables import PLAYERS, TABLES, experiment_of
from .tuned_table import tuned_table


def page(figures: Figures, design: Design) -> Page:
    """The finding with the changes of points, and all tables."""
    parts = [played(design)]
    parts += [measure_table(figures, players, table) for players in design.sizes for table in TABLES]
    parts += [habit_table(figures, design, players) for players in design.sizes if players != PLAYERS]
    parts += [tuned_table(figures, table) for table in TABLES]
    parts += [change_table(figures, players, what) for players in design.sizes for what in (WINS, SHOWN)]
    parts.append(county_table(figures))
    return Page(finding_of(figures, design), habit_table(figures, design), "\n\n".join(parts))


def played(design: Design) -> str:
    """What was played."""
    tables = ", ".join(f"{NAMES[table]} ({code(experiment_of(PLAYERS, table).policies[0])})" for table in TABLES)
    games = " and ".join(f"{design.blocks * block_size(size):,} with {size} players" for size in design.sizes)
    experiment = experiment_of(PLAYERS, TABLES[0])
    return (
        f"{design.blocks:,} blocks of numbers at each table ({games}), each played as it is and once a seat with each "
        f"of {len(HABITS)} habits; tables of four: {tables}; tower {experiment.tower}, seed {experiment.seed}, "
        f"engine version {ENGINE_VERSION}."
    )


def measure_table(figures: Figures, players: int, table: Cell) -> str:
    """One row per measure: its mean in each round."""
    sure, rows = sure_of_measures(), []
    for name in MEASURES:
        each = (figures.of(MEASURE, name, players=players, cell=table, moment=moment) for moment in ROUNDS)
        rows.append((name, *(of_estimate(one, sure, 2) for one in each)))
    head = f"a seat, {players} players, {NAMES[table]}"
    return (
        f"{markdown_table((head, *ROUNDS), rows)}\n\nMeans of all seats; the ± are half-widths of "
        f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals."
    )


def change_table(figures: Figures, players: int, what: str) -> str:
    """One row per habit: the change of wins, or of what shows the habit, at each table."""
    sure, rows = sure_of_habits(), []
    for name, habit in HABITS.items():
        each = (figures.of(CHANGE, item(name, what), players=players, cell=table) for table in TABLES)
        words = f"{name}: {habit.measure.words}" if what == SHOWN else name
        rows.append((words, *(of_estimate(one, sure, 2, sign="+") for one in each)))
    head = f"{'wins, % points' if what == WINS else 'what shows the habit'}, {players} players"
    return f"{markdown_table((head, *(NAMES[table] for table in TABLES)), rows)}"


def county_table(figures: Figures) -> str:
    """One row per county: attacks of players on its owners, and owners that lose it, at each table of four."""
    sure, rows = sure_of_counties(), []
    for county in load_board().counties:
        cells = []
        for table in TABLES:
            for quantity, decimals in ((ATTACKED, 2), (LOST, 0)):
                there = figures.cells(quantity, county, players=PLAYERS).get(table)
                cells.append(of_estimate(there, sure, decimals))
        rows.append((county, *cells))
    heads = (f"{what}, {NAMES[table]}" for table in TABLES for what in ("attacks", "lost, %"))
    return (
        f"{markdown_table((f'a county, {PLAYERS} players', *heads), rows)}\n\nAttacks of players on its owners in a "
        "game, and owners that lose it in the game: an owner is a seat that holds it at some time. The ± are "
        f"half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals for each."
    )


def picture(figures: Figures, design: Design) -> Picture:
    """The change of points by each habit at each table of four."""
    rows = {name: [points_of(figures, name, table) for table in TABLES] for name in HABITS}
    title = f"One seat of {PLAYERS} changes a habit; {design.blocks:,} blocks of {block_size(PLAYERS)} numbers"
    return points_by_habit(rows, [NAMES[table] for table in TABLES], sure_of_habits(), title)
