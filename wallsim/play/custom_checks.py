"""Checks of custom policies: before anything is written, and of what was written.

In their first two games every answer is checked, indices too, in a process of their own. The same games are then played
here, and the rows compared. A policy that has passed is tried again only where its code, the rules or wallsim have
changed; its first two games are always checked, in this process. Games that were played unchecked are checked, and a
drawn chunk is played again in another process before its folder counts as finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import Breach, IllegalAnswer, IllegalAnswerError
from wallsim.errors import InputError, RunError
from wallsim.experiment.components import TRIAL_GAMES, Components, county_names, illegal_answer
from wallsim.experiment.experiment import Experiment
from wallsim.folder.commit import write_whole
from wallsim.folder.local_files import read_bounded
from wallsim.folder.store import ChunkStore
from wallsim.jit import COMPILER, source_digest
from wallsim.play import trial_process
from wallsim.play.compile_progress import warm_up
from wallsim.play.trial_process import play_trial, rows_digest
from wallsim.policies.policy import Policy
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.board import Board
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset

if TYPE_CHECKING:
    from wallsim.folder.journal import ChunkRecord
    from wallsim.play.chunk_play import PlayChunk
    from wallsim.play.observer import RunObserver

_BATCH = 2000  # games that are played again at once
_FOLDER = "tried-policies"


def check_custom_policies(experiment: Experiment, parts: Components, observer: RunObserver) -> float:
    """Refuse policies that cannot be compiled or fail in the first games, before anything is written.

    Returns the wall seconds of compiling; InputError for an illegal answer, and for a policy that ends the process in
    which it is tried.
    """
    if not any(policy.answers for policy in parts.policies):
        return 0.0

    def arena(seated: Sequence[Policy], checked: bool) -> Arena:
        return replace(parts, policies=tuple(seated)).arena(experiment.seed, checked=checked)

    trial = Trial(parts.policies, arena, parts.board, trial_key(parts.policies, parts.ruleset, parts.board))
    return warm_up(partial(try_policies, [trial]), observer)


def recheck_finished_chunks(experiment: Experiment, parts: Components, store: ChunkStore) -> None:
    """Play the games of finished chunks again with checks, since they may have been played without, and discard them.

    InputError for an illegal answer.
    """
    if not any(policy.answers for policy in parts.policies):
        return
    arena = parts.arena(experiment.seed, checked=True)
    for record in store.records.values():
        for start in range(record.first, record.first + record.games, _BATCH):
            try:
                arena.play(start, min(_BATCH, record.first + record.games - start))
            except IllegalAnswerError as error:
                raise parts.illegal_answer(error) from None


def replay_drawn_chunk(play: PlayChunk, store: ChunkStore, policies: Sequence[Policy]) -> None:
    """Play a chunk of a folder again, in a process of its own, if custom policies have played it.

    A game is drawn, so that every one is as likely to be played again, and the files of its chunk are compared. If they
    differ, no chunk of the folder counts any more, and InputError names the policies.
    """
    custom = [policy for policy in policies if policy.answers]
    records = list(store.records.values())
    if not custom or not records:
        return
    (record,) = random.SystemRandom().choices(records, [each.games for each in records])
    difference = _difference(play, record, custom)
    if not difference:
        store.log.write("replayed", chunk=record.chunk)
        return
    store.log.write("replayed otherwise", chunk=record.chunk, withdrawn=len(records))
    store.withdraw(set(store.records))
    names = ", ".join(dict.fromkeys(policy.name for policy in custom))
    raise InputError(
        f"{store.folder}: {names}: games {record.first} to {record.first + record.games - 1}: {difference}; all games "
        "of the folder are discarded"
    )


def _difference(play: PlayChunk, record: ChunkRecord, custom: Sequence[Policy]) -> str:
    """What is wrong if a chunk is played again; empty if its files are the same."""
    ended = trial_process.Ended(None, started=False)
    if _can_be_sent(custom):
        ended = trial_process.do_in_process(
            trial_process.replayed_there, pickle.dumps(play), record.first, record.games
        )  # fmt: skip
    if ended.outcome is None and (ended.started or ended.signal):
        return f"another process ends ({trial_process.signal_in_words(ended.signal) if ended.signal else ended.error})"
    if ended.outcome is None:
        there = trial_process.replayed(play, record.first, record.games)
    elif ended.outcome.illegal is not None or ended.outcome.refused:
        return "another process refuses an answer; answers may depend on the arguments and the seat's own stream"
    else:
        there = ended.outcome.value
    if dict(there) == {part.table: part.sha256 for part in record.files}:
        return ""
    return "are played differently in another process; answers may depend on the arguments and the seat's own stream"


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
    new = [place for place, trial in enumerate(trials) if _can_be_sent(trial.custom) and not has_passed(trial.key)]
    for place, trial in enumerate(trials):
        if place not in new:
            _play(trial, checked[place])
    if new and not _tried_elsewhere([trials[place] for place in new], [checked[place] for place in new]):
        for place in new:
            _play(trials[place], checked[place])


def _can_be_sent(custom: Iterable[Policy]) -> bool:
    # To a process of its own, which reads the functions of policies from their sources.
    sent = all(answer.source for policy in custom for answer in policy.answers.values())
    return trial_process.in_own_process and sent


def _play(trial: Trial, arena: Arena) -> None:
    try:
        play_trial(arena, TRIAL_GAMES)
    except IllegalAnswerError as error:
        trial.refuse(error.args[0])


def _tried_elsewhere(trials: Sequence[Trial], checked: Sequence[Arena]) -> bool:
    """Try policies in a process of their own; False if there can be none."""
    warm = trials[0].arena([_plain(policy) for policy in trials[0].policies], False)
    warm.play(0, 1)  # compiles the engine, which the other process then loads
    arenas = pickle.dumps(warm), pickle.dumps(list(checked))
    ended = trial_process.do_in_process(
        trial_process.tried_there, *arenas, TRIAL_GAMES, trial_process.CPU_SECONDS
    )  # fmt: skip
    if not ended.started and not ended.signal:
        return False
    trial, outcome = trials[min(ended.table, len(trials) - 1)], ended.outcome
    if outcome is None:
        raise InputError(_death(trial, ended))
    if outcome.illegal is not None:
        trial.refuse(outcome.illegal)
    if outcome.refused:
        raise InputError(list(outcome.refused))
    for trial, there in zip(trials, outcome.value, strict=True):
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


def _death(trial: Trial, ended: trial_process.Ended) -> str:
    asked, names = ended.asked, ", ".join(policy.name for policy in trial.custom)
    if not ended.signal:
        return f"{names}: the process that tries custom policies failed: {ended.error}"
    words = trial_process.signal_in_words(ended.signal)
    if asked is None or not 0 <= asked.seat < len(trial.policies):
        return f"{names}: the machine code {words} ({ended.error})"
    policy = trial.policies[asked.seat]
    answer = policy.answers.get(QUESTIONS[asked.question].name)
    place = "the machine code" if answer is None else f"the function in {answer.stem}.py, line {answer.line},"
    return f"{asked.occasion(policy.name, county_names(trial.board))}: {place} {words}"
