"""What a tuned policy is worth: held-out games in one seat against a table of one other policy each."""

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
    """How a policy did in one seat against seats of another: its share of wins in `games` games of `blocks` blocks.

    The interval is one of `n_comparisons` simultaneous ones, of all opponents of the same evaluation.
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
        """As JSON has it."""
        return asdict(self)

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Finding:
        """A finding from its fields; versions before 0.6 wrote `n_comparisons` as `together`."""
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
    n_comparisons: int | None = None,
) -> list[Finding]:
    """Play a policy in one seat against each opponent in all others, in games number `turn` of a seed.

    Games are rounded up to whole blocks: a number played from every seat; the ways of dealing line-ups share the
    numbers evenly. All opponents are met in the same numbers. Intervals are Student's t from the spread of the blocks,
    by Bonferroni for all opponents or for `n_comparisons` intervals; where no block differs from another, and
    in too few blocks for them, Wilson's with blocks as trials, which is wide enough for any spread.
    """
    n_comparisons = n_comparisons or len(opponents)
    blocks, confidence = blocks_for(games, seats), Confidence(LEVEL, n_comparisons)
    findings = []
    for role, opponent in opponents:
        tables = spread(blocks, [(opponent,) * (seats - 1)] * seats, turn)
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
    """Words for each finding, given by its fields, whose whole interval lies below the fair share."""
    return [
        f"against {found.opponent} it wins {found.share:.1%} ({found.low:.1%} to {found.high:.1%}), less than the fair "
        f"share of {fair:.1%}"
        for found in (Finding.of_fields(fields) for fields in findings)
        if found.high < fair
    ]


def opponents_for(start: Policy, pool: Sequence[Policy]) -> tuple[tuple[str, Policy], ...]:
    """Whom a tuning's held-out games are played against, with roles: the start, `balanced`, and all not met so far.

    The last are the sanity list: every policy of the package that is not in the pool, `random` too. Who searches is
    left out, since the held-out games would take hours.
    """
    found = [("start", start)]
    if start.name != DEFAULT_POLICY:
        found.append(("reference", load_policy(DEFAULT_POLICY)))
    met = {policy.name for policy in (start, *pool)} | {DEFAULT_POLICY}
    others = (load_policy(name) for name in policy_names() if name not in met)
    return (*found, *(("sanity", policy) for policy in others if policy.search is None))
