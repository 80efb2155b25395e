"""The one JSON document that each command prints with `--json`; docs/json.md lists the keys.

A document is an object. An interval is `[low, high]`, or null where there is none; a number that does not exist is
null; shares and chances run from 0 to 1. Keys are added in later versions, never renamed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # lists are printed without importing the libraries that read tables
    import polars as pl

    from wallsim.analysis.battle.odds import Battle, BattleOdds
    from wallsim.analysis.behaviour.profiles import Behaviour
    from wallsim.analysis.behaviour.tables import Openings, PolicyProfile
    from wallsim.analysis.games.spread import Spread
    from wallsim.analysis.games.summary import SeatFinding, Summary
    from wallsim.analysis.tower.fitted_models import Fits, Nearness
    from wallsim.analysis.tower.for_play import ForPlay
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.address import Folder
    from wallsim.folder.results import Run
    from wallsim.folder.scenarios import Scenarios
    from wallsim.play.forecast import Forecast
    from wallsim.rules.tower import TowerModel
    from wallsim.searches.tuning.evaluation import Move
    from wallsim.stats.blocks import Estimate
    from wallsim.stats.intervals import Confidence

Document = dict[str, Any]


def json_text(document: Document) -> str:
    """A document as JSON in ASCII, which every terminal and pipe accepts."""
    return json.dumps(plain(document), indent=2, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """A value as JSON types: records as objects, arrays and tuples as lists, None for numbers that are not finite."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    return None if isinstance(value, float) and not isfinite(value) else value


