"""Searches for weights of a policy by CMA-ES, and that of a tuning, in self-play."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from wallsim.errors import InputError
from wallsim.experiment.keys import MAX_SEED, Key, decimal_key, number_key
from wallsim.folder.search_kinds import CURVE, GENERATION, MOST_GENERATIONS, PICTURE, TUNINGS
from wallsim.searches.search import (
    Names,
    Search,
    Watcher,
    listed,
    named_policy,
    needed,
    of_experiment,
    option,
    text,
    words_key,
)

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.derived import Derived
    from wallsim.folder.receipts import Facts
    from wallsim.folder.receipts import Key as Done
    from wallsim.folder.work_folder import WorkFolder
    from wallsim.policies.policy import Policy
    from wallsim.policies.weights import Weight
    from wallsim.searches.tuning.coordinates import Coordinate
    from wallsim.searches.tuning.history import History
    from wallsim.searches.tuning.settings import Settings

MAX_GAMES = 10_000_000
SETUP = words_key(
    "lineup|draft[,...]", "Set-up: printed line-ups or a draft; both share the games evenly.  [default: lineup]"
)
TOWER = words_key("NAME|FILE.toml[,...]", "The dice tower, see `wallsim towers`; several share the games evenly.")
PHASE_WEIGHTS = words_key(
    "NAME[,NAME...]|all", "Weights with a value per phase.  [default: those whose worth changes with time]"
)
POPULATION = number_key(2, 1000, 24, metavar="N", help="Candidates per generation.")
SEED = number_key(0, MAX_SEED, 1, metavar="N", help="Seed of the games and of the search.")
STEP = decimal_key(0.001, 2.0, 0.15, metavar="X", help="Initial step: standard deviation in units of a weight's size.")
LEAD_WEIGHT = decimal_key(
    0.0, 1.0, 0.02, metavar="X", help="Score per VP ahead of the best opponent, added to the share of wins."
)
HELD_OUT = number_key(
    1, MAX_GAMES, 24_000, metavar="N", help="Held-out games at the end, against each opponent; a quarter in checks."
)


def games_key(default: int) -> Key:
    """The key of the games of a candidate."""
    return number_key(1, MAX_GAMES, default, metavar="N", help="Games per candidate and generation.")


@dataclass(frozen=True, kw_only=True)
class WeightSearch(Search):
    """A search for weights of a policy by CMA-ES."""

    result_file: ClassVar[str]

    @property
    def title(self) -> str:
        """The name of the policy that is written."""
        raise NotImplementedError

    @property
    def names(self) -> Names:
        """The policy file, the learning curve as a table and as a picture, and the result."""
        policy = f"{self.title}.toml"
        return Names(self.title, self.result_file, policy, "policy_file", (policy, CURVE, PICTURE, self.result_file))

    @cached_property
    def experiments(self) -> tuple[Experiment, ...]:
        """Every set-up with every tower."""
        return self.games_of(setup=getattr(self, "setup") or None, tower=getattr(self, "tower") or None)  # noqa: B009

    def is_enough(self, history: History) -> bool:
        """Whether the search has all generations that were asked for."""
        raise NotImplementedError

    def _coordinates(self, start: Policy, weights: Sequence[Weight]) -> tuple[Coordinate, ...]:
        # What is searched: the weights, of which some have a value per phase.
        from wallsim.searches.tuning.coordinates import coordinates_of, phase_weights_named, phases_named

        phases, phase_weights = getattr(self, "phases"), getattr(self, "phase_weights")  # noqa: B009
        named = phases_named(listed(phases))
        phased = phase_weights_named(weights, named, None if phase_weights is None else listed(phase_weights))
        return coordinates_of(start, weights, named, phased)


class WeightWork:
    """A search for weights at work in a folder."""

    def __init__(
        self, search: WeightSearch, store: WorkFolder, workers: int, watch: Watcher, *, clock: bool = False
    ) -> None:
        """Prepare the games. InputError if the folder has more generations than are asked for."""
        from wallsim.searches.tuning.session import Session

        self.search, self.folder, self.known, self._watch = search, store.folder, store.facts, watch
        self._played = self.planned = 0
        self.session = Session(search.settings, workers, self._count, time.process_time if clock else None)
        most = getattr(search, "generations")  # noqa: B009
        there = max((int(number) + 1 for word, number in self.known if word == GENERATION), default=0)
        if most is not None and there > most:
            raise InputError(f"generations: {most} is less than the {there} that {store.folder} has")

    def _count(self, games: int) -> None:
        self._played += games
        if self.planned:
            self._watch.progress(self._played, self.planned)

    @property
    def history(self) -> History:
        """The history of the search."""
        return self.session.history

    @property
    def steps(self) -> int:
        """Generations."""
        return len(self.history.generations)

    def parts(self, least: int, *, go_on: bool) -> Iterator[tuple[Done, Facts, Mapping[str, bytes]]]:
        """Generations and checks, which have no files."""
        is_enough = self.search.is_enough if go_on else lambda history: True
        for key, facts in self.session.parts(self.known, is_enough, least):
            yield key, facts, {}

    def files(
        self, result: Mapping[str, Any], words: tuple[str, Sequence[str]], picture: Derived
    ) -> dict[str, Derived]:
        """The policy file with a description and comments, the curve, the result, and the picture last."""
        from wallsim.play.chunk_play import parquet
        from wallsim.policies.policy import Policy
        from wallsim.searches.tuning.outcome import curve, policy_text

        start = self.search.settings.start
        numbers = result["weights"], result["phases"], start.counties
        policy = Policy(result["name"], start.kind, *numbers, correction=start.correction)
        document = json.dumps(result, indent=2, ensure_ascii=False) + "\n"
        text, table = policy_text(policy, *words).encode(), parquet(curve(self.history), {})
        return {f"{policy.name}.toml": text, CURVE: table, self.search.result_file: document.encode(), PICTURE: picture}


@dataclass(frozen=True, kw_only=True)
class Tuning(WeightSearch):
    """A search for better weights of a policy in self-play."""

    policy: str = needed("POLICY", "The starting policy: a name or a policy file.")
    players: str | int | None = of_experiment("players")
    edition: str | None = of_experiment("edition")
    expansions: str | None = of_experiment("expansions")
    board: str | None = of_experiment("board")
    rules: tuple[str, ...] | None = of_experiment("rules")
    games: int = option(games_key(2000))
    population: int = option(POPULATION)
    seed: int = option(SEED)
    step: float = option(STEP)
    lead_weight: float = option(LEAD_WEIGHT)
    ridge: float = option(
        decimal_key(
            0.0, 1000.0, 0.0, metavar="X",
            help="Percentage points of wins that the search takes off for a weight a whole range away from that of "
            "--towards; grows with the square.",
        )
    )  # fmt: skip
    held_out: int = option(HELD_OUT)
    check_every: int = option(
        number_key(1, MOST_GENERATIONS, 10, metavar="N", help="Number of generations between checks.")
    )
    generations: int = option(
        number_key(
            1, MOST_GENERATIONS, 100, metavar="N",
            help="Total number of generations; a larger number continues a finished tuning.",
        )
    )  # fmt: skip
    setup: str | None = option(SETUP)
    tower: str | None = option(TOWER)
    weights: str = text(
        "NAME[,NAME...]|all|draft|plan",
        "Weights to tune. all: every weight with an effect in these games, but for those of the two groups. "
        "draft: those of the draft. plan: target_own to second_attack.",
        "all",
    )
    hold: str | None = text("NAME[,NAME...]", "Weights to leave unchanged.  [default: none]")
    phases: str | None = text(
        "PHASE[,PHASE...]",
        "Phases that have values of their own: rounds, years, or names such as year two.  [default: as POLICY]",
    )
    phase_weights: str | None = option(PHASE_WEIGHTS)
    pool: str | None = text("NAME[,NAME...]", "Further initial opponents.  [default: none]")
    towards: str | None = text("NAME", "The policy towards whose weights --ridge pulls.  [default: plain]")
    name: str | None = text("NAME", "Name of the tuned policy and its file.  [default: POLICY_tuned]")

    kind, command_name, result_file = TUNINGS, "tune", "tune.json"

    @property
    def title(self) -> str:
        """POLICY_tuned by default."""
        return self.name_or(f"{self.settings.start.name}_tuned")

    @cached_property
    def settings(self) -> Settings:
        """What is tuned, in which games, against whom."""
        from wallsim.searches.tuning.coordinates import tuned_weights
        from wallsim.searches.tuning.evaluation import opponents_for
        from wallsim.searches.tuning.settings import Settings

        first, *further = self.experiments
        start = named_policy("policy", self.policy)
        pool = tuple(named_policy("pool", word) for word in listed(self.pool))
        rulesets = [experiment.ruleset() for experiment in self.experiments]
        tuned = tuned_weights(start, rulesets, listed(self.weights), listed(self.hold))
        return Settings(
            experiment=first, further=tuple(further), start=start, weights=self._coordinates(start, tuned), pool=pool,
            references=opponents_for(start, pool), games=self.games, population=self.population, seed=self.seed,
            step=self.step, lead_weight=self.lead_weight, held_out=self.held_out, check_every=self.check_every,
            ridge=self.ridge, towards=self._towards(),
        )  # fmt: skip

    def _towards(self) -> Policy | None:
        # The policy towards whose weights the ridge pulls; None without a ridge.
        if self.towards is not None and not self.ridge:
            raise InputError("towards: needs --ridge")
        policy = named_policy("towards", self.towards or "plain") if self.ridge else None
        if policy is not None and not policy.weights:
            raise InputError(f"towards: {policy.name} has no weights; allowed are policies with weights")
        return policy

    def asked(self) -> dict[str, Any]:
        """The name and the number of generations."""
        return {"name": self.title, "generations": self.generations}

    def is_enough(self, history: History) -> bool:
        """Whether all generations are done."""
        return len(history.generations) >= self.generations

    def work(self, store: WorkFolder, workers: int, watch: Watcher) -> TuningWork:
        """The tuning at work."""
        return TuningWork(self, store, workers, watch)


class TuningWork(WeightWork):
    """A tuning at work in a folder."""

    search: Tuning

    def parts(self, least: int, *, go_on: bool) -> Iterator[tuple[Done, Facts, Mapping[str, bytes]]]:
        """Generations and checks; games are counted."""
        self.planned = self.session.games_to_come(self.known, self.search.generations, to_the_end=go_on)
        yield from super().parts(least, go_on=go_on)

    def result(self) -> dict[str, Any]:
        """The best of the last means, and how it fares."""
        from wallsim.searches.tuning.evaluation import warnings_of

        result = self.session.finish(self.search.title)
        return {
            **result,
            "pool": [member.identity() for member in self.history.pool.members],
            "warnings": warnings_of(result["held_out"], result["fair"]),
            "command": self.search.command,
        }
