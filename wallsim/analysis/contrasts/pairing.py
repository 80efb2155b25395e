"""Two runs side by side: the same seed and number of players, the game numbers both have, and what was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.analysis.contrasts.change_words import WORDED, changes_in_words, policy_words
from wallsim.analysis.games.setups import settings_of
from wallsim.errors import InputError
from wallsim.rules.other_settings import board_words, settings_line
from wallsim.rules.tower import tower_presets
from wallsim.runs.folder.results import Run

# Facts of an experiment that decide which numbers are played or which tables are written, but no game.
_NO_CHANGE = frozenset({"games", "seed", "players", "seasons", "battles", "counties", "columns"})
_WIDTH = 90  # of a value in words


@dataclass(frozen=True)
class Pairing:
    """Two runs and the game numbers that both played, int64 [games], ascending. A game number is a block."""

    first: Run
    second: Run
    games: np.ndarray

    @property
    def players(self) -> int:
        """The number of seats at each table."""
        return int(self.first.identity["players"])

    @property
    def runs(self) -> tuple[Run, Run]:
        """Both runs."""
        return self.first, self.second

    def changes(self) -> list[str]:
        """What the experiments differ in, in the form `combat: must → may`; an empty list if in nothing."""
        one, other = (_described(run) for run in self.runs)
        return list(_differences("", one, other))

    def changes_in_words(self) -> list[str]:
        """The same in words for players, such as `B: Steiermark in place of Bremen`."""
        one, other = (_without_words(run) for run in self.runs)
        return [
            *policy_words(*(run.identity["policies"] for run in self.runs)),
            *changes_in_words(*self.runs),
            *_differences("", one, other),
        ]

    def settings(self) -> list[str]:
        """What is not the default, a line for both runs or for each of them; none where all is the default."""
        lines = [settings_line(settings_of(run.manifest)) for run in self.runs]
        if lines[0] == lines[1]:
            return [line for line in lines[:1] if line]
        return [f"{letter}: {line or 'The default settings.'}" for letter, line in zip("AB", lines, strict=True)]

    def left_out(self) -> str:
        """A sentence about games that only one of the runs played; empty if both played the same numbers."""
        counts = [int(run.manifest["games"]) for run in self.runs]
        if counts == [len(self.games)] * 2:
            return ""
        return (
            f"Compared are the {len(self.games):,} game numbers that both played; A has {counts[0]:,} games, "
            f"B {counts[1]:,}."
        )

    def grown(self) -> str:
        """A sentence about games that were added to a finished run, or until an interval was short enough; else empty.

        A confidence sequence allows for that, and the intervals of a comparison do not.
        """
        if not any(run.grown for run in self.runs):
            return ""
        return (
            "Games were added to a run, but these intervals assume a number of games fixed beforehand; "
            "for a run to a target precision (`until`), use the intervals that its command printed."
        )


def paired_runs(first: Run, second: Run) -> Pairing:
    """Pair two runs by game number.

    InputError if they have different seeds or numbers of players, or no game number in common: the message names both
    folders, the field and both values. RunError if a file is damaged.
    """
    errors = [
        f"{first.folder} and {second.folder}: {field}: {first.identity[field]} and {second.identity[field]}; "
        "runs are compared game by game, which needs the same in both"
        for field in ("seed", "players")
        if first.identity[field] != second.identity[field]
    ]
    if errors:
        raise InputError(errors)
    one, other = _numbers(first), _numbers(second)
    shared = np.intersect1d(one, other)
    if not len(shared):
        raise InputError(
            f"{first.folder} and {second.folder}: game: {one.min()} to {one.max()} and {other.min()} to {other.max()}; "
            "runs are compared game by game, and these have no number in common"
        )
    return Pairing(first, second, shared)


def _numbers(run: Run) -> np.ndarray:
    return run.scan("games").select("game").collect()["game"].to_numpy().astype(np.int64)


def _described(run: Run) -> dict[str, Any]:
    # The identity, with the tower's name beside its figures and the policies by seat.
    facts: dict[str, Any] = {key: value for key, value in run.identity.items() if key not in _NO_CHANGE}
    facts["tower"] = {"": run.manifest["tower"]["name"], **facts["tower"]}
    facts["board"] = board_words(facts["board"], run.manifest["board"].get("name", ""))
    for seat, policy in enumerate(facts.pop("policies")):
        facts[f"policy of seat {seat}"] = {"": policy["name"], **policy}
        del facts[f"policy of seat {seat}"]["name"]
    return facts


def _without_words(run: Run) -> dict[str, Any]:
    # The facts that have no words of their own, of the tower its name, or its numbers where the name says nothing.
    facts = _described(run)
    tower = {} if facts["tower"][""] in tower_presets() else {"numbers": facts["tower"]}
    return {
        **{name: value for name, value in facts.items() if name not in WORDED and not name.startswith("policy of ")},
        "tower": {"": facts["tower"][""], **tower},
    }


def _differences(name: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*one, *other)):
            inner = f"{name} {key}".strip()
            yield from _differences(inner, one.get(key), other.get(key))
    elif one != other:
        yield f"{name}: {_in_words(one)} → {_in_words(other)}"


def _in_words(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(inner, str) for inner in value):
        text = ", ".join(value)
    elif value is None or value == []:
        text = "none"
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]} …"
