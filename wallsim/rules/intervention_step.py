"""One intervention of an experiment, and the words in its fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wallsim.rules.intervention_times import words_of

CANCELLED, ABSENT, NONE, LAST, BY_TURN, PASS = "cancelled", "absent", "none", "last", "turn", "pass"
GIFTS = ("thalers", "grain", "vp", "armies")
OF_SEAT = "of seat "


@dataclass(frozen=True)
class Step:
    """One intervention with its defaults filled in.

    `seat` is a number, a line-up's letter or "turn", None where there is none; `rounds` a mask of moments, see
    `wallsim.rules.intervention_times`; `to` an event, tile, place, number of a seat or box, by kind.
    """

    do: str
    rounds: int
    seat: int | str | None = None
    to: int | str | None = None
    card: str | None = None
    gifts: tuple[int, int, int, int] = (0, 0, 0, 0)
    counties: tuple[str, ...] = ()

    @property
    def is_null(self) -> bool:
        """Whether the step changes nothing in any game, for all that can be known without playing."""
        if self.rounds == 0 or (self.do == "hand" and not any(self.gifts)):
            return True
        return (self.do == "tile" and self.to == self.seat and isinstance(self.to, int)) or (
            self.do == "trade" and len(set(self.counties)) < 2
        )

    def words(self) -> dict[str, Any]:
        """The step as plain values, the same for every way to write it: part of a run's identity."""
        named: dict[str, Any] = {"do": self.do, "round": words_of(self.rounds)}
        if self.seat is not None:
            named["seat"] = self.seat
        if self.do == "plan":
            named |= {"box": self.to, "card": self.counties[0] if self.counties else PASS}
            return named
        if self.to is not None:
            named["to"] = f"{OF_SEAT}{self.to}" if self.do == "tile" and isinstance(self.to, int) else self.to
        if self.card is not None:
            named["card"] = self.card
        named |= {name: gift for name, gift in zip(GIFTS, self.gifts, strict=True) if gift}
        if self.counties:
            named["counties"] = list(self.counties)
        return named
