"""Plackett-Luce strengths by maximum likelihood, from the orders in which the seats of tables finished.

The model (Plackett 1975, Luce 1959): the winner of a table is drawn with probability proportional to exp(strength), the
second in the same way from those that are left, and so on; for two players it is the model of Bradley and Terry.

Ties: tied seats count as if each of their orders had been observed equally often, with weights that add up to one
game. In a tie of two each finishes half before the other, as in a shared win; two policies that always tie are equal.

The likelihood depends only on who was chosen from which set, so orders are split into stages once; a fit then takes a
millisecond.
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
from wallsim.stats.least_squares import column_products

Order = tuple[tuple[int, ...], ...]  # policies by number, first place first; tied policies are one group
Addend = tuple[int, int, float]  # of a sparse matrix: row, column and value; equal places are added up

PRIOR = 0.5  # wins and defeats added to each policy if the results alone do not bound all strengths
_ITERATIONS = 100
_CLOSE = 1e-10  # a Newton step below it has converged, in log units
_SAME = 1e-8  # a step towards the strengths of a resample below it has converged
_LONGEST = 5.0  # the largest change of a strength in one step, in log units


@dataclass(frozen=True)
class Stages:
    """The stages of distinct orders, all that the likelihood needs: the sets chosen from, and who was chosen.

    `sets`, float64 [sets, policies], counts the seats of each policy in a set; `used`, float64 sparse [orders, sets],
    how often an order chooses from a set; `chosen`, float64 [orders, policies], how often an order chooses a policy;
    `beats`, float64 sparse [orders, policies * policies], how often it puts the first policy before the second. Orders
    may be added up, as those of the games of a block, which then count as one.
    """

    sets: np.ndarray
    used: csr_array
    chosen: np.ndarray
    beats: csr_array

    def added(self, times: csr_array) -> Stages:
        """The sums of orders, each `times` times, float64 sparse [sums, orders]."""
        return Stages(self.sets, times @ self.used, times @ self.chosen, times @ self.beats)

    def tally(self, weights: np.ndarray) -> Tally:
        """The sum of all orders, each `weights` times, float64 [orders]; fractions are allowed."""
        count = self.sets.shape[1]
        return Tally(
            self.sets, weights @ self.chosen, weights @ self.used, (weights @ self.beats).reshape(count, count)
        )


@dataclass(frozen=True)
class Tally:
    """Stages added up over games: float64 `chosen` [policies], `used` [sets], `beats` [policies, policies]."""

    sets: np.ndarray
    chosen: np.ndarray
    used: np.ndarray
    beats: np.ndarray


@dataclass(frozen=True)
class Strengths:
    """Strengths of policies, float64 [policies], in natural log units; those that are `bounded` have mean zero.

    `bounded`, bool [policies], is true for all policies unless some never finished before, or never after, any of the
    others: the likelihood of their strength has no finite maximum (separation), so it is bounded on one side only.
    Their values are finite because each policy was given half a win and half a defeat, split equally among the others.
    `side` is +1 where the true maximum is infinite upwards, -1 downwards, else 0; it is 0 in the largest group of
    policies that bound each other.
    """

    values: np.ndarray
    side: np.ndarray

    @property
    def bounded(self) -> np.ndarray:
        """The strengths that the results bound on both sides, bool [policies]."""
        return np.asarray(self.side == 0)


def stages_of(orders: Sequence[Order], policies: int) -> Stages:
    """Split orders into choices from sets; a policy may occur in an order several times."""
    sets: dict[tuple[int, ...], int] = {}
    used: list[Addend] = []
    beats: list[Addend] = []
    chosen = np.zeros((len(orders), policies))
    for number, order in enumerate(orders):
        left = tuple(sorted(policy for group in order for policy in group))
        for group in order:
            for gone in range(len(group)):
                if len(left) - gone < 2:
                    continue  # the last of a table is no choice
                for out in combinations(group, gone):
                    used.append((number, sets.setdefault(_without(left, out), len(sets)), 1 / comb(len(group), gone)))
                chosen[number] += np.bincount(group, minlength=policies) / len(group)
            after = _without(left, group)
            for place, policy in enumerate(group):
                beats += [(number, policy * policies + other, 1.0) for other in after]
                beats += [(number, policy * policies + other, 0.5) for other in group[:place] + group[place + 1 :]]
            left = after
    return Stages(
        sets=np.array([np.bincount(members, minlength=policies) for members in sets], float).reshape(-1, policies),
        used=_sparse(used, (len(orders), len(sets))),
        chosen=chosen,
        beats=_sparse(beats, (len(orders), policies * policies)),
    )


def log_likelihood(seen: Tally, strengths: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """The log-likelihood, its gradient [policies] and its matrix of second derivatives [policies, policies].

    The constant that does not depend on the strengths is left out.
    """
    shift = strengths.max()
    worth = np.exp(strengths - shift)
    totals = seen.sets @ worth
    share = seen.sets * worth / totals[:, None]
    value = seen.chosen @ strengths - seen.used @ (np.log(totals) + shift)
    expected = seen.used @ share
    curve = column_products(share * seen.used[:, None], share) - np.diag(expected)
    return float(value), seen.chosen - expected, curve


def fit(seen: Tally, names: Sequence[str] = ()) -> Strengths:
    """The strengths of maximum likelihood, by Newton's method; it is strictly concave, so the maximum is unique.

    InputError, with `names`, if there are groups of policies that never met, since nothing compares them. A finite
    maximum needs, for every split into two groups, that some policy of each finished before one of the other
    (Hunter 2004); see `Strengths` where that fails.
    """
    apart, group = connected_components(csr_array(seen.beats), directed=False)
    if apart > 1:
        known = list(names) or [str(number) for number in range(len(group))]
        parts = [", ".join(known[i] for i in np.flatnonzero(group == part)) for part in range(apart)]
        raise InputError(f"policies: {' | '.join(parts)} never met at a table; a ladder needs games that link them")
    side = separation(seen.beats)
    values = maximise(seen if not side.any() else with_prior(seen))
    return Strengths(values - values[side == 0].mean(), side)


def separation(beats: np.ndarray) -> np.ndarray:
    """Which strengths are infinite: +1 above, -1 below the largest group that bounds each other, int64 [policies].

    `beats`, float64 [policies, policies]: how often the first finished before the second. Of equally large groups the
    one with the first policy counts. A policy that no chain of results connects with the group is placed by its
    balance of results.
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
    """The tally with half a win and half a defeat more for each policy, split equally among all others."""
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
    """The strengths of maximum likelihood with mean zero, float64 [policies]; a finite maximum must exist."""
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
    """The strengths of many similar tallies, float64 [tallies, policies], and which converged, bool [tallies].

    `chosen`, float64 [tallies, policies], and `used`, float64 [tallies, sets], are the tallies; `start` and `curve` are
    the strengths and second derivatives of a tally that resembles them all. Every step uses these derivatives: that
    takes more steps than Newton's method, but each is two matrix products for all tallies. A tally that does not
    converge needs `maximise`.
    """
    system = np.linalg.inv(np.ones_like(curve) * np.abs(np.diag(curve)).mean() - curve)
    strengths, converged = np.tile(start, (len(chosen), 1)), np.zeros(len(chosen), bool)
    left = np.arange(len(chosen))
    for _ in range(_ITERATIONS):
        worth = np.exp(strengths[left])
        expected = ((used[left] / (worth @ sets.T)) @ sets) * worth
        step = (chosen[left] - expected) @ system
        step -= step.mean(axis=1, keepdims=True)
        strengths[left] += step
        size = np.abs(step).max(axis=1)
        converged[left[size < _SAME]] = True
        left = left[(size >= _SAME) & (size < _LONGEST)]  # a tally that diverges is too different
        if not len(left):
            break
    return strengths, converged


def win_chance(strength: np.ndarray | float, players: int) -> np.ndarray:
    """The probability to win at a table of `players` where all others have strength zero, the average of the ladder."""
    return np.asarray(1 / (1 + (players - 1) * np.exp(-np.asarray(strength, float))))


def _sparse(entries: list[Addend], shape: tuple[int, int]) -> csr_array:
    rows, columns, values = np.array(entries, np.float64).reshape(-1, 3).T
    return csr_array((values, (rows.astype(np.int64), columns.astype(np.int64))), shape=shape)


def _without(members: tuple[int, ...], out: Sequence[int]) -> tuple[int, ...]:
    left = list(members)
    for policy in out:
        left.remove(policy)
    return tuple(left)
