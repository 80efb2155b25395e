"""The Emperor's Court in words: favors on offer, petitions for courtiers, and the audience (E)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.gains import gain, offer
from wallsim.trace.story.vocabulary import (
    BUILDING,
    Paragraph,
    actor,
    armies,
    courtiers,
    listing,
    seats_named,
    sentence,
    some,
)


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
        return f"no attacks on its owner by combat {value}"
    if kind == "free_armies":
        return f"{armies(value)} into an own or a neutral county"
    return offer(kind, value)


def _markers(number: int) -> str:
    return "a revolt marker" if number == 1 else f"{number} revolt markers"


def effect_story(match: Match, state: ReplayedTable, line: Line) -> str:
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
        return f"nobody may attack it by combat {value} this season"
    if kind == "free_armies":
        return _sent(state, seat, county, line["amount"], value)
    return gain(state, seat, kind, value, line["amount"])


def _calmed(state: ReplayedTable, county: str | None, value: int) -> str:
    if county is None:
        against = "the next revolt marker" if value == 1 else f"the next {value} revolt markers"
        return f"no revolt marker lies in its counties, so it keeps the card against {against}"
    return f"it removes {_markers(min(value, state.at(county)['markers']))} from {county}"


def _built(line: Line) -> str:
    what = BUILDING[line["building"]]
    if line["county"] is None:
        return f"none of its counties can have a {what}, so it gets nothing"
    calmed = ", which removes a revolt marker there" if line.get("calmed") else ""
    return f"it builds a {what} in {line['county']}{calmed}"


def _sent(state: ReplayedTable, seat: int, county: str | None, amount: int, value: int) -> str:
    if county is None:
        return "its supply is empty, so it gets nothing"
    few = f", all that are left of the {some(value, 'army', 'armies')} due," if amount < value else ""
    if county in state.counties:
        return f"it puts {armies(amount)}{few} into {county}".rstrip(",")
    return f"it puts {armies(amount)}{few} into {county} and takes that neutral county without a battle"


def display_story(match: Match, line: Line) -> str:
    """The favors of a `round` line with their prices; all know them while they plan (E2)."""
    shown = zip(line["favors"], match.favor_prices(), strict=True)
    offers = listing(f"{favor_text(match, number)} for {price}" for number, price in shown)
    return sentence(f"at court, courtiers can buy {offers}")


def petitions_story(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
    """What every seat gave up for courtiers, or asked in vain (E4). Brings the state up to date."""
    if lines:
        yield Paragraph(lines[0], "Petitions at court:")
    for seat in state.order:
        own = [line for line in lines if line["seat"] == seat]
        given, failed = [], []
        for line in own:
            if line["done"]:
                given.append(line)
            else:
                failed.append(f"{_what(line)}: {_obstacle(state, line)}")
            state.read(line)
        text = []
        if given:
            number = sum(line["box"] for line in given)
            text.append(f"{actor(match, seat)} gives up {listing(map(_what, given))}")
            text[0] += f" for {courtiers(number)} and has {state.hall[seat]} in the hall"
        if failed:
            who = "it" if given else actor(match, seat)
            text.append(f"{who} cannot give up {'; nor '.join(failed)}")
        if text:
            yield Paragraph(own[-1], "- " + " ".join(map(sentence, text)))
    silent = [seat for seat in state.order if all(line["seat"] != seat for line in lines)]
    if not lines:
        yield "No seat petitions the court."
    elif silent:
        yield "- " + sentence(f"{seats_named(silent)} {'asks' if len(silent) == 1 else 'ask'} for nothing")


def _what(line: Line) -> str:
    """What a petition gives for its courtiers."""
    if line["card"] == "tower":
        return f"{armies(line['box'])} in the tray"
    return f"{armies(line['box'])} of {line['card'].partition(':')[2]}"


def _obstacle(state: ReplayedTable, line: Line) -> str:
    """Why a petition was not carried out, from the state at that time (E4)."""
    seat, card, wanted = line["seat"], line["card"], line["box"]
    if card == "tower" and state.tray[str(seat)] < wanted:
        held = state.tray[str(seat)]
        return f"{f'only {held}' if held else 'none'} of its own {'lie' if held > 1 else 'lies'} there"
    if card != "tower" and state.at(card.partition(":")[2])["armies"] <= wanted:
        held = state.at(card.partition(":")[2])["armies"]
        stay = "which has to stay" if held == 1 else "and one has to stay"
        return f"there {'is' if held == 1 else 'are'} only {held}, {stay}"
    supply = state.courtiers(seat)
    return f"its supply has {'only ' if supply else ''}{courtiers(supply)} left"


def audience_story(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
    """Who took which favor and what it brought, most courtiers first (E5, E6). Brings the state up to date."""
    order = sorted(state.order, key=lambda seat: (-state.hall[seat], state.order.index(seat)))
    taken = {line["seat"]: line for line in lines}
    waiting = [seat for seat in order if state.hall[seat] > 0]
    if waiting:
        heading = "The audience, most courtiers first:"
        yield Paragraph(lines[0], heading) if lines else heading
    else:
        yield "No seat has a courtier in the hall, so there is no audience."
    for seat in waiting:
        if seat in taken:
            yield Paragraph(taken[seat], "- " + sentence(_favor(match, state, taken[seat])))
            state.read(taken[seat])
        else:
            yield "- " + sentence(f"{actor(match, seat)} {_idle(state, seat)}")
    absent = [seat for seat in order if seat not in waiting]
    if waiting and absent:
        yield "- " + sentence(f"{seats_named(absent)} {'has' if len(absent) == 1 else 'have'} no courtier in the hall")


def _favor(match: Match, state: ReplayedTable, line: Line) -> str:
    seat, held, cost = line["seat"], state.hall[line["seat"]], line["cost"]
    paid = f"all its {cost}" if cost == held else f"{cost} of its {held}"
    return f"{actor(match, seat)} gives {paid} courtiers for favor {line['number']}: {effect_story(match, state, line)}"


def _idle(state: ReplayedTable, seat: int) -> str:
    """Why a seat with courtiers took no favor: it could not, or did not want to (E5)."""
    held = state.hall[seat]
    if not state.favors:
        return f"finds no favor left for its {courtiers(held)}"
    if min(state.favors.values()) > held:
        return f"has too few courtiers, {held}, for what is left"
    return f"keeps its {courtiers(held)} and takes no favor"


def hall_text(state: Line, seat: int) -> str:
    """Of a `state` line: a seat's courtiers in the hall and kept favors."""
    text = f"{courtiers(state['hall'][seat])} in the hall"
    kept = state["parry"][seat]
    against = "a revolt marker" if kept == 1 else some(kept, "revolt marker")
    return text + (f" and a favor kept against {against}" if kept else "")
