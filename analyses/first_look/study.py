"""A first look: which printed line-up wins, and does the answer hold for other players, towers, seats and set-ups?

Method. A block is a game number, played in all eight arrangements of the line-ups over the four seats: the rotations of
A B C D and of its mirror image. A cell is a play (four seats alike, from weak to two lines of strong play) under a
tower; every play is combined with every tower. `experiment.toml` is the baseline cell and sets its number of games;
everything else, including the seed, is the same in every cell. Estimates are means over blocks, with Student's t
intervals from the spread of the blocks. CLAIMS are judged in all cells, with intervals that hold simultaneously; a
claim is robust if it holds in every one. That no seat is better than another is tested jointly and paired by block, in
the baseline cell. Drafted games have no line-ups: they are played for every play under the baseline's tower, and the
answer says what can be compared. Every run lies in a folder PLAY/TOWER/ARRANGEMENT below the one named, and is not
played again if it is there. Whether line-up A wins more than its share in every cell is asked by the study `lineups`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import STRONG as STRONG_PLAY
from wallsim.analysis.claims.plays import plays_in_words
from wallsim.engine.version import ENGINE_VERSION
from wallsim.markdown import code
from wallsim.report.figures.style import DIVERGING, styled
from wallsim.report.tables.estimates import bounded, ends, in_words, number
from wallsim.report.tables.verdicts import counted_sides, extreme
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, Show, estimate, held_together, lines, sure_of, texts_of, towers_by_plays
from wallsim.studies.quantities import Key, Quantity, add_values
from wallsim.studies.scope import CASUAL_TABLE
from wallsim.studies.study import Choices, Judged, Page, Study
from wallsim.studies.two_lines import SECOND, STRONG, Plays, design

from ..robustness.answers import claims_table, left_open
from . import estimates
from .estimates import AHEAD, ALL, ARRANGEMENTS, CLAIMS, FAIR, HOME, LETTERS, PLAYERS, POINTS, SEATS, TESTED

HEAD = "headline"  # the mark of the table in the README
SHOWN, OVER = "A", "B"  # the line-ups of the claim
LINES = tuple(CASUAL_TABLE._replace(play=play) for play in (STRONG_PLAY, f"second {STRONG_PLAY}"))
BY_LETTER = lines("item", LETTERS)


def _is_draft(key: Key) -> bool:
    return key.cell.setup == "draft"


def _gap_words(key: Key) -> str:
    letter, one, _, other = key.item.split()
    return f"wins of line-up {letter} in the arrangement {one} (seats 0 to 3) less those in {other}"


UNIT_OF_ERRORS: Any = {"n_unit": lambda key: "games" if _is_draft(key) else "blocks"}
QUANTITIES = (
    Quantity("headline", "wins of line-up {item}", "%", FAIR, family="baseline"),
    Quantity("points", "victory points at the end of line-up {item}", family="baseline"),
    Quantity("points-deviation", "standard deviation between games of the victory points at the end of line-up {item}"),
    Quantity("points-by-source",
             lambda key: f"victory points of line-up {{first}} from {{rest}} in the winter of year {key.moment[-1]}",
             shown="picture"),
    Quantity("seat-wins",
             lambda key: f"wins of {{item}}{' in the draft' if _is_draft(key) else ', all line-ups alike'}", "%", FAIR,
             lambda key: "drafts" if _is_draft(key) else "seats", **UNIT_OF_ERRORS),
    Quantity("difference-by-arrangement", _gap_words, "% points", 0),
    Quantity("test-of-arrangements", lambda key: f"{TESTED[key.item]} of the joint paired test that no line-up's wins "
                                                 "depend on the arrangement", "number"),
    Quantity("wins", "wins of line-up {item}", "%", FAIR, ("players",)),
    Quantity("first-above-last", "victory points of the first seat above the last", together=lambda _: "drafts",
             **UNIT_OF_ERRORS),
    Quantity(CLAIM, "{item}", "% points", 0, ("players",)),
)  # fmt: skip


def page(figures: Figures, design: Plays) -> Page:
    """The finding, all tables with the sentences around them, and the headline."""
    finding = None if design.blocks is not None else finding_of(figures)
    more = {HEAD: headline(figures, design)}
    return Page(finding, first(figures).text(figures), texts_of(figures, tables(figures, design)), more)


def finding_of(figures: Figures) -> Finding:
    """Which line-up wins most at the casual table, and how the first two do at the experienced one."""
    casual = {letter: wins(figures, letter)[CASUAL_TABLE] for letter in LETTERS}
    most, least = (chosen(casual, key=lambda letter: casual[letter].value) for chosen in (max, min))
    by_line = {letter: [wins(figures, letter)[cell].value for cell in LINES] for letter in (most, SHOWN, OVER)}
    both = {letter: " and ".join(number(value, 1) for value in each) for letter, each in by_line.items()}
    shown, ranged = estimate(1, top=ALL), dict.fromkeys(number(value, 0) for value in sorted(by_line[most]))
    return Finding(
        f"Line-up {most} wins {number(casual[most].value, 0)} % of casual games and {' to '.join(ranged)} % of games "
        f"of experienced players; {FAIR:.0f} % is fair",
        f"Line-up {most} wins {shown(casual[most])} %, the most, and line-up {least} {shown(casual[least])} %, the "
        "least.",
        f"They draft. With the printed line-ups, {SHOWN} wins {both[SHOWN]} % in two lines of play, {OVER} "
        f"{both[OVER]} %.",
        picture="Wins by line-up, victory points by source, and wins in every kind of play under every tower",
        **left_open(figures, CLAIMS),
    )  # fmt: skip


def wins(figures: Figures, letter: str) -> dict[Cell, Figure]:
    """A line-up's share of wins by cell, one of those of all line-ups in all cells."""
    return figures.cells("wins", letter, players=PLAYERS)


