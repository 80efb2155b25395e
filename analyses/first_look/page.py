"""The page of the study `first_look`: sentences, tables and what its picture shows; and the headline."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from matplotlib.figure import Figure

from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import plays_in_words
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.seating.arrangements import Arranged
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import bounded, ends, in_words
from wallsim.report.tables.verdicts import counted_sides, extreme, tower_by_play, verdict_table
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.study import Page

from .estimates import (
    AHEAD,
    ALL,
    ARRANGEMENTS,
    CLAIMS,
    EXPERIMENT,
    FAIR,
    LETTERS,
    FirstLook,
    baseline_cell,
)  # fmt: skip
from .picture import first_look

MARKS = ("figures", "headline")
SHARES = frozenset(f"line-up {letter}" for letter in LETTERS)  # outcomes that are a share; a difference is none
_INTERVAL = f"{LEVEL:.0%} interval"
LINEUP_HEADINGS = ("line-up", "wins, %", _INTERVAL, "mean VP", _INTERVAL, "standard deviation per game")


def page(found: FirstLook) -> Page:
    """All tables with the sentences around them, and the headline."""
    return Page({"figures": figures(found), "headline": headline(found)})


def figures(found: FirstLook) -> str:
    """All tables with the sentences around them, as Markdown."""
    judged = judge_claims(found)
    tables = [
        lineups_table(found.baseline),
        seats_words(found.baseline),
        seats_table(found.baseline),
        shares_table(found),
        *claimed_tables(judged),
        verdict_table(judged.verdicts, judged.estimates, judged.confidence, shares=SHARES),
        counts_of_sides(found, judged),
        drafts_table(found),
    ]
    return "\n\n".join([games_played(found), *tables])


def headline(found: FirstLook) -> str:
    """The answer as a table of four rows and three sentences, with its assumptions."""
    low, high = (extreme_share(found, "A", largest=largest) for largest in (False, True))
    rows = [row[:3] for row in lineup_rows(found.baseline)]
    return (
        f"{markdown_table(LINEUP_HEADINGS[:3], rows)}\n\n"
        f"{found.baseline.blocks * len(ARRANGEMENTS):,} games with line-ups, not the draft: {baseline_facts()}, engine "
        f"version {ENGINE_VERSION}. All four seats play alike and every line-up has every seat equally often, so "
        f"{FAIR:.0f} % is fair. The intervals hold simultaneously. Over {len(found.cells)} combinations of "
        f"{len(found.plays)} plays and {len(TOWERS)} towers line-up A wins from {low} to {high} per cent."
    )


def claimed_tables(judged: Robustness) -> list[str]:
    """A table of tower by play for each claim: its outcome in every cell."""
    tables = []
    for claim in CLAIMS:
        top = ALL if claim.outcome in SHARES else None
        arms = judged.estimates[claim.outcome]
        tables.append(tower_by_play(arms, judged.confidence, _head(claim), top=top))
    return tables


def counts_of_sides(found: FirstLook, judged: Robustness) -> str:
    """In how many cells each line-up wins more than its fair share, and by play under how many towers A beats B."""
    shares = {
        letter: ({cell: estimates[f"line-up {letter}"] for cell, estimates in found.cells.items()}, FAIR)
        for letter in LETTERS
    }
    ahead = judged.estimates[AHEAD]
    by_play = {
        f"{play.name} ({code(play.policy)})": (
            {cell: arm for cell, arm in ahead.items() if cell.play == play.name},
            0.0,
        )
        for play in found.plays
    }
    return "\n\n".join([
        f"Of {len(found.cells)} cells, those in which the share of a line-up lies above and below {FAIR:.0f} %:",
        counted_sides(shares, shares_confidence(found), "cells of line-up"),
        f"Of {len(TOWERS)} towers, those under which line-up A lies above and below line-up B, by play:",
        counted_sides(by_play, judged.confidence, "towers under"),
    ])  # fmt: skip


def judge_claims(found: FirstLook) -> Robustness:
    """CLAIMS, judged in every cell."""
    return robustness(CLAIMS, found.cells, found.plays)


def games_played(found: FirstLook) -> str:
    """What was played, and what the intervals mean."""
    blocks = {cell: estimates[AHEAD].blocks for cell, estimates in found.cells.items()}
    base = baseline_cell()
    fewest = min(count for cell, count in blocks.items() if cell != base)
    sure = shares_confidence(found)
    few = f" {sure.too_few(fewest, 'blocks per cell')}" if fewest < sure.min_blocks else ""
    games = sum(blocks.values()) * len(ARRANGEMENTS) + sum(draft.spread.blocks for draft in found.drafts.values())
    return (
        f"{blocks[base] * len(ARRANGEMENTS):,} games, {baseline_facts()}, engine version {ENGINE_VERSION}; the fair "
        f"share is {FAIR:.0f} %. {len(found.cells) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and "
        f"with the drafts there are {games:,}. Plays: {plays_in_words(found.plays)}. The intervals of a table hold "
        f"simultaneously with {LEVEL:.0%}.{few}"
    )


def baseline_facts() -> str:
    """The table of the baseline cell in words."""
    experiment = load_experiment(EXPERIMENT)
    return (
        f"{experiment.players} players, policy {experiment.policies[0]}, tower {experiment.tower}, "
        f"seed {experiment.seed}"
    )


def lineups_table(games: Arranged) -> str:
    """One row per line-up: wins and points over all arrangements of the baseline cell."""
    return markdown_table(LINEUP_HEADINGS, lineup_rows(games))


def lineup_rows(games: Arranged) -> list[tuple[str, ...]]:
    """The rows of that table; all its intervals hold simultaneously."""
    confidence, points = Confidence(LEVEL, 2 * len(LETTERS)), games.points()
    return [
        (
            letter, bounded(share.value, 2, ALL), ends(share.interval(confidence), 2, top=ALL),
            bounded(points[letter].value, 2), ends(points[letter].interval(confidence), 2),
            f"{games.deviation(letter):.1f}",
        )
        for letter, share in games.shares().items()
    ]  # fmt: skip


def seats_words(games: Arranged) -> str:
    """Whether a line-up's wins depend on where it sits, in two sentences."""
    letter, (high, low), gap = games.furthest_apart()
    gap_words = in_words(gap.value, gap.interval(Confidence(LEVEL, games.differences)), 2)
    test = games.same_everywhere()
    joint = "cannot be made with so few blocks"
    if test is not None:
        chance = "p < 0.001" if test.p_value < 0.001 else f"p = {test.p_value:.3f}"
        first, second = test.degrees
        joint = f"gives T² = {test.t_squared:.1f}, F = {test.f:.2f} with {first} and {second:,} degrees, {chance}"
    return (
        f"Seat: of the {games.differences} differences of a line-up's share between two arrangements the largest is "
        f"that of line-up {letter}, {gap_words} percentage points from `{low}` (seats 0 to 3) to `{high}`. The joint "
        f"paired test that no line-up's share depends on the arrangement (Hotelling) {joint}."
    )


