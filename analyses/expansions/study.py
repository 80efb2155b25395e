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

from functools import partial
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.report.figures.forest import forest
from wallsim.report.figures.style import ACCENT, COLOURS, INK, styled
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.claims import add_claims
from wallsim.studies.contrasts import Played
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, lines, sure_of, texts_of, value
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.quantities import add_values
from wallsim.studies.scope import BASELINE, CASUAL_TABLE, EXPERIENCED_TABLE, Scope
from wallsim.studies.study import Judged, Page, Storage, Study

from ..robustness.answers import left_open
from . import effects, groups, skill
from .boards import Boards, variants
from .cards import favors, landsknechte, moves, statues, treatments
from .effects import ATTACKS, CLAIMS, COURT, DRAWN, LANDSKNECHTE, LEADER, LEADERS, PLAYERS, UNITS, WITHOUT
from .quantities import QUANTITIES
from .tables import tables

NAMES = {COURT: "the Emperor's Court", LANDSKNECHTE: "the Landsknechte", LEADERS: "the military leaders"}
SIGNED = estimate(2, "+")


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    planned = skill.tournaments(BASELINE, effects.most_blocks(scope))
    board_blocks = [effects.board_blocks(scope, cell) for cell in effects.card_cells(scope)]
    return {
        "games": {
            "/".join((effects.name_of(subset), *cell)): effects.with_subset(effects.experiment_of(cell), subset)
            for cell in scope.cells()
            for subset in effects.SUBSETS
        },
        "tournaments": {
            f"{field} {effects.name_of(subset)}": {**each.identity(), "blocks": each.blocks}
            for (field, subset), each in planned.items()
        },
        "treatments": treatments(),
        "groups": groups.identity(scope),
        "blocks": [scope.baseline, scope.others],
        "favors": effects.favor_games(scope),
        "boards": {"favors": variants(), "blocks": board_blocks},
    }


def play(scope: Scope, storage: Storage) -> Played:
    """Play everything, and estimate what the expansions change."""
    boards = Boards(storage.folder)
    subsets, changed = {}, {}
    for cell in scope.cells():
        played = partial(effects.play, blocks=scope.blocks(cell), storage=storage)
        subsets[cell] = effects.subsets_of(effects.experiment_of(cell), played)
        changed[cell] = effects.effects_of(subsets[cell])
    values = effects.values_of(scope, subsets, changed)
    planned = skill.tournaments(BASELINE, effects.most_blocks(scope))
    tournaments = skill.play_all(planned, storage.folder / "tournaments", storage.workers)
    values.update(skill.values_of(tournaments, BASELINE._replace(play="")))
    for cell in effects.card_cells(scope):
        blocks = scope.blocks(cell)
        values.update(favors(cell, effects.favor_games(scope) * blocks, storage))
        values.update(statues(cell, blocks, storage))
        values.update(landsknechte(cell, blocks, boards, storage))
        court = subsets[cell][EXPANSIONS][POINTS] - subsets[cell][EXPANSIONS[1:]][POINTS]
        values.update(moves(cell, effects.board_blocks(scope, cell), boards, storage, court))
    values.update(groups.measure(scope, storage))
    return Played(scope, values, {PLAYERS: {cell: effects.claimed(each) for cell, each in changed.items()}})


def figures(result: Played, rows: Rows) -> None:
    """Add every figure, and the claims in all cells."""
    add_values(rows, QUANTITIES, result.values)
    add_claims(rows, CLAIMS, result.claims[PLAYERS], result.scope.plays, UNITS)


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the effects at both tables, and all tables."""
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, first(figures).text(figures), texts_of(figures, tables(figures, scope)))


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
    made_without = [EXPERIENCED_TABLE._replace(play=play) for play in WITHOUT]
    return Grid(
        "expansion: outcome",
        [Line(f"{name[0].upper()}{name[1:]}: {outcome}", {"item": f"{expansion} {outcome}"}, show)
         for expansion, name in NAMES.items() for outcome, show in shown.items()],
        (Line("casual table", {"cell": CASUAL_TABLE}), Line("experienced table", {"cell": EXPERIENCED_TABLE}),
         *lines("cell", made_without, lambda cell: f"{cell.play}, draft")),
        {"quantity": "effect-by-cell", "players": PLAYERS},
        under=f"The mean over the other expansions; tower {CASUAL_TABLE.tower}; for each outcome {family:,} "
        f"simultaneous {LEVEL:.0%} intervals. The experienced table is of the one line of strong play that was tuned "
        "with all three; the last columns are of strong lines that were tuned or taught without any.",
        gaps=True,
    )  # fmt: skip


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A panel an outcome with a row an effect and a mark a play; at the right a row a style and a mark an expansion."""
    nowhere, plays = BASELINE._replace(play=""), [play.name for play in scope.plays]
    drawn, axes = plt.subplots(1, len(DRAWN) + 1, figsize=(3.7 * (len(DRAWN) + 1) + 0.6, 5.4))
    title = "What each expansion changes: points, their spread, and the wins of styles\n"
    title += f"Tower {nowhere.tower}, line-ups; strong: tuned with all three; {LEVEL:.0%} intervals, simultaneous for "
    drawn.suptitle(f"{title}effects and for styles", x=0.01, ha="left", fontsize=9)
    for number, outcome in enumerate(DRAWN):
        rows = {name: {cell.play: figures.of("picture", f"{name} {outcome}", players=PLAYERS, cell=cell)
                       for cell in effects.plays_cells(scope)}
                for name in map(effects.name_of_effect, effects.EFFECTS)}  # fmt: skip
        forest(axes[number], rows, plays)
        axes[number].set_xlabel(f"effect on {outcome}")
        axes[number].tick_params(labelleft=number == 0)
    styles = {style: {name: figures.of("picture-of-wins", f"{skill.ZOO} {style} {name}", players=PLAYERS, cell=nowhere)
                      for name in EXPANSIONS} for style in skill.FIELDS[skill.ZOO]}  # fmt: skip
    forest(axes[-1], styles, EXPANSIONS, (COLOURS[9], ACCENT, INK))  # unlike those of the plays
    axes[-1].set_xlabel("effect on wins of a style, % points")
    drawn.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=len(plays))
    axes[-1].legend(
        loc="lower right", bbox_to_anchor=(1.02, 1.0), ncols=3, columnspacing=0.8, handletextpad=0.2, borderaxespad=0.0
    )
    return drawn


STUDY = Study(
    __file__, __doc__, effects.scope_of, identity, play, figures, page, picture, quantities=QUANTITIES,
    judged=(Judged(CLAIMS, effects.outcomes_by_game, games_a_row=2, plays=effects.plays_with_expansions, units=UNITS),),
)  # fmt: skip
