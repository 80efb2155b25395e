"""How the plans that were noted compare with those that a search prefers in the same position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from wallsim.analysis.advice.options import AdviceOptions
from wallsim.api.game_review.chances import is_known, plausible_states, why_unknowable
from wallsim.report.tables.estimates import how_many
from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.tower import DEFAULT_TOWER
from wallsim.trace.game_text.checks import events_left
from wallsim.trace.game_text.model import START, TIMES, GameText, NotedPlan, OpenCards
from wallsim.trace.game_text.plans import open_boxes
from wallsim.trace.game_text.words import UNKNOWN

if TYPE_CHECKING:
    from wallsim.analysis.advice.answer import Answer
    from wallsim.analysis.advice.decision import Decision

PLAYS = ("casual", "strong")  # kinds of play of the other seats
_UNSEEN = {"events": "open events", "tray": "the tray", "inside": "the tower"}  # parts of a section


class ComparedPlan(NamedTuple):
    """A noted plan, and by kind of play the answer of a search to it; or why there is none.

    `drawn`: what had to be drawn at random.
    """

    plan: NotedPlan
    missing: str
    drawn: tuple[str, ...]
    answers: Mapping[str, Answer]


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
        return f"{how_many(unknown, 'number')} of the table after {before} are unknown"
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
    """Every noted plan with the answers where its position is known; `minutes` is the time for all of them."""
    reasons = {id(plan): why_not(game, plan) for plan in game.plans}
    count = sum(not reason for reason in reasons.values())
    found = []
    for plan in game.plans:
        missing = reasons[id(plan)]
        if missing:
            found.append(ComparedPlan(plan, missing, (), {}))
        else:
            found.append(_compared(game, plan, _options(game, plan, seed, minutes / count, workers)))
    return found


def _options(
    game: GameText, plan: NotedPlan, seed: int, minutes: float | None = None, workers: int | None = None
) -> AdviceOptions:
    opened = game.opened.get(plan.season, OpenCards())
    return AdviceOptions(
        seat=plan.seat, actions=opened.actions, tiles=opened.tiles if game.edition == "2e" else (), plan=plan.cards,
        plays=PLAYS, tower=game.tower or DEFAULT_TOWER, seed=seed, minutes=minutes, workers=workers,
    )  # fmt: skip


def _compared(game: GameText, plan: NotedPlan, options: AdviceOptions) -> ComparedPlan:
    from wallsim.analysis.advice.advice import advise_on

    decision = _decision(game, plan, options)
    advice = advise_on(decision, options)
    section = game.sections[_before(plan)]
    known = is_known(game, section)
    unseen = [name for name in _UNSEEN if getattr(section, name) is None]
    if "events" not in unseen and len(section.events or ()) < events_left(section.time):
        unseen.insert(0, "events")
    drawn = [_UNSEEN[name] for name in unseen if not known]
    return ComparedPlan(plan, "", (*drawn, *decision.drawn), {each.play: each for each in advice.answers})


def _decision(game: GameText, plan: NotedPlan, options: AdviceOptions) -> Decision:
    """The decision of a plan. InputError for a position that no advice is given on."""
    from wallsim.analysis.advice.from_position import decision_of_state

    [state, *_] = plausible_states(game, game.sections[_before(plan)], 1, options.seed)
    return decision_of_state(state, options, f"{LETTERS[plan.seat]} in {plan.season}")


def _before(plan: NotedPlan) -> str:
    return TIMES[TIMES.index(plan.season) - 1]
