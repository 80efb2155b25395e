"""How the plans that were noted compare with those that a search prefers in the same position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from wallsim.api.game_review.chances import is_known, plausible_states, why_unknowable
from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.tower import DEFAULT_TOWER
from wallsim.trace.game_text.checks import events_left
from wallsim.trace.game_text.model import START, TIMES, GameText, NotedPlan, OpenCards
from wallsim.trace.game_text.plans import open_boxes
from wallsim.trace.game_text.words import UNKNOWN

if TYPE_CHECKING:
    from wallsim.analysis.advice.moment import Moment
    from wallsim.analysis.advice.question import Advice
    from wallsim.stats.intervals import Interval
    from wallsim.trace.state import State

PLAYS = ("casual", "strong")  # kinds of play of the other seats
_UNSEEN = {"events": "open events", "tray": "the tray", "inside": "the tower"}  # parts of a section


class Regret(NamedTuple):
    """How much less a plan wins than the best that a search found, both on the same dealt tables.

    `wins` and `best` are shares of wins from 0 to 1, `behind` their difference with its interval: exactly 0 if the plan
    is the best one. `boxes` are those on which they differ, `tables` the number of dealt tables.
    """

    wins: float
    best: float
    behind: float
    interval: Interval | None
    boxes: tuple[str, ...]
    tables: int


class ComparedPlan(NamedTuple):
    """A noted plan, and by kind of play its regret; or why there is none. `drawn`: what had to be drawn at random."""

    plan: NotedPlan
    missing: str
    drawn: tuple[str, ...]
    regrets: Mapping[str, Regret]


def why_not(game: GameText, plan: NotedPlan) -> str:
    """Why the plan of a text cannot be compared, or "" if it can: its position must be fully noted."""
    if game.changed:
        return f"rules are changed: {', '.join(game.changed)}"
    for expansion in (each for each in game.expansions if each != "leaders"):
        return f"the text does not say enough of {expansion}"
    before = _before(plan)
    if before == START:
        return "the position before the first season is not known: nobody sees the first fill of the tower"
    section = game.sections.get(before)
    if section is None:
        return f"the text does not have the table after {before}"
    unknown = section.unknown()
    if unknown:
        return f"{unknown} {'number' if unknown == 1 else 'numbers'} of the table after {before} are unknown"
    lacking = why_unknowable(game, section)
    if lacking:
        return f"the table after {before} has {lacking}"
    boxes = [box for box, card in plan.cards.items() if card == UNKNOWN]
    if boxes:
        return f"what lay on {', '.join(boxes)} is unknown"
    own = [each.county for each in section.rows[plan.seat].holdings]
    other = [card for card in plan.cards.values() if card in printed_board().counties and card not in own]
    if other:
        return f"{', '.join(other)} is not noted as a county of {LETTERS[plan.seat]} after {before}"
    missing = open_boxes(game, plan, own)
    return f"{missing} more boxes have a card that is not noted (B3.2)" if missing else ""


def compared_plans(game: GameText, minutes: float, seed: int = 1, workers: int | None = None) -> list[ComparedPlan]:
    """Every noted plan with its regret where its position is known; `minutes` is the time for all of them."""
    reasons = {id(plan): why_not(game, plan) for plan in game.plans}
    count = sum(not reason for reason in reasons.values())
    found = []
    for plan in game.plans:
        missing = reasons[id(plan)]
        if missing:
            found.append(ComparedPlan(plan, missing, (), {}))
        else:
            found.append(_compared(game, plan, minutes / count, seed, workers))
    return found


def _compared(game: GameText, plan: NotedPlan, minutes: float, seed: int, workers: int | None) -> ComparedPlan:
    from wallsim.analysis.advice.advice import advise_on_plan
    from wallsim.analysis.advice.question import Effort
    from wallsim.play.parallel import checked_workers

    moment = _moment(game, plan, seed)
    effort = Effort(minutes=minutes, workers=checked_workers(workers))
    advice = advise_on_plan(moment, plan=plan.cards, plays=PLAYS, seed=seed, effort=effort)
    section = game.sections[_before(plan)]
    known = is_known(game, section)
    unseen = [name for name in _UNSEEN if getattr(section, name) is None]
    if "events" not in unseen and len(section.events or ()) < events_left(section.time):
        unseen.insert(0, "events")
    drawn = [_UNSEEN[name] for name in unseen if not known]
    return ComparedPlan(plan, "", (*drawn, *moment.drawn), dict(_regrets(advice)))


def _regrets(advice: Advice) -> list[tuple[str, Regret]]:
    result = []
    for answer in advice.answers:
        judged = answer.judged
        assert judged is not None  # a plan was given
        boxes = tuple(change.box for change in judged.changes)
        regret = Regret(judged.wins, answer.best.wins, judged.behind, judged.behind_interval, boxes, answer.tables)
        result.append((answer.play, regret))
    return result


def _moment(game: GameText, plan: NotedPlan, seed: int) -> Moment:
    """The moment before a plan. InputError for a position that no advice is given on."""
    from wallsim.analysis.advice.moment import moment_of_state

    opened = game.opened.get(plan.season, OpenCards())
    return moment_of_state(
        _state(game, plan, seed), plan.seat, actions=opened.actions, tiles=opened.tiles if game.edition == "2e" else (),
        tower=game.tower or DEFAULT_TOWER, seed=seed, source=f"{LETTERS[plan.seat]} in {plan.season}",
    )  # fmt: skip


def _state(game: GameText, plan: NotedPlan, seed: int) -> State:
    """The table before a plan."""
    [state, *_] = plausible_states(game, game.sections[_before(plan)], 1, seed)
    return state


def _before(plan: NotedPlan) -> str:
    return TIMES[TIMES.index(plan.season) - 1]
