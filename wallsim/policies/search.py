"""How a searching policy looks ahead: the table `[search]` of a file of kind `rollout`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from wallsim.errors import quoted, short
from wallsim.policies.kinds import MAX_ADVISERS, MAX_TABLES, MAX_WIDTH
from wallsim.rules.suggestions import did_you_mean

_THOUSANDTHS = 1000
_MAX_PLAYOUTS = 1_000_000
_ROUNDING = 1e-6  # tolerance for a decimal fraction in thousandths
# Field, lower and upper bound, whether the kernel keeps it as whole thousandths.
_NUMBERS = (
    ("width", 2, MAX_WIDTH, False),
    ("playouts", 1, _MAX_PLAYOUTS, False),
    ("tables", 1, MAX_TABLES, False),
    ("exchanges", 0, MAX_WIDTH, False),
    ("spread", 0, 20, True),
    ("error", 0, 20, True),
    ("margin", 0, 1, True),
    ("first_look", 1, MAX_TABLES, False),
    ("patience", 0, 10, True),
)
DEPTHS = ("round", "year", "game")
TO_ROUND, TO_YEAR, TO_GAME = range(len(DEPTHS))
RIVALS = ("own", "mixed")
CASTS = ("in turn", "by action")
IN_TURN, BY_ACTION = range(len(CASTS))
_WORDS = {"depth": DEPTHS, "rivals": RIVALS, "casts": CASTS}
# The fields that every identity names: those declared up to version 0.7. One declared later counts only where it
# differs from its default, so that a new field leaves every hash as it was. Nothing is ever added here.
HASHED_SEARCH = frozenset(
    ["width", "playouts", "tables", "exchanges", "depth", "rivals", "spread", "error", "margin", "candidates", "value"]
)


@dataclass(frozen=True)
class Search:
    """How far and wide a search looks.

    `width`: plans that are made by weights. `exchanges`: further ones at most, made by exchanging cards of the best.
    `playouts`: how often plans are tried in all. `tables`: how often the hidden cards are dealt, and so how often one
    plan is tried at most; a quarter of the playouts or fewer. `depth`: plans are tried to the end of the `round` (after
    fall with winter), of the `year` or of the `game`. `value`: the learned value that then says how a game stands that
    is not over; empty for none. `candidates`: policies whose weights make plans too. `rivals`: by which weights the
    others play when a plan is tried: the searcher's `own`, or `mixed`, half the time those of a candidate. `spread`:
    the standard deviation in VP of the largest errors of judgement with which plans are made; `error`: that of the
    errors with which all seats judge when a plan is tried; `margin`: the value of a victory point ahead of the best
    other seat, in wins.

    Three fields make a search faster or slower, and better or worse. `first_look`: tables on which a plan is tried
    before it may be dropped. `patience`: it is dropped when it is so many standard errors behind the best plan.
    `casts`: the random numbers of casts in a playout are drawn one after the other (`in turn`), or each action has its
    own (`by action`), so that plans that differ in one action meet the same casts in the others.

    `spread`, `error`, `margin` and `patience` are whole thousandths. The weights `noise` and `temperature` have no
    effect on the plans that are tried, only on the choices within a round.
    """

    width: int = 24
    playouts: int = 256
    tables: int = 32
    exchanges: int = 64
    depth: Literal["round", "year", "game"] = "game"
    rivals: Literal["own", "mixed"] = "own"
    spread: float = 1.0
    error: float = 0.5
    margin: float = 0.01
    candidates: tuple[str, ...] = ()
    value: str = ""
    first_look: int = 4
    patience: float = 1.0
    casts: Literal["in turn", "by action"] = "in turn"

    @staticmethod
    def read(path: str, fields: Mapping[str, Any]) -> tuple[Search, list[str]]:
        """The search of a file's table, defaults where it gives nothing, and all that is wrong with it."""
        names = (*(name for name, *_ in _NUMBERS), *_WORDS, "candidates", "value")
        errors = [
            f"{path}: search.{short(key)}: unknown field; allowed are {', '.join(names)}{did_you_mean(key, names)}"
            for key in sorted(set(fields) - set(names))
        ]
        for name, least, most, thousandths in _NUMBERS:
            value, kinds = fields.get(name, least), int | float if thousandths else int
            if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
                what = "number" if thousandths else "whole number"
                errors.append(f"{path}: search.{name}: {quoted(value)} is not a {what} from {least} to {most}")
            elif thousandths and abs(_THOUSANDTHS * value - round(_THOUSANDTHS * value)) > _ROUNDING:
                errors.append(f"{path}: search.{name}: {quoted(value)} is not a whole number of thousandths")
        for name, words in _WORDS.items():
            if fields.get(name, words[0]) not in words:
                errors.append(f"{path}: search.{name}: {quoted(fields[name])} is not one of {', '.join(words)}")
        errors += _errors_of_names(path, fields)
        exact: dict[str, Any] = {
            name: float(fields[name]) for name, _, _, thousandths in _NUMBERS if thousandths and name in fields
        }
        if "candidates" in fields and not errors:
            exact["candidates"] = tuple(fields["candidates"])
        return (Search() if errors else Search(**{**fields, **exact})), errors

    def fields(self) -> dict[str, Any]:
        """Its fields by name, in types of JSON."""
        return {**asdict(self), "candidates": list(self.candidates)}

    def identity(self) -> dict[str, Any]:
        """The fields that HASHED_SEARCH names, and of the others those that differ from their defaults."""
        default = Search().fields()
        return {name: value for name, value in self.fields().items() if name in HASHED_SEARCH or value != default[name]}

    def numbers(self) -> list[int]:
        """The numbers that a MIND has of it, in the order of `record.py`."""
        inexact = (self.spread, self.error, self.margin, self.patience)
        spread, error, margin, patience = (round(_THOUSANDTHS * value) for value in inexact)
        depth, rivals, casts = DEPTHS.index(self.depth), RIVALS.index(self.rivals), CASTS.index(self.casts)
        sizes = [self.width, self.playouts, self.tables, self.exchanges]
        return [*sizes, depth, rivals, spread, error, margin, self.first_look, patience, casts]


def _errors_of_names(path: str, fields: Mapping[str, Any]) -> list[str]:
    """What is wrong with the names of other policies and of a value; whether they exist is seen when they are read."""
    errors = []
    named, value = fields.get("candidates", ()), fields.get("value", "")
    if not isinstance(named, list | tuple) or not all(isinstance(name, str) for name in named):
        errors.append(f"{path}: search.candidates: {quoted(named)} is not a list of names of policies")
    elif len(named) > MAX_ADVISERS:
        errors.append(f"{path}: search.candidates: {len(named)} policies; at most {MAX_ADVISERS}")
    if not isinstance(value, str):
        errors.append(f"{path}: search.value: {quoted(value)} is not the name of a learned value")
    elif fields.get("depth") == DEPTHS[TO_ROUND] and not value:
        errors.append(f"{path}: search.depth: 'round' needs search.value, a learned value for what comes after it")
    return errors
