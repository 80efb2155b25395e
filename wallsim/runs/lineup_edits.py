"""The forms of `lineup.LETTER` in an experiment: a list of counties, `replace` with such a list, or `exchange`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationInfo

from wallsim.rules.setup_edits import Problem
from wallsim.rules.suggestions import did_you_mean
from wallsim.runs.field_errors import refuse_value
from wallsim.runs.setup_keys import board_of

REPLACE, EXCHANGE = "replace", "exchange"
_EXAMPLE = '{ Tirol = "Burgund" }; names with dots, blanks or letters other than A to Z need quotes, "Hm. Paderborn"'


def whole_lineups(value: Any, info: ValidationInfo) -> Any:
    """Every edited line-up as the whole list of its counties with their armies, for the field `lineup`.

    An exchanged county gives its armies and its position to the other; counties out of play are left out, as in a
    printed line-up. Values of no known form are returned unchanged for validation. PydanticCustomError with all errors.
    """
    if not isinstance(value, Mapping) or not any(map(_forms, value.values())):
        return value
    known = info.data
    if not {"players", "board", "without"} <= known.keys():
        return {}  # what is wrong with those keys is reported; an exchange depends on them
    board, whole, errors = board_of(known), dict(value), list[Problem]()
    for letter, edit in value.items():
        forms = _forms(edit)
        if forms and len(edit) > 1:
            allowed = f"allowed are {EXCHANGE} alone, {REPLACE} alone, or counties with their armies"
            errors.append((letter, None, f"has {' and '.join(map(str, edit))}; {allowed}"))
        elif forms == [REPLACE]:
            whole[letter] = edit[REPLACE]
        elif forms:
            printed = board.lineups.get((known["players"], letter), ())
            armies = {board.counties[county]: armies for county, armies, _ in printed}
            whole[letter], wrong = _exchanged(letter, armies, edit[EXCHANGE], known["without"])
            errors += wrong
    refuse_value(errors)
    return whole


def _forms(edit: Any) -> list[str]:
    # A county of a custom board may have one of these names, but its value is a number.
    if not isinstance(edit, Mapping):
        return []
    return [form for form in (EXCHANGE, REPLACE) if form in edit and not isinstance(edit[form], int)]


def _exchanged(
    letter: str, printed: Mapping[str, int], exchange: Any, without: tuple[str, ...]
) -> tuple[dict[str, int], list[Problem]]:
    place = f"{letter}.{EXCHANGE}"
    if not isinstance(exchange, Mapping) or not exchange or not all(isinstance(new, str) for new in exchange.values()):
        text = f"is not a table of printed counties, each with the one in its place, such as {_EXAMPLE}"
        return {}, [(place, exchange, text)]
    if not printed:
        return {}, []  # there is no such line-up, which the ruleset says
    errors: list[Problem] = [
        (
            f"{place}.{old}",
            None,
            f"is not a county of line-up {letter}: {', '.join(printed)}{did_you_mean(old, printed)}",
        )
        for old in exchange
        if old not in printed
    ]
    groups = [
        (exchange.get(county, county), armies)
        for county, armies in printed.items()
        if county in exchange or county not in without
    ]
    names = [name for name, _ in groups]
    errors += [
        (f"{place}.{old}", new, f"is in line-up {letter} twice then; a county is in one line-up once")
        for old, new in exchange.items()
        if names.count(new) > 1
    ]
    return dict(groups), errors
