"""The cards of the draft, as the ledger tells it (B1.4)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Draft:
    """Two shown county cards and the deck, top card first."""

    shown: list[str]
    deck: list[str]

    def take(self, choice: int) -> str:
        """Take a shown card (0, 1), replaced at once, or the unknown top card (2)."""
        if choice == 2:
            return self.deck.pop(0)
        county = self.shown[choice]
        self.shown[choice] = self.deck.pop(0)
        return county

    def recycle(self) -> None:
        """Put both shown cards under the deck and show two new ones."""
        self.deck += self.shown
        self.shown = [self.deck.pop(0), self.deck.pop(0)]


def read_draft(game, counties) -> Draft:
    """The draft as it lies in a GAME record."""
    cards = [counties[card] for card in game.deck[game.deck_top : game.deck_end]]
    return Draft([counties[card] for card in game.open_card], cards)
