"""Choose the games of a later stage: for the claims that are not known, in the cells where they decide.

    .ci/maker allocation --stage 2 --games 1000000

writes the additions of the stage to `additions.csv`, by the published figures alone. A claim gets games for the answer
that the fewest games would show if values stay as they are: each cell as many as its standard error and its distance
from the claimed number, or from the margin, call for. Claims that need few games come first, until the budget of games
is spent; of those that need too many, no cell gets more than MOST parts. An answer that says on which side every cell
lies is preferred where it needs at most DEAR games. Outcomes of one study share the games of a cell.
"""

from __future__ import annotations

import csv
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from io import StringIO
from math import ceil, isfinite

from wallsim.analyses.robustness.answers import Found, Judged, project_answers
from wallsim.analyses.robustness.estimates import (
    ADDITIONS,
    BETWEEN,
    COLUMNS,
    ROWS,
    STAGES,
    Addition,
    additions,
    replayed,
    source,
)
from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, UNKNOWN, Answer
from wallsim.analysis.claims.cells import Cell
from wallsim.folder.commit import write_whole

MOST = 100  # parts of an addition
DEAR = 100_000  # games of each comparison
SPARE = 1.5  # times the games that would do if values stayed as they are
SIDED = (HOLDS, FAILS, DEPENDS)


def parts_for(judged: Judged, answer: Answer) -> dict[Cell, int]:
    """The parts that a claim needs by cell, for the answer that needs the fewest in all; none for what is known."""
    if answer.word != UNKNOWN:
        return {}
    ways = judged.rows_needed(answer)
    totals = {word: sum(rows.values()) for word, rows in ways.items()}
    word = min((word for word in ways if word in SIDED), key=totals.__getitem__)
    if totals[word] * judged.games > DEAR:
        word = min(ways, key=totals.__getitem__)
    rows = {cell: each for cell, each in ways[word].items() if each > 0}
    return {cell: ceil(SPARE * each / ROWS) if isfinite(each) else MOST for cell, each in rows.items()}


def next_stage(stage: int, games: int, found: Found) -> list[Addition]:
    """The additions of a stage, of at most so many games of each comparison."""
    played = {each.name for each in replayed()}
    wanted = {asked: parts_for(*each) for asked, each in found.items() if asked[0] in played}
    chosen: dict[tuple[str, int, Cell], tuple[int, list[str]]] = {}  # parts and outcomes
    left = float(games)
    for asked in sorted(wanted, key=lambda each: (sum(wanted[each].values()) * found[each][0].games, each)):
        study, outcome, players = asked
        for cell, number in wanted[asked].items():
            parts, outcomes = chosen.get((study, players, cell), (0, []))
            more = max(0, min(number, MOST) - parts)
            cost = more * ROWS * found[asked][0].games
            if cost <= left:
                left -= cost
                chosen[study, players, cell] = parts + more, [*outcomes, outcome]
    every = sorted(chosen.items())
    return [Addition(stage, *place, parts, tuple(sorted(outcomes))) for place, (parts, outcomes) in every]


def additions_text(every: Iterable[Addition]) -> str:
    """The text of a file of additions."""
    text = StringIO()
    rows = ((*each[:3], *each.cell, each.parts, BETWEEN.join(each.outcomes)) for each in every)
    csv.writer(text, lineterminator="\n").writerows((COLUMNS, *rows))
    return text.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the additions of a stage, and print how many games they have."""
    parser = ArgumentParser(prog=".ci/maker allocation", description="Choose the games of a later stage of robustness.")
    parser.add_argument("--stage", type=int, choices=STAGES, required=True, help="the stage")
    parser.add_argument("--games", type=int, required=True, help="the most games of each comparison")
    given, more = parser.parse_known_args(arguments)
    if more:
        parser.error(f"unknown arguments: {more!r}")
    before = [each for each in additions() if each.stage < given.stage]
    chosen = next_stage(given.stage, given.games, project_answers())
    write_whole(ADDITIONS, additions_text([*before, *chosen]).encode())
    count = sum(each.parts * ROWS * source(each.study).judged.games_a_row for each in chosen)
    print(f"stage {given.stage}: {count:,} games of each comparison in {len(chosen)} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