def seats_table(games: Arranged) -> str:
    """The share of wins of every seat, over all line-ups."""
    confidence = Confidence(LEVEL, len(LETTERS))
    shares = [in_words(share.value, share.interval(confidence), 2, top=ALL) for share in games.shares_of_seats()]
    heads = ("all line-ups alike", *(f"seat {seat}" for seat in range(len(shares))))
    return markdown_table(heads, [("share of wins, %", *shares)])


def shares_confidence(found: FirstLook) -> Confidence:
    """The confidence of the shares of all line-ups in all cells."""
    return Confidence(LEVEL, len(LETTERS) * len(found.cells))


def shares_table(found: FirstLook) -> str:
    """Every line-up's share of wins: with one factor changed at a time, and its extremes over all cells."""
    confidence, base = shares_confidence(found), baseline_cell()
    policies = {play.name: play.policy for play in found.plays}
    rows = []
    for cell, estimates in sorted(found.cells.items(), key=lambda pair: pair[0] != base):  # the baseline comes first
        if cell.play != base.play and cell.tower != base.tower:
            continue
        name = "baseline" if cell == base else f"tower `{cell.tower}`"
        if cell.play != base.play:
            name = f"{cell.play} play ({code(policies[cell.play])})"
        shares = [estimates[f"line-up {letter}"] for letter in LETTERS]
        cells = (in_words(share.value, share.interval(confidence), 1, top=ALL) for share in shares)
        rows.append((name, *cells))
    for name, largest in (("lowest", False), ("highest", True)):
        ends_of = (extreme_share(found, letter, largest=largest) for letter in LETTERS)
        rows.append((f"{name} of {len(found.cells)} cells", *ends_of))
    return markdown_table(("share of wins, %", *LETTERS), rows)


