"""Drafters: policies that pick by a rule of their own, and leave all else to the policy whose seat they take.

Two files of code, `random_drafter.py` and `table_drafter.py`, answer the draft's questions as any custom policy does.
The second goes by a table, which is written into a copy of it, since the file of a policy is self-contained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.errors import InputError
from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.rules.terms import COUNTIES
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.commit import write_whole
from wallsim.studies.cache import Cache

from .deals import NEIGHBOURS, Ground, in_parts, points_of, wins_of
from .worth import PickTable

DRAFTERS = RANDOM, YIELDS, ALONE, WITH_OWN, TABLE, SAME = (
    "random picks",
    "printed yields",
    "the table without neighbours",
    "the table with own neighbours",
    "the table",
    "a table of the same play",
)
_RANDOM_CODE, _TABLE_CODE = (Path(__file__).with_name(f"{name}_drafter.py") for name in ("random", "table"))
_BEGIN, _END = "# The table: ", "# End of the table."


def code() -> dict[str, str]:
    """The hashes of the code of both kinds of drafters."""
    return {path.stem: read_policy(path).code for path in (_RANDOM_CODE, _TABLE_CODE)}


def random_drafter() -> Policy:
    """Picks at random."""
    return read_policy(_RANDOM_CODE)


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
    text = _TABLE_CODE.read_text("utf-8")
    begin, end = text.index("\n", text.index(_BEGIN)) + 1, text.index(_END)
    lines = f"WORTH = np.array([{numbers}])\n"
    lines += f"OWN_NEIGHBOUR, OTHER_NEIGHBOUR, SAME_REGION = {own:.6f}, {foreign:.6f}, {region:.6f}\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (text[:begin] + lines + text[end:]).encode())
    return read_policy(path)


def yields_of(ground: Ground) -> PickTable:
    """A table that counts the printed Thalers and grain of a card, and nothing else."""
    total = ground.board.tax[ground.counties] + ground.board.grain[ground.counties]
    return PickTable(
        dict(zip(ground.names, map(float, total), strict=True)),
        dict.fromkeys(NEIGHBOURS, 0.0),
    )


def seated(policies: tuple[Policy, ...], drafter: Policy, seat: int) -> tuple[Policy, ...]:
    """The policies of a table where one seat drafts otherwise, and plays on as its policy did."""
    own = policies[seat]
    drafting = replace(
        own, name=f"{drafter.name} {own.name}", answers={**own.answers, **drafter.answers}, code=own.code + drafter.code
    )
    return (*policies[:seat], drafting, *policies[seat + 1 :])


def table_of(experiment: Experiment, drafters: Sequence[Policy | None]) -> Arena:
    """A table where each seat drafts as its drafter does, None for its own policy, and plays on as its policy does."""
    parts = experiment.components()
    policies = parts.policies
    for seat, drafter in enumerate(drafters):
        if drafter is not None:
            policies = seated(policies, drafter, seat)
    return replace(parts, policies=policies).arena(experiment.seed)


def played(
    experiment: Experiment, drafters: Sequence[Policy | None], games: int, workers: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Points and wins in per cent of games from 0 on of such a table, each float64 [games, seats]."""
    arena = table_of(experiment, drafters)
    rows = np.concatenate(in_parts(games, lambda first, count: arena.play(first, count).seats, workers))
    return points_of(rows, arena.seats), wins_of(rows, arena.seats)


def matches(
    experiment: Experiment,
    drafter: Policy,
    before: Mapping[str, np.ndarray],
    cache: Cache,
    workers: int | None = None,
) -> dict[str, np.ndarray]:
    """What drafting so brings one seat against the others, the mean over all seats: `points` and `wins` by game.

    Points are those above the table's mean, wins in per cent, both less those of the seat's own policy in the same
    game, which `before` has as float64 [games, seats]. Between equal policies these are 0 and the fair share.
    """
    games, seats = len(before["points"]), range(experiment.players)

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        total = {"points": np.zeros(games), "wins": np.zeros(games)}
        for seat in seats:
            drafters = [drafter if each == seat else None for each in seats]
            points, wins = played(experiment, drafters, design["games"], workers)
            total["points"] += points[:, seat] - points.mean(axis=1)
            total["points"] -= before["points"][:, seat] - before["points"].mean(axis=1)
            total["wins"] += wins[:, seat] - before["wins"][:, seat]
        return {name: values / experiment.players for name, values in total.items()}

    return cache.get("matches", {"experiment": experiment, "games": games, "code": drafter.code}, play)
