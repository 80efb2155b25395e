"""A battle before it is fought: the cubes that both sides add, and the cubes already in tray and tower."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wallsim.rules.terms import ARMIES_PER_PLAYER, MAX_PLAYERS, PEASANT_ARMIES

KINDS = ("player", "neutral", "revolt")


class Cubes(NamedTuple):
    """Cubes by the role of their colour in a battle; `others` belong to the players who do not fight."""

    attacker: int = 0
    defender: int = 0
    peasants: int = 0
    others: int = 0


NOTHING = Cubes()
# The cubes in the box by role (B0.2); besides attacker and defender there are at most three more players.
_BOX = Cubes(ARMIES_PER_PLAYER, ARMIES_PER_PLAYER, PEASANT_ARMIES, (MAX_PLAYERS - 2) * ARMIES_PER_PLAYER)


class Decision(NamedTuple):
    """The result of battles, by the cubes in the tray: boolean and integer arrays of the same shape."""

    win: np.ndarray
    tie: np.ndarray
    lose: np.ndarray
    attackers_left: np.ndarray  # armies that the attacker puts into the county
    defenders_left: np.ndarray  # armies that the defender puts back


@dataclass(frozen=True)
class Battle:
    """A battle for a county (B6.1 to B6.4), with all that goes into the tower.

    `attackers` and `defenders` are the cubes that the sides add. The defenders of a neutral county are peasants, as are
    the attackers of a revolt, whose defender is the county's owner; cubes of the other colour in `tray` and `tower`
    then have no effect. `peasants_join` is whether the peasants in the tray fight for a player's county: they do unless
    it has a revolt marker (B6.6), in the first edition two (V6). ValueError, naming field, value and what is allowed,
    for more cubes than the box has.
    """

    attackers: int
    defenders: int
    kind: str = "player"  # one of KINDS
    peasants_join: bool = True
    tray: Cubes = NOTHING  # before the battle
    tower: Cubes = NOTHING

    def __post_init__(self) -> None:
        errors = self._errors()
        if errors:
            raise ValueError("; ".join(errors))

    def engaged(self) -> Cubes:
        """The cubes added by the two sides, by role."""
        if self.kind == "neutral":
            return Cubes(attacker=self.attackers, peasants=self.defenders)
        if self.kind == "revolt":
            return Cubes(defender=self.defenders, peasants=self.attackers)
        return Cubes(attacker=self.attackers, defender=self.defenders)

    def thrown(self) -> Cubes:
        """All cubes thrown into the tower: those in the tray and those added by the sides (B6.1)."""
        return Cubes(*(sum(pair) for pair in zip(self.tray, self.engaged(), strict=True)))

    def decide(self, attackers: np.ndarray, defenders: np.ndarray, peasants: np.ndarray) -> Decision:
        """Who wins with these numbers of cubes in the tray afterwards (B6.5 to B6.10); arrays of the same shape.

        In a revolt `win` means that the peasants have the majority; the county is lost in a tie as well (B6.10).
        """
        if self.kind == "revolt":
            balance, own = peasants - defenders, defenders
        elif self.kind == "neutral":
            balance, own = attackers - peasants, np.zeros_like(peasants)
        else:
            balance, own = attackers - defenders - (peasants if self.peasants_join else 0), defenders
        win = balance > 0
        # Peasants alone cannot hold a player's county (B6.8), but a neutral one they can (B6.9).
        lose = (balance < 0) & ((own > 0) | (self.kind == "neutral"))
        armies = np.zeros_like(balance) if self.kind == "revolt" else balance
        return Decision(win, ~win & ~lose, lose, np.where(win, armies, 0), np.where(lose, np.minimum(own, -balance), 0))

    def _errors(self) -> list[str]:
        if self.kind not in KINDS:
            return [f"kind: {self.kind!r} is not one of {', '.join(KINDS)}"]
        attackers = (0, PEASANT_ARMIES) if self.kind == "revolt" else (1, ARMIES_PER_PLAYER)
        defenders = (0, PEASANT_ARMIES) if self.kind == "neutral" else (1, ARMIES_PER_PLAYER)
        bounds: list[tuple[str, Any, int, int]] = [
            ("attackers", self.attackers, *attackers),
            ("defenders", self.defenders, *defenders),
        ]
        for place in ("tray", "tower"):
            cubes: Cubes = getattr(self, place)
            bounds += [(f"{place}.{role}", getattr(cubes, role), 0, getattr(_BOX, role)) for role in Cubes._fields]
        errors = [
            f"{name}: {value!r} is not a whole number from {low} to {high}"
            for name, value, low, high in bounds
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high
        ]
        if errors:
            return errors
        there = zip(Cubes._fields, self.engaged(), self.tray, self.tower, _BOX, strict=True)
        return [
            f"{role}: {added} added, {tray} in the tray and {tower} in the tower are more than the {box} in the box"
            for role, added, tray, tower, box in there
            if added + tray + tower > box
        ]
