"""Figures whose numbers are traced: what is written from them is marked with their ids."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from wallsim.report.tables.traced import Traced
from wallsim.studies.figure import Figure, Figures

_NUMBERS = ("value", "low", "high", "error")


class TracedFigures(Figures):
    """The same figures, each traced when it is asked for."""

    def __init__(self, figures: Figures) -> None:
        """Those of a study."""
        self.study, self._plain = figures.study, figures
        self._traced: dict[str, Figure] = {}

    def __getitem__(self, key: str) -> Figure:
        """The figure with this id. KeyError without one."""
        if key not in self._traced:
            self._traced[key] = traced(self._plain[key])
        return self._traced[key]

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        return iter(self._plain)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._plain)

    def headed(self, head: str) -> list[Figure]:
        """As those of a study."""
        return [self[each.id] for each in self._plain.headed(head)]


def traced(figure: Figure) -> Figure:
    """A figure whose value, ends and error are traced."""
    ids, result = (figure.id,), copy(figure)
    for name in _NUMBERS:
        object.__setattr__(result, name, Traced(getattr(figure, name), ids, figure.unit))
    return result
