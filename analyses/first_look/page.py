"""The pages of the study `first_look`, the headline and what its picture shows, made from the register."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import STRONG, plays_in_words
from wallsim.analysis.claims.robustness import Robustness
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import bounded, ends, in_words, number, of_estimate
from wallsim.report.tables.verdicts import counted_sides, extreme, tower_by_play
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL
from wallsim.studies.claims import CLAIM, read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE
from wallsim.studies.study import Page

from ..robustness.answers import claims_table, differing, not_known
from .estimates import (
    AHEAD,
    ALL,
    ARRANGEMENTS,
    CLAIMS,
    EXPERIMENT,
    FAIR,
    LETTERS,
    POINTS,
    Design,
    baseline_cell,
)  # fmt: skip
from .figures import (
    BY_SOURCE,
    CONTRASTS,
    DEGREES,
    DEVIATION,
    FIRST_ABOVE_LAST,
    GAP,
    HEADLINE,
    PAIRS,
    PLAYERS,
    SCORE,
    SEAT_WINS,
    SURE_OF_BASELINE,
    SURE_OF_GAPS,
    SURE_OF_SEATS,
    T_SQUARED,
    TEST,
    F,
    P,
    gap_item,
    seat_item,
    shares,
    source_item,
    sure_of_drafts,
    sure_of_shares,
    winter,
)
from .picture import first_look

HEAD = "headline"  # the mark of the table in the README
SHOWN, OVER = "A", "B"  # the line-ups of the claim
_INTERVAL = f"{LEVEL:.0%} interval"
LINES = tuple(CASUAL_TABLE._replace(play=play) for play in (STRONG, f"second {STRONG}"))
LINEUP_HEADINGS = ("line-up", "wins, %", _INTERVAL, "mean VP", _INTERVAL, "standard deviation per game")


def page(figures: Figures, design: Design) -> Page:
    """The finding with the shares at both tables, all tables with the sentences around them, and the headline."""
    finding = None if design.blocks is not None else finding_of(figures)
    return Page(finding, both_tables(figures), all_tables(figures, design), {HEAD: headline(figures, design)})


def finding_of(figures: Figures) -> Finding:
    """Which line-up wins most at the casual table, and how the first two do at the experienced one."""
    casual = {letter: shares(figures, letter)[CASUAL_TABLE] for letter in LETTERS}
    most, least = (chosen(casual, key=lambda letter: casual[letter].value) for chosen in (max, min))
    lines = {letter: [shares(figures, letter)[cell].value for cell in LINES] for letter in (most, SHOWN, OVER)}
    return Finding(
        f"Line-up {most} wins {number(casual[most].value, 0)} % of casual games and {_range(lines[most])} % of games "
        f"of experienced players; {FAIR:.0f} % is fair",
        f"Line-up {most} wins {_share(figures, casual[most])} %, the most, and line-up {least} "
        f"{_share(figures, casual[least])} %, the least.",
        f"They draft. With the printed line-ups, {SHOWN} wins {_both(lines[SHOWN])} % in two lines of play, {OVER} "
        f"{_both(lines[OVER])} %.",
        not_known(figures, CLAIMS),
        "Wins by line-up, victory points by source, and wins in every kind of play under every tower",
        differing(figures, CLAIMS),
    )  # fmt: skip


def both_tables(figures: Figures) -> str:
    """The shares of all line-ups at the casual table, and with the printed line-ups in both lines of strong play."""
    by_letter = {letter: shares(figures, letter) for letter in LETTERS}
    names = ("casual table", "experienced players, strong play", "experienced players, second strong play")
    rows = [
        (name, *(_share(figures, by_letter[letter][cell]) for letter in LETTERS))
        for name, cell in zip(names, (CASUAL_TABLE, *LINES), strict=True)
    ]
    blocks = min(by_letter[LETTERS[0]][cell].blocks for cell in (CASUAL_TABLE, *LINES))
    return (
        f"{markdown_table(('wins, % of games with line-ups', *LETTERS), rows)}\n\n"
        f"{blocks * len(ARRANGEMENTS):,} games each, tower {CASUAL_TABLE.tower}; the ± are half-widths of "
        f"{sure_of_shares(len(by_letter[LETTERS[0]])).n_comparisons} simultaneous {LEVEL:.0%} intervals. "
        "[Line-ups](lineups.md) answers whether line-up A wins more than its share in all play, and what makes the "
        "line-ups fairer."
    )


def _share(figures: Figures, share: Figure) -> str:
    return of_estimate(share, sure_of_shares(len(shares(figures, LETTERS[0]))), 1, ALL)


def _both(values: Sequence[float]) -> str:
    return " and ".join(number(value, 1) for value in values)


def _range(values: Sequence[float]) -> str:
    return " to ".join(dict.fromkeys(number(value, 0) for value in sorted(values)))


def all_tables(figures: Figures, design: Design) -> str:
    """All tables with the sentences around them, as Markdown."""
    judged = judge_claims(figures, design)
    tables = [
        lineups_table(figures),
        seats_words(figures),
        seats_table(figures),
        shares_table(figures, design),
        *cell_tables(figures, judged),
        claims_table(figures, CLAIMS, design.plays),
        counts_of_sides(figures, design, judged),
        drafts_table(figures, design),
    ]
    return "\n\n".join([games_played(figures, design), *tables])


def headline(figures: Figures, design: Design) -> str:
    """The answer as a table of four rows and three sentences, with its assumptions."""
    low, high = (extreme_share(figures, "A", largest=largest) for largest in (False, True))
    rows = [row[:3] for row in lineup_rows(figures)]
    return (
        f"{markdown_table(LINEUP_HEADINGS[:3], rows)}\n\n"
        f"{baseline_games(figures):,} games with line-ups, not the draft: {baseline_facts()}, engine "
        f"version {ENGINE_VERSION}. All four seats play alike and every line-up has every seat equally often, so "
        f"{FAIR:.0f} % is fair. The intervals hold simultaneously. Over {len(shares(figures, 'A'))} combinations of "
        f"{len(design.plays)} plays and {len(TOWERS)} towers line-up A wins from {low} to {high} per cent."
    )


def of_baseline(figures: Figures, quantity: str, item: str, moment: str = "") -> Figure:
    """A figure of the baseline cell."""
    return figures.of(quantity, item, players=PLAYERS, cell=baseline_cell(), moment=moment)


def baseline_games(figures: Figures) -> int:
    """The number of games of the baseline cell."""
    return of_baseline(figures, HEADLINE, "A").blocks * len(ARRANGEMENTS)


def cell_tables(figures: Figures, judged: Robustness) -> list[str]:
    """A table of tower by play for the share of line-up A, and for each claim: its outcome in every cell."""
    wins = shares(figures, SHOWN)
    tables = [tower_by_play(wins, sure_of_shares(len(wins)), _head(f"line-up {SHOWN}"), top=ALL)]
    for claim in CLAIMS:
        tables.append(tower_by_play(judged.estimates[claim.outcome], judged.confidence, _head(claim.outcome)))
    return tables


def counts_of_sides(figures: Figures, design: Design, judged: Robustness) -> str:
    """In how many cells each line-up wins more than its fair share, and by play under how many towers A beats B."""
    by_letter = {letter: (shares(figures, letter), FAIR) for letter in LETTERS}
    cells, ahead = len(shares(figures, "A")), judged.estimates[AHEAD]
    by_play = {
        f"{play.name} ({code(play.policy)})": (
            {cell: arm for cell, arm in ahead.items() if cell.play == play.name},
            0.0,
        )
        for play in design.plays
    }
    return "\n\n".join([
        f"Of {cells} cells, those in which the share of a line-up lies above and below {FAIR:.0f} %:",
        counted_sides(by_letter, sure_of_shares(cells), "cells of line-up"),
        f"Of {len(TOWERS)} towers, those under which line-up A lies above and below line-up B, by play:",
        counted_sides(by_play, judged.confidence, "towers under"),
    ])  # fmt: skip


def judge_claims(figures: Figures, design: Design) -> Robustness:
    """CLAIMS, judged in every cell."""
    return read_claims(figures, CLAIMS, design.plays, players=PLAYERS)


def games_played(figures: Figures, design: Design) -> str:
    """What was played, and what the intervals mean."""
    blocks = {cell: share.blocks for cell, share in shares(figures, "A").items()}
    fewest = min(count for cell, count in blocks.items() if cell != baseline_cell())
    sure = sure_of_shares(len(blocks))
    few = f" {sure.too_few(fewest, 'blocks per cell')}" if fewest < sure.min_blocks else ""
    games = sum(blocks.values()) * len(ARRANGEMENTS) + sum(
        spread.blocks for spread in figures.cells(FIRST_ABOVE_LAST, players=PLAYERS).values() if spread.setup == "draft"
    )
    return (
        f"{baseline_games(figures):,} games, {baseline_facts()}, engine version {ENGINE_VERSION}; the fair "
        f"share is {FAIR:.0f} %. {len(blocks) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and "
        f"with the drafts there are {games:,}. Plays: {plays_in_words(design.plays)}. The intervals of a table hold "
        f"simultaneously with {LEVEL:.0%}.{few}"
    )


def baseline_facts() -> str:
    """The table of the baseline cell in words."""
    experiment = load_experiment(EXPERIMENT)
    return (
        f"{experiment.players} players, policy {experiment.policies[0]}, tower {experiment.tower}, "
        f"seed {experiment.seed}"
    )


def lineups_table(figures: Figures) -> str:
    """One row per line-up: wins and points over all arrangements of the baseline cell."""
    return markdown_table(LINEUP_HEADINGS, lineup_rows(figures))


def lineup_rows(figures: Figures) -> list[tuple[str, ...]]:
    """The rows of that table; all its intervals hold simultaneously."""
    rows: list[tuple[str, ...]] = []
    for letter in LETTERS:
        share, score, deviation = (of_baseline(figures, each, letter) for each in (HEADLINE, SCORE, DEVIATION))
        rows.append((
            letter, bounded(share.value, 2, ALL), ends(share.interval(SURE_OF_BASELINE), 2, top=ALL),
            bounded(score.value, 2), ends(score.interval(SURE_OF_BASELINE), 2), f"{deviation.value:.1f}",
        ))  # fmt: skip
    return rows


def furthest_apart(figures: Figures) -> tuple[str, str, str, Figure]:
    """The largest difference of a line-up's share between two arrangements, whichever of the two is higher.

    Returns the line-up, the arrangement with the higher share, the other, and the figure.
    """
    gaps = {
        (letter, one, other): of_baseline(figures, GAP, gap_item(letter, one, other))
        for letter in LETTERS
        for one, other in PAIRS
    }
    (letter, high, low), gap = max(gaps.items(), key=lambda each: abs(each[1].value))
    return (letter, low, high, gap) if gap.value < 0 else (letter, high, low, gap)


def seats_words(figures: Figures) -> str:
    """Whether a line-up's wins depend on where it sits, in two sentences."""
    letter, high, low, gap = furthest_apart(figures)
    gap_words = in_words(abs(gap.value), gap.interval(SURE_OF_GAPS), 2)
    joint = "cannot be made with so few blocks"
    if figures.cells(TEST, P, players=PLAYERS):
        t_squared, f, first, second, p = (
            of_baseline(figures, TEST, name).value for name in (T_SQUARED, F, CONTRASTS, DEGREES, P)
        )
        chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        joint = f"gives T² = {t_squared:.1f}, F = {f:.2f} with {first:.0f} and {second:,.0f} degrees, {chance}"
    return (
        f"Seat: of the {SURE_OF_GAPS.n_comparisons} differences of a line-up's share between two arrangements the "
        f"largest is that of line-up {letter}, {gap_words} percentage points from `{low}` (seats 0 to 3) to `{high}`. "
        f"The joint paired test that no line-up's share depends on the arrangement (Hotelling) {joint}."
    )


