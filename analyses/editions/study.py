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
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import number
from wallsim.rules.ruleset import SWITCHES
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.grids import Grid, Line, estimate, lines, of_scope, sure_of, texts_of
from wallsim.studies.outcomes import LEADER, OUTCOMES, POINTS, SPREAD
from wallsim.studies.quantities import Key, Quantity, Value, add_values
from wallsim.studies.scope import CASUAL_TABLE, THREE_TABLES, Scope
from wallsim.studies.study import Page, Study
from wallsim.studies.table_captions import few, scope_words, under

from . import estimates
from .estimates import CHANGED, EXPANDED, LIMITS, PLAYERS, Variant, cells_for, plays_of, side, variants
from .picture import switches_at_a_glance

# Settings by the marks of their switches, as a player would say them.
WORDS = {"": "the first edition", **{switch.mark: switch.other for switch in SWITCHES}}
SHORT = {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins"}
CHANGE = estimate(2, "+")
Sides = Mapping[str, Mapping[Cell, Mapping[str, str]]]  # `small`, `moves` or `open` by variant, cell and outcome


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
    Quantity(name, words_of, unit_of, null=0, together=(), shown=shown)
    for name, shown in {
        "change": "tables", "headline": "tables: the first edition", "games": "picture, tables: least and most",
        "verdict": "first screen: the settings that matter, tables: how many", "by-cell": "",
        "points-by-play": "picture", "seat": "tables",
    }.items()
)  # fmt: skip


def verdict_of(figures: Figures, variant: Variant, outcome: str, cell: Cell) -> Figure:
    """The change of an outcome by which a variant is judged in a cell."""
    return figures.of("verdict", f"{variant.name} {outcome}", players=PLAYERS, cell=cell)


def sides_of(figures: Figures, scope: Scope) -> Sides:
    """Whether each outcome moves under each variant, in all of its cells."""
    return {
        variant.name: {
            cell: {each: side(verdict_of(figures, variant, each, cell), limit) for each, limit in LIMITS.items()}
            for cell in cells_for(scope, variant)
        }
        for variant in variants()
    }


def starred(variant: Variant) -> str:
    """A star after the name of a variant that is judged with all expansions."""
    return " *" if variant.base == EXPANDED else ""


def in_cell(sides: Mapping[str, str]) -> str:
    """Whether anything moves in a cell: `moves`, `open` if that is not known, or `small`."""
    return next((each for each in ("moves", "open") if each in sides.values()), "small")


def counts_of(sides: Sides, variant: Variant) -> Counter[str]:
    """In how many cells a variant moves some outcome, none for sure, and none as far as is known."""
    return Counter(map(in_cell, sides[variant.name].values()))


def is_idle(sides: Sides, variant: Variant) -> bool:
    """Whether a variant is known not to matter in any cell."""
    return set(counts_of(sides, variant)) == {"small"}


def finding_of(figures: Figures, sides: Sides) -> Finding:
    """How many of the rules that the books leave open matter, everywhere and at both tables."""
    switches = [variant for variant in variants() if variant.mark]
    never = sum(is_idle(sides, variant) for variant in switches)
    doubtful = sum(counts_of(sides, variant)["open"] > 0 for variant in switches)
    return Finding(
        f"{never} of {len(switches)} rules that the rulebooks leave open do not matter in any kind of play",
        _sentence(figures, sides, switches, THREE_TABLES[:1]),
        _sentence(figures, sides, switches, THREE_TABLES[1:]),
        f"In some cell it is not known whether {doubtful} of these rules matter."
        if doubtful
        else "Nothing is open: each rule is known to matter or not in every cell.",
        "For each open rule, the games that its other setting changes, and the change of a seat's points in each kind "
        "of play",
    )


def _sentence(figures: Figures, sides: Sides, switches: Sequence[Variant], tables: Sequence[Cell]) -> str:
    """How many rules matter at some tables, and which of them moves points most."""
    changes, moving = {}, 0
    for variant in switches:
        if there := [cell for cell in tables if cell in sides[variant.name]]:
            changes[variant.mark] = [verdict_of(figures, variant, POINTS, cell) for cell in there]
            moving += all(in_cell(sides[variant.name][cell]) == "moves" for cell in there)
    most = max(changes, key=lambda mark: fmean(abs(each.value) for each in changes[mark]))
    matter = f"{moving} of them matter{'s' if moving == 1 else ''}{' in every strong line' if len(tables) > 1 else ''}"
    return f"{matter}; most points move with {WORDS[most]}: {' and '.join(map(CHANGE, changes[most]))} VP a seat."


def first(figures: Figures, sides: Sides) -> Grid:
    """The settings that may matter, those first that move points most: the change of points at both tables."""
    mattering = [variant for variant in variants() if not is_idle(sides, variant)]

    def size(variant: Variant) -> float:
        there = [cell for cell in THREE_TABLES if cell in sides[variant.name]]
        return max((abs(verdict_of(figures, variant, POINTS, cell).value) for cell in there), default=0.0)

    sure = _sure(figures)
    shown = sorted(mattering, key=size, reverse=True)[:MOST_ROWS]
    note = "No other setting matters in any cell."
    if len(mattering) > MOST_ROWS:
        note = "Other settings move points less; all of them are on the page of all tables."
    counts = [counts_of(sides, variant) for variant in shown]
    return Grid(
        "setting",
        [Line(f"{each.mark} {WORDS[each.mark]}{starred(each)}".strip(), {"item": f"{each.name} {POINTS}"})
         for each in shown],
        (Line("casual table, VP", {"cell": CASUAL_TABLE}),
         *lines("cell", THREE_TABLES[1:], lambda cell: f"{cell.play}, draft, VP"),
         Line("matters in cells", texts=[f"{each['moves']} of {each.total()}" for each in counts])),
        {"quantity": "verdict", "players": PLAYERS}, CHANGE,
        f"Change of a seat's points, tower {CASUAL_TABLE.tower}; {sure.n_comparisons:,} simultaneous {LEVEL:.0%} "
        "intervals. A setting matters in a cell where it moves points, their spread or the wins of year one's leader. "
        f"{note} * with all expansions, where one line of strong play is tuned.",
        gaps=True,
    )  # fmt: skip


