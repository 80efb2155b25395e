"""The ten actions of a round in words: what was done, at what price, with what yield (B5)."""

from __future__ import annotations

from collections.abc import Callable

from wallsim.rules.terms import (
    BUILDINGS,
    COUNTY_LOST,
    NO_ARMIES,
    NO_FORCE,
    NO_MONEY,
    NO_SITE,
    NO_TARGET,
    NO_TILE_LEFT,
    OUTCOMES,
    STAYED,
)
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.battle import attack_story, revolt_story
from wallsim.trace.story.gains import overflow
from wallsim.trace.story.vocabulary import (
    BUILDING,
    ORDINAL,
    action_text,
    actor,
    armies,
    armies_in_letters,
    grain,
    in_letters,
    listing,
    seats_named,
    sentence,
    some,
    thalers,
)


def skipped_story(match: Match, state: ReplayedTable, line: Line) -> str:
    """The sentence of an action that was not done, from the table as it was then."""
    reason = _REASONS[OUTCOMES.index(line["why"])]
    return sentence(f"{actor(match, line['seat'])} {reason(state, line)}")


def _cannot(state: ReplayedTable, line: Line) -> str:
    what = action_text(state.match, line["action"])
    if line["action"] == "deploy1":
        number = state.match.amount("deploy1_armies")
        deploy = "deploy an army" if number == 1 else f"deploy {armies_in_letters(number)}"
        what = "recruit or move" if state.match.ruleset.edition == "1e" else deploy
    return f"cannot {what} in {line['county']}"


def _county_lost(state: ReplayedTable, line: Line) -> str:
    owner = state.at(line["county"])["owner"]
    text = f"planned {line['county']} for this, but "
    if owner is None:
        return f"{text}it has become neutral since"
    if owner == line["seat"]:
        return f"{text}lost it and won it back since, which leaves its card out for the season"
    return f"{text}it belongs to seat {owner} now"


def _no_site(state: ReplayedTable, line: Line) -> str:
    built = state.at(line["county"])["buildings"]
    if line["action"] in built:
        return f"{_cannot(state, line)}: there is one already"
    taken = "the only building site is" if len(built) == 1 else f"all {some(len(built), 'building site')} are"
    return f"{_cannot(state, line)}: {taken} taken"


def _no_tile_left(state: ReplayedTable, line: Line) -> str:
    return f"{_cannot(state, line)}: none is left in the stock"


def _no_money(state: ReplayedTable, line: Line) -> str:
    seat, action, held = line["seat"], line["action"], state.thalers[line["seat"]]
    leads = action in BUILDINGS and state.leads(seat, line["county"])
    price, off = state.match.amount(f"{action}_price"), state.match.amount("leader_building_discount")
    leads = leads and off > 0
    costs = f"costs {thalers(max(0, price - off * leads))}" + (", even with its leader there" if leads else "")
    return f"{_cannot(state, line)}: that {costs}, and it has {held or 'none'}"


def _no_armies(state: ReplayedTable, line: Line) -> str:
    text = f"{_cannot(state, line)}: its supply holds {armies(state.supply[str(line['seat'])])}"
    if line["action"] == "deploy1" and state.match.ruleset.edition == "1e":
        text += " and none there can go to a county of its own"
    return text


def _no_force(state: ReplayedTable, line: Line) -> str:
    return f"cannot leave {line['county']}: the only army there has to stay"


def _no_target(state: ReplayedTable, line: Line) -> str:
    return f"finds no county to move to or to attack from {line['county']}"


def _stayed(state: ReplayedTable, line: Line) -> str:
    return f"keeps its {armies(state.at(line['county'])['armies'])} in {line['county']}"


_REASONS: dict[int, Callable[[ReplayedTable, Line], str]] = {
    COUNTY_LOST: _county_lost,
    NO_SITE: _no_site,
    NO_TILE_LEFT: _no_tile_left,
    NO_MONEY: _no_money,
    NO_ARMIES: _no_armies,
    NO_FORCE: _no_force,
    NO_TARGET: _no_target,
    STAYED: _stayed,
}


def action_story(match: Match, state: ReplayedTable, line: Line, battle: Line | None) -> str:
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


def passes_story(state: ReplayedTable, action: str) -> str:
    """Who passed on an action with a card that is no county, or with none; empty if nobody did."""
    idle = [seat for seat in state.order if not (state.card(seat, action) or "").startswith("county:")]
    if not idle:
        return ""
    if len(idle) == len(state.order):
        return "Everyone passes."
    return sentence(f"{seats_named(idle)} {'passes' if len(idle) == 1 else 'pass'}")


def _built(match: Match, state: ReplayedTable, line: Line) -> str:
    leads = state.leads(line["seat"], line["county"])
    price = f"for {thalers(line['paid'])}" if line["paid"] else "free of charge"
    what = f"a {BUILDING[line['action']]} in {line['county']} {price}{', thanks to its leader there' if leads else ''}"
    calmed = ""
    if line.get("calmed"):
        calmed = f"{', and' if leads else ', which'} removes a revolt marker there"
    return sentence(f"{actor(match, line['seat'])} builds {what}{calmed}")


def _collected(match: Match, state: ReplayedTable, line: Line, battle: Line | None) -> str:
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
        number = min(state.at(county)["markers"] + 1, len(ORDINAL) - 1)
        parts.append(f"{county} gets its {ORDINAL[number]} revolt marker.")
    elif line.get("parried"):
        parts.append("The favor it has kept wards off the revolt marker.")
    elif battle is None or battle["result"] == "defender":
        parts.append("No revolt marker is left to place there.")
    return " ".join(parts)


def _yield_reason(match: Match, state: ReplayedTable, line: Line) -> str:
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


def _deployed(match: Match, state: ReplayedTable, line: Line) -> str:
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
