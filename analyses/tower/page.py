"""The page of the study `tower`: what changes, the verdicts, all tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.answers import answers
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, plays_in_words
from wallsim.analysis.claims.verdicts import judge
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.study import Page

from ..lineups.estimates import LEADER
from ..robustness.answers import answer_of, is_published
from ..robustness.answers import in_words as answer_in_words
from .estimates import ARM_PAIRS, CLAIMS, OUTCOMES, PAIRS, RECAST_GAIN, Design, of_pair
from .figures import BASELINE, DIFFERENCE, OUTCOME, PLAYERS, TO_DRAFT, home, pair, sure_of
from .finding import both_tables, finding_of, span
from .pairs import seatings
from .picture import outcomes_by_tower

_CHANGING = "counties changing hands"


def page(figures: Figures, design: Design) -> Page:
    """The finding with both tables under all towers, and all tables."""
    parts = [games_played(figures, design), moves_table(figures), claims_of_tower(figures, design)]
    text = "\n\n".join([*parts, outcome_tables(figures), cell_tables(figures)])
    return Page(finding_of(figures, design.plays), both_tables(figures, design.plays), text)


def of_outcome(figures: Figures, outcome: str) -> dict[Cell, Figure]:
    """An outcome by cell."""
    return figures.cells(OUTCOME, outcome, players=PLAYERS)


def by_tower(figures: Figures, outcome: str, setup: str = "lineup") -> dict[str, Figure]:
    """An outcome by tower, for middling play or for its pair, under one set-up; empty if it is not known."""
    arms = of_outcome(figures, outcome)
    return {tower: arms[cell] for tower in TOWERS if (cell := home(outcome, tower, setup)) in arms}


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the intervals mean."""
    played = {cell: arm.blocks for cell, arm in of_outcome(figures, _CHANGING).items()}
    recasts_of = {cell: arm.blocks for cell, arm in of_outcome(figures, RECAST_GAIN).items()}
    base = Cell(MIDDLING, BASELINE, "lineup")
    other = next(cell for cell in played if cell.play != MIDDLING)
    pairs = sum(len(seatings(*pair)) for pair in PAIRS.values())
    games = sum(played.values()) + pairs * played[base] * len(TOWERS) * len(SETUPS)
    sure, fewest = sure_of(figures), min(recasts_of.values())
    few = f" {sure.too_few(fewest, 'blocks in every cell')}" if fewest < sure.min_blocks else ""
    return (
        f"{played[base]:,} blocks under each of {len(TOWERS)} towers, with line-ups and in the draft, of middling play "
        f"and of both pairs ({1 + pairs} games per block), {played[other]:,} of the other plays: {games:,} games; "
        f"engine version {ENGINE_VERSION}. Plays: {plays_in_words(design.plays)}. Attacks of the first "
        f"{recasts_of[base]:,} blocks were recast, of the other plays {recasts_of[other]:,}. The ± are half-widths of "
        f"intervals that hold for all outcomes, cells and pairs of towers simultaneously with {LEVEL:.0%}.{few}"
    )


def outcome_tables(figures: Figures) -> str:
    """Every outcome's table, as Markdown."""
    return "\n\n".join(outcome_table(figures, outcome) for outcome in OUTCOMES)


def outcome_table(figures: Figures, outcome: str) -> str:
    """One row per tower, and one for the draft under the baseline: n, the estimate, its difference to the baseline.

    As Markdown, below a line of what it is.
    """
    unit, decimals, meaning = OUTCOMES[outcome]
    top, sure, arms = OUTCOMES[outcome].top, sure_of(figures), by_tower(figures, outcome)
    named: dict[str, tuple[Figure, Figure | None]] = {
        f"`{tower}`": (arm, _minus_baseline(figures, outcome, tower)) for tower, arm in arms.items()
    }
    drafted = by_tower(figures, outcome, "draft")
    if BASELINE in drafted:
        play = home(outcome, BASELINE).play
        to_draft = figures.of(TO_DRAFT, outcome, players=PLAYERS, play=play, tower=BASELINE)
        named[f"`{BASELINE}`, draft"] = (drafted[BASELINE], to_draft)
    rows = []
    for name, (arm, gap) in named.items():
        minus = "baseline" if gap is None else _signed(gap, sure, decimals, arm is not drafted.get(BASELINE))
        rows.append((name, f"{arm.blocks:,}", in_words(arm.value, arm.interval(sure), decimals, top=top), minus))
    table = markdown_table(("tower", "blocks", outcome, f"minus `{BASELINE}`"), rows)
    return f"**{outcome}**, {unit}: {meaning}\n\n{table}"


def cell_tables(figures: Figures) -> str:
    """The tables of tower by play, for each claimed outcome of four equal policies and each set-up."""
    sure, claimed = sure_of(figures), dict.fromkeys(claim.outcome for claim in CLAIMS)
    parts = []
    for outcome in claimed:
        for setup in SETUPS:
            arms = {cell: arm for cell, arm in of_outcome(figures, outcome).items() if cell.setup == setup}
            if arms and not of_pair(outcome):
                unit, decimals, _ = OUTCOMES[outcome]
                top = OUTCOMES[outcome].top
                parts.append(tower_by_play(arms, sure, f"{outcome}, {unit}, {setup}", decimals, top))
    return "\n\n".join(parts)


