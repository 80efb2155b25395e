"""Checks of custom policies: in the first games before anything is written, and in games that were played unchecked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.policies.policy import Policy
from wallsim.runs.compile_progress import warm_up
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.store import ChunkStore

if TYPE_CHECKING:
    from wallsim.runs.observer import RunObserver

_BATCH = 2000  # games that are played again at once


def check_custom_policies(experiment: Experiment, parts: Components, observer: RunObserver) -> float:
    """Refuse policies that cannot be compiled or fail in the first games, before anything is written.

    Returns the wall seconds of compiling; InputError for an illegal answer, and for a policy that ends the process in
    which it is tried.
    """
    if not any(policy.answers for policy in parts.policies):
        return 0.0

    from wallsim.runs.trial.cache import trial_key
    from wallsim.runs.trial.trials import Trial, try_policies

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
