"""Checks of custom policies: in the first games before anything is written, in games that were played unchecked, and in
a drawn chunk that is played again in another process before its folder counts as finished.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import InputError
from wallsim.policies.policy import Policy
from wallsim.runs.compile_progress import warm_up
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.store import ChunkStore

if TYPE_CHECKING:
    from wallsim.runs.chunk_play import PlayChunk
    from wallsim.runs.folder.journal import ChunkRecord
    from wallsim.runs.observer import RunObserver

_BATCH = 2000  # games that are played again at once


def check_custom_policies(experiment: Experiment, parts: Components, observer: RunObserver) -> float:
    """Refuse policies that cannot be compiled or fail in the first games, before anything is written.

    Returns the wall seconds of compiling; InputError for an illegal answer, and for a policy that ends the process in
    which it is tried.
    """
    if not any(policy.answers for policy in parts.policies):
        return 0.0

    from wallsim.runs.trial.trials import Trial, trial_key, try_policies

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
    from wallsim.runs.trial import process
    from wallsim.runs.trial.process import Replay, replayed

    sent = all(answer.source for policy in custom for answer in policy.answers.values())
    ended = process.Ended(None, started=False)
    if process.in_own_process and sent:
        ended = process.do_in_process(Replay(pickle.dumps(play), record.first, record.games))
    if ended.tried is not None and (ended.tried.error is not None or ended.tried.refused):
        return "another process refuses an answer; answers may depend on the arguments and the seat's own stream"
    if ended.tried is not None:
        there = ended.tried.digests
    elif ended.started or ended.signal:
        return f"another process ends ({process.words_of(ended.signal) if ended.signal else ended.error})"
    else:
        there = replayed(play, record.first, record.games)
    if dict(there) == {part.table: part.sha256 for part in record.files}:
        return ""
    return "are played differently in another process; answers may depend on the arguments and the seat's own stream"
