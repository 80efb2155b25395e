"""The cards of a board in words, and its numbers that the rulebook does not state: assumed, or of another source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wallsim.rules.board_cards import ASSUMED
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import ASSUMED as ASSUMED_LINEUP
from wallsim.rules.setup_edits import lineup_of
from wallsim.rules.terms import BENEFITS

if TYPE_CHECKING:
    from wallsim.rules.board import Board

RULEBOOK = "rulebook"
FAVOR, LANDSKNECHT = "favor", "Landsknechte card"  # what cards are
_AMOUNTS = {  # in words, for one and for more
    "thalers": ("Thaler", "Thalers"),
    "tray_armies": ("army for the tray", "armies for the tray"),
    "grain": ("grain", "grain"),
    "victory_points": ("victory point", "victory points"),
    "calm": ("revolt marker off", "revolt markers off"),
    "free_armies": ("free army", "free armies"),
}


def assumed_figures(board: Board, ruleset: Ruleset) -> list[str]:
    """The assumed numbers that a game uses: armies of its line-ups, and cards of its expansions (B1.3, E6, L1)."""
    lineups = [
        f"line-up {letter}: {board.counties[group.county]} with {group.armies} armies"
        for letter in ruleset.letters()
        if letter
        for group in lineup_of(board, ruleset, letter)
        if group.source == ASSUMED_LINEUP
    ]
    cards = [
        f"{kind} {number}: {figures}"
        for kind, number, figures, provenance in _cards(board, ruleset)
        if ASSUMED in provenance
    ]
    return lineups + cards


def assumed_cards(board: Board, ruleset: Ruleset) -> dict[str, list[int]]:
    """The numbers of the expansions' cards in play whose figures are assumed, under FAVOR and LANDSKNECHT (E6, L1)."""
    result: dict[str, list[int]] = {}
    for kind, number, _, provenance in _cards(board, ruleset):
        if ASSUMED in provenance:
            result.setdefault(kind, []).append(number)
    return result


def other_sources(board: Board, ruleset: Ruleset) -> list[str]:
    """Sources of the expansions' cards in play whose figures are neither stated by the rulebook nor assumed."""
    result: dict[tuple[str, str], list[int]] = {}
    for kind, number, _, provenance in _cards(board, ruleset):
        if provenance != RULEBOOK and ASSUMED not in provenance:
            result.setdefault((kind, provenance), []).append(number)
    return [
        f"{kind}{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}: {provenance}"
        for (kind, provenance), numbers in result.items()
    ]


def _cards(board: Board, ruleset: Ruleset) -> Iterator[tuple[str, int, str, str]]:
    # What it is, its number, its figures in words, and where they come from, in the order of the numbers.
    if "court" in ruleset.expansions:
        for card in sorted(board.favors, key=lambda card: card["number"]):
            yield FAVOR, card["number"], _favor(card), card["provenance"]
    if "landsknechte" in ruleset.expansions:
        for card in sorted(board.landsknechte, key=lambda card: card["card"]):
            figures = [_amount(benefit, card[benefit]) for benefit in BENEFITS if card[benefit]]
            yield LANDSKNECHT, card["card"], ", ".join(figures) or "nothing", card["provenance"]


def _favor(card: dict[str, Any]) -> str:
    kind, value = card["kind"], card["value"]
    if kind in _AMOUNTS:
        return _amount(kind, value)
    if kind == "free_building":
        return f"a free {value.replace('_', ' ')}"
    return f"no attack by combat {value}" if kind == "no_attack" else "the event cancelled"


def _amount(kind: str, amount: int) -> str:
    return f"{amount} {_AMOUNTS[kind][amount != 1]}"


_LIMIT = re.compile(r"(tax|grain)_(max|min)_(\d+)")
_YIELDS, _ENDS = {"tax": "taxes", "grain": "grain"}, {"max": "at most", "min": "at least"}


def event_words(card: str) -> str:
    """A card in words: `taxes of at most 5`, `church peace 3`, whose number is the grain that it takes in winter."""
    limit = _LIMIT.fullmatch(card)
    if limit is None:
        return card.replace("_", " ")
    what, end, amount = limit.groups()
    return f"{_YIELDS[what]} of {_ENDS[end]} {amount}"
