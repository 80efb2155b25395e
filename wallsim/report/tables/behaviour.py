"""The behaviour of policies as text: side by side, their openings, doubtful moves and moved weights."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from textwrap import fill
from typing import NamedTuple

from rich.text import Text

from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES, DoubtfulMove
from wallsim.analysis.behaviour.measures import WINS, Measure
from wallsim.analysis.behaviour.moves import STEP, Move
from wallsim.analysis.behaviour.profiles import PLAIN, Behaviour, distance_confidence, distances
from wallsim.analysis.behaviour.tables import Openings, PolicyProfile
from wallsim.experiment.experiment import Experiment
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.columns import Column, Document, headings_of, objects_of, texts_of
from wallsim.report.tables.console import fitting, number_table, table_text
from wallsim.report.tables.estimates import (
    NOTHING,
    bounded,
    ends,
    in_words,
    number,
    of_estimate,
    of_measure,
    share,
    share_ends,
)
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence, Interval

_WIDTH = 116
_BITS, _CHANCE = 2, 1  # decimals


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
    return f"{head}\n\n{_text(rows)}"


def _tables(behaviours: Sequence[Behaviour], measures: Sequence[Measure], confidence: Confidence) -> list[str]:
    left = [("measure", *(each.name for each in measures)), ("unit", *(each.unit for each in measures))]
    columns = [
        (behaviour.policy, *(of_measure(behaviour, measure, confidence) for measure in measures))
        for behaviour in behaviours
    ]
    room = _WIDTH - sum(max(map(len, column)) + 2 for column in left)
    return [_text(list(zip(*left, *some, strict=True))) for some in fitting(columns, room)]


def _text(rows: Sequence[tuple[str, ...]]) -> str:
    """A table whose first two columns hold words."""
    table = number_table(rows[0], words=2)
    for row in rows[1:]:
        table.add_row(*map(Text, row))
    return table_text(table)


def entropy_cell(openings: Openings, confidence: Confidence) -> str:
    """`5.01 ± 0.10` in bits, or the lower bound `> 9.9` where too few openings came up again."""
    if not openings.known:
        return f"> {number(openings.least - 0.05, 1)}"
    return of_estimate(openings.entropy, confidence, _BITS)


def repeated_cell(openings: Openings, confidence: Confidence) -> str:
    """`96.3 ± 0.8`: the chance in per cent to see an opening again."""
    return of_estimate(openings.repeated, confidence, _CHANCE, top=100.0)


def openings_words(openings: Openings) -> str:
    """How much the openings differ, in a sentence; each interval holds alone."""
    alone = Confidence()
    return (
        f"Openings: over {openings.entropy.blocks:,} games with the same line-up the first plan of a seat has "
        f"{entropy_cell(openings, alone)} bits of entropy (0: always the same), and opens a further game in "
        f"{repeated_cell(openings, alone)} % as in one of these."
    )


def doubtful_section(name: str, estimates: Sequence[Estimate]) -> str:
    """What was counted over how many games, in sentences and a table."""
    words = (
        f"{estimates[0].blocks:,} games of {code(name)} in all seats were recorded, and moves counted that a player "
        f"would question. A doubtful move need not be a bad one: what it costs is not measured here. All intervals "
        f"hold simultaneously with {LEVEL:.0%}."
    )
    table = markdown_table(headings_of(DOUBTFUL), texts_of(DOUBTFUL, _doubtful(estimates, LEVEL)))
    return f"{words}\n\n{table}"


class _Doubtful(NamedTuple):
    """How often a doubtful move was made, in per cent; it has neither a share nor an interval without a case."""

    move: DoubtfulMove
    share: float | None
    interval: Interval | None
    games: int
    intervals: int  # that hold simultaneously


def _doubtful(estimates: Sequence[Estimate], level: float) -> list[_Doubtful]:
    confidence = Confidence(level, len(estimates))

    def of(move: DoubtfulMove, estimate: Estimate) -> _Doubtful:
        known = not isnan(estimate.value)
        per_cent, interval = (estimate.value, estimate.interval(confidence)) if known else (None, None)
        return _Doubtful(move, per_cent, interval, estimate.blocks, confidence.n_comparisons)

    return list(map(of, DOUBTFUL_MOVES, estimates))


DOUBTFUL = (
    Column("name", "doubtful move", lambda each: each.move.name),
    Column("", "%", text=lambda each: NOTHING if each.share is None else bounded(each.share, 1, 100.0)),
    Column("", "interval", text=lambda each: ends(each.interval, 1, top=100.0)),
    Column("of", "of", lambda each: each.move.cases),
    Column("meaning", "doubtful if", lambda each: each.move.meaning),
    Column("per_cent", value=lambda each: each.share),
    Column("interval"),
    Column("games"),
    Column("simultaneous_intervals", value=lambda each: each.intervals),
)
_MOVES = (
    Column("weight", value=lambda move: move.weight.name),
    Column("by"),
    Column("wins", value=lambda move: {"value": move.finding.share, "interval": (move.finding.low, move.finding.high)}),
    Column("games", value=lambda move: move.finding.games),
    Column("blocks", value=lambda move: move.finding.blocks),
    Column("simultaneous_intervals", value=lambda move: move.finding.n_comparisons),
)


def moves_section(name: str, moves: Sequence[Move]) -> str:
    """What was moved and how it fares, in sentences and a table: the weights whose move costs most come first."""
    first = moves[0].finding
    others = first.games // first.blocks - 1
    fair = 1 / (others + 1)
    known = [move for move in moves if move.finding.high < fair]
    better = [move for move in moves if move.finding.low > fair]
    words = (
        f"One seat of {code(name)} with one weight moved in all rounds by {STEP:.0%} of the range between its bounds, "
        f"as far as these allow, among {others} of {code(name)} as it is: {first.games:,} games in {first.blocks:,} "
        f"blocks for each row; the fair share is {share(fair)} %. All intervals hold simultaneously with {LEVEL:.0%}. "
        f"{len(known)} of {len(moves)} moves are known to cost wins, and {len(better)} to gain some. Of the others it "
        "is not known whether they matter: do not read a habit into such a weight."
    )
    by_weight: dict[str, dict[bool, Move]] = {}
    for move in moves:
        by_weight.setdefault(move.weight.name, {})[move.by > 0] = move
    ranked = sorted(by_weight.items(), key=lambda item: min(each.finding.share for each in item[1].values()))
    rows = [
        [code(weight), f"{abs(next(iter(ways.values())).by):g}", *_move_cells(ways.get(False)),
         *_move_cells(ways.get(True))]
        for weight, ways in ranked
    ]  # fmt: skip
    heads = ["weight", "moved by", "down: wins, %", "interval", "up: wins, %", "interval"]
    return f"{words}\n\n{markdown_table(heads, rows)}"


def _move_cells(move: Move | None) -> list[str]:
    if move is None:
        return [NOTHING, NOTHING]
    return [share(move.finding.share), share_ends((move.finding.low, move.finding.high))]


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

    def openings_of(openings: Openings | None) -> Document | None:
        return openings and {
            "games": openings.repeated.blocks,
            "entropy": _estimate(openings.entropy, confidence) if openings.known else None,
            "entropy_at_least": openings.least,
            "repeated": _estimate(openings.repeated, confidence),
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
                "among_its_like": _estimates(profile.copies, confidence),
                "alone_among_host": _estimates(profile.guest, confidence),
                "openings": openings_of(profile.openings),
            }
            for profile in profiles
        ],
        **({"moves": objects_of(_MOVES, moves)} if moves else {}),
        **({"doubtful_moves": objects_of(DOUBTFUL, _doubtful(doubtful, confidence.level))} if doubtful else {}),
    }


def _estimates(behaviour: Behaviour, confidence: Confidence) -> Document:
    return {
        name: {"value": estimate.value, "interval": behaviour.interval(name, confidence)}
        for name, estimate in behaviour.estimates.items()
    }


def _estimate(estimate: Estimate, confidence: Confidence) -> Document:
    return {"value": estimate.value, "interval": estimate.interval(confidence)}
