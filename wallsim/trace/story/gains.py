"""What a seat receives, in words: Thalers, grain, armies in the tray and victory points (B0.6, E6),
and what the Landsknechte bring (L1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.trace.match import Match
from wallsim.trace.story.replayed_state import Line, ReplayedState
from wallsim.trace.story.vocabulary import Paragraph, actor, armies, grain, in_letters, sentence, some, thalers


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


def landsknechte_story(match: Match, state: ReplayedState, lines: Sequence[Line]) -> Iterator[str]:
    """The benefits of a season in player order (L1). Brings the state up to date."""
    paid = {line["seat"]: line for line in lines}
    needed = match.amount("landsknechte_regions")
    regions = "a region" if needed == 1 else f"{in_letters(needed)} regions"
    entitled = [seat for seat in state.order if _regions(match, state, seat) >= needed]
    if not entitled:
        yield f"No seat holds counties in {regions}, so no Landsknechte come."
        return
    heading = f"Landsknechte come to whoever holds counties in {regions} or more:"
    yield Paragraph(lines[0], heading) if lines else heading
    for seat in entitled:
        text = actor(match, seat)
        if seat not in paid:
            yield "- " + sentence(f"{text} turns a card that offers nothing it could get")
            continue
        line = paid[seat]
        card = next(card for card in match.board.landsknechte if card["card"] == line["card"])
        brought = gain(state, seat, line["benefit"], card[line["benefit"]], line["amount"])
        yield Paragraph(line, "- " + sentence(f"{text} turns its card {line['card']}: {brought}"))
        state.read(line)


def _regions(match: Match, state: ReplayedState, seat: int) -> int:
    board = match.board
    return len({int(board.region[board.counties.index(county)]) for county in state.counties(seat)})
