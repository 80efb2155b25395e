"""Skill and styles in every subset of the expansions: tournaments of a ladder from weak to strong, and of the zoo.

Every subset has a tournament of its own of each field, on blocks of its own, so that effects of the expansions are
contrasts of independent blocks, as in `effects.py`. The share of the variance of points that the policy
brings (`wallsim.analysis.tournament.skill`) is a smooth function of the weights of the blocks, all 1; its derivatives
by these weights are the influences of the blocks (the infinitesimal jackknife, Jaeckel 1972).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import polars as pl

from wallsim.analysis.claims.cells import CASUAL_POLICY, MIDDLING_POLICY, STRONG_POLICY, WEAK_POLICY, Cell
from wallsim.analysis.tournament.skill import CHANCE, POLICY, Split, effects_of
from wallsim.play.tournament.tournament import Tournament
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.rankings import rankings
from wallsim.studies.quantities import Key
from wallsim.studies.scope import PLAYERS
from wallsim.studies.study import Storage

from ..editions.study import TAUGHT
from ..skill.estimates import STYLES, without
from .effects import MAIN, SUBSETS, Subset, Values, experiment_of, name_of, name_of_effect, with_subset
from .effects import effects_of as changes_of

LADDER, KNOWING, ZOO = "ladder", f"ladder without {STRONG_POLICY}", "zoo"
FIELDS = {
    LADDER: (WEAK_POLICY, CASUAL_POLICY, "balanced-noise-04", MIDDLING_POLICY, STRONG_POLICY, TAUGHT),
    ZOO: STYLES,
}
PARTS = (POLICY, CHANCE)
LADDERS = (LADDER, KNOWING)
SHARE = {"vp": "share-of-points", "win": "share-of-wins"}  # the quantity by result
ENDS = (SUBSETS[0], SUBSETS[-1])  # none, and all three
BLOCKS = {LADDER: 168, ZOO: 144}  # whole cycles of the design, of 24 blocks each at tables of four
_STEP = 1e-3  # of a weight: the shares are so smooth that any small step gives the same derivative
Measured = dict[tuple[str, str], Estimate]  # by quantity, and tournament with a part of the variance or a policy


def values_of(played: Mapping[Subset, Measured], cell: Cell) -> Values:
    """What is published of the tournaments: shares, wins, and the effects of the expansions on both."""
    effects = changes_of(played)
    for quantity, about in played[()]:
        for subset in ENDS if quantity == "wins" else SUBSETS:
            yield Key(quantity, f"{about} {name_of(subset)}", PLAYERS, cell), played[subset][quantity, about]
        drawn = quantity == "wins" and about.startswith(ZOO)
        for name, effect in product((f"effect-on-{quantity}", "picture-of-wins")[: 2 if drawn else 1], MAIN):
            yield Key(name, f"{about} {name_of_effect(effect)}", PLAYERS, cell), effects[effect][quantity, about]
        if quantity == "wins":
            gained = played[EXPANSIONS][quantity, about] - played[()][quantity, about]
            yield Key("wins-gained", about, PLAYERS, cell), gained


def tournaments(cell: Cell, most: int | None = None) -> dict[tuple[str, Subset], Tournament]:
    """The tournaments by field and subset, of at most so many blocks each."""
    return {
        (field, subset): Tournament(policies, with_subset(experiment_of(cell), subset), min(most or blocks, blocks))
        for (field, policies), subset in product(FIELDS.items(), SUBSETS)
        for blocks in [BLOCKS[field]]
    }


def play_all(planned: Mapping[tuple[str, Subset], Tournament], storage: Storage) -> dict[Subset, Measured]:
    """Play the missing tournaments, and estimate shares and wins in every subset."""
    measured: dict[Subset, Measured] = {subset: {} for subset in SUBSETS}
    for (field, subset), tournament in planned.items():
        rows = storage.tournament(f"tournaments/{field}_{'_'.join(subset) or 'none'}", tournament).rows()
        if field == LADDER:
            measured[subset] |= shares_of(rows, LADDER) | shares_of(without(rows, [STRONG_POLICY]), KNOWING)
        measured[subset] |= wins_of(rows, field)
    return measured


def shares_of(rows: pl.DataFrame, ladder: str) -> Measured:
    """The shares of policy and chance in the variance of points and wins among the seats of a table, in per cent."""
    ranked = rankings(rows)
    moved = _STEP * (np.eye(ranked.blocks) - 1 / ranked.blocks)  # the sum of the weights stays
    ones, measured = np.ones((1, ranked.blocks)), {}
    for result, quantity in SHARE.items():
        values = np.asarray(getattr(ranked, result), float)
        split = Split(ranked, values - values.mean(axis=1, keepdims=True), effects_of(ranked)[0])
        sums = np.concatenate([split.of(ones), split.of(ones + moved), split.of(ones - moved)])
        shares = 100 * sums / sums.sum(axis=1, keepdims=True)
        up, down = np.split(shares[1:], 2)
        influences = ranked.blocks * (up - down) / (2 * _STEP)
        for part in PARTS:
            at = split.names.index(part)
            measured[quantity, f"{ladder} {part}"] = Estimate(float(shares[0, at]), influences[:, at])
    return measured


def wins_of(rows: pl.DataFrame, field: str) -> Measured:
    """The share of wins of each policy, in per cent of the games with it; every block has as many of each."""
    policy = pl.col("policy").cast(pl.String)
    by_block = rows.group_by("block", policy).agg(pl.col("win").mean() * 100).sort("block")
    return {
        ("wins", f"{field} {each}"): block_mean(by_block.filter(policy == each)["win"].to_numpy())
        for each in FIELDS[field]
    }
