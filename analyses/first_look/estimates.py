"""Which line-up wins: the runs of the study `first_look`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
from wallsim.studies.claims import CLAIM
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import BASELINE_TOWER
from wallsim.studies.study import Storage
from wallsim.studies.two_lines import Plays

from ..lineups.games import play as play_numbers

EXPERIMENT = Path(__file__).with_name("experiment.toml")
PLAYERS = 4
LETTERS = ("A", "B", "C", "D")
SEATS = [f"seat {seat}" for seat in range(len(LETTERS))]
ARRANGEMENTS = arrangements(LETTERS)
HOME = Cell(MIDDLING, BASELINE_TOWER, "lineup")  # the baseline: the cell of the unchanged experiment
BLOCKS = 4_000  # in every cell but the baseline
FAIR = 100 / len(LETTERS)
ALL = 100.0  # % of wins
AHEAD = "A minus B"
# Line-up, source and the year whose winter brings them.
POINTS = tuple((letter, source, year) for letter in LETTERS for year in (1, 2) for source in SOURCES)
TESTED = {
    "T-squared": "Hotelling's T²", "F": "F", "contrasts": "degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F", "p": "p-value",
}  # fmt: skip
CLAIMS = (Claim("Line-up A wins more than line-up B.", AHEAD, 0),)  # that about its share is one of `lineups`


def experiments(blocks: int | None, plays: Sequence[Play]) -> dict[tuple[Cell, str], Experiment]:
    """Every run's experiment, by its cell and its arrangement, "draft" for a draft.

    InputError for an unknown policy.
    """
    own, result = load_experiment(EXPERIMENT).games // len(ARRANGEMENTS), {}
    for play in plays:
        for tower in TOWERS:
            cell = Cell(play.name, tower, "lineup")
            count = blocks or (own if cell == HOME else BLOCKS)
            keys = {"policies": play.policy, "tower": tower, "games": count}
            for way in ARRANGEMENTS:
                result[cell, "".join(way)] = load_experiment(EXPERIMENT, {**keys, "lineups": list(way)})
        games = (blocks or BLOCKS) * len(ARRANGEMENTS)
        drafted = {"policies": play.policy, "setup": "draft", "lineups": [], "games": games}
        result[Cell(play.name, HOME.tower, "draft"), "draft"] = load_experiment(EXPERIMENT, drafted)
    return result


def identity(design: Plays) -> dict[str, Any]:
    """Everything that decides the results: every run's experiment with rules, tower and weights."""
    runs = {"/".join((*cell, way)): each for (cell, way), each in experiments(*design).items()}
    return {"runs": runs, "plays": design.plays}


def play(design: Plays, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs, and measure every cell, with more of the baseline cell, and every draft."""
    runs: dict[Cell, list[Run]] = {}
    values: dict[Key, Value] = {}
    for (cell, way), experiment in experiments(*design).items():
        place = storage.folder / cell.play.replace(" ", "-") / cell.tower / way
        runs.setdefault(cell, []).append(play_run(experiment, place))
        if cell.setup == "draft":
            values |= of_draft(cell, runs.pop(cell)[0])
        elif len(runs[cell]) == len(ARRANGEMENTS):
            values |= of_line_ups(cell, runs.pop(cell))
    return values


def of_line_ups(cell: Cell, runs: Sequence[Run]) -> Iterator[tuple[Key, Value]]:
    """Wins of the line-ups in a cell, the outcome of the claim, and more under the baseline's tower and in its cell."""
    games = arranged(runs)
    shares = games.shares()
    yield from ((Key("wins", letter, PLAYERS, cell), share) for letter, share in shares.items())
    yield Key(CLAIM, AHEAD, PLAYERS, cell), shares["A"] - shares["B"]
    if cell.tower == HOME.tower:
        yield Key("first-above-last", "", PLAYERS, cell), games.spread()
    if cell == HOME:
        yield from ((Key(*of, PLAYERS, HOME), value) for of, value in of_baseline(games))
        yield from points_of(runs)


def of_baseline(games: Arranged) -> Iterator[tuple[tuple[str, str], Value]]:
    """Wins and points of the baseline cell, by line-up, seat and arrangement, and the joint test of arrangements."""
    for letter, points in games.points().items():
        yield ("headline", letter), games.shares()[letter]
        yield ("points", letter), points
        yield ("points-deviation", letter), Number(games.deviation(letter), n=games.blocks)
    yield from ((("seat-wins", seat), share) for seat, share in zip(SEATS, games.shares_of_seats(), strict=True))
    for (letter, one, other), gap in games.differences().items():
        yield ("difference-by-arrangement", f"{letter} {one} less {other}"), gap
    if (test := games.same_everywhere()) is not None:
        found = (test.t_squared, test.f, *test.degrees, test.p_value)
        for name, value in zip(TESTED, found, strict=True):
            yield ("test-of-arrangements", name), Number(value, n=test.blocks)


def of_draft(cell: Cell, run: Run) -> dict[Key, Value]:
    """Wins by seat in per cent, and the points between first and last, of drafted games; each game is a block."""
    win, vp = pl.col("win"), pl.col("vp")
    seats = {name: win.filter(pl.col("seat") == seat).sum() for seat, name in enumerate(SEATS)}
    result = block_values(run.scan("seats"), run.manifest["games"], spread=vp.max() - vp.min(), **seats)
    return {
        **{Key("seat-wins", seat, PLAYERS, cell): block_mean(result[seat]) * 100 for seat in SEATS},
        Key("first-above-last", "", PLAYERS, cell): block_mean(result["spread"]),
    }


def points_of(runs: Sequence[Run]) -> Iterator[tuple[Key, Value]]:
    """Mean victory points by line-up, source and winter over all arrangements; a block is a game number."""
    mine = pl.col("lineup").cast(pl.String)
    asked = {
        f"{letter} {source} {year}": pl.col(columns_of_source(source)[year]).filter(mine == letter).sum()
        for letter, source, year in POINTS
    }
    found = [block_values(run.scan("seats"), run.manifest["games"], **asked) for run in runs]
    for name in asked:
        item, _, year = name.rpartition(" ")
        value = block_mean(np.mean([each[name] for each in found], axis=0))
        yield Key("points-by-source", item, PLAYERS, HOME, f"winter {year}"), value


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 game numbers a player in all arrangements.

    A number is a unit of errors. Nothing is claimed with other than four players.
    """
    if experiment.setup != "lineup" or experiment.players != len(LETTERS):
        return {}
    shares = play_numbers(experiment.components(), experiment.seed, blocks, workers).arranged().shares()
    return {AHEAD: shares["A"] - shares["B"]}
