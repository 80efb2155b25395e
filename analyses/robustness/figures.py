"""The figures of the study `robustness`: what they are, what they are made of, and how they are read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from wallsim.analysis.claims.cells import SETUPS, Cell
from wallsim.analysis.claims.plays import unjudged
from wallsim.analysis.claims.verdicts import Verdict, judge
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, combined
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.grids import sure_of
from wallsim.studies.quantities import Key, Quantity, add_values

from .additions import STAGES, seed_of
from .boards import CASES, PRINTED, Case
from .estimates import EXPERIMENT, Played, plays_for
from .sources import Key as Claimed
from .sources import keys_of, source

MEAN, OF_POOL, OF_SETUP = "mean", "mean-of-a-pool", "mean-of-a-set-up"
ALL = "all"  # intervals hold together
PLAYERS = 4  # players


def item(key: Claimed) -> str:
    """The item of a claim: its study, and its outcome."""
    return f"{key[0]} {key[1].outcome}"


def move(case: Case) -> str:
    """The quantity of the change from the printed board to another."""
    return f"move-{case.quantity}"


def _unit(key: Key) -> str:
    study, _, outcome = key.item.partition(" ")
    return source(study).unit(outcome)


def _above(key: Key) -> float:
    study, _, outcome = key.item.partition(" ")
    return next(claim.above for claim in source(study).claims if claim.outcome == outcome)


def _quantity(
    name: str, more: str = "", null: float | Callable[[Key], float] = _above, stage: int = 0, shown: str = "tables"
) -> Quantity:
    def seed(_: Key) -> int:
        return seed_of(load_experiment(EXPERIMENT).seed, stage, 0)

    words = f"{{rest}} (study {{first}}){more}"
    return Quantity(
        name, words, _unit, null, (), ALL, n_unit="rows of games", seed=seed if stage else None, shown=shown
    )  # fmt: skip


_BOARDS = [case for case in CASES if case.name != case.against]
QUANTITIES = (
    _quantity(CASES[0].quantity, shown="claims"),
    *(_quantity(case.quantity, f", {case.name}", shown="claims") for case in _BOARDS),
    *(_quantity(move(case), f": mean of these cells, {case.name}, less that as printed", 0) for case in _BOARDS),
    *(_quantity(f"stage-{stage}", f": games of stage {stage}", stage=stage, shown="claims") for stage in STAGES),
    # The means of both set-ups are counted with that of all cells: a claim of one set-up has one of them, which is all.
    replace(_quantity(MEAN, ": mean of all cells"), among=1 + len(SETUPS)),
    _quantity(OF_POOL, ": mean of the cells of the pool"),
    replace(_quantity(OF_SETUP, ": mean of the cells of the set-up"), like=ALL),
)


def add_figures(result: Played, rows: Rows) -> None:
    """Add every figure: every claim in every cell on every board, and means with equal weights.

    Means are paired by row of games, since all cells play the same numbers.
    """
    by_case: dict[str, dict[Claimed, dict[Cell, Estimate]]] = {case.name: {} for case in CASES}
    values: dict[Key, Estimate] = {}
    for task, outcomes in result.tasks:
        for key in keys_of(task.source):
            if key[1].outcome in outcomes:
                estimate = outcomes[key[1].outcome]
                by_case[task.case.name].setdefault(key, {})[task.cell] = estimate
                values[Key(task.case.quantity, item(key), task.case.players, task.cell)] = estimate
    for addition, outcomes in result.added:
        for name, estimate in outcomes.items():
            place = Key(f"stage-{addition.stage}", f"{addition.study} {name}", addition.players, addition.cell)
            values[place] = estimate
    for case in _BOARDS:
        for key, cells in by_case[case.name].items():
            before = by_case[case.against][key]
            values[Key(move(case), item(key), case.players)] = _mean(cells) - _mean(
                {cell: before[cell] for cell in cells}
            )
    for key, cells in by_case[PRINTED].items():
        values[Key(MEAN, item(key), PLAYERS)] = _mean(cells)
        for field, quantity in (("play", OF_POOL), ("setup", OF_SETUP)):
            for level in dict.fromkeys(getattr(cell, field) for cell in cells):
                where = Cell("", "", "")._replace(**{field: level})
                among = {cell: each for cell, each in cells.items() if getattr(cell, field) == level}
                values[Key(quantity, item(key), PLAYERS, where)] = _mean(among)
    add_values(rows, QUANTITIES, values)


def _mean(cells: Mapping[Cell, Estimate]) -> Estimate:
    return combined([1 / len(cells)] * len(cells), list(cells.values()))


def cells_of(figures: Figures, key: Claimed, case: Case = CASES[0]) -> dict[Cell, Figure]:
    """The estimates of a claim on a board by cell."""
    return figures.cells(case.quantity, item(key), players=case.players)


def later(figures: Figures, key: Claimed, players: int) -> dict[Cell, tuple[Figure, ...]]:
    """The later stages of a claim by cell, in order."""
    result: dict[Cell, tuple[Figure, ...]] = {}
    for stage in STAGES:
        for cell, each in figures.cells(f"stage-{stage}", item(key), players=players).items():
            result[cell] = (*result.get(cell, ()), each)
    return result


def verdict(key: Claimed, cells: Mapping[Cell, Figure]) -> Verdict:
    """The verdict on a claim over these cells."""
    known = plays_for(source(key[0]), 4)
    plays = [known[pool] for pool in dict.fromkeys(cell.play for cell in cells) if pool in known]
    return judge(key[1], cells, sure_of([*cells.values()]), unjudged(plays))
