"""The page of a study of contrasts that says nothing of its own about its page: the first series leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.report.figures.style import COLOURS, FAINT, half_width, styled
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figures
from wallsim.studies.finding import MOST_ROWS, bots_of
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, of_scope, sure_of, towers_by_plays
from wallsim.studies.scope import CASUAL_TABLE, THREE_TABLES, Scope
from wallsim.studies.series import Declared, Series
from wallsim.studies.table_captions import limits, scope_words, table_name


def plain_first(study: Declared, _: Figures, scope: Scope) -> Grid:
    """The first item of all series that are measured everywhere, or of the first, at the tables that exist."""
    series, cells = _leading(study), _both(scope) or scope.tables
    rows = lines("item", list(series.items)[:MOST_ROWS])
    return Grid(_unit(study, series), rows, lines("cell", cells, _cell_name), _at(series), estimate(2, "+"),
                held_together("The ± are half-widths of {family} simultaneous {level} intervals."))  # fmt: skip


def plain_tables(study: Declared, figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """The claims, then every series: by moment at the tables, and by tower and play where it is measured everywhere."""
    yield scope_words(scope, load_experiment(study.path), len(study.plans[0].scenarios))
    if study.claims:
        judged = read_claims(figures, tuple(study.claims), scope.plays, players=study.sizes[0])
        table = verdict_table(judged.verdicts, judged.estimates, judged.confidence, 2)
        yield f"{table}\n\n{limits(judged.confidence, scope.others, len(scope.cells()))}"
    for series in study.series:
        for players in series.sizes:
            at = {**_at(series), "players": players}
            size = f", {players} players" if len(series.sizes) > 1 else ""
            head = f"{_unit(study, series)}{size}, {{}}"
            for item in series.items if series.everywhere else ():
                for setup in scope.setups:
                    yield towers_by_plays(head.format(f"{item}, {SETUP_WORDS[setup]}"), scope.towers,
                                          [play.name for play in scope.plays], estimate(2, "+"),
                                          **{**at, "item": item, "setup": setup})  # fmt: skip
            for cell in () if series.everywhere else scope.tables:
                columns = lines("moment", series.moments) if series.named else (Line(series.moments[0]),)
                yield Grid(head.format(table_name(cell)), lines("item", series.items), columns, {**at, "cell": cell},
                           estimate(2, "+"), of_scope(scope, pairing=True))  # fmt: skip


def plain_sentences(study: Declared, figures: Figures, scope: Scope) -> dict[str, str]:
    """The sentences of the finding: the first item of the leading series, at the tables that exist."""
    series = _leading(study)
    item = next(iter(series.items))
    unit = _unit(study, series)
    found = {cell: figures.of(item=item, cell=cell, **_at(series)) for cell in (scope.baseline_cell(), *_both(scope))}
    texts = {cell: f"{in_words(one.value, one.ends, 2, '+')} {unit}" for cell, one in found.items()}
    strong = [texts[cell] for cell in _both(scope) if cell != CASUAL_TABLE]
    home, found_value = scope.baseline_cell(), found[scope.baseline_cell()].value
    return {
        "title": f"{item}: {in_words(found_value, None, 2, '+')} {unit}, a mean of the rounds by {bots_of(home.play)}",
        "casual": f"{item}: {texts[CASUAL_TABLE]}." if CASUAL_TABLE in texts else "",
        "experienced": f"{item}: {' and '.join(strong)} by expert and scholar bots." if strong else "",
        "unknown": _undecided(study, figures, scope),
        "picture": f"{item} for each kind of bot, with line-ups and in the draft",
    }


@styled
def plain_picture(study: Declared, figures: Figures, scope: Scope) -> Picture:
    """A mark for each item of the leading series, play and set-up under the first tower, with its interval."""
    series = _leading(study)
    groups = [cell for cell in scope.cells() if cell.tower == scope.towers[0]] if series.everywhere else scope.tables
    shown = {item: [figures.of(item=item, cell=cell, **_at(series)) for cell in groups] for item in series.items}
    picture, axes = plt.subplots(figsize=(7.4, 1.2 + 0.9 * len(shown)))
    sure = sure_of([each for row in shown.values() for each in row])
    heights = np.linspace(0.3, -0.3, len(groups))
    for place, row in enumerate(shown.values()):
        for group, (cell, figure) in enumerate(zip(groups, row, strict=True)):
            axes.errorbar(
                figure.value, len(shown) - place + heights[group], xerr=half_width(figure, sure), capsize=2,
                color=COLOURS[group % len(COLOURS)], marker="o" if cell.setup == "lineup" else "s", markersize=4,
                label=_cell_name(cell) if place == 0 else None,
            )  # fmt: skip
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    axes.set_yticks([len(shown) - place for place in range(len(shown))], list(shown))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_title(f"{_unit(study, series)}, tower {scope.towers[0]}; bars: {sure.n_comparisons} simultaneous "
                   f"{sure.level:.0%} intervals", fontsize=9)  # fmt: skip
    return picture


def _leading(study: Declared) -> Series:
    return next((each for each in study.series if each.everywhere), study.series[0])


def _at(series: Series) -> dict[str, Any]:
    moment = series.moments[0] if series.named else ""
    return {"quantity": series.quantity, "players": series.sizes[0], "moment": moment}


def _unit(study: Declared, series: Series) -> str:
    unit = next(each.unit for each in study.quantities if each.name == series.quantity)
    return unit if isinstance(unit, str) else series.quantity


def _cell_name(cell: Cell) -> str:
    return f"{bots_of(cell.play)}, {SETUP_WORDS[cell.setup]}"


def _both(scope: Scope) -> tuple[Cell, ...]:
    # The casual and the experienced table, the latter with each line of strong play, as far as they are played.
    return tuple(cell for cell in THREE_TABLES if cell in scope.cells())


def _undecided(study: Declared, figures: Figures, scope: Scope) -> str:
    if not study.claims:
        return ""
    judged = read_claims(figures, tuple(study.claims), scope.plays, players=study.sizes[0])
    open_in = [each.claim.words.rstrip(".") for each in judged.verdicts if each.where("open")]
    more = f" (and {len(open_in) - 1} more)" if len(open_in) > 1 else ""
    return f"{open_in[0]}{more}: not known in every cell." if open_in else ""
