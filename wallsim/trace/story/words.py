"""The words of a story: seats, cubes, actions, tiles and events in plain English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wallsim.rules.terms import EFFECTS
from wallsim.trace.match import Match

BUILDING = {"palace": "palace", "church": "church", "trading_post": "trading post"}
ACTION = {
    "palace": "build a palace",
    "church": "build a church",
    "trading_post": "build a trading post",
    "grain": "collect grain",
    "taxes": "collect taxes",
    "deploy5": "deploy five armies",
    "deploy3": "deploy three armies",
    "deploy1": "deploy one army and move",
    "combat_a": "combat or movement A",
    "combat_b": "combat or movement B",
}
_RECRUIT = "recruit an army, move, or both"  # V3
TILE = {
    "thaler": "an extra Thaler from taxes",
    "grain": "an extra grain",
    "six_armies": "six armies instead of five",
    "attack": "an extra army when attacking",
    "defence": "an extra army when defending",
}
EVENT = {
    "none": "nothing special happens",
    "trading_post_calms": "whoever builds a trading post also removes one revolt marker there",
    "palace_guard": "an attacked county with a palace is defended by one more army, from its owner's supply",
    "tax_max_5": "no county yields more than 5 Thalers in taxes",
    "tax_min_6": "every county yields at least 6 Thalers in taxes",
    "grain_min_4": "every county yields at least 4 grain",
    "grain_max_3": "no county yields more than 3 grain",
    "neutral_guard": "two peasants instead of one defend a neutral county",
    "church_peace": "no county with a church may be attacked",
    "small_levies": "deploying five armies brings three, and deploying three brings two, at the usual price",
}
ORDINAL = ("no", "first", "second", "third", "fourth", "fifth", "sixth")


def effect_of(match: Match, event: str) -> str:
    """The effect of an event, by the event's name."""
    return EFFECTS[match.board.event_effect[match.board.events.index(event)]]


def event_text(match: Match, event: str) -> str:
    """What an event does, as a clause."""
    return EVENT[effect_of(match, event)]


def action_text(match: Match, action: str) -> str:
    """What an action card says, as the edition has it (B5, V3)."""
    return _RECRUIT if action == "deploy1" and match.ruleset.edition == "1e" else ACTION[action]


def actor(match: Match, seat: int) -> str:
    """Who an entry is about: `seat 2`, with its policy where not all seats play by the same one."""
    return f"seat {seat}" + (f" ({match.policies[seat]})" if len(set(match.policies)) > 1 else "")


def seats_named(seats: Sequence[int]) -> str:
    """`seat 2`, or `seats 0, 3 and 1`."""
    return ("seat " if len(seats) == 1 else "seats ") + listing(map(str, seats))


def some(number: int, one: str, many: str = "") -> str:
    """A number and its noun: `1 peasant`, `no peasants`; the plural adds an s unless given."""
    return f"{number or 'no'} {one if number == 1 else many or one + 's'}"


def armies(number: int) -> str:
    """So many armies."""
    return some(number, "army", "armies")


def thalers(number: int) -> str:
    """So many Thalers."""
    return some(number, "Thaler")


def courtiers(number: int) -> str:
    """So many courtiers."""
    return some(number, "courtier")


def grain(number: int) -> str:
    """So much grain."""
    return f"{number or 'no'} grain"


def verb(number: int, plural: str) -> str:
    """The verb that goes with a number of things: `1 rises`, `2 rise`."""
    return plural + "s" if number == 1 else plural


def listing(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, tail = list(parts)
    return f"{', '.join(head)} and {tail}" if head else tail


def cubes(counts: Mapping[str, int]) -> str:
    """Cubes by colour, `3 armies of seat 0, 1 of seat 2 and 2 peasants`; a count of 0 is told, too."""
    parts: list[str] = []
    for colour, number in counts.items():
        if colour == "peasants":
            parts.append(some(number, "peasant"))
        else:
            how_many = f"{number or 'none'}" if parts else armies(number)
            parts.append(f"{how_many} of seat {colour}")
    return listing(parts)


def present(counts: Mapping[str, int]) -> dict[str, int]:
    """The colours that are there at all."""
    return {colour: number for colour, number in counts.items() if number > 0}


def sentence(text: str) -> str:
    """A clause as a sentence: a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":")) else ".")
