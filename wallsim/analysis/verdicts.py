"""Whether a conclusion outlives a change of assumptions: claims, judged under every one of several conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wallsim.analysis.blocks import Estimate


@dataclass(frozen=True)
class Claim:
    """A sentence that says of an outcome that it lies above a number, in the outcome's own unit."""

    words: str
    outcome: str
    above: float


@dataclass(frozen=True)
class Verdict:
    """Under which conditions a claim holds, fails, or is left open by intervals that include the number."""

    claim: Claim
    holds: tuple[str, ...]
    fails: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def proof(self) -> bool:
        """Whether the claim holds under every condition."""
        return not self.fails and not self.open

    def in_words(self, kind: str) -> str:
        """The verdict as text: `kind`-proof, or where it is not."""
        if self.proof:
            return f"{kind}-proof"
        if not self.holds and not self.open:
            return f"false under every {kind}"
        parts = [("fails", self.fails), ("open", self.open)]
        return f"not {kind}-proof: " + "; ".join(f"{word} under {', '.join(names)}" for word, names in parts if names)


def judge(claim: Claim, arms: Mapping[str, Estimate], z: float) -> Verdict:
    """Judge a claim by the estimates of its outcome under each condition, with intervals at quantile `z`.

    An estimate without an interval leaves it open. For verdicts that hold together, `z` must be that of all intervals.
    """
    found: dict[str, list[str]] = {"holds": [], "fails": [], "open": []}
    for name, estimate in arms.items():
        interval = estimate.interval(z)
        side = "open"
        if interval is not None:
            side = "holds" if interval[0] > claim.above else "fails" if interval[1] < claim.above else "open"
        found[side].append(name)
    return Verdict(claim, **{side: tuple(names) for side, names in found.items()})