def first(figures: Figures) -> Grid:
    """The shares of all line-ups at the casual table, and with the printed line-ups in both lines of strong play."""
    names = ("casual table", "experienced players, strong play", "experienced players, second strong play")
    cells = dict(zip((CASUAL_TABLE, *LINES), names, strict=True))
    games = min(wins(figures, SHOWN)[cell].n for cell in cells) * len(ARRANGEMENTS)
    return Grid(
        "wins, % of games with line-ups", lines("cell", cells, cells.__getitem__), BY_LETTER,
        {"quantity": "wins", "players": PLAYERS}, estimate(1, top=ALL), held_together(
            f"{games:,} games each, tower {CASUAL_TABLE.tower}; the ± are half-widths of {{family}} simultaneous "
            "{level} intervals. [Line-ups](lineups.md) answers whether line-up A wins more than its share in all play, "
            "and what makes the line-ups fairer."),
    )  # fmt: skip


# Wins and points of the line-ups over all arrangements of the baseline cell, by the heading of a column.
COLUMNS: tuple[tuple[str, str, Show], ...] = (
    ("wins, %", "headline", lambda one: bounded(one.value, 2, ALL)),
    ("95% interval", "headline", lambda one: ends(one.ends, 2, top=ALL)),
    ("mean VP", "points", lambda one: bounded(one.value, 2)),
    ("95% interval", "points", lambda one: ends(one.ends, 2)),
    ("standard deviation per game", "points-deviation", lambda one: f"{one.value:.1f}"),
)


def by_line_up(columns: Sequence[tuple[str, str, Show]] = COLUMNS) -> Grid:
    """Some columns of the baseline cell, a row a line-up."""
    shown = [Line(head, {"quantity": quantity}, show) for head, quantity, show in columns]
    return Grid("line-up", BY_LETTER, shown, {"players": PLAYERS, "cell": HOME})


def headline(figures: Figures, design: Plays) -> str:
    """The answer as a table of four rows and three sentences, with its assumptions."""
    low, high = (_extreme(figures, SHOWN, largest=largest) for largest in (False, True))
    return (
        f"{by_line_up(COLUMNS[:2]).text(figures)}\n\n{_games(figures):,} games with line-ups, not the draft: "
        f"{_facts()}, engine version {ENGINE_VERSION}. All four seats play alike and every line-up has every seat "
        f"equally often, so {FAIR:.0f} % is fair. The intervals hold simultaneously. Over "
        f"{len(wins(figures, SHOWN))} combinations of {len(design.plays)} plays and {len(TOWERS)} towers line-up A "
        f"wins from {low} to {high} per cent."
    )


