"""The ten actions of a round in words: what was done, at what price, with what yield (B5)."""

from __future__ import annotations

from wallsim.rules.terms import FOOD_TRACK_END
from wallsim.runs.books import Books, Line
from wallsim.runs.match import Match
from wallsim.runs.story_battle import attack_story, revolt_story
from wallsim.runs.story_skipped import skipped_story
from wallsim.runs.story_words import (
    BUILDING,
    ORDINAL,
    actor,
    armies,
    effect_of,
    grain,
    listing,
    seats_named,
    sentence,
    thalers,
)

_LEVY = {"deploy5": (5, 3), "deploy3": (3, 2), "deploy1": (1, 1)}  # usual, and under `small_levies`
_SIX_ARMIES = 6


def action_story(match: Match, books: Books, line: Line, battle: Line | None) -> str:
    """The sentences of one county card, from the table as it was before it; `battle` is the one it led to."""
    if not line["done"]:
        return skipped_story(match, books, line)
    if "target" in line and battle is not None:
        return attack_story(match, books, line, battle)
    if line["action"] in BUILDING:
        return _built(match, line)
    if "gain" in line:
        return _collected(match, books, line, battle)
    if "armies" in line:
        return _deployed(match, books, line)
    return sentence(f"{actor(match, line['seat'])} moves {armies(line['moved'])} from {line['county']} to {line['to']}")


def passes_story(books: Books, action: str) -> str:
    """Who passed on an action with a money card or no card; empty if nobody did."""
    idle = [seat for seat in books.order if not (books.plan[seat][action] or "").startswith("county:")]
    if not idle:
        return ""
    if len(idle) == len(books.order):
        return "Everyone passes."
    return sentence(f"{seats_named(idle)} {'passes' if len(idle) == 1 else 'pass'}")


def _built(match: Match, line: Line) -> str:
    what = f"a {BUILDING[line['action']]} in {line['county']} for {thalers(line['paid'])}"
    calmed = ", which removes a revolt marker there" if line.get("calmed") else ""
    return sentence(f"{actor(match, line['seat'])} builds {what}{calmed}")


def _collected(match: Match, books: Books, line: Line, battle: Line | None) -> str:
    seat, county = line["seat"], line["county"]
    what = thalers(line["gain"]) if line["action"] == "taxes" else grain(line["gain"])
    told = f"{actor(match, seat)} collects {what} in {county}{_yield_reason(match, books, line)}"
    told += _overflow(match, books, line)
    if battle is None and line["marker"]:
        return sentence(f"{told}, which gets its first revolt marker")
    parts = [sentence(told)]
    if battle is not None:
        parts.append(revolt_story(books, battle))
    if line["marker"]:
        parts.append(f"{county} gets its {ORDINAL[min(books.markers[county] + 1, len(ORDINAL) - 1)]} revolt marker.")
    elif battle is None or battle["result"] == "defender":
        parts.append("No revolt marker is left to place there.")
    return " ".join(parts)


def _overflow(match: Match, books: Books, line: Line) -> str:
    over = books.grain[line["seat"]] + line["gain"] - FOOD_TRACK_END
    if line["action"] == "taxes" or match.ruleset.food_track != "capped" or over <= 0:
        return ""
    return f" but loses {over} beyond the food track's end at {FOOD_TRACK_END}"


def _yield_reason(match: Match, books: Books, line: Line) -> str:
    """Why the gain is not what the county's card says: the event first, then the tile (B4.5)."""
    taxes = line["action"] == "taxes"
    printed = int((match.board.tax if taxes else match.board.grain)[match.board.counties.index(line["county"])])
    base = {
        "tax_max_5": min(printed, 5) if taxes else printed,
        "tax_min_6": max(printed, 6) if taxes else printed,
        "grain_max_3": printed if taxes else min(printed, 3),
        "grain_min_4": printed if taxes else max(printed, 4),
    }.get(effect_of(match, books.event), printed)
    parts = [f"{base} instead of {printed} because of the event"] if base != printed else []
    if books.tile[line["seat"]] == ("thaler" if taxes else "grain"):
        parts += [f"{'' if parts else f'{base} and '}1 from its tile"]
    return f" ({listing(parts)})" if parts and line["gain"] else ""


def _deployed(match: Match, books: Books, line: Line) -> str:
    seat, action, number = line["seat"], line["action"], line["armies"]
    told = f"{actor(match, seat)} puts {armies(number)} into {line['county']} for {thalers(line['paid'])}"
    small = effect_of(match, books.event) == "small_levies"
    six = action == "deploy5" and books.tile[seat] == "six_armies"
    due = _SIX_ARMIES if six else _LEVY[action][small]
    if number < due:
        told += f", the last of its supply, where {due} were due"
    elif six:
        told += ", six thanks to its tile"
    elif small and action != "deploy1":
        told += ", so few because of the event"
    if "to" in line:
        told += f" and moves {line['moved']} from there to {line['to']}"
    return sentence(told)
