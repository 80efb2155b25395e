"""The ten actions of a round in words: what was done, at what price, with what yield (B5)."""

from __future__ import annotations

from wallsim.trace.match import Match
from wallsim.trace.story.battle import attack_story, revolt_story
from wallsim.trace.story.failed_actions import skipped_story
from wallsim.trace.story.gains import overflow
from wallsim.trace.story.replayed_state import Line, ReplayedState
from wallsim.trace.story.vocabulary import (
    BUILDING,
    ORDINAL,
    actor,
    armies,
    grain,
    in_letters,
    listing,
    seats_named,
    sentence,
    thalers,
)


def action_story(match: Match, state: ReplayedState, line: Line, battle: Line | None) -> str:
    """The sentences of one county card, from the table as it was before it; `battle` is the one it led to."""
    if not line["done"]:
        return skipped_story(match, state, line)
    if line.get("forced"):
        stayed = sentence(f"{actor(match, line['seat'])} would stay in {line['county']} but must move one army")
        rest = {key: value for key, value in line.items() if key != "forced"}
        return f"{stayed} {action_story(match, state, rest, battle)}"
    if "target" in line and battle is not None:
        return attack_story(match, state, line, battle)
    if line["action"] in BUILDING:
        return _built(match, state, line)
    if "gain" in line:
        return _collected(match, state, line, battle)
    if line.get("armies"):
        return _deployed(match, state, line)
    if "paid" in line:  # V3: a move alone
        text = f"{actor(match, line['seat'])} pays {thalers(line['paid'])} and moves {armies(line['moved'])}"
        return sentence(f"{text} from {line['county']} to {line['to']}")
    return sentence(f"{actor(match, line['seat'])} moves {armies(line['moved'])} from {line['county']} to {line['to']}")


def passes_story(state: ReplayedState, action: str) -> str:
    """Who passed on an action with a card that is no county, or with none; empty if nobody did."""
    idle = [seat for seat in state.order if not (state.plan[seat][action] or "").startswith("county:")]
    if not idle:
        return ""
    if len(idle) == len(state.order):
        return "Everyone passes."
    return sentence(f"{seats_named(idle)} {'passes' if len(idle) == 1 else 'pass'}")


def _built(match: Match, state: ReplayedState, line: Line) -> str:
    leads = state.leads(line["seat"], line["county"])
    price = f"for {thalers(line['paid'])}" if line["paid"] else "free of charge"
    what = f"a {BUILDING[line['action']]} in {line['county']} {price}{', thanks to its leader there' if leads else ''}"
    calmed = ""
    if line.get("calmed"):
        calmed = f"{', and' if leads else ', which'} removes a revolt marker there"
    return sentence(f"{actor(match, line['seat'])} builds {what}{calmed}")


def _collected(match: Match, state: ReplayedState, line: Line, battle: Line | None) -> str:
    seat, county = line["seat"], line["county"]
    what = thalers(line["gain"]) if line["action"] == "taxes" else grain(line["gain"])
    text = f"{actor(match, seat)} collects {what} in {county}{_yield_reason(match, state, line)}"
    text += overflow(state, seat, line["gain"]) if line["action"] == "grain" else ""
    if battle is None and line["marker"]:
        return sentence(f"{text}, which gets its first revolt marker")
    parts = [sentence(text)]
    if battle is not None:
        parts.append(revolt_story(state, battle))
    if line["marker"]:
        parts.append(f"{county} gets its {ORDINAL[min(state.markers[county] + 1, len(ORDINAL) - 1)]} revolt marker.")
    elif line.get("parried"):
        parts.append("The favor it has kept wards off the revolt marker.")
    elif battle is None or battle["result"] == "defender":
        parts.append("No revolt marker is left to place there.")
    return " ".join(parts)


def _yield_reason(match: Match, state: ReplayedState, line: Line) -> str:
    """Why the gain is not what the county's card says: the event first, then tile and leader (B4.5, M2)."""
    taxes = line["action"] == "taxes"
    printed = int((match.board.tax if taxes else match.board.grain)[match.board.counties.index(line["county"])])
    base = {
        "tax_max_5": min(printed, match.amount("event_tax_max_thalers")) if taxes else printed,
        "tax_min_6": max(printed, match.amount("event_tax_min_thalers")) if taxes else printed,
        "grain_max_3": printed if taxes else min(printed, match.amount("event_grain_max_grain")),
        "grain_min_4": printed if taxes else max(printed, match.amount("event_grain_min_grain")),
    }.get(state.effect, printed)
    parts = [f"{base} instead of {printed} because of the event" if base != printed else f"{base}"]
    if state.tile[line["seat"]] == ("thaler" if taxes else "grain"):
        parts.append(f"{match.amount('tile_taxes_thalers' if taxes else 'tile_grain_grain')} from its tile")
    if state.leads(line["seat"], line["county"]):
        parts.append(f"{match.amount('leader_taxes_thalers' if taxes else 'leader_grain_grain')} from its leader")
    return f" ({listing(parts)})" if (base != printed or len(parts) > 1) and line["gain"] else ""


def _deployed(match: Match, state: ReplayedState, line: Line) -> str:
    seat, action, number = line["seat"], line["action"], line["armies"]
    text = f"{actor(match, seat)} puts {armies(number)} into {line['county']} for {thalers(line['paid'])}"
    small = state.effect == "small_levies" and action != "deploy1"
    usual = match.amount(f"event_small_levies_{action}_armies" if small else f"{action}_armies")
    most = match.amount("tile_deploy5_armies") if state.tile[seat] == "six_armies" and action == "deploy5" else 0
    leads = match.amount("leader_deploy_armies") if state.leads(seat, line["county"]) else 0
    due = max(usual, most) + leads
    led = in_letters(leads)
    if number < due:
        text += f", the last of its supply, where {due} were due"
    elif most > usual:
        text += f", {in_letters(most)} thanks to its tile" + (f" and {led} to its leader there" if leads else "")
    elif small and usual < match.amount(f"{action}_armies"):
        text += f", so few because of the event{f', though {led} more thanks to its leader there' if leads else ''}"
    elif leads:
        text += f", {led} of them thanks to its leader there"
    if "to" in line:
        text += f"{',' if leads else ''} and moves {line['moved']} from there to {line['to']}"
    return sentence(text)
