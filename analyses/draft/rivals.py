"""Table drafters against each other: what one more of them gains, and a response to them.

Every set of seats drafts by the table of its kind of play, the others by default, in drafts of the same numbers. So a
seat that changes to the table is compared with itself, by how many others draft by the table. The response is a table
that is estimated from drafts in which all seats go by the first one, and is tried on drafts of another seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.policies.policy import Policy
from wallsim.runs.experiment import Experiment
from wallsim.studies.cache import Cache

from .cells import DRAFT, OTHERS, PLAYERS, Scope, in_cell
from .deals import Deals, Ground, apart, in_parts, points_of, started
from .drafters import by_table, played, table_of
from .pairs import groups_of
from .worth import PickTable, Worths, estimated

BLOCKS: Mapping[int, int] = {3: 4_800, 4: 4_800, 5: 1_200}  # draft numbers, each with all sets of seats
FITTED, JUDGED = 2, 3  # from the seed of drafts to that of the response's drafts, and to that of those that judge


class Gains(NamedTuple):
    """What one more table drafter gains, by number of others who draft by the table, float64 [others, blocks].

    `points` are above the table's mean and `wins` in percentage points, each against the same seat drafting by default.
    `means` are a seat's mean points by number of table drafters, [players + 1, blocks].
    """

    points: np.ndarray
    wins: np.ndarray
    means: np.ndarray


class Response(NamedTuple):
    """A table that was estimated from drafts by `first`, and what it gains among those who draft by that, [blocks]."""

    first: PickTable
    table: PickTable
    points: np.ndarray
    wins: np.ndarray


class Rivals(NamedTuple):
    """What table drafters gain, by number of players and play; and the responses with four players, by play."""

    gains: dict[tuple[int, str], Gains]
    responses: dict[str, Response]


def plays_of_rivals(scope: Scope) -> list[str]:
    """The plays of casual and of experienced players; in a quick look those of them that there are."""
    return [play for group in groups_of(scope).values() for play in group]


def sizes_of_rivals(scope: Scope) -> tuple[int, ...]:
    """The numbers of players; in a quick look four alone."""
    return (PLAYERS,) if scope.quick else (PLAYERS, *OTHERS)


def blocks_of_rivals(scope: Scope, players: int) -> int:
    """How many draft numbers are played with every set of seats."""
    return min(scope.matches, BLOCKS[players])


def in_table(scope: Scope, play: str, players: int, shift: int) -> Experiment:
    """Drafts of a play under the first tower; `shift` is FITTED or JUDGED."""
    experiment = in_cell(Cell(play, scope.towers[0], DRAFT), players)
    return experiment.changed(seed=experiment.seed + shift)


def rivals_of(
    scope: Scope, worths: Mapping[int, Worths], files: Path, cache: Cache, workers: int | None = None
) -> Rivals:
    """Play all tables; the drafters' files of code are written into the folder `files`."""
    result = Rivals({}, {})
    for players, play in product(sizes_of_rivals(scope), plays_of_rivals(scope)):
        ground, of_size = worths[players].ground, worths[players]
        first = of_size.table(of_size.of_play(play))
        name = f"{play.replace(' ', '-')}-{players}p"
        drafter = by_table(first, ground, files / f"{name}.py")
        experiment, games = in_table(scope, play, players, JUDGED), blocks_of_rivals(scope, players)
        result.gains[players, play] = gains_of(experiment, drafter, games, cache, workers)
        if players == PLAYERS:
            table = response_to(in_table(scope, play, players, FITTED), drafter, scope.deals, cache, workers)
            response = by_table(table, ground, files / f"{name}-response.py")
            gained = response_gains(experiment, drafter, response, games, cache, workers)
            result.responses[play] = Response(first, table, *gained)
    return result


def gains_of(experiment: Experiment, drafter: Policy, games: int, cache: Cache, workers: int | None = None) -> Gains:
    """What one more seat gains that drafts as `drafter` does, over all seats and all sets of others who do so, too."""
    players = experiment.players

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        tables = {
            chosen: played(experiment, [drafter if each else None for each in chosen], design["games"], workers)
            for chosen in product((False, True), repeat=players)
        }
        result = {name: np.zeros((players, games)) for name in ("points", "wins")}
        means, sets = np.zeros((players + 1, games)), np.zeros(players + 1)
        changes = np.zeros(players)
        for chosen, (points, wins) in tables.items():
            others = sum(chosen)
            means[others] += points.mean(axis=1)
            sets[others] += 1
            for seat in (seat for seat in range(players) if not chosen[seat]):
                after = tables[(*chosen[:seat], True, *chosen[seat + 1 :])]
                result["points"][others] += apart(after[0])[:, seat] - apart(points)[:, seat]
                result["wins"][others] += after[1][:, seat] - wins[:, seat]
                changes[others] += 1
        return {**{name: each / changes[:, None] for name, each in result.items()}, "means": means / sets[:, None]}

    return Gains(**cache.get("table drafters", {"experiment": experiment, "games": games, "code": drafter.code}, play))


def response_to(
    experiment: Experiment, drafter: Policy, games: int, cache: Cache, workers: int | None = None
) -> PickTable:
    """The table that drafts give in which all seats draft as `drafter` does, estimated as that of dealt games."""
    arena = table_of(experiment, [drafter] * experiment.players)

    def part(first: int, count: int) -> tuple[np.ndarray, ...]:
        rows = arena.play(first, count, counties=True)
        return points_of(rows.seats, arena.seats), *started(rows.counties, count)

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        columns = zip(*in_parts(design["games"], part, workers), strict=True)
        points, owner, armies = (np.concatenate(column) for column in columns)
        return {"points": points.astype(np.int16), "owner": owner, "armies": armies}

    design = {"experiment": experiment, "games": games, "code": drafter.code}
    drafted = cache.get("drafts by a table", design, play)
    cell, points = Cell("any", experiment.tower, DRAFT), drafted["points"].astype(np.float64)
    result = estimated(Ground(experiment), Deals(drafted["owner"], drafted["armies"]), {cell: points})
    return result.table(result.fits[cell])


def response_gains(
    experiment: Experiment, drafter: Policy, response: Policy, games: int, cache: Cache, workers: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Points and wins that drafting as `response` gains one seat, where all others draft as `drafter` does; [games].

    The mean over all seats, each against itself drafting as the others do.
    """
    players = experiment.players

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        points, wins = played(experiment, [drafter] * players, design["games"], workers)
        result = {"points": np.zeros(games), "wins": np.zeros(games)}
        for seat in range(players):
            among = [response if each == seat else drafter for each in range(players)]
            after = played(experiment, among, design["games"], workers)
            result["points"] += (apart(after[0]) - apart(points))[:, seat] / players
            result["wins"] += (after[1] - wins)[:, seat] / players
        return result

    codes = {"code": drafter.code, "response": response.code}
    gained = cache.get("response", {"experiment": experiment, "games": games, **codes}, play)
    return gained["points"], gained["wins"]
