"""Choices as text, of every kind of decision: how they are read and written, and in what two of them differ."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.advice import plan_text
from wallsim.analysis.advice.decision import ATTACK, CLAIM, PLACE, PLAN, Decision
from wallsim.engine.decisions import DECK, RECYCLE
from wallsim.errors import InputError
from wallsim.rules.board import Board
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import NOWHERE, TILES

DECK_WORD, RECYCLE_WORD, NONE = "deck", "recycle", "none"


class Change(NamedTuple):
    """A box on which two plans differ, and what lies there: a county, `pass`, money as `0` to `4`, or `tower`.

    For another choice the box is what is chosen, such as `claim` or `armies`.
    """

    box: str
    best: str
    other: str


def words_of(decision: Decision, choice: np.ndarray) -> dict[str, str]:
    """A choice in words: a plan's cards by box; `claim`; `place` and `tile`; or `target` and `armies`."""
    if decision.kind == PLAN:
        return plan_text.words_of(decision, choice)
    first, second = int(choice[0]), int(choice[1])
    if decision.kind == CLAIM:
        return {CLAIM: _claim(decision, first)}
    if decision.kind == PLACE:
        return {PLACE: str(first + 1), "tile": TILES[decision.game[0].tile_on_box[first]]}
    if first == NOWHERE:
        return {"target": NONE, "armies": "0"}
    return {"target": decision.board.counties[first], "armies": str(second)}


def _claim(decision: Decision, claim: int) -> str:
    words = {DECK: DECK_WORD, RECYCLE: RECYCLE_WORD}
    return words.get(claim) or decision.board.counties[decision.game[0].open_card[claim]]


def effect_of(decision: Decision, choice: np.ndarray) -> tuple[int, ...]:
    """What of a choice matters: two that are equal in it play the same game."""
    return plan_text.effect_of(choice) if decision.kind == PLAN else tuple(map(int, choice))


def changes(decision: Decision, best: np.ndarray, other: np.ndarray) -> tuple[Change, ...]:
    """In what two choices differ, of all that matters."""
    first, second = words_of(decision, best), words_of(decision, other)
    same = plan_text.same_boxes(decision, best, other) if decision.kind == PLAN else ()
    return tuple(Change(box, first[box], second[box]) for box in first if first[box] != second[box] and box not in same)


def read_choice(decision: Decision, text: str | Mapping[str, Any]) -> np.ndarray:
    """The choice that a text stands for, or the words of one in a dictionary.

    A plan is written as `palace=Tirol, grain=Anhalt, bid=2`, another choice as `Tirol`, `deck`, `2`, `six_armies`,
    `Tirol 3` or `none`. InputError for what the rules do not allow.
    """
    if decision.kind == PLAN:
        return plan_text.read_plan(decision, text)
    words = _text(text)
    wanted = _plain(words)
    for choice in np.concatenate([decision.choices, _further(decision)]):
        if wanted in _texts(decision, choice):
            return np.asarray(choice)
    allowed = _allowed(decision)
    raise InputError(f"choice: {words[:100]!r} is not one of {', '.join(allowed)}{did_you_mean(words[:100], allowed)}")


def check_words(board: Board, text: str | Mapping[str, Any]) -> None:
    """InputError for a text that stands for no claim, place or attack of any game on a board."""
    words = _text(text)
    names = [*board.counties, *TILES, DECK_WORD, RECYCLE_WORD, NONE]
    wanted = _plain(words)
    if not wanted.isdecimal() and re.sub(r"^[0-9]+ | [0-9]+$", "", wanted) not in map(_plain, names):
        raise InputError(
            f"choice: {words[:100]!r} is not a county, a county and a number of armies, a place, a tile, {DECK_WORD}, "
            f"{RECYCLE_WORD} or {NONE}{did_you_mean(words[:100], names)}"
        )


def _text(text: str | Mapping[str, Any]) -> str:
    words = " ".join(map(str, text.values())) if isinstance(text, Mapping) else text
    if not isinstance(words, str):
        raise InputError(f"choice: {type(text).__name__} is given; allowed is a text or a dictionary of words")
    return words


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def _texts(decision: Decision, choice: np.ndarray) -> set[str]:
    """The texts that stand for a choice."""
    words = [_plain(word) for word in words_of(decision, choice).values()]
    return {" ".join(words), *(words if decision.kind == PLACE else ()), *(words[:1] if words[0] == NONE else ())}


def _further(decision: Decision) -> np.ndarray:
    """Attacks that are not tried unless they are asked about: with other numbers of armies."""
    if decision.kind != ATTACK:
        return decision.choices[:0]
    targets = dict.fromkeys(int(target) for target, _ in decision.choices if target != NOWHERE)
    most = int(decision.choices[:, 1].max())
    return np.array([[target, armies] for target in targets for armies in range(1, most + 1)], np.int64)


def _allowed(decision: Decision) -> list[str]:
    names = [next(iter(words_of(decision, choice).values())) for choice in decision.choices]
    if decision.kind != ATTACK:
        return names
    most = int(decision.choices[:, 1].max())
    armies = f" 1 to {most}" if most > 1 else " 1"
    return [name if name == NONE else f"{name}{armies}" for name in dict.fromkeys(names)]
