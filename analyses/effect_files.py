"""The results of a study of effects as files: every change of the baseline cell, and what was played."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from analyses.effects import Change, Scope
from wallsim.engine.version import ENGINE_VERSION
from wallsim.runs.folder.commit import write_whole

CHANGES, PLAYED = "changes.parquet", "study.json"


def write_results(
    folder: str | Path, tables: Mapping[str, Mapping[tuple[Any, ...], Change]], digest: str, scope: Scope
) -> None:
    """Write `changes.parquet`, one row per change, and `study.json`, which says what was played, into a folder.

    A row has the table's name, what was changed, the outcome, the moment, the mean before, the change with its standard
    error, the blocks, and the share of the variance that pairing saved. Files there are replaced.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "table": table,
            **dict(zip(("what", "outcome", "moment"), map(str, key), strict=True)),
            "before": each.before,
            "change": each.estimate.value,
            "error": each.estimate.error,
            "blocks": each.estimate.blocks,
            "pairing_gain": each.gain,
        }
        for table, changes in tables.items()
        for key, each in changes.items()
    ]
    written = io.BytesIO()
    pl.DataFrame(rows).write_parquet(written)
    write_whole(folder / CHANGES, written.getvalue())
    facts = {"digest": digest, "engine_version": ENGINE_VERSION, "cells": [list(cell) for cell in scope.cells()]}
    facts |= {"blocks_of_baseline": scope.baseline, "blocks_of_others": scope.others}
    write_whole(folder / PLAYED, (json.dumps(facts, indent=1) + "\n").encode())
