"""The decision of a step of a game, with what may be chosen: the game is played again up to there."""

from __future__ import annotations

import numpy as np

from wallsim.analysis.advice.choice import Choice, attacks
from wallsim.analysis.advice.moment import DRAFT, Moment, check_seat, round_of
from wallsim.analysis.advice.steps import ATTACK, CLAIM, PLACE, Step
from wallsim.engine import decisions
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import InputError
from wallsim.rules.event_words import event_words
from wallsim.rules.terms import MAX_PLAYERS, NEUTRAL, NO_EFFECT, NOWHERE, TILES
from wallsim.runs.experiment import Experiment


def choice_of_step(experiment: Experiment, game: int, step: Step, seat: int | None = None) -> Choice:
    """The decision of a step that is no plan, with what may be chosen.

    In an auction `seat` chooses, by default the seat that chooses first. InputError for a seat that does not decide,
    and an illegal answer.
    """
    seat = deciding_seat(experiment, step, seat)
    parts = experiment.components()
    arena = parts.arena(experiment.seed, checked=True)

    def moment(table: np.ndarray) -> Moment:
        place = round_of(step.season) if step.season else DRAFT
        source = f"game {game:,} of seed {experiment.seed}"
        return Moment(table, parts.board, parts.ruleset, experiment.tower, seat, place, source)

    try:
        if step.kind == CLAIM:
            now, unchanged = arena.claim(game, step.turn, recycled=step.recycled)
            return _claim(moment(now), step, unchanged)
        turn = step.turn if step.kind == ATTACK else [pick[0] for pick in step.line["picks"]].index(seat)
        kind = decisions.ATTACK if step.kind == ATTACK else decisions.PLACE
        before, now, mask = arena.choice(game, round_of(step.season), kind, turn)
    except IllegalAnswerError as error:
        raise parts.illegal_answer(error) from None
    choice = _attack if step.kind == ATTACK else _place
    return choice(moment(now), before, step, turn, mask)


def deciding_seat(experiment: Experiment, step: Step, seat: int | None) -> int:
    """The seat that decides at a step: its own or, where all seats decide, `seat` or the first one.

    InputError for a seat that there is not or that does not decide.
    """
    if seat is not None:
        check_seat(seat, experiment.players)
    if step.seat is None:
        first = step.line["picks"][0][0] if step.kind == PLACE else 0
        return int(first) if seat is None else seat
    if seat is not None and seat != step.seat:
        raise InputError(f"seat: {seat} does not decide in step {step.number}; seat {step.seat} does")
    return step.seat


def _claim(moment: Moment, step: Step, unchanged: int) -> Choice:
    game, names = moment.game[0], moment.board.counties
    shown = [names[county] for county in game.open_card]
    claims = [0, 1, decisions.DECK]
    may_recycle = unchanged >= moment.ruleset.players
    if may_recycle:
        claims.append(decisions.RECYCLE)
    line = step.line
    made = decisions.RECYCLE if line["t"] == "recycle" else decisions.DECK
    if line.get("source") == "shown":
        made = shown.index(line["county"])
    own = ", ".join(f"{names[county]} {game.army[county]}" for county in moment.counties) or "none"
    groups = sorted((int(group) for group in game.group[moment.seat, : game.groups[moment.seat]]), reverse=True)
    facts = (
        f"Seat {moment.seat} claims a county in turn {step.turn + 1} of the draft of {moment.source}.",
        f"Open cards: {' and '.join(shown)}."
        + (" It may first put both under the deck (recycle)." if may_recycle else ""),
        f"Its counties with their armies: {own}. Its army groups left: {', '.join(map(str, groups))}.",
    )
    return Choice(CLAIM, moment, moment.game, unchanged, _rows(claims), _rows([made])[0], facts)


def _place(moment: Moment, before: np.ndarray, step: Step, turn: int, free: int) -> Choice:
    game, picks = moment.game[0], step.line["picks"]
    boxes = [box for box in range(MAX_PLAYERS) if free >> box & 1]
    tiles = ", ".join(f"{box + 1} ({TILES[game.tile_on_box[box]].replace('_', ' ')})" for box in boxes)
    facts = (
        f"Seat {moment.seat} chooses a place in {moment.season} of {moment.source}, as number {turn + 1} of "
        f"{len(picks)}.",
        f"Free places: {tiles}.",
        _event(moment),
    )
    return Choice(PLACE, moment, before, turn, _rows(boxes), _rows([picks[turn][1] - 1])[0], facts)


def _attack(moment: Moment, before: np.ndarray, step: Step, turn: int, targets: int) -> Choice:
    game, line, names = moment.game[0], step.line, moment.board.counties
    county = names.index(line["county"])
    armies = int(game.army[county])
    target = line.get("target", line.get("to"))
    made = [NOWHERE, 0] if target is None else [names.index(target), line["moved"]]
    around = [county for county in range(len(names)) if targets >> county & 1]
    facts = (
        f"Seat {moment.seat} carries out combat {line['action'][-1].upper()} with {armies} armies in {line['county']}, "
        f"in {moment.season} of {moment.source}.",
        f"Counties around, with their armies: {', '.join(_neighbour(moment, county) for county in around)}.",
        _event(moment),
    )
    options = attacks(around, armies - 1, none=moment.ruleset.combat == "may")
    return Choice(ATTACK, moment, before, turn, options, np.array(made, np.int64), facts)


def _neighbour(moment: Moment, county: int) -> str:
    """`Tirol (seat 2: 4)`, with its armies."""
    game = moment.game[0]
    owner = int(game.owner[county])
    whose = "own" if owner == moment.seat else f"seat {owner}"
    return f"{moment.board.counties[county]} ({'neutral' if owner == NEUTRAL else f'{whose}: {game.army[county]}'})"


def _event(moment: Moment) -> str:
    game = moment.game[0]
    effect = event_words(moment.board.events[game.event])
    return f"Event: {effect}{', cancelled' if game.effect == NO_EFFECT else ''}."


def _rows(numbers: list[int]) -> np.ndarray:
    return np.array([[number, 0] for number in numbers], np.int64)
