"""All that the study `amounts` plays: numbers one by one, doubled gifts, the surface and the fairest numbers found."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.studies.changes import Change
from wallsim.studies.scope import Scope
from wallsim.studies.study import Storage

from .estimates import OneAtATime, doubled, identity_of_turned, one_at_a_time
from .surface import UNITS, VARIABLES, Fairness, Surface, candidates, confirm, race, sizes_of, surface


class Amounts(NamedTuple):
    """All estimates: one number at a time, doubled gifts by tile, the surface, and the numbers found, by cell."""

    turned: OneAtATime
    doubled: dict[str, list[Change]]
    surface: Surface
    found: np.ndarray
    confirmed: dict[Cell, tuple[Fairness, Fairness]]

    @property
    def scope(self) -> Scope:
        """The cells and their blocks."""
        return self.turned.scope


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    surface_facts = {"surface": VARIABLES, "sizes": sizes_of(scope), "units": UNITS}
    return {"turned": identity_of_turned(scope), **surface_facts}


def play(scope: Scope, storage: Storage) -> Amounts:
    """Turn the numbers one by one and together."""
    cell, sizes, cache, workers = scope.baseline_cell(), sizes_of(scope), storage.cache, storage.workers
    fitted = surface(cell, sizes, cache, workers)
    result = race(cell, candidates(fitted), sizes, cache, workers)
    confirmed = confirm(scope, result, cache, workers)
    twice = doubled(scope, cache, workers)
    return Amounts(one_at_a_time(scope, cache, workers), twice, fitted, result, confirmed)
