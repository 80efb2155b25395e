"""From the identity of a result back to the values of an experiment, as its file would give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wallsim.runs.experiment import SWITCH_NAMES


def experiment_values(facts: Mapping[str, Any], tower: str, board: str | None) -> dict[str, Any]:
    """The values by key of the experiment with this identity, without policies, games and tables.

    `tower` and `board` are a name or paths, of which an identity has only digests and numbers. It also leaves out a
    switch that was declared after version 0.7 and has its default.
    """
    return {
        "players": facts["players"],
        "setup": facts["setup"],
        "lineups": [letter for letter in facts["lineups"] if letter],
        "edition": facts["edition"],
        "expansions": list(facts["expansions"]),
        "seed": facts["seed"],
        "tower": tower,
        "board": board,
        "rules": {name: facts[name] for name in SWITCH_NAMES if name in facts},
        "amounts": dict(facts.get("amounts", {})),
        "thalers": dict(facts.get("thalers", {})),
        "without": list(facts.get("without", [])),
        "lineup": {letter: dict(groups) for letter, groups in facts.get("lineup", {}).items()},
        "interventions": list(facts.get("interventions", [])),
    }
