"""What editions and switches change: the variants of the study `editions`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG, Play
from wallsim.engine.arena import Arena
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.changes import Change, change
from wallsim.studies.games import Games, in_batches
from wallsim.studies.outcomes import LEADER, OUTCOMES, POINTS, SPREAD, outcomes_of, wins_of
from wallsim.studies.scope import Blocks, Scope, plays_for, scope_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=300, quick=310, quick_others=300)
SECOND, EXPANDED, FIRST = "second edition", "all expansions", "first edition"
BASES: dict[str, dict[str, Any]] = {SECOND: {}, EXPANDED: {"expansions": "all"}, FIRST: {"edition": "1e"}}
_OF_EXPANSIONS, _OF_FIRST = ("A1", "A10", "A11", "A12"), ("A13", "A16")  # marks; without them the switch does nothing
_OF_DRAFT = ("A3",)
_BOX = 160  # Thalers in the box [A2]
# Weights tuned without an expansion are not called strong play with it.
_STRONG_EXPANDED = "strong-4p-bigbox"

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


def variants() -> tuple[Variant, ...]:
    """The first edition, and every other setting of every switch, in the order of the switches."""
    hints, default = get_type_hints(Ruleset), Ruleset()
    result = [Variant("", "first edition", SECOND, {"edition": "1e"})]
    for switch in SWITCHES:
        base = EXPANDED if switch.mark in _OF_EXPANSIONS else FIRST if switch.mark in _OF_FIRST else SECOND
        settings = [value for value in get_args(hints[switch.field]) if value != getattr(default, switch.field)]
        for value in settings or [_BOX]:
            changes = {**BASES[base], "rules": {switch.field: value}}
            result.append(Variant(switch.mark, f"{switch.field} = {value}", base, changes))
    return tuple(result)


def applies(variant: Variant, cell: Cell) -> bool:
    """Whether a variant can change anything in a cell: who drafts first needs a draft."""
    return variant.mark not in _OF_DRAFT or cell.setup == "draft"


def plays_of(base: str) -> tuple[Play, ...]:
    """The plays in which variants of a base are judged; with expansions there is one line of strong play."""
    default = plays_for(4)
    if base != EXPANDED:
        return default
    lines = [play for play in default if play.strength == STRONG]
    return (
        *(play for play in default if play not in lines),
        lines[0]._replace(policy=_STRONG_EXPANDED, line="tuned weights, with expansions"),
    )


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
    played = cells_of(scope, variant.base)
    return [cell for cell in scope.cells() if cell in played and applies(variant, cell)]


def experiment_of(cell: Cell, base: str, changes: Mapping[str, Any]) -> Experiment:
    """The experiment of a cell under other rules."""
    policy = next(play.policy for play in plays_of(base) if play.name == cell.play)
    return load_experiment(
        EXPERIMENT, {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": [], **changes}
    )


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments = {
        "/".join((base, *cell)): [
            experiment_of(cell, base, changes)
            for changes in (BASES[base], *(variant.changes for variant in _group(base, cell)))
        ]
        for base in BASES
        for cell in cells_of(scope, base)
    }
    return {"experiments": experiments, "blocks": [scope.baseline, scope.others]}


class Editions(NamedTuple):
    """The changes by cell, variant's name and outcome; `seats` are those of wins by seat in the shown cell."""

    scope: Scope
    changes: dict[Cell, dict[str, dict[str, Change]]]
    seats: dict[str, list[Change]]


def play(scope: Scope, storage: Storage) -> Editions:
    """Play every ruleset on the same games of every cell."""
    changes: dict[Cell, dict[str, dict[str, Change]]] = {cell: {} for cell in scope.cells()}
    seats: dict[str, list[Change]] = {}
    for base in BASES:
        for cell in cells_of(scope, base):
            played = play_group(cell, base, scope.blocks(cell), storage.cache, storage.workers)
            for variant in _group(base, cell):
                changes[cell][variant.name] = {
                    outcome: _change(played, variant.name, outcome) for outcome in (CHANGED, *OUTCOMES)
                }
                if variant.name not in seats:
                    seats[variant.name] = [_change(played, variant.name, wins_of(seat)) for seat in range(4)]
    return Editions(scope, changes, seats)


def play_group(
    cell: Cell, base: str, blocks: int, cache: Cache, workers: int | None = None
) -> dict[str, dict[str, np.ndarray]]:
    """The outcomes of a base (under its own name) and of its variants in a cell, float64 [blocks]."""
    group = {base: BASES[base], **{variant.name: variant.changes for variant in _group(base, cell)}}
    experiments = {name: experiment_of(cell, base, changes) for name, changes in group.items()}

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        arenas = {
            name: each.components().arena(each.seed)
            for name, each in zip(experiments, design["experiments"], strict=True)
        }
        count = partial(_counted, arenas, base)
        parts = in_batches(arenas[base], range(design["blocks"]), count, workers=workers)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    flat = cache.get("rulesets", {"experiments": list(experiments.values()), "blocks": blocks}, play)
    result: dict[str, dict[str, np.ndarray]] = {name: {} for name in group}
    for key, values in flat.items():
        name, _, outcome = key.partition(": ")
        result[name][outcome] = values
    return result


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


def _group(base: str, cell: Cell) -> list[Variant]:
    return [variant for variant in variants() if variant.base == base and applies(variant, cell)]


def _change(played: Mapping[str, Mapping[str, np.ndarray]], name: str, outcome: str) -> Change:
    after = played[name][outcome][:, None]
    base = next(iter(played.values()))
    before = np.zeros_like(after) if outcome == CHANGED else base[outcome][:, None]
    return change(before, after)


def side(measured: Measured, error: float, outcome: str, confidence: Confidence) -> str:
    """`small` for a change within the limit of its outcome; `moves` for one that is neither that nor 0; else `open`.

    `error` is the standard error of the change; where it and the change are 0, no block has changed.
    """
    if measured.value == 0 and error == 0:
        return "small"
    interval = measured.interval(confidence)
    if interval is None:
        return "open"
    if max(map(abs, interval)) < LIMITS[outcome]:
        return "small"
    return "moves" if interval[0] > 0 or interval[1] < 0 else "open"
