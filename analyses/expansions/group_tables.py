"""The tables of expansions by group: every size and kind of table, line-ups, a better player, and the Landsknechte."""

from __future__ import annotations

from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.markdown import markdown_table
from wallsim.report.tables.verdicts import tower_by_play
from wallsim.rules.ruleset import LETTERS
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figures
from wallsim.studies.games import block_size
from wallsim.studies.outcomes import POINTS
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope, sizes_of
from wallsim.studies.table_captions import LINE_NAMES

from . import figures as of
from .count import LEADER
from .effects import EFFECTS, LANDSKNECHTE, name_of
from .group_figures import (
    BETTER,
    CHANGE,
    CHANGE_OF_BETTER,
    CHANGE_OF_LINEUP,
    CHANGED,
    KNOWS,
    LINEUP,
    item,
    sure_of_better,
    sure_of_groups,
    sure_of_lines,
    sure_of_lineups,
)
from .groups import BETTER_BLOCKS, BETTER_TABLES, BLOCKS, OUTCOMES, PLAYED, PLAYERS, TABLES, blocks_of
from .words import ASSUMED, as_text

_AMONG = {
    CASUAL_TABLE: "an experienced player among casual ones, line-ups",
    EXPERIENCED_TABLE: "an experienced player among middling ones, draft",
}


def group_tables(figures: Figures, scope: Scope) -> list[str]:
    """All tables of the groups."""
    sizes = sizes_of(scope)
    return [
        line_words(figures),
        *(change_table(figures, scope, players) for players in sizes),
        *(lineup_table(figures, scope, players) for players in sizes),
        *(better_table(figures, scope, players) for players in sizes),
        *reversal_tables(figures, scope),
    ]


def line_words(figures: Figures) -> str:
    """What the two lines of strong play with expansions are, and how often a seat that knows them wins."""
    wins = []
    for table in TABLES[1:]:
        share = as_text(figures.of(KNOWS, players=PLAYERS, cell=table), sure_of_lines(), 1, "")
        wins.append(f"{share} % ({LINE_NAMES[table]})")
    return (
        "Groups. Two lines of strong play were made without expansions, `expert` and `scholar`; here each has the "
        "weights that only expansions ask for of the policy tuned with all three. With all three, one seat with these "
        f"weights among seats of its line without them wins {', '.join(wins)}."
    )


def change_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per subset and outcome: what it changes against no expansions, at every table of this size."""
    sure, rows = sure_of_groups(), []
    for subset in CHANGED:
        for outcome in OUTCOMES:
            each = (figures.of(CHANGE, item(subset, outcome), players=players, cell=table) for table in TABLES)
            decimals = 1 if outcome == LEADER else 2
            rows.append((f"{name_of(subset)}: {outcome}", *(as_text(one, sure, decimals) for one in each)))
    heads = (f"against no expansions, {players} players", *(LINE_NAMES[table] for table in TABLES))
    return f"{markdown_table(heads, rows)}\n\n{_under(scope, sure, players, BLOCKS)}"


def lineup_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per subset and change: the wins of each line-up at the casual table."""
    sure, rows, letters = sure_of_lineups(players), [], LETTERS[:players]
    for quantity, subsets, before, sign in (
        (LINEUP, PLAYED, "", ""),
        (CHANGE_OF_LINEUP, CHANGED, "change by ", "+"),
    ):
        for subset in subsets:
            each = (
                figures.of(quantity, item(subset, letter), players=players, cell=CASUAL_TABLE) for letter in letters
            )
            rows.append((f"{before}{name_of(subset)}", *(as_text(one, sure, 1, sign) for one in each)))
    heads = (f"wins, %, {players} casual players", *(f"line-up {letter}" for letter in letters))
    return f"{markdown_table(heads, rows)}\n\n{_under(scope, sure, players, BLOCKS)}"


def better_table(figures: Figures, scope: Scope, players: int) -> str:
    """One row per subset and change: the wins of one better player at two tables of this size."""
    sure, rows = sure_of_better(), []
    for quantity, subsets, before, sign in (
        (BETTER, PLAYED, "", ""),
        (CHANGE_OF_BETTER, CHANGED, "change by ", "+"),
    ):
        for subset in subsets:
            each = (figures.of(quantity, name_of(subset), players=players, cell=table) for table in BETTER_TABLES)
            rows.append((f"{before}{name_of(subset)}", *(as_text(one, sure, 1, sign) for one in each)))
    heads = (f"wins of the better player of {players}, %", *(_AMONG[table] for table in BETTER_TABLES))
    return (
        f"{markdown_table(heads, rows)}\n\nThe better player, of the first line, sits in every seat in turn. "
        f"{_under(scope, sure, players, BETTER_BLOCKS, each_seat=True)}"
    )


def reversal_tables(figures: Figures, scope: Scope) -> list[str]:
    """The effect of the Landsknechte on points in every play, tower and set-up: where it changes its sign."""
    cells = figures.cells(of.BY_CELL, of.item(LANDSKNECHTE, POINTS), players=of.PLAYERS)
    sure = Confidence(LEVEL, len(scope.cells()) * len(EFFECTS))
    return [
        tower_by_play(
            {cell: figure for cell, figure in cells.items() if cell.setup == setup},
            sure,
            f"effect of the Landsknechte on a seat's VP, {SETUP_WORDS[setup]}",
            2,
        )
        for setup in scope.setups
    ]


def _under(scope: Scope, sure: Confidence, players: int, most: int, *, each_seat: bool = False) -> str:
    blocks = blocks_of(scope, most)
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    size = "of games for each seat" if each_seat else f"of {block_size(players)} games"
    return (
        f"{blocks:,} blocks {size}; the ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals."
        f"{few} {ASSUMED}"
    )
