"""Which line-up wins: the runs of the study `first_look`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.analysis.games.points import SOURCES, columns_of_source
from wallsim.analysis.seating.arrangements import Arranged, arranged, arrangements
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean, block_values
from wallsim.studies.study import Choices, Storage
from wallsim.studies.two_lines import plays_of

from ..lineups.games import play as play_numbers

EXPERIMENT = Path(__file__).with_name("experiment.toml")
LETTERS = ("A", "B", "C", "D")
ARRANGEMENTS = arrangements(LETTERS)
BLOCKS = 4_000  # in every cell but the baseline
FAIR = 100 / len(LETTERS)
ALL = 100.0  # % of wins
AHEAD = "A minus B"
# Line-up, source and the year whose winter brings them.
POINTS = tuple((letter, source, year) for letter in LETTERS for year in (1, 2) for source in SOURCES)
CLAIMS = (Claim("Line-up A wins more than line-up B.", AHEAD, 0),)  # that about its share is one of `lineups`


class Drafted(NamedTuple):
    """The results of drafted games of a play: share of wins per seat in per cent, and points between first and last."""

    seats: list[Estimate]
    spread: Estimate


class FirstLook(NamedTuple):
    """The outcomes of every cell, the games of the baseline cell, and the results of drafts by play.

    `points` has the baseline's mean victory points by line-up, source and winter; `spreads` the points between first
    and last with line-ups, by play, under the baseline's tower.
    """

    plays: tuple[Play, ...]
    cells: dict[Cell, dict[str, Estimate]]
    baseline: Arranged
    points: dict[tuple[str, str, int], Estimate]
    spreads: dict[str, Estimate]
    drafts: dict[str, Drafted]


class Design(NamedTuple):
    """The blocks of every cell, None for the study's own, and the plays."""

    blocks: int | None
    plays: tuple[Play, ...]


def design(choices: Choices) -> Design:
    """What is played. InputError for an unknown policy, or for one that occurs twice."""
    return Design(choices.games, plays_of(choices))


@cache
def baseline_cell() -> Cell:
    """The cell of the unchanged experiment."""
    return Cell(MIDDLING, load_experiment(EXPERIMENT).tower, "lineup")


def experiments(blocks: int | None, plays: Sequence[Play]) -> dict[tuple[Cell, str], Experiment]:
    """Every run's experiment, by its cell and its arrangement, "draft" for a draft.

    InputError for an unknown policy.
    """
    base, own = baseline_cell(), load_experiment(EXPERIMENT).games // len(ARRANGEMENTS)
    result = {}
    for play in plays:
        for tower in TOWERS:
            cell = Cell(play.name, tower, "lineup")
            count = blocks or (own if cell == base else BLOCKS)
            keys = {"policies": play.policy, "tower": tower, "games": count}
            for way in ARRANGEMENTS:
                result[cell, "".join(way)] = load_experiment(EXPERIMENT, {**keys, "lineups": list(way)})
        games = (blocks or BLOCKS) * len(ARRANGEMENTS)
        drafted = {"policies": play.policy, "setup": "draft", "lineups": [], "games": games}
        result[Cell(play.name, base.tower, "draft"), "draft"] = load_experiment(EXPERIMENT, drafted)
    return result


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: every run's experiment with rules, tower and weights."""
    runs = {"/".join((*cell, way)): each for (cell, way), each in experiments(*design).items()}
    return {"runs": runs, "plays": design.plays}


def play(design: Design, storage: Storage) -> FirstLook:
    """Play the missing runs and estimate every outcome in every cell."""
    base = baseline_cell()
    runs: dict[Cell, list[Run]] = {}
    cells, spreads, drafts = {}, {}, {}
    for (cell, way), experiment in experiments(*design).items():
        place = storage.folder / cell.play.replace(" ", "-") / cell.tower / way
        runs.setdefault(cell, []).append(play_run(experiment, place))
        if cell.setup == "draft":
            drafts[cell.play] = drafted(runs.pop(cell)[0])
        elif len(runs[cell]) == len(ARRANGEMENTS):
            games = arranged(runs[cell])
            cells[cell] = outcomes(games)
            if cell.tower == base.tower:
                spreads[cell.play] = games.spread()
            if cell == base:
                baseline, points = games, points_of(runs[cell])
            del runs[cell]
    return FirstLook(design.plays, cells, baseline, points, spreads, drafts)


def outcomes(games: Arranged) -> dict[str, Estimate]:
    """The outcomes of a cell: the share of wins of each line-up in per cent, and A minus B."""
    shares = games.shares()
    return {**{f"line-up {letter}": share for letter, share in shares.items()}, AHEAD: shares["A"] - shares["B"]}


def drafted(run: Run) -> Drafted:
    """The results of a run of drafted games; each game is a block."""
    win, vp = pl.col("win"), pl.col("vp")
    seats = {f"seat {seat}": win.filter(pl.col("seat") == seat).sum() for seat in range(len(LETTERS))}
    result = block_values(run.scan("seats"), run.manifest["games"], spread=vp.max() - vp.min(), **seats)
    return Drafted([block_mean(result[name]) * 100 for name in seats], block_mean(result["spread"]))


def points_of(runs: Sequence[Run]) -> dict[tuple[str, str, int], Estimate]:
    """Mean victory points by line-up, source and winter over all arrangements; a block is a game number."""
    sums: dict[tuple[str, str, int], np.ndarray] = {}
    for run in runs:
        here = {
            f"{letter} {source} {year}": pl.col(columns_of_source(source)[year]).filter(_lineup() == letter).sum()
            for letter, source, year in POINTS
        }
        result = block_values(run.scan("seats"), run.manifest["games"], **here)
        for key, name in zip(POINTS, here, strict=True):
            sums[key] = sums.get(key, 0.0) + result[name]
    return {key: block_mean(total / len(runs)) for key, total in sums.items()}


def _lineup() -> pl.Expr:
    return pl.col("lineup").cast(pl.String)


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 game numbers a player in all arrangements.

    A number is a unit of errors. Nothing is claimed with other than four players.
    """
    if experiment.setup != "lineup" or experiment.players != len(LETTERS):
        return {}
    result = outcomes(play_numbers(experiment.components(), experiment.seed, blocks, workers).arranged())
    return {claim.outcome: result[claim.outcome] for claim in CLAIMS}
