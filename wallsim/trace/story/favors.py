"""The favors of the Emperor's Court in words: what each card promises, and what it brings (E6)."""

from __future__ import annotations

from wallsim.trace.match import Match
from wallsim.trace.story.gains import gain, offer
from wallsim.trace.story.replayed_state import Line, ReplayedState
from wallsim.trace.story.vocabulary import BUILDING, armies, some

_COMBATS = {"A": "by combat A", "B": "by combat B", "A or B": "by combat A or B"}


def favor_text(match: Match, number: int) -> str:
    """A favor's number and what it promises: `favor 9 (4 Thalers)`."""
    return f"favor {number} ({_promise(match, number)})"


def _promise(match: Match, number: int) -> str:
    favor = match.favor(number)
    kind, value = favor["kind"], favor["value"]
    if kind == "cancel_event":
        return "may cancel the event"
    if kind == "calm":
        return f"removes {_markers(value)} or wards off the next"
    if kind == "free_building":
        return f"a {BUILDING[value]} free of charge"
    if kind == "no_attack":
        return f"no attacks on its owner {_COMBATS[value]}"
    if kind == "free_armies":
        return f"{armies(value)} into an own or a neutral county"
    return offer(kind, value)


def _markers(number: int) -> str:
    return "a revolt marker" if number == 1 else f"{number} revolt markers"


def effect_story(match: Match, state: ReplayedState, line: Line) -> str:
    """What a favor brought, a clause with `it` for the seat, from the state before it."""
    seat, favor, county = line["seat"], match.favor(line["number"]), line.get("county")
    kind, value = favor["kind"], favor["value"]
    if kind == "cancel_event":
        if state.effect == "none":
            return "the event does nothing anyway" if not line["cancelled"] else "it cancels an event that does nothing"
        return "it cancels the event" if line["cancelled"] else "it lets the event stand"
    if kind == "calm":
        return _calmed(state, county, value)
    if kind == "free_building":
        return _built(line)
    if kind == "no_attack":
        return f"nobody may attack it {_COMBATS[value]} this season"
    if kind == "free_armies":
        return _sent(state, seat, county, line["amount"], value)
    return gain(state, seat, kind, value, line["amount"])


def _calmed(state: ReplayedState, county: str | None, value: int) -> str:
    if county is None:
        against = "the next revolt marker" if value == 1 else f"the next {value} revolt markers"
        return f"no revolt marker lies in its counties, so it keeps the card against {against}"
    return f"it removes {_markers(min(value, state.markers[county]))} from {county}"


def _built(line: Line) -> str:
    what = BUILDING[line["building"]]
    if line["county"] is None:
        return f"none of its counties can have a {what}, so it gets nothing"
    calmed = ", which removes a revolt marker there" if line.get("calmed") else ""
    return f"it builds a {what} in {line['county']}{calmed}"


def _sent(state: ReplayedState, seat: int, county: str | None, amount: int, value: int) -> str:
    if county is None:
        return "its supply is empty, so it gets nothing"
    few = f", all that are left of the {some(value, 'army', 'armies')} due," if amount < value else ""
    if county in state.owner:
        return f"it puts {armies(amount)}{few} into {county}".rstrip(",")
    return f"it puts {armies(amount)}{few} into {county} and takes that neutral county without a battle"
