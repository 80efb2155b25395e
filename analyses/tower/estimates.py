"""Which outcomes the tower changes: the tables that the study `tower` plays, and the estimates from them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import MIDDLING, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values
from wallsim.studies.study import Choices, Storage
from wallsim.studies.two_lines import plays_of

from .defence import battles_by_size, gain_as_met, typical_mix
from .pairs import seatings, versus
from .recast import recast

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BASELINE = "spielbyweb"
PAIRS = {"fighting": ("conqueror", "builder"), "watchful": ("balanced", "heedless")}
PAIR_WINS = {pair: f"{one} against {other}" for pair, (one, other) in PAIRS.items()}
PAIR_POINTS = {"watchful": "balanced above heedless"}
OTHERS = 5  # other plays get 1/OTHERS of the blocks of middling play
RECAST, MIN_RECAST = 25, 300  # attacks are recast in 1/RECAST of the blocks, at least MIN_RECAST for an interval


class Outcome(NamedTuple):
    """An outcome: its unit, the number of decimals shown, and its exact meaning."""

    unit: str
    decimals: int
    meaning: str

    @property
    def top(self) -> float | None:
        """The maximum: 100 for a share in per cent, otherwise None."""
        return 100.0 if self.unit.startswith("% of ") else None


PLAYERS_WON, RECAST_GAIN = "success against players", "one more defender, recast"
OUTCOMES = {
    "attacks on players": Outcome("per game", 2, "attacks on players' counties, all seats"),
    PLAYERS_WON: Outcome("% of attacks", 2, "attacks on players that took the county"),
    "success against neutrals": Outcome("% of attacks", 2, "attacks on neutral counties that took the county"),
    "counties changing hands": Outcome("per game", 2, "counties that seats lost, to attackers, by ties and in revolts"),
    "first above last": Outcome("VP", 2, "victory points of the first seat above the last"),
    "line-up A": Outcome("% of wins", 2, "wins of the seat with line-up A; the fair share is 25"),
    RECAST_GAIN: Outcome("% points", 2, "how much more often an attacked county holds with one more defender"),
    "one more defender, as met": Outcome(
        "% points", 2, "held more often where one more defended; 3-8 attackers, same mix"
    ),
    PAIR_WINS["watchful"]: Outcome(
        "% of wins", 2, "wins of the two `balanced` against two `heedless`; alike would be 50"
    ),
    PAIR_POINTS["watchful"]: Outcome("VP", 2, "points of a `balanced` seat above a `heedless` one at that table"),
    PAIR_WINS["fighting"]: Outcome(
        "% of wins", 2, "wins of the two `conqueror` against two `builder`; alike would be 50"
    ),
}
CLAIMS = (
    Claim("An attack on a player succeeds more often than not.", PLAYERS_WON, 50),
    Claim("The four seats lose more than eight counties in a game.", "counties changing hands", 8),
    Claim("More than ten points lie between first and last.", "first above last", 10),
    Claim("Line-up A wins more than its fair share.", "line-up A", 25),
    Claim("One more defender holds the county in over 5 more of 100 attacks.", RECAST_GAIN, 5),
    Claim("Who minds danger wins more than who does not.", "balanced against heedless", 50),
    Claim("Who minds danger scores more than who does not.", "balanced above heedless", 0),
    Claim("The fighting policy wins more than the building policy.", "conqueror against builder", 50),
)
ARM_PAIRS = tuple(combinations(TOWERS, 2))
Estimates = dict[str, dict[Cell, Estimate]]  # by outcome, then by cell


class Design(NamedTuple):
    """The blocks, None for those of the experiment, and the plays."""

    games: int | None
    plays: tuple[Play, ...]


def design(choices: Choices) -> Design:
    """What is played. InputError for an unknown policy, or for one that occurs twice."""
    return Design(choices.games, plays_of(choices))


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: every run's experiment and the plays."""
    tables = {
        "/".join(cell): [each, recasts(each)] for cell, each in uniform_tables(design.games, design.plays).items()
    }
    pairs = {
        f"{'/'.join(cell)}/{seats}": each
        for cell, by_seats in head_to_head(design.games).items()
        for seats, each in by_seats.items()
    }
    return {"tables": tables, "meetings": pairs, "plays": design.plays}


