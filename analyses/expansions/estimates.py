"""All that the study `expansions` plays: its parts in all of their cells, and the hash of what decides them."""

from __future__ import annotations

from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.blocks import Estimate
from wallsim.studies.outcomes import POINTS
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import Scope
from wallsim.studies.study import Storage

from . import effects as of
from .boards import Boards, moves, variants
from .cards import all_three, favors, landsknechte, statues, treatments
from .effects import PLAYERS, SUBSETS, experiment_of, name_of, with_subset
from .groups import groups
from .groups import identity as groups_identity
from .skill import play_all, tournaments
from .skill import values_of as skill_values

FAVOR_GAMES = 5  # games with favors given and denied, by games of a subset in the cell
QUICK_FAVOR_GAMES = 2
QUICK_BOARDS = 60  # blocks on each board in a quick look
QUICK_TOURNAMENTS = 6  # blocks of each tournament in a quick look


class Expansions(NamedTuple):
    """What was measured: the values of the factorial and all others by key, and the outcomes of the claims by cell."""

    scope: Scope
    factorial: dict[Key, Value]
    claims: dict[Cell, dict[str, Estimate]]
    others: dict[Key, Value]


def play(scope: Scope, storage: Storage) -> Expansions:
    """Play everything, and estimate what the expansions change."""
    cache, boards, workers = storage.cache, Boards(storage.folder), storage.workers
    home, cells = scope.baseline_cell(), card_cells(scope)
    subsets = {cell: of.play_subsets(experiment_of(cell), scope.blocks(cell), cache, workers) for cell in scope.cells()}
    effects = {cell: of.effects_of(played) for cell, played in subsets.items()}
    tournament = play_all(tournaments(home, most_blocks(scope)), storage.folder / "tournaments", workers)
    others: dict[Key, Value] = dict(skill_values(tournament, home._replace(play="")))
    for cell in cells:
        blocks = favor_games(scope) * scope.blocks(cell)
        others.update(favors(cell, blocks, cache, workers, shown=cell == home))
    for cell in cells:
        others.update(statues(cell, scope.blocks(cell), cache, workers))
    for cell in cells:
        others.update(landsknechte(cell, scope.blocks(cell), boards, cache, workers))
    for cell in cells:
        blocks = board_blocks(scope, cell)
        moved = dict(moves(cell, all_three(cell), blocks, boards, cache, workers, shown=cell == home))
        court = subsets[cell][SUBSETS[-1]][POINTS] - subsets[cell][EXPANSIONS[1:]][POINTS]
        others |= {**moved, Key("court-worth", "", PLAYERS, cell): court}
        for name in variants():
            change = moved[Key("favors-varied-by-play", f"{name} {POINTS}", PLAYERS, cell)].estimate
            others[Key("court-worth-varied", name, PLAYERS, cell)] = Number(court.value + change.value)
    claims = {cell: of.claimed(each) for cell, each in effects.items()}
    return Expansions(scope, dict(of.values_of(scope, subsets, effects)), claims, others | groups(scope, storage))


def card_cells(scope: Scope) -> list[Cell]:
    """The cells in which cards are given and denied and favors varied: line-ups, one tower, no play made without."""
    home = scope.baseline_cell()
    return [cell for cell in scope.cells() if (cell.tower, cell.setup) == home[1:] and cell.play not in of.WITHOUT]


def favor_games(scope: Scope) -> int:
    """How many times the games of a subset are played with favors given and denied."""
    return QUICK_FAVOR_GAMES if scope.quick else FAVOR_GAMES


def board_blocks(scope: Scope, cell: Cell) -> int:
    """The blocks that are played on each board in a cell."""
    return min(scope.blocks(cell), QUICK_BOARDS) if scope.quick else scope.blocks(cell)


def most_blocks(scope: Scope) -> int:
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
    shared = {"treatments": treatments(), "groups": groups_identity(scope)}
    return {"games": games, "tournaments": played, **shared, **facts}