def extreme_share(found: FirstLook, letter: str, *, largest: bool) -> str:
    """A line-up's lowest or largest share of wins over all cells, with the cell."""
    arms = {cell: estimates[f"line-up {letter}"] for cell, estimates in found.cells.items()}
    return extreme(arms, shares_confidence(found), 1, largest=largest, top=ALL)


def drafts_table(found: FirstLook) -> str:
    """One row per play: seats and the spread of points in drafted games, and the spread with line-ups."""
    confidence = Confidence(LEVEL, len(found.drafts) * (len(LETTERS) + 2))
    rows = []
    for name, draft in found.drafts.items():
        seats = [in_words(share.value, share.interval(confidence), 1, top=ALL) for share in draft.seats]
        spreads = [in_words(arm.value, arm.interval(confidence), 2) for arm in (draft.spread, found.spreads[name])]
        rows.append((f"{name}, draft", *seats, *spreads))
    seats = [f"seat {seat}, wins %" for seat in range(len(LETTERS))]
    words = (
        "In a draft, the books' normal set-up, there are no line-ups, which are their set-up for beginners: nothing "
        "above speaks of drafted games. What can be compared, under the baseline's tower:"
    )
    heads = ("play", *seats, "first above last, VP", "the same with line-ups")
    return f"{words}\n\n{markdown_table(heads, rows)}"


def picture(found: FirstLook) -> Figure:
    """The baseline cell above, the two claimed outcomes over all cells below."""
    confidence = Confidence(LEVEL, 2 * len(LETTERS))
    rows = []
    for letter, share in found.baseline.shares().items():
        low, high = share.interval(confidence) or (None, None)
        rows.append((letter, share.value / 100, *(None if end is None else end / 100 for end in (low, high))))
    numbers = dict.fromkeys(("mean", "low", "high"), pl.Float64)
    shares = pl.DataFrame(rows, schema={"group": pl.String, **numbers}, orient="row")
    maps = {_head(claim): values_of(found.cells, claim) for claim in CLAIMS}
    games = found.baseline.blocks * len(ARRANGEMENTS)
    return first_look(
        shares,
        found.points,
        maps,
        f"Upper panels: {games:,} games, {baseline_facts()}. Lower panels: kinds of play (columns) by tower (rows)",
    )


def values_of(cells: Mapping[Cell, Mapping[str, Estimate]], claim: Claim) -> pl.DataFrame:
    """A claimed outcome in every cell, for a heat map."""
    rows = [
        (cell.play, cell.tower, estimates[claim.outcome].value, float(claim.above)) for cell, estimates in cells.items()
    ]
    words = dict.fromkeys(("play", "tower"), pl.String)
    return pl.DataFrame(rows, schema={**words, "value": pl.Float64, "level": pl.Float64}, orient="row")


def _head(claim: Claim) -> str:
    return f"{claim.outcome}, % of wins"
