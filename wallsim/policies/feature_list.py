"""Features that models see, declared one after the other, each with its unit and meaning."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.errors import refuse_twice


class Feature(NamedTuple):
    """One feature: its name, unit and meaning."""

    name: str
    unit: str
    meaning: str


class FeatureList:
    """The features of one thing; a call declares the next one and returns its place."""

    def __init__(self, what: str) -> None:
        """No features yet; `what` they are is named where a name is declared twice."""
        self._what = what
        self._declared: list[Feature] = []

    def __call__(self, name: str, unit: str, meaning: str) -> int:
        """Declare a feature; returns its place."""
        self._declared.append(Feature(name, unit, meaning))
        return len(self) - 1

    def __len__(self) -> int:
        """How many are declared."""
        return len(self._declared)

    def all(self) -> tuple[Feature, ...]:
        """All features in the order of their places. ValueError if two have one name."""
        refuse_twice(self._what, (feature.name for feature in self._declared))
        return tuple(self._declared)
