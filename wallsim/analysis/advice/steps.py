"""Which decision a line of a game's trace is: a claim in the draft, a plan, a place in the auction or an attack."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from wallsim.analysis.advice.decision import ATTACK, CLAIM, PLACE, PLAN
from wallsim.analysis.advice.options import check_number
from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.engine.log import MAX_LINES
from wallsim.errors import InputError
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import number_key
from wallsim.rules.terms import ACTIONS, COMBAT_A, OUTCOMES, STAYED
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

_SOURCES = ("shown", "deck")  # of counties that are handed out in a draft
_COMBATS = ACTIONS[COMBAT_A:]
_BATTLES = ("player", "neutral")  # kinds of battles that a seat's card begins

Line = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A decision of a game and its line of the trace.

    `number` is the line's, `season` the round's, empty in the draft. `seat` decides, None for the beginning of a round,
    at which all seats plan, and for an auction, in which all choose. `turn` counts the turns of the draft, or the
    county cards of a round that were carried out before. `recycled`: the seat has put the open cards under the deck.
    """

    kind: str
    number: int
    season: str
    seat: int | None
    turn: int
    line: Line
    recycled: bool = False


def check_game(game: int, experiment: Experiment) -> None:
    """InputError unless the experiment has such a game."""
    check_number("game", number_key(0, experiment.games - 1, None), game)


def step_of(experiment: Experiment, game: int, number: int) -> Step:
    """The decision of a line of a game's trace; lines are counted from 0.

    A battle is the attack that led to it, and open cards that are put under the deck are a claim. InputError for a line
    that there is not, and for one at which nobody makes a decision that advice is given on.
    """
    check_game(game, experiment)
    check_number("step", number_key(0, MAX_LINES - 1, None), number)  # before kernels compile for the game
    lines = _lines(experiment, game)
    last = number_key(0, len(lines) - 1, None)
    check_number("step", replace(last, allowed=f"{last.allowed}, the last of the trace"), number)
    steps = {step.number: step for step in _steps(lines, experiment)}
    line, after = lines[number], number + 1
    if line["t"] == "battle" and line["kind"] in _BATTLES:
        while lines[after]["t"] != "action":
            after += 1
        number = after
    if number not in steps:
        raise InputError(f"step: {number} is {_described(lines[number])}; allowed are {_allowed(steps.values())}")
    return steps[number]


def _steps(lines: Sequence[Line], experiment: Experiment) -> Iterator[Step]:
    season, deals, actions = "", 0, 0
    for number, line in enumerate(lines):
        kind = line["t"]
        if kind == "recycle" or (kind == "deal" and line["source"] in _SOURCES):
            recycled = kind == "deal" and lines[number - 1]["t"] == "recycle"
            yield Step(CLAIM, number, season, line["seat"], deals, line, recycled)
        elif kind in ("round", "plan"):
            season = f"{line['season']} {line['year']}" if kind == "round" else season
            yield Step(PLAN, number, season, line.get("seat"), 0, line)
        elif kind == "order" and experiment.edition != "1e":
            yield Step(PLACE, number, season, None, 0, line)
        elif kind == "action" and line["action"] in _COMBATS and (line["done"] or line["why"] == OUTCOMES[STAYED]):
            yield Step(ATTACK, number, season, line["seat"], actions, line)
        deals += kind == "deal"
        actions = 0 if kind == "round" else actions + (kind == "action")


def _described(line: Line) -> str:
    if line["t"] == "action":
        why = f", which was not carried out: {line['why']}" if not line["done"] else ""
        return f"a line of kind 'action' with {line['action']}{why}"
    return f"a line of kind {line['t']!r}"


def _allowed(steps: Collection[Step]) -> str:
    """The numbers of the lines that are decisions, by their kinds."""
    words = []
    for kind in (CLAIM, PLAN, PLACE, ATTACK):
        numbers = [step.number for step in steps if step.kind == kind]
        if numbers:
            words.append(f"{kind}s {_ranges(numbers)}")
    return "; ".join(words)


def _ranges(numbers: Sequence[int]) -> str:
    """`3 to 5, 9` for 3, 4, 5 and 9."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in ranges)


def _lines(experiment: Experiment, game: int) -> list[Line]:
    with replayed(experiment) as (parts, arena):
        match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, parts.names(), game)
        return list(trace_lines(match, arena.trace(game)))


@contextmanager
def replayed(experiment: Experiment) -> Iterator[tuple[Components, Arena]]:
    """The parts of an experiment and the arena in which its games are played again; InputError for illegal answers."""
    parts = experiment.components()
    try:
        yield parts, parts.arena(experiment.seed, checked=True)
    except IllegalAnswerError as error:
        raise parts.illegal_answer(error) from None
