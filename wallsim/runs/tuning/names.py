"""The names of the files of a search, and its kinds as they are in the header of a journal."""

from __future__ import annotations

RESULT, CURVE, PICTURE = "tune.json", "curve.parquet", "curve.png"
RESPONSE_RESULT = "exploit.json"  # the result of the search for a best response
TUNING, RESPONSE = "tuning", "best response"
RESULTS = {TUNING: RESULT, RESPONSE: RESPONSE_RESULT}


def names_of(name: str, file: str = RESULT) -> tuple[str, ...]:
    """The names of the files of a finished search for a policy of this name."""
    return policy_file(name), CURVE, PICTURE, file


def policy_file(name: str) -> str:
    """The name of the file of a policy."""
    return f"{name}.toml"
