"""All that the study `expansions` plays: its parts in all of their cells, and the hash of what decides them."""

from __future__ import annotations

from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.studies.scope import Scope
from wallsim.studies.study import Storage

from .boards import Boards, Moves, moves, variants
from .cards import Card, Favor, Taken, all_three, favors, landsknechte, statues, treatments
from .effects import SUBSETS, WITHOUT, Factorial, experiment_of, factorial, name_of, with_subset
from .groups import Groups, groups
from .groups import identity as groups_identity
from .skill import Tournaments, play_all, tournaments

FAVOR_GAMES = 5  # games with favors given and denied, by games of a subset in the cell
QUICK_FAVOR_GAMES = 2
QUICK_BOARDS = 60  # blocks on each board in a quick look
QUICK_TOURNAMENTS = 6  # blocks of each tournament in a quick look


class Expansions(NamedTuple):
    """The factorial in all cells, the tournaments, and by cell what cards bring and favors move; and the groups."""

    scope: Scope
    factorial: Factorial
    tournaments: Tournaments
    favors: dict[Cell, dict[int, Favor]]
    statues: dict[Cell, list[Taken]]
    cards: dict[Cell, dict[int, Card]]
    boards: dict[Cell, Moves]
    groups: Groups


def play(scope: Scope, storage: Storage) -> Expansions:
    """Play everything, and estimate what the expansions change."""
    cache, boards, workers = storage.cache, Boards(storage.folder), storage.workers
    cells = card_cells(scope)
    home = scope.baseline_cell()
    return Expansions(
        scope,
        factorial(scope, cache, workers),
        play_all(tournaments(home, most_blocks(scope)), storage.folder / "tournaments", workers),
        {cell: favors(cell, favor_games(scope) * scope.blocks(cell), cache, workers) for cell in cells},
        {cell: statues(cell, scope.blocks(cell), cache, workers) for cell in cells},
        {cell: landsknechte(cell, scope.blocks(cell), boards, cache, workers) for cell in cells},
        {cell: moves(all_three(cell), board_blocks(scope, cell), boards, cache, workers) for cell in cells},
        groups(scope, storage),
    )


def card_cells(scope: Scope) -> list[Cell]:
    """The cells in which cards are given and denied and favors varied: line-ups, one tower, no play made without."""
    home = scope.baseline_cell()
    return [cell for cell in scope.cells() if (cell.tower, cell.setup) == home[1:] and cell.play not in WITHOUT]


def favor_games(scope: Scope) -> int:
    """How many times the games of a subset are played with favors given and denied."""
    return QUICK_FAVOR_GAMES if scope.quick else FAVOR_GAMES


def board_blocks(scope: Scope, cell: Cell) -> int:
    """The blocks that are played on each board in a cell."""
    return min(scope.blocks(cell), QUICK_BOARDS) if scope.quick else scope.blocks(cell)


def most_blocks(scope: Scope) -> int | None:
    """The blocks of a tournament at most; a few games of each subset are a few of each tournament."""
    return min(QUICK_TOURNAMENTS, scope.baseline) if scope.quick else scope.baseline


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    games = {
        "/".join((name_of(subset), *cell)): with_subset(experiment_of(cell), subset)
        for cell in scope.cells()
        for subset in SUBSETS
    }
    played = {
        " ".join((field, name_of(subset))): {**each.identity(), "blocks": each.blocks}
        for (field, subset), each in tournaments(scope.baseline_cell(), most_blocks(scope)).items()
    }
    boards = {"favors": variants(), "blocks": [board_blocks(scope, cell) for cell in card_cells(scope)]}
    facts: dict[str, Any] = {"blocks": [scope.baseline, scope.others], "favors": favor_games(scope), "boards": boards}
    return {
        "games": games,
        "tournaments": played,
        "treatments": treatments(),
        **facts,
        "groups": groups_identity(scope),
    }
