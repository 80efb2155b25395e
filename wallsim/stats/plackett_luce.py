"""Plackett-Luce strengths by maximum likelihood, from how often the seats of a table finished in which order.

The model (Plackett 1975, Luce 1959): the first of a table is drawn with chances in proportion to exp(strength), the
second in the same way from those that are left, and so on; for two it is that of Bradley and Terry.

Ties: tied seats count as if each order of them had been seen equally often, with weights that add up to one game. A
tie of two is then half a finish before the other, as in a shared win, and two policies that always tie are equal.

Only what was chosen from which set matters, so orders are taken apart into stages once; a fit takes a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, shortest_path

from wallsim.errors import InputError
from wallsim.stats.matrix_products import column_products

Order = tuple[tuple[int, ...], ...]  # policies by number, first place first; those that tie stand in one group

PRIOR = 0.5  # of a win and of a defeat, for each policy, where results alone bound no strength
_ITERATIONS = 100
_CLOSE = 1e-10  # of a Newton step, in log units
_SAME = 1e-8  # of a step towards the strengths of a resample
_LONGEST = 5.0  # log units that one step may change a strength


@dataclass(frozen=True)
class Stages:
    """What distinct orders say to the likelihood: from which sets was chosen, and who was.

    `sets`, float64 [sets, policies], says how many seats of a set each policy has; `used`, float64 sparse
    [orders, sets], how often an order chooses from it; `chosen`, float64 [orders, policies], how often an order chooses
    a policy; `beats`, float64 sparse [orders, policies * policies], how often it puts the first before the second.
    """

    sets: np.ndarray
    used: csr_array
    chosen: np.ndarray
    beats: csr_array

    @property
    def policies(self) -> int:
        """How many policies there are."""
        return int(self.sets.shape[1])


@dataclass(frozen=True)
class Tally:
    """Stages added up over games: float64 `chosen` [policies], `used` [sets], `beats` [policies, policies]."""

    sets: np.ndarray
    chosen: np.ndarray
    used: np.ndarray
    beats: np.ndarray


@dataclass(frozen=True)
class Strengths:
    """Strengths of policies, float64 [policies], in natural log units; those of `bounded` have mean zero.

    `bounded`, bool [policies], is true for all policies unless some never finished before, or never after, any of the
    others: their likelihood grows without end (separation), so their strength is known on one side only. The number
    that stands there is finite because each policy was given half a win and half a defeat, shared among the others.
    `side` is +1 where the true maximum is infinite upwards, -1 downwards, else 0; the largest group of policies that
    bound each other has 0.
    """

    values: np.ndarray
    side: np.ndarray

    @property
    def bounded(self) -> np.ndarray:
        """Which strengths the results bound on both sides."""
        return np.asarray(self.side == 0)


def stages_of(orders: Sequence[Order], policies: int) -> Stages:
    """Take orders apart into choices from sets; a policy may stand in an order several times."""
    sets: dict[tuple[int, ...], int] = {}
    used: tuple[list[int], list[int], list[float]] = ([], [], [])
    beats: tuple[list[int], list[int], list[float]] = ([], [], [])
    chosen = np.zeros((len(orders), policies))
    for number, order in enumerate(orders):
        left = tuple(sorted(policy for group in order for policy in group))
        for group in order:
            for gone in range(len(group)):
                if len(left) - gone < 2:
                    continue  # the last of a table is no choice
                for out in combinations(group, gone):
                    _add(used, number, sets.setdefault(_without(left, out), len(sets)), 1 / comb(len(group), gone))
                chosen[number] += np.bincount(group, minlength=policies) / len(group)
            after = _without(left, group)
            for place, policy in enumerate(group):
                for other in after:
                    _add(beats, number, policy * policies + other, 1.0)
                for other in group[:place] + group[place + 1 :]:
                    _add(beats, number, policy * policies + other, 0.5)
            left = after
    return Stages(
        sets=np.array([np.bincount(members, minlength=policies) for members in sets], float).reshape(-1, policies),
        used=csr_array((used[2], (used[0], used[1])), shape=(len(orders), len(sets))),
        chosen=chosen,
        beats=csr_array((beats[2], (beats[0], beats[1])), shape=(len(orders), policies * policies)),
    )


def tally(stages: Stages, weights: np.ndarray) -> Tally:
    """Add up the stages of orders that were seen `weights` times each, float64 [orders], fractions allowed."""
    count = stages.policies
    return Tally(
        stages.sets, weights @ stages.chosen, weights @ stages.used, (weights @ stages.beats).reshape(count, count)
    )


def log_likelihood(seen: Tally, strengths: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """The logarithm of the likelihood, its gradient [policies] and its matrix of second derivatives.

    Less the constant that does not depend on the strengths.
    """
    shift = strengths.max()
    worth = np.exp(strengths - shift)
    totals = seen.sets @ worth
    share = seen.sets * worth / totals[:, None]
    value = seen.chosen @ strengths - seen.used @ (np.log(totals) + shift)
    expected = seen.used @ share
    curve = column_products(share * seen.used[:, None], share) - np.diag(expected)
    return float(value), seen.chosen - expected, curve


def fit(seen: Tally, names: Sequence[str] = (), start: np.ndarray | None = None) -> Strengths:
    """The strengths of the largest likelihood, by Newton's method; strictly concave, so there is only one.

    InputError if the policies fall apart into groups that never met: nothing compares them then. `names` are for
    that message. A finite maximum needs, for every two groups, a finish of one before the other in both directions
    (Hunter 2004); where that fails see `Strengths`.
    """
    apart, group = connected_components(csr_array(seen.beats), directed=False)
    if apart > 1:
        known = list(names) or [str(number) for number in range(len(group))]
        parts = [", ".join(known[i] for i in np.flatnonzero(group == part)) for part in range(apart)]
        raise InputError(f"policies: {' | '.join(parts)} never met at a table; one ladder needs games that link them")
    side = separation(seen.beats)
    values = maximise(seen if not side.any() else with_prior(seen), start)
    return Strengths(values - values[side == 0].mean(), side)


def separation(beats: np.ndarray) -> np.ndarray:
    """Which strengths are infinite: +1 above, -1 below the largest group that bound each other, int64 [policies].

    `beats`, float64 [policies, policies]: how often the first finished before the second. Of groups equally large the
    one with the first policy counts. A policy that no chain of finishes leads to or from the group is put by its
    balance of finishes.
    """
    if (beats + np.eye(len(beats)) > 0).all():
        return np.zeros(len(beats), np.int64)
    edges = csr_array(beats > 0)
    parts, part = connected_components(edges, directed=True, connection="strong")
    if parts == 1:
        return np.zeros(len(beats), np.int64)
    core = np.bincount(part).max()
    largest = next(number for number in part if (part == number).sum() == core)
    reach = np.isfinite(shortest_path(edges, unweighted=True))
    member = int(np.flatnonzero(part == largest)[0])
    balance = np.sign(beats.sum(axis=1) - beats.sum(axis=0) + 0.5)
    side = np.where(reach[:, member], 1, np.where(reach[member], -1, balance)).astype(np.int64)
    return np.where(part == largest, 0, side)


def with_prior(seen: Tally) -> Tally:
    """The tally with half a win and half a defeat more for each policy, in equal parts against all others."""
    count = len(seen.chosen)
    pairs = np.array([[float(k in pair) for k in range(count)] for pair in combinations(range(count), 2)])
    each = PRIOR / (count - 1)
    return Tally(
        np.vstack([seen.sets, pairs]),
        seen.chosen + PRIOR,
        np.r_[seen.used, np.full(len(pairs), 2 * each)],
        seen.beats + each * (1 - np.eye(count)),
    )


def maximise(seen: Tally, start: np.ndarray | None = None) -> np.ndarray:
    """Strengths with mean zero where the likelihood is largest, float64 [policies]; a finite maximum must exist."""
    strengths = np.zeros(len(seen.chosen)) if start is None else start - start.mean()
    value, gradient, curve = log_likelihood(seen, strengths)
    for _ in range(_ITERATIONS):
        # The likelihood does not change along (1, ..., 1); the ones make the system regular and the step's mean zero.
        step = np.linalg.solve(np.ones_like(curve) * np.abs(np.diag(curve)).mean() - curve, gradient)
        step -= step.mean()
        step *= min(1.0, _LONGEST / max(np.abs(step).max(), _CLOSE))
        if np.abs(step).max() < _CLOSE:
            break
        length = 1.0
        while True:
            tried = log_likelihood(seen, strengths + length * step)
            if tried[0] >= value - 1e-9 * abs(value) or length < _CLOSE:
                break
            length /= 2
        strengths = strengths + length * step
        value, gradient, curve = tried
    return np.asarray(strengths)


def maximise_all(
    sets: np.ndarray, chosen: np.ndarray, used: np.ndarray, start: np.ndarray, curve: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The strengths of many similar tallies, float64 [tallies, policies], and which of them converged, bool.

    `chosen`, float64 [tallies, policies], and `used`, float64 [tallies, sets], are their tallies; `start` and `curve`
    the strengths and second derivatives of one that all resemble. Every step uses these derivatives: more steps than
    Newton's, but each is two products of matrices for all. What is not found needs `maximise`.
    """
    system = np.linalg.inv(np.ones_like(curve) * np.abs(np.diag(curve)).mean() - curve)
    strengths, found = np.tile(start, (len(chosen), 1)), np.zeros(len(chosen), bool)
    left = np.arange(len(chosen))
    for _ in range(_ITERATIONS):
        worth = np.exp(strengths[left])
        expected = ((used[left] / (worth @ sets.T)) @ sets) * worth
        step = (chosen[left] - expected) @ system
        step -= step.mean(axis=1, keepdims=True)
        strengths[left] += step
        size = np.abs(step).max(axis=1)
        found[left[size < _SAME]] = True
        left = left[(size >= _SAME) & (size < _LONGEST)]  # one that runs away is too different
        if not len(left):
            break
    return strengths, found


def win_chance(strength: np.ndarray | float, players: int) -> np.ndarray:
    """The chance to win a table of `players` whose others all have strength zero, the average of the ladder."""
    return np.asarray(1 / (1 + (players - 1) * np.exp(-np.asarray(strength, float))))


def _add(triples: tuple[list[int], list[int], list[float]], row: int, column: int, value: float) -> None:
    triples[0].append(row)
    triples[1].append(column)
    triples[2].append(value)


def _without(members: tuple[int, ...], out: Sequence[int]) -> tuple[int, ...]:
    left = list(members)
    for policy in out:
        left.remove(policy)
    return tuple(left)
