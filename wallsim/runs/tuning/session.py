"""A search in progress: its games, its history, and the held-out games of its checks and of its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.policies.catalogue import Policy
from wallsim.runs.folder.manifest import package_version
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.evaluation import held_out
from wallsim.runs.tuning.history import History
from wallsim.runs.tuning.journal import Journal
from wallsim.runs.tuning.objective import Games
from wallsim.runs.tuning.samples import GAME_PURPOSES, Table, blocks_for, seed_for
from wallsim.runs.tuning.selection import FINALISTS, rounded, select
from wallsim.runs.tuning.settings import Settings

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
