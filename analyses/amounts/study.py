"""Amounts: what happens to the game when a designer turns one of its numbers?

    .venv/bin/python -m analyses.amounts results/amounts docs/studies/amounts.png --into docs/studies/amounts.md

Method. Each number of the game that means something with four players is played a step below and a step above its
printed value, on the same games, and what changes from the lower to the higher value is compared by block of four
games: points, their spread, the wins of year one's leader, wins by line-up, what holding each tile brings, and the wins
of four styles of the zoo at one table. Numbers of the expansions are turned with all expansions in play. Then a
space-filling design turns the numbers of VARIABLES at once, a Gaussian process is fitted, and the fairest numbers that
it knows are raced and confirmed on games that the search never saw, in every play and tower. A cell is a play and a
tower calibration, with line-ups. With --quick there are few numbers, cells and games.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from analyses.effect_files import write_results
from matplotlib.figure import Figure

from analyses import driver
from wallsim.analysis.claims.cells import Cell
from wallsim.report.figures.amounts import Row, amounts_at_a_glance
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.cache import Cache
from wallsim.studies.changes import Change
from wallsim.studies.outcomes import SPREAD
from wallsim.studies.scope import Scope
from wallsim.studies.words import scope_words

from .estimates import EXPERIMENT, OneAtATime, Turned, digest_of_turned, doubled, one_at_a_time, scope_of, turned_in
from .page import answer_words, doubled_table, fairness_tables, games_table, robust_table, surface_table, worth_table
from .surface import UNITS, VARIABLES, Fairness, Surface, candidates, confirm, race, sizes_of, surface

MARKS = ("amounts figures",)
_SHOWN = 16  # amounts in the picture


class Amounts(NamedTuple):
    """All estimates: one number at a time, doubled gifts by tile, the surface, and the numbers found, by cell."""

    turned: OneAtATime
    doubled: dict[str, list[Change]]
    surface: Surface
    found: np.ndarray
    confirmed: dict[Cell, tuple[Fairness, Fairness]]

    @property
    def scope(self) -> Scope:
        """The cells and their blocks."""
        return self.turned.scope


def answer(args: Namespace) -> driver.Answer:
    """Play all settings, and make the tables."""
    scope = scope_of(args.games, args.quick)
    hashed = digest(scope)  # raises for a wrong experiment before anything is played
    found = study(scope, args.folder, args.workers)
    save(found, args.folder)
    text = figures(found)
    return driver.Answer(hashed, dict.fromkeys(MARKS, text), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, driver.add_size, answer)


def digest(scope: Scope | None = None) -> str:
    """The hash of everything that decides the results; without an argument that of the published study."""
    scope = scope or scope_of()
    surface_facts = {"surface": VARIABLES, "sizes": sizes_of(scope), "units": UNITS}
    return identity_hash({"turned": digest_of_turned(scope), **surface_facts})


def study(scope: Scope, folder: str | Path | None = None, workers: int | None = None) -> Amounts:
    """Turn the numbers one by one and together. What was played is kept in `folder`."""
    kept, cell, sizes = Cache(folder), scope.baseline_cell(), sizes_of(scope)
    fitted = surface(cell, sizes, cache, workers)
    found = race(cell, candidates(fitted), sizes, cache, workers)
    confirmed = confirm(scope, found, cache, workers)
    twice = doubled(scope, cache, workers)
    return Amounts(one_at_a_time(scope, cache, workers), twice, fitted, found, confirmed)


def save(found: Amounts, folder: str | Path) -> None:
    """Write the changes of the baseline cell into a folder."""
    parts: Mapping[str, Mapping[str, Mapping[str, Change]]] = {
        "games": found.turned.games[found.scope.baseline_cell()],
        "line-ups": found.turned.lineups,
        "tiles": found.turned.tiles,
        "styles": found.turned.styles,
    }
    tables = {
        table: {(name, outcome, "all"): change for name, each in changes.items() for outcome, change in each.items()}
        for table, changes in parts.items()
    }
    write_results(folder, tables, digest(found.scope), found.scope)


def figures(found: Amounts) -> str:
    """All tables with the answer above them."""
    experiment, rows = load_experiment(EXPERIMENT), turned_in(found.scope)
    return "\n\n".join(
        (
            scope_words(found.scope, experiment, 2 * len(rows))
            + " Errors are those of blocks of four games, one a seat.",
            answer_words(found.turned, found.doubled, found.found, found.confirmed),
            games_table(found.turned, rows),
            robust_table(found.turned, rows),
            worth_table(found.turned, rows),
            doubled_table(found.doubled, found.scope),
            surface_table(found.surface),
            fairness_tables(found.found, found.confirmed),
        )
    )


def picture(found: Amounts) -> Figure:
    """The amounts that move the spread most, and what each does to spread and to the tiles."""
    return amounts_at_a_glance(*drawn(found))


def drawn(found: Amounts) -> tuple[Sequence[Row], str]:
    """The rows of the picture, and its title."""
    games, rows = found.turned.games[found.scope.baseline_cell()], turned_in(found.scope)

    def size(each: Turned) -> float:
        tiles = [abs(change.estimate.value) for change in found.turned.tiles[each.name].values()]
        return max(abs(games[each.name][SPREAD].estimate.value), *tiles)

    shown = sorted(rows, key=size, reverse=True)[:_SHOWN]
    made = [
        Row(
            f"{each.name}: {each.low} to {each.high}",
            games[each.name][SPREAD].estimate,
            {tile: change.estimate for tile, change in found.turned.tiles[each.name].items()},
        )
        for each in shown
    ]
    return made, (
        "Strong play, tower spielbyweb, line-ups; the numbers that move the spread or a tile most; "
        f"{len(made) * 6} simultaneous intervals"
    )


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
