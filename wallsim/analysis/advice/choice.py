"""A decision of a game that is no plan: what may be chosen, what was chosen, and both as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.analysis.advice.moment import Moment
from wallsim.analysis.advice.plan_text import Change
from wallsim.analysis.advice.steps import ATTACK, CLAIM, PLACE
from wallsim.engine.decisions import DECK, RECYCLE
from wallsim.errors import InputError
from wallsim.rules.board import Board
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import NOWHERE, TILES

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
