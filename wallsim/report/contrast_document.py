"""The JSON document of a comparison of two runs; docs/json.md lists its keys."""

from __future__ import annotations

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import Contrast
from wallsim.analysis.contrasts.scenarios import ScenarioComparison
from wallsim.report.documents import Document
from wallsim.report.tables.contrasts import ADJUSTMENTS
from wallsim.rules.other_settings import settings_of
from wallsim.stats.intervals import Confidence


def comparison_document(comparison: Comparison, adjustment: str) -> Document:
    """Every contrast of two runs; `adjustment` is a key of ADJUSTMENTS."""
    pairing, confidence = comparison.pairing, comparison.confidence
    adjusted = ADJUSTMENTS[adjustment](comparison.p_values())
    return {
        "first": pairing.first.folder,
        "second": pairing.second.folder,
        "not_default": [settings_of(run.manifest) for run in pairing.runs],
        "changes": pairing.changes(),
        "games": len(pairing.games),
        "players": pairing.players,
        "seed": pairing.first.identity["seed"],
        "level": comparison.level,
        "simultaneous_intervals": confidence.n_comparisons,
        "intervals": {
            "method": comparison.method,
            "resamples": comparison.resampling.resamples if comparison.resampling else None,
            "seed": comparison.resampling.seed if comparison.resampling else None,
        },
        "adjustment": adjustment,
        "contrasts": [
            _contrast(each, confidence, float(p_value))
            for each, p_value in zip(comparison.contrasts, adjusted, strict=True)
        ],
        **_spread(comparison),
        "notes": comparison.notes,
    }


def scenarios_document(result: ScenarioComparison, adjustment: str) -> Document:
    """Every scenario against the baseline; p-values are adjusted over all scenarios together."""
    adjusted = iter(ADJUSTMENTS[adjustment](result.p_values()))
    first = next(iter(result.comparisons.values())).pairing.first
    return {
        "baseline": result.baseline,
        "not_default": settings_of(first.manifest),
        "level": result.level,
        "simultaneous_intervals": result.confidence.n_comparisons,
        "adjustment": adjustment,
        "scenarios": {
            name: {
                "folder": comparison.pairing.second.folder,
                "not_default": settings_of(comparison.pairing.second.manifest),
                "changes": comparison.pairing.changes(),
                "games": len(comparison.pairing.games),
                "contrasts": [
                    _contrast(each, result.confidence, float(next(adjusted))) for each in comparison.contrasts
                ],
                **_spread(comparison),
            }
            for name, comparison in result.comparisons.items()
        },
    }


def _contrast(each: Contrast, confidence: Confidence, p_value: float) -> Document:
    return {
        "column": each.column,
        "who": each.who,
        "group": each.group or None,
        "games": each.counted,
        "first": each.first.value,
        "second": each.second.value,
        "change": each.change.value,
        "interval": each.interval(confidence),
        "p_adjusted": p_value,
        "pairing_gain": each.pairing_gain,
    }


def _spread(comparison: Comparison) -> Document:
    """The spread of wins between line-ups in both runs; nothing where seats differ by more than these."""
    found = comparison.spread()
    if found is None:
        return {}
    interval = found.change.interval(Confidence(comparison.level))
    change = {"first": found.first.value, "second": found.second.value, "change": found.change.value}
    return {"spread_of_wins": {**change, "interval": interval}}
