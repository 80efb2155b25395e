"""Interventions of an experiment in words: what it gave, took, exchanged or cancelled."""

from __future__ import annotations

from wallsim.trace.match import Match
from wallsim.trace.story.replayed_state import Line
from wallsim.trace.story.vocabulary import actor, armies, grain, listing, sentence, some, thalers, tile_text


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