def tables(figures: Figures, design: Plays) -> Iterator[Grid | str]:
    """Line-ups and seats of the baseline, wins in all cells, the claim, and drafts."""
    yield games_played(figures, design)
    yield by_line_up()
    yield seats_words(figures)
    shown = {"quantity": "seat-wins", "players": PLAYERS}
    yield Grid("all line-ups alike", [Line("share of wins, %", {"cell": HOME})], lines("item", SEATS), shown,
               estimate(2, top=ALL))  # fmt: skip
    shares, ahead = wins(figures, SHOWN), figures.cells(CLAIM, AHEAD, players=PLAYERS)
    yield Grid("share of wins, %", list(_rows_of_shares(figures, design, list(shares))), BY_LETTER,
               {"quantity": "wins", "players": PLAYERS}, estimate(1, top=ALL))  # fmt: skip
    for quantity, item, head, top in (("wins", SHOWN, f"line-up {SHOWN}", ALL), (CLAIM, AHEAD, AHEAD, None)):
        yield towers_by_plays(f"{head}, % of wins", TOWERS, [play.name for play in design.plays], estimate(1, top=top),
                              quantity=quantity, item=item, players=PLAYERS, setup="lineup")  # fmt: skip
    yield claims_table(figures, CLAIMS, design.plays)
    by_letter = {letter: (wins(figures, letter), FAIR) for letter in LETTERS}
    yield f"Of {len(ahead)} cells, those in which the share of a line-up lies above and below {FAIR:.0f} %:"
    yield counted_sides(by_letter, sure_of(list(shares.values())), "cells of line-up")
    yield f"Of {len(TOWERS)} towers, those under which line-up A lies above and below line-up B, by play:"
    by_play = {
        f"{play.name} ({code(play.policy)})": ({cell: ahead[cell] for cell in ahead if cell.play == play.name}, 0.0)
        for play in design.plays
    }
    yield counted_sides(by_play, sure_of(list(ahead.values())), "towers under")
    yield (
        "In a draft, the books' normal set-up, there are no line-ups, which are their set-up for beginners: nothing "
        "above speaks of drafted games. What can be compared, under the baseline's tower:"
    )
    spread = {"quantity": "first-above-last"}
    columns = [Line(f"{seat}, wins %", {"quantity": "seat-wins", "item": seat, "setup": "draft"}, estimate(1, top=ALL))
               for seat in SEATS]  # fmt: skip
    columns += [Line("first above last, VP", {**spread, "setup": "draft"}),
                Line("the same with line-ups", {**spread, "setup": "lineup"})]  # fmt: skip
    rows = [Line(f"{play.name}, draft", {"play": play.name}) for play in design.plays]
    yield Grid("play", rows, columns, {"players": PLAYERS, "tower": HOME.tower})


def _rows_of_shares(figures: Figures, design: Plays, cells: Sequence[Cell]) -> Iterator[Line]:
    # One factor changed at a time, the baseline first, and the extremes over all cells.
    policies = {play.name: play.policy for play in design.plays}
    for cell in sorted(cells, key=lambda each: each != HOME):
        if cell.play == HOME.play:
            yield Line("baseline" if cell == HOME else f"tower `{cell.tower}`", {"cell": cell})
        elif cell.tower == HOME.tower:
            yield Line(f"{cell.play} play ({code(policies[cell.play])})", {"cell": cell})
    for name, largest in (("lowest", False), ("highest", True)):
        texts = [_extreme(figures, letter, largest=largest) for letter in LETTERS]
        yield Line(f"{name} of {len(cells)} cells", texts=texts)


def _extreme(figures: Figures, letter: str, *, largest: bool) -> str:
    arms = wins(figures, letter)
    return extreme(arms, sure_of(list(arms.values())), 1, largest=largest, top=ALL)


def _games(figures: Figures) -> int:
    # Of the baseline cell.
    return figures.of("headline", "A", players=PLAYERS, cell=HOME).n * len(ARRANGEMENTS)


def _facts() -> str:
    table = load_experiment(estimates.EXPERIMENT)
    return f"{table.players} players, policy {table.policies[0]}, tower {table.tower}, seed {table.seed}"


def games_played(figures: Figures, design: Plays) -> str:
    """What was played, and what the intervals mean."""
    shares, spreads = wins(figures, "A"), figures.cells("first-above-last", players=PLAYERS)
    sure, fewest = sure_of(list(shares.values())), min(share.n for cell, share in shares.items() if cell != HOME)
    few = f" {sure.too_few(fewest, 'blocks per cell')}" if fewest < sure.min_blocks else ""
    drafted = sum(spread.n for cell, spread in spreads.items() if cell.setup == "draft")
    games = sum(share.n for share in shares.values()) * len(ARRANGEMENTS) + drafted
    return (
        f"{_games(figures):,} games, {_facts()}, engine version {ENGINE_VERSION}; the fair share is {FAIR:.0f} %. "
        f"{len(shares) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and with the drafts there are "
        f"{games:,}. Plays: {plays_in_words(design.plays)}. The intervals of a table hold simultaneously with "
        f"{sure.level:.0%}.{few}"
    )


def furthest_apart(figures: Figures) -> tuple[str, str, str, Figure]:
    """The largest difference of a line-up's share between two arrangements, whichever of the two is higher.

    Returns the line-up, the arrangement with the higher share, the other, and the figure.
    """
    of, ways = partial(figures.of, "difference-by-arrangement", players=PLAYERS, cell=HOME), map("".join, ARRANGEMENTS)
    gaps = {(letter, one, other): of(f"{letter} {one} less {other}")
            for letter, (one, other) in product(LETTERS, combinations(ways, 2))}  # fmt: skip
    (letter, high, low), gap = max(gaps.items(), key=lambda each: abs(each[1].value))
    return (letter, low, high, gap) if gap.value < 0 else (letter, high, low, gap)


