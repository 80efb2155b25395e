"""The history of a tuning: one generation after another, each with facts from which it is resumed.

The search is CMA-ES (Hansen and Ostermeier 2001) over weights and weights by phase, scaled by their sizes, with bounds
and its own random numbers; the implementation is pycma's, with its BoundTransform for the bounds.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from wallsim.errors import RunError
from wallsim.folder.receipts import Facts, Key
from wallsim.folder.search_kinds import CHECK, GENERATION
from wallsim.folder.work_folder import OTHER_VERSIONS
from wallsim.searches.tuning.coordinates import Coordinate, starting_values
from wallsim.searches.tuning.evaluation import Evaluator
from wallsim.searches.tuning.samples import Pool, seed_for
from wallsim.searches.tuning.settings import Settings

# The scale of a weight is its size, limited to these fractions of its range: weights near 0 can move, and weights with
# wide bounds do not jump.
MIN_UNIT, MAX_UNIT = 0.05, 0.5
# With more coordinates than this only their variances are learned (sep-CMA-ES: Ros and Hansen 2008), which takes of the
# order of n instead of n squared candidates.
MAX_CORRELATED = 60


class Search:
    """CMA-ES over some weights from starting values; scores are maximised.

    `step` is the first standard deviation in units of each weight's size. All random numbers come from
    `seed`, not from NumPy's global state, so a search with the same scores proposes the same weights.
    """

    def __init__(
        self, weights: Sequence[Coordinate], start: Mapping[str, float], *, step: float, population: int, seed: int
    ) -> None:
        """Start a search; the bounds are those of the weights. `start` has a value for each by name."""
        self._names = [weight.name for weight in weights]
        first, low, high = (
            np.array(numbers, dtype=float)
            for numbers in ([start[name] for name in self._names], [w.low for w in weights], [w.high for w in weights])
        )
        self._units = np.clip(np.abs(first), MIN_UNIT * (high - low), MAX_UNIT * (high - low))
        self._low, self._high = low, high
        self._asked: list[Any] = []
        rng = np.random.default_rng(seed)
        options = {
            "bounds": [list(low / self._units), list(high / self._units)],
            "popsize": population,
            "CMA_diagonal": len(self._names) > MAX_CORRELATED,
            "seed": nan,  # does not touch NumPy's global state
            "randn": lambda *shape: rng.standard_normal(shape),
            "verbose": -11,  # no files are read or written
            "verb_log": 0,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pycma warns about its own options
            import cma

            self._strategy = cma.CMAEvolutionStrategy(first / self._units, step, options)

    def ask(self) -> list[dict[str, float]]:
        """The weights of a generation's candidates, by name."""
        self._asked = self._strategy.ask()
        return [self._by_name(point) for point in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """Update the search with the scores of the last candidates, in their order; higher is better."""
        self._strategy.tell(self._asked, [-score for score in scores])

    def digest(self) -> str:
        """The first 16 hexadecimal digits of the sha256 of the last candidates."""
        return hashlib.sha256(np.array(self._asked).tobytes()).hexdigest()[:16]

    def mean(self) -> dict[str, float]:
        """The mean of the distribution, by name."""
        return self._by_name(self._strategy.result.xfavorite)

    @property
    def step(self) -> float:
        """The current standard deviation of the search, a mean over all directions, in units of the weights' sizes."""
        return float(self._strategy.sigma * np.sqrt(np.mean(self._strategy.sm.variances)))

    def _by_name(self, point: np.ndarray) -> dict[str, float]:
        # Rounding may move a point slightly past its bound.
        values = np.clip(np.asarray(point) * self._units, self._low, self._high)
        return {name: float(value) for name, value in zip(self._names, values, strict=True)}


# Plays the held-out games of a check; its arguments are the mean's weights and the number of generations so far.
Check = Callable[[dict[str, float], int], list[dict[str, Any]]]


class History:
    """A search for weights, generation by generation, as far as it is known or played.

    The facts of a generation are the digest of its candidates and their scores; the mean of the distribution before the
    update, with its score, its share of wins and the standard error in the same games; and whether the mean joined the
    pool. `generations` are these facts in order, `checks` the findings of checks by the number of generations before.
    """

    def __init__(self, settings: Settings, evaluator: Evaluator, clock: Callable[[], float] | None = None) -> None:
        """Begin a search; with a `clock` each generation has the seconds that it took by this clock, as `cpu`."""
        self.settings = settings
        self._evaluator = evaluator
        self._clock = clock
        self._games_seed = seed_for(settings.seed, "search")
        self._search = Search(
            settings.weights,
            starting_values(settings.start, settings.weights),
            step=settings.step,
            population=settings.population,
            seed=seed_for(settings.seed, "candidates"),
        )
        self.pool = Pool(
            settings.members, settings.seats, settings.seed, len(settings.experiments), grows=settings.self_play
        )
        self.generations: list[Facts] = []
        self.checks: dict[int, list[dict[str, Any]]] = {}

    def parts(
        self, known: Mapping[Key, Facts], least: int, is_enough: Callable[[History], bool], check: Check
    ) -> Iterator[tuple[Key, Facts]]:
        """Take in what is known, and play what is missing of it and after it, which is yielded.

        It ends after `least` generations and all that are known, as soon as `is_enough`. RunError if the search
        proposes other candidates than a known generation has; nothing that was played since the one before is yielded.
        """
        least = max([least, *(int(number) + 1 for word, number in known if word == GENERATION)])
        new: list[tuple[Key, Facts]] = []
        while True:
            done = len(self.generations)
            due = done > 0 and done % self.settings.check_every == 0 and done not in self.checks
            key: Key = (CHECK, done) if due else (GENERATION, done)
            facts = known.get(key)
            if facts is None:
                if not due and done >= least and is_enough(self):
                    break
                facts = {"findings": check(self._search.mean(), done)} if due else self._timed()
                new.append((key, facts))
            elif not due:
                self._compare(facts, done)
            if due:
                self.checks[done] = facts["findings"]
            else:
                self._take(facts)
            if len(self.generations) >= least or (key in known and not due):
                yield from new
                new.clear()
        yield from new

    @property
    def seconds(self) -> float:
        """The seconds of all generations so far by the clock."""
        return float(sum(facts.get("cpu", 0.0) for facts in self.generations))

    def means(self) -> list[dict[str, float]]:
        """The mean of the distribution before each generation, and the current one."""
        return [*(facts["mean"] for facts in self.generations), self._search.mean()]

    def _timed(self) -> Facts:
        if self._clock is None:
            return self._play()
        began = self._clock()
        facts = self._play()
        return {**facts, "cpu": round(self._clock() - began, 3)}

    def _play(self) -> dict[str, Any]:
        settings, turn = self.settings, len(self.generations)
        asked, mean = self._search.ask(), self._search.mean()
        policies = [settings.policy(f"candidate {place}", weights) for place, weights in enumerate([*asked, mean])]
        tables = self.pool.tables(settings.blocks, turn)
        *samples, of_mean = self._evaluator.play(policies, tables, self._games_seed)
        return {
            "asked": self._search.digest(),
            "scores": [
                sample.score(settings.lead_weight) - settings.penalty(weights)
                for sample, weights in zip(samples, asked, strict=True)
            ],
            "mean": mean,
            "score": of_mean.score(settings.lead_weight) - settings.penalty(mean),
            "share": of_mean.share,
            "error": of_mean.error,
            "step": self._search.step,
            "joined": self.pool.note(of_mean.share, of_mean.error),
        }

    def _compare(self, facts: Facts, done: int) -> None:
        self._search.ask()
        if facts["asked"] != self._search.digest():
            raise RunError(
                f"the search proposes other candidates than the journal's generation {done}; its packages may have "
                f"other versions, and nothing is lost; {OTHER_VERSIONS}"
            )
        self.pool.note(facts["share"], facts["error"])

    def _take(self, facts: Facts) -> None:
        self._search.tell(facts["scores"])
        if facts["joined"]:
            self.pool.join(self.settings.policy(f"generation {len(self.generations)}", facts["mean"]))
        self.generations.append(facts)
