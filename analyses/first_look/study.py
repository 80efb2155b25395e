"""A first look: which printed line-up wins, and does the answer hold for other players, towers, seats and set-ups?

Method. A block is a game number, played in all eight arrangements of the line-ups over the four seats: the rotations of
A B C D and of its mirror image. A cell is a play (four seats alike, from weak to master and scholar bots) under a
tower: the settings of all studies with line-ups, and the baseline's play under all nine towers. `experiment.toml` is
the baseline cell and sets its number of games; everything else, including the seed, is the same in every cell.
Estimates are means over blocks, with Student's t intervals from the spread of the blocks. CLAIMS are judged in all
cells, with intervals that hold simultaneously; a claim is robust if it holds in every one. That no seat is better than
another is tested jointly and paired by block, in the baseline cell. Drafted games have no line-ups: they are played for
every play under the baseline's tower, and the answer says what can be compared. Every run lies in a folder
PLAY/TOWER/ARRANGEMENT below the one named, and is not played again if it is there. Whether line-up A wins more than its
share in every cell is asked by the study `lineups`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import MIDDLING, TOWERS, Cell, Play, named, plays_in_words
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.games.arrangements import arranged, arrangements
from wallsim.analysis.games.breakdown import SOURCES, columns_of_source
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.results import Run
from wallsim.play.play import play_run
from wallsim.report.figures.style import DIVERGING, styled
from wallsim.report.tables.estimates import bounded, ends, in_words, number
from wallsim.report.tables.verdicts import counted_sides, extreme
from wallsim.stats.blocks import Estimate, block_mean, block_values
from wallsim.studies.claims import CLAIM, claim_quantity
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import RESTS_ON, Finding, best_first, bots_of
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, sure_of, towers_by_plays
from wallsim.studies.quantities import Key, Number, Quantity, Value
from wallsim.studies.scope import BASELINE_TOWER, CASUAL_TABLE, PLAYERS, SETTINGS, in_setup
from wallsim.studies.scope import PRINTED_TABLES as LINES
from wallsim.studies.study import Choices, Judged, Storage, Study
from wallsim.studies.table_captions import few
from wallsim.studies.two_lines import SECOND, STRONG, Plays, design

from ..lineups.games import play as play_numbers
from ..robustness.answers import claims_table, left_open

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = 1_500  # blocks of every cell but the baseline
LETTERS = ("A", "B", "C", "D")
SHOWN, OVER = LETTERS[:2]  # those of the claim
SEATS = [f"seat {seat}" for seat in range(PLAYERS)]
ARRANGEMENTS = arrangements(LETTERS)
HOME = Cell(MIDDLING, BASELINE_TOWER, "lineup")  # the baseline: the cell of the unchanged experiment
# The settings with line-ups, and the baseline's play under every tower.
CELLS = tuple(dict.fromkeys((*in_setup(SETTINGS, "lineup"), *(HOME._replace(tower=tower) for tower in TOWERS))))
FAIR, ALL = 100 / PLAYERS, 100.0  # % of wins
AHEAD = "A minus B"
TESTED = {
    "T-squared": "Hotelling's T²", "F": "F", "contrasts": "degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F", "p": "p-value",
}  # fmt: skip
CLAIMS = (Claim("Line-up A wins more than line-up B.", AHEAD, 0),)  # that about its share is one of `lineups`
UNITS = {AHEAD: "% points"}
BY_LETTER = lines("item", LETTERS)


def experiments(blocks: int | None, plays: Sequence[Play]) -> dict[tuple[Cell, str], Experiment]:
    """Every run's experiment, by its cell and its arrangement, "draft" for a draft.

    InputError for an unknown policy.
    """
    own, result = load_experiment(EXPERIMENT).games // len(ARRANGEMENTS), {}
    for play in plays:
        for cell in (cell for cell in CELLS if cell.play == play.name and cell.tower in TOWERS):
            each = blocks or (own if cell == HOME else BLOCKS)
            keys = {"policies": play.policy, "tower": cell.tower, "games": each}
            for way in ARRANGEMENTS:
                result[cell, "".join(way)] = load_experiment(EXPERIMENT, {**keys, "lineups": list(way)})
        games = (blocks or BLOCKS) * len(ARRANGEMENTS)
        drafted = {"policies": play.policy, "setup": "draft", "lineups": [], "games": games}
        result[Cell(play.name, HOME.tower, "draft"), "draft"] = load_experiment(EXPERIMENT, drafted)
    return result


def identity(design: Plays) -> dict[str, Any]:
    """Everything that decides the results: every run's experiment with rules, tower and weights."""
    runs = {"/".join((*cell, way)): each for (cell, way), each in experiments(*design).items()}
    return {"runs": runs, "plays": design.plays}


