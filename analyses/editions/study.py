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

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell, Play
from wallsim.engine.arena import Arena
from wallsim.experiment.experiment import Experiment
from wallsim.report.figures.forest import MARKS, forest, places
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import number
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_ROWS, OVER_TOWERS, Finding, bots_of, either, moving_most
from wallsim.studies.games import Counted, Games, block_size, counted_in
from wallsim.studies.grids import Grid, Line, estimate, lines, of_scope, sure_of
from wallsim.studies.outcomes import LEADER, MARGIN, OUTCOMES, POINTS, SPREAD, change, outcomes_of, wins_of
from wallsim.studies.quantities import Key, Quantity, Value
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import CASUAL_TABLE, PLAYERS, THREE_TABLES, Blocks, Scope, plays_for, scope_for
from wallsim.studies.study import Choices, Storage, Study
from wallsim.studies.table_captions import few, scope_words, under

EXPERIMENT = Path(__file__).with_name("experiment.toml")
TAUGHT = "master-4p-bigbox"  # with all expansions
SECOND, EXPANDED, FIRST = "second edition", "all expansions", "first edition"
BASES: dict[str, dict[str, Any]] = {SECOND: {}, EXPANDED: {"expansions": "all"}, FIRST: {"edition": "1e"}}
# The bases of switches that do nothing in the second edition, by their marks.
_BASE_OF = {**dict.fromkeys(("A1", "A10", "A11", "A12"), EXPANDED), **dict.fromkeys(("A13", "A16"), FIRST)}
AT: dict[str, Any] = {"players": PLAYERS}
CHANGED = "games that change, %"
LIMITS = {POINTS: 0.25, SPREAD: 0.25, LEADER: 4.0}  # a change within them is one that does not matter
# Settings by the marks of their switches, as a player would say them.
WORDS = {"": "the first edition", **{switch.mark: switch.other for switch in SWITCHES}}
SHORT = {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins"}
CHANGE = estimate(2, "+")


class Variant(NamedTuple):
    """A setting other than the default: of a switch, or of the edition; and the base that it is compared with."""

    mark: str
    name: str  # such as `A7 combat = may`
    base: str
    changes: dict[str, Any]

    @property
    def star(self) -> str:
        """What follows the name where the variant is judged with all expansions."""
        return " *" if self.base == EXPANDED else ""

    def applies(self, cell: Cell) -> bool:
        """Whether it is judged in a cell: by the plays of its base, and who drafts first needs a draft."""
        return cell in cells_of(self.base, [cell]) and (self.mark != "A3" or cell.setup == "draft")

    def cells(self, scope: Scope) -> list[Cell]:
        """The cells in which it is played; the first is shown: the baseline, or the draft where it needs one."""
        return [cell for cell in scope.cells() if self.applies(cell)]


@cache
def variants() -> tuple[Variant, ...]:
    """The first edition, and every other setting of every switch, in the order of the switches."""
    hints, default = get_type_hints(Ruleset), Ruleset()
    result = [Variant("", FIRST, SECOND, {"edition": "1e"})]
    for switch in SWITCHES:
        base = _BASE_OF.get(switch.mark, SECOND)
        settings = [value for value in get_args(hints[switch.field]) if value != getattr(default, switch.field)]
        for value in settings or [160]:  # Thalers in the box [A2]
            changes = {**BASES[base], "rules": {switch.field: value}}
            result.append(Variant(switch.mark, f"{switch.mark} {switch.field} = {value}", base, changes))
    return tuple(result)


def plays_of(base: str) -> tuple[Play, ...]:
    """The plays in which variants of a base are judged; with expansions there is one line of strong play."""
    *others, first, second = plays_for(PLAYERS)
    taught = first._replace(policy=TAUGHT)
    return (*others, taught) if base == EXPANDED else (*others, first, second)


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each ruleset in the baseline cell."""
    return scope_for(EXPERIMENT, Blocks(others=256, quick=310, quick_others=300), choices.games, choices.quick)


def cells_of(base: str, cells: Iterable[Cell]) -> list[Cell]:
    """Those of some cells in which a base is played."""
    return [cell for cell in cells if cell.play in {play.name for play in plays_of(base)}]


def experiments_of(cell: Cell, base: str) -> dict[str, Experiment]:
    """The experiments of a base (under its own name) and of its variants in a cell."""
    rules = {each.name: each.changes for each in variants() if each.base == base and each.applies(cell)}
    return {name: experiment_of(EXPERIMENT, cell, plays=plays_of(base), **each)
            for name, each in ({base: BASES[base]} | rules).items()}  # fmt: skip


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments = {"/".join((base, *cell)): list(experiments_of(cell, base).values())
                   for base in BASES for cell in cells_of(base, scope.cells())}  # fmt: skip
    return {"experiments": experiments, "blocks": [scope.baseline, scope.others]}


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play every ruleset on the same games of every cell: what each changes, and in which games anything."""
    played = {(base, cell): play_group(cell, base, scope.blocks(cell), storage)
              for base in BASES for cell in cells_of(base, scope.cells())}  # fmt: skip
    seats = {f"seat {seat}": wins_of(seat) for seat in range(PLAYERS)}
    values: dict[Key, Value] = {}
    for variant in variants():
        shown, *_ = cells = variant.cells(scope)
        for cell in cells:
            group = played[variant.base, cell]
            published = {"games": [CHANGED], "verdict": [*LIMITS], "by-cell": [MARGIN]}
            if cell[1:] == shown[1:]:
                published["points-by-play"] = [POINTS]
            if cell == shown:
                published |= {"change": [CHANGED, *OUTCOMES], "headline": [*OUTCOMES], "seat": [*seats]}
            for quantity, outcome in [(name, each) for name, every in published.items() for each in every]:
                counted = seats.get(outcome, outcome)
                after = group[f"{variant.name}: {counted}"]
                before = group.get(f"{variant.base}: {counted}", np.zeros(len(after)))  # none of its games change
                key = Key(quantity, f"{variant.name} {outcome}", PLAYERS, cell)
                values[key] = change(before[:, None], after[:, None])
    return values


def play_group(cell: Cell, base: str, blocks: int, storage: Storage) -> Counted:
    """The outcomes of a base and of its variants in a cell, float64 [blocks]; named `second edition: VP of a seat`."""
    experiments = experiments_of(cell, base)

    def play(_: object) -> Counted:
        arenas = {name: each.arena() for name, each in experiments.items()}
        return counted_in(arenas[base], blocks, partial(_counted, arenas, base), False, storage.workers)

    return storage.cache.get("rulesets", {"experiments": list(experiments.values()), "blocks": blocks}, play)


def _counted(arenas: Mapping[str, Arena], base: str, games: Games) -> Counted:
    result: Counted = {}
    size = len(games.numbers)
    for name, arena in arenas.items():
        other = games if name == base else Games(games.first, games.players, arena.play(games.first, size))
        values = outcomes_of(other)
        if name != base:
            differ = [(getattr(games.tables, table) != getattr(other.tables, table)).reshape(size, -1)
                      for table in ("seats", "games")]  # fmt: skip
            values[CHANGED] = np.where(np.hstack(differ).any(axis=1), 100.0, 0.0)
        for outcome, each in values.items():
            result[f"{name}: {outcome}"] = each.reshape(-1, block_size(games.players)).mean(axis=1)
    return result


def side(figure: Figure, limit: float) -> str:
    """`small` for a change within a limit; `moves` for one that is neither that nor 0; else `open`.

    Where the change and its standard error are 0, no block has changed.
    """
    if figure.value == 0 and figure.error == 0:
        return "small"
    if figure.ends is not None and max(map(abs, figure.ends)) < limit:
        return "small"
    return "moves" if side_of(figure.ends) else "open"


def in_cells(sides: Mapping[str, Iterable[str]]) -> tuple[str, str]:
    """In how many cells each thing moves, such as `points in 3, their spread in 1`, and in how many it is not known."""
    counts = {name: Counter(each) for name, each in sides.items()}
    moves, unknown = (", ".join(f"{name} in {count[kind]}" for name, count in counts.items() if count[kind])
                      for kind in ("moves", "open"))  # fmt: skip
    return moves, unknown


def _words_of(key: Key) -> str:
    variant = next(each for each in variants() if key.item.startswith(f"{each.name} "))
    outcome = key.item.removeprefix(f"{variant.name} ").removesuffix(", % points")
    what = f"change of the {'wins of ' if key.quantity == 'seat' else ''}{outcome}"
    return f"{'games that change' if outcome == CHANGED else what}: {variant.name} against {variant.base}"


def _unit_of(key: Key) -> str:
    if key.item.endswith(CHANGED):
        return "%"
    return "% points" if key.quantity == "seat" or key.item.endswith(LEADER) else "VP"


QUANTITIES = tuple(
    Quantity(name, _words_of, _unit_of, null=0, together=(), shown=shown,
             hides=lambda row: row.id.startswith("editions.headline.4p.A") and "-VP-of-a-seat/" not in row.id)
    for name, shown in {
        "change": "tables", "headline": "tables: the first edition; notebook: points",
        "games": "picture, tables: least and most",
        "verdict": "first screen: the settings that matter, tables: how many", "by-cell": "",
        "points-by-play": "picture", "seat": "tables",
    }.items()
)  # fmt: skip


class Verdict(NamedTuple):
    """A variant: its changes of points by cell; for each outcome, and for all in a cell (`kinds`), what `side` says."""

    variant: Variant
    points: Mapping[Cell, Figure]
    sides: Mapping[str, Mapping[Cell, str]]
    kinds: Mapping[Cell, str]

    @property
    def is_idle(self) -> bool:
        """Whether the variant is known not to matter in any cell."""
        return set(self.kinds.values()) == {"small"}


def verdicts_on(figures: Figures) -> list[Verdict]:
    """Whether and where each variant matters; the first is the first edition."""
    verdicts = []
    for variant in variants():
        changes = {each: figures.cells("verdict", f"{variant.name} {each}", **AT) for each in LIMITS}
        sides = {each: {cell: side(figure, LIMITS[each]) for cell, figure in found.items()}
                 for each, found in changes.items()}  # fmt: skip
        kinds = {cell: min((each[cell] for each in sides.values()), key=("moves", "open", "small").index)
                 for cell in changes[POINTS]}  # fmt: skip
        verdicts.append(Verdict(variant, changes[POINTS], sides, kinds))
    return verdicts


def finding(figures: Figures, _: Scope) -> Finding:
    """How many of the rules that the books leave open matter, everywhere and at both tables."""
    switches = verdicts_on(figures)[1:]
    never = sum(each.is_idle for each in switches)
    doubtful = sum("open" in each.kinds.values() for each in switches)
    return Finding(
        f"{never} of {len(switches)} rules that the rulebooks leave open do not matter for any bots {OVER_TOWERS}",
        _sentence(switches, THREE_TABLES[:1]),
        _sentence(switches, THREE_TABLES[1:]),
        f"Whether {doubtful} of these rules matter in some setting." if doubtful else "",
        "For each open rule, the games that its other setting changes, and the change of a seat's points in each kind "
        "of play",
    )


def _sentence(switches: Sequence[Verdict], tables: Sequence[Cell]) -> str:
    changes, moving = {}, 0
    for verdict in switches:
        if there := [cell for cell in tables if cell in verdict.kinds]:
            changes[verdict.variant.mark] = [verdict.points[cell] for cell in there]
            moving += all(verdict.kinds[cell] == "moves" for cell in there)
    most, *others = moving_most(changes)
    matter = f"{moving} of them matter{'s' if moving == 1 else ''}{' for all strong bots' if len(tables) > 1 else ''}"
    values = "" if others else f": {' and '.join(map(CHANGE, changes[most]))} VP a seat"
    return f"{matter}; most points move with {either([WORDS[mark] for mark in (most, *others)], 'rules')}{values}."


def first(figures: Figures, _: Scope) -> Grid:
    """The settings that may matter, those first that move points most: the change of points at both tables."""
    verdicts = verdicts_on(figures)
    mattering = [each for each in verdicts if not each.is_idle]
    sizes = {each.name: max((abs(figure.value) for cell, figure in points.items() if cell in THREE_TABLES), default=0.0)
             for each, points, *_ in mattering}  # fmt: skip
    shown = sorted(mattering, key=lambda each: sizes[each.variant.name], reverse=True)[:MOST_ROWS]
    family = next(iter(verdicts[0].points.values())).family
    moving = [f"{list(each.kinds.values()).count('moves')} of {len(each.kinds)}" for each in shown]
    more = "Other settings move points less; all of them are on the page of all tables."
    note = more if len(mattering) > MOST_ROWS else "No other setting matters in any cell."
    return Grid(
        "setting",
        [Line(f"{each.mark} {WORDS[each.mark]}{each.star}".strip(), {"item": f"{each.name} {POINTS}"})
         for each, *_ in shown],
        (*lines("cell", THREE_TABLES, lambda cell: f"{bots_of(cell.play)}, VP"),
         Line("matters in cells", texts=moving)),
        {**AT, "quantity": "verdict"}, CHANGE,
        f"Change of a seat's points, tower {CASUAL_TABLE.tower}; {family:,} simultaneous "
        f"{LEVEL:.0%} intervals. A setting matters in a cell where it moves points, their spread or the wins of year "
        f"one's leader. {note} * with all expansions, which of strong bots only masters know.",
        gaps=True,
    )  # fmt: skip


def tables(figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """What the settings change in the shown cells, the wins of every seat, and the verdicts over all cells."""
    every, verdicts = variants(), verdicts_on(figures)
    sure = sure_of(list(verdicts[0].points.values()))
    yield scope_words(figures, scope, STUDY.experiment(), len(every) + len(BASES))
    yield _idle_words(figures, verdicts)
    rows = [Line(f"`{each.name}`", {"item": each.name, "cell": each.cells(scope)[0]}) for each in every]
    where = [each.base + ("" if each.cells(scope)[0] == scope.baseline_cell() else ", draft") for each in every]
    note = " Shown is strong play with line-ups; who drafts first is shown in the draft."
    yield Grid(
        "changed", rows,
        (Line("compared in", texts=where), Line(CHANGED, {"item": CHANGED}, estimate(1, top=100)),
         *lines("item", OUTCOMES)),
        {**AT, "quantity": "change"}, CHANGE,
        lambda used: under(scope, sure_of(used), [each for each in used if each.unit != "%"]) + note,
    )  # fmt: skip
    seats = [Line(f"seat {seat}, line-up {letter}", {"item": f"seat {seat}"}) for seat, letter in enumerate("ABCD")]
    yield Grid("wins, % points", rows, seats, {**AT, "quantity": "seat"}, CHANGE, of_scope(scope, pairing=True))
    shares = [[each.value for each in figures.all_of("games", f"{variant.name} {CHANGED}", **AT)] for variant in every]
    limits = ", ".join(f"{limit:g} in {outcome}" for outcome, limit in LIMITS.items())
    yield Grid(
        "changed", [Line(each.head) for each in rows],
        (Line("compared in", texts=[each.base for each in every]),
         Line("cells", texts=[str(len(each)) for each in shares]),
         Line("plays", texts=[str(len(scope.plays if scope.quick else plays_of(each.base))) for each in every]),
         Line(CHANGED, texts=[f"{number(min(each), 1)} to {number(max(each), 1)}" for each in shares]),
         Line("verdict", texts=list(map(_in_words, verdicts)))),
        under=f"A setting does not matter in a cell where the interval of each change lies within {limits}; it "
        f"moves an outcome where the interval excludes 0 and reaches beyond. At least {scope.others:,} blocks a "
        f"cell, {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few(sure, scope.others)}",
    )  # fmt: skip


def _in_words(verdict: Verdict) -> str:
    moved, unknown = in_cells({SHORT[each]: by_cell.values() for each, by_cell in verdict.sides.items()})
    cells = f" of {len(verdict.kinds)} cells"
    parts = [f"moves {moved}{cells}"] if moved else []
    parts += [f"not known: {unknown}{'' if moved else cells}"] if unknown else []
    return "; ".join(parts) or "does not matter"


def _idle_words(figures: Figures, verdicts: Sequence[Verdict]) -> str:
    edition, *switches = verdicts
    idle = [f"`{each.variant.name}`{each.variant.star}" for each in switches if each.is_idle]
    home = next(iter(edition.kinds))
    points, spread, leader = (CHANGE(figures.of("headline", f"{FIRST} {each}", cell=home, **AT)) for each in LIMITS)
    least, most = (number(end(each.value for each in edition.points.values()), 1, "+") for end in (min, max))
    return (
        f"In no cell do these settings matter for a seat's points, their spread and the wins of year one's leader: "
        f"{', '.join(idle) or 'none'} (* judged with expansions, by one line of strong play). The first edition "
        f"against the second brings {points} VP a seat, between {least} and {most} over all cells, {spread} in spread "
        f"and {leader} percentage points in the wins of year one's leader."
    )


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A row a setting: left the games that change, in per cent, right the change of a seat's points, a mark a play.

    The band on the right is the limit within which a change does not matter.
    """
    changed, points, plays, least = [], {}, [play.name for play in scope.plays], 0.01  # per cent, at the left edge
    for variant in variants():
        shares = figures.cells("games", f"{variant.name} {CHANGED}", **AT)
        shown = figures.cells("points-by-play", f"{variant.name} {POINTS}", **AT)
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
        there = [(max(least, shares[play]), height) for height, shares in heights if play in shares]
        left.plot(*zip(*there, strict=True), MARKS[place], color=COLOURS[place], markersize=4.5)
    left.set_xscale("log")
    left.set_xlim(least * 0.8, 130)
    left.set_xticks([0.01, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
    left.set_xlabel("games that change, %")
    left.tick_params(axis="y", labelcolor=INK)
    left.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    drawn.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=len(plays))
    return drawn


STUDY = Study(
    __file__, __doc__, design, identity, play, picture=picture, finding=finding, first=first, tables=tables,
    quantities=QUANTITIES,
)  # fmt: skip
