"""A study of scenarios as data: plans of what is played, contrasts of scenarios, quantities, tables and sentences.

    Plan        scenarios, with which numbers of players they are played, and what is counted in their games
    Contrast    a weighted sum of scenarios (by name) of one count: a change, a price, a difference of differences
    Series      the contrasts of one quantity by item, at which moments, with how many players, in which cells
    Contrasts   all that such a study is; `study()` makes the `Study` of it

What is played, the digest, the register, the claims and the page follow. A study that is more than that is a `Study`
with a `play` of its own, whose tables are grids as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.report.figures.style import COLOURS, FAINT, half_width, styled
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.claims import claim_quantity, claim_values, read_claims
from wallsim.studies.figure import Figures
from wallsim.studies.finding import MOST_ROWS, Finding, bots_of
from wallsim.studies.games import Count, Counted
from wallsim.studies.grids import Grid, Line, estimate, held_together, lines, of_scope, sure_of, towers_by_plays
from wallsim.studies.outcomes import Change, by_round, change
from wallsim.studies.quantities import Key, Quantity, Value
from wallsim.studies.scenarios import Lines, experiment_of, identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import BASELINE, CASUAL_TABLE, THREE_TABLES, Blocks, Scope, scope_for
from wallsim.studies.study import Choices, Judged, Storage, Study
from wallsim.studies.table_captions import limits, scope_words, table_name

MEAN, START, TURN = "all rounds", "start", "turn"
# What fills `{arm}` in the name of a scenario at each moment, and which rounds are counted: None for all.
MOMENTS: Mapping[str, tuple[str, int | Sequence[int] | None]] = {
    MEAN: (TURN, None), START: (START, None), **{name: (TURN, place) for place, name in enumerate(ROUND_NAMES)},
    "year 1": (TURN, (0, 1, 2)), "year 2": (TURN, (3, 4, 5)),
}  # fmt: skip


class Plan(NamedTuple):
    """Scenarios that are played with some numbers of players; on as many blocks as other cells have if `small`.

    Beside the tables only those are played from which something is measured there. A name stands for the same scenario
    in all plans.
    """

    name: str
    scenarios: Mapping[str, Lines]
    sizes: tuple[int, ...] = (4,)
    small: bool = False


class Contrast(NamedTuple):
    """`plus` and the weighted sum of a count over scenarios, times `scale`.

    In the names of scenarios MOMENTS fills `{arm}`, and the number of players `{players}`.
    """

    weights: Mapping[str, float]
    counted: str
    scale: float = 1.0
    plus: float = 0.0

    def at(self, moment: str, players: int) -> dict[str, float]:
        """The weights by the scenarios of a moment."""
        return {name.format(arm=MOMENTS[moment][0], players=players): weight for name, weight in self.weights.items()}

    def value(self, played: Mapping[str, Counted], players: int, moment: str = MEAN) -> Estimate | Change:
        """The contrast of what was counted, a paired change where it is one scenario less another."""
        named, rounds = self.at(moment, players), MOMENTS[moment][1]
        if self[2:] == (1.0, 0.0) and sorted(named.values()) == [-1, 1]:
            before, after = sorted(named, key=named.__getitem__)
            return change(played[before][self.counted], played[after][self.counted], rounds)
        total = sum(weight * by_round(played[name][self.counted], rounds) for name, weight in named.items())
        return block_mean(self.plus + self.scale * np.asarray(total))


class Series(NamedTuple):
    """The contrasts of a quantity: `everywhere` in all cells, beside the tables; `named` with the moment in the id."""

    quantity: str
    items: Mapping[str, Contrast]
    moments: Sequence[str] = (MEAN,)
    sizes: Sequence[int] = (4,)
    everywhere: bool = False
    named: bool = True


@dataclass(frozen=True)
class Contrasts:
    """All that a study of contrasts is; `study()` makes the `Study` of it.

    `claims` are judged in all cells by the first plan with each of the `judged` numbers of players, by default with the
    first of all; `units` are those of their outcomes, VP where none is named. `seasons` says whether `count` reads the
    table of rounds, at the tables alone, `claims_by_season` that the claims need it, so in all cells. `measure` gives
    more values of what was played with a number of players in a cell than contrasts, `beside` those of other games, and
    `follows` those that follow from all others. `decides` makes the identity of the standard one.
    `tables` are the cells with most blocks. `first` is the table of the first screen, `shown` gives all others, or all.
    `sentences` are those of the `Finding`, with tokens; `open` adds what the claims leave open and other sentences with
    a choice. Without `first`, `shown`, `sentences` or `picture` the first series that is measured everywhere leads the
    page.
    """

    file: str
    doc: str | None
    plans: Sequence[Plan]
    count: Count
    blocks: Blocks
    quantities: Sequence[Quantity]
    series: Sequence[Series]
    claims: Mapping[Claim, Contrast] = field(default_factory=dict)
    judged: tuple[int, ...] = ()
    seasons: bool = False
    claims_by_season: bool = False
    measure: Callable[[Mapping[str, Counted], int, Cell], Iterable[tuple[Key, Value]]] | None = None
    beside: Callable[[Scope, Storage], Mapping[Key, Value]] | None = None
    follows: Callable[[Mapping[Key, Value]], Iterable[tuple[Key, Value]]] | None = None
    decides: Callable[[Scope, dict[str, Any]], dict[str, Any]] | None = None
    tables: tuple[Cell, ...] = (BASELINE,)
    first: Callable[[Figures, Scope], Grid] | None = None
    shown: Callable[[Figures, Scope], Iterable[Grid | str]] | None = None
    sentences: Mapping[str, str] | None = None
    open: Callable[[Figures], Mapping[str, str]] | None = None
    picture: Callable[[Figures, Scope], Picture] | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    count_version: int = 1

    @property
    def path(self) -> Path:
        """The file of the experiment."""
        return Path(self.file).with_name("experiment.toml")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of players of the claims."""
        return self.judged or self.plans[0].sizes[:1]

    @property
    def scenarios(self) -> dict[str, Lines]:
        """The scenarios of all plans."""
        return {name: each for plan in self.plans for name, each in plan.scenarios.items()}

    def study(self, *, games_a_row: int = 3, **more: Any) -> Study:
        """The study, with `more` of its fields. InputError for what does not belong to each other in the declaration.

        `games_a_row` are the games of each comparison that are the unit of errors of its claims.
        """
        if errors := [f"{self.file}: {error}" for error in self.errors()]:
            raise InputError(errors)
        claims = tuple(self.claims)
        judged = Judged(claims, self.outcomes, games_a_row, units=self.units)
        return Study(
            self.file, self.doc, self.design, self.identity, self.play, finding=self.finding,
            quantities=(*self.quantities, claim_quantity(claims, self.units)),
            first=self.first or (None if self.shown else partial(plain_first, self)),
            tables=self.shown or partial(plain_tables, self), picture=self.picture or partial(plain_picture, self),
            judged=(judged,) if claims else (), count_version=self.count_version, **more,
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

    def design(self, choices: Choices) -> Scope:
        """The cells and their blocks."""
        return scope_for(self.path, self.blocks, choices.games, choices.quick, self.tables)

    def identity(self, scope: Scope) -> dict[str, Any]:
        """Everything that decides the results."""
        sizes = [size for plan in reversed(self.plans) for size in plan.sizes]
        plans = {plan.name: plan.scenarios for plan in self.plans}
        standard = identity_of(self.path, scope, plans, sizes)
        return standard if self.decides is None else self.decides(scope, standard)

    def play(self, scope: Scope, storage: Storage) -> dict[Key, Value]:
        """Play every plan in all cells, and measure what can be measured of each; last the outcomes of the claims."""
        values: dict[Key, Value] = {}
        claimed: dict[int, dict[Cell, dict[str, Estimate]]] = {players: {} for players in self.sizes}
        for plan in self.plans:
            for players, cell in product(plan.sizes, scope.cells()):
                is_table, measured = cell in scope.tables, list(self.keys(scope, plan, players, cell))
                played = dict(scenarios_played(
                    experiment_of(self.path, cell, players),
                    plan.scenarios if is_table else self._needed(plan, players, measured),
                    scope.others if plan.small else scope.blocks(cell), self.count, storage,
                    seasons=self.claims_by_season or (self.seasons and is_table),
                ))  # fmt: skip
                for key, contrast, moment in measured:
                    values[key] = contrast.value(played, players, moment)
                if self.measure is not None:
                    values |= self.measure(played, players, cell)
                if players in claimed and cell not in claimed[players]:
                    claimed[players][cell] = self._claimed(played, players, None)
        if self.beside is not None:
            values |= self.beside(scope, storage)
        if self.follows is not None:
            values |= dict(self.follows(values))
        for players, cells in claimed.items():
            values |= claim_values(tuple(self.claims), cells, players)
        return values

    def _needed(self, plan: Plan, players: int, measured: Iterable[tuple[Key, Contrast, str]]) -> dict[str, Lines]:
        # The scenarios of a plan from which something is measured, or by which a claim is judged.
        asked = [(contrast, moment) for _, contrast, moment in measured]
        asked += [(contrast, MEAN) for contrast in self.claims.values() if players in self.sizes]
        names = {name for contrast, moment in asked for name in contrast.at(moment, players)}
        return {name: each for name, each in plan.scenarios.items() if name in names}

    def keys(self, scope: Scope, plan: Plan, players: int, cell: Cell) -> Iterator[tuple[Key, Contrast, str]]:
        """What a plan measures in a cell, with the moment: contrasts of scenarios that it has."""
        for each in self.series:
            if players in each.sizes and (each.everywhere or cell in scope.tables):
                for item, contrast in each.items.items():
                    for moment in each.moments:
                        if contrast.at(moment, players).keys() <= plan.scenarios.keys():
                            named = moment if each.named else ""
                            yield Key(each.quantity, item, players, cell, named), contrast, moment

    def outcomes(
        self, experiment: Experiment, blocks: int, names: Collection[str] | None = None
    ) -> dict[str, Estimate]:
        """The outcomes of the claims under any experiment, by game; with `names` those alone, played as they need."""
        size = experiment.players
        needed = {name for claim, each in self.claims.items() if names is None or claim.outcome in names
                  for name in each.at(MEAN, size)}  # fmt: skip
        wanted = {name: lines for name, lines in self.scenarios.items() if name in needed}
        played = played_by_game(experiment, wanted, blocks, self.count, seasons=self.claims_by_season)
        return self._claimed(played, size, names)

    def _claimed(
        self, played: Mapping[str, Counted], players: int, names: Collection[str] | None
    ) -> dict[str, Estimate]:
        values = {claim.outcome: contrast.value(played, players) for claim, contrast in self.claims.items()
                  if names is None or claim.outcome in names}  # fmt: skip
        return {name: each.estimate if isinstance(each, Change) else each for name, each in values.items()}

    def finding(self, figures: Figures, scope: Scope) -> Finding:
        """The sentences of the first screen, whose tokens are not filled yet."""
        sentences = plain_sentences(self, figures, scope) if self.sentences is None else self.sentences
        return Finding(**{**sentences, **({} if self.open is None else self.open(figures))})


def plain_first(study: Contrasts, _: Figures, scope: Scope) -> Grid:
    """The first item of all series that are measured everywhere, or of the first, at the tables that exist."""
    series, cells = _leading(study), _both(scope) or scope.tables
    rows = lines("item", list(series.items)[:MOST_ROWS])
    return Grid(_unit(study, series), rows, lines("cell", cells, _cell_name), _at(series), estimate(2, "+"),
                held_together("The ± are half-widths of {family} simultaneous {level} intervals."))  # fmt: skip


def plain_tables(study: Contrasts, figures: Figures, scope: Scope) -> Iterator[Grid | str]:
    """The claims, then every series: by moment at the tables, and by tower and play where it is measured everywhere."""
    yield scope_words(figures, scope, load_experiment(study.path), len(study.plans[0].scenarios))
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


def plain_sentences(study: Contrasts, figures: Figures, scope: Scope) -> dict[str, str]:
    """The sentences of the finding: the first item of the leading series, at the tables that exist."""
    series = _leading(study)
    item = next(iter(series.items))
    unit = _unit(study, series)
    found = {cell: figures.of(item=item, cell=cell, **_at(series)) for cell in (scope.baseline_cell(), *_both(scope))}
    texts = {cell: f"{in_words(one.value, one.ends, 2, '+')} {unit}" for cell, one in found.items()}
    strong = [texts[cell] for cell in _both(scope) if cell != CASUAL_TABLE]
    home, found_value = scope.baseline_cell(), found[scope.baseline_cell()].value
    return {
        "title": f"{item}: {in_words(found_value, None, 2, '+')} {unit}, a mean of the rounds by {bots_of(home.play)} "
        f"({series.sizes[0]} players, one tower)",
        "casual": f"{item}: {texts[CASUAL_TABLE]}." if CASUAL_TABLE in texts else "",
        "experienced": f"{item}: {' and '.join(strong)} by master and scholar bots." if strong else "",
        "unknown": _undecided(study, figures, scope),
        "picture": f"{item} for each kind of bot, with line-ups and in the draft",
    }


@styled
def plain_picture(study: Contrasts, figures: Figures, scope: Scope) -> Picture:
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


def _leading(study: Contrasts) -> Series:
    return next((each for each in study.series if each.everywhere), study.series[0])


def _at(series: Series) -> dict[str, Any]:
    moment = series.moments[0] if series.named else ""
    return {"quantity": series.quantity, "players": series.sizes[0], "moment": moment}


def _unit(study: Contrasts, series: Series) -> str:
    unit = next(each.unit for each in study.quantities if each.name == series.quantity)
    return unit if isinstance(unit, str) else series.quantity


def _cell_name(cell: Cell) -> str:
    return f"{bots_of(cell.play)}, {SETUP_WORDS[cell.setup]}"


def _both(scope: Scope) -> tuple[Cell, ...]:
    # The casual and the experienced table, the latter with each line of strong play, as far as they are played.
    return tuple(cell for cell in THREE_TABLES if cell in scope.cells())


def _undecided(study: Contrasts, figures: Figures, scope: Scope) -> str:
    if not study.claims:
        return ""
    judged = read_claims(figures, tuple(study.claims), scope.plays, players=study.sizes[0])
    open_in = [each.claim.words.rstrip(".") for each in judged.verdicts if each.where("open")]
    more = f" (and {len(open_in) - 1} more)" if len(open_in) > 1 else ""
    return f"{open_in[0]}{more}: not known in every cell." if open_in else ""
