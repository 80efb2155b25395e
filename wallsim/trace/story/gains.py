"""What a seat receives, in words: Thalers, grain, armies in the tray and victory points (B0.6, E6, L1).

So it says what the Landsknechte bring (L1), and what the interventions of an experiment give, take or exchange.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.vocabulary import (
    Paragraph,
    actor,
    armies,
    grain,
    in_letters,
    listing,
    sentence,
    some,
    thalers,
    tile_text,
)


def overflow(state: ReplayedTable, seat: int, amount: int) -> str:
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


def gain(state: ReplayedTable, seat: int, what: str, promised: int, amount: int) -> str:
    """What a card really brings, a clause with `it` for the seat, from the state before it."""
    if what == "tray_armies":
        short = "" if amount == promised else f", all that are left of the {promised} due"
        if amount == 0:
            return "it has no army in its supply to put into the tray"
        return f"it puts {armies(amount)} from its supply into the tray{short}"
    text = f"it gets {offer(what, amount)}"
    return text + (overflow(state, seat, amount) if what == "grain" else "")


def landsknechte_story(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
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


def _regions(match: Match, state: ReplayedTable, seat: int) -> int:
    board = match.board
    return len({int(board.region[board.counties.index(county)]) for county in state.owned(seat)})


def intervention_story(match: Match, line: Line) -> str:
    """What an `intervention` line changed, as a sentence."""
    return sentence(f"the experiment intervenes: {_change(match, line)}")


def _change(match: Match, line: Line) -> str:
    do = line["do"]
    if do == "cancel_event":
        return "the event has no effect"
    if do == "trade":
        return f"{listing(line['counties'])} change owners, with as many armies as before"
    seat = actor(match, line["seat"])
    if do == "hand":
        return f"{seat} {_hand(line)}"
    if do == "place":
        return f"{seat} and seat {line['with']} trade places in the player order"
    if line["with"] is not None:
        return f"{seat} and seat {line['with']} exchange their bonus tiles"
    held = f"the tile for {tile_text(match, line['to'])}" if line["to"] else "no bonus tile"
    return f"{seat} now holds {held}"


def _hand(line: Line) -> str:
    """Gains first, then losses."""
    amounts = {
        "thalers": thalers,
        "grain": grain,
        "vp": lambda number: some(number, "victory point"),
        "armies": lambda number: f"{armies(number)} in {line['county']}",
    }
    parts = []
    for verb, sign in (("receives", 1), ("loses", -1)):
        moved = [words(sign * line[name]) for name, words in amounts.items() if sign * line[name] > 0]
        if moved:
            parts.append(f"{verb} {listing(moved)}")
    return " and ".join(parts)
