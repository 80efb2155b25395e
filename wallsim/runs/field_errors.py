"""Errors in the value of a field, as validators of pydantic models raise them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import PydanticCustomError

from wallsim.escaping import escaped
from wallsim.rules.setup_edits import Problem

_HUGE_NUMBER = "a number with hundreds of digits"


def refuse_value(errors: Sequence[Problem]) -> None:
    """Raise one error that lists these errors, if there are any: key below the field, value or None, text."""
    # Python does not convert integers of more than 4300 digits, and pydantic prints all values of an error; nor does it
    # take halves of characters, which names of files may have.
    if errors:
        printable = [
            (key, _HUGE_NUMBER if isinstance(value, int) and value.bit_length() > 1000 else value, text)
            for key, value, text in errors
        ]
        summary = escaped("; ".join(text for _, _, text in errors))
        raise PydanticCustomError("wallsim", "{summary}", {"summary": summary, "errors": printable})
