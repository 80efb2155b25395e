"""Editions: what do the first edition and each switch of the rules change?

Method. Every other setting of a switch is played on the same games as the default, and each game is compared with
itself: whether anything in its rows differs, and by how much points, their spread, the margin, the wins of year one's
leader and the wins by seat change. Switches of the leaders and the food track are played with all expansions, those of
the first edition in that edition, and who drafts first in a draft. A block is 24 games in a row, the unit of all
errors. A cell is a play, a tower calibration and a set-up; the baseline, that of `experiment.toml`, has most blocks. A
switch does not matter in a cell where the intervals of its changes lie within LIMITS, which were set before any game of
this seed; the intervals of all switches, cells and outcomes hold simultaneously. With expansions there is one line of
strong play. With --quick there are few cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.report.figures.forest import MARKS, forest, places
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import number
from wallsim.rules.ruleset import SWITCHES
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.grids import Grid, Line, estimate, lines, of_scope, sure_of, texts_of
from wallsim.studies.outcomes import LEADER, OUTCOMES, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity, add_values
from wallsim.studies.scope import CASUAL_TABLE, THREE_TABLES, Scope
from wallsim.studies.study import Page, Study
from wallsim.studies.table_captions import few, scope_words, under

from . import estimates
from .estimates import CHANGED, LIMITS, PLAYERS, Variant, in_cells, plays_of, side, variants

# Settings by the marks of their switches, as a player would say them.
WORDS = {"": "the first edition", **{switch.mark: switch.other for switch in SWITCHES}}
SHORT = {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins"}
CHANGE = estimate(2, "+")
_LEAST = 0.01  # per cent; a share of 0 is drawn at the left edge of the logarithmic axis


def words_of(key: Key) -> str:
    """What a figure is: the games that change, or which outcome changes, by which variant of which base."""
    variant = next(each for each in variants() if key.item.startswith(f"{each.name} "))
    outcome = key.item.removeprefix(f"{variant.name} ").removesuffix(", % points")
    what = f"change of the {'wins of ' if key.quantity == 'seat' else ''}{outcome}"
    return f"{'games that change' if outcome == CHANGED else what}: {variant.name} against {variant.base}"


def unit_of(key: Key) -> str:
    """The unit of a figure's outcome."""
    if key.item.endswith(CHANGED):
        return "%"
    return "% points" if key.quantity == "seat" or key.item.endswith(LEADER) else "VP"


QUANTITIES = tuple(
    Quantity(name, words_of, unit_of, null=0, together=(), shown=shown,
             hides=lambda row: row.id.startswith("editions.headline.4p.A") and "-VP-of-a-seat/" not in row.id)
    for name, shown in {
        "change": "tables", "headline": "tables: the first edition; notebook: points",
        "games": "picture, tables: least and most",
        "verdict": "first screen: the settings that matter, tables: how many", "by-cell": "",
        "points-by-play": "picture", "seat": "tables",
    }.items()
)  # fmt: skip


