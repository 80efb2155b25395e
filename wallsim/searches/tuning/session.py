"""A search for weights: its games, its history, its checks, the choice of the result, and the held-out games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wallsim.experiment.versions import package_version
from wallsim.folder.tuning_journal import Journal
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.searches.tuning.evaluation import Evaluator, Games, held_out, warnings_of
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
    """The settings of a search at work: the evaluator, and the history as far as the journal goes."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        workers: int,
        watch: Callable[[int], None] = lambda games: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Prepare the games; `watch` receives the number of games of each part. InputError for an illegal answer."""
        self.settings, self.journal = settings, journal
        first, *further = map(Setting, settings.experiments)
        opponents = [*settings.pool, *(policy for _, policy in settings.references)]
        for setting in (first, *further):
            setting.check_custom_policies(opponents, settings.seed)
        self.games = Games(first, workers, watch, further=further)
        self.history = History(settings, journal, self.games, clock)

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

    def games_to_come(self, generations: int) -> int:
        """The number of games up to the end of a search with this many generations."""
        settings = self.settings
        at_the_end = blocks_for(settings.held_out, settings.seats) * (len(settings.references) + FINALISTS)
        return self.games_missing(generations) + at_the_end * settings.seats

    def games_missing(self, generations: int) -> int:
        """The number of games of generations and checks that the journal lacks."""
        settings, lines = self.settings, self.journal.lines
        done = sum("generation" in line for line in lines)
        per_generation = settings.blocks * (settings.population + 1)
        per_check = blocks_for(-(-settings.held_out // CHECK_FRACTION), settings.seats) * len(settings.references)
        checks = generations // settings.check_every - (len(lines) - done)
        return (per_generation * (generations - done) + per_check * checks) * settings.seats

    def findings(self, policy: Policy, games: int, purpose: str, turn: int | None = None) -> list[dict[str, Any]]:
        """The fields of what held-out games find against each reference; by default with the games of the end."""
        settings = self.settings
        turn = len(self.history.generations) if turn is None else turn
        results = held_out(
            self.games, policy, settings.references,
            seats=settings.seats, games=games, seed=seed_for(settings.seed, purpose), turn=turn,
            settings=len(settings.experiments),
        )  # fmt: skip
        return [finding.fields() for finding in results]


def tune_policy(
    settings: Settings,
    journal: Journal,
    generations: int,
    *,
    name: str,
    workers: int,
    watch: Callable[[int, int], None] = lambda done, total: None,
    report: Callable[[dict[str, Any]], None] = lambda line: None,
) -> tuple[History, dict[str, Any]]:
    """Play the missing part of a tuning; returns its history, and its result in types of JSON.

    `watch` receives the number of games played and the number of games planned, `report` receives each new line of the
    journal.
    """
    session, planned = _session(settings, journal, workers, watch)
    history = session.history
    planned.append(session.games_to_come(generations))
    history.resume(generations, session.check, report)
    result = session.finish(name)
    return history, {
        **result,
        "pool": [member.identity() for member in history.pool.members],
        "warnings": warnings_of(result["held_out"], result["fair"]),
    }


def history_of(
    settings: Settings,
    journal: Journal,
    generations: int,
    *,
    workers: int,
    clock: Callable[[], float] | None = None,
    watch: Callable[[int, int], None] = lambda done, total: None,
    report: Callable[[dict[str, Any]], None] = lambda line: None,
) -> History:
    """The history of a finished search of so many generations; only what the journal lacks is played again.

    `clock` is that of the search, see `History`; `watch` and `report` are those of `tune_policy`.
    """
    session, planned = _session(settings, journal, workers, watch, clock)
    planned.append(session.games_missing(generations))
    session.history.resume(generations, session.check, report)
    return session.history


def _session(
    settings: Settings,
    journal: Journal,
    workers: int,
    watch: Callable[[int, int], None],
    clock: Callable[[], float] | None = None,
) -> tuple[Session, list[int]]:
    # The list gets the number of games that are planned, once it is known.
    played, planned = 0, [0]

    def count(games: int) -> None:
        nonlocal played
        played += games
        watch(played, planned[-1])

    return Session(settings, journal, workers, count, clock), planned
