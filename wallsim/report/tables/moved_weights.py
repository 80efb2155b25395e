"""The table of moved weights: how much wins fall when a weight of a policy is moved."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, share, share_ends
from wallsim.runs.tuning.evaluation import STEP, Move
from wallsim.stats.intervals import LEVEL


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
        [code(weight), f"{abs(next(iter(ways.values())).by):g}", *_cells(ways.get(False)), *_cells(ways.get(True))]
        for weight, ways in ranked
    ]
    heads = ["weight", "moved by", "down: wins, %", "interval", "up: wins, %", "interval"]
    return f"{words}\n\n{markdown_table(heads, rows)}"


def _cells(move: Move | None) -> list[str]:
    if move is None:
        return [NOTHING, NOTHING]
    return [share(move.finding.share), share_ends((move.finding.low, move.finding.high))]
