"""The keys of an experiment that make its ruleset: expansions, switches, and edits of set-up and numbers.

The edits are `thalers`, `without`, `lineup` and `amounts`. `lineup.LETTER` is a list of counties, `replace` with such a
list, or `exchange`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationInfo

from wallsim.experiment.errors import refuse_value
from wallsim.experiment.keys import ALL_EXPANSIONS, EXPERIMENT_KEYS
from wallsim.rules.amounts import PRINTED, amount_errors, fixed_words, start_thalers_name
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.rules.setup_edits import Problem, setup_errors, size_differences
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import EXPANSIONS

if TYPE_CHECKING:
    from wallsim.rules.board import Board

# Fields of the ruleset that are top-level keys of an experiment; the others but for the edits are switches.
TOP_LEVEL_RULES = ("players", "setup", "lineups", "edition", "expansions")
SWITCH_NAMES = tuple(name for name in FIELD_NAMES if name not in TOP_LEVEL_RULES)
SETUP_KEYS = ("thalers", "without", "lineup")
EDIT_KEYS = ("amounts", *SETUP_KEYS)  # part of an identity only where they change something
REPLACE, EXCHANGE = "replace", "exchange"
_EXAMPLE = '{ Tirol = "Burgund" }; names with dots, blanks or letters other than A to Z need quotes, "Hm. Paderborn"'


def ruleset_of(values: Mapping[str, Any]) -> Ruleset:
    """The ruleset of the validated values of an experiment; of `EDIT_KEYS` some may be missing."""
    named = sorted((values.get("amounts") or {}).items())
    amounts = tuple((name, number) for name, number in named if number != PRINTED.get(name))
    plain = Ruleset(**{name: values[name] for name in TOP_LEVEL_RULES}, **values["rules"], amounts=amounts)
    lineups = values.get("lineup") or {}
    return replace(
        plain,
        thalers=tuple(
            (name, amount)
            for name, amount in sorted((values.get("thalers") or {}).items())
            if amount != plain.amount(start_thalers_name(plain.players))
        ),
        without=tuple(values.get("without") or ()),
        lineup_edits=tuple((letter, tuple(groups.items())) for letter, groups in sorted(lineups.items())),
    )


def bound_errors(amounts: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with a table of amounts by itself: unknown names, and numbers that are out of bounds."""
    return [(name, value, f"is not {allowed}") for name, value, allowed in amount_errors(amounts.items())]


def board_of(values: Mapping[str, Any]) -> Board:
    """The board that the values of an experiment name."""
    from wallsim.rules.board import load_board

    return load_board(Path(values["board"]) if values["board"] else None)


def edit_errors(values: Mapping[str, Any], key: str) -> list[Problem]:
    """What is wrong with one of `EDIT_KEYS` among the values of an experiment; places are those below the key."""
    ruleset = ruleset_of(values)
    errors: list[Problem] = []
    for place, value, text in setup_errors(board_of(values), ruleset):
        name, _, below = place.partition(".")
        if name == key:
            errors.append((below, value, text))
    return errors


def expansion_names(value: Any) -> tuple[str, ...]:
    """The expansions of a valid value in their order."""
    named = EXPANSIONS if value == ALL_EXPANSIONS else _listed(value) or []
    return tuple(name for name in EXPANSIONS if name in named)


def expansion_errors(value: Any) -> list[tuple[str, Any, str]]:
    """Errors of a value: an empty text, the value that is wrong, and what is allowed."""
    known = ", ".join(EXPANSIONS)
    if value == ALL_EXPANSIONS:
        return []
    names = _listed(value)
    if names is None:
        return [("", value, f"is not {EXPERIMENT_KEYS['expansions'].allowed}")]
    unknown = [name for name in dict.fromkeys(names) if name not in EXPANSIONS]
    twice = [name for name in EXPANSIONS if names.count(name) > 1]
    errors: list[tuple[str, Any, str]] = [
        ("", name, f"is not one of {known}; {ALL_EXPANSIONS} must be used alone{did_you_mean(name, EXPANSIONS)}")
        for name in unknown
    ]
    return errors + [("", name, f"is named more than once; allowed are {known}, each once") for name in twice]


def _listed(value: Any) -> list[str] | None:
    # A single name is a list of one name; None for values of another type.
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return None
    return list(names)


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


def unknown_switch(key: str) -> str:
    """What is wrong with a switch that is none, and what is allowed."""
    if key in TOP_LEVEL_RULES:
        return f"unknown switch; {key} is a separate key or option"
    if fixed := fixed_words(key):
        return f"unknown switch; {key} {fixed}"
    return f"unknown switch; allowed are {', '.join(SWITCH_NAMES)}{did_you_mean(key, SWITCH_NAMES)}"


def size_warnings(values: Mapping[str, Any]) -> list[str]:
    """The line-ups of an experiment with these valid values that are not of the printed size, one line each."""
    if values["setup"] != "lineup" or not (values["lineup"] or values["without"]):
        return []  # without reading the board
    differences = size_differences(board_of(values), ruleset_of(values))
    return [f"lineup.{letter}: {difference}" for letter, difference in differences.items()]
