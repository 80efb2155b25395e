"""The trial of custom policies before anything is written: two games each, in a process of their own.

There every answer is checked, indices too. The same games are then played here, and the rows compared. A policy that
has passed is tried again only where its code, the rules or wallsim have changed; its first two games are always
checked, in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import Breach, IllegalAnswer, IllegalAnswerError
from wallsim.errors import InputError
from wallsim.policies.policy import Policy
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.board import Board
from wallsim.runs.components import TRIAL_GAMES, county_names, illegal_answer
from wallsim.runs.trial import process, switch
from wallsim.runs.trial.cache import has_passed, note_passed
from wallsim.runs.trial.child import play_trial, rows_digest


@dataclass(frozen=True)
class Trial:
    """A table to try: its policies, one per seat, and the arena of such policies, checked or not."""

    policies: Sequence[Policy]
    arena: Callable[[Sequence[Policy], bool], Arena]
    board: Board
    key: str  # `trial_key`

    @property
    def custom(self) -> list[Policy]:
        """The policies that have functions of their own, each once."""
        return list({id(policy): policy for policy in self.policies if policy.answers}.values())

    def refuse(self, error: IllegalAnswer | Breach) -> NoReturn:
        """Raise the InputError for an error, with the names of policies and counties."""
        raise illegal_answer(IllegalAnswerError(error), self.policies, self.board) from None


def try_policies(trials: Sequence[Trial]) -> None:
    """Try the custom policies of some tables. InputError for the first that fails."""
    checked = [trial.arena(trial.policies, True) for trial in trials]  # compiles
    new = [place for place, trial in enumerate(trials) if _is_new(trial)]
    for place, trial in enumerate(trials):
        if place not in new:
            _play(trial, checked[place])
    if new and not _tried_elsewhere([trials[place] for place in new], [checked[place] for place in new]):
        for place in new:
            _play(trials[place], checked[place])


def _is_new(trial: Trial) -> bool:
    sent = all(answer.source for policy in trial.custom for answer in policy.answers.values())
    return switch.in_own_process and sent and not has_passed(trial.key)


def _play(trial: Trial, arena: Arena) -> None:
    try:
        play_trial(arena, TRIAL_GAMES)
    except IllegalAnswerError as error:
        trial.refuse(error.args[0])


def _tried_elsewhere(trials: Sequence[Trial], checked: Sequence[Arena]) -> bool:
    """Try policies in a process of their own; False if there can be none."""
    warm = trials[0].arena([_plain(policy) for policy in trials[0].policies], False)
    warm.play(0, 1)  # compiles the engine, which the other process then loads
    ended = process.try_in_process(warm, checked, TRIAL_GAMES)
    if not ended.started and not ended.signal:
        return False
    if ended.tried is None:
        raise InputError(_death(trials[min(ended.table, len(trials) - 1)], ended))
    tried = ended.tried
    if tried.error is not None:
        trials[tried.failed].refuse(tried.error)
    if tried.refused:
        raise InputError(list(tried.refused))
    for trial, there in zip(trials, tried.digests, strict=True):
        if rows_digest(trial.arena(trial.policies, False).play(0, TRIAL_GAMES, seasons=True)) != there:
            trial.refuse(
                Breach(
                    "plays the same games differently in another process; answers may depend on the arguments and the "
                    "seat's own stream"
                )
            )
        note_passed(trial.key)
    return True


def _plain(policy: Policy) -> Policy:
    return replace(policy, answers={}, code="", source=b"") if policy.answers else policy


def _death(trial: Trial, ended: process.Ended) -> str:
    asked, names = ended.asked, ", ".join(policy.name for policy in trial.custom)
    if not ended.signal:
        return f"{names}: the process that tries custom policies failed: {ended.error}"
    words = process.words_of(ended.signal)
    if asked is None or not 0 <= asked.seat < len(trial.policies):
        return f"{names}: the machine code {words} ({ended.error})"
    policy = trial.policies[asked.seat]
    answer = policy.answers.get(QUESTIONS[asked.question].name)
    place = "the machine code" if answer is None else f"the function in {answer.stem}.py, line {answer.line},"
    return f"{asked.occasion(policy.name, county_names(trial.board))}: {place} {words}"
