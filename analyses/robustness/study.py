"""Robustness: which findings of the studies stand under every play, tower, set-up and assumed figure?

    .venv/bin/python -m analyses.robustness results/robustness docs/studies/robustness.png \\
        --into docs/studies/robustness.md

Method. Every claim of the studies is judged anew, by the study's own code, in the cross of six pools of policies, nine
towers, and line-ups and draft. Five pools are the usual plays; in the sixth each seat of every table has a policy drawn
at random. A cell has so many rows of a few games; in that pool a row is what one table plays. Rows are the units of all
errors. On boards with another figure in place of an assumed one, all pools are played under the default tower. A claim
holds or fails in a cell where its interval excludes the number that is claimed, and is open elsewhere; it stands if it
holds in all cells, turns if it fails in some, and is open otherwise. The intervals of all claims, cells, means and
boards hold simultaneously (Bonferroni), with Student's t. With --quick there are few cells.
"""

from __future__ import annotations

import io

import polars as pl
from matplotlib.figure import Figure

from wallsim.analysis.claims.cells import SETUPS
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.study import Page, Study, Told

from .estimates import Found, Scope, identity, place_of, play, scope_of, source_of
from .page import answer_words, board_table, claim_table, factor_table, mean_table, played_words, verdicts_of
from .picture import Row, verdicts_at_a_glance

MARK, CELLS = "robustness figures", "cells.parquet"


def told_of(found: Found, scope: Scope) -> Told:
    """The page, the picture, and `cells.parquet` with one row per board, claim and cell."""
    return Told(Page({MARK: figures(found)}), lambda: picture(found), {CELLS: cells_of(found)})


def cells_of(found: Found) -> bytes:
    """The estimate and the side of every claim in every cell on every board, as Parquet."""
    rows = [
        {
            "board": case,
            "study": key[0],
            "claim": key[1].words,
            "outcome": key[1].outcome,
            "above": float(key[1].above),
            **cell._asdict(),
            "value": estimate.value,
            "error": estimate.error,
            "side": verdict.sides[cell],
        }
        for case in found.estimates
        for key, verdict in verdicts_of(found, case).items()
        for cell, estimate in found.estimates[case][key].items()
    ]
    written = io.BytesIO()
    pl.DataFrame(rows).write_parquet(written)
    return written.getvalue()


def figures(found: Found) -> str:
    """All tables with the answer above them."""
    return "\n\n".join(
        (
            played_words(found),
            answer_words(found),
            claim_table(found),
            factor_table(found, ("play", "setup")),
            factor_table(found, ("tower",)),
            mean_table(found),
            board_table(found),
        )
    )


def picture(found: Found) -> Figure:
    """Every claim in every cell of the printed board."""
    return verdicts_at_a_glance(*drawn(found))


def drawn(found: Found) -> tuple[list[Row], list[str], list[str], str]:
    """What the picture shows: a row a claim, the pools, the set-ups, and the title."""
    scope = found.scope
    places = [(pool, setup, tower) for pool in scope.pools for setup in SETUPS for tower in scope.towers]
    rows = []
    for key, verdict in verdicts_of(found).items():
        source = source_of(key)
        sides = {(place_of(cell.play, source), cell.setup, cell.tower): side for cell, side in verdict.sides.items()}
        rows.append(Row(key[0], key[1].words, [sides.get(place, "") for place in places]))
    title = (
        f"A column a tower: {', '.join(scope.towers)}; {found.sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals"
    )
    return rows, list(scope.pools), [SETUP_WORDS[setup] for setup in SETUPS], title


STUDY = Study(
    __file__, __doc__, scope_of, identity, play, told=told_of, marks=(MARK,),
    games="games of each comparison of prices in a cell", colours=256,  # a colour that stands in few squares is kept
)  # fmt: skip