def seats_table(figures: Figures) -> str:
    """The share of wins of every seat, over all line-ups."""
    seats = [seat_item(seat) for seat in range(len(LETTERS))]
    wins = [of_estimate(of_baseline(figures, SEAT_WINS, seat), SURE_OF_SEATS, 2, ALL) for seat in seats]
    return markdown_table(("all line-ups alike", *seats), [("share of wins, %", *wins)])


def shares_table(figures: Figures, design: Design) -> str:
    """Every line-up's share of wins: with one factor changed at a time, and its extremes over all cells."""
    by_letter, base = {letter: shares(figures, letter) for letter in LETTERS}, baseline_cell()
    policies = {play.name: play.policy for play in design.plays}
    cells, rows = list(by_letter["A"]), []
    for cell in sorted(cells, key=lambda each: each != base):  # the baseline comes first
        if cell.play != base.play and cell.tower != base.tower:
            continue
        name = "baseline" if cell == base else f"tower `{cell.tower}`"
        if cell.play != base.play:
            name = f"{cell.play} play ({code(policies[cell.play])})"
        sure = sure_of_shares(len(cells))
        rows.append((name, *(of_estimate(by_letter[letter][cell], sure, 1, ALL) for letter in LETTERS)))
    for name, largest in (("lowest", False), ("highest", True)):
        ends_of = (extreme_share(figures, letter, largest=largest) for letter in LETTERS)
        rows.append((f"{name} of {len(cells)} cells", *ends_of))
    return markdown_table(("share of wins, %", *LETTERS), rows)


