"""The tower: which outcomes do nine dice towers change, and which conclusions are robust to them?

Method. A block is a game number: it has the same seed, so the same cards, events and openings, under every tower and in
every arrangement of seats. Played are (1) tables of four alike: under each of nine towers casual bots and `balanced`,
as in `experiment.toml`, with line-ups, master and scholar bots in the draft; under the first tower all bots, from weak
to strong, in both set-ups; (2) for two pairs of policies the six ways to give two seats to each, so that each policy
has every seat equally often, with line-ups under every tower, in the draft under the first. A cell is a play, or a
pair, under a tower and a set-up; where only a tower is named, the outcome is that of `balanced`, or of the pair, with
line-ups. Estimates are means or ratios over blocks, with Student's t intervals from the spread of the blocks, and
differences between towers are paired by block. All intervals, of all outcomes, cells and pairs of towers, hold
simultaneously with 95 % (Bonferroni). Attacks of the first games are recast with one defender more. CLAIMS were written
down before a game of this seed was played, but after pilots with other seeds, of which those of the recasts saw all
nine towers. A claim is answered by all its cells at once, together with the claims of all studies; outcomes of a pair
of policies are about these two alone, so nothing is claimed of them. Runs lie in folders PLAY/TOWER/SETUP below the one
named and are not played again if they are there, and an interrupted study resumes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from math import isnan, nan
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D

from wallsim.analysis.claims.cells import CASUAL, MIDDLING, SETUPS, TOWERS, Cell, Play, plays_in_words
from wallsim.analysis.claims.cells import STRONG as STRONG_PLAY
from wallsim.analysis.claims.verdicts import Claim
from wallsim.markdown import markdown_table
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import NOTHING, ends, in_words, number
from wallsim.stats.intervals import LEVEL, Interval
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, estimate, sure_of, towers_by_plays
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.scope import BASELINE_TOWER as BASELINE
from wallsim.studies.scope import PLAYERS
from wallsim.studies.study import Choices, Judged, Study
from wallsim.studies.table_captions import few
from wallsim.studies.two_lines import SECOND, STRONG, Plays, design

from ..robustness.answers import claims_table
from . import played
from .played import CHANGING, LEAD, LINE_UP_A, PAIR_POINTS, PAIR_WINS, PAIRS, PLAYERS_WON, RECAST_GAIN, home

HOME = Cell(MIDDLING, BASELINE, "lineup")
TABLES = {"casual bots": (CASUAL, "lineup"), "strong bots": (STRONG_PLAY, "draft")}  # strength and set-up
# The unit and the exact meaning of every outcome.
OUTCOMES = {
    played.ATTACKS: ("per game", "attacks on players' counties, all seats"),
    PLAYERS_WON: ("% of attacks", "attacks on players that took the county"),
    played.NEUTRALS_WON: ("% of attacks", "attacks on neutral counties that took the county"),
    CHANGING: ("per game", "counties that seats lost, to attackers, by ties and in revolts"),
    LEAD: ("VP", "victory points of the first seat above the last"),
    LINE_UP_A: ("% of wins", "wins of the seat with line-up A; the fair share is 25"),
    RECAST_GAIN: ("% points", "how much more often an attacked county holds with one more defender"),
    played.GAIN_AS_MET: ("% points", "held more often where one more defended; 3-8 attackers, same mix"),
    PAIR_WINS["watchful"]: ("% of wins", "wins of the two `balanced` against two `heedless`; alike would be 50"),
    PAIR_POINTS["watchful"]: ("VP", "points of a `balanced` seat above a `heedless` one at that table"),
    PAIR_WINS["fighting"]: ("% of wins", "wins of the two `conqueror` against two `builder`; alike would be 50"),
}
UNITS = {outcome: unit for outcome, (unit, _) in OUTCOMES.items()}
TOP = {outcome: 100.0 if unit.startswith("% of ") else None for outcome, (unit, _) in OUTCOMES.items()}  # of a share
CLAIMS = (
    Claim("An attack on a player succeeds more often than not.", PLAYERS_WON, 50),
    Claim("The four seats lose more than eight counties in a game.", CHANGING, 8),
    Claim("More than ten points lie between first and last.", LEAD, 10),
    Claim("One more defender holds the county in over 5 more of 100 attacks.", RECAST_GAIN, 5),
)  # that about line-up A is one of `lineups`
# What outcomes are held against: the number of a claim, or that of no difference.
ABOVE = {**{claim.outcome: claim.above for claim in CLAIMS}, LINE_UP_A: 25.0, PAIR_POINTS["watchful"]: 0.0,
         **dict.fromkeys(PAIR_WINS.values(), 50.0)}  # fmt: skip


def less_in_words(key: Key) -> str:
    """What a difference between two towers is."""
    outcome, one, _, other = key.item.rsplit(" ", 3)
    return f"{outcome} under {one} less that under {other}, line-ups"


def unit_of(key: Key) -> str:
    """The unit of the outcome with which an item begins."""
    return next(unit for outcome, (unit, _) in OUTCOMES.items() if key.item.startswith(outcome))


# Two towers that differ in numbers and in shape, neither of them the usual one: no table compares these.
IN_NUMBERS_AND_SHAPE = re.compile(r"-(\w+)-(urn|layered)-less-(?!\1|\w+-\2)|-mid-less-rulebook-")
TOGETHER: Any = {"together": (), "family": "all"}  # one family of intervals
QUANTITIES = (
    Quantity("outcome", lambda key: f"{key.item}: {OUTCOMES[key.item][1]}", unit_of,
             lambda key: ABOVE.get(key.item, nan), **TOGETHER),
    Quantity("difference", less_in_words, unit_of, 0, **TOGETHER,
             hides=lambda row: IN_NUMBERS_AND_SHAPE.search(row.id) is not None),
    # Of line-up A as well, which no draft has.
    Quantity("draft-less-line-ups", "{item} in the draft less that with line-ups", unit_of, 0, more=1, **TOGETHER),
)  # fmt: skip


def arms_of(figures: Figures, outcome: str) -> dict[Cell, Figure]:
    """An outcome by cell."""
    return figures.cells("outcome", outcome, players=PLAYERS)


def by_tower(figures: Figures, outcome: str) -> dict[str, Figure]:
    """An outcome by tower, for middling play or for its pair, with line-ups."""
    arms = arms_of(figures, outcome)
    return {tower: arms[home(outcome, tower)] for tower in TOWERS}


def gap(figures: Figures, outcome: str, one: str, other: str) -> Figure:
    """An outcome under a tower less that under another."""
    item = f"{outcome} {one} less {other}"
    return figures.of("difference", item, players=PLAYERS, play=home(outcome).play)


def at_table(figures: Figures, outcome: str, plays: Iterable[Play], table: str) -> dict[Cell, Figure]:
    """An outcome by cell at one of both tables, under all towers; of both lines of strong play at the experienced."""
    strength, setup = TABLES[table]
    names = {play.name for play in plays if play.strength == strength}
    return {at: arm for at, arm in arms_of(figures, outcome).items() if at.play in names and at.setup == setup}


def tables(figures: Figures, design: Plays) -> Iterator[Grid | str]:
    """First the outcomes of four equal players at both tables; then what moves, the claims, and every outcome."""
    both, moves = [], []
    for outcome, (unit, _) in OUTCOMES.items():
        arms, head, top = arms_of(figures, outcome), f"{outcome}, {unit}", TOP[outcome]
        row, at_tables = [head], [at_table(figures, outcome, design.plays, table) for table in TABLES]
        for at in at_tables:
            default = " and ".join(number(arm.value, 2) for cell, arm in at.items() if cell.tower == BASELINE)
            row += [default or NOTHING, span(at.values(), 2, top)]
        both += [row] if any(at_tables) else []
        largest = (_largest_move(figures, outcome, same) for same in (1, 0))
        moves.append((head, span(by_tower(figures, outcome).values(), 2, top),
                      f"{span(arms.values(), 2, top)} ({len(arms)} cells)", *largest))  # fmt: skip
    named = (f"{table}, {what}" for table in TABLES for what in ("default tower", "all towers"))
    yield (
        f"{markdown_table(('outcome', *named), both)}\n\nMeans of tables of four equal bots. Strong bots "
        "draft: master bots, and scholar bots after them. [All tables](tower-tables.md) has each with "
        "its interval."
    )
    yield games_played(figures, design)
    yield markdown_table(("outcome", "over all towers", "over all cells", "another calibration, same model",
                          "another model, same calibration"), moves)  # fmt: skip
    yield claims_table(figures, CLAIMS, design.plays)
    shows = {outcome: estimate(2, top=top) for outcome, top in TOP.items()}
    for outcome, (unit, meaning) in OUTCOMES.items():
        rows = []
        for tower, arm in by_tower(figures, outcome).items():
            less = gap(figures, outcome, BASELINE, tower) if tower != BASELINE else None  # subtracted the other way
            words = "baseline" if less is None else in_words(-less.value, less.ends, 2, "+")
            rows.append((f"`{tower}`", f"{arm.n:,}", shows[outcome](arm), words))
        if (drafted := arms_of(figures, outcome).get(home(outcome, setup="draft"))) is not None:
            less = figures.of("draft-less-line-ups", outcome, players=PLAYERS, cell=home(outcome, setup=""))
            rows.append((f"`{BASELINE}`, draft", f"{drafted.n:,}", shows[outcome](drafted),
                         in_words(less.value, less.ends, 2, "+")))  # fmt: skip
        table = markdown_table(("tower", "blocks", outcome, f"minus `{BASELINE}`"), rows)
        yield f"**{outcome}**, {unit}: {meaning}\n\n{table}"
    for outcome, setup in product(ABOVE, SETUPS):
        if HOME._replace(setup=setup) in arms_of(figures, outcome):
            yield towers_by_plays(f"{outcome}, {OUTCOMES[outcome][0]}, {setup}", TOWERS,
                                  [play.name for play in design.plays], shows[outcome], quantity="outcome",
                                  item=outcome, players=PLAYERS, setup=setup)  # fmt: skip


def _largest_move(figures: Figures, outcome: str, same: int) -> str:
    # The largest difference between towers that have one part in common: 0 for the calibration, 1 for the model.
    pairs = [towers for towers in combinations(TOWERS, 2) if TOWERS[towers[0]][same] == TOWERS[towers[1]][same]]
    known = {towers: each for towers in pairs if not isnan((each := gap(figures, outcome, *towers)).value)}
    if not known:
        return NOTHING
    towers, largest = max(known.items(), key=lambda each: abs(each[1].value))
    high, low = towers if largest.value >= 0 else towers[::-1]
    return f"{in_words(abs(largest.value), largest.ends, 2)} (`{high}` above `{low}`)"


def span(arms: Iterable[Figure], decimals: int, top: float | None = None) -> str:
    """The least and the largest of some estimates, or a dash where none is known."""
    return ends(_range(arms), decimals, top=top)


def _range(arms: Iterable[Figure]) -> Interval | None:
    values = [arm.value for arm in arms if not isnan(arm.value)]
    return (min(values), max(values)) if values else None


def games_played(figures: Figures, design: Plays) -> str:
    """What was played, and what the intervals mean."""
    blocks = {cell: arm.n for cell, arm in arms_of(figures, CHANGING).items()}
    recast, other = arms_of(figures, RECAST_GAIN), next(cell for cell in blocks if cell.play != MIDDLING)
    pairs = len(PAIRS) * len(played.SEATINGS)
    of_pairs = (arm.n for wins in PAIR_WINS.values() for arm in arms_of(figures, wins).values())
    games = sum(blocks.values()) + sum(of_pairs) * len(played.SEATINGS)
    sure, fewest = sure_of([*recast.values()]), min(arm.n for arm in recast.values())
    return (
        f"{blocks[HOME]:,} blocks of middling play and of both pairs ({1 + pairs} games per block) with line-ups under "
        f"each of {len(TOWERS)} towers, and in the draft under `{BASELINE}`. {blocks[other]:,} of the other plays: "
        f"casual play with line-ups and strong play in the draft under every tower, all in both set-ups under "
        f"`{BASELINE}`. {games:,} games; engine version {figures.engine}. Plays: {plays_in_words(design.plays)}. "
        f"Attacks of the first {recast[HOME].n:,} blocks were recast, of the other plays {recast[other].n:,}. The ± "
        f"are half-widths of intervals that hold for all outcomes, cells and pairs of towers simultaneously with "
        f"{LEVEL:.0%}."
        f"{few(sure, fewest, 'blocks in every cell')}"
    )


def finding_of(figures: Figures, design: Plays) -> Finding | None:
    """Whether success depends on the tower, and between what ends; None with too few blocks for intervals."""
    casual, experienced = (at_table(figures, PLAYERS_WON, design.plays, table) for table in TABLES)
    lead = at_table(figures, LEAD, design.plays, "casual bots")
    if any(each.ends is None for arms in (casual, experienced, lead) for each in arms.values()):
        return None
    every, apart = {**casual, **experienced}, []
    for play in dict.fromkeys(cell.play for cell in every):  # known to differ: intervals that do not meet
        known = [arm.ends for cell, arm in every.items() if cell.play == play and arm.ends is not None]
        apart.append(max(low for low, _ in known) > min(high for _, high in known))
    depends = "may depend" if any(apart) else "is not known to depend"
    return Finding(
        f"How often an attack on an opponent succeeds {'depends' if all(apart) else depends} on the dice tower: in "
        f"{span(every.values(), 0, 100.0)} % of cases (four players)",
        f"By tower, {span(casual.values(), 0, 100.0)} % of attacks on opponents succeed, and {span(lead.values(), 0)} "
        "points lie between first and last.",
        f"By tower, {span(experienced.values(), 0, 100.0)} % of attacks of master and scholar bots who draft succeed.",
        "Which tower is most like a real one: nobody has published a series of casts.",
        "Outcomes of the game, a panel for each, under every dice tower",
    )


WIDE: Any = {"color": FAINT, "alpha": 0.35, "linewidth": 6, "solid_capstyle": "butt", "zorder": 1}


@styled
def picture(figures: Figures, design: Plays) -> Picture:
    """One panel per outcome, one row per tower: estimate and interval, a dashed line at the baseline's estimate.

    Towers are grouped and coloured by calibration and marked by model, and are hollow without an interval. A pale bar
    is the range over other play and set-ups, a dotted line the number of a claim.
    """
    groups, models = (list(dict.fromkeys(kinds)) for kinds in zip(*TOWERS.values(), strict=True))
    colours, marks = dict(zip(groups, COLOURS, strict=False)), dict(zip(models, "os^D", strict=False))
    heights = {name: place + 0.7 * groups.index(group) for place, (name, (group, _)) in enumerate(TOWERS.items())}
    result, grid = plt.subplots(3, 4, figsize=(12.8, 7.45), sharey=True)
    result.suptitle(
        f"Outcomes of the game under {len(TOWERS)} dice towers\nMiddling play and pairs with line-ups, "
        f"{arms_of(figures, CHANGING)[HOME].n:,} blocks per tower; all intervals hold simultaneously",
        x=0.01, ha="left", fontsize=10,
    )  # fmt: skip
    for axes, (outcome, (unit, _)) in zip(grid.flat, OUTCOMES.items(), strict=False):
        arms, towers = arms_of(figures, outcome), by_tower(figures, outcome)
        if not isnan(towers[BASELINE].value):
            axes.axvline(towers[BASELINE].value, color=ACCENT, linewidth=1.0, linestyle="--", zorder=1)
        for tower, arm in towers.items():
            height, colour = heights[tower], colours[TOWERS[tower][0]]
            wide = _range(each for cell, each in arms.items() if cell.tower == tower)
            if wide is not None:
                axes.plot(wide, [height] * 2, **WIDE)
            if arm.ends is not None:
                both = [[arm.value - arm.ends[0]], [arm.ends[1] - arm.value]]
                axes.errorbar(arm.value, height, xerr=both, color=colour, capsize=2, zorder=2)
            axes.plot(arm.value, height, marks[TOWERS[tower][1]], color=colour, markersize=5, zorder=3,
                      markerfacecolor="white" if arm.ends is None else colour)  # fmt: skip
        axes.set_xlabel(unit, fontsize=8.5)
        axes.tick_params(axis="y", length=0)
        axes.margins(x=0.12)
        axes.grid(True, axis="y", color=FAINT, alpha=0.25)
        axes.set_title(outcome, fontsize=9.5)
        if outcome in ABOVE:
            axes.axvline(ABOVE[outcome], color=INK, linewidth=1.0, linestyle=":", zorder=1)
    grid[0, 0].set_yticks(list(heights.values()), list(heights))
    grid[0, 0].set_ylim(max(heights.values()) + 0.6, -0.6)
    grid[-1, -1].axis("off")  # the last place has the legend
    lines = [Line2D([], [], color=colour, linewidth=3, label=name) for name, colour in colours.items()]
    lines += [Line2D([], [], color=INK, marker=m, linestyle="", markersize=5, label=name) for name, m in marks.items()]
    lines.append(Line2D([], [], color=ACCENT, linestyle="--", linewidth=1.0, label=f"value under {BASELINE}"))
    lines.append(Line2D([], [], **WIDE, label="range over play and set-ups"))
    lines.append(Line2D([], [], color=INK, linestyle=":", linewidth=1.0, label="threshold of a claim"))
    grid[-1, -1].legend(handles=lines, loc="center left")
    return result


STUDY = Study(
    __file__, __doc__, design, played.identity, played.play, finding=finding_of, tables=tables, picture=picture,
    quantities=QUANTITIES, options=(STRONG, SECOND), judged=(Judged(CLAIMS, None, units=UNITS, quantity="outcome"),),
    games="blocks instead of the experiment's games", quick=Choices(games=64),
    sample=Choices(games=64),
)  # fmt: skip
