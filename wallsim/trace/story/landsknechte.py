"""The Landsknechte in words: who holds counties in enough regions, and what its card brings (L)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.trace.match import Match
from wallsim.trace.story.gains import gain
from wallsim.trace.story.paragraph import Paragraph
from wallsim.trace.story.replayed_state import Line, ReplayedState
from wallsim.trace.story.vocabulary import actor, in_letters, sentence


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
