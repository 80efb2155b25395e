"""First plans at three kinds of table, by line-up; and what a frequent card changes where a seat laid another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT, Box, Opening, openings_of
from wallsim.analysis.openings.forced import Gains, forced_gains, forced_step
from wallsim.analysis.openings.plans import BID, BOXES, COUNTY, FIRST, PASS, plans_of
from wallsim.engine.arena import Tables
from wallsim.rules.terms import BUILDINGS
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.scope import CASUAL_TABLE, plays_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
# Both lines of strong play take the printed line-ups: a letter means nothing in a draft.
STRONG_TABLE = CASUAL_TABLE._replace(play=STRONG)
SECOND_TABLE = CASUAL_TABLE._replace(play=f"second {STRONG}")
TABLES = (CASUAL_TABLE, STRONG_TABLE, SECOND_TABLE)
PLAYERS, SIZES = 4, (3, 4, 5)  # players of the games that are played again with another card, and of all
BUILT = "buildings"  # county cards on the three boxes that build
FORCED_BOXES = ("palace", "church", "trading_post", "grain", "taxes", "deploy5", "combat_a")
FORCED = 12_000  # games that are played again with each card
QUICK = 400  # games of four players

Place = tuple[str, str, str]  # a letter, a box and a card


class Design(NamedTuple):
    """The numbers of players, the games at four of them, and how many are played again with each frequent card."""

    sizes: tuple[int, ...]
    games: int
    forced: int


class Result(NamedTuple):
    """By number of players and table what lies on each box, and the openings of every line-up.

    `forced` has by table and place what a forced card changes, with four players.
    """

    design: Design
    laid: dict[tuple[int, Cell], dict[str, Estimate]]
    openings: dict[tuple[int, Cell], tuple[Opening, ...]]
    forced: dict[Cell, dict[Place, Gains]]


def design(choices: Choices) -> Design:
    """What is played; a number of games is that of the games of four players at each table."""
    games = choices.games or (QUICK if choices.quick else load_experiment(EXPERIMENT).games)
    return Design((PLAYERS,) if choices.quick else SIZES, games, min(games, FORCED))


def games_of(design: Design, players: int) -> int:
    """How many games of so many players have as many plans as those of four, or a few more."""
    return -(-design.games * PLAYERS // players)


def experiment_of(design: Design, players: int, table: Cell) -> Experiment:
    """The experiment of a table: all seats play alike."""
    policy = next(play.policy for play in plays_for(players) if play.name == table.play)
    changes = {"players": players, "policies": policy, "tower": table.tower, "setup": table.setup}
    return load_experiment(EXPERIMENT, {**changes, "games": games_of(design, players)})


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    tables = {
        "/".join((str(players), *table)): experiment_of(design, players, table)
        for players in design.sizes
        for table in TABLES
    }
    return {
        "tables": tables, "games forced": design.forced, "boxes forced": FORCED_BOXES, "least": LEAST,
        "most frequent": MOST_FREQUENT,
    }  # fmt: skip


def play(design: Design, storage: Storage) -> Result:
    """Play the missing runs, count the plans, and play games of four again with the frequent cards."""
    laid, openings, forced = {}, {}, {}
    for players in design.sizes:
        for table in TABLES:
            experiment = experiment_of(design, players, table)
            run = play_run(experiment, storage.folder / f"{players}p-{table.play.replace(' ', '-')}")
            laid[players, table], openings[players, table] = laid_of(run), openings_of(run)
            if players == PLAYERS:
                forced[table] = dict(forced_of(experiment, openings[players, table], design.forced, storage))
    return Result(design, laid, openings, forced)


def laid_of(run: Run) -> dict[str, Estimate]:
    """How many first plans have a county on each box, and bid Thalers, in per cent; and the buildings of a plan.

    A block is a game, with the mean of its seats.
    """
    nothing = [PASS, COUNTY, "0 Thalers"]
    cards = {box: 100 * (~pl.col(box).is_in(nothing)).mean() for box in BOXES if box == BID}
    cards = {box: 100 * (pl.col(box) != PASS).mean() for box in BOXES if box != BID} | cards
    built = pl.sum_horizontal(*(pl.col(box) != PASS for box in BUILDINGS)).mean()
    by_game = plans_of(run, FIRST).collect().group_by("game").agg(**cards, **{BUILT: built}).sort("game")
    return {name: block_mean(by_game[name].cast(pl.Float64).to_numpy()) for name in (*BOXES, BUILT)}


def forced_of(
    experiment: Experiment, openings: tuple[Opening, ...], games: int, storage: Storage
) -> Iterator[tuple[Place, Gains]]:
    """What each frequent card of the boxes changes, by letter, box and card."""
    base = cache(lambda: experiment.arena().play(0, games, plans=True))
    letters = experiment.ruleset().letters()
    for opening in openings:
        assert opening.lineup is not None  # the experiment has line-ups
        seat = letters.index(opening.lineup)
        for box in opening.boxes:
            for card in to_force(box):
                yield (opening.lineup, box.box, card), _gains(experiment, base, seat, box.box, card, games, storage)


def to_force(box: Box) -> list[str]:
    """The cards of a box that are played again: the most frequent ones, if any plan has another."""
    if box.box not in FORCED_BOXES or len(box.choices) == 1:
        return []
    return [choice.card for choice in box.frequent]


def _gains(
    experiment: Experiment, base: Callable[[], Tables], seat: int, box: str, card: str, games: int, storage: Storage
) -> Gains:
    def played(_: object) -> dict[str, np.ndarray]:
        gains = forced_gains(experiment, base(), seat, box, card)
        return {"vp": gains.vp, "wins": gains.wins, "others": np.array([gains.same, gains.not_laid])}

    facts = {"experiment": experiment, "games": games, "intervention": forced_step(seat, box, card)}
    result = storage.cache.get("forced card", facts, played)
    same, not_laid = (int(each) for each in result["others"])
    return Gains(result["vp"], result["wins"], same, not_laid)
