"""The figures of the study `robustness` in the register: added there, and read back for the page and the picture."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figure, Figures, Rows, figure_id

from .additions import seed_of
from .boards import CASES, PRINTED, Case
from .estimates import EXPERIMENT, Added, Estimates, Means, Scope
from .sources import Key, keys_of, source

MEAN, OF_POOL, OF_SETUP, MOVE, STAGE = "mean", "mean of a pool", "mean of a set-up", "move", "stage"
PLAYERS = 4  # players
_UNIT = "rows of games"


def item(key: Key) -> str:
    """The item of a claim: its study, and its outcome."""
    return f"{key[0]} {key[1].outcome}"


def move(case: Case) -> str:
    """The quantity of the change from the printed board to another."""
    return f"{MOVE} {case.quantity}"


def add_figures(result: Estimates, rows: Rows) -> None:
    """Add every figure: every claim in every cell on every board, and means."""
    for case in CASES:
        for key, cells in result.estimates[case.name].items():
            what = _words(key) if case.quantity == CASES[0].quantity else f"{_words(key)}, {case.name}"
            for cell, estimate in cells.items():
                rows.estimate(
                    case.quantity, item(key), estimate, result.sure, words=what, unit=_unit(key), players=case.players,
                    cell=cell, n_unit=_UNIT, null=key[1].above,
                )  # fmt: skip
            if case.name != case.against:
                rows.estimate(
                    move(case), item(key), result.means.moves[case.name, key], result.sure, words=f"{_words(key)}: mean"
                    f" of these cells, {case.name}, less that as printed", unit=_unit(key), players=case.players,
                    n_unit=_UNIT, null=0.0,
                )  # fmt: skip
    for (stage, key, players), cells in result.added.items():
        for cell, estimate in cells.items():
            rows.estimate(
                f"{STAGE} {stage}", item(key), estimate, result.sure, words=f"{_words(key)}: games of stage {stage}",
                unit=_unit(key), players=players, cell=cell, n_unit=_UNIT, null=key[1].above,
                seed=seed_of(load_experiment(EXPERIMENT).seed, stage, 0),
            )  # fmt: skip
    for key, mean in result.means.every.items():
        rows.estimate(
            MEAN, item(key), mean, result.sure, words=f"{_words(key)}: mean of all cells", unit=_unit(key),
            players=PLAYERS, n_unit=_UNIT, null=key[1].above,
        )  # fmt: skip
    for (key, pool), mean_of_pool in result.means.pools.items():
        rows.estimate(
            OF_POOL, item(key), mean_of_pool, result.sure, words=f"{_words(key)}: mean of the cells of the pool",
            unit=_unit(key), players=PLAYERS, play=pool, n_unit=_UNIT, null=key[1].above,
        )  # fmt: skip
    for (key, setup), mean_of_setup in result.means.setups.items():
        rows.estimate(
            OF_SETUP, item(key), mean_of_setup, result.sure, words=f"{_words(key)}: mean of the cells of the set-up",
            unit=_unit(key), players=PLAYERS, setup=setup, n_unit=_UNIT, null=key[1].above,
        )  # fmt: skip


def estimates_in(figures: Figures, scope: Scope) -> Estimates:
    """The estimates of the study again, from its figures."""
    estimates: dict[str, dict[Key, dict[Cell, Figure]]] = {case.name: {} for case in CASES}
    for case in CASES:
        for own in case.sources:
            for key in keys_of(own):
                cells = {}
                for cell in scope.cells(own, case):
                    where = {"players": case.players, **cell._asdict()}
                    if (row := figures.get(figure_id(figures.study, case.quantity, item(key), **where))) is not None:
                        cells[cell] = row
                if cells:
                    estimates[case.name][key] = cells
    every, pools, setups = {}, {}, {}
    for key, cells in estimates[PRINTED].items():
        every[key] = figures.of(MEAN, item(key), players=PLAYERS)
        for pool in dict.fromkeys(cell.play for cell in cells):
            pools[key, pool] = figures.of(OF_POOL, item(key), players=PLAYERS, play=pool)
        for setup in dict.fromkeys(cell.setup for cell in cells):
            setups[key, setup] = figures.of(OF_SETUP, item(key), players=PLAYERS, setup=setup)
    moves = {
        (case.name, key): figures.of(move(case), item(key), players=case.players)
        for case in CASES
        if case.name != case.against
        for key in estimates[case.name]
    }
    added: dict[Added, dict[Cell, Figure]] = {}
    for each in scope.additions:
        for key in keys_of(each.source):
            where = {"players": each.players, **each.cell._asdict()}
            row = figures.get(figure_id(figures.study, f"{STAGE} {each.stage}", item(key), **where))
            if row is not None:
                added.setdefault((each.stage, key, each.players), {})[each.cell] = row
    first = next(iter(figures.values()))
    sure = Confidence(first.level, first.family)
    return Estimates(scope, estimates, Means(every, pools, setups, moves), sure, added)


def _words(key: Key) -> str:
    return f"{key[1].outcome} (study {key[0]})"


def _unit(key: Key) -> str:
    return source(key[0]).unit(key[1].outcome)
