"""Skill and luck: the tournaments that the study `skill` plays, and the estimates from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, strong_lines
from wallsim.analysis.tournament.effects import BOTH, CARDS, CHANCE, LINEUP, POLICY, SEAT, SUITS
from wallsim.analysis.tournament.gaps import BINS, GapBin, wins_by_gap_of
from wallsim.analysis.tournament.order import SameOrder, same_order
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.skill import Skill, skill
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.tournament.design import Design
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament
from wallsim.stats.intervals import LEVEL
from wallsim.studies.study import Choices, Option, Storage

from .sample_size import GamesNeeded, games_needed_by_neighbours

EXPERIMENT = Path(__file__).with_name("experiment.toml")
GAMES = 50_000  # of each tournament, in whole cycles of its design
SIZES = (3, 4, 5)
GRADES = tuple(f"balanced-noise-{grade}" for grade in ("02", "04", "08", "32"))
COMMON = tuple(dict.fromkeys((MIDDLING_POLICY, *GRADES, CASUAL_POLICY)))  # of the ladders of all sizes
WEAKEST = (GRADES[-1], CASUAL_POLICY)  # not in the upper ladder
STYLES = ("balanced", "builder", "conqueror", "farmer", "banker", "turtle", "raider", "opportunist")
LADDER, UPPER, ZOO = "ladder", "upper ladder", "zoo"
PARTS = (POLICY, SUITS, LINEUP, SEAT, BOTH, CARDS, CHANCE)
SHARED = ("vp", "win")


class Field(NamedTuple):
    """The results of a field of policies at tables of one size.

    The upper ladder has no separate ratings, so no bins and no neighbours.
    """

    name: str
    players: int
    skills: dict[str, Skill]
    ratings: Ratings | None
    bins: tuple[GapBin, ...]
    neighbours: tuple[GamesNeeded, ...]


class SkillStudy(NamedTuple):
    """The fields by size, and the agreement of ladders of two sizes."""

    fields: tuple[Field, ...]
    orders: dict[str, dict[tuple[int, int], SameOrder]]


STRONG = Option(
    "strong", "", "the strongest of the ladder, comma-separated; {players} is filled in (default: the strong lines)"
)


class Chosen(NamedTuple):
    """The games of each tournament, about, and the strongest of the ladder, empty for the lines of strong play."""

    games: int
    strong: tuple[str, ...]


def design(choices: Choices) -> Chosen:
    """What is played. InputError for invalid tournaments."""
    names = tuple(name.strip() for name in choices.option(STRONG).split(",") if name.strip())
    chosen = Chosen(choices.games or GAMES, names)
    tournaments(chosen.games, chosen.strong)
    return chosen


def strongest(players: int, strong: Sequence[str]) -> list[str]:
    """The strongest policies of the ladder of so many players."""
    return [name.format(players=players) for name in strong or strong_lines(players)]


def tournaments(games: int = GAMES, strong: Sequence[str] = ()) -> dict[tuple[str, int], Tournament]:
    """All tournaments of the study, by field and number of players. InputError for invalid tournaments."""
    planned = {}
    for players in SIZES:
        table = load_experiment(EXPERIMENT, {"players": players})
        ladder = tuple(dict.fromkeys((*strongest(players, strong), *COMMON)))
        for name, policies in ((LADDER, ladder), (ZOO, STYLES)):
            blocks = blocks_for(Design(len(policies), players), games)
            planned[name, players] = Tournament(policies, table, blocks)
    return planned


def blocks_for(design: Design, games: int) -> int:
    """Blocks with at least `games` games: whole cycles of the design if there is at least one, else whole blocks."""
    a_cycle = design.cycle * design.games_per_block
    return ceil(games / a_cycle) * design.cycle if games >= a_cycle else ceil(games / design.games_per_block)


def identity(chosen: Chosen) -> dict[str, Any]:
    """Everything that decides the results: engine, rules, board, tower, weights, seed and blocks."""
    facts = [{**each.identity(), "blocks": each.blocks} for each in tournaments(*chosen).values()]
    return {"tournaments": facts, "resamples": RESAMPLES, "bins": BINS, "weakest": WEAKEST}


def play(chosen: Chosen, storage: Storage) -> SkillStudy:
    """Play the missing tournaments and compute all results."""
    return estimate(
        {
            (name, players): play_tournament(
                tournament, storage.folder / f"{name}_{players}", workers=storage.workers
            ).rows()
            for (name, players), tournament in tournaments(*chosen).items()
        }
    )


def estimate(played: Mapping[tuple[str, int], pl.DataFrame], *, resamples: int = RESAMPLES) -> SkillStudy:
    """All results of the tournaments' rows, by field and number of players."""
    rows = {**played, **{(UPPER, players): without(played[LADDER, players], WEAKEST) for players in SIZES}}
    rated = {key: (each, rate(each, level=joint(len(played)), resamples=resamples)) for key, each in played.items()}
    gaps = wins_by_gap_of(rated, level=LEVEL)
    fields = []
    for name in (LADDER, UPPER, ZOO):
        for players in SIZES:
            seats = rows[name, players]
            # Simultaneous over both tables of shares, and over the win shares of all tournaments.
            level = joint(len(rows) * len(SHARED))
            shares = {result: skill(seats, result, level=level, resamples=resamples) for result in SHARED}
            ratings = None if name == UPPER else rated[name, players][1]
            bins = gaps.get((name, players), ())
            neighbours = () if ratings is None else games_needed_by_neighbours(seats, ratings)
            fields.append(Field(name, players, shares, ratings, bins, neighbours))
    ladders = {(each.name, each.players): each.ratings for each in fields if each.ratings is not None}
    orders = {name: same_order({size: ladders[name, size] for size in SIZES}, joint(2)) for name in (LADDER, ZOO)}
    return SkillStudy(tuple(fields), orders)


def joint(count: int) -> float:
    """The level of one of `count` families of intervals that hold simultaneously (Bonferroni)."""
    return 1 - (1 - LEVEL) / count


def without(rows: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The games without any of some policies."""
    return rows.filter(~pl.col("policy").cast(pl.String).is_in(list(names)).any().over("game"))
