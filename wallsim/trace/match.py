"""A match: what is needed besides the log of a game to translate its numbers into names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wallsim.rules.board import Board
from wallsim.rules.intervention_step import Step
from wallsim.rules.other_settings import other_settings_of
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import ASSUMED, lineup_of
from wallsim.rules.terms import EFFECTS, MONEY, PEASANTS, TOWER_CARD
from wallsim.rules.tower import TowerModel


@dataclass(frozen=True)
class Match:
    """One game of a run: board, rules, tower, seed, the policy of each seat and the game's number."""

    board: Board
    ruleset: Ruleset
    tower: TowerModel
    seed: int
    policies: tuple[str, ...]
    number: int
    interventions: tuple[Step, ...] = ()

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.ruleset.players

    def settings(self) -> list[str]:
        """What is not the default: board, tower, edition, rules, amounts, line-ups and interventions, in words."""
        return other_settings_of(self.ruleset, self.board, self.tower, self.interventions)

    def county(self, county: int) -> str | None:
        """The name of a county; None for -1."""
        return self.board.counties[county] if county >= 0 else None

    def card(self, card: int) -> str | None:
        """A card as traces write it; None for an uncovered box.

        `county:NAME`, `money:V`, in the first edition `blank` in its place, or `tower` for a dice-tower card.
        """
        if card < 0:
            return None
        if card < MONEY:
            return f"county:{self.board.counties[card]}"
        if card == TOWER_CARD:
            return "tower"
        return "blank" if self.ruleset.edition == "1e" else f"money:{card - MONEY}"

    def plays(self, expansion: str) -> bool:
        """Whether an expansion is in play."""
        return expansion in self.ruleset.expansions

    def amount(self, name: str) -> int:
        """The number that is played with for an amount of the rules, by its name."""
        return self.ruleset.amount(name)

    def effect(self, event: str) -> str:
        """What an event does, by the event's name."""
        return EFFECTS[self.board.event_effect[self.board.events.index(event)]]

    def favor_prices(self) -> list[int]:
        """The courtiers that the spaces of the display cost, dearest first, as many as there are favors shown (E2)."""
        prices = [self.amount(f"favor_price_{place}") for place in ("first", "second", "third")]
        return prices[: self.amount("favors_shown")]

    def favor(self, number: int) -> dict[str, Any]:
        """The row of a favor card: number, kind, value and provenance (E6)."""
        return next(favor for favor in self.board.favors if favor["number"] == number)

    def cubes(self, counts: Sequence[int]) -> dict[str, int]:
        """Cubes as an object keyed by seat, plus `peasants`; `counts` has a number for each colour."""
        seats = {str(seat): int(counts[seat]) for seat in range(self.players)}
        return {**seats, "peasants": int(counts[PEASANTS])}

    def is_assumed(self, seat: int, county: int) -> bool:
        """Whether the board's files mark this county of the seat's line-up as assumed (B1.3)."""
        groups = lineup_of(self.board, self.ruleset, self.ruleset.letters()[seat])
        return any(group.county == county and group.source == ASSUMED for group in groups)
