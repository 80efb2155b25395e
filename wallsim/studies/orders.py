"""Whether two ladders put policies in the same order, as rows of the register."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from wallsim.analysis.tournament.order import Pair, SameOrder
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figures, Rows

TAU, SAME = "tau", "same-order"


def add_order(rows: Rows, item: str, where: str, order: SameOrder, sure: Confidence, *, players: int = 0) -> None:
    """Add Kendall's tau, and a row for each pair: 1, -1 or 0. `where` says in words which ladders are compared."""
    words = f"Kendall's tau of the order of {len(order.policies)} policies, {where}"
    rows.number(
        TAU, item, order.tau, order.interval, words=words, unit="correlation", null=0.0, sure=sure, players=players
    )
    for pairs, value in ((order.same, 1.0), (order.turned, -1.0), (order.open, 0.0)):
        for pair in pairs:
            one, other = sorted(pair)
            words = f"order of {one} and {other}, {where}: 1 if it is the same, -1 if opposite, 0 if unknown"
            rows.number(SAME, f"{item} {one} {other}", value, words=words, unit="−1, 0 or 1", players=players)


def read_order(figures: Figures, item: str, strengths: Mapping[str, float], *, players: int = 0) -> SameOrder:
    """The same again; pairs are named in the order of `strengths`, those of the policies on the first ladder."""
    pairs: dict[float, list[Pair]] = {1.0: [], -1.0: [], 0.0: []}
    for one, other in combinations(sorted(strengths), 2):
        pair = (one, other) if strengths[one] >= strengths[other] else (other, one)
        pairs[figures.of(SAME, f"{item} {one} {other}", players=players).value].append(pair)
    tau = figures.of(TAU, item, players=players)
    same, turned, unknown = (tuple(pairs[sign]) for sign in (1.0, -1.0, 0.0))
    return SameOrder(tuple(sorted(strengths)), tau.value, tau.ends, same, turned, unknown)