def seats_words(figures: Figures) -> str:
    """Whether a line-up's wins depend on where it sits, in two sentences."""
    letter, high, low, gap = furthest_apart(figures)
    joint, test = "cannot be made with so few blocks", "test-of-arrangements"
    if figures.cells(test, "p", players=PLAYERS):
        t_squared, f, first, second, p = (figures.of(test, name, players=PLAYERS, cell=HOME).value for name in TESTED)
        chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        joint = f"gives T² = {t_squared:.1f}, F = {f:.2f} with {first:.0f} and {second:,.0f} degrees, {chance}"
    return (
        f"Seat: of the {gap.family} differences of a line-up's share between two arrangements the largest is that of "
        f"line-up {letter}, {in_words(abs(gap.value), gap.ends, 2)} percentage points from `{low}` (seats 0 to 3) to "
        f"`{high}`. The joint paired test that no line-up's share depends on the arrangement (Hotelling) {joint}."
    )


@styled
def picture(figures: Figures, design: Plays) -> Picture:
    """The baseline cell above; below, the share of line-up A and its lead over B in all cells, as heat maps."""
    from wallsim.report.figures.run import points_by_source, shares_by_group  # imports seaborn, which takes seconds

    result = plt.figure(figsize=(10.4, 7.6))
    upper, lower = f"{_games(figures):,} games, {_facts()}", "kinds of play (columns) by tower (rows)"
    title = f"Wins of the four printed line-ups\nUpper panels: {upper}. Lower panels: {lower}"
    result.suptitle(title, x=0.01, ha="left", fontsize=10)
    halves: Any = result.subfigures(2, 1, height_ratios=(3.9, 3.7))
    left, right = halves[0].subplots(1, 2, width_ratios=(5, 6))
    of = partial(figures.of, players=PLAYERS, cell=HOME)
    shares = [(letter, of("headline", letter)) for letter in LETTERS]
    frame = pl.DataFrame([{"group": letter, "mean": share.value / 100, "low": share.ends and share.low / 100,
                           "high": share.ends and share.high / 100} for letter, share in shares])  # fmt: skip
    shares_by_group(frame, 0.25, "line-up", left).set_title("Who wins")
    points = [
        {"player": letter, "year": year, "source": source,
         "vp": of("points-by-source", f"{letter} {source}", moment=f"winter {year}").value}
        for letter, source, year in POINTS
    ]  # fmt: skip
    points_by_source(pl.DataFrame(points), right).set_title("Where the points come from")
    maps = {f"line-up {SHOWN}, % of wins": wins(figures, SHOWN),
            f"{AHEAD}, % of wins": figures.cells(CLAIM, AHEAD, players=PLAYERS)}  # fmt: skip
    for axes, (name, arms) in zip(halves[1].subplots(1, 2, sharey=True), maps.items(), strict=True):
        heat_map(axes, [[arms[Cell(play.name, tower, "lineup")] for play in design.plays] for tower in TOWERS])
        axes.set_title(name)
        axes.set_xticks(range(len(design.plays)), [play.name.replace(" ", "\n") for play in design.plays])
        axes.set_yticks(range(len(TOWERS)), list(TOWERS))
    return result


def heat_map(axes: Axes, rows: Sequence[Sequence[Figure]]) -> None:
    """The value of each place, coloured by its distance from the fair value."""
    values = np.array([[each.value - each.null for each in row] for row in rows])
    for y, x in np.ndindex(values.shape):
        shown = f"{round(rows[y][x].value) + 0:d}".replace("-", "−")
        axes.annotate(shown, (x, y), ha="center", va="center", fontsize=8.5)
    far = max(1.0, float(np.abs(values).max()))
    axes.imshow(values, cmap=DIVERGING, vmin=-far, vmax=far, aspect="auto")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


STUDY = Study(
    __file__, __doc__, design, estimates.identity, estimates.play,
    figures=lambda values, rows: add_values(rows, QUANTITIES, values),
    page=page, picture=picture, marks=(HEAD,), quantities=QUANTITIES, options=(STRONG, SECOND),
    judged=(Judged(CLAIMS, estimates.claim_outcomes, setups=("lineup",), units={AHEAD: "% points"}),),
    games="blocks per cell, of 8 games each, instead of the study's", quick=Choices(games=64),
    colours=256,  # a scale of colours needs many
)  # fmt: skip
