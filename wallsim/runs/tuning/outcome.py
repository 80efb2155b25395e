"""The files of a finished tuning: a policy file, the history as a table, and the result, which marks it as finished."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from wallsim.policies.catalogue import Policy, weights_of
from wallsim.runs.chunk_play import parquet
from wallsim.runs.folder.commit import sync_folder, write_whole
from wallsim.runs.tuning.history import History
from wallsim.visible import visible_line

RESULT, CURVE, PICTURE = "tune.json", "curve.parquet", "curve.png"
_WIDTH = 118  # characters of a comment


def policy_text(policy: Policy, description: str, comments: Sequence[str]) -> str:
    """The text of a policy file as in `data/policies`: kind, description, comments as paragraphs, every weight."""
    lines = [f"kind = {json.dumps(policy.kind)}", f"description = {json.dumps(visible_line(description))}", ""]
    for paragraph in comments:
        lines += [f"# {line}" for line in textwrap.wrap(visible_line(paragraph), _WIDTH, break_long_words=False)]
    lines += ["[weights]", *(f"{weight.name} = {policy.weights[weight.name]}" for weight in weights_of(policy.kind))]
    for phase, table in policy.phases.items():
        lines += ["", f"[weights.{json.dumps(phase)}]", *(f"{name} = {value}" for name, value in table.items())]
    return "\n".join([*lines, ""])


def curve(history: History) -> pl.DataFrame:
    """The history as a table with one row per generation.

    Columns: generation, share (share of wins of the mean against the pool), error (its standard error), score, best
    (score of the best candidate), step, joined, pool (number of its members at that time), one column per tuned weight
    with its mean, and for each opponent of the checks `OPPONENT_share`, `_low` and `_high`, null where the mean was not
    checked. The last row is the mean after the last generation, which has not played any games.
    """
    checked = {line["check"]: line["findings"] for line in history.checks}
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
        for finding in checked.get(number, []):
            row |= {f"{finding['opponent']}_{key}": finding[key] for key in ("share", "low", "high")}
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def begin(folder: Path, file: str = RESULT) -> None:
    """Mark the search as unfinished; `file` has its result."""
    (folder / file).unlink(missing_ok=True)
    sync_folder(folder)


def write_files(folder: Path, result: dict[str, Any], policy: str, table: pl.DataFrame, file: str = RESULT) -> None:
    """Write policy file, curve and tune.json, or another file, each atomically; this marks the search as finished."""
    write_whole(folder / f"{result['name']}.toml", policy.encode())
    write_whole(folder / CURVE, parquet(table, {}))
    write_whole(folder / file, (json.dumps(result, indent=2, ensure_ascii=False) + "\n").encode())


def read_result(folder: Path, requested: dict[str, Any], file: str = RESULT) -> dict[str, Any] | None:
    """The contents of tune.json, or another file; None if it is missing or something requested is otherwise there."""
    try:
        result = json.loads((folder / file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and result | requested == result else None
