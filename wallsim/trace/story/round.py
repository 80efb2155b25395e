"""Spring, summer and fall in words: the event, the player order, the ten actions and where all stand (B2, B4, V1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from wallsim.trace.match import Match
from wallsim.trace.replayed_table import BID, Line, ReplayedTable
from wallsim.trace.story.actions import action_story, passes_story
from wallsim.trace.story.court import audience_story, display_story, hall_text, petitions_story
from wallsim.trace.story.gains import intervention_story, landsknechte_story
from wallsim.trace.story.leaders import leader_text, loss_story, moves_story, placed_story
from wallsim.trace.story.vocabulary import (
    Paragraph,
    action_text,
    actor,
    armies,
    cubes,
    event_text,
    grain,
    listing,
    present,
    seats_named,
    sentence,
    some,
    thalers,
    tile_text,
)

Pick = tuple[int, int, str]  # seat, box, tile


def auction_story(match: Match, state: ReplayedTable, tiles: Sequence[str], line: Line) -> str:
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


def lots_story(state: ReplayedTable) -> str:
    """The player order of the first edition, from the state that has read it (V1)."""
    return sentence(f"lots give the order of {seats_named(state.order)}")


def _rank(state: ReplayedTable, seat: int, paid: int) -> tuple[int, int]:
    """What decides the order of choosing (B4.2): money, then county cards, then money 0, then no card."""
    card = state.card(seat, BID)
    return paid, 0 if card is None else 2 if card.startswith("county:") and not paid else 1


def _bid(state: ReplayedTable, seat: int, paid: int) -> str:
    card = state.card(seat, BID)
    if card is None:
        return "has no card to bid"
    if card.startswith("county:"):
        return f"bids the card of {card.partition(':')[2]}"
    if card == "tower":
        return "bids a dice-tower card, that is nothing,"
    return f"bids {thalers(paid)}" if paid else "bids nothing"


def _group(match: Match, state: ReplayedTable, paid: Sequence[int], picks: Sequence[Pick]) -> list[str]:
    """The clauses of seats of equal bids: lots decide who of them chooses first."""
    takes = [f"takes place {box} with {tile_text(match, tile)}" for _, box, tile in picks]
    if len(picks) == 1:
        seat = picks[0][0]
        return [f"{actor(match, seat)} {_bid(state, seat, paid[seat])} and {takes[0]}"]
    chosen = [seat for seat, _, _ in picks]
    card = state.card(chosen[0], BID) or ""
    if card.startswith("county:"):
        cards = listing((state.card(seat, BID) or "").partition(":")[2] for seat in chosen)
        bid = f"bid county cards ({cards})"
    elif card:
        bid = f"bid {thalers(paid[chosen[0]])} each" if paid[chosen[0]] else "bid nothing"
    else:
        bid = "have no card to bid"
    clauses = [f"{actor(match, seat)} {take}" for seat, take in zip(chosen, takes, strict=True)]
    return [f"{seats_named(chosen)} {bid} and choose in this order by lot: {listing(clauses)}"]


NESTED = "   "


def year_story(match: Match, line: Line) -> Iterator[str]:
    """The four events of a year (B1.8)."""
    yield f"# Year {line['year']}"
    yield "Four events lie open. Each season draws one of them; the one left over takes grain in winter."
    for event in line["events"]:
        loss = int(match.board.event_loss[match.board.events.index(event)])
        yield f"- {sentence(event_text(match, event))} Left over, it takes {grain(loss)}."


def round_story(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
    """The paragraphs of one round; brings the state up to date."""
    opening = lines[0]
    yield Paragraph(opening, f"# {opening['season'].capitalize()} of year {opening['year']}")
    if match.plays("court"):
        yield display_story(match, opening)
    for line in lines:
        if line["t"] not in ("round", "plan", "event", "order", "intervention"):
            break
        state.read(line)
        if line["t"] == "intervention":
            yield Paragraph(line, intervention_story(match, line))
        elif line["t"] == "event":
            yield Paragraph(line, sentence(f"the event: {event_text(match, line['event'])}"))
        elif line["t"] == "order":
            first_edition = match.ruleset.edition == "1e"
            text = lots_story(state) if first_edition else auction_story(match, state, opening["tiles"], line)
            yield Paragraph(line, text)
    yield from _before_actions(match, state, lines)
    turns, moves = _sorted(lines)
    for number, action in enumerate(opening["order"], 1):
        own = [turn for turn in turns if turn.action["action"] == action]
        heading = f"{number}. {sentence(action_text(match, action))}"
        yield Paragraph(own[0].first, heading) if own else heading
        yield from _action(match, state, action, own)
    if match.plays("leaders"):
        yield from moves_story(match, state, moves)


def _before_actions(match: Match, state: ReplayedTable, lines: Sequence[Line]) -> Iterator[str]:
    """Leaders placed, then Landsknechte, then the court (M1, L1, E4, E5)."""
    placed = [line for line in lines if line["t"] == "leader" and line["from"] is None]
    if placed:
        yield Paragraph(placed[0], "The leaders enter the board:")
    for line in placed:
        yield Paragraph(line, "- " + placed_story(match, state, line))
        state.read(line)
    if match.plays("landsknechte"):
        yield from landsknechte_story(match, state, [line for line in lines if line["t"] == "landsknechte"])
    if match.plays("court"):
        yield from petitions_story(match, state, [line for line in lines if line["t"] == "convert"])
        yield from audience_story(match, state, [line for line in lines if line["t"] == "favor"])


@dataclass
class _Turn:
    """An `action` line with the battle it led to and the leaders that were lost by it."""

    action: Line
    battle: Line | None
    lost: list[Line]

    @property
    def first(self) -> Line:
        """The line of the trace with which it begins."""
        return self.action if self.battle is None else self.battle


def _sorted(lines: Sequence[Line]) -> tuple[list[_Turn], list[Line]]:
    """The turns of a round in order, and the `leader` lines after the tenth action."""
    turns: list[_Turn] = []
    moves: list[Line] = []
    battle = None
    for line in lines:
        if line["t"] == "battle":
            battle = line
        elif line["t"] == "action":
            turns.append(_Turn(line, battle, []))
            battle = None
        elif line["t"] == "leader" and line["from"] is not None:
            fought = turns[-1].battle if turns and not moves else None
            lost = fought is not None and fought["result"] != "defender" and fought["county"] == line["from"]
            (turns[-1].lost if lost else moves).append(line)
    return turns, moves


def _action(match: Match, state: ReplayedTable, action: str, turns: Sequence[_Turn]) -> Iterator[str]:
    """One action card: every seat's county card in player order, then who passed."""
    for turn in turns:
        text = [action_story(match, state, turn.action, turn.battle)]
        text += [loss_story(match, state, line) for line in turn.lost]
        yield Paragraph(turn.first, NESTED + " ".join(text))
        for line in (turn.battle, turn.action, *turn.lost):
            if line is not None:
                state.read(line)
    idle = passes_story(state, action)
    if idle:
        yield NESTED + idle


def table_story(match: Match, state: Line) -> Iterator[str]:
    """Where everyone stands, and what lies in the tray and the tower, from a `state` line."""
    for seat in range(match.players):
        own = [county for county in state["counties"].values() if county["owner"] == seat]
        force = sum(county["armies"] for county in own)
        built = sum(len(county["buildings"]) for county in own)
        text = [
            f"{actor(match, seat)}: {some(len(own), 'county', 'counties')} with {armies(force)} and "
            f"{some(built, 'building')}, {thalers(state['thalers'][seat])} and {grain(state['grain'][seat])}"
        ]
        if match.plays("court"):
            text.append(hall_text(state, seat))
        if match.plays("leaders"):
            text.append(leader_text(state, seat))
        yield "- " + sentence("; ".join(text))
    inside = [cubes(present(state[place])) if present(state[place]) else "nothing" for place in ("tray", "tower")]
    yield f"The tray holds {inside[0]}; the tower holds {inside[1]}."