def uniform_tables(games: int | None, plays: Sequence[Play]) -> dict[Cell, Experiment]:
    """The experiment of every table of four equal policies. InputError for an unknown policy.

    The middling play has all blocks and records its battles, the others have fewer.
    """
    count = games or load_experiment(EXPERIMENT).games
    result = {}
    for play in plays:
        whole = play.strength == MIDDLING
        keys = {"policies": play.policy, "games": count if whole else -(-count // OTHERS), "battles": whole}
        for setup in SETUPS:
            for tower in TOWERS:
                result[Cell(play.name, tower, setup)] = load_experiment(EXPERIMENT, {**keys, **_place(tower, setup)})
    return result


def head_to_head(games: int | None) -> dict[Cell, dict[str, Experiment]]:
    """The experiments of the tables of two policies: by pair, tower and set-up, then by the first's seats."""
    count = games or load_experiment(EXPERIMENT).games
    result: dict[Cell, dict[str, Experiment]] = {}
    for pair, (one, other) in PAIRS.items():
        for setup in SETUPS:
            for tower in TOWERS:
                here = result.setdefault(Cell(pair, tower, setup), {})
                for policies in seatings(one, other):
                    seats = "".join(str(seat) for seat, policy in enumerate(policies) if policy == one)
                    keys = {"policies": list(policies), "games": count, "battles": False, **_place(tower, setup)}
                    here[seats] = load_experiment(EXPERIMENT, keys)
    return result


def _place(tower: str, setup: str) -> dict[str, Any]:
    return {"tower": tower, "setup": setup, **({"lineups": []} if setup == "draft" else {})}


def recasts(experiment: Experiment) -> int:
    """The number of games whose attacks are recast."""
    return min(experiment.games, max(MIN_RECAST, experiment.games // RECAST))


def play(design: Design, storage: Storage) -> Estimates:
    """Play the missing runs and estimate every outcome in every cell."""
    folder = storage.folder
    result: Estimates = {outcome: {} for outcome in OUTCOMES}
    sizes = {}
    for cell, experiment in uniform_tables(design.games, design.plays).items():
        run = play_run(experiment, _folder(folder, cell) / "alike")
        for outcome, estimate in of_table(run).items():
            result[outcome][cell] = estimate
        if experiment.battles:
            sizes[cell] = battles_by_size(run)
        result[RECAST_GAIN][cell] = recast(experiment, recasts(experiment)).gain() * 100
    for cell, experiments in head_to_head(design.games).items():
        runs = [play_run(each, _folder(folder, cell) / seats) for seats, each in experiments.items()]
        wins, points = versus(runs, PAIRS[cell.play][0])
        result[PAIR_WINS[cell.play]][cell] = wins * 100
        if cell.play in PAIR_POINTS:
            result[PAIR_POINTS[cell.play]][cell] = points
    mix = typical_mix([fought for cell, (fought, _) in sizes.items() if cell.setup == "lineup"])
    result["one more defender, as met"] = {cell: gain_as_met(*size, mix) * 100 for cell, size in sizes.items()}
    return result


def _folder(folder: Path, cell: Cell) -> Path:
    return folder / cell.play.replace(" ", "-") / cell.tower / cell.setup


def of_table(run: Run) -> dict[str, Estimate]:
    """The outcomes of a run of four equal policies; without those of line-ups in a draft."""
    letter_a = pl.col("lineup").cast(pl.String).fill_null("") == "A"
    games = block_values(
        run.scan("seats"),
        run.manifest["games"],
        attacks=pl.col("attacks").sum(),
        won=pl.col("attacks_won").sum(),
        on_players=pl.col("attacks_on_players").sum(),
        won_from_players=pl.col("attacks_on_players_won").sum(),
        lost=pl.col("times_attacked_lost").sum() + pl.col("revolts_lost").sum(),
        spread=pl.col("vp").max() - pl.col("vp").min(),
        line_up_a=pl.col("win").filter(letter_a).sum(),
    )
    on_neutrals, won_neutrals = games["attacks"] - games["on_players"], games["won"] - games["won_from_players"]
    result = {
        "attacks on players": block_mean(games["on_players"]),
        PLAYERS_WON: block_ratio(games["won_from_players"], games["on_players"]) * 100,
        "success against neutrals": block_ratio(won_neutrals, on_neutrals) * 100,
        "counties changing hands": block_mean(games["lost"]),
        "first above last": block_mean(games["spread"]),
    }
    if run.manifest["experiment"]["identity"]["setup"] == "lineup":
        result["line-up A"] = block_mean(games["line_up_a"]) * 100
    return result


def of_pair(outcome: str) -> str:
    """The pair of policies of an outcome; empty for an outcome of four equal policies."""
    return next((pair for pair in PAIRS if outcome in (PAIR_WINS[pair], PAIR_POINTS.get(pair))), "")
