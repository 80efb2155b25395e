"""Claims judged under several conditions, as a table in Markdown."""

from __future__ import annotations

from wallsim.analysis.robustness import KIND, Robustness
from wallsim.report.estimates import in_words


def robustness_table(found: Robustness, decimals: int = 1) -> str:
    """A row a claim: its number under each kind of play, with half the width of its interval, and the verdict."""
    plays = list(next(iter(found.estimates.values())))
    rows = []
    for verdict in found.verdicts:
        arms, claim = found.estimates[verdict.claim.outcome], verdict.claim
        cells = [in_words(arms[play], arms[play].interval(found.z), decimals) for play in plays]
        measured = f"{claim.outcome} > {claim.above:g}"
        rows.append(f"| {claim.words} | {measured} | " + " | ".join(cells) + f" | {verdict.in_words(KIND)} |")
    head = f"| claim | measured by | {' | '.join(plays)} | verdict |"
    return "\n".join([head, "|---" * (len(plays) + 3) + "|", *rows])
