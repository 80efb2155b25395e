"""Drafters: policies that pick by a rule of their own, and leave all else to the policy whose seat they take.

Two files of code, `random_drafter.py` and `table_drafter.py`, answer the draft's questions as any custom policy does.
The second goes by a table, which is written into a copy of it, since the file of a policy is self-contained.

Rivals: every set of seats drafts by the table of its kind of play, the others by default, in drafts of the same
numbers. So a seat that changes to the table is compared with itself, by how many others draft by the table. The
response is a table that is estimated from drafts in which all seats go by the first one, and is tried on drafts of
another seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena, Tables
from wallsim.errors import InputError
from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.rules.terms import COUNTIES
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.commit import write_whole
from wallsim.stats.blocks import block_mean
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.study import Storage

from .cells import DRAFT, PLAYERS, Scope, in_cell
from .deals import BORDER, NEIGHBOURS, Deals, Ground, apart, played, points_of, started, wins_of
from .worth import PickTable, Worths, estimated

DRAFTERS = RANDOM, YIELDS, ALONE, WITH_OWN, TABLE, SAME = (
    "random picks", "printed yields", "the table without neighbours", "the table with own neighbours", "the table",
    "a table of the same play",
)  # fmt: skip
RANDOM_CODE, TABLE_CODE = (Path(__file__).with_name(f"{name}_drafter.py") for name in ("random", "table"))
_BEGIN, _END = "# The table: ", "# End of the table."
FITTED, JUDGED = 2, 3  # from the seed of drafts to that of the response's drafts, and to that of those that judge
ONE_MORE = {"points": "one-more-by-the-table", "wins": "one-more-by-the-table-in-wins"}
RESPONSE = {"points": "response", "wins": "response-in-wins"}
ALL_LESS_NONE, SAME_WORTHS, BORDERS = "all-by-the-table", "response-correlation", "response-border"
TABLES = ("the table", "the response")


def by_table(table: PickTable, ground: Ground, path: Path) -> Policy:
    """Picks by a table, which is written into a file of code at `path` for the ground that it was estimated on.

    Worths hold with neighbours as a deal brings them; the file counts neighbours itself, so the expected ones are taken
    out. A border costs both its seats, so what it costs against the table's mean is less than what it costs.
    InputError for a table of other counties.
    """
    if set(table.counties) != set(ground.names):
        raise InputError("picks: the table is of other counties than those in play")
    each = np.array([table.neighbours[name] for name in NEIGHBOURS])
    worth = np.zeros(COUNTIES)
    worth[ground.counties] = [table.counties[name] for name in ground.names] - each @ ground.expected
    own, foreign, region = each
    foreign *= (ground.players - 2) / (ground.players - 1)
    numbers = ", ".join(f"{value:.6f}" for value in worth)
    text = TABLE_CODE.read_text("utf-8")
    begin, end = text.index("\n", text.index(_BEGIN)) + 1, text.index(_END)
    lines = f"WORTH = np.array([{numbers}])\n"
    lines += f"OWN_NEIGHBOUR, OTHER_NEIGHBOUR, SAME_REGION = {own:.6f}, {foreign:.6f}, {region:.6f}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (text[:begin] + lines + text[end:]).encode())
    return read_policy(path)


def yields_of(ground: Ground) -> PickTable:
    """A table that counts the printed Thalers and grain of a card, and nothing else."""
    total = ground.board.tax[ground.counties] + ground.board.grain[ground.counties]
    return PickTable(dict(zip(ground.names, map(float, total), strict=True)), dict.fromkeys(NEIGHBOURS, 0.0))


def drafting(own: Policy, drafter: Policy) -> Policy:
    """A policy that drafts as another does, and plays on as it did."""
    answers = {**own.answers, **drafter.answers}
    return replace(own, name=f"{drafter.name} {own.name}", answers=answers, code=own.code + drafter.code)


def table_of(experiment: Experiment, drafters: Sequence[Policy | None]) -> Arena:
    """A table where each seat drafts as its drafter does, None for its own policy, and plays on as its policy does."""
    parts = experiment.components()
    policies = (own if each is None else drafting(own, each)
                for own, each in zip(parts.policies, drafters, strict=True))  # fmt: skip
    return replace(parts, policies=tuple(policies)).arena(experiment.seed)


def drafted_by(
    experiment: Experiment, drafters: Sequence[Policy | None], games: int, workers: int | None
) -> dict[str, np.ndarray]:
    """Points and wins of games from 0 on of such a table."""

    def keep(tables: Tables, _: int) -> dict[str, np.ndarray]:
        return {"points": points_of(tables, experiment.players), "wins": wins_of(tables, experiment.players)}

    return played(table_of(experiment, drafters), games, keep, workers, counties=False)


def matches(
    experiment: Experiment, drafter: Policy, games: int, storage: Storage,
    before: Mapping[str, np.ndarray] | None = None, others: Policy | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """What drafting so brings one seat against the others, the mean over all seats: `points` and `wins` by game.

    Points are those above the table's mean, wins in per cent, both less those of the same seat drafting as the others
    do: by default, or as `others`. `before` are the games without the drafter, float64 [games, seats], which else are
    played. Between equal policies these are 0 and the fair share.
    """
    seats = range(experiment.players)

    def play(facts: Mapping[str, Any]) -> dict[str, np.ndarray]:
        total = {"points": np.zeros(games), "wins": np.zeros(games)}
        one = before or drafted_by(experiment, [others for _ in seats], games, storage.workers)
        for seat in seats:
            among = [drafter if each == seat else others for each in seats]
            other = drafted_by(experiment, among, facts["games"], storage.workers)
            total["points"] += (apart(other["points"]) - apart(one["points"]))[:, seat]
            total["wins"] += (other["wins"] - one["wins"])[:, seat]
        return {name: values / experiment.players for name, values in total.items()}

    codes = {"code": drafter.code} if others is None else {"code": others.code, "response": drafter.code}
    counted = "matches" if others is None else "response"
    return storage.cache.get(counted, {"experiment": experiment, "games": games, **codes}, play)


def in_table(scope: Scope, play: str, players: int, shift: int) -> Experiment:
    """Drafts of a play under the first tower; `shift` is FITTED or JUDGED."""
    experiment = in_cell(Cell(play, scope.towers[0], DRAFT), players)
    return experiment.changed(seed=experiment.seed + shift)


def of_rivals(scope: Scope, worths: Mapping[int, Worths], files: Path, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """What one more table drafter gains by number of others, and what the responses gain; files of code in `files`."""
    for (players, games), play in product(scope.rivals.items(), scope.at_tables):
        of_size, cell = worths[players], Cell(play, scope.towers[0], DRAFT)
        first, name = of_size.table(of_size.of_play(play)), f"{play.replace(' ', '-')}-{players}p"
        drafter = by_table(first, of_size.ground, files / f"{name}.py")
        experiment = in_table(scope, play, players, JUDGED)
        gains = gains_of(experiment, drafter, games, storage)
        for what, quantity in ONE_MORE.items():
            for others, values in enumerate(gains[what]):
                yield Key(quantity, f"{others} others", players, cell), block_mean(values)
        yield Key(ALL_LESS_NONE, "", players, cell), block_mean(gains["means"][-1] - gains["means"][0])
        if players == PLAYERS:
            second = response_to(in_table(scope, play, players, FITTED), drafter, scope.deals, storage)
            response = by_table(second, of_size.ground, files / f"{name}-response.py")
            gained = matches(experiment, response, games, storage, others=drafter)
            for what, quantity in RESPONSE.items():
                yield Key(quantity, "", players, cell), block_mean(gained[what])
            one, other = ([table.counties[county] for county in first.counties] for table in (first, second))
            yield Key(SAME_WORTHS, "", players, cell), Number(float(np.corrcoef(one, other)[0, 1]))
            for item, table in zip(TABLES, (first, second), strict=True):
                yield Key(BORDERS, item, players, cell), Number(table.neighbours[BORDER])


def gains_of(experiment: Experiment, drafter: Policy, games: int, storage: Storage) -> dict[str, np.ndarray]:
    """What one more seat gains that drafts as `drafter` does, over all seats and all sets of others who do so, too.

    By number of these others, float64 [others, blocks]: `points` are above the table's mean and `wins` in percentage
    points, each against the same seat drafting by default. `means` are a seat's mean points by number of table
    drafters, [players + 1, blocks].
    """
    players = experiment.players

    def play(facts: Mapping[str, Any]) -> dict[str, np.ndarray]:
        tables = {
            chosen: drafted_by(experiment, [drafter if each else None for each in chosen], facts["games"],
                               storage.workers)
            for chosen in product((False, True), repeat=players)
        }  # fmt: skip
        result = {name: np.zeros((players, games)) for name in ("points", "wins")}
        means, sets, changes = np.zeros((players + 1, games)), np.zeros(players + 1), np.zeros(players)
        for chosen, before in tables.items():
            others = sum(chosen)
            means[others] += before["points"].mean(axis=1)
            sets[others] += 1
            for seat in (seat for seat in range(players) if not chosen[seat]):
                after = tables[(*chosen[:seat], True, *chosen[seat + 1 :])]
                result["points"][others] += apart(after["points"])[:, seat] - apart(before["points"])[:, seat]
                result["wins"][others] += after["wins"][:, seat] - before["wins"][:, seat]
                changes[others] += 1
        return {**{name: each / changes[:, None] for name, each in result.items()}, "means": means / sets[:, None]}

    return storage.cache.get("table drafters", {"experiment": experiment, "games": games, "code": drafter.code}, play)


def response_to(experiment: Experiment, drafter: Policy, games: int, storage: Storage) -> PickTable:
    """The table that drafts give in which all seats draft as `drafter` does, estimated as that of dealt games."""

    def keep(tables: Tables, count: int) -> dict[str, np.ndarray]:
        points = points_of(tables, experiment.players).astype(np.int16)
        return {"points": points, **started(tables, count)._asdict()}

    def play(facts: Mapping[str, Any]) -> dict[str, np.ndarray]:
        arena = table_of(experiment, [drafter] * experiment.players)
        return played(arena, facts["games"], keep, storage.workers)

    facts = {"experiment": experiment, "games": games, "code": drafter.code}
    found = storage.cache.get("drafts by a table", facts, play)
    cell, points = Cell("any", experiment.tower, DRAFT), found["points"].astype(np.float64)
    result = estimated(Ground(experiment), Deals(found["owner"], found["armies"]), {cell: points})
    return result.table(result.fits[cell])
