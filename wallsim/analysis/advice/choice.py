"""A decision of a game that is no plan: what may be chosen, what was chosen, and both as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.analysis.advice.moment import DRAFT, Moment, check_seat, round_of
from wallsim.analysis.advice.plan_text import Change
from wallsim.analysis.advice.steps import ATTACK, CLAIM, PLACE, Step
from wallsim.engine import decisions
from wallsim.engine.decisions import DECK, RECYCLE
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.rules.board import Board
from wallsim.rules.provenance import event_words
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import MAX_PLAYERS, NEUTRAL, NO_EFFECT, NOWHERE, TILES

MOST_ATTACKS = 30  # that are tried
DECK_WORD, RECYCLE_WORD, NONE = "deck", "recycle", "none"


@dataclass(frozen=True)
class Choice:
    """A decision: `kind` is `claim`, `place` or `attack`.

    `moment` is the table at the decision, `before` a GAME array of that before the round's planning, the same in a
    draft. `turn` is the number of the seat's pick, or of its card on the agenda; in a draft it is the number of turns
    in which the open cards stayed the same. `options` is int64 [options, 2], the numbers that the engine takes, `made`
    those of the choice in the game. `facts` are lines that describe the table.
    """

    kind: str
    moment: Moment
    before: np.ndarray
    turn: int
    options: np.ndarray
    made: np.ndarray
    facts: tuple[str, ...]

    def words(self, option: np.ndarray) -> dict[str, str]:
        """An option in words: `claim`; `place` and `tile`; or `target` and `armies`."""
        first, second = int(option[0]), int(option[1])
        if self.kind == CLAIM:
            return {CLAIM: self._claim(first)}
        if self.kind == PLACE:
            return {PLACE: str(first + 1), "tile": TILES[self.moment.game[0].tile_on_box[first]]}
        if first == NOWHERE:
            return {"target": NONE, "armies": "0"}
        return {"target": self.moment.board.counties[first], "armies": str(second)}

    def changes(self, best: np.ndarray, other: np.ndarray) -> tuple[Change, ...]:
        """In what two options differ."""
        first, second = self.words(best), self.words(other)
        return tuple(Change(name, first[name], second[name]) for name in first if first[name] != second[name])

    def kept(self, option: np.ndarray) -> tuple[int, ...]:
        """What of an option matters: all of it."""
        return tuple(int(number) for number in option)

    def read(self, choice: str | Mapping[str, Any]) -> np.ndarray:
        """The option of a text such as `Tirol`, `deck`, `2`, `six_armies`, `Tirol 3` or `none`, or of its words.

        InputError for what the rules do not allow.
        """
        text = _text(choice)
        wanted = _plain(text)
        for option in np.concatenate([self.options, self._further()]):
            if wanted in self._texts(option):
                return np.asarray(option)
        allowed = self._allowed()
        raise InputError(
            f"choice: {text[:100]!r} is not one of {', '.join(allowed)}{did_you_mean(text[:100], allowed)}"
        )

    def _claim(self, claim: int) -> str:
        words = {DECK: DECK_WORD, RECYCLE: RECYCLE_WORD}
        return words.get(claim) or self.moment.board.counties[self.moment.game[0].open_card[claim]]

    def _texts(self, option: np.ndarray) -> set[str]:
        """The texts that stand for an option."""
        words = [_plain(word) for word in self.words(option).values()]
        return {" ".join(words), *(words if self.kind == PLACE else ()), *(words[:1] if words[0] == NONE else ())}

    def _further(self) -> np.ndarray:
        """Attacks that are not tried unless they are asked about: with other numbers of armies."""
        if self.kind != ATTACK:
            return self.options[:0]
        targets = dict.fromkeys(int(target) for target, _ in self.options if target != NOWHERE)
        most = int(self.options[:, 1].max())
        return np.array([[target, armies] for target in targets for armies in range(1, most + 1)], np.int64)

    def _allowed(self) -> list[str]:
        if self.kind != ATTACK:
            return [next(iter(self.words(option).values())) for option in self.options]
        most = int(self.options[:, 1].max())
        names = dict.fromkeys(self.words(option)["target"] for option in self.options)
        return [name if name == NONE else f"{name} 1" + (f" to {most}" if most > 1 else "") for name in names]


def check_words(board: Board, choice: str | Mapping[str, Any]) -> None:
    """InputError for a text that stands for no claim, place or attack of any game on a board."""
    text = _text(choice)
    names = [*board.counties, *TILES, DECK_WORD, RECYCLE_WORD, NONE]
    wanted = _plain(text)
    if not wanted.isdecimal() and re.sub(r"^[0-9]+ | [0-9]+$", "", wanted) not in map(_plain, names):
        raise InputError(
            f"choice: {text[:100]!r} is not a county, a county and a number of armies, a place, a tile, {DECK_WORD}, "
            f"{RECYCLE_WORD} or {NONE}{did_you_mean(text[:100], names)}"
        )


def _text(choice: str | Mapping[str, Any]) -> str:
    text = " ".join(map(str, choice.values())) if isinstance(choice, Mapping) else choice
    if not isinstance(text, str):
        raise InputError(f"choice: {type(choice).__name__} is given; allowed is a text or a dictionary of words")
    return text


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def attacks(targets: list[int], most: int, *, none: bool) -> np.ndarray:
    """The attacks that are tried, int64 [attacks, 2]: county and armies, at most MOST_ATTACKS and `none` of them.

    With many targets not every number of armies is tried, but always 1, if there is room for it, and `most`.
    """
    numbers = max(1, MOST_ATTACKS // len(targets))
    tried = np.unique(np.linspace(most if numbers == 1 else 1, most, min(numbers, most)).round().astype(np.int64))
    rows = [[target, int(armies)] for target in targets for armies in tried[::-1]]
    return np.array([*([[NOWHERE, 0]] if none else []), *rows], np.int64)


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