class Verdict(NamedTuple):
    """A variant with the changes of points by cell; and whether each outcome, and anything in a cell (`kinds`), moves.

    That is `moves`, `open` where it is not known, or `small`.
    """

    variant: Variant
    points: Mapping[Cell, Figure]
    sides: Mapping[str, Mapping[Cell, str]]
    kinds: Mapping[Cell, str]

    @property
    def is_idle(self) -> bool:
        """Whether the variant is known not to matter in any cell."""
        return set(self.kinds.values()) == {"small"}


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the settings that matter most, and all tables."""
    verdicts = [verdict_on(variant, figures) for variant in variants()]
    finding = None if scope.quick else finding_of(verdicts)
    return Page(finding, first(verdicts).text(figures), texts_of(figures, tables(figures, scope, verdicts)))


def verdict_on(variant: Variant, figures: Figures) -> Verdict:
    """Whether and where a variant matters."""
    changes = {each: figures.cells("verdict", f"{variant.name} {each}", players=PLAYERS) for each in LIMITS}
    sides = {each: {cell: side(figure, LIMITS[each]) for cell, figure in found.items()}
             for each, found in changes.items()}  # fmt: skip
    kinds = {cell: next(kind for kind in ("moves", "open", "small") if kind in {each[cell] for each in sides.values()})
             for cell in changes[POINTS]}  # fmt: skip
    return Verdict(variant, changes[POINTS], sides, kinds)


def finding_of(verdicts: Sequence[Verdict]) -> Finding:
    """How many of the rules that the books leave open matter, everywhere and at both tables."""
    switches = [each for each in verdicts if each.variant.mark]
    never = sum(each.is_idle for each in switches)
    doubtful = sum("open" in each.kinds.values() for each in switches)
    return Finding(
        f"{never} of {len(switches)} rules that the rulebooks leave open do not matter in any kind of play",
        _sentence(switches, THREE_TABLES[:1]),
        _sentence(switches, THREE_TABLES[1:]),
        f"In some cell it is not known whether {doubtful} of these rules matter."
        if doubtful
        else "Nothing is open: each rule is known to matter or not in every cell.",
        "For each open rule, the games that its other setting changes, and the change of a seat's points in each kind "
        "of play",
    )


def _sentence(switches: Sequence[Verdict], tables: Sequence[Cell]) -> str:
    """How many rules matter at some tables, and which of them moves points most."""
    changes, moving = {}, 0
    for verdict in switches:
        if there := [cell for cell in tables if cell in verdict.kinds]:
            changes[verdict.variant.mark] = [verdict.points[cell] for cell in there]
            moving += all(verdict.kinds[cell] == "moves" for cell in there)
    most = max(changes, key=lambda mark: fmean(abs(each.value) for each in changes[mark]))
    matter = f"{moving} of them matter{'s' if moving == 1 else ''}{' in every strong line' if len(tables) > 1 else ''}"
    return f"{matter}; most points move with {WORDS[most]}: {' and '.join(map(CHANGE, changes[most]))} VP a seat."


def first(verdicts: Sequence[Verdict]) -> Grid:
    """The settings that may matter, those first that move points most: the change of points at both tables."""
    mattering = [each for each in verdicts if not each.is_idle]

    def size(verdict: Verdict) -> float:
        return max((abs(each.value) for cell, each in verdict.points.items() if cell in THREE_TABLES), default=0.0)

    shown = sorted(mattering, key=size, reverse=True)[:MOST_ROWS]
    family = next(iter(verdicts[0].points.values())).family
    moving = [f"{[*each.kinds.values()].count('moves')} of {len(each.kinds)}" for each in shown]
    note = "No other setting matters in any cell."
    if len(mattering) > MOST_ROWS:
        note = "Other settings move points less; all of them are on the page of all tables."
    return Grid(
        "setting",
        [Line(f"{each.mark} {WORDS[each.mark]}{each.star}".strip(), {"item": f"{each.name} {POINTS}"})
         for each, *_ in shown],
        (Line("casual table, VP", {"cell": CASUAL_TABLE}),
         *lines("cell", THREE_TABLES[1:], lambda cell: f"{cell.play}, draft, VP"),
         Line("matters in cells", texts=moving)),
        {"quantity": "verdict", "players": PLAYERS}, CHANGE,
        f"Change of a seat's points, tower {CASUAL_TABLE.tower}; {family:,} simultaneous "
        f"{LEVEL:.0%} intervals. A setting matters in a cell where it moves points, their spread or the wins of year "
        f"one's leader. {note} * with all expansions, where one line of strong play is tuned.",
        gaps=True,
    )  # fmt: skip


def tables(figures: Figures, scope: Scope, verdicts: Sequence[Verdict]) -> Iterator[Grid | str]:
    """What the settings change in the shown cells, the wins of every seat, and the verdicts over all cells."""
    every, sure = variants(), sure_of(list(verdicts[0].points.values()))
    yield scope_words(scope, STUDY.experiment(), len(every) + len(estimates.BASES))
    yield idle_words(figures, verdicts)
    rows = [Line(f"`{each.variant.name}`", {"item": each.variant.name, "cell": next(iter(each.kinds))})
            for each in verdicts]  # fmt: skip
    where = [each.base + ("" if each.cells(scope)[0] == scope.baseline_cell() else ", draft") for each in every]
    note = " Shown is strong play with line-ups; who drafts first is shown in the draft."
    yield Grid(
        "changed", rows,
        (Line("compared in", texts=where), Line(CHANGED, {"item": CHANGED}, estimate(1, top=100)),
         *lines("item", OUTCOMES)),
        {"quantity": "change", "players": PLAYERS}, CHANGE,
        lambda used: under(scope, sure_of(used), [each for each in used if each.unit != "%"]) + note,
    )  # fmt: skip
    seats = [Line(f"seat {seat}, line-up {letter}", {"item": f"seat {seat}"}) for seat, letter in enumerate("ABCD")]
    yield Grid("wins, % points", rows, seats, {"quantity": "seat", "players": PLAYERS}, CHANGE,
               of_scope(scope, pairing=True))  # fmt: skip
    shares = [[figure.value for figure in figures.all_of("games", f"{each.name} {CHANGED}", players=PLAYERS)]
              for each in every]  # fmt: skip
    limits = ", ".join(f"{limit:g} in {outcome}" for outcome, limit in LIMITS.items())
    yield Grid(
        "changed", [Line(each.head) for each in rows],
        (Line("compared in", texts=[each.base for each in every]),
         Line("cells", texts=[str(len(each)) for each in shares]),
         Line("plays", texts=[str(len(scope.plays if scope.quick else plays_of(each.base))) for each in every]),
         Line(CHANGED, texts=[f"{number(min(each), 1)} to {number(max(each), 1)}" for each in shares]),
         Line("verdict", texts=list(map(in_words, verdicts)))),
        under=f"A setting does not matter in a cell where the interval of each change lies within {limits}; it "
        f"moves an outcome where the interval excludes 0 and reaches beyond. At least {scope.others:,} blocks a "
        f"cell, {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few(sure, scope.others)}",
    )  # fmt: skip


def in_words(verdict: Verdict) -> str:
    """Whether a variant matters: within the limits in all cells, or in how many of them each outcome moves."""
    moved, unknown = in_cells({SHORT[each]: by_cell.values() for each, by_cell in verdict.sides.items()})
    cells = f" of {len(verdict.kinds)} cells"
    parts = [f"moves {moved}{cells}"] if moved else []
    parts += [f"not known: {unknown}{'' if moved else cells}"] if unknown else []
    return "; ".join(parts) or "does not matter"


def idle_words(figures: Figures, verdicts: Sequence[Verdict]) -> str:
    """Which switches do not matter, and what the first edition changes."""
    edition, *switches = verdicts
    idle = [f"`{each.variant.name}`{each.variant.star}" for each in switches if each.is_idle]
    shown = [figures.of("headline", f"{edition.variant.name} {each}", players=PLAYERS, cell=next(iter(edition.kinds)))
             for each in LIMITS]  # fmt: skip
    points, spread, leader = map(CHANGE, shown)
    each = [figure.value for figure in edition.points.values()]
    return (
        f"In no cell do these settings matter for a seat's points, their spread and the wins of year one's leader: "
        f"{', '.join(idle) or 'none'} (* judged with expansions, by one line of strong play). The first edition "
        f"against the second brings {points} VP a seat, between {number(min(each), 1, '+')} and "
        f"{number(max(each), 1, '+')} over all cells, {spread} in spread and {leader} percentage points in the wins "
        "of year one's leader."
    )


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A row a setting: left the games that change, in per cent, right the change of a seat's points, a mark a play.

    The band on the right is the limit within which a change does not matter.
    """
    changed, points, plays = [], {}, [play.name for play in scope.plays]
    for variant in variants():
        shares = figures.cells("games", f"{variant.name} {CHANGED}", players=PLAYERS)
        shown = figures.cells("points-by-play", f"{variant.name} {POINTS}", players=PLAYERS)
        changed.append({cell.play: shares[cell].value for cell in shown})
        points[f"{variant.name}{variant.star}"] = {cell.play: each for cell, each in shown.items()}
    drawn, (left, right) = plt.subplots(1, 2, figsize=(10.4, 0.36 * len(points) + 1.9), sharey=True)
    title = "Games that each setting changes, and what it does to a seat's points\n"
    title += f"Tower {scope.baseline_cell().tower}, line-ups, and for A3 the draft; * with all expansions; simultaneous"
    drawn.suptitle(f"{title} {LEVEL:.0%} intervals", x=0.01, ha="left", fontsize=9)
    right.axvspan(-LIMITS[POINTS], LIMITS[POINTS], color=FAINT, alpha=0.25, linewidth=0)
    forest(right, points, plays)
    right.set_xlabel("change of a seat's VP")
    for place, play in enumerate(plays):
        heights = zip(places(len(points), place, len(plays)), changed, strict=True)
        there = [(max(_LEAST, shares[play]), height) for height, shares in heights if play in shares]
        left.plot(
            *zip(*there, strict=True), marker=MARKS[place], color=COLOURS[place], linestyle="none", markersize=4.5
        )
    left.set_xscale("log")
    left.set_xlim(_LEAST * 0.8, 130)
    left.set_xticks([0.01, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
    left.set_xlabel("games that change, %")
    left.tick_params(axis="y", labelcolor=INK)
    left.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    drawn.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=len(plays))
    return drawn


STUDY = Study(
    __file__, __doc__, estimates.design, estimates.identity, estimates.play,
    lambda values, rows: add_values(rows, QUANTITIES, values), page, picture, quantities=QUANTITIES,
)  # fmt: skip
