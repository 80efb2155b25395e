"""Policies side by side: their behaviour at two kinds of table and their distances, as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from wallsim.analysis.behaviour.measures import WINS, Measure
from wallsim.analysis.behaviour.profiles import PLAIN, Behaviour, distance_confidence, distances
from wallsim.analysis.behaviour.tables import PolicyProfile
from wallsim.report.tables.estimates import in_words, of_measure
from wallsim.report.tables.openings import openings_words
from wallsim.stats.intervals import LEVEL, Confidence

_WIDTH = 116


def side_by_side(policy_profiles: Sequence[PolicyProfile]) -> str:
    """Two tables, of the policies among copies of themselves and alone among the host, and the distances of all pairs.

    `policy_profiles` are one or more from one BehaviourMeasurement. A table wider than 116 columns continues below.
    """
    first = policy_profiles[0]
    host, measures, blocks = first.host.name, first.measures, first.hosts.blocks
    confidence = Confidence(LEVEL, 2 * len(policy_profiles) * len(measures))
    limits = (
        f"{confidence.too_few(blocks, 'game numbers')} Draw no conclusions."
        if blocks < confidence.min_blocks
        else f"± is half the width of an interval; those of both kinds of table hold simultaneously with {LEVEL:.0%}."
    )
    without_wins = [measure for measure in measures if measure.name != WINS]  # the fair share by definition
    parts = [
        f"Among copies of itself: every seat plays the policy. {blocks:,} game numbers, the same for all.",
        *_tables([profile.copies for profile in policy_profiles], without_wins, confidence),
        f"Alone among {host}: one seat in turn plays the policy, all others {host}. Means of that seat.",
        *_tables([profile.guest for profile in policy_profiles], measures, confidence),
        fill(limits, _WIDTH),
        *_openings(policy_profiles),
    ]
    if len(policy_profiles) > 1:
        parts.append(distance_text([profile.copies for profile in policy_profiles], measures))
    return "\n\n".join(parts) + "\n"


def _openings(policy_profiles: Sequence[PolicyProfile]) -> list[str]:
    result = {profile.policy.name: profile.openings for profile in policy_profiles if profile.openings is not None}
    return [fill(f"{name}: {openings_words(openings)}", _WIDTH) for name, openings in result.items()]


def distance_text(behaviours: Sequence[Behaviour], measures: Sequence[Measure]) -> str:
    """Each pair of policies with the measure in which they lie furthest apart, one line per pair."""
    confidence = distance_confidence(len(behaviours), measures)
    rows = [("policies", "largest difference in", "by, SD", "")]
    for (one, other), apart in distances(behaviours, measures, confidence).items():
        words = in_words(apart.estimate.value, apart.estimate.interval(confidence), 2, "+")
        rows.append((f"{one} minus {other}", apart.measure, words, "plain" if apart.plain else ""))
    head = (
        "Largest differences between policies among copies of themselves, in standard deviations (SD) between\n"
        f"seats and games; plain: in some measure the interval lies beyond {PLAIN}. The intervals of all pairs and\n"
        f"measures hold simultaneously with {LEVEL:.0%} confidence."
    )
    if behaviours[0].blocks < confidence.min_blocks:
        head += "\n" + fill(confidence.too_few(behaviours[0].blocks, "game numbers"), _WIDTH)
    return f"{head}\n\n{_aligned(rows, 2)}"


def _tables(behaviours: Sequence[Behaviour], measures: Sequence[Measure], confidence: Confidence) -> list[str]:
    tables = []
    left = [(measure.name, measure.unit) for measure in measures]
    columns = [
        (behaviour.policy, *(of_measure(behaviour, measure, confidence) for measure in measures))
        for behaviour in behaviours
    ]
    used = _width([name for name, _ in left]) + _width([unit for _, unit in left])
    rows = [("measure", "unit"), *left]
    while columns:
        room, some = _WIDTH - used, 0
        while some < len(columns) and (some == 0 or _width(columns[some]) <= room):
            room -= _width(columns[some])
            some += 1
        tables.append(_aligned([(*row, *(column[k] for column in columns[:some])) for k, row in enumerate(rows)], 2))
        columns = columns[some:]
    return tables


def _width(cells: Sequence[str]) -> int:
    return max(map(len, cells)) + 2


def _aligned(rows: Sequence[tuple[str, ...]], words: int) -> str:
    # The first columns hold words and are aligned left, the others hold numbers and are aligned right.
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < words else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