def tables(figures: Figures, scope: Scope, sides: Sides) -> Iterator[Grid | str]:
    """What the settings change in the shown cells, the wins of every seat, and the verdicts over all cells."""
    every, sure = variants(), _sure(figures)
    yield scope_words(scope, STUDY.experiment(), len(every) + len({variant.base for variant in every}))
    yield idle_words(figures, scope, sides)
    homes = [cells_for(scope, variant)[0] for variant in every]
    rows = [Line(f"`{each.name}`", {"item": each.name, "cell": home}) for each, home in zip(every, homes, strict=True)]
    where = [each.base + (", draft" if home.setup == "draft" else "") for each, home in zip(every, homes, strict=True)]
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
    shares = [_values(figures, "games", each, CHANGED) for each in every]
    limits = ", ".join(f"{limit:g} in {outcome}" for outcome, limit in LIMITS.items())
    yield Grid(
        "changed", [Line(each.head) for each in rows],
        (Line("compared in", texts=[each.base for each in every]),
         Line("cells", texts=[str(len(each)) for each in shares]),
         Line("plays", texts=[str(len(scope.plays if scope.quick else plays_of(each.base))) for each in every]),
         Line(CHANGED, texts=[f"{number(min(each), 1)} to {number(max(each), 1)}" for each in shares]),
         Line("verdict", texts=[verdict(sides[each.name]) for each in every])),
        under=f"A setting does not matter in a cell where the interval of each change lies within {limits}; it "
        f"moves an outcome where the interval excludes 0 and reaches beyond. At least {scope.others:,} blocks a "
        f"cell, {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few(sure, scope.others)}",
    )  # fmt: skip


def verdict(cells: Mapping[Cell, Mapping[str, str]]) -> str:
    """Whether a variant matters: within the limits in all cells, or in how many of them each outcome moves."""
    counts = {short: Counter(each[outcome] for each in cells.values()) for outcome, short in SHORT.items()}
    moved, unknown = (
        ", ".join(f"{short} in {count[key]}" for short, count in counts.items() if count[key])
        for key in ("moves", "open")
    )
    parts = [f"moves {moved} of {len(cells)} cells"] if moved else []
    parts += [f"not known: {unknown}{'' if moved else f' of {len(cells)} cells'}"] if unknown else []
    return "; ".join(parts) or "does not matter"


def idle_words(figures: Figures, scope: Scope, sides: Sides) -> str:
    """Which switches do not matter, and what the first edition changes."""
    idle = [each for each in variants() if each.mark and is_idle(sides, each)]
    named = [f"`{each.name}`{starred(each)}" for each in idle]
    edition = next(variant for variant in variants() if not variant.mark)
    points, spread, leader = (
        CHANGE(figures.of("headline", f"{edition.name} {each}", players=PLAYERS, cell=cells_for(scope, edition)[0]))
        for each in (POINTS, SPREAD, LEADER)
    )
    each = _values(figures, "verdict", edition, POINTS)
    return (
        f"In no cell do these settings matter for a seat's points, their spread and the wins of year one's leader: "
        f"{', '.join(named) or 'none'} (* judged with expansions, by one line of strong play). The first edition "
        f"against the second brings {points} VP a seat, between {number(min(each), 1, '+')} and "
        f"{number(max(each), 1, '+')} over all cells, {spread} in spread and {leader} percentage points in the wins "
        "of year one's leader."
    )


def _sure(figures: Figures) -> Confidence:
    """The confidence of the intervals behind the verdicts."""
    return sure_of(figures.all_of("verdict", f"{variants()[0].name} {POINTS}", players=PLAYERS))


def _values(figures: Figures, quantity: str, variant: Variant, outcome: str) -> list[float]:
    return [each.value for each in figures.cells(quantity, f"{variant.name} {outcome}", players=PLAYERS).values()]


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the settings that matter most, and all tables."""
    sides = sides_of(figures, scope)
    finding = None if scope.quick else finding_of(figures, sides)
    return Page(finding, first(figures, sides).text(figures), texts_of(figures, tables(figures, scope, sides)))


def picture(figures: Figures, scope: Scope) -> Picture:
    """For every variant the games that change, and the change of a seat's points in every play."""
    changed, points = {}, {}
    for variant in variants():
        name = f"{variant.name}{starred(variant)}"
        shares = figures.cells("games", f"{variant.name} {CHANGED}", players=PLAYERS)
        shown = figures.cells("points-by-play", f"{variant.name} {POINTS}", players=PLAYERS)
        changed[name] = {cell.play: shares[cell].value for cell in shown}
        points[name] = {cell.play: each for cell, each in shown.items()}
    title = "Games that each setting changes, and what it does to a seat's points\n"
    title += f"Tower {STUDY.experiment().tower}, line-ups, and for A3 the draft; * with all expansions; simultaneous "
    title += f"{LEVEL:.0%} intervals"
    return switches_at_a_glance(changed, points, [play.name for play in scope.plays], LIMITS[POINTS], title)


def figures(values: Mapping[Key, Value], rows: Rows) -> None:
    """Add every change."""
    add_values(rows, QUANTITIES, values)


STUDY = Study(
    __file__, __doc__, estimates.design, estimates.identity, estimates.play, figures, page, picture,
    quantities=QUANTITIES,
)  # fmt: skip
