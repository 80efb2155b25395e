"""Faults in the value of a field, as validators of pydantic models raise them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import PydanticCustomError

from wallsim.escaping import escaped
from wallsim.rules.setup_edits import Fault

_HUGE_NUMBER = "a number with hundreds of digits"


def refuse_value(faults: Sequence[Fault]) -> None:
    """Raise the error for these faults, if there are any: key below the field, value or None, text."""
    # Python does not convert integers of more than 4300 digits, and pydantic prints all values of an error; nor does it
    # take halves of characters, which names of files may have.
    if faults:
        printable = [
            (key, _HUGE_NUMBER if isinstance(value, int) and value.bit_length() > 1000 else value, text)
            for key, value, text in faults
        ]
        summary = escaped("; ".join(text for _, _, text in faults))
        raise PydanticCustomError("wallsim", "{summary}", {"summary": summary, "faults": printable})
