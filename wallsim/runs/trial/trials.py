"""The trial of custom policies before anything is written: two games each, in a process of their own.

There every answer is checked, indices too. The same games are then played here, and the rows compared. A policy that
has passed is tried again only where its code, the rules or wallsim have changed; its first two games are always
checked, in this process.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import Breach, IllegalAnswer, IllegalAnswerError
from wallsim.errors import InputError, RunError
from wallsim.jit import COMPILER, source_digest
from wallsim.policies.policy import Policy
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.board import Board
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.runs.components import TRIAL_GAMES, county_names, illegal_answer
from wallsim.runs.folder.commit import write_whole
from wallsim.runs.folder.local_files import read_bounded
from wallsim.runs.trial import process
from wallsim.runs.trial.process import play_trial, rows_digest

_FOLDER = "tried-policies"


def trial_key(policies: Iterable[Policy], ruleset: Ruleset, board: Board) -> str:
    """A digest of all that decides whether custom policies pass: their code, the rules, this version of wallsim.

    Amounts, towers, line-ups and seeds are left out: a policy that passes with some does with others, as far as a
    trial can tell.
    """
    facts: dict[str, Any] = {
        "kernels": source_digest(),
        "compiler": COMPILER,
        "python": platform.python_version(),
        "policies": sorted(json.dumps(policy.identity(), sort_keys=True) for policy in policies if policy.answers),
        "rules": {name: getattr(ruleset, name) for name in FIELD_NAMES},
        "expansions": list(ruleset.expansions),
        "board": board.digest,
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def has_passed(key: str) -> bool:
    """Whether a trial with this key has been passed on this machine."""
    with suppress(OSError, RunError):
        return read_bounded(_place(key)) == key.encode()
    return False


def note_passed(key: str) -> None:
    """Note that a trial was passed; failing to write it is ignored."""
    place = _place(key)
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, exist_ok=True)
        write_whole(place, key.encode())


def _place(key: str) -> Path:
    return Path(os.environ["NUMBA_CACHE_DIR"]) / _FOLDER / key[:32]  # set by `wallsim.jit`


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
    return process.in_own_process and sent and not has_passed(trial.key)


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
