"""The words of a story: seats, cubes, actions, tiles and events in plain English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wallsim.rules.amounts import AMOUNTS
from wallsim.trace.match import Match

BUILDING = {"palace": "palace", "church": "church", "trading_post": "trading post"}
_ACTION = {
    "palace": "build a palace",
    "church": "build a church",
    "trading_post": "build a trading post",
    "grain": "collect grain",
    "taxes": "collect taxes",
    "deploy5": "deploy {deploy5_armies}",
    "deploy3": "deploy {deploy3_armies}",
    "deploy1": "deploy {deploy1_armies} and move",
    "combat_a": "combat or movement A",
    "combat_b": "combat or movement B",
}
_EVENT = {
    "none": "nothing special happens",
    "trading_post_calms": "whoever builds a trading post also removes one revolt marker there",
    "palace_guard": "an attacked county with a palace is defended by {event_palace_guard_armies}, "
    "from its owner's supply",
    "tax_max_5": "no county yields more than {event_tax_max_thalers} Thalers in taxes",
    "tax_min_6": "every county yields at least {event_tax_min_thalers} Thalers in taxes",
    "grain_min_4": "every county yields at least {event_grain_min_grain} grain",
    "grain_max_3": "no county yields more than {event_grain_max_grain} grain",
    "neutral_guard": "{event_neutral_guard_peasants} instead of {neutral_peasants} {verb} a neutral county",
    "church_peace": "no county with a church may be attacked",
    "small_levies": "deploying {deploy5_armies} brings {event_small_levies_deploy5_armies}, and deploying "
    "{deploy3_armies} brings {event_small_levies_deploy3_armies}, at the usual price",
}
_NUMBER = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
ORDINAL = ("no", "first", "second", "third", "fourth", "fifth", "sixth")


def event_text(match: Match, event: str) -> str:
    """What an event does, as a clause with the numbers that are played with."""
    effect, amount = match.effect(event), match.amount
    shown: dict[str, object] = {amount.name: match.amount(amount.name) for amount in AMOUNTS}
    if effect == "palace_guard":
        number = amount("event_palace_guard_armies")
        shown["event_palace_guard_armies"] = f"{in_letters(number)} more {'army' if number == 1 else 'armies'}"
    elif effect == "neutral_guard":
        peasants = amount("event_neutral_guard_peasants")
        shown["event_neutral_guard_peasants"] = some(peasants, "peasant").replace(str(peasants), in_letters(peasants))
        shown["neutral_peasants"] = in_letters(amount("neutral_peasants")) if amount("neutral_peasants") else "none"
        shown["verb"] = verb(peasants, "defend")
    elif effect == "small_levies":
        for number in (5, 3):
            shown[f"deploy{number}_armies"] = _deployed(match, f"deploy{number}")
            levies = f"event_small_levies_deploy{number}_armies"
            shown[levies] = in_letters(amount(levies))
        shown["deploy3_armies"] = in_letters(amount("deploy3_armies"))
    return _EVENT[effect].format(**shown)


def tile_text(match: Match, tile: str) -> str:
    """What a bonus tile brings, as a noun with the number that is played with (B4.4)."""
    if tile == "six_armies":
        usual = match.amount("deploy5_armies")
        most = max(usual, match.amount("tile_deploy5_armies"))
        return f"{armies_in_letters(most)} instead of {in_letters(usual)}"
    name, noun, when = {
        "thaler": ("tile_taxes_thalers", "Thaler", " from taxes"),
        "grain": ("tile_grain_grain", "grain", ""),
        "attack": ("tile_attack_armies", "army", " when attacking"),
        "defence": ("tile_defence_armies", "army", " when defending"),
    }[tile]
    number = match.amount(name)
    if number == 1:
        return f"an extra {noun}{when}"
    several = {"army": "armies", "grain": "grain"}.get(noun, noun + "s")
    return f"{in_letters(number)} extra {several}{when}"


def in_letters(number: int) -> str:
    """A number up to twelve as a word."""
    return _NUMBER[number] if number < len(_NUMBER) else str(number)


def armies_in_letters(number: int) -> str:
    """So many armies, the number as a word."""
    return f"{in_letters(number)} {'army' if number == 1 else 'armies'}"


def _deployed(match: Match, action: str) -> str:
    return armies_in_letters(match.amount(f"{action}_armies"))


def action_text(match: Match, action: str) -> str:
    """What an action card says, as the edition has it (B5, V3)."""
    if action == "deploy1" and match.ruleset.edition == "1e":
        number = match.amount("deploy1_armies")
        return f"recruit {'an army' if number == 1 else armies_in_letters(number)}, move, or both"  # V3
    return _ACTION[action].format(
        **{f"deploy{number}_armies": _deployed(match, f"deploy{number}") for number in (5, 3, 1)}
    )


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
    """Cubes by colour, `3 armies of seat 0, 1 of seat 2 and 2 peasants`; a count of 0 is stated, too."""
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


class Paragraph(str):
    """A paragraph that tells a line of the trace; one without a line belongs to the paragraph before it."""

    line: dict[str, Any]

    def __new__(cls, line: dict[str, Any], text: str) -> Paragraph:
        """The text, with its line."""
        made = super().__new__(cls, text)
        made.line = line
        return made
