"""The policy file of a search for weights, and its history as a table."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

import polars as pl

from wallsim.escaping import escaped_line
from wallsim.policies.catalogue import Policy, weights_of
from wallsim.searches.tuning.history import History

_WIDTH = 118  # characters of a comment


def policy_text(policy: Policy, description: str, comments: Sequence[str]) -> str:
    """The text of a policy file as in `data/policies`: kind, description, comments as paragraphs, and all numbers."""
    lines = [f"kind = {json.dumps(policy.kind)}", f"description = {json.dumps(escaped_line(description))}"]
    if policy.correction is not None:
        lines.append(f"correction = {json.dumps(policy.correction.said, ensure_ascii=False)}")
    lines.append("")
    for paragraph in comments:
        lines += [f"# {line}" for line in textwrap.wrap(escaped_line(paragraph), _WIDTH, break_long_words=False)]
    lines += ["[weights]", *(f"{weight.name} = {policy.weights[weight.name]}" for weight in weights_of(policy.kind))]
    for phase, table in policy.phases.items():
        lines += ["", f"[weights.{json.dumps(phase)}]", *(f"{name} = {value}" for name, value in table.items())]
    for players, counties in policy.counties.items():
        lines += [
            "",
            f"[counties.{players}]",
            *(f"{json.dumps(county, ensure_ascii=False)} = {value}" for county, value in counties.items()),
        ]
    return "\n".join([*lines, ""])


def curve(history: History) -> pl.DataFrame:
    """The history as a table with one row per generation.

    Columns: generation, share (share of wins of the mean against the pool), error (its standard error), score, best
    (score of the best candidate), step, joined, pool (number of its members at that time), one column per tuned weight
    with its mean, and for each opponent of the checks `OPPONENT_share`, `_low` and `_high`, null where the mean was not
    checked. The last row is the mean after the last generation, which has not played any games.
    """
    members = len(history.settings.members)
    rows = []
    for number, mean in enumerate(history.means()):
        line = history.generations[number] if number < len(history.generations) else {}
        row: dict[str, Any] = {
            "generation": number,
            **{key: line.get(key) for key in ("share", "error", "score")},
            "best": max(line["scores"]) if line else None,
            "step": line.get("step"),
            "joined": line.get("joined"),
            "pool": members,
            **mean,
        }
        members += bool(line.get("joined"))
        for finding in history.checks.get(number, []):
            row |= {f"{finding['opponent']}_{key}": finding[key] for key in ("share", "low", "high")}
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)
