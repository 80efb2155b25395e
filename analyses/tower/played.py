"""What the study `tower` plays and measures: tables of four alike, and pairs of policies in every seating."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, Play
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values
from wallsim.studies.study import Choices, Storage
from wallsim.studies.two_lines import plays_of

from .defence import battles_by_size, gain_as_met, recast, typical_mix

EXPERIMENT = Path(__file__).with_name("experiment.toml")
PAIRS = {"fighting": ("conqueror", "builder"), "watchful": ("balanced", "heedless")}
PAIR_WINS = {pair: f"{one} against {other}" for pair, (one, other) in PAIRS.items()}
PAIR_POINTS = {"watchful": "balanced above heedless"}
ATTACKS, PLAYERS_WON, CHANGING, LEAD = (
    "attacks on players", "success against players", "counties changing hands", "first above last"
)  # fmt: skip
RECAST_GAIN, GAIN_AS_MET = "one more defender, recast", "one more defender, as met"
ALIKE = "alike"  # four equal policies
OTHERS = 5  # other plays get 1/OTHERS of the blocks of middling play
RECAST, MIN_RECAST = 25, 300  # attacks are recast in 1/RECAST of the blocks, at least MIN_RECAST for an interval
Measures = dict[Cell, dict[str, Estimate]]  # by cell, then by outcome


class Design(NamedTuple):
    """The blocks, None for those of the experiment, and the plays."""

    games: int | None
    plays: tuple[Play, ...]


def design(choices: Choices) -> Design:
    """What is played. InputError for an unknown policy, or for one that occurs twice."""
    return Design(choices.games, plays_of(choices))


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: every run's experiment and the plays."""
    every = {"/".join(cell): each for cell, each in experiments(design).items()}
    tables = {cell: [each[ALIKE], recasts(each[ALIKE])] for cell, each in every.items() if ALIKE in each}
    pairs = {f"{cell}/{seats}": one for cell, each in every.items() for seats, one in each.items() if seats != ALIKE}
    return {"tables": tables, "meetings": pairs, "plays": design.plays}


def experiments(design: Design) -> dict[Cell, dict[str, Experiment]]:
    """The experiments of every cell: ALIKE that of four equal policies, or by the seats of the first of a pair.

    The middling play has all blocks and records its battles, the others have fewer. InputError for an unknown policy.
    """
    count, seated = design.games or load_experiment(EXPERIMENT).games, {}
    for play in design.plays:
        whole = play.strength == MIDDLING
        games = count if whole else -(-count // OTHERS)
        seated[play.name] = {ALIKE: {"policies": play.policy, "games": games, "battles": whole}}
    for pair, names in PAIRS.items():
        ways = {"".join(str(seat) for seat in range(4) if way[seat] == names[0]): way for way in seatings(*names)}
        seated[pair] = {seats: {"policies": [*way], "games": count, "battles": False} for seats, way in ways.items()}
    result = {}
    for name, setup, tower in product(seated, SETUPS, TOWERS):
        place = {"tower": tower, "setup": setup, **({"lineups": []} if setup == "draft" else {})}
        tables = {seats: load_experiment(EXPERIMENT, {**keys, **place}) for seats, keys in seated[name].items()}
        result[Cell(name, tower, setup)] = tables
    return result


def recasts(experiment: Experiment) -> int:
    """The number of games whose attacks are recast."""
    return min(experiment.games, max(MIN_RECAST, experiment.games // RECAST))


def measure(design: Design, storage: Storage) -> Measures:
    """Play the missing runs and estimate every outcome in every cell."""
    found: dict[Cell, dict[str, Estimate]] = {}
    sizes = {}
    for cell, tables in experiments(design).items():
        folder = storage.folder / cell.play.replace(" ", "-") / cell.tower / cell.setup
        runs = {seats: play_run(each, folder / seats) for seats, each in tables.items()}
        if ALIKE not in tables:
            wins, points = versus(list(runs.values()), PAIRS[cell.play][0])
            found[cell] = {PAIR_WINS[cell.play]: wins * 100}
            if cell.play in PAIR_POINTS:
                found[cell][PAIR_POINTS[cell.play]] = points
        else:
            again = recast(tables[ALIKE], recasts(tables[ALIKE]))
            found[cell] = {**of_table(runs[ALIKE]), RECAST_GAIN: again.gain() * 100}
            if tables[ALIKE].battles:
                sizes[cell] = battles_by_size(runs[ALIKE])
    mix = typical_mix([fought for cell, (fought, _) in sizes.items() if cell.setup == "lineup"])
    for cell, size in sizes.items():
        found[cell][GAIN_AS_MET] = gain_as_met(*size, mix) * 100
    return found


def of_table(run: Run) -> dict[str, Estimate]:
    """The outcomes of a run of four equal policies; without those of line-ups in a draft."""
    letter_a = pl.col("lineup").cast(pl.String).fill_null("") == "A"
    games = block_values(
        run.scan("seats"), run.manifest["games"], attacks=pl.col("attacks").sum(), won=pl.col("attacks_won").sum(),
        on_players=pl.col("attacks_on_players").sum(), won_from_players=pl.col("attacks_on_players_won").sum(),
        lost=pl.col("times_attacked_lost").sum() + pl.col("revolts_lost").sum(),
        spread=pl.col("vp").max() - pl.col("vp").min(),
        line_up_a=pl.col("win").filter(letter_a).sum(),
    )  # fmt: skip
    on_neutrals, won_neutrals = games["attacks"] - games["on_players"], games["won"] - games["won_from_players"]
    result = {
        ATTACKS: block_mean(games["on_players"]),
        PLAYERS_WON: block_ratio(games["won_from_players"], games["on_players"]) * 100,
        "success against neutrals": block_ratio(won_neutrals, on_neutrals) * 100,
        CHANGING: block_mean(games["lost"]),
        LEAD: block_mean(games["spread"]),
    }
    if run.manifest["experiment"]["identity"]["setup"] == "lineup":
        result["line-up A"] = block_mean(games["line_up_a"]) * 100
    return result


def seatings(one: str, other: str, players: int = 4) -> list[tuple[str, ...]]:
    """Every way to give half of the seats to one policy and half to the other, as one policy per seat.

    Over all of them each policy has every seat, and so every line-up, equally often. ValueError for an odd number of
    players.
    """
    if players % 2:
        raise ValueError(f"players: {players} seats cannot be divided equally between two policies")
    return [
        tuple(one if seat in seats else other for seat in range(players))
        for seats in combinations(range(players), players // 2)
    ]


def versus(runs: Sequence[Run], one: str) -> tuple[Estimate, Estimate]:
    """The results of one policy against the other half of the table, over runs with different seatings.

    First the total share of wins of the seats of `one`, a win shared by k counting 1/k: one half if the policies are
    equal. Then the mean victory points of a seat of `one` minus those of a seat of the other. A block is a game number
    with its games of all runs; all runs must have the same games.
    """
    wins, ahead = [], []
    side = pl.when(pl.col("policy").cast(pl.String) == one)
    for run in runs:
        sums = block_values(
            run.scan("seats"),
            run.manifest["games"],
            wins=side.then(pl.col("win")).otherwise(0).sum(),
            lead=side.then(pl.col("vp")).otherwise(-pl.col("vp")).sum(),
        )
        wins.append(sums["wins"])
        ahead.append(sums["lead"] / (run.manifest["experiment"]["identity"]["players"] / 2))
    return block_mean(np.mean(wins, axis=0)), block_mean(np.mean(ahead, axis=0))
