"""Whether ladders agree, for example those of different numbers of players."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.bootstrap import simultaneous_half_widths
from wallsim.stats.intervals import LEVEL, Confidence, Interval

Pair = tuple[str, str]
_Name = TypeVar("_Name", bound=Hashable)


@dataclass(frozen=True)
class SameOrder:
    """To what extent two ladders put their common policies in the same order.

    `tau` is Kendall's: the share of pairs in the same order on both, minus the share in reverse order; equal strengths
    count for neither. `same` and `turned` are the pairs whose order is known on both ladders, named in the order of the
    first; all others are `open`. `interval` is the range of tau for any order of the open pairs; None if a ladder has
    fewer blocks than the simultaneous intervals need.
    """

    policies: tuple[str, ...]
    tau: float
    interval: Interval | None
    same: tuple[Pair, ...]
    turned: tuple[Pair, ...]
    open: tuple[Pair, ...]

    @property
    def pairs(self) -> int:
        """The number of pairs of policies."""
        return len(self.same) + len(self.turned) + len(self.open)


def same_order(ladders: Mapping[_Name, Ratings], level: float = LEVEL) -> dict[tuple[_Name, _Name], SameOrder]:
    """Compare every two ladders by the policies that are on all of them.

    The order of a pair is known if the interval (bootstrap, max-|t|) of the difference of its strengths excludes 0. The
    intervals of all pairs on all ladders hold simultaneously with confidence `level`, and so do those of all taus.
    Resamples with the same number are paired, so ladders that share their blocks may be compared. The pairs of a
    strength that results do not bound on both sides are open. InputError for fewer than two ladders or two common
    policies, and for ladders of different numbers of resamples.
    """
    if len(ladders) < 2:
        raise InputError(f"ladders: {len(ladders)}; at least two are needed")
    names = tuple(sorted(set.intersection(*(set(ladder.policies) for ladder in ladders.values()))))
    if len(names) < 2:
        raise InputError(f"policies: {', '.join(names) or 'none'} on all ladders; at least two are needed")
    if len({len(ladder.samples) for ladder in ladders.values()}) != 1:
        raise InputError("ladders: of different numbers of resamples; rate them with the same")
    pairs = list(combinations(range(len(names)), 2))
    one, other = np.array(pairs).T
    fewest = Confidence(level, len(pairs) * len(ladders)).min_blocks
    gaps, drawn, closed = [], [], []  # of each ladder; `closed` are the pairs whose order may be known
    for ladder in ladders.values():
        at = [ladder.policies.index(name) for name in names]
        gaps.append(ladder.strengths[at][one] - ladder.strengths[at][other])
        drawn.append(ladder.samples[:, at][:, one] - ladder.samples[:, at][:, other])
        bounded = np.array([not ladder.ladder[place].open for place in at])
        closed.append(bounded[one] & bounded[other] & (ladder.blocks >= fewest))
    blocks = np.repeat([ladder.blocks for ladder in ladders.values()], len(pairs))
    half_widths = simultaneous_half_widths(np.concatenate(drawn, axis=1), np.concatenate(gaps), level, blocks).reshape(
        len(gaps), -1
    )
    known = np.array(closed) & (half_widths > 0) & (np.abs(gaps) > half_widths)
    signs = np.sign(gaps)
    by_ladders = {}
    for (i, first), (j, second) in combinations(enumerate(ladders), 2):
        agree = signs[i] * signs[j] * (known[i] & known[j])
        spare, sure = int((agree == 0).sum()), int(agree.sum())
        sides: dict[int, list[Pair]] = {1: [], -1: [], 0: []}
        for place, (a, b) in enumerate(pairs):
            pair = (names[a], names[b]) if gaps[i][place] >= 0 else (names[b], names[a])
            sides[int(agree[place])].append(pair)
        enough = min(ladders[first].blocks, ladders[second].blocks) >= fewest
        by_ladders[first, second] = SameOrder(
            policies=names,
            tau=float((signs[i] * signs[j]).mean()),
            interval=((sure - spare) / len(pairs), (sure + spare) / len(pairs)) if enough else None,
            same=tuple(sides[1]),
            turned=tuple(sides[-1]),
            open=tuple(sides[0]),
        )
    return by_ladders