def extreme_share(figures: Figures, letter: str, *, largest: bool) -> str:
    """A line-up's lowest or largest share of wins over all cells, with the cell."""
    arms = shares(figures, letter)
    return extreme(arms, sure_of_shares(len(arms)), 1, largest=largest, top=ALL)


def drafts_table(figures: Figures, design: Design) -> str:
    """One row per play: seats and the spread of points in drafted games, and the spread with line-ups."""
    sure, tower, rows = sure_of_drafts(len(design.plays)), baseline_cell().tower, []
    seats = [seat_item(seat) for seat in range(len(LETTERS))]
    for play in design.plays:
        drafted, printed = (Cell(play.name, tower, setup) for setup in ("draft", "lineup"))
        wins = [of_estimate(figures.of(SEAT_WINS, seat, players=PLAYERS, cell=drafted), sure, 1, ALL) for seat in seats]
        spreads = [
            of_estimate(figures.of(FIRST_ABOVE_LAST, players=PLAYERS, cell=cell), sure, 2)
            for cell in (drafted, printed)
        ]
        rows.append((f"{play.name}, draft", *wins, *spreads))
    words = (
        "In a draft, the books' normal set-up, there are no line-ups, which are their set-up for beginners: nothing "
        "above speaks of drafted games. What can be compared, under the baseline's tower:"
    )
    heads = ("play", *(f"{seat}, wins %" for seat in seats), "first above last, VP", "the same with line-ups")
    return f"{words}\n\n{markdown_table(heads, rows)}"


