"""The history of a tuning: one generation after another, each recorded in the journal, from which it is resumed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.errors import RunError
from wallsim.runs.folder.line_journal import JOURNAL, OTHER_VERSIONS
from wallsim.runs.tuning.coordinates import starting_values
from wallsim.runs.tuning.journal import Journal, check_at, generation_at
from wallsim.runs.tuning.objective import Evaluator
from wallsim.runs.tuning.optimiser import Search
from wallsim.runs.tuning.pool import Pool
from wallsim.runs.tuning.samples import seed_for
from wallsim.runs.tuning.settings import Settings

# Plays the held-out games of a check; its arguments are the mean's weights and the number of generations so far.
Check = Callable[[dict[str, float], int], list[dict[str, Any]]]


class History:
    """A tuning up to the end of its journal, and its continuation.

    The line of a generation has the digest of its candidates and their scores; the mean of the distribution before the
    update, with its score, its share of wins and the standard error in the same games; and whether the mean joined the
    pool. `generations` are these lines, `checks` the lines of checks.
    """

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        evaluator: Evaluator,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Replay the journal by passing its scores to the search, up to the first line that is missing.

        RunError if the search proposes other candidates. With a `clock` each line of a generation has the seconds that
        it took by this clock, as `cpu`.
        """
        self.settings = settings
        self._journal = journal
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
        self.generations: list[dict[str, Any]] = []
        self.checks: list[dict[str, Any]] = []
        self._replay()

    def resume(self, generations: int, check: Check, report: Callable[[dict[str, Any]], None]) -> None:
        """Play up to `generations` generations, with regular checks; `report` receives each new line.

        Lines that the journal lacks are played again. RunError if they do not lead to the next one that it has; then
        nothing was changed.
        """
        while True:
            done = len(self.generations)
            if self._lacks_check():
                line = {"check": done, "findings": check(self._search.mean(), done)}
                self._journal.append(line)
                self.checks.append(line)
            elif done >= generations:
                return
            else:
                began = self._clock() if self._clock is not None else 0.0
                line = self._play()
                if self._clock is not None:
                    line["cpu"] = round(self._clock() - began, 3)
                self._journal.append(line)
                self._take(line)
            report(line)
            self._replay()

    @property
    def seconds(self) -> float:
        """The seconds of all generations so far by the clock."""
        return float(sum(line.get("cpu", 0.0) for line in self.generations))

    def means(self) -> list[dict[str, float]]:
        """The mean of the distribution before each generation, and the current one."""
        return [*(line["mean"] for line in self.generations), self._search.mean()]

    def _play(self) -> dict[str, Any]:
        settings, turn = self.settings, len(self.generations)
        asked, mean = self._search.ask(), self._search.mean()
        policies = [settings.policy(f"candidate {place}", weights) for place, weights in enumerate([*asked, mean])]
        tables = self.pool.tables(settings.blocks, turn)
        *samples, of_mean = self._evaluator.play(policies, tables, self._games_seed)
        return {
            "generation": turn,
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

    def _lacks_check(self) -> bool:
        done = len(self.generations)
        due = done % self.settings.check_every == 0 and done > 0
        return due and not any(line["check"] == done for line in self.checks)

    def _replay(self) -> None:
        """Take in the next lines that the journal has; with the last one, a journal that lacked some is whole."""
        while True:
            done = len(self.generations)
            check, line = self._journal.entry(check_at(done)), self._journal.entry(generation_at(done))
            if self._lacks_check() and check is not None:
                self.checks.append(check)
            if line is None or self._lacks_check():
                break
            self._compare(line, done)
            self.pool.note(line["share"], line["error"])
            self._take(line)
        if self._journal.pending and len(self.generations) + len(self.checks) == len(self._journal.entries):
            self._journal.repair()

    def _compare(self, line: dict[str, Any], done: int) -> None:
        self._search.ask()
        if line["asked"] != self._search.digest():
            raise RunError(
                f"{self._journal.folder}: line {self._journal.number(generation_at(done))} of {JOURNAL}: the "
                f"search proposes other candidates than the journal's generation {done}; its packages may have other "
                f"versions, and nothing is lost; {OTHER_VERSIONS}"
            )

    def _take(self, line: dict[str, Any]) -> None:
        self._search.tell(line["scores"])
        if line["joined"]:
            self.pool.join(self.settings.policy(f"generation {line['generation']}", line["mean"]))
        self.generations.append(line)
