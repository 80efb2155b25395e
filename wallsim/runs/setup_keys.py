"""The keys of an experiment that edit set-up and numbers: `thalers`, `without`, `lineup`, `amounts`, in a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.rules.amounts import PRINTED, amount_errors, start_thalers_name
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import Problem, setup_errors

if TYPE_CHECKING:
    from wallsim.rules.board import Board

# Fields of the ruleset that are top-level keys of an experiment; the others but for the edits are switches.
TOP_LEVEL_RULES = ("players", "setup", "lineups", "edition", "expansions")
SETUP_KEYS = ("thalers", "without", "lineup")
EDIT_KEYS = ("amounts", *SETUP_KEYS)  # part of an identity only where they change something


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
