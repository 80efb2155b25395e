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
    ASKED_GAME,
    ASKED_NOW,
    ASKED_PLACE,
    ASKED_QUESTION,
    ASKED_SEASON,
    ASKED_SEAT,
    ASKED_YEAR,
    CHANGED_MIND,
    CHANGED_TABLE,
    FAULT_ANSWER,
    FAULT_GAME,
    FAULT_KIND,
    FAULT_PLACE,
    FAULT_QUESTION,
    FAULT_SEASON,
    FAULT_YEAR,
    LOOKED,
    NO_FAULT,
    RAISED,
    VARIES,
)
from wallsim.policies.questions import BID, PLAN, QUESTIONS
from wallsim.policies.record import MIND, SETTINGS_END
from wallsim.rules.terms import ACTIONS, AUCTION, COURT_3, MAX_PLAYERS, MONEY, NO_CARD, SEASONS, TOWER_CARD

_FIELDS: dict[str, Any] = dict(MIND.fields or {})
_LASTING = slice(_FIELDS["phase_weight"][1], SETTINGS_END)  # in bytes
_BREACHES = {
    CHANGED_TABLE: "changes what lies on the table; allowed is to look, and to answer",
    CHANGED_MIND: "changes weights or settings in `mind`; allowed is to look, and to answer",
    LOOKED: "the answer or a note changes when hidden cards and random streams are dealt again; allowed is to read "
    "what lies open (B3.5)",
    VARIES: "the answer or a note changes when the same question is asked again; allowed is to answer by the arguments "
    "and the seat's own stream",
}


@dataclass(frozen=True)
class IllegalAnswer:
    """A seat's first illegal answer in a batch of games. `place` is a box of the mat or a county, -1 for neither.

    `words` describe the exception of an answer that raises one.
    """

    seat: int
    game: int
    year: int
    season: int
    question: int
    place: int
    answer: int
    kind: int
    words: str = ""

    def occasion(self, policy: str, county: Callable[[int], str]) -> str:
        """Policy, seat, game, season, question, and the county that it is about."""
        question = QUESTIONS[self.question]
        season = SEASONS[self.season] if 0 <= self.season < len(SEASONS) else f"season {self.season}"
        moment = "draft" if question.in_draft else f"year {self.year + 1}, {season}"
        where = f" for {county(self.place)}" if self.place >= 0 and self.question not in (PLAN, BID) else ""
        return f"{policy} (seat {self.seat}): game {self.game}, {moment}: {question.name}{where}"

    def text(self, policy: str, county: Callable[[int], str]) -> str:
        """One line that names policy, seat, game, season, question, box or county, the answer and what is allowed."""
        question, occasion = QUESTIONS[self.question], self.occasion(policy, county)
        if self.kind == RAISED:
            return f"{occasion}: raises {self.words}; allowed is to raise nothing"
        if self.kind in _BREACHES:
            return f"{occasion}: {_BREACHES[self.kind]}"
        if self.question in (PLAN, BID):
            allowed = (
                "an own card that lies nowhere else, a bid that is held (with five counties or fewer none: [A14]), "
                "and no empty box while cards are left"
            )
            return f"{occasion}: box {_box(self.place)}: {_card(self.answer, county)} is illegal; allowed is {allowed}"
        return f"{occasion}: {self.answer} is illegal; allowed is {question.answer}"


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
def refuse_exceptions(backup: np.ndarray) -> Iterator[None]:
    """Raise IllegalAnswerError at the end if an answer raised an exception, which compiled code can only print.

    `backup`, a BACKUP array, has the question that is being asked. The interpreter has a single hook for such
    exceptions, so threads that check at the same time share it; an answer raises in the thread that asks.
    """
    thread = threading.get_ident()
    with _WATCH:
        if not _WATCH.asked:
            _WATCH.before, sys.unraisablehook = sys.unraisablehook, _WATCH.note
            _WATCH.fault = None
        _WATCH.asked[thread] = backup
    try:
        yield
    finally:
        with _WATCH:
            fault = _WATCH.fault
            del _WATCH.asked[thread]
            if not _WATCH.asked:
                sys.unraisablehook = _WATCH.before
    if fault is not None:
        raise IllegalAnswerError(fault)


class _ExceptionWatch:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.asked: dict[int, np.ndarray] = {}  # by thread
        self.fault: IllegalAnswer | Breach | None = None
        self.before: Callable[[Any], Any] = sys.unraisablehook

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def note(self, raised: Any) -> None:
        if self.fault is None:
            words = f"{raised.exc_type.__name__}: {raised.exc_value}"
            asked = question_asked(self.asked.get(threading.get_ident()), words)
            self.fault = asked or Breach(f"an answer raises {words}; allowed is to raise nothing")


_WATCH = _ExceptionWatch()


def question_asked(backup: np.ndarray | None, words: str) -> IllegalAnswer | None:
    """The question that is being asked by a BACKUP array, as that of an answer that raises; None if there is none."""
    asked = [] if backup is None else backup[0].asked.tolist()
    if not asked or asked[ASKED_NOW] != 1 or not 0 <= asked[ASKED_QUESTION] < len(QUESTIONS):
        return None
    return IllegalAnswer(
        seat=asked[ASKED_SEAT], game=asked[ASKED_GAME], year=asked[ASKED_YEAR], season=asked[ASKED_SEASON],
        question=asked[ASKED_QUESTION], place=asked[ASKED_PLACE], answer=0, kind=RAISED, words=words,
    )  # fmt: skip


def refuse_illegal_answers(players: np.ndarray) -> None:
    """Raise IllegalAnswerError for the earliest fault record in the minds of a PLAYERS array."""
    records = [_illegal_answer(seat, players[0].seat[seat].fault) for seat in range(MAX_PLAYERS)]
    illegal = [answer for answer in records if answer is not None]
    if illegal:
        raise IllegalAnswerError(min(illegal, key=lambda answer: (answer.game, answer.year, answer.season)))


def lasting_settings(players: np.ndarray) -> bytes:
    """What a PLAYERS array has for all games: settings and weights, but for those of the round in play."""
    minds = players.view(np.uint8).reshape(MAX_PLAYERS, MIND.itemsize)
    return minds[:, _LASTING].tobytes()


def refuse_changed_settings(before: bytes, after: bytes) -> None:
    """Raise IllegalAnswerError if an answer changed `lasting_settings`, where a later game could read what it wrote."""
    if before != after:
        raise IllegalAnswerError(Breach(_BREACHES[CHANGED_MIND]))


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
