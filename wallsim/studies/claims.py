"""The claims of a study in the register: the outcome of each in every cell, and the verdicts read back from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.analysis.claims.cells import Cell, Play
from wallsim.analysis.claims.verdicts import Claim, Robustness, robustness
from wallsim.stats.blocks import Measured
from wallsim.studies.figure import Figures, Rows

CLAIM = "claim"  # the quantity of these figures


def add_claims(
    rows: Rows,
    claims: Sequence[Claim],
    cells: Mapping[Cell, Mapping[str, Measured]],
    plays: Sequence[Play],
    units: Mapping[str, str] | str,
    *,
    players: int = 4,
    n_unit: str = "blocks",
) -> Robustness:
    """Add the outcome of every claim in every cell that has it, with intervals that hold for all of them at once.

    `units` are those of the outcomes by name, or one for all. Errors are those of `robustness`.
    """
    result = robustness(claims, cells, plays)
    above = {claim.outcome: claim.above for claim in claims}
    for outcome, by_cell in result.estimates.items():
        for cell, estimate in by_cell.items():
            rows.estimate(
                CLAIM, outcome, estimate, result.confidence, words=outcome,
                unit=units if isinstance(units, str) else units[outcome], players=players, cell=cell,
                n_unit=n_unit, null=above[outcome],
            )  # fmt: skip
    return result


def read_claims(figures: Figures, claims: Sequence[Claim], plays: Sequence[Play], *, players: int = 4) -> Robustness:
    """The verdicts on claims by the figures that `add_claims` added."""
    cells: dict[Cell, dict[str, Measured]] = {}
    for claim in claims:
        for cell, figure in figures.cells(CLAIM, claim.outcome, players=players).items():
            cells.setdefault(cell, {})[claim.outcome] = figure
    return robustness(claims, cells, plays)
