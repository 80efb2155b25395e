"""Expansions: what do the Emperor's Court, the Landsknechte and the military leaders change?

Method. (1) All eight subsets of the three expansions are played, each on games of its own, since games with other
expansions soon share nothing. Main effects and interactions of each outcome are orthogonal contrasts of the eight, with
Student's t intervals over blocks of 24 games; they are judged in every play, tower and set-up. (2) In every subset a
ladder of policies from weak to strong and the zoo's styles play tournaments: what share of the variance of points is
skill, and which styles gain. (3) Favors, Landsknechte cards and statues are given to one seat and denied to it, by
policies that answer one question otherwise, in games with all expansions. (4) The same games are played on boards with
other figures in place of the assumed ones of the favors. Strong play is that tuned with all three expansions; lines
made without any are played beside it and are not called strong. With --quick there are few cells and games.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, sure_of, texts_of, value
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.quantities import Key, Number, Value, add_values
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope
from wallsim.studies.study import Judged, Page, Storage, Study

from ..robustness.answers import left_open
from . import effects, groups, skill
from .boards import Boards, moves, variants
from .cards import all_three, favors, landsknechte, statues, treatments
from .effects import ATTACKS, CLAIMS, COURT, LANDSKNECHTE, LEADER, LEADERS, PLAYERS, SUBSETS, UNITS, WITHOUT
from .picture import picture
from .quantities import QUANTITIES
from .skill import play_all
from .tables import tables

NAMES = {COURT: "the Emperor's Court", LANDSKNECHTE: "the Landsknechte", LEADERS: "the military leaders"}
SIGNED = estimate(2, "+")


class Measured(NamedTuple):
    """The values of the factorial and all others by key, and the outcomes of the claims by cell."""

    scope: Scope
    factorial: dict[Key, Value]
    claims: dict[Cell, dict[str, Estimate]]
    others: dict[Key, Value]


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    planned = skill.tournaments(scope.baseline_cell(), effects.most_blocks(scope))
    return {
        "games": {
            "/".join((effects.name_of(subset), *cell)): effects.with_subset(effects.experiment_of(cell), subset)
            for cell in scope.cells()
            for subset in SUBSETS
        },
        "tournaments": {
            f"{field} {effects.name_of(subset)}": {**each.identity(), "blocks": each.blocks}
            for (field, subset), each in planned.items()
        },
        "treatments": treatments(),
        "groups": groups.identity(scope),
        "blocks": [scope.baseline, scope.others],
        "favors": effects.favor_games(scope),
        "boards": {
            "favors": variants(),
            "blocks": [effects.board_blocks(scope, cell) for cell in effects.card_cells(scope)],
        },
    }


def play(scope: Scope, storage: Storage) -> Measured:
    """Play everything, and estimate what the expansions change."""
    cache, boards, workers = storage.cache, Boards(storage.folder), storage.workers
    home, cells = scope.baseline_cell(), effects.card_cells(scope)
    subsets = {
        cell: effects.play_subsets(effects.experiment_of(cell), scope.blocks(cell), cache, workers)
        for cell in scope.cells()
    }
    changed = {cell: effects.effects_of(played) for cell, played in subsets.items()}
    planned = skill.tournaments(home, effects.most_blocks(scope))
    tournaments = play_all(planned, storage.folder / "tournaments", workers)
    others: dict[Key, Value] = dict(skill.values_of(tournaments, home._replace(play="")))
    for cell in cells:
        blocks = effects.favor_games(scope) * scope.blocks(cell)
        others.update(favors(cell, blocks, cache, workers, shown=cell == home))
    for cell in cells:
        others.update(statues(cell, scope.blocks(cell), cache, workers))
    for cell in cells:
        others.update(landsknechte(cell, scope.blocks(cell), boards, cache, workers))
    for cell in cells:
        blocks = effects.board_blocks(scope, cell)
        moved = dict(moves(cell, all_three(cell), blocks, boards, cache, workers, shown=cell == home))
        court = subsets[cell][SUBSETS[-1]][POINTS] - subsets[cell][EXPANSIONS[1:]][POINTS]
        others |= {**moved, Key("court-worth", "", PLAYERS, cell): court}
        for name in variants():
            change = moved[Key("favors-varied-by-play", f"{name} {POINTS}", PLAYERS, cell)].estimate
            others[Key("court-worth-varied", name, PLAYERS, cell)] = Number(court.value + change.value)
    claims = {cell: effects.claimed(each) for cell, each in changed.items()}
    factorial = dict(effects.values_of(scope, subsets, changed))
    return Measured(scope, factorial, claims, others | dict(groups.measure(scope, storage)))


def figures(result: Measured, rows: Rows) -> None:
    """Add every figure: the factorial, the claims, and all others."""
    add_values(rows, QUANTITIES, result.factorial)
    add_claims(rows, CLAIMS, result.claims, result.scope.plays, UNITS)
    add_values(rows, QUANTITIES, result.others)


def finding_of(figures: Figures) -> Finding:
    """Which expansion moves most points, and what the others do at both tables."""
    points = {name: [figures.of("effect-by-cell", f"{name} {POINTS}", players=PLAYERS, cell=table)
                     for table in (CASUAL_TABLE, EXPERIENCED_TABLE)] for name in EXPANSIONS}  # fmt: skip
    most = max(points, key=lambda name: sum(abs(each.value) for each in points[name]))
    casual, experienced = map(value(1, "+"), points.pop(most))
    others = [" and by ".join(f"{SIGNED(each)} with {NAMES[name]}" for name, each in zip(points, at_table, strict=True))
              for at_table in zip(*points.values(), strict=True)]  # fmt: skip
    return Finding(
        f"Most points move with {NAMES[most]}: {casual} VP a seat at the casual table, {experienced} at the "
        "experienced one",
        f"A seat's points change by {others[0]}.",
        f"A seat's points change by {others[1]}.",
        picture="What each expansion and each pair of them changes in points and in their spread, in every kind of "
        "play, and what it changes in the wins of styles",
        **left_open(figures, CLAIMS),
    )


def first(figures: Figures) -> Grid:
    """The main effects on four outcomes at both tables, and by lines made without any expansion."""
    shown = {POINTS: SIGNED, SPREAD: SIGNED, LEADER: estimate(1, "+"), ATTACKS: SIGNED}
    family = sure_of(figures.all_of("effect-by-cell", f"{COURT} {POINTS}", players=PLAYERS)).n_comparisons
    return Grid(
        "expansion: outcome",
        [Line(f"{name[0].upper()}{name[1:]}: {outcome}", {"item": f"{expansion} {outcome}"}, show)
         for expansion, name in NAMES.items() for outcome, show in shown.items()],
        (Line("casual table", {"cell": CASUAL_TABLE}), Line("experienced table", {"cell": EXPERIENCED_TABLE}),
         *(Line(f"{play}, draft", {"cell": EXPERIENCED_TABLE._replace(play=play)}) for play in WITHOUT)),
        {"quantity": "effect-by-cell", "players": PLAYERS},
        under=f"The mean over the other expansions; tower {CASUAL_TABLE.tower}; for each outcome {family:,} "
        f"simultaneous {LEVEL:.0%} intervals. The experienced table is of the one line of strong play that was tuned "
        "with all three; the last columns are of strong lines that were tuned or taught without any.",
        gaps=True,
    )  # fmt: skip


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the effects at both tables, and all tables."""
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, first(figures).text(figures), texts_of(figures, tables(figures, scope)))


STUDY = Study(
    __file__, __doc__, effects.scope_of, identity, play, figures, page, picture, quantities=QUANTITIES,
    judged=(Judged(CLAIMS, effects.outcomes_by_game, games_a_row=2, plays=effects.plays_with_expansions, units=UNITS),),
)  # fmt: skip
