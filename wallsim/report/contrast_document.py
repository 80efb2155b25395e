"""The JSON document of a comparison of two runs; docs/json.md lists its keys."""

from __future__ import annotations

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.report.documents import Document
from wallsim.report.tables.contrasts import ADJUSTMENTS
from wallsim.stats.intervals import Confidence


def comparison_document(comparison: Comparison, adjustment: str) -> Document:
    """Every contrast of two runs; `adjustment` is a key of ADJUSTMENTS."""
    pairing, confidence = comparison.pairing, comparison.confidence
    adjusted = ADJUSTMENTS[adjustment](comparison.p_values())
    return {
        "first": pairing.first.folder,
        "second": pairing.second.folder,
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
            {
                "column": each.column,
                "who": each.who,
                "group": each.group or None,
                "games": each.counted,
                "first": each.first.value,
                "second": each.second.value,
                "change": each.change.value,
                "interval": each.interval(confidence),
                "p_adjusted": float(p_value),
                "pairing_gain": each.pairing_gain,
            }
            for each, p_value in zip(comparison.contrasts, adjusted, strict=True)
        ],
        **_spread(comparison),
        "notes": comparison.notes,
    }


def _spread(comparison: Comparison) -> Document:
    """The spread of wins between line-ups in both runs; nothing where seats differ by more than these."""
    found = comparison.spread()
    if found is None:
        return {}
    interval = found.change.interval(Confidence(comparison.level))
    change = {"first": found.first.value, "second": found.second.value, "change": found.change.value}
    return {"spread_of_wins": {**change, "interval": interval}}
