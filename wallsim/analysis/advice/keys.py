"""What is said of the numbers that advice is asked with, once: for options and parameters."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.experiment.keys import Key, decimal_key, number_key, shown

PRECISION, MOST_TABLES = 2.0, 20_000  # points of wins, and dealt tables
ADVICE_KEYS = {
    "precision": decimal_key(
        0.1, 50, 2, metavar="POINTS", help="Half the width of the widest interval that is wanted, in points of wins."
    ),
    "tables": number_key(
        2, 1_000_000, MOST_TABLES, metavar="N", help="Dealt tables at most that judge the plans of a kind of play."
    ),
    "minutes": decimal_key(
        0.01, 10_000, None, metavar="MIN", help="Judge on no further tables after so many minutes.  [default: none]"
    ),
    "seed": number_key(0, 2**31, 1, metavar="N", help="Seed of the dealt tables."),
}


def checked_number(name: str, value: object) -> None:
    """InputError unless the value of a parameter is a number within the bounds of its key, or is None like it."""
    key: Key = ADVICE_KEYS[name]
    assert key.least is not None
    assert key.most is not None
    kinds = int if key.read == "number" else int | float
    if value is None and key.default is None:
        return
    if isinstance(value, bool) or not isinstance(value, kinds) or not key.least <= value <= key.most:
        raise InputError(f"{name}: {shown(value)} is not {key.allowed}")
