"""The files with the results of a tournament: figures for people, JSON and Parquet for programs."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.analysis.tournament.results import Findings
from wallsim.errors import InputError
from wallsim.folder.address import Folder
from wallsim.folder.derived import Derived
from wallsim.folder.lock import ReadOnlyError, is_read_only
from wallsim.folder.tournament import LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET, TournamentRun
from wallsim.report.figures.ratings import ladder, payoff_heatmap
from wallsim.report.figures.style import PNG_COLOURS, picture_bytes
from wallsim.report.tables.columns import plain
from wallsim.rules.other_settings import settings_line, settings_of

WRITTEN = (LADDER_PICTURE, PAYOFF_PICTURE, RATINGS_JSON, RATINGS_PARQUET)
_SHADES = 256  # colours of a figure with a colour scale


def write_findings(run: TournamentRun, findings: Findings) -> list[Folder]:
    """Write all files into the tournament's folder, each whole or not at all, the numbers before the pictures.

    InputError if it cannot be written; PictureError if a picture cannot be drawn, after the numbers were written.
    """
    table = io.BytesIO()
    ratings_frame(findings.ratings).write_parquet(table)
    line = settings_line(settings_of(run.manifest))

    def rungs() -> bytes:
        return picture_bytes(lambda: ladder(findings.ratings, line), run.folder / LADDER_PICTURE, PNG_COLOURS)

    def cells() -> bytes:
        return picture_bytes(
            lambda: payoff_heatmap(findings.payoffs, findings.ratings, findings.cycles, line),
            run.folder / PAYOFF_PICTURE, _SHADES,
        )  # fmt: skip

    made: dict[str, Derived] = {
        RATINGS_JSON: (findings_json(run, findings) + "\n").encode(),
        RATINGS_PARQUET: table.getvalue(),
        LADDER_PICTURE: rungs,
        PAYOFF_PICTURE: cells,
    }
    try:
        run.publish(made)
    except OSError as error:
        kind = ReadOnlyError if is_read_only(error) else InputError
        raise kind(f"{run.folder}: cannot be written: {error.strerror or error}") from None
    return [run.folder / name for name in WRITTEN]


def ratings_frame(ratings: Ratings) -> pl.DataFrame:
    """The ladder as a frame, one row per policy from the strongest; intervals as columns `..._low` and `..._high`."""
    rows = []
    for place, rating in enumerate(ratings.ladder, start=1):
        row: dict[str, Any] = {"place": place}
        for name, value in asdict(rating).items():
            if name.endswith("interval"):
                stem = {"interval": "strength", "win_interval": "win_share", "vp_interval": "vp"}[name]
                row[f"{stem}_low"], row[f"{stem}_high"] = value or (None, None)
            else:
                row[name] = value
        rows.append(row)
    ends = {f"{stem}_{end}": pl.Float64 for stem in ("strength", "win_share", "vp") for end in ("low", "high")}
    return pl.DataFrame(rows, schema_overrides={**ends, "above_next": pl.Float64})


def findings_json(run: TournamentRun, findings: Findings, more: Mapping[str, Any] | None = None) -> str:
    """All results, with what was played, as JSON, which `more` keys join; a number that does not exist is null."""
    document = {
        "tournament": run.manifest["experiment"],
        "engine_version": run.manifest["engine_version"],
        "tower": run.manifest["tower"]["name"],
        "not_default": settings_of(run.manifest),
        "games": run.manifest["games"],
        "blocks": run.manifest["blocks"],
        "ratings": {key: value for key, value in asdict(findings.ratings).items() if key != "samples"},
        "payoffs": findings.payoffs,
        "upsets": findings.upsets,
        "cycles": findings.cycles,
        "agreement": findings.agreement,
        "skill": findings.skill,
        "assumptions": findings.assumptions,
        **(more or {}),
    }
    return json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False)
