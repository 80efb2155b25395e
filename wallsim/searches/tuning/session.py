"""A search for weights: its games, its history, its checks, the choice of the result, and the held-out games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wallsim.experiment.versions import package_version
from wallsim.folder.receipts import Facts, Key
from wallsim.folder.search_kinds import CHECK, GENERATION, TUNINGS
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.searches.tuning.evaluation import Evaluator, Games, held_out
from wallsim.searches.tuning.history import History
from wallsim.searches.tuning.samples import GAME_PURPOSES, Table, blocks_for, seed_for
from wallsim.searches.tuning.settings import Settings

DECIMALS = 3  # of the written weights; the rounded weights are the ones that are evaluated
FINALISTS = 3  # maximum number
LAST_FRACTION = 4  # the finalists come from the last quarter of the generations


def rounded(weights: dict[str, float]) -> dict[str, float]:
    """The weights, rounded as they are written."""
    return {name: round(value, DECIMALS) for name, value in weights.items()}


def finalists(means: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """The candidates for the result, rounded, by a description of their origin; equal ones are included once.

    They are the last mean, the mean halfway through the last quarter of the generations, and the average of the means
    in that quarter, which reduces the noise of the games.
    """
    last = len(means) - 1
    part = max(1, len(means) // LAST_FRACTION)
    middle = max(0, last - part // 2)
    average = {name: float(np.mean([mean[name] for mean in means[-part:]])) for name in means[-1]}
    candidates = {
        f"the mean after {last} generations": means[last],
        f"the average of the last {part} means": average,
        f"the mean after {middle} generations": means[middle],
    }
    by_weights: dict[tuple[float, ...], str] = {}
    for words, weights in candidates.items():
        by_weights.setdefault(tuple(rounded(weights).values()), words)
    return {words: rounded(candidates[words]) for words in by_weights.values()}


def select(history: History, evaluator: Evaluator) -> dict[str, Any]:
    """Play the finalists against the pool in games used for nothing else, and choose the best score.

    Returns an object with `chosen` (words), `weights`, and `finalists`: share of wins and score of each.
    """
    settings = history.settings
    contest = finalists(history.means())
    policies = [settings.policy(words, weights) for words, weights in contest.items()]
    turn = len(history.generations)
    tables = history.pool.tables(blocks_for(settings.held_out, settings.seats), turn)
    samples = evaluator.play(policies, tables, seed_for(settings.seed, "selection"))
    scores = {
        words: {
            "share": sample.share,
            "error": sample.error,
            "score": sample.score(settings.lead_weight) - settings.penalty(weights),
        }
        for (words, weights), sample in zip(contest.items(), samples, strict=True)
    }
    chosen = max(scores, key=lambda words: scores[words]["score"])
    return {"chosen": chosen, "weights": contest[chosen], "finalists": scores}


CHECK_FRACTION = 4  # a check plays 1/CHECK_FRACTION of the final held-out games
_PACKAGES = ("wallsim", "cma", "numpy", "numba")


class Session:
    """The settings of a search for weights at work: its games, and its history as far as it is known or played."""

    def __init__(
        self,
        settings: Settings,
        workers: int,
        watch: Callable[[int], None] = lambda games: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Prepare the games; `watch` receives the number of games of each part. InputError for an illegal answer."""
        self.settings = settings
        first, *further = map(Setting, settings.experiments)
        opponents = [*settings.pool, *(policy for _, policy in settings.references)]
        for setting in (first, *further):
            setting.check_custom_policies(opponents, settings.seed)
        self.games = Games(first, workers, watch, further=further)
        self.history = History(settings, self.games, clock)

    def parts(
        self, known: Mapping[Key, Facts], is_enough: Callable[[History], bool], least: int = 0
    ) -> Iterator[tuple[Key, Facts]]:
        """Play what is missing of a search, see `History.parts`."""
        return self.history.parts(known, least, is_enough, self.check)

    def check(self, mean: dict[str, float], turn: int) -> list[dict[str, Any]]:
        """The held-out games of a check: a quarter of those of the end, for the mean as it would be written."""
        games = -(-self.settings.held_out // CHECK_FRACTION)
        return self.findings(self.settings.policy("mean", rounded(mean)), games, "checks", turn)

    def finish(self, name: str) -> dict[str, Any]:
        """Choose the result among the last means and play its held-out games; returns all in types of JSON.

        Held-out games evaluate the rounded weights, as they are written.
        """
        settings, generations = self.settings, len(self.history.generations)
        selection = select(self.history, self.games)
        policy = settings.policy(name, selection["weights"])
        return {
            "name": name,
            "generations": generations,
            "settings": settings.identity(),
            "packages": {package: package_version(package) for package in _PACKAGES},
            "seeds": {purpose: seed_for(settings.seed, purpose) for purpose in GAME_PURPOSES},
            **selection,
            "weights": policy.weights,
            "phases": policy.phases,
            "fair": 1 / settings.seats,
            "held_out": self.findings(policy, settings.held_out, "held-out"),
        }

    def compile(self) -> None:
        """Play a game in each setting, so that compiling takes no time of the search."""
        settings = self.settings
        opponents = (settings.start,) * (settings.seats - 1)
        tables = [Table(opponents, 0, 0, 1, place) for place in range(len(settings.experiments))]
        self.games.play([settings.start], tables, seed_for(settings.seed, "checks"))

    def games_to_come(self, known: Mapping[Key, Facts], generations: int, *, to_the_end: bool) -> int:
        """The number of games of generations and checks that are missing, and of the end."""
        settings = self.settings
        missing = [word for word, _ in TUNINGS.keys(settings.identity(), generations) if (word, _) not in known]
        check = blocks_for(-(-settings.held_out // CHECK_FRACTION), settings.seats) * len(settings.references)
        blocks = missing.count(GENERATION) * settings.blocks * (settings.population + 1) + missing.count(CHECK) * check
        at_the_end = blocks_for(settings.held_out, settings.seats) * (len(settings.references) + FINALISTS)
        return (blocks + at_the_end * to_the_end) * settings.seats

    def findings(self, policy: Policy, games: int, purpose: str, turn: int | None = None) -> list[dict[str, Any]]:
        """The fields of what held-out games find against each reference; by default with the games of the end."""
        settings = self.settings
        turn = len(self.history.generations) if turn is None else turn
        results = held_out(
            self.games, policy, settings.references,
            seats=settings.seats, games=games, seed=seed_for(settings.seed, purpose), turn=turn,
        )  # fmt: skip
        return [finding.fields() for finding in results]
