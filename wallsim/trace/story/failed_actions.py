"""Why a county card led to nothing, in words (B5.1, B5.2)."""

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
from wallsim.trace.story.replayed_state import Line, ReplayedState
from wallsim.trace.story.vocabulary import action_text, actor, armies, armies_in_letters, sentence, some, thalers


def skipped_story(match: Match, state: ReplayedState, line: Line) -> str:
    """The sentence of an action that was not done, from the table as it was then."""
    reason = _REASONS[OUTCOMES.index(line["why"])]
    return sentence(f"{actor(match, line['seat'])} {reason(state, line)}")


def _cannot(state: ReplayedState, line: Line) -> str:
    what = action_text(state.match, line["action"])
    if line["action"] == "deploy1":
        number = state.match.amount("deploy1_armies")
        deploy = "deploy an army" if number == 1 else f"deploy {armies_in_letters(number)}"
        what = "recruit or move" if state.match.ruleset.edition == "1e" else deploy
    return f"cannot {what} in {line['county']}"


def _county_lost(state: ReplayedState, line: Line) -> str:
    owner = state.owner.get(line["county"])
    text = f"planned {line['county']} for this, but "
    if owner is None:
        return f"{text}it has become neutral since"
    if owner == line["seat"]:
        return f"{text}lost it and won it back since, which leaves its card out for the season"
    return f"{text}it belongs to seat {owner} now"


def _no_site(state: ReplayedState, line: Line) -> str:
    built = state.buildings.get(line["county"], [])
    if line["action"] in built:
        return f"{_cannot(state, line)}: there is one already"
    taken = "the only building site is" if len(built) == 1 else f"all {some(len(built), 'building site')} are"
    return f"{_cannot(state, line)}: {taken} taken"


def _no_tile_left(state: ReplayedState, line: Line) -> str:
    return f"{_cannot(state, line)}: none is left in the stock"


def _no_money(state: ReplayedState, line: Line) -> str:
    seat, action, held = line["seat"], line["action"], state.thalers[line["seat"]]
    leads = action in BUILDINGS and state.leads(seat, line["county"])
    price, off = state.match.amount(f"{action}_price"), state.match.amount("leader_building_discount")
    leads = leads and off > 0
    costs = f"costs {thalers(max(0, price - off * leads))}" + (", even with its leader there" if leads else "")
    return f"{_cannot(state, line)}: that {costs}, and it has {held or 'none'}"


def _no_armies(state: ReplayedState, line: Line) -> str:
    text = f"{_cannot(state, line)}: its supply holds {armies(state.supply[str(line['seat'])])}"
    if line["action"] == "deploy1" and state.match.ruleset.edition == "1e":
        text += " and none there can go to a county of its own"
    return text


def _no_force(state: ReplayedState, line: Line) -> str:
    return f"cannot leave {line['county']}: the only army there has to stay"


def _no_target(state: ReplayedState, line: Line) -> str:
    return f"finds no county to move to or to attack from {line['county']}"


def _stayed(state: ReplayedState, line: Line) -> str:
    return f"keeps its {armies(state.armies[line['county']])} in {line['county']}"


_REASONS: dict[int, Callable[[ReplayedState, Line], str]] = {
    COUNTY_LOST: _county_lost,
    NO_SITE: _no_site,
    NO_TILE_LEFT: _no_tile_left,
    NO_MONEY: _no_money,
    NO_ARMIES: _no_armies,
    NO_FORCE: _no_force,
    NO_TARGET: _no_target,
    STAYED: _stayed,
}
