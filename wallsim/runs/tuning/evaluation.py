"""The evaluation of a tuned policy: held-out games in one seat against another policy in all other seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, load_policy, policy_names
from wallsim.runs.tuning.objective import Evaluator
from wallsim.runs.tuning.samples import blocks_for, spread
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import LEVEL, Confidence, wilson


@dataclass(frozen=True)
class Finding:
    """The share of wins of a policy in one seat against another policy in all others.

    It comes from `games` games in `blocks` blocks. The interval from `low` to `high` is one of
    `n_comparisons` simultaneous intervals of the same evaluation.
    """

    opponent: str
    role: str
    games: int
    blocks: int
    share: float
    low: float
    high: float
    n_comparisons: int

    def fields(self) -> dict[str, Any]:
        """The fields as a dictionary for JSON."""
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Finding:
        """A finding from its fields; versions before 0.6 used the name `together` for `n_comparisons`."""
        return cls(**{"n_comparisons" if name == "together" else name: value for name, value in fields.items()})


def held_out(
    evaluator: Evaluator,
    policy: Policy,
    opponents: Sequence[tuple[str, Policy]],
    *,
    seats: int,
    games: int,
    seed: int,
    turn: int,
    settings: int = 1,
    n_comparisons: int | None = None,
) -> list[Finding]:
    """Play a policy in one seat against each opponent in all others, with the games of turn `turn` of a seed.

    The number of games is rounded up to whole blocks; a block is a game number played from every seat. The assignments
    of line-ups, and the settings of the evaluator, share the game numbers evenly, and all opponents play the same
    numbers. Intervals are Student's t from
    the variation between blocks, with Bonferroni's correction for all opponents or for `n_comparisons` intervals. If
    all blocks are equal or there are too few of them, they are Wilson's with blocks as trials, which is conservative.
    """
    n_comparisons = n_comparisons or len(opponents)
    blocks, confidence = blocks_for(games, seats), Confidence(LEVEL, n_comparisons)
    findings = []
    for role, opponent in opponents:
        tables = spread(blocks, [(opponent,) * (seats - 1)] * seats * settings, turn, settings)
        sample = evaluator.play([policy], tables, seed)[0]
        estimate = block_mean(sample.wins)
        low, high = estimate.interval(confidence) or wilson(estimate.value, blocks, confidence.z)
        findings.append(
            Finding(
                opponent=opponent.name, role=role, games=blocks * seats, blocks=blocks, share=estimate.value,
                low=max(0.0, low), high=min(1.0, high), n_comparisons=n_comparisons,
            )
        )  # fmt: skip
    return findings


def warnings_of(findings: Sequence[dict[str, Any]], fair: float) -> list[str]:
    """A sentence for each finding, given by its fields, whose whole interval is below the fair share."""
    return [
        f"against {finding.opponent} it wins {finding.share:.1%} ({finding.low:.1%} to {finding.high:.1%}), less than "
        f"the fair share of {fair:.1%}"
        for finding in (Finding.from_fields(fields) for fields in findings)
        if finding.high < fair
    ]


def opponents_for(start: Policy, pool: Sequence[Policy]) -> tuple[tuple[str, Policy], ...]:
    """The opponents of a tuning's held-out games with their roles: the start, `balanced`, and the sanity list.

    The sanity list has all other policies of the package that are not in the pool, including `random`. Policies that
    search are left out, because the held-out games would take hours.
    """
    opponents = [("start", start)]
    if start.name != DEFAULT_POLICY:
        opponents.append(("reference", load_policy(DEFAULT_POLICY)))
    known = {policy.name for policy in (start, *pool)} | {DEFAULT_POLICY}
    others = (load_policy(name) for name in policy_names() if name not in known)
    return (*opponents, *(("sanity", policy) for policy in others if policy.search is None))
