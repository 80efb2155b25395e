"""A battle before it is fought: who adds how many cubes, and what lies in tray and tower already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wallsim.rules.terms import ARMIES_PER_PLAYER, MAX_PLAYERS, PEASANT_ARMIES

KINDS = ("player", "neutral", "revolt")


class Cubes(NamedTuple):
    """Cubes by what their colour does in a battle; `others` belong to the players who do not fight."""

    attacker: int = 0
    defender: int = 0
    peasants: int = 0
    others: int = 0


NOTHING = Cubes()
# What the box has by role (B0.2); nobody but attacker and defender are at most three more players.
_BOX = Cubes(ARMIES_PER_PLAYER, ARMIES_PER_PLAYER, PEASANT_ARMIES, (MAX_PLAYERS - 2) * ARMIES_PER_PLAYER)


class Decision(NamedTuple):
    """Who wins, by what lies in the tray: boolean and integer arrays of one form."""

    win: np.ndarray
    tie: np.ndarray
    lose: np.ndarray
    attackers_left: np.ndarray  # armies that the attacker puts into the county
    defenders_left: np.ndarray  # armies that the defender puts back


@dataclass(frozen=True)
class Battle:
    """A battle for a county (B6.1 to B6.4), with all that goes into the tower.

    `attackers` and `defenders` are the cubes that the sides add. The defenders of a neutral county are peasants, as are
    the attackers of a revolt, whose defender is the county's owner; the other colour named in `tray` and `tower` then
    just lies there. `peasants_join` says whether the tray's peasants fight for a player's county: they do unless it
    has a revolt marker (B6.6), in the first edition two (V6). ValueError, naming field, value and what is allowed, for
    numbers that no box of cubes has.
    """

    attackers: int
    defenders: int
    kind: str = "player"  # one of KINDS
    peasants_join: bool = True
    tray: Cubes = NOTHING  # before the battle
    tower: Cubes = NOTHING

    def __post_init__(self) -> None:
        faults = self._faults()
        if faults:
            raise ValueError("; ".join(faults))

    def engaged(self) -> Cubes:
        """The cubes that the two sides add, by role."""
        if self.kind == "neutral":
            return Cubes(attacker=self.attackers, peasants=self.defenders)
        if self.kind == "revolt":
            return Cubes(defender=self.defenders, peasants=self.attackers)
        return Cubes(attacker=self.attackers, defender=self.defenders)

    def thrown(self) -> Cubes:
        """All that goes into the tower: the tray and what the sides add (B6.1)."""
        return Cubes(*(sum(pair) for pair in zip(self.tray, self.engaged(), strict=True)))

    def decide(self, attackers: np.ndarray, defenders: np.ndarray, peasants: np.ndarray) -> Decision:
        """Who wins if so many cubes of each kind lie in the tray afterwards (B6.5 to B6.10); arrays of one form.

        In a revolt to win means for the peasants to have the majority; the county is lost in a tie as well (B6.10).
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

    def _faults(self) -> list[str]:
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
        faults = [
            f"{name}: {value!r} is not a whole number from {low} to {high}"
            for name, value, low, high in bounds
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high
        ]
        if faults:
            return faults
        there = zip(Cubes._fields, self.engaged(), self.tray, self.tower, _BOX, strict=True)
        return [
            f"{role}: {added} added, {tray} in the tray and {tower} in the tower are more than the {box} that there are"
            for role, added, tray, tower, box in there
            if added + tray + tower > box
        ]
