"""Whether two ladders put policies in the same order, as rows of the register."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from wallsim.analysis.tournament.order import Pair, SameOrder
from wallsim.studies.figure import Figures
from wallsim.studies.quantities import About, Bounded, Key, Number, Quantity, Value

TAU, SAME = "tau", "same-order"


def order_quantities(where: Callable[[str], str]) -> tuple[Quantity, Quantity]:
    """The quantities of orders; `where` says of an item in words which ladders are compared."""

    def of_pair(key: Key) -> str:
        item, one, other = key.item.rsplit(" ", 2)
        return f"order of {one} and {other}, {where(item)}: 1 if it is the same, -1 if opposite, 0 if unknown"

    return (
        Quantity(TAU, lambda key: f"Kendall's tau of the order of {{about}} policies, {where(key.item)}", "correlation",
                 null=0.0, together=()),
        Quantity(SAME, of_pair, "−1, 0 or 1", shown="claims"),
    )  # fmt: skip


def order_values(item: str, order: SameOrder, players: int = 0) -> Iterator[tuple[Key, Value]]:
    """Kendall's tau, which says the number of policies, and a number for each pair: 1, -1 or 0."""
    yield Key(TAU, item, players), About(Bounded(order.tau, order.interval), f"{len(order.policies)}")
    for pairs, value in ((order.same, 1.0), (order.turned, -1.0), (order.open, 0.0)):
        for pair in pairs:
            yield Key(SAME, " ".join((item, *sorted(pair))), players), Number(value)


def read_order(figures: Figures, item: str, strengths: Mapping[str, float], *, players: int = 0) -> SameOrder:
    """The same again; pairs are named in the order of `strengths`, those of the policies on the first ladder."""
    pairs: dict[float, list[Pair]] = {1.0: [], -1.0: [], 0.0: []}
    for one, other in combinations(sorted(strengths), 2):
        pair = (one, other) if strengths[one] >= strengths[other] else (other, one)
        pairs[figures.of(SAME, f"{item} {one} {other}", players=players).value].append(pair)
    tau = figures.of(TAU, item, players=players)
    same, turned, unknown = (tuple(pairs[sign]) for sign in (1.0, -1.0, 0.0))
    return SameOrder(tuple(sorted(strengths)), tau.value, tau.ends, same, turned, unknown)
