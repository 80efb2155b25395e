"""Units of the register: one for each question."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.studies.figure import Figures

from .primary import head_of


def check_units(figures: Figures) -> None:
    """InputError for a figure whose unit is not that of the other figures of its question."""
    units: dict[str, tuple[str, str]] = {}
    for key, figure in figures.items():
        question = head_of(key)
        first, unit = units.setdefault(question, (key, figure.unit))
        if figure.unit != unit:
            raise InputError(
                f"data/figures/{figures.study}.csv: {key}: unit {figure.unit!r} differs from {unit!r} of {first}"
            )
