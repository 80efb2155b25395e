"""Player order in words: bids, who chooses first, and which place and tile each seat takes; or lots (B4, V1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from wallsim.trace.match import Match
from wallsim.trace.story.replayed_state import Line, ReplayedState
from wallsim.trace.story.vocabulary import (
    actor,
    listing,
    seats_named,
    sentence,
    thalers,
    tile_text,
)

Pick = tuple[int, int, str]  # seat, box, tile


def auction_story(match: Match, state: ReplayedState, tiles: Sequence[str], line: Line) -> str:
    """Bids, places and tiles in the order of choosing; `tiles` lie on the boxes, the state has the bids."""
    text = []
    for _, equals in groupby(line["picks"], key=lambda pick: _rank(state, pick[0], line["paid"][pick[0]])):
        text += _group(match, state, line["paid"], list(equals))
    taken = {box for _, box, _ in line["picks"]}
    left = [f"place {box} with {tile_text(match, tile)}" for box, tile in enumerate(tiles, 1) if box not in taken]
    if left:
        text.append(f"nobody takes {listing(left)}")
    order = [seat for _, seat in sorted((box, seat) for seat, box, _ in line["picks"])]
    text.append(f"so they play in the order of {seats_named(order)}")
    return " ".join(map(sentence, text))


def lots_story(state: ReplayedState) -> str:
    """The player order of the first edition, from the state that has read it (V1)."""
    return sentence(f"lots give the order of {seats_named(state.order)}")


def _rank(state: ReplayedState, seat: int, paid: int) -> tuple[int, int]:
    """What decides the order of choosing (B4.2): money, then county cards, then money 0, then no card."""
    card = state.bid[seat]
    return paid, 0 if card is None else 2 if card.startswith("county:") and not paid else 1


def _bid(state: ReplayedState, seat: int, paid: int) -> str:
    card = state.bid[seat]
    if card is None:
        return "has no card to bid"
    if card.startswith("county:"):
        return f"bids the card of {card.partition(':')[2]}"
    if card == "tower":
        return "bids a dice-tower card, that is nothing,"
    return f"bids {thalers(paid)}" if paid else "bids nothing"


def _group(match: Match, state: ReplayedState, paid: Sequence[int], picks: Sequence[Pick]) -> list[str]:
    """The clauses of seats of equal bids: lots decide who of them chooses first."""
    takes = [f"takes place {box} with {tile_text(match, tile)}" for _, box, tile in picks]
    if len(picks) == 1:
        seat = picks[0][0]
        return [f"{actor(match, seat)} {_bid(state, seat, paid[seat])} and {takes[0]}"]
    chosen = [seat for seat, _, _ in picks]
    card = state.bid[chosen[0]] or ""
    if card.startswith("county:"):
        cards = listing((state.bid[seat] or "").partition(":")[2] for seat in chosen)
        bid = f"bid county cards ({cards})"
    elif card:
        bid = f"bid {thalers(paid[chosen[0]])} each" if paid[chosen[0]] else "bid nothing"
    else:
        bid = "have no card to bid"
    clauses = [f"{actor(match, seat)} {take}" for seat, take in zip(chosen, takes, strict=True)]
    return [f"{seats_named(chosen)} {bid} and choose in this order by lot: {listing(clauses)}"]
