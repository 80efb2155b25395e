"""Skill and styles in every subset of the expansions: tournaments of a ladder from weak to strong, and of the zoo.

Every subset has a tournament of its own of each field, on blocks of its own, so that effects of the expansions are
contrasts of independent blocks, as in `effects.py`. The share of the variance of points that the policy
brings (`wallsim.analysis.tournament.skill`) is a smooth function of the weights of the blocks, all 1; its derivatives
by these weights are the influences of the blocks (the infinitesimal jackknife, Jaeckel 1972).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, STRONG_POLICY, WEAK_POLICY
from wallsim.analysis.tournament.effects import CHANCE, POLICY, Split, effects_of
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.factorials import factorial_effects
from wallsim.stats.rankings import rankings
from wallsim.studies.audit_state import audit_in_progress
from wallsim.studies.quantities import Key, Value

from ..skill.estimates import STYLES, without
from .effects import MAIN, PLAYERS, SUBSETS, Subset, experiment_of, name_of, name_of_effect, with_subset

LADDER, TUNED, ZOO = "ladder", f"ladder without {STRONG_POLICY}", "zoo"
FIELDS = {
    LADDER: (WEAK_POLICY, CASUAL_POLICY, "balanced-noise-04", MIDDLING_POLICY, STRONG_POLICY, "strong-4p-bigbox"),
    ZOO: STYLES,
}
PARTS = (POLICY, CHANCE)
LADDERS = (LADDER, TUNED)
RESULTS = ("vp", "win")
SHARE = {"vp": "share-of-points", "win": "share-of-wins"}  # the quantity by result
ENDS = (SUBSETS[0], SUBSETS[-1])  # none, and all three
BLOCKS = {LADDER: 240, ZOO: 144}  # whole cycles of the design, of 24 blocks each at tables of four
_STEP = 1e-3  # of a weight: the shares are so smooth that any small step gives the same derivative


Shares = dict[tuple[str, str], Estimate]  # of the variance, by result and part, in per cent


class Tournaments(NamedTuple):
    """By ladder and subset the shares of the variance, and by field and subset the wins of each policy, in per cent.

    The ladders are the one of FIELDS, and the same games without those of weights that were tuned without expansions.
    """

    shares: dict[str, dict[Subset, Shares]]
    wins: dict[str, dict[Subset, dict[str, Estimate]]]


def values_of(played: Tournaments, cell: Cell) -> Iterator[tuple[Key, Value]]:
    """What is published of the tournaments: shares, wins, and the effects of the expansions on both."""
    for ladder, result, part in product(LADDERS, RESULTS, PARTS):
        shares = {subset: played.shares[ladder][subset][result, part] for subset in SUBSETS}
        for subset, share in shares.items():
            yield Key(SHARE[result], f"{ladder} {part} {name_of(subset)}", PLAYERS, cell), share
        effects = factorial_effects(EXPANSIONS, list(shares.values()))
        for effect in MAIN:
            item = f"{ladder} {part} {name_of_effect(effect)}"
            yield Key(f"effect-on-{SHARE[result]}", item, PLAYERS, cell), effects[effect]
    for field, policies in FIELDS.items():
        for policy in policies:
            wins = {subset: played.wins[field][subset][policy] for subset in SUBSETS}
            for subset in ENDS:
                yield Key("wins", f"{field} {policy} {name_of(subset)}", PLAYERS, cell), wins[subset]
            effects = factorial_effects(EXPANSIONS, list(wins.values()))
            for quantity in ("effect-on-wins", "picture-of-wins")[: 2 if field == ZOO else 1]:
                for effect in MAIN:
                    item = f"{field} {policy} {name_of_effect(effect)}"
                    yield Key(quantity, item, PLAYERS, cell), effects[effect]
            yield Key("wins-gained", f"{field} {policy}", PLAYERS, cell), wins[ENDS[1]] - wins[ENDS[0]]


def tournaments(cell: Cell, most: int | None = None) -> dict[tuple[str, Subset], Tournament]:
    """The tournaments by field and subset, of at most so many blocks each."""
    planned = {}
    for field, policies in FIELDS.items():
        for subset in SUBSETS:
            table = with_subset(experiment_of(cell), subset)
            planned[field, subset] = Tournament(policies, table, min(most or BLOCKS[field], BLOCKS[field]))
    return planned


def play_all(
    planned: Mapping[tuple[str, Subset], Tournament], folder: str | Path, workers: int | None = None
) -> Tournaments:
    """Play the missing tournaments into a folder, and estimate shares and wins in every subset."""
    estimated = Tournaments({LADDER: {}, TUNED: {}}, {field: {} for field, _ in planned})
    for (field, subset), tournament in planned.items():
        place = Path(folder) / f"{field}_{'_'.join(subset) or 'none'}"
        if (audit := audit_in_progress()) is not None:
            audit.folder(place)
        run = play_tournament(tournament, place, workers=workers)
        rows = run.rows()
        estimated.wins[field][subset] = wins_of(rows)
        if field == LADDER:
            estimated.shares[LADDER][subset] = shares_of(rows)
            estimated.shares[TUNED][subset] = shares_of(without(rows, [STRONG_POLICY]))
    return estimated


def shares_of(rows: pl.DataFrame) -> Shares:
    """The shares of policy and chance in the variance of points and wins among the seats of a table, in per cent."""
    ranked = rankings(rows)
    estimated = {}
    for result in RESULTS:
        values = np.asarray(getattr(ranked, result), float)
        split = Split(ranked, values - values.mean(axis=1, keepdims=True), effects_of(ranked)[0])
        for part, estimate in _parts(split, ranked.blocks).items():
            estimated[result, part] = estimate
    return estimated


def _parts(split: Split, blocks: int) -> dict[str, Estimate]:
    ones = np.ones((1, blocks))
    moved = _STEP * (np.eye(blocks) - 1 / blocks)  # the sum of the weights stays
    sums = np.concatenate([split.of(ones), split.of(ones + moved), split.of(ones - moved)])
    shares = 100 * sums / sums.sum(axis=1, keepdims=True)
    value, up, down = shares[0], *np.split(shares[1:], 2)
    influences = blocks * (up - down) / (2 * _STEP)
    return {part: Estimate(float(value[at]), influences[:, at]) for part in PARTS for at in [split.names.index(part)]}


def wins_of(rows: pl.DataFrame) -> dict[str, Estimate]:
    """The share of wins of each policy, in per cent of the games with it; every block has as many of each."""
    by_block = (
        rows.group_by("block", pl.col("policy").cast(pl.String)).agg(pl.col("win").mean() * 100).sort("block", "policy")
    )
    return {
        str(policy): block_mean(each["win"].to_numpy())
        for (policy,), each in by_block.group_by("policy", maintain_order=True)
    }
