"""An illegal answer of a custom policy: who gave it, where in which game, and what is allowed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.errors import InputError
from wallsim.policies.custom.guards import (
    CHANGED_MIND,
    CHANGED_TABLE,
    FAULT_ANSWER,
    FAULT_GAME,
    FAULT_KIND,
    FAULT_PLACE,
    FAULT_QUESTION,
    FAULT_SEASON,
    FAULT_YEAR,
    NO_FAULT,
)
from wallsim.policies.questions import BID, PLAN, QUESTIONS
from wallsim.rules.terms import ACTIONS, AUCTION, COURT_3, MAX_PLAYERS, MONEY, NO_CARD, SEASONS, TOWER_CARD


@dataclass(frozen=True)
class IllegalAnswer:
    """A seat's first illegal answer in a batch of games. `place` is a box of the mat or a county, -1 for neither."""

    seat: int
    game: int
    year: int
    season: int
    question: int
    place: int
    answer: int
    kind: int

    def text(self, policy: str, county: Callable[[int], str]) -> str:
        """One line that names policy, seat, game, season, question, box or county, the answer and what is allowed."""
        question = QUESTIONS[self.question]
        season = SEASONS[self.season] if 0 <= self.season < len(SEASONS) else f"season {self.season}"
        moment = f"year {self.year + 1}, {season}"
        moment = "draft" if question.in_draft else moment
        start = f"{policy} (seat {self.seat}): game {self.game}, {moment}: {question.name}"
        where = f" for {county(self.place)}" if self.place >= 0 and self.question not in (PLAN, BID) else ""
        if self.kind == CHANGED_TABLE:
            return f"{start}{where}: changes what lies on the table; allowed is to look, and to answer"
        if self.kind == CHANGED_MIND:
            return f"{start}{where}: changes weights or settings in `mind`; allowed is to look, and to answer"
        if self.question in (PLAN, BID):
            allowed = (
                "an own card that lies nowhere else, a bid that is held (with five counties or fewer none: [A14]), "
                "and no empty box while cards are left"
            )
            return f"{start}: box {_box(self.place)}: {_card(self.answer, county)} is illegal; allowed is {allowed}"
        return f"{start}{where}: {self.answer} is illegal; allowed is {question.answer}"


@dataclass(frozen=True)
class Breach:
    """Another breach of the rules by a checked policy, in words; which of several policies it was is not known."""

    words: str
    seat: int = -1

    def text(self, policy: str, county: Callable[[int], str]) -> str:
        """One line that names the custom policies of the table."""
        return f"{policy}: {self.words}"


class IllegalAnswerError(InputError):
    """A custom policy gave an illegal answer; the first argument is the IllegalAnswer, or a Breach."""

    def __str__(self) -> str:
        """The answer in words, with numbers where an arena knows no names."""
        fault: IllegalAnswer | Breach = self.args[0]
        return fault.text("policy", lambda county: f"county {county}")


@contextmanager
def refuse_exceptions() -> Iterator[None]:
    """Raise IllegalAnswerError at the end if an answer raised an exception, which compiled code can only print.

    The interpreter has a single hook for such exceptions, so threads that check at the same time share it.
    """
    with _WATCH:
        if not _WATCH.users:
            _WATCH.before, sys.unraisablehook = sys.unraisablehook, _WATCH.note
            _WATCH.message = ""
        _WATCH.users += 1
    try:
        yield
    finally:
        with _WATCH:
            message = _WATCH.message
            _WATCH.users -= 1
            if not _WATCH.users:
                sys.unraisablehook = _WATCH.before
    if message:
        raise IllegalAnswerError(Breach(f"{message}; allowed is to raise nothing"))


class _ExceptionWatch:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.users, self.message = 0, ""
        self.before: Callable[[Any], Any] = sys.unraisablehook

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def note(self, raised: Any) -> None:
        self.message = self.message or f"an answer raises {raised.exc_type.__name__}: {raised.exc_value}"


_WATCH = _ExceptionWatch()


def refuse_illegal_answers(players: np.ndarray) -> None:
    """Raise IllegalAnswerError for the earliest fault record in the minds of a PLAYERS array."""
    records = [_illegal_answer(seat, players[0].seat[seat].fault) for seat in range(MAX_PLAYERS)]
    illegal = [answer for answer in records if answer is not None]
    if illegal:
        raise IllegalAnswerError(min(illegal, key=lambda answer: (answer.game, answer.year, answer.season)))


def refuse_changed_rules(before: np.ndarray, after: np.ndarray) -> None:
    """Raise IllegalAnswerError if the copy of the rules that policies were given is not as it was."""
    if before.tobytes() != after.tobytes():
        raise IllegalAnswerError(Breach("changes the rules or the board; allowed is to look at them"))


def _illegal_answer(seat: int, fault: np.ndarray) -> IllegalAnswer | None:
    if fault[FAULT_KIND] == NO_FAULT:
        return None
    return IllegalAnswer(
        seat=seat,
        game=int(fault[FAULT_GAME]),
        year=int(fault[FAULT_YEAR]),
        season=int(fault[FAULT_SEASON]),
        question=int(fault[FAULT_QUESTION]),
        place=int(fault[FAULT_PLACE]),
        answer=int(fault[FAULT_ANSWER]),
        kind=int(fault[FAULT_KIND]),
    )


def _box(box: int) -> str:
    if box == AUCTION:
        return "auction"
    return ACTIONS[box] if box < AUCTION else f"court {3 - (box - COURT_3)}"


def _card(card: int, county: Callable[[int], str]) -> str:
    if card == NO_CARD:
        return "no card"
    if 0 <= card < MONEY:
        return f"the card of {county(card)}"
    if card == TOWER_CARD:
        return "a dice-tower card"
    return f"money {card - MONEY}" if MONEY <= card < TOWER_CARD else f"{card}, which is no card,"
