"""The claims of a study in the register: the outcome of each in every cell, and the verdicts read back from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wallsim.analysis.claims.cells import Cell, Play
from wallsim.analysis.claims.verdicts import Claim, Robustness, robustness
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figures
from wallsim.studies.quantities import Key, Quantity

CLAIM = "claim"  # the quantity of these figures


def claim_quantity(claims: Sequence[Claim], units: Mapping[str, str], n_unit: str = "blocks") -> Quantity:
    """The quantity of the outcomes of claims, whose intervals hold together for a number of players.

    `units` are those of the outcomes by name, victory points where it names none.
    """
    above = {claim.outcome: claim.above for claim in claims}
    return Quantity(CLAIM, "{item}", lambda key: units.get(key.item, "VP"), lambda key: above[key.item], ("players",),
                    n_unit=n_unit)  # fmt: skip


def claim_values(
    claims: Sequence[Claim], cells: Mapping[Cell, Mapping[str, Measured]], players: int = 4
) -> Iterator[tuple[Key, Measured]]:
    """The outcome of every claim in every cell that has it, by the key of its figure."""
    for claim in claims:
        for cell, outcomes in cells.items():
            if claim.outcome in outcomes:
                yield Key(CLAIM, claim.outcome, players, cell), outcomes[claim.outcome]


def read_claims(
    figures: Figures, claims: Sequence[Claim], plays: Sequence[Play], *, players: int = 4, quantity: str = CLAIM
) -> Robustness:
    """The verdicts on claims by the figures of `claim_values`, or by those of another quantity, in their family."""
    cells: dict[Cell, dict[str, Measured]] = {}
    sure = None
    for claim in claims:
        for cell, figure in figures.cells(quantity, claim.outcome, players=players).items():
            cells.setdefault(cell, {})[claim.outcome], sure = figure, Confidence(figure.level, figure.family)
    return robustness(claims, cells, plays, confidence=sure)
