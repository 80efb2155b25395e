"""First plans at three kinds of table, by line-up; and what a frequent card changes where a seat laid another one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.analysis.games.breakdown import Mean
from wallsim.analysis.openings.choices import LEAST, MOST_FREQUENT, REST, Opening, openings_of
from wallsim.analysis.openings.forced import forced_gains, forced_step
from wallsim.analysis.openings.plans import BOXES, COUNTY, FIRST, PASS, plans_of
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
    opened, forced = dict(laid), dict(laid)
    for players in design.sizes:
        for table in TABLES:
            experiment = experiment_of(design, players, table)
            run = play_run(experiment, storage.folder / f"{players}p-{table.play.replace(' ', '-')}")
            openings = openings_of(run)
            laid |= laid_of(run, players, table)
            for opening in openings:
                opened |= opening_of(opening, players, table)
            if players == PLAYERS:
                forced |= forced_of(experiment, table, openings, design.forced, storage)
    return laid | opened | forced


def laid_of(run: Run, players: int, table: Cell) -> dict[Key, Value]:
    """How many first plans have a county on each box, and bid Thalers, in per cent; and the buildings of a plan.

    A block is a game, with the mean of its seats.
    """
    nothing = [PASS, COUNTY, "0 Thalers"]  # the latter two lie on the auction box alone
    cards = {box: 100 * (~pl.col(box).is_in(nothing)).mean() for box in BOXES}
    built = pl.sum_horizontal(*(pl.col(box) != PASS for box in BUILDINGS)).mean()
    by_game = plans_of(run, FIRST).collect().group_by("game").agg(**cards, buildings=built).sort("game")
    keys = {box: Key("laid", box, players, table, SPRING) for box in BOXES}
    keys["buildings"] = Key("buildings", "", players, table, SPRING)
    return {key: block_mean(by_game[name].cast(pl.Float64).to_numpy()) for name, key in keys.items()}


def opening_of(opening: Opening, players: int, table: Cell) -> Iterator[tuple[Key, Value]]:
    """What the seat of a line-up makes, and the frequent cards of each box, with those that follow them most often.

    The intervals of the cards of a box hold together, also with those of cards that are not named.
    """
    letter, games, place = opening.lineup or "", opening.games, (players, table, SPRING)
    yield Key("lineup-vp", letter, players, table), _number(opening.vp, games)
    yield Key("lineup-wins", letter, players, table), _number(opening.wins, games, factor=100)
    for box in opening.boxes:
        among = len(box.choices)
        for choice in box.frequent:
            item = f"{letter} {box.box} {choice.card}"
            yield Key("share", item, *place), _number(Mean(choice.share, choice.share_interval), games, among, 100)
            if among > 1:  # a card of all plans has the means of the line-up
                yield Key("vp", item, *place), _number(choice.vp, choice.games, among)
                yield Key("wins", item, *place), _number(choice.wins, choice.games, among, 100)
            later = next(each for each in opening.following[box.box, choice.card] if each.box == box.box)
            for then in later.frequent[:1]:
                if then.cases >= LEAST:
                    share = Mean(then.share, then.share_interval)
                    key = Key("then", f"{item} × {then.card}", players, table, SUMMER)
                    yield key, _number(share, then.games, len(later.choices), 100)
        if others := box.choices[len(box.frequent) :]:
            part = sum(choice.cases for choice in others) / opening.cases
            share = Mean(part, wilson(part, games, Confidence(n_comparisons=among).z))
            yield Key("share", f"{letter} {box.box} {REST}", *place), _number(share, games, among, 100)


def _number(mean: Mean, n: int, among: int = 1, factor: float = 1) -> Number:
    ends = None if mean.interval is None else (factor * mean.interval[0], factor * mean.interval[1])
    return Number(factor * mean.mean, ends, n, Confidence(n_comparisons=among))


def forced_of(
    experiment: Experiment, table: Cell, openings: tuple[Opening, ...], games: int, storage: Storage
) -> dict[Key, Value]:
    """What each frequent card of a box changes, if any plan has another; None for one that too few games laid."""
    base, letters = cache(lambda: experiment.arena().play(0, games, plans=True)), experiment.ruleset().letters()
    values: dict[Key, Value] = {}
    cards = [(opening.lineup or "", box.box, choice.card) for opening in openings for box in opening.boxes
             if box.box in FORCED_BOXES and len(box.choices) > 1 for choice in box.frequent]  # fmt: skip
    for letter, box, card in cards:
        where = letters.index(letter), box, card

        def played(_: object, where: tuple[int, str, str] = where) -> dict[str, np.ndarray]:
            gains = forced_gains(experiment, base(), *where)
            return {"vp": gains.vp, "wins": gains.wins, "others": np.array([gains.same, gains.not_laid])}

        facts = {"experiment": experiment, "games": games, "intervention": forced_step(*where)}
        gains = storage.cache.get("forced card", facts, played)
        for what, each in (("vp", gains["vp"]), ("wins", 100 * gains["wins"])):
            key = Key(f"forced-{what}", f"{letter} {box} {card}", PLAYERS, table, SPRING)
            values[key] = block_mean(each) if len(each) >= LEAST else None
    return values
