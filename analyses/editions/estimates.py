"""What editions and switches change: the variants of the study `editions`, and the estimates from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import Play
from wallsim.engine.arena import Arena
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.cache import Cache
from wallsim.studies.changes import Change, change
from wallsim.studies.figure import Figure
from wallsim.studies.games import Games, counted_in
from wallsim.studies.outcomes import LEADER, MARGIN, OUTCOMES, POINTS, SPREAD, outcomes_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import Blocks, Scope, plays_for, scope_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=300, quick=310, quick_others=300)
SECOND, EXPANDED, FIRST = "second edition", "all expansions", "first edition"
BASES: dict[str, dict[str, Any]] = {SECOND: {}, EXPANDED: {"expansions": "all"}, FIRST: {"edition": "1e"}}
# The bases of switches that do nothing in the second edition, by their marks.
_BASE_OF = {**dict.fromkeys(("A1", "A10", "A11", "A12"), EXPANDED), **dict.fromkeys(("A13", "A16"), FIRST)}
_OF_DRAFT = "A3"
_BOX = 160  # Thalers in the box [A2]
PLAYERS = 4
CHANGED = "games that change, %"
LIMITS = {POINTS: 0.25, SPREAD: 0.25, LEADER: 4.0}  # a change within them is one that does not matter


class Variant(NamedTuple):
    """A setting other than the default: of a switch, or of the edition; and the base that it is compared with."""

    mark: str
    setting: str
    base: str
    changes: dict[str, Any]

    @property
    def name(self) -> str:
        """Such as `A7 combat = may`."""
        return f"{self.mark} {self.setting}".strip()

    @property
    def star(self) -> str:
        """What follows the name where the variant is judged with all expansions."""
        return " *" if self.base == EXPANDED else ""


@cache
def variants() -> tuple[Variant, ...]:
    """The first edition, and every other setting of every switch, in the order of the switches."""
    hints, default = get_type_hints(Ruleset), Ruleset()
    result = [Variant("", "first edition", SECOND, {"edition": "1e"})]
    for switch in SWITCHES:
        base = _BASE_OF.get(switch.mark, SECOND)
        settings = [value for value in get_args(hints[switch.field]) if value != getattr(default, switch.field)]
        for value in settings or [_BOX]:
            changes = {**BASES[base], "rules": {switch.field: value}}
            result.append(Variant(switch.mark, f"{switch.field} = {value}", base, changes))
    return tuple(result)


def applies(variant: Variant, cell: Cell) -> bool:
    """Whether a variant can change anything in a cell: who drafts first needs a draft."""
    return variant.mark != _OF_DRAFT or cell.setup == "draft"


def plays_of(base: str) -> tuple[Play, ...]:
    """The plays in which variants of a base are judged; with expansions there is one line of strong play."""
    *others, first, second = plays_for(PLAYERS)
    if base != EXPANDED:
        return *others, first, second
    return *others, first._replace(policy="strong-4p-bigbox", line="tuned weights, with expansions")


def cells_of(scope: Scope, base: str) -> list[Cell]:
    """The cells of a base, that of the baseline first."""
    known = {play.name for play in plays_of(base)}
    return [cell for cell in scope.cells() if cell.play in known]


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each ruleset in the baseline cell."""
    return scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick)


def cells_for(scope: Scope, variant: Variant) -> list[Cell]:
    """The cells in which a variant is played, that of the baseline first if it is one of them.

    The first is the cell whose figures are shown: the baseline, or with a draft where the variant needs one.
    """
    return [cell for cell in cells_of(scope, variant.base) if applies(variant, cell)]


def experiments_of(cell: Cell, base: str) -> dict[str, Experiment]:
    """The experiments of a base (under its own name) and of its variants in a cell."""
    policy = next(play.policy for play in plays_of(base) if play.name == cell.play)
    table = {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": []}
    group = {each.name: each.changes for each in variants() if each.base == base and applies(each, cell)}
    return {
        name: load_experiment(EXPERIMENT, {**table, **changes})
        for name, changes in ({base: BASES[base]} | group).items()
    }


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    groups = {"/".join((base, *cell)): experiments_of(cell, base) for base in BASES for cell in cells_of(scope, base)}
    experiments = {name: list(group.values()) for name, group in groups.items()}
    return {"experiments": experiments, "blocks": [scope.baseline, scope.others]}


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play every ruleset on the same games of every cell; the changes that are published."""
    played = {
        (base, cell): play_group(cell, base, scope.blocks(cell), storage.cache, storage.workers)
        for base in BASES
        for cell in cells_of(scope, base)
    }
    return {
        Key(quantity, f"{variant.name} {outcome}", PLAYERS, cell): _change(played[variant.base, cell], variant, outcome)
        for variant in variants()
        for quantity, outcome, cell in _published(cells_for(scope, variant))
    }


def _published(cells: Sequence[Cell]) -> Iterator[tuple[str, str, Cell]]:
    # By quantity, outcome and cell: all in the shown cell, and in the others what is judged or drawn.
    for outcome in (CHANGED, *OUTCOMES):
        yield "change", outcome, cells[0]
        if outcome != CHANGED:
            yield "headline", outcome, cells[0]
    for cell in cells:
        yield "games", CHANGED, cell
        yield from (("verdict", outcome, cell) for outcome in LIMITS)
        yield "by-cell", MARGIN, cell
        if cell[1:] == cells[0][1:]:
            yield "points-by-play", POINTS, cell
    yield from (("seat", f"seat {seat}", cells[0]) for seat in range(PLAYERS))


def play_group(cell: Cell, base: str, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """The outcomes of a base and of its variants in a cell, float64 [blocks]; named `second edition: VP of a seat`."""
    experiments = experiments_of(cell, base)

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        arenas = {
            name: each.components().arena(each.seed)
            for name, each in zip(experiments, design["experiments"], strict=True)
        }
        count = partial(_counted, arenas, base)
        return counted_in(arenas[base], design["blocks"], count, False, workers)

    return cache.get("rulesets", {"experiments": list(experiments.values()), "blocks": blocks}, play)


def _counted(arenas: Mapping[str, Arena], base: str, games: Games) -> dict[str, np.ndarray]:
    result: dict[str, np.ndarray] = {}
    for name, arena in arenas.items():
        same = name == base
        other = games if same else Games(games.first, games.players, arena.play(games.first, len(games.numbers)))
        values = outcomes_of(other)
        if not same:
            rows = (other.tables.seats != games.tables.seats).any(axis=1).reshape(-1, games.players).any(axis=1)
            values[CHANGED] = 100.0 * (rows | (other.tables.games != games.tables.games).any(axis=1))
        size = 6 * games.players
        result |= {f"{name}: {outcome}": each.reshape(-1, size).mean(axis=1) for outcome, each in values.items()}
    return result


def _change(played: Mapping[str, np.ndarray], variant: Variant, outcome: str) -> Change:
    counted = f"wins of {outcome}" if outcome.startswith("seat ") else outcome
    after = played[f"{variant.name}: {counted}"][:, None]
    return change(np.zeros_like(after) if outcome == CHANGED else played[f"{variant.base}: {counted}"][:, None], after)


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
