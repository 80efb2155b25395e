"""A tournament rebuilt from its folder alone: from the identity in its journal and the copies of custom files."""

from __future__ import annotations

from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.policies.catalogue import is_shipped_name, load_policy
from wallsim.policies.policy import is_code_file
from wallsim.rules.board import load_board
from wallsim.rules.tower import load_tower, tower_presets
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.identity import differences_of
from wallsim.runs.folder.journal import Header
from wallsim.runs.folder.layout import BOARD, POLICIES
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.identity_values import experiment_values
from wallsim.runs.tournament.tournament import Tournament
from wallsim.runs.trust import code_errors


def rebuilt_tournament(place: FileStore, header: Header, *, trust_code: bool = False) -> Tournament:
    """The tournament of a folder with this journal.

    `trust_code` allows policies that are Python code; InputError without it, and for a custom file without a copy in
    the folder. RunError if the files in the folder make another tournament than the journal states.
    """
    facts = header.identity
    copies = [name for name in header.papers if "/" in name or name.startswith("tower-")]
    root = place.on_disk(iter(copies))
    names = [_policy(place, each, copies, trust_code) for each in facts["policies"]]
    paths = [str(root / name) if name in copies else name for name in names]
    board = None if load_board(None).digest == facts["board"] else str(root / BOARD)
    if board is not None and not any(name.startswith(f"{BOARD}/") for name in copies):
        raise _no_copy(place, "board")
    tower = _tower(place, facts["tower"], copies)
    keys = experiment_values(facts, str(root / tower) if tower in copies else tower, board)
    tournament = Tournament(paths, Experiment(**keys))
    if result := differences_of(facts, tournament.identity()):
        raise RunError(f"{place}: its files make another tournament than its journal states: {result}")
    return tournament


def _policy(place: FileStore, facts: dict[str, Any], copies: list[str], trust_code: bool) -> str:
    # The name of a policy of the package, or of the copy of its file.
    name = facts["name"]
    if is_shipped_name(name) and load_policy(name).identity() == facts:
        return str(name)
    for copy in copies:
        if copy in (f"{POLICIES}/{name}.toml", f"{POLICIES}/{name}.py"):
            if is_code_file(copy) and not trust_code:
                raise InputError([f"{place}: {line}" for line in code_errors([copy])])
            return copy
    raise _no_copy(place, f"policy {name}")


def _tower(place: FileStore, numbers: dict[str, Any], copies: list[str]) -> str:
    for name in tower_presets():
        if load_tower(name).numbers() == numbers:
            return name
    for copy in copies:
        if copy.startswith("tower-"):
            return copy
    raise _no_copy(place, "tower")


def _no_copy(place: FileStore, what: str) -> InputError:
    return InputError(
        f"{place}: cannot be played again: its {what} is not that of this version of wallsim, and the folder has no "
        "copy of the file"
    )
