"""Markdown tables: claims judged over many cells, and one outcome by tower and play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim, Verdict, judge
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

HEADS = ("claim", "measured by", "lowest", "highest", "answer")


def verdict_table(
    verdicts: Sequence[Verdict],
    estimates: Mapping[str, Mapping[Cell, Measured]],
    confidence: Confidence,
    decimals: int = 1,
    answers: Mapping[str, str] | None = None,
) -> str:
    """One row per claim: its lowest and highest estimate over the cells, each with its cell, and the answer.

    `answers` are those of the whole project by outcome; without them it is the verdict in these cells.
    """
    rows = []
    for verdict in verdicts:
        claim, arms = verdict.claim, estimates[verdict.claim.outcome]
        ends = [extreme(arms, confidence, decimals, largest=largest) for largest in (False, True)]
        rows.append(
            (
                claim.words,
                f"{claim.outcome} > {claim.above:g}",
                *ends,
                answers[claim.outcome] if answers else verdict.in_words(),
            )
        )
    return markdown_table(HEADS, rows)


def counted_sides(rows: Mapping[str, tuple[Mapping[Cell, Measured], float]], confidence: Confidence, head: str) -> str:
    """One row per name: in how many cells its estimates lie above a number, below it, or on no known side, as Markdown.

    `rows` has the estimates by cell and the number.
    """
    sides = {
        name: list(judge(Claim(name, name, above), arms, confidence).sides.values())
        for name, (arms, above) in rows.items()
    }
    cells = [
        (name, *(str(result.count(side)) for side in ("holds", "fails", "open"))) for name, result in sides.items()
    ]
    return markdown_table((head, "above", "below", "not known"), cells)


def extreme(
    arms: Mapping[Cell, Measured], confidence: Confidence, decimals: int, *, largest: bool, top: float | None = None
) -> str:
    """The lowest or the largest estimate over the cells, with its cell: `27.1 ± 0.9 (`mid-layered`, strong)`.

    The cell is chosen by the data, so `confidence` must count the intervals of all cells. `top` is 100 for shares in
    per cent.
    """
    known = {cell: arm for cell, arm in arms.items() if arm.value == arm.value}
    if not known:
        return NOTHING
    cell = (max if largest else min)(known, key=lambda at: known[at].value)
    words = in_words(known[cell].value, known[cell].interval(confidence), decimals, top=top)
    return f"{words} ({cell.in_words(arms)})"