def rows_document(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Document:
    """A list of choices: one object per row."""
    return {name: [dict(zip(columns, row, strict=True)) for row in rows]}


def codebook_document(tables: Sequence[str], rows: Callable[[str], Sequence[tuple[str, ...]]]) -> Document:
    """Tables with their columns: name, type, unit and meaning."""
    return {
        "tables": {
            table: [dict(zip(("column", "type", "unit", "meaning"), row, strict=True)) for row in rows(table)]
            for table in tables
        }
    }


def summary_document(run: Run, summary: Summary) -> Document:
    """The results of a run by seat, with their assumptions."""
    facts = run.manifest["experiment"]
    return {
        "folder": run.folder,
        "name": facts["name"],
        "hash": facts["hash"],
        "engine_version": run.manifest["engine_version"],
        "games": summary.games,
        "seed": run.manifest["seed"],
        "players": len(summary.seats),
        "not_default": summary.settings,
        "level": summary.level,
        "fair_share": summary.fair,
        "shared_wins": summary.shared,
        "seats": [_seat(finding) for finding in summary.seats],
        "breakdown": [
            {
                "name": line.name,
                "kind": "victory points" if line.is_points else "uses",
                "seats": [{"mean": mean.mean, "interval": mean.interval} for mean in line.seats],
            }
            for line in summary.breakdown
        ],
        **({"spread_of_wins": _spread(summary.spread)} if summary.spread is not None else {}),
        "assumptions": summary.assumptions,
        "time": summary.time,
        "rows": run.manifest["rows"],
    }


def _spread(spread: Spread) -> Document:
    from wallsim.stats.intervals import LEVEL, Confidence

    return {"value": spread.value, "interval": spread.interval(Confidence(LEVEL)), "games": spread.blocks}


def scenarios_document(scenarios: Scenarios, summaries: Mapping[str, Summary]) -> Document:
    """The results of scenarios: for each those of its run, with its name."""
    return {
        "folder": scenarios.folder,
        "scenarios": [
            {"scenario": name, **summary_document(run, summaries[name])} for name, run in scenarios.runs.items()
        ],
    }


def forecast_document(forecasts: Mapping[str, Forecast], workers: int, folder: Folder) -> Document:
    """What experiments by the names of their scenarios would need; the name of an experiment alone is empty."""
    entries = list(forecasts.values())
    return {
        "folder": folder,
        "workers": workers,
        "games": sum(entry.games for entry in entries),
        "seconds": sum(entry.seconds for entry in entries),
        "bytes": sum(entry.bytes for entry in entries),
        "scenarios": [{"scenario": name or None, **entry._asdict()} for name, entry in forecasts.items()],
    }


def _seat(finding: SeatFinding) -> Document:
    return {
        "seat": finding.seat,
        "lineup": finding.lineup or None,
        "policy": finding.policy,
        "win_share": finding.share,
        "win_share_interval": finding.share_interval,
        "vp": finding.vp,
        "vp_interval": finding.vp_interval,
        "vp_deviation": finding.vp_deviation,
    }


def odds_document(tower: TowerModel, battle: Battle, odds: BattleOdds, seed: int) -> Document:
    """Chances and survivors of one battle; `battles` is null where they are exact."""
    numbers = {key: value for key, value in asdict(odds).items() if key not in ("battles", "intervals")}
    return {
        **_table_of_odds(tower, battle, odds.battles, seed),
        "attackers": battle.attackers,
        "defenders": battle.defenders,
        **{name: {"value": value, "interval": odds.intervals.get(name)} for name, value in numbers.items()},
    }


def grid_document(tower: TowerModel, like: Battle, table: pl.DataFrame, seed: int) -> Document:
    """The chances of a grid of battles, one object per cell."""
    cells = [{key: value for key, value in row.items() if key != "battles"} for row in table.rows(named=True)]
    return {**_table_of_odds(tower, like, table["battles"][0], seed), "cells": cells}


def _table_of_odds(tower: TowerModel, battle: Battle, battles: int | None, seed: int) -> Document:
    return {
        "tower": tower.name,
        "model": tower.model,
        "kind": battle.kind,
        "peasants_join": battle.peasants_join,
        "tray": battle.tray,
        "inside": battle.tower,
        "battles": battles,
        "seed": None if battles is None else seed,
        "level": 0.95,
    }


def fit_document(fits: Fits, nearest: Sequence[Nearness], model: str, file: Path, notes: Sequence[str]) -> Document:
    """The fits to a log of casts, the likelihood-ratio test, the nearest presets, and the tower file written."""
    models = ("independent", "urn", *(("layered",) if fits.layered is not None else ()))
    return {
        "model": model,
        "file": file,
        "level": 0.95,
        "fits": {name: {"estimates": fits.of(name).estimates, "notes": fits.of(name).notes} for name in models},
        "likelihood_ratio": fits.ratio,
        "uneven": fits.uneven,
        "for_play": {name: _played(fits.for_play[name]) for name in models},
        "nearest": nearest,
        "notes": notes,
    }


def _played(play: ForPlay) -> Document:
    return {
        "numbers": play.parameters,
        "contents": play.contents,
        "contents_interval": (play.least, play.most),
        "prior": {pull.name: dict(zip(("median", "low", "high"), pull.range(), strict=True)) for pull in play.prior},
    }


def behaviour_document(
    profiles: Sequence[PolicyProfile],
    experiment: Experiment,
    confidence: Confidence,
    moves: Sequence[Move] = (),
    doubtful: Sequence[Estimate] = (),
) -> Document:
    """The behaviour of policies among copies of themselves and alone among the host, by measure.

    `moves` say of a single policy how it fares when a weight is moved, `doubtful` how often it makes doubtful moves.
    """

    def estimates_of(behaviour: Behaviour) -> Document:
        return {
            name: {"value": estimate.value, "interval": behaviour.interval(name, confidence)}
            for name, estimate in behaviour.estimates.items()
        }

    def openings_of(openings: Openings | None) -> Document | None:
        if openings is None:
            return None
        entropy = openings.entropy if openings.known else None
        return {
            "games": openings.repeated.blocks,
            "entropy": entropy and {"value": entropy.value, "interval": entropy.interval(confidence)},
            "entropy_at_least": openings.least,
            "repeated": {"value": openings.repeated.value, "interval": openings.repeated.interval(confidence)},
        }

    first = profiles[0]
    return {
        "host": first.host.name,
        "players": experiment.players,
        "not_default": experiment.components().settings(),
        "seed": experiment.seed,
        "blocks": first.hosts.blocks,
        "level": confidence.level,
        "simultaneous_intervals": confidence.n_comparisons,
        "measures": [{"name": each.name, "unit": each.unit, "meaning": each.meaning} for each in first.measures],
        "policies": [
            {
                "policy": profile.policy.name,
                "kind": profile.policy.kind,
                "description": profile.policy.description,
                "weights": profile.policy.weights,
                "phases": profile.policy.phases,
                **({"counties": profile.policy.counties} if profile.policy.counties else {}),
                **({"correction": profile.policy.correction.said} if profile.policy.correction else {}),
                "among_its_like": estimates_of(profile.copies),
                "alone_among_host": estimates_of(profile.guest),
                "openings": openings_of(profile.openings),
            }
            for profile in profiles
        ],
        **({"moves": [_move(each) for each in moves]} if moves else {}),
        **({"doubtful_moves": _doubtful_moves(doubtful, confidence.level)} if doubtful else {}),
    }


def _move(move: Move) -> Document:
    finding = move.finding
    return {
        "weight": move.weight.name,
        "by": move.by,
        "wins": {"value": finding.share, "interval": (finding.low, finding.high)},
        "games": finding.games,
        "blocks": finding.blocks,
        "simultaneous_intervals": finding.n_comparisons,
    }


def _doubtful_moves(estimates: Sequence[Estimate], level: float) -> list[Document]:
    from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES
    from wallsim.stats.intervals import Confidence

    confidence = Confidence(level, len(estimates))
    return [
        {
            "name": move.name,
            "of": move.cases,
            "meaning": move.meaning,
            "per_cent": None if isnan(estimate.value) else estimate.value,
            "interval": None if isnan(estimate.value) else estimate.interval(confidence),
            "games": estimate.blocks,
            "simultaneous_intervals": confidence.n_comparisons,
        }
        for move, estimate in zip(DOUBTFUL_MOVES, estimates, strict=True)
    ]
