"""Quoting values of files and options in messages, and reading the whole numbers among their texts."""

from __future__ import annotations

import json
import re
from typing import Any

_MAX_CHARACTERS = 200  # longest quotation of an invalid value in a message
_MAX_TEXT = 100  # longest number that is read


def shown(value: Any) -> str:
    """A value of a file as it is quoted in messages: cut off if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python does not convert integers of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 3]}..."


def whole_number(text: str) -> int | str:
    """A text as a whole number; a text that is not one, or is far too long, is returned unchanged for validation."""
    return int(text) if len(text) <= _MAX_TEXT and re.fullmatch(r"-?[0-9]+(_[0-9]+)*", text) else text