def picture(figures: Figures, design: Design) -> Picture:
    """The baseline cell above; below, the share of line-up A and its lead over B in all cells."""
    rows = []
    for letter in LETTERS:
        share = of_baseline(figures, HEADLINE, letter)
        low, high = share.interval(SURE_OF_BASELINE) or (None, None)
        rows.append((letter, share.value / 100, *(None if end is None else end / 100 for end in (low, high))))
    numbers = dict.fromkeys(("mean", "low", "high"), pl.Float64)
    frame = pl.DataFrame(rows, schema={"group": pl.String, **numbers}, orient="row")
    maps = {_head(f"line-up {SHOWN}"): values_of(shares(figures, SHOWN).values())}
    maps |= {
        _head(claim.outcome): values_of(figures.cells(CLAIM, claim.outcome, players=PLAYERS).values())
        for claim in CLAIMS
    }
    upper = f"{baseline_games(figures):,} games, {baseline_facts()}"
    return first_look(
        frame,
        points_by_source(figures),
        maps,
        "Wins of the four printed line-ups\n"
        f"Upper panels: {upper}. Lower panels: kinds of play (columns) by tower (rows)",
    )


def points_by_source(figures: Figures) -> pl.DataFrame:
    """Mean victory points by line-up, winter and source in the baseline cell, for the picture."""
    rows = [
        (letter, year, source, of_baseline(figures, BY_SOURCE, source_item(letter, source), winter(year)).value)
        for letter, source, year in POINTS
    ]
    schema = {"player": pl.String, "year": pl.Int64, "source": pl.String, "vp": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def values_of(arms: Iterable[Figure]) -> pl.DataFrame:
    """A claimed outcome in every cell, for a heat map; its level is the number of the claim."""
    rows = [(arm.play, arm.tower, arm.value, arm.null) for arm in arms]
    words = dict.fromkeys(("play", "tower"), pl.String)
    return pl.DataFrame(rows, schema={**words, "value": pl.Float64, "level": pl.Float64}, orient="row")


def _head(outcome: str) -> str:
    return f"{outcome}, % of wins"