def moves_table(figures: Figures) -> str:
    """One row per outcome: the range over towers and over all cells, the largest move by calibration and by model."""
    sure, rows = sure_of(figures), []
    for outcome, measured in OUTCOMES.items():
        (unit, decimals, _), top = measured, measured.top
        arms = by_tower(figures, outcome)
        moves = [
            _move(figures, outcome, part, decimals, sure) for part in (0, 1)
        ]  # the part of TOWERS that stays the same
        whole = (
            f"{span(of_outcome(figures, outcome).values(), decimals, top)} ({len(of_outcome(figures, outcome))} cells)"
        )
        rows.append((f"{outcome}, {unit}", span(arms.values(), decimals, top), whole, moves[1], moves[0]))
    heads = ("outcome", "over all towers", "over all cells", "another calibration, same model",
             "another model, same calibration")  # fmt: skip
    return markdown_table(heads, rows)


def claims_of_tower(figures: Figures, design: Design) -> str:
    """Every claim with its lowest and highest estimate and its answer, as Markdown.

    The answers are about the cells of this study, all at once; that about line-up A is the one of all studies.
    """
    sure, claims = sure_of(figures), {claim.outcome: claim for claim in CLAIMS}
    arms = {outcome: of_outcome(figures, outcome) for outcome in claims}
    units = {outcome: OUTCOMES[outcome].unit for outcome in claims}
    known = {
        outcome: f"{answer_in_words(answer)}; {len(arms[outcome])} cells"
        for outcome, answer in answers(claims, arms, units, drawn={}).items()
    }
    if is_published(figures):
        known["line-up A"] = answer_in_words(answer_of("lineups", LEADER))
    judged = [judge(claim, arms[claim.outcome], sure) for claim in CLAIMS]
    shares = [outcome for outcome, measured in OUTCOMES.items() if measured.top]
    pairs = " and of ".join(f"`{one}` and `{other}`" for one, other in PAIRS.values())
    table = verdict_table(judged, arms, sure, shares=shares, answers=known)
    return f"{table}\n\nClaims that are measured by wins or points of {pairs} are about these two policies alone."


def picture(figures: Figures, design: Design) -> Picture:
    """One panel per outcome with the nine towers."""
    blocks = of_outcome(figures, _CHANGING)[Cell(MIDDLING, BASELINE, "lineup")].blocks
    title = (
        f"Outcomes of the game under {len(TOWERS)} dice towers\n"
        f"Middling play and pairs with line-ups, {blocks:,} blocks per tower; all intervals hold simultaneously"
    )
    return outcomes_by_tower(frame(figures), BASELINE, {claim.outcome: claim.above for claim in CLAIMS}, title)


def frame(figures: Figures) -> pl.DataFrame:
    """All outcomes by tower, a row each, with intervals, and with the range over the plays and set-ups of the tower."""
    sure, rows = sure_of(figures), []
    for outcome in OUTCOMES:
        for tower, arm in by_tower(figures, outcome).items():
            interval = arm.interval(sure) or (None, None)
            here = [
                each.value
                for cell, each in of_outcome(figures, outcome).items()
                if cell.tower == tower and not isnan(each.value)
            ]
            span = (min(here), max(here)) if here else (None, None)
            unit = OUTCOMES[outcome].unit
            rows.append((outcome, unit, tower, *TOWERS[tower], arm.blocks, arm.value, *interval, *span))
    words = dict.fromkeys(("outcome", "unit", "tower", "calibration", "model"), pl.String)
    numbers = dict.fromkeys(("value", "low", "high", "lowest", "highest"), pl.Float64)
    return pl.DataFrame(rows, schema={**words, "blocks": pl.Int64, **numbers}, orient="row")


def _move(figures: Figures, outcome: str, same: int, decimals: int, sure: Confidence) -> str:
    # The largest difference between towers that have one part, the calibration or the model, in common.
    play = home(outcome, BASELINE).play
    gaps: Mapping[tuple[str, str], Figure] = {
        (one, other): figures.of(DIFFERENCE, pair(outcome, one, other), players=PLAYERS, play=play)
        for one, other in ARM_PAIRS
        if TOWERS[one][same] == TOWERS[other][same]
    }
    known = {towers: gap for towers, gap in gaps.items() if not isnan(gap.value)}
    if not known:
        return NOTHING
    (high, low), gap = max(known.items(), key=lambda each: abs(each[1].value))
    if gap.value < 0:
        high, low = low, high
    return f"{in_words(abs(gap.value), gap.interval(sure), decimals)} (`{high}` above `{low}`)"


def _minus_baseline(figures: Figures, outcome: str, tower: str) -> Figure | None:
    # The difference to the baseline, in either order; None for the baseline itself.
    play = home(outcome, BASELINE).play
    for one, other in ((tower, BASELINE), (BASELINE, tower)):
        if (one, other) in ARM_PAIRS:
            return figures.of(DIFFERENCE, pair(outcome, one, other), players=PLAYERS, play=play)
    return None


def _signed(gap: Figure, sure: Confidence, decimals: int, turned: bool) -> str:
    # Pairs of towers begin with the baseline, which is subtracted here; the draft less line-ups stays as it is.
    return in_words(-gap.value if turned else gap.value, gap.interval(sure), decimals, "+")
