"""A wrong answer of a policy of one's own: who gave it, where in which game, and what would have been allowed."""

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
from wallsim.policies.questions import BID, CLAIM, DRAFT_LEADER, GARRISON, PLAN, QUESTIONS, RECYCLE
from wallsim.rules.terms import ACTIONS, AUCTION, COURT_3, MAX_PLAYERS, MONEY, NO_CARD, SEASONS, TOWER_CARD

_IN_THE_DRAFT = (CLAIM, RECYCLE, GARRISON, DRAFT_LEADER)


@dataclass(frozen=True)
class WrongAnswer:
    """The first wrong answer of a seat in a batch of games. `place` is a box of the mat or a county, -1 for neither."""

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
        moment = f"year {self.year + 1}, {SEASONS[self.season]}"
        moment = "draft" if self.question in _IN_THE_DRAFT else moment
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
            return f"{start}: box {_box(self.place)}: {_card(self.answer, county)} is wrong; allowed is {allowed}"
        return f"{start}{where}: {self.answer} is wrong; allowed is {question.answer}"


@dataclass(frozen=True)
class Breach:
    """What a checked policy did that is no answer at all, in words; which of several did it is not known."""

    words: str
    seat: int = -1

    def text(self, policy: str, county: Callable[[int], str]) -> str:
        """One line that names the policies of the table that are somebody's own."""
        return f"{policy}: {self.words}"


class WrongAnswerError(InputError):
    """A checked policy gave a wrong answer; the first argument is the WrongAnswer, or a Breach."""

    def __str__(self) -> str:
        """The answer in words, with numbers where an arena knows no names."""
        wrong: WrongAnswer | Breach = self.args[0]
        return wrong.text("policy", lambda county: f"county {county}")


@contextmanager
def overheard() -> Iterator[None]:
    """Raise WrongAnswerError at the end if an answer raised an exception, which compiled code can only print.

    The interpreter has one place where such exceptions end, so threads that check at one time share what is heard.
    """
    with _LISTENING:
        if not _LISTENING.listeners:
            _LISTENING.before, sys.unraisablehook = sys.unraisablehook, _LISTENING.hear
            _LISTENING.heard = ""
        _LISTENING.listeners += 1
    try:
        yield
    finally:
        with _LISTENING:
            heard = _LISTENING.heard
            _LISTENING.listeners -= 1
            if not _LISTENING.listeners:
                sys.unraisablehook = _LISTENING.before
    if heard:
        raise WrongAnswerError(Breach(f"{heard}; allowed is to raise nothing"))


class _Listening:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.listeners, self.heard = 0, ""
        self.before: Callable[[Any], Any] = sys.unraisablehook

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def hear(self, raised: Any) -> None:
        self.heard = self.heard or f"an answer raises {raised.exc_type.__name__}: {raised.exc_value}"


_LISTENING = _Listening()


def refuse_wrong_answers(players: np.ndarray) -> None:
    """Raise WrongAnswerError for the earliest wrong answer that the minds of a PLAYERS array remember."""
    found = [_wrong_answer(seat, players[0].seat[seat].fault) for seat in range(MAX_PLAYERS)]
    wrong = [answer for answer in found if answer is not None]
    if wrong:
        raise WrongAnswerError(min(wrong, key=lambda answer: (answer.game, answer.year, answer.season)))


def refuse_changed_rules(before: np.ndarray, after: np.ndarray) -> None:
    """Raise WrongAnswerError if the copy of the rules that policies were given is not as it was."""
    if before.tobytes() != after.tobytes():
        raise WrongAnswerError(Breach("changes the rules or the board; allowed is to look at them"))


def _wrong_answer(seat: int, fault: np.ndarray) -> WrongAnswer | None:
    if fault[FAULT_KIND] == NO_FAULT:
        return None
    return WrongAnswer(
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
