"""A decision of a game that can be played again: what the seat may choose there, and what it chose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wallsim.analysis.advice.decision import ATTACK, CLAIM, DRAFT, PLACE, PLAN, Decision
from wallsim.analysis.advice.options import check_seat
from wallsim.analysis.advice.plan_text import cleared
from wallsim.analysis.advice.steps import Step, check_game, replayed, step_of
from wallsim.engine import decisions
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import shown
from wallsim.rules.provenance import event_words
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import MAX_PLAYERS, NEUTRAL, NO_EFFECT, NOWHERE, ROUND_NAMES, TILES

MOST_ATTACKS = 30  # that are tried

Found = tuple[np.ndarray, np.ndarray, tuple[str, ...]]  # what may be chosen, what was chosen, and facts


def decision_of_season(experiment: Experiment, game: int, season: str, seat: int) -> Decision:
    """The plan of a seat for a round of a game of an experiment, which is played again up to there.

    InputError for a season without planning, a seat or a game that there is not, and an illegal answer.
    """
    number = _round_of(season)
    check_seat(seat, experiment.players)
    check_game(game, experiment)
    with replayed(experiment) as (parts, arena):
        table, plans = arena.moment(game, number)
    return Decision(
        PLAN, table, parts.board, parts.ruleset, experiment.tower, seat, number, _source(experiment, game),
        cleared(plans[seat], parts.ruleset),
    )  # fmt: skip


def decision_of_step(experiment: Experiment, game: int, number: int, seat: int | None = None) -> Decision:
    """The decision of a line of a game's trace, by the seat that decides there.

    Where all seats decide, that is `seat`, by default the first one. InputError for a line that is no such decision, a
    seat that does not decide there, and an illegal answer.
    """
    if seat is not None:
        check_seat(seat, experiment.players)
    step = step_of(experiment, game, number)
    seat = _deciding_seat(step, seat)
    if step.kind == PLAN:
        return decision_of_season(experiment, game, step.season, seat)
    season, turn, before = DRAFT, step.turn, None
    with replayed(experiment) as (parts, arena):
        if step.kind == CLAIM:
            table, known = arena.claim(game, turn, recycled=step.recycled)
            turn = known
        else:
            season = _round_of(step.season)
            if step.kind == PLACE:
                turn = [pick[0] for pick in step.line["picks"]].index(seat)
            before, table, known = arena.choice(game, season, _NUMBERS[step.kind], turn)
    decision = Decision(
        step.kind, table, parts.board, parts.ruleset, experiment.tower, seat, season, _source(experiment, game),
        before=before, turn=turn,
    )  # fmt: skip
    choices, made, facts = _FOUND[step.kind](decision, step, known)
    return replace(decision, choices=choices, made=made, facts=facts)


def _source(experiment: Experiment, game: int) -> str:
    return f"game {game:,} of seed {experiment.seed}"


def _round_of(season: str) -> int:
    """The number of a round, 0 to 5, by its name such as `fall 1`. InputError for another season."""
    if season not in ROUND_NAMES:
        meant = did_you_mean(season, ROUND_NAMES)
        raise InputError(f"season: {shown(season)} is not one of {', '.join(ROUND_NAMES)}, in which seats plan{meant}")
    return ROUND_NAMES.index(season)


def _deciding_seat(step: Step, seat: int | None) -> int:
    """The seat that decides at a step: its own or, where all seats decide, `seat` or the first one."""
    if step.seat is None:
        first = step.line["picks"][0][0] if step.kind == PLACE else 0
        return int(first) if seat is None else seat
    if seat is not None and seat != step.seat:
        raise InputError(f"seat: {seat} does not decide in step {step.number}; seat {step.seat} does")
    return step.seat


def _claims(decision: Decision, step: Step, unchanged: int) -> Found:
    """The claims of a draft in which the open cards have been the same for so many turns."""
    game, names = decision.game[0], decision.board.counties
    shown_cards = [names[county] for county in game.open_card]
    claims = [0, 1, decisions.DECK]
    may_recycle = unchanged >= decision.ruleset.players
    if may_recycle:
        claims.append(decisions.RECYCLE)
    line = step.line
    made = decisions.RECYCLE if line["t"] == "recycle" else decisions.DECK
    if line.get("source") == "shown":
        made = shown_cards.index(line["county"])
    own = ", ".join(f"{names[county]} {game.army[county]}" for county in decision.counties) or "none"
    groups = sorted((int(group) for group in game.group[decision.seat, : game.groups[decision.seat]]), reverse=True)
    facts = (
        f"Seat {decision.seat} claims a county in turn {step.turn + 1} of the draft of {decision.source}.",
        f"Open cards: {' and '.join(shown_cards)}."
        + (" It may first put both under the deck (recycle)." if may_recycle else ""),
        f"Its counties with their armies: {own}. Its army groups left: {', '.join(map(str, groups))}.",
    )
    return _rows(claims), _rows([made])[0], facts


def _places(decision: Decision, step: Step, free: int) -> Found:
    """The places of the player order that are free, by a mask."""
    game, picks, turn = decision.game[0], step.line["picks"], decision.turn
    boxes = [box for box in range(MAX_PLAYERS) if free >> box & 1]
    tiles = ", ".join(f"{box + 1} ({TILES[game.tile_on_box[box]].replace('_', ' ')})" for box in boxes)
    facts = (
        f"Seat {decision.seat} chooses a place in {decision.season} of {decision.source}, as number {turn + 1} of "
        f"{len(picks)}.",
        f"Free places: {tiles}.",
        _event(decision),
    )
    return _rows(boxes), _rows([picks[turn][1] - 1])[0], facts


def _attacks(decision: Decision, step: Step, targets: int) -> Found:
    """The attacks and moves to the counties of a mask."""
    line, names = step.line, decision.board.counties
    armies = int(decision.game[0].army[names.index(line["county"])])
    target = line.get("target", line.get("to"))
    made = [NOWHERE, 0] if target is None else [names.index(target), line["moved"]]
    around = [county for county in range(len(names)) if targets >> county & 1]
    facts = (
        f"Seat {decision.seat} carries out combat {line['action'][-1].upper()} with {armies} armies in "
        f"{line['county']}, in {decision.season} of {decision.source}.",
        f"Counties around, with their armies: {', '.join(_neighbour(decision, county) for county in around)}.",
        _event(decision),
    )
    return attacks(around, armies - 1, none=decision.ruleset.combat == "may"), np.array(made, np.int64), facts


_NUMBERS = {PLACE: decisions.PLACE, ATTACK: decisions.ATTACK}
_FOUND = {CLAIM: _claims, PLACE: _places, ATTACK: _attacks}


def attacks(targets: list[int], most: int, *, none: bool) -> np.ndarray:
    """The attacks that are tried, int64 [attacks, 2]: county and armies, at most MOST_ATTACKS and `none` of them.

    With many targets not every number of armies is tried, but always 1, if there is room for it, and `most`.
    """
    numbers = max(1, MOST_ATTACKS // len(targets))
    tried = np.unique(np.linspace(most if numbers == 1 else 1, most, min(numbers, most)).round().astype(np.int64))
    rows = [[target, int(armies)] for target in targets for armies in tried[::-1]]
    return np.array([*([[NOWHERE, 0]] if none else []), *rows], np.int64)


def _neighbour(decision: Decision, county: int) -> str:
    """`Tirol (seat 2: 4)`, with its armies."""
    game = decision.game[0]
    owner = int(game.owner[county])
    whose = "own" if owner == decision.seat else f"seat {owner}"
    return f"{decision.board.counties[county]} ({'neutral' if owner == NEUTRAL else f'{whose}: {game.army[county]}'})"


def _event(decision: Decision) -> str:
    game = decision.game[0]
    effect = event_words(decision.board.events[game.event])
    return f"Event: {effect}{', cancelled' if game.effect == NO_EFFECT else ''}."


def _rows(numbers: list[int]) -> np.ndarray:
    return np.array([[number, 0] for number in numbers], np.int64)
