"""The figures of expansions by group in the register: tables of each size, line-ups, the better player, the lines."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.ruleset import LETTERS
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import wins_of
from wallsim.studies.scope import CASUAL_TABLE

from .count import LEADER
from .effects import Subset, name_of
from .groups import BETTER_TABLES, NONE, OUTCOMES, PLAYED, PLAYERS, TABLES, Groups

CHANGE, LINEUP, CHANGE_OF_LINEUP = "group-change", "group-lineup", "group-change-of-lineup"
BETTER, CHANGE_OF_BETTER, KNOWS = "better-player", "change-of-better-player", "line-with-expansions"
CHANGED = PLAYED[1:]  # the subsets that are compared with none


def item(subset: Subset, outcome: str) -> str:
    """The item of a subset and an outcome."""
    return f"{name_of(subset)} {outcome}"


def sure_of_groups() -> Confidence:
    """The confidence of the changes at all tables of one number of players."""
    return Confidence(LEVEL, len(CHANGED) * len(OUTCOMES) * len(TABLES))


def sure_of_lineups(players: int) -> Confidence:
    """The confidence of the wins by line-up at the casual table."""
    return Confidence(LEVEL, players * (len(PLAYED) + len(CHANGED)))


def sure_of_better() -> Confidence:
    """The confidence of the wins of a better player among one number of players."""
    return Confidence(LEVEL, len(BETTER_TABLES) * (len(PLAYED) + len(CHANGED)))


def sure_of_lines() -> Confidence:
    """The confidence of the wins of a seat that knows the expansions."""
    return Confidence(LEVEL, len(TABLES) - 1)


def add_groups(result: Groups, rows: Rows) -> None:
    """Add every figure of the groups."""
    for players, table, subset in result.groups:
        if subset != NONE:
            for outcome in OUTCOMES:
                by_subset = _of(result, outcome)
                rows.estimate(
                    CHANGE, item(subset, outcome), _change(by_subset, players, table, subset), sure_of_groups(),
                    words=f"{outcome.removesuffix(', %')}, with {name_of(subset)} less without expansions",
                    unit=_unit(outcome), players=players, cell=table, null=0.0,
                )  # fmt: skip
        if table == CASUAL_TABLE:
            _add_lineups(result, players, subset, rows)
    for (players, table, subset), wins in result.better.items():
        words = f"wins of one better player, with {name_of(subset)}"
        rows.estimate(
            BETTER, name_of(subset), wins, sure_of_better(), words=words, unit="%", players=players, cell=table,
            null=100.0 / players,
        )  # fmt: skip
        if subset != NONE:
            rows.estimate(
                CHANGE_OF_BETTER, name_of(subset), wins - result.better[players, table, NONE], sure_of_better(),
                words=f"{words} less without expansions", unit="% points", players=players, cell=table, null=0.0,
            )  # fmt: skip
    for table, wins in result.knows.items():
        rows.estimate(
            KNOWS, "", wins, sure_of_lines(), words="wins of a seat with weights for expansions among seats without",
            unit="%", players=PLAYERS, cell=table, null=100.0 / PLAYERS,
        )  # fmt: skip


def _add_lineups(result: Groups, players: int, subset: Subset, rows: Rows) -> None:
    for seat, letter in enumerate(LETTERS[:players]):
        words = f"wins of line-up {letter} at the casual table, with {name_of(subset)}"
        wins = _of(result, wins_of(seat))
        rows.estimate(
            LINEUP, item(subset, letter), wins[players, CASUAL_TABLE, subset], sure_of_lineups(players), words=words,
            unit="%", players=players, cell=CASUAL_TABLE, null=100.0 / players,
        )  # fmt: skip
        if subset != NONE:
            rows.estimate(
                CHANGE_OF_LINEUP, item(subset, letter), _change(wins, players, CASUAL_TABLE, subset),
                sure_of_lineups(players), words=f"{words} less without expansions", unit="% points", players=players,
                cell=CASUAL_TABLE, null=0.0,
            )  # fmt: skip


def _of(result: Groups, outcome: str) -> dict[tuple[int, Cell, Subset], Estimate]:
    return {key: each[outcome] for key, each in result.groups.items() if outcome in each}


def _change(every: Mapping[tuple[int, Cell, Subset], Estimate], players: int, table: Cell, subset: Subset) -> Estimate:
    # Both are played on games of their own: block k of one and of the other share nothing, so any pairs are as good.
    return every[players, table, subset] - every[players, table, NONE]


def _unit(outcome: str) -> str:
    return "% points" if outcome == LEADER else "VP" if "VP" in outcome else "attacks"
