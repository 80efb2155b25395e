"""Errors in the values of an experiment, as lines: the source of the key, the value, and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from wallsim.errors import short
from wallsim.escaping import escaped
from wallsim.experiment.keys import shown
from wallsim.rules.amounts import fixed_words
from wallsim.rules.setup_edits import Problem
from wallsim.rules.suggestions import did_you_mean

SCENARIO_KEYS = ("scenario", "factor", "scenario_seeds")  # keys of files that hold several experiments
_HUGE_NUMBER = "a number with hundreds of digits"


def error_lines(
    error: ValidationError, values: Mapping[str, Any], place: Callable[[str], str], fields: Mapping[str, FieldInfo]
) -> list[str]:
    """All errors in the values of an experiment, one line per error.

    `place` names the source of a key's value; `fields` are those of `Experiment`.
    """
    lines = [line for problem in error.errors(include_url=False) for line in _lines(problem, values, place, fields)]
    return list(dict.fromkeys(lines))


def _lines(
    error: Any, values: Mapping[str, Any], place: Callable[[str], str], fields: Mapping[str, FieldInfo]
) -> list[str]:
    if not error["loc"]:  # a name that no text in UTF-8 can have
        return [f"{place('experiment')}: a key is not encoded in UTF-8; allowed are {', '.join(fields)}"]
    key = str(error["loc"][0])
    fixed = fixed_words(key)
    if error["type"] == "wallsim":
        return [_line(place(f"{key}.{short(inner)}" if inner else key), value, text)
                for inner, value, text in error["ctx"]["errors"]]  # fmt: skip
    if error["type"] == "extra_forbidden":
        if fixed:
            return [f"{place(key)}: {fixed}"]
        known = [*fields, *(name for name in SCENARIO_KEYS if name != key)]
        return [f"{place(short(key))}: unknown key; allowed are {', '.join(fields)}{did_you_mean(key, known)}"]
    guessed = f"; as a number of the game it {fixed}" if fixed else ""  # such as `seasons`, which is a table
    return [_line(place(key), values[key], f"is not {fields[key].description}{guessed}")]


def _line(place: str, value: Any, text: str) -> str:
    return f"{place}: {'' if value is None else shown(value) + ' '}{text}"


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
