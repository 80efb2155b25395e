"""The pick table of the published study, as the register has it."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.studies.figure import Figures
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices

from .cells import DEAL, PLAYERS, in_cell, scope_of
from .deals import NEIGHBOURS, Ground
from .worth import PickTable

PICK, NEIGHBOUR = "pick", "neighbour"  # the quantities
_DECIMALS = 4


def read_picks(figures: Figures | None = None) -> PickTable:
    """The table of the published study, or of other figures, for the printed board with four players.

    InputError if the register has no such table.
    """
    result = read_register("draft") if figures is None else figures
    names = Ground(in_cell(scope_of(Choices()).home(DEAL))).names
    try:
        tables = (
            {name: round(result.of(quantity, name, players=PLAYERS).value, _DECIMALS) for name in each}
            for quantity, each in ((PICK, names), (NEIGHBOUR, NEIGHBOURS))
        )
        return PickTable(*tables)
    except KeyError as error:
        raise InputError(f"data/figures/draft.csv: has no {error}; play the study draft in full") from None
