"""A study of scenarios as data: plans of what is played, contrasts of scenarios, quantities, tables and sentences.

    Plan        scenarios, with which numbers of players they are played, and what is counted in their games
    Contrast    a weighted sum of scenarios (by name) of one count: a change, a price, a difference of differences
    Series      the contrasts of one quantity by item, at which moments, with how many players, in which cells
    Contrasts   all that such a study is; `study()` makes the `Study` of it

What is played, the digest, the register, the claims and the page follow. A study that is more than that is a `Study`
with a `play` of its own, whose values `add_values` publishes, and whose tables are grids as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate
from wallsim.studies.changes import Change
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.games import Counted
from wallsim.studies.plain_page import plain_first, plain_picture, plain_sentences, plain_tables
from wallsim.studies.quantities import Key, Value, add_values
from wallsim.studies.scenarios import identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import Scope, scope_for
from wallsim.studies.series import MEAN, MOMENTS, START, TURN, Contrast, Declared, Plan, Series
from wallsim.studies.study import Choices, Judged, Storage, Study

__all__ = ["MEAN", "START", "TURN", "Contrast", "Contrasts", "Plan", "Played", "Series"]


class Played(NamedTuple):
    """What was measured: the values by key, and the outcomes of the claims by number of players and cell."""

    scope: Scope
    values: dict[Key, Value]
    claims: dict[int, dict[Cell, dict[str, Estimate]]]


class Contrasts(Declared):
    """A study of scenarios: `study()` makes it of what is declared."""

    def study(self, *, games_a_row: int = 3, **more: Any) -> Study:
        """The study, with `more` of its fields. InputError for what does not belong to each other in the declaration.

        `games_a_row` are the games of each comparison that are the unit of errors of its claims.
        """
        if errors := [f"{self.file}: {error}" for error in self.errors()]:
            raise InputError(errors)
        judged = Judged(tuple(self.claims), self.outcomes, games_a_row, units=self.all_units(), some=self.outcomes)
        return Study(
            self.file, self.doc, self.design, self.identity, self.play, self.figures, finding=self.finding,
            first=self.first or (None if self.shown else partial(plain_first, self)),
            tables=self.shown or partial(plain_tables, self),
            picture=self.picture or partial(plain_picture, self), quantities=tuple(self.quantities),
            judged=(judged,) if self.claims else (), count_version=self.count_version, **more,
        )  # fmt: skip

    def errors(self) -> Iterator[str]:
        """What is wrong with the declaration, one line each."""
        if not self.plans or not self.series:
            yield "plans, series: there is none; a study needs at least one of each"
            return
        names = [each.name for each in self.quantities]
        yield from (f"quantities: {name!r} occurs twice" for name in dict.fromkeys(names) if names.count(name) > 1)
        yield from (f"series: quantity {each.quantity!r} is not one of {', '.join(names)}" for each in self.series
                    if each.quantity not in names)  # fmt: skip
        known = self.scenarios
        sizes = {size for plan in self.plans for size in plan.sizes}
        for each in self.series:
            yield from (f"series: {each.quantity}: {size} players are in no plan" for size in {*each.sizes} - sizes)
            yield from (f"series: {each.quantity}: moment {moment!r} is not one of {', '.join(MOMENTS)}"
                        for moment in each.moments if moment not in MOMENTS)  # fmt: skip
        asked = [(f"series: {each.quantity}: {item}", contrast.at(moment, size)) for each in self.series
                 for size in each.sizes for moment in each.moments if moment in MOMENTS
                 for item, contrast in each.items.items()]  # fmt: skip
        asked += [(f"claims: {claim.outcome}", contrast.at(MEAN, size)) for claim, contrast in self.claims.items()
                  for size in self.sizes]  # fmt: skip
        yield from dict.fromkeys(f"{where}: scenario {name!r} is not one of {', '.join(known)}"
                                 for where, weights in asked for name in weights if name not in known)  # fmt: skip

    def all_units(self) -> dict[str, str]:
        """The units of the outcomes of the claims."""
        return {claim.outcome: self.units.get(claim.outcome, "VP") for claim in self.claims}

    def design(self, choices: Choices) -> Scope:
        """The cells and their blocks."""
        return scope_for(self.path, self.blocks, choices.games, choices.quick, self.tables)

    def identity(self, scope: Scope) -> dict[str, Any]:
        """Everything that decides the results."""
        sizes = [size for plan in reversed(self.plans) for size in plan.sizes]
        plans = {plan.name: {**plan.scenarios, **plan.alone} for plan in self.plans}
        standard = identity_of(self.path, scope, plans, sizes)
        return standard if self.decides is None else self.decides(scope, standard)

    def play(self, scope: Scope, storage: Storage) -> Played:
        """Play every plan in all cells, and measure what can be measured of each."""
        values: dict[Key, Value] = {}
        claimed: dict[int, dict[Cell, dict[str, Estimate]]] = {players: {} for players in self.sizes}
        for plan in self.plans:
            for players, cell in product(plan.sizes, scope.cells()):
                is_table = cell in scope.tables
                played = dict(scenarios_played(
                    self.path, cell, {**plan.scenarios, **(plan.alone if is_table else {})},
                    scope.others if plan.small else scope.blocks(cell), self.count, players=players,
                    seasons=self.claims_by_season or (self.seasons and is_table), workers=storage.workers,
                    cache=storage.cache,
                ))  # fmt: skip
                for key, contrast, moment in self.keys(scope, plan, players, cell):
                    values[key] = contrast.value(played, players, moment)
                if self.measure is not None:
                    values |= self.measure(played, players, cell)
                if players in claimed and cell not in claimed[players]:
                    claimed[players][cell] = self._claimed(played, players, None)
        if self.beside is not None:
            values |= self.beside(scope, storage)
        if self.follows is not None:
            values |= dict(self.follows(values))
        return Played(scope, values, claimed)

    def keys(self, scope: Scope, plan: Plan, players: int, cell: Cell) -> Iterator[tuple[Key, Contrast, str]]:
        """What a plan measures in a cell, with the moment: contrasts of scenarios that it has."""
        for each in self.series:
            if players in each.sizes and (each.everywhere or cell in scope.tables):
                for item, contrast in each.items.items():
                    for moment in each.moments:
                        if contrast.at(moment, players).keys() <= {*plan.scenarios, *plan.alone}:
                            named = moment if each.named else ""
                            yield Key(each.quantity, item, players, cell, named), contrast, moment

    def outcomes(
        self, experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
    ) -> dict[str, Estimate]:
        """The outcomes of the claims under any experiment, by game; with `names` those alone, played as they need."""
        size = experiment.players
        needed = {name for claim, each in self.claims.items() if names is None or claim.outcome in names
                  for name in each.at(MEAN, size)}  # fmt: skip
        wanted = {name: lines for name, lines in self.scenarios.items() if name in needed}
        played = played_by_game(experiment, wanted, blocks, self.count, seasons=self.claims_by_season, workers=workers)
        return self._claimed(played, size, names)

    def _claimed(
        self, played: Mapping[str, Counted], players: int, names: Collection[str] | None
    ) -> dict[str, Estimate]:
        values = {claim.outcome: contrast.value(played, players) for claim, contrast in self.claims.items()
                  if names is None or claim.outcome in names}  # fmt: skip
        return {name: each.estimate if isinstance(each, Change) else each for name, each in values.items()}

    def figures(self, result: Played, rows: Rows) -> None:
        """Add every figure, and the claims in all cells."""
        add_values(rows, self.quantities, result.values)
        for players, cells in result.claims.items() if self.claims else ():
            add_claims(rows, tuple(self.claims), cells, result.scope.plays, self.all_units(), players=players)

    def finding(self, figures: Figures, scope: Scope) -> Finding:
        """The sentences of the first screen, whose tokens are not filled yet."""
        sentences = plain_sentences(self, figures, scope) if self.sentences is None else self.sentences
        return Finding(**{**sentences, **({} if self.open is None else self.open(figures))})
