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
from wallsim.analysis.games.breakdown import Mean
from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT, REST, Box, Opening, openings_of
from wallsim.analysis.openings.forced import Gains, forced_gains, forced_step
from wallsim.analysis.openings.plans import BID, BOXES, COUNTY, FIRST, PASS, plans_of
from wallsim.engine.arena import Tables
from wallsim.rules.terms import BUILDINGS, ROUND_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import Run
from wallsim.runs.play import play_run
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence, wilson
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scope import CASUAL_TABLE, plays_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
# Both lines of strong play take the printed line-ups: a letter means nothing in a draft.
TABLES = (CASUAL_TABLE, *(CASUAL_TABLE._replace(play=play) for play in (STRONG, f"second {STRONG}")))
PLAYERS, SIZES = 4, (3, 4, 5)  # players of the games that are played again with another card, and of all
SPRING, SUMMER = ROUND_NAMES[:2]
FORCED_BOXES = ("palace", "church", "trading_post", "grain", "taxes", "deploy5", "combat_a")
FORCED = 12_000  # games that are played again with each card
QUICK = 400  # games of four players


class Design(NamedTuple):
    """The numbers of players, the games at four of them, and how many are played again with each frequent card."""

    sizes: tuple[int, ...]
    games: int
    forced: int


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
    tables = {"/".join((str(players), *table)): experiment_of(design, players, table)
              for players in design.sizes for table in TABLES}  # fmt: skip
    return {
        "tables": tables, "games forced": design.forced, "boxes forced": FORCED_BOXES, "least": LEAST,
        "most frequent": MOST_FREQUENT,
    }  # fmt: skip


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play the missing runs, count the plans, and play games of four again with the frequent cards."""
    laid: dict[Key, Value] = {}
    opened: dict[Key, Value] = {}
    forced: dict[Key, Value] = {}
    for players in design.sizes:
        for table in TABLES:
            experiment = experiment_of(design, players, table)
            run = play_run(experiment, storage.folder / f"{players}p-{table.play.replace(' ', '-')}")
            openings = openings_of(run)
            laid |= laid_of(run, players, table)
            opened |= {key: value for opening in openings for key, value in opening_of(opening, players, table)}
            if players == PLAYERS:
                forced |= forced_of(experiment, table, openings, design.forced, storage)
    return laid | opened | forced


def laid_of(run: Run, players: int, table: Cell) -> dict[Key, Value]:
    """How many first plans have a county on each box, and bid Thalers, in per cent; and the buildings of a plan.

    A block is a game, with the mean of its seats.
    """
    nothing = {box: [PASS, COUNTY, "0 Thalers"] if box == BID else [PASS] for box in BOXES}
    cards = {box: 100 * (~pl.col(box).is_in(nothing[box])).mean() for box in BOXES}
    built = pl.sum_horizontal(*(pl.col(box) != PASS for box in BUILDINGS)).mean()
    by_game = plans_of(run, FIRST).collect().group_by("game").agg(**cards, buildings=built).sort("game")
    keys = {box: Key("laid", box, players, table, SPRING) for box in BOXES}
    keys["buildings"] = Key("buildings", "", players, table, SPRING)
    return {key: block_mean(by_game[name].cast(pl.Float64).to_numpy()) for name, key in keys.items()}


def opening_of(opening: Opening, players: int, table: Cell) -> Iterator[tuple[Key, Value]]:
    """What the seat of a line-up makes, and the frequent cards of each box, with those that follow them most often.

    The intervals of the cards of a box hold together, also with those of cards that are not named.
    """
    letter, games = opening.lineup or "", opening.games
    yield Key("lineup-vp", letter, players, table), _number(opening.vp, games, Confidence())
    yield Key("lineup-wins", letter, players, table), _number(opening.wins, games, Confidence(), 100)
    for box in opening.boxes:
        sure, place = Confidence(n_comparisons=len(box.choices)), (players, table, SPRING)
        for choice in box.frequent:
            item = f"{letter} {box.box} {choice.card}"
            yield Key("share", item, *place), _number(Mean(choice.share, choice.share_interval), games, sure, 100)
            if len(box.choices) > 1:  # a card of all plans has the means of the line-up
                yield Key("vp", item, *place), _number(choice.vp, choice.games, sure)
                yield Key("wins", item, *place), _number(choice.wins, choice.games, sure, 100)
            later = next(each for each in opening.following[box.box, choice.card] if each.box == box.box)
            if later.frequent and later.frequent[0].cases >= LEAST:
                then, held = later.frequent[0], Confidence(n_comparisons=len(later.choices))
                key = Key("then", f"{item} × {then.card}", players, table, SUMMER)
                yield key, _number(Mean(then.share, then.share_interval), then.games, held, 100)
        if others := box.choices[len(box.frequent) :]:
            share = sum(choice.cases for choice in others) / opening.cases
            key = Key("share", f"{letter} {box.box} {REST}", *place)
            yield key, _number(Mean(share, wilson(share, games, sure.z)), games, sure, 100)


def _number(mean: Mean, n: int, sure: Confidence, factor: float = 1) -> Number:
    ends = None if mean.interval is None else (factor * mean.interval[0], factor * mean.interval[1])
    return Number(factor * mean.mean, ends, n, sure)


def forced_of(
    experiment: Experiment, table: Cell, openings: tuple[Opening, ...], games: int, storage: Storage
) -> dict[Key, Value]:
    """What each frequent card of the boxes changes; None for one that too few games laid."""
    base = cache(lambda: experiment.arena().play(0, games, plans=True))
    letters = experiment.ruleset().letters()
    values: dict[Key, Value] = {}
    for opening in openings:
        assert opening.lineup is not None  # the experiment has line-ups
        for box in opening.boxes:
            for card in to_force(box):
                gains = _gains(experiment, base, letters.index(opening.lineup), box.box, card, games, storage)
                for quantity, each in (("forced-vp", gains.vp), ("forced-wins", 100 * gains.wins)):
                    key = Key(quantity, f"{opening.lineup} {box.box} {card}", PLAYERS, table, SPRING)
                    values[key] = block_mean(each) if len(each) >= LEAST else None
    return values


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
