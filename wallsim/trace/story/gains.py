"""What a seat receives, in words: Thalers, grain, armies in the tray and victory points (B0.6, E6, L1)."""

from __future__ import annotations

from wallsim.trace.story.replayed_state import ReplayedState
from wallsim.trace.story.vocabulary import armies, grain, some, thalers


def overflow(state: ReplayedState, seat: int, amount: int) -> str:
    """What of a gain of grain goes beyond the end of the food track (B0.6); empty if nothing does."""
    end = state.match.amount("food_track_end")
    over = state.grain[seat] + amount - end
    if state.match.ruleset.food_track != "capped" or over <= 0:
        return ""
    return f" but loses {over} beyond the food track's end at {end}"


def offer(what: str, amount: int) -> str:
    """What a card promises: `4 Thalers`, `2 armies into the tray`."""
    if what == "tray_armies":
        return f"{armies(amount)} into the tray"
    if what == "thalers":
        return thalers(amount)
    return grain(amount) if what == "grain" else some(amount, "victory point")


def gain(state: ReplayedState, seat: int, what: str, promised: int, amount: int) -> str:
    """What a card really brings, a clause with `it` for the seat, from the state before it."""
    if what == "tray_armies":
        short = "" if amount == promised else f", all that are left of the {promised} due"
        if amount == 0:
            return "it has no army in its supply to put into the tray"
        return f"it puts {armies(amount)} from its supply into the tray{short}"
    text = f"it gets {offer(what, amount)}"
    return text + (overflow(state, seat, amount) if what == "grain" else "")
