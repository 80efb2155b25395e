"""What editions and switches change: the variants of the study `editions`, and the estimates from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import Play
from wallsim.engine.arena import Arena
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.changes import change
from wallsim.studies.figure import Figure
from wallsim.studies.games import Counted, Games, block_size, counted_in
from wallsim.studies.outcomes import LEADER, MARGIN, OUTCOMES, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import Blocks, Scope, plays_for, scope_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
TUNED = "strong-4p-bigbox"  # with all expansions
SECOND, EXPANDED, FIRST = "second edition", "all expansions", "first edition"
BASES: dict[str, dict[str, Any]] = {SECOND: {}, EXPANDED: {"expansions": "all"}, FIRST: {"edition": "1e"}}
# The bases of switches that do nothing in the second edition, by their marks.
_BASE_OF = {**dict.fromkeys(("A1", "A10", "A11", "A12"), EXPANDED), **dict.fromkeys(("A13", "A16"), FIRST)}
_OF_DRAFT = "A3"
_BOX = 160  # Thalers in the box [A2]
PLAYERS = 4
CHANGED = "games that change, %"
NAME = attrgetter("name")
LIMITS = {POINTS: 0.25, SPREAD: 0.25, LEADER: 4.0}  # a change within them is one that does not matter


class Variant(NamedTuple):
    """A setting other than the default: of a switch, or of the edition; and the base that it is compared with."""

    mark: str
    name: str  # such as `A7 combat = may`
    base: str
    changes: dict[str, Any]

    @property
    def star(self) -> str:
        """What follows the name where the variant is judged with all expansions."""
        return " *" if self.base == EXPANDED else ""

    def applies(self, cell: Cell) -> bool:
        """Whether it is judged in a cell: by the plays of its base, and who drafts first needs a draft."""
        return cell.play in map(NAME, plays_of(self.base)) and (self.mark != _OF_DRAFT or cell.setup == "draft")

    def cells(self, scope: Scope) -> list[Cell]:
        """The cells in which it is played; the first is shown: the baseline, or the draft where it needs one."""
        return [cell for cell in scope.cells() if self.applies(cell)]


@cache
def variants() -> tuple[Variant, ...]:
    """The first edition, and every other setting of every switch, in the order of the switches."""
    hints, default = get_type_hints(Ruleset), Ruleset()
    result = [Variant("", FIRST, SECOND, {"edition": "1e"})]
    for switch in SWITCHES:
        base = _BASE_OF.get(switch.mark, SECOND)
        settings = [value for value in get_args(hints[switch.field]) if value != getattr(default, switch.field)]
        for value in settings or [_BOX]:
            changes = {**BASES[base], "rules": {switch.field: value}}
            result.append(Variant(switch.mark, f"{switch.mark} {switch.field} = {value}", base, changes))
    return tuple(result)


def plays_of(base: str) -> tuple[Play, ...]:
    """The plays in which variants of a base are judged; with expansions there is one line of strong play."""
    *others, first, second = plays_for(PLAYERS)
    if base != EXPANDED:
        return *others, first, second
    return *others, first._replace(policy=TUNED, line="tuned weights, with expansions")


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each ruleset in the baseline cell."""
    return scope_for(EXPERIMENT, Blocks(others=300, quick=310, quick_others=300), choices.games, choices.quick)


def groups_of(scope: Scope) -> list[tuple[str, Cell]]:
    """What is played together: each base with its variants, in each of its cells."""
    return [(base, cell) for base in BASES for cell in scope.cells() if cell.play in map(NAME, plays_of(base))]


def experiments_of(cell: Cell, base: str) -> dict[str, Experiment]:
    """The experiments of a base (under its own name) and of its variants in a cell."""
    policy = next(play.policy for play in plays_of(base) if play.name == cell.play)
    table = {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": []}
    group = {each.name: each.changes for each in variants() if each.base == base and each.applies(cell)}
    return {
        name: load_experiment(EXPERIMENT, {**table, **changes})
        for name, changes in ({base: BASES[base]} | group).items()
    }


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    groups = {"/".join((base, *cell)): experiments_of(cell, base) for base, cell in groups_of(scope)}
    experiments = {name: list(group.values()) for name, group in groups.items()}
    return {"experiments": experiments, "blocks": [scope.baseline, scope.others]}


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play every ruleset on the same games of every cell: what each changes, and in which games anything."""
    played = {(base, cell): play_group(cell, base, scope.blocks(cell), storage) for base, cell in groups_of(scope)}
    seats = {f"seat {seat}": wins_of(seat) for seat in range(PLAYERS)}
    values: dict[Key, Value] = {}
    for variant in variants():
        shown, *_ = cells = variant.cells(scope)
        for cell in cells:
            group = played[variant.base, cell]
            published = {"games": [CHANGED], "verdict": [*LIMITS], "by-cell": [MARGIN]}
            if cell[1:] == shown[1:]:
                published["points-by-play"] = [POINTS]
            if cell == shown:
                published |= {"change": [CHANGED, *OUTCOMES], "headline": [*OUTCOMES], "seat": [*seats]}
            for quantity, outcome in [(name, each) for name, every in published.items() for each in every]:
                counted = seats.get(outcome, outcome)
                after = group[f"{variant.name}: {counted}"]
                before = group.get(f"{variant.base}: {counted}", np.zeros(len(after)))  # none of its games change
                values[Key(quantity, f"{variant.name} {outcome}", PLAYERS, cell)] = change(
                    before[:, None], after[:, None]
                )
    return values


def play_group(cell: Cell, base: str, blocks: int, storage: Storage) -> Counted:
    """The outcomes of a base and of its variants in a cell, float64 [blocks]; named `second edition: VP of a seat`."""
    experiments = experiments_of(cell, base)

    def play(_: object) -> Counted:
        arenas = {name: each.components().arena(each.seed) for name, each in experiments.items()}
        return counted_in(arenas[base], blocks, partial(_counted, arenas, base), False, storage.workers)

    return storage.cache.get("rulesets", {"experiments": list(experiments.values()), "blocks": blocks}, play)


def _counted(arenas: Mapping[str, Arena], base: str, games: Games) -> Counted:
    result: Counted = {}
    size = len(games.numbers)
    for name, arena in arenas.items():
        other = games if name == base else Games(games.first, games.players, arena.play(games.first, size))
        values = outcomes_of(other)
        if name != base:
            seats, whole = (
                (getattr(games.tables, table) != getattr(other.tables, table)).reshape(size, -1).any(axis=1)
                for table in ("seats", "games")
            )
            values[CHANGED] = 100.0 * (seats | whole)
        for outcome, each in values.items():
            result[f"{name}: {outcome}"] = each.reshape(-1, block_size(games.players)).mean(axis=1)
    return result


def side(figure: Figure, limit: float) -> str:
    """`small` for a change within a limit; `moves` for one that is neither that nor 0; else `open`.

    Where the change and its standard error are 0, no block has changed.
    """
    if figure.value == 0 and figure.error == 0:
        return "small"
    if figure.ends is None:
        return "open"
    low, high = figure.ends
    if max(abs(low), abs(high)) < limit:
        return "small"
    return "moves" if low > 0 or high < 0 else "open"


def in_cells(sides: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """In how many cells each thing moves, such as `points in 3, their spread in 1`, and in how many it is not known."""
    counts = {name: Counter(each) for name, each in sides.items()}
    moves, unknown = (
        ", ".join(f"{name} in {count[key]}" for name, count in counts.items() if count[key])
        for key in ("moves", "open")
    )
    return moves, unknown