def play(design: Plays, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs, and measure every cell, with more of the baseline cell, and every draft."""
    runs: dict[Cell, list[Run]] = {}
    for (cell, way), experiment in experiments(*design).items():
        place = storage.folder / cell.play.replace(" ", "-") / cell.tower / way
        runs.setdefault(cell, []).append(play_run(experiment, place))
    return {key._replace(players=PLAYERS, cell=cell): value for cell, each in runs.items()
            for key, value in (of_draft(*each) if cell.setup == "draft" else of_line_ups(cell, each))}  # fmt: skip


def of_line_ups(cell: Cell, runs: Sequence[Run]) -> Iterator[tuple[Key, Value]]:
    """Wins of the line-ups in a cell, and the outcome of the claim; more of the baseline's tower, and of its cell."""
    games = arranged(runs)
    shares = games.shares()
    yield from ((Key("wins", letter), share) for letter, share in shares.items())
    yield Key(CLAIM, AHEAD), shares[SHOWN] - shares[OVER]
    if cell.tower == HOME.tower:
        yield Key("first-above-last"), games.spread()
    if cell != HOME:
        return
    for letter, points in games.points().items():
        yield Key("headline", letter), shares[letter]
        yield Key("points", letter), points
        yield Key("points-deviation", letter), Number(games.deviation(letter), n=games.blocks)
    yield from ((Key("seat-wins", seat), share) for seat, share in zip(SEATS, games.shares_of_seats(), strict=True))
    for (letter, one, other), gap in games.differences().items():
        yield Key("difference-by-arrangement", f"{letter} {one} less {other}"), gap
    if (test := games.same_everywhere()) is not None:
        found = (test.t_squared, test.f, *test.degrees, test.p_value)
        for name, value in zip(TESTED, found, strict=True):
            yield Key("test-of-arrangements", name), Number(value, n=test.blocks)
    yield from points_of(runs)


def points_of(runs: Sequence[Run]) -> Iterator[tuple[Key, Value]]:
    """Mean victory points by line-up, source and winter over all arrangements; a block is a game number."""
    mine = pl.col("lineup").cast(pl.String)
    asked = {
        f"{letter} {source} {year}": pl.col(columns_of_source(source)[year]).filter(mine == letter).sum()
        for letter, year, source in product(LETTERS, (1, 2), SOURCES)
    }
    found = [block_values(run.scan("seats"), run.manifest["games"], **asked) for run in runs]
    for name in asked:
        item, _, year = name.rpartition(" ")
        value = block_mean(np.mean([each[name] for each in found], axis=0))
        yield Key("points-by-source", item, moment=f"winter {year}"), value


def of_draft(run: Run) -> Iterator[tuple[Key, Value]]:
    """Wins by seat in per cent, and the points between first and last, of drafted games; each game is a block."""
    win, vp = pl.col("win"), pl.col("vp")
    seats = {name: win.filter(pl.col("seat") == seat).sum() for seat, name in enumerate(SEATS)}
    result = block_values(run.scan("seats"), run.manifest["games"], spread=vp.max() - vp.min(), **seats)
    yield from ((Key("seat-wins", seat), block_mean(result[seat]) * 100) for seat in SEATS)
    yield Key("first-above-last"), block_mean(result["spread"])


def claim_outcomes(experiment: Experiment, blocks: int, _: object = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 game numbers a player in all arrangements.

    A number is a unit of errors. Nothing is claimed with other than four players.
    """
    if experiment.setup != "lineup" or experiment.players != PLAYERS:
        return {}
    shares = play_numbers(experiment.components(), experiment.seed, blocks).arranged().shares()
    return {AHEAD: shares[SHOWN] - shares[OVER]}


def gap_words(key: Key) -> str:
    """What a difference between two arrangements is."""
    letter, one, _, other = key.item.split()
    return f"wins of line-up {letter} in the arrangement {one} (seats 0 to 3) less those in {other}"


IN_SETUP = {"draft": " in the draft", "lineup": ", all line-ups alike"}
UNIT_OF_ERRORS: Any = {"n_unit": lambda key: "games" if key.cell.setup == "draft" else "blocks"}
QUANTITIES = (
    Quantity("headline", "wins of line-up {item}", "%", FAIR, family="baseline"),
    Quantity("points", "victory points at the end of line-up {item}", family="baseline"),
    Quantity("points-deviation", "standard deviation between games of the victory points at the end of line-up {item}"),
    Quantity("points-by-source",
             lambda key: f"victory points of line-up {{first}} from {{rest}} in the winter of year {key.moment[-1]}",
             shown="picture"),
    Quantity("seat-wins", lambda key: f"wins of {{item}}{IN_SETUP[key.cell.setup]}", "%", FAIR,
             lambda key: key.cell.setup, **UNIT_OF_ERRORS),
    Quantity("difference-by-arrangement", gap_words, "% points", 0),
    Quantity("test-of-arrangements", lambda key: f"{TESTED[key.item]} of the joint paired test that no line-up's wins "
                                                 "depend on the arrangement", "number"),
    Quantity("wins", "wins of line-up {item}", "%", FAIR, ("players",)),
    Quantity("first-above-last", "victory points of the first seat above the last", together=lambda _: "draft",
             **UNIT_OF_ERRORS),
    claim_quantity(CLAIMS, UNITS),
)  # fmt: skip


def wins(figures: Figures, letter: str) -> dict[Cell, Figure]:
    """A line-up's share of wins by cell, one of those of all line-ups in all cells."""
    return figures.cells("wins", letter, players=PLAYERS)


def finding(figures: Figures, design: Plays) -> Finding | None:
    """Which line-up wins most at the casual table, and how the first two do at the experienced one; of all games."""
    if design.blocks is not None:
        return None
    casual, *strong = ({letter: wins(figures, letter)[cell] for letter in LETTERS} for cell in LINES)
    (most, *others), (least, *lower) = (
        best_first(casual, sure_of([*casual.values()]), largest=largest) for largest in (True, False)
    )
    one, other = (" and ".join(number(line[letter].value, 1) for line in strong) for letter in (SHOWN, OVER))
    ranged = dict.fromkeys(number(value, 0) for value in sorted(line[most].value for line in strong))
    shown = estimate(1, top=ALL)
    return Finding(
        f"Line-up {most} wins {number(casual[most].value, 0)} % of games of casual bots and {' to '.join(ranged)} % of "
        f"master and scholar bots; {FAIR:.0f} % is fair {RESTS_ON}",
        f"Line-up {most} wins {shown(casual[most])} %{'' if others else ', the most'}, and line-up {least} "
        f"{shown(casual[least])} %{'' if lower else ', the least'}.",
        f"They draft. With line-ups, {SHOWN} wins {one} % of games of master and scholar bots, {OVER} {other} %.",
        picture="Wins by line-up, victory points by source, and wins by kind of bot and tower",
        **left_open(figures, CLAIMS),
    )  # fmt: skip


def first(figures: Figures, _: Plays) -> Grid:
    """The shares of all line-ups at the casual table, and with the printed line-ups in both lines of strong play."""
    games = min(wins(figures, SHOWN)[cell].n for cell in LINES) * len(ARRANGEMENTS)
    return Grid(
        "wins, % of games with line-ups", lines("cell", LINES, lambda cell: bots_of(cell.play)), BY_LETTER,
        {"quantity": "wins", "players": PLAYERS}, estimate(1, top=ALL), held_together(
            f"{games:,} games each, tower {CASUAL_TABLE.tower}; the ± are half-widths of {{family}} simultaneous "
            "{level} intervals. [Line-ups](lineups.md) answers whether line-up A wins more than its share for all "
            "bots, and what makes the line-ups fairer."),
    )  # fmt: skip


# Wins and points of the line-ups over all arrangements of the baseline cell.
COLUMNS = (
    Line("wins, %", {"quantity": "headline"}, lambda one: bounded(one.value, 2, ALL)),
    Line("95% interval", {"quantity": "headline"}, lambda one: ends(one.ends, 2, top=ALL)),
    Line("mean VP", {"quantity": "points"}, lambda one: bounded(one.value, 2)),
    Line("95% interval", {"quantity": "points"}, lambda one: ends(one.ends, 2)),
    Line("standard deviation per game", {"quantity": "points-deviation"}, lambda one: f"{one.value:.1f}"),
)
AT_HOME: Any = {"players": PLAYERS, "cell": HOME}


def tables(figures: Figures, design: Plays) -> Iterator[Grid | str]:
    """Line-ups and seats of the baseline, wins in all cells, the claim, and drafts."""
    shown, names = estimate(1, top=ALL), [play.name for play in design.plays]
    yield games_played(figures, design)
    yield Grid("line-up", BY_LETTER, COLUMNS, AT_HOME)
    yield seats_words(figures)
    yield Grid("all line-ups alike", [Line("share of wins, %")], lines("item", SEATS),
               {"quantity": "seat-wins", **AT_HOME}, estimate(2, top=ALL))  # fmt: skip
    shares, ahead = wins(figures, SHOWN), figures.cells(CLAIM, AHEAD, players=PLAYERS)
    yield Grid("share of wins, %", list(rows_of_shares(figures, design)), BY_LETTER,
               {"quantity": "wins", "players": PLAYERS}, shown)  # fmt: skip
    for quantity, item, head, show in (("wins", SHOWN, f"line-up {SHOWN}", shown), (CLAIM, AHEAD, AHEAD, estimate(1))):
        yield towers_by_plays(f"{head}, % of wins", TOWERS, names, show, quantity=quantity, item=item, players=PLAYERS,
                              setup="lineup")  # fmt: skip
    yield claims_table(figures, CLAIMS, design.plays)
    by_letter = {letter: (wins(figures, letter), FAIR) for letter in LETTERS}
    yield f"Of {len(ahead)} cells, those in which the share of a line-up lies above and below {FAIR:.0f} %:"
    yield counted_sides(by_letter, sure_of(list(shares.values())), "cells of line-up")
    yield "Of the towers of each play, those under which line-up A lies above and below line-up B:"
    by_play = {
        f"{play.name} ({named(play.policy)})": ({cell: ahead[cell] for cell in ahead if cell.play == play.name}, 0.0)
        for play in design.plays
    }
    yield counted_sides(by_play, sure_of(list(ahead.values())), "towers under")
    yield (
        "In a draft, the books' normal set-up, there are no line-ups, which are their set-up for beginners: nothing "
        "above speaks of drafted games. What can be compared, under the baseline's tower:"
    )
    spread = {"quantity": "first-above-last"}
    columns = [*lines("item", SEATS, "{}, wins %".format, quantity="seat-wins", setup="draft", show=shown),
               Line("first above last, VP", {**spread, "setup": "draft"}),
               Line("the same with line-ups", {**spread, "setup": "lineup"})]  # fmt: skip
    yield Grid("play", lines("play", names, "{}, draft".format), columns, {"players": PLAYERS, "tower": HOME.tower})


def rows_of_shares(figures: Figures, design: Plays) -> Iterator[Line]:
    """One factor changed at a time, the baseline first, and the extremes over all cells."""
    policies, cells = {play.name: play.policy for play in design.plays}, wins(figures, SHOWN)
    for cell in sorted(cells, key=lambda each: each != HOME):
        if cell.play == HOME.play:
            yield Line("baseline" if cell == HOME else f"tower `{cell.tower}`", {"cell": cell})
        elif cell.tower == HOME.tower:
            yield Line(f"{cell.play} play ({named(policies[cell.play])})", {"cell": cell})
    for name, largest in (("lowest", False), ("highest", True)):
        texts = [extreme_of(figures, letter, largest=largest) for letter in LETTERS]
        yield Line(f"{name} of {len(cells)} cells", texts=texts)


def extreme_of(figures: Figures, letter: str, *, largest: bool) -> str:
    """The lowest or the largest share of a line-up in any cell."""
    arms = wins(figures, letter)
    return extreme(arms, sure_of(list(arms.values())), 1, largest=largest, top=ALL)


def baseline(figures: Figures) -> tuple[str, str]:
    """The games of the baseline cell, and what all of them have."""
    table, games = load_experiment(EXPERIMENT), figures.of("headline", SHOWN, **AT_HOME).n * len(ARRANGEMENTS)
    facts = f"{table.players} players, policy {table.policies[0]}, tower {table.tower}, seed {table.seed}"
    return f"{games:,} games", facts


def games_played(figures: Figures, design: Plays) -> str:
    """What was played, and what the intervals mean."""
    shares, spreads = wins(figures, SHOWN), figures.cells("first-above-last", players=PLAYERS)
    sure, fewest = sure_of(list(shares.values())), min(share.n for cell, share in shares.items() if cell != HOME)
    drafted = sum(spread.n for cell, spread in spreads.items() if cell.setup == "draft")
    games = sum(share.n for share in shares.values()) * len(ARRANGEMENTS) + drafted
    return (
        f"{', '.join(baseline(figures))}, engine version {figures.engine}; the fair share is {FAIR:.0f} %. "
        f"{len(shares) - 1} more cells have {fewest * len(ARRANGEMENTS):,} games each, and with the drafts there are "
        f"{games:,}. Plays: {plays_in_words(design.plays)}. The intervals of a table hold simultaneously with "
        f"{sure.level:.0%}.{few(sure, fewest, 'blocks per cell')}"
    )


def seats_words(figures: Figures) -> str:
    """Whether a line-up's wins depend on where it sits, in two sentences."""
    ways = combinations(map("".join, ARRANGEMENTS), 2)
    gaps = [(figures.of("difference-by-arrangement", f"{letter} {one} less {other}", **AT_HOME), letter, one, other)
            for letter, (one, other) in product(LETTERS, ways)]  # fmt: skip
    gap, letter, *both = max(gaps, key=lambda each: abs(each[0].value))
    high, low = both if gap.value >= 0 else reversed(both)
    joint, test = "cannot be made with so few blocks", "test-of-arrangements"
    if figures.cells(test, "p", players=PLAYERS):
        t_squared, f, first, second, p = (figures.of(test, name, **AT_HOME).value for name in TESTED)
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
    upper, lower = ", ".join(baseline(figures)), "bots (columns) by tower (rows)"
    title = f"Wins of the four printed line-ups\nUpper panels: {upper}. Lower panels: {lower}"
    result.suptitle(title, x=0.01, ha="left", fontsize=10)
    halves: Any = result.subfigures(2, 1, height_ratios=(3.9, 3.7))
    left, right = halves[0].subplots(1, 2, width_ratios=(5, 6))
    shares = [(letter, figures.of("headline", letter, **AT_HOME)) for letter in LETTERS]
    frame = pl.DataFrame([{"group": letter, "mean": share.value / 100, "low": share.ends and share.low / 100,
                           "high": share.ends and share.high / 100} for letter, share in shares])  # fmt: skip
    shares_by_group(frame, 0.25, "line-up", left).set_title("Who wins")
    points = [
        {"player": letter, "year": year, "source": source,
         "vp": figures.of("points-by-source", f"{letter} {source}", moment=f"winter {year}", **AT_HOME).value}
        for letter, year, source in product(LETTERS, (1, 2), SOURCES)
    ]  # fmt: skip
    points_by_source(pl.DataFrame(points), right).set_title("Where the points come from")
    maps = {f"line-up {SHOWN}": wins(figures, SHOWN), AHEAD: figures.cells(CLAIM, AHEAD, players=PLAYERS)}
    for axes, (name, arms) in zip(halves[1].subplots(1, 2, sharey=True), maps.items(), strict=True):
        values = np.full((len(TOWERS), len(design.plays)), np.nan)  # coloured by these; not every cell is played
        for (y, tower), (x, play) in product(enumerate(TOWERS), enumerate(design.plays)):
            if (each := arms.get(Cell(play.name, tower, "lineup"))) is not None:
                values[y, x] = each.value - each.null
                axes.annotate(number(each.value, 0), (x, y), ha="center", va="center", fontsize=8.5)
        far = max(1.0, float(np.nanmax(np.abs(values))))
        axes.imshow(values, cmap=DIVERGING, vmin=-far, vmax=far, aspect="auto")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title(f"{name}, % of wins")
        axes.set_xticks(range(len(design.plays)), [play.name.replace(" ", "\n") for play in design.plays])
        axes.set_yticks(range(len(TOWERS)), list(TOWERS))
    return result


STUDY = Study(
    __file__, __doc__, design, identity, play, finding=finding, first=first, tables=tables, picture=picture,
    quantities=QUANTITIES, options=(STRONG, SECOND),
    judged=(Judged(CLAIMS, claim_outcomes, setups=("lineup",), units=UNITS),),
    games="blocks per cell, of 8 games each, instead of the study's", quick=Choices(games=64), colours=256,
    sample=Choices(games=200),
)  # fmt: skip
