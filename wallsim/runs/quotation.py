"""Quoting values of files and options in messages."""

from __future__ import annotations

import json
from typing import Any

_MAX_CHARACTERS = 200  # longest quotation of an invalid value in a message


def shown(value: Any) -> str:
    """A value of a file as it is quoted in messages: cut off if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python does not convert integers of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 3]}..."
