"""Which custom policies have passed their trial, so that the next run need not try them: a file for each."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from wallsim.errors import RunError
from wallsim.jit import COMPILER, source_digest
from wallsim.policies.policy import Policy
from wallsim.rules.board import Board
from wallsim.rules.ruleset import FIELD_NAMES, Ruleset
from wallsim.runs.folder.commit import write_whole
from wallsim.runs.folder.local_files import read_bounded

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
