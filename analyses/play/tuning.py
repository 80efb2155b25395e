"""The search for the best play of a seat that follows a saying: its other weights are tuned for its table.

    python -m wallsim.analyses.play.tuning DIR

searches in folders of DIR: for each table without a habit, and with every habit that costs points there in games of
their own. It writes the policies into the folder `tuned` beside this file, and searches those alone that are not there.
The same command resumes an interrupted search. A search takes 3 to 7 CPU minutes, all take some three CPU hours.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.folder.commit import write_whole
from wallsim.folder.search_kinds import RESPONSES
from wallsim.folder.work_folder import WorkFolder
from wallsim.play.parallel import default_workers
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.rules.terms import ROUNDS
from wallsim.searches.tuning.coordinates import (
    coordinates_of,
    every_group,
    phase_weights_named,
    phases_named,
    tuned_weights,
)
from wallsim.searches.tuning.outcome import policy_text
from wallsim.searches.tuning.session import Session
from wallsim.searches.tuning.settings import Settings
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.cache import Cache
from wallsim.studies.scope import PLAYERS
from wallsim.studies.scope import THREE_TABLES as TABLES
from wallsim.studies.study import Storage

from .changes import HABITS, POINTS, SHOWN, Habit, Table, at_table, tuned_file

GENERATIONS = 101  # 3 to 7 CPU minutes
GAMES, POPULATION, STEP, LEAD_WEIGHT = 480, 20, 0.15, 0.01  # as a best response is searched
SEED = 2_611  # of no other games
PILOT = 20  # batches of games, by which a habit is known to cost points
FEWEST = 240  # held-out games, which nothing reports: the study's own games judge the policies


@dataclass(frozen=True)
class HabitSettings(Settings):
    """The settings of a search in which every candidate has a habit, whatever its weights are; None for no habit."""

    habit: Habit | None = None

    def policy(self, name: str, weights: dict[str, float]) -> Policy:
        """The starting policy with other values of the tuned weights, and with the habit."""
        plain = super().policy(name, weights)
        return plain if self.habit is None else replace(self.habit.of(plain), name=name)

    def identity(self) -> dict[str, Any]:
        """All settings in types of JSON, the habit among them."""
        habit = {} if self.habit is None else {"habit": json.loads(json.dumps(self.habit.identity()))}
        return super().identity() | habit


def settings_of(cell: Cell, name: str | None) -> HabitSettings:
    """The settings at a table with a habit, or without one.

    All weights that have an effect in these games, by round, but for those that the habit sets.
    """
    experiment, habit = at_table(PLAYERS, cell), None if name is None else HABITS[name]
    base, rulesets = experiment.components().policies[0], [experiment.ruleset()]
    weights, rounds = tuned_weights(base, rulesets, every_group(rulesets), []), phases_named(["rounds"])
    coordinates = coordinates_of(base, weights, rounds, phase_weights_named(weights, rounds, None))
    settings = HabitSettings(
        experiment, base, coordinates, (base,), (("beaten", base),), GAMES, POPULATION, SEED, STEP, LEAD_WEIGHT, FEWEST,
        check_every=1_000_000, self_play=False, habit=habit,
    )  # fmt: skip

    def moves(one: Any) -> bool:  # a weight in some round below the habit
        low, high = (settings.policy("", {one.name: bound}) for bound in (one.low, one.high))
        return any(low.weights_in(place) != high.weights_in(place) for place in range(ROUNDS))

    return replace(settings, weights=tuple(filter(moves, coordinates)))


def search(cell: Cell, name: str | None, folder: Path, workers: int) -> dict[str, Any]:
    """Search, or go on with what the folder has; returns the result in types of JSON."""
    settings = settings_of(cell, name)
    folder.mkdir(parents=True, exist_ok=True)
    with WorkFolder(folder, RESPONSES, settings.identity()) as store:
        session = Session(settings, workers, clock=time.process_time)
        for key, facts in session.parts(store.facts, lambda history: len(history.generations) >= GENERATIONS):
            store.record(key, facts)
        return session.finish(tuned_file(cell, name).stem) | {"seconds": session.history.seconds}


def policy_file(cell: Cell, name: str | None, result: dict[str, Any]) -> str:
    """The text of the policy file of a result: the weights alone, without the code of a habit."""
    base, packages = load_policy(at_table(PLAYERS, cell).policies[0]), result["packages"]
    policy = replace(base, name=tuned_file(cell, name).stem, weights=result["weights"], phases=result["phases"])
    habit = "without a habit" if name is None else f"with the habit: {name}"
    comments = [
        f"Made by: python -m wallsim.analyses.play.tuning DIR. Tuned {habit}, in one seat among others of "
        f"`{base.name}` with the set-up {cell.setup} and the tower {cell.tower}, by CMA-ES: {GENERATIONS} generations "
        f"of {POPULATION} candidates with {GAMES} games each, seed {SEED}, {result['seconds'] / 60:.1f} CPU minutes; "
        f"cma {packages['cma']}, engine version {ENGINE_VERSION}. The result is {result['chosen']}."
    ]
    return policy_text(policy, f"`{base.name}` tuned {habit}, for one seat among others of `{base.name}`.", comments)


def costs(cell: Cell, storage: Storage) -> Iterator[str]:
    """The habits that cost an untuned seat of a table points, in games of the search's seed."""
    table = Table(at_table(PLAYERS, cell).changed(seed=SEED), PILOT, storage)
    for name, habit in HABITS.items():
        changes = table.changed("changed habit", {"habit": habit.identity()}, habit.of, {SHOWN: habit.measure})
        ends = block_mean(changes[POINTS]).interval(Confidence(n_comparisons=len(HABITS)))
        if ends is not None and ends[1] < 0:
            yield name


def main(folder: Path) -> None:
    """Search all that is missing, and write the policy files."""
    workers = default_workers()
    for cell in TABLES:
        for name in (None, *costs(cell, Storage(folder, Cache(folder), workers))):
            file = tuned_file(cell, name)
            if not file.is_file():
                result = search(cell, name, folder / file.stem, workers)
                write_whole(file, policy_file(cell, name, result).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
