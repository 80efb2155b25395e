"""The scenarios of a part of the study `events`, played at every table with every number of players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import Lines, scenarios_played
from wallsim.studies.scope import Scope, sizes_of
from wallsim.studies.study import Storage

from .cards import EXPERIMENT


def played_everywhere(
    scope: Scope,
    tables: Scope,
    scenarios: Mapping[str, Lines],
    count: Callable[[Games], Mapping[str, np.ndarray]],
    counted: str,
    storage: Storage,
) -> Iterator[tuple[tuple[int, Cell], dict[str, Counted]]]:
    """The counts of all scenarios, with the number of players and the table; `tables` are those of this part."""
    for players in sizes_of(scope):
        for table in tables.tables:
            played = scenarios_played(
                EXPERIMENT, table, scenarios, tables.baseline, count,
                players=players, seasons=True, workers=storage.workers, cache=storage.cache, counted=counted,
            )  # fmt: skip
            yield (players, table), dict(played)
