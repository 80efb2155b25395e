"""How a searching policy looks ahead: the table `[search]` of a file of kind `rollout`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from wallsim.policies.kinds import MAX_WIDTH
from wallsim.rules.spelling import did_you_mean

_THOUSANDTHS = 1000
_MAX_PLAYOUTS = 1_000_000
_ROUNDING = 1e-6  # tolerance for a decimal fraction in thousandths
# Field, lower and upper bound, whether the kernel keeps it as whole thousandths.
_NUMBERS = (
    ("width", 2, MAX_WIDTH, False),
    ("playouts", 1, _MAX_PLAYOUTS, False),
    ("spread", 0, 20, True),
    ("error", 0, 20, True),
    ("margin", 0, 1, True),
)
DEPTHS = ("year", "game")


@dataclass(frozen=True)
class Search:
    """How far and wide a search looks.

    `width`: plans that are tried. `playouts`: about how often plans are played out in all. `depth`: to the end of the
    `year` or of the `game`. `spread`: the standard deviation in VP of the largest errors of judgement with which the
    plans to be tried are made. `error`: that of the errors with which all seats judge when a plan is played out.
    `margin`: the value of a victory point ahead of the best other seat, in wins. The last three are whole thousandths.
    The weight `noise` has no effect on the plans that are tried, only on the choices within a round.
    """

    width: int = 24
    playouts: int = 256
    depth: Literal["year", "game"] = "game"
    spread: float = 1.0
    error: float = 0.5
    margin: float = 0.01

    @staticmethod
    def read(path: str, fields: Mapping[str, Any]) -> tuple[Search, list[str]]:
        """The search of a file's table, defaults where it gives nothing, and all that is wrong with it."""
        names = (*(name for name, *_ in _NUMBERS), "depth")
        faults = [
            f"{path}: search.{key}: unknown field; allowed are {', '.join(names)}{did_you_mean(key, names)}"
            for key in sorted(set(fields) - set(names))
        ]
        for name, least, most, thousandths in _NUMBERS:
            value, kinds = fields.get(name, least), int | float if thousandths else int
            if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
                what = "number" if thousandths else "whole number"
                faults.append(f"{path}: search.{name}: {value!r} is not a {what} from {least} to {most}")
            elif thousandths and abs(_THOUSANDTHS * value - round(_THOUSANDTHS * value)) > _ROUNDING:
                faults.append(f"{path}: search.{name}: {value!r} is not a whole number of thousandths")
        if fields.get("depth", "game") not in DEPTHS:
            faults.append(f"{path}: search.depth: {fields['depth']!r} is not one of {', '.join(DEPTHS)}")
        exact = {name: float(fields[name]) for name, _, _, thousandths in _NUMBERS if thousandths and name in fields}
        return (Search() if faults else Search(**{**fields, **exact})), faults

    def fields(self) -> dict[str, Any]:
        """Its fields by name."""
        return asdict(self)

    def numbers(self) -> list[int]:
        """The numbers that a MIND has of it, in the order of `record.py`."""
        inexact = (round(_THOUSANDTHS * value) for value in (self.spread, self.error, self.margin))
        return [self.width, self.playouts, DEPTHS.index(self.depth), *inexact]
