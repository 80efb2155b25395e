"""The answer to a request for advice: the best choice against each kind of play, and how much worse others are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wallsim.analysis.advice.choice_text import Change
from wallsim.analysis.advice.decision import Decision
from wallsim.rules.other_settings import other_settings_of
from wallsim.rules.tower import load_tower
from wallsim.stats.intervals import Interval


@dataclass(frozen=True)
class AdvisedPlan:
    """A plan, or another choice, and what came of it.

    `cards` has what lies on each box, or what is chosen. `wins` is its share of wins, `behind` how much less that is
    than the share of the best plan, on the same tables, each with its interval. `changes` are the boxes on which it
    differs from the best.
    """

    cards: Mapping[str, str]
    wins: float
    wins_interval: Interval | None
    behind: float
    behind_interval: Interval | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Answer:
    """Advice against one kind of play.

    `tables` is the number of fresh tables on which all were judged, `tried` that of the plans among which was chosen.
    `plans` are the best plan and the next ones, in the order of the tables on which they were chosen. `advised` is the
    plan that is best against the first kind of play, `judged` the one that was asked about, None for none.
    """

    play: str
    policy: str
    tables: int
    tried: int
    plans: tuple[AdvisedPlan, ...]
    advised: AdvisedPlan
    judged: AdvisedPlan | None

    @property
    def best(self) -> AdvisedPlan:
        """The plan to make."""
        return self.plans[0]

    @property
    def alternatives(self) -> tuple[AdvisedPlan, ...]:
        """The three next best."""
        return self.plans[1:]


@dataclass(frozen=True)
class Advice:
    """The plan, or another choice, that a search prefers, against each kind of play, the first one's first.

    `moment` is the decision: its table, seat and season. `judged` says whose plan was judged, `yours` or `made` in the
    game, empty for none. `in_time` is False if the time ran out before all intervals were narrow enough.
    """

    moment: Decision
    policy: str
    tower: str
    seed: int
    precision: float
    level: float
    judged: str
    answers: tuple[Answer, ...]
    in_time: bool

    @property
    def kind(self) -> str:
        """The kind of the decision: a `plan`, or a `claim`, a `place` or an `attack`."""
        return self.moment.kind

    @property
    def facts(self) -> tuple[str, ...]:
        """The table of a claim, a place or an attack in sentences."""
        return self.moment.facts

    @property
    def settings(self) -> list[str]:
        """What is not the default in the game or in the search: board, tower, edition, rules and others."""
        return other_settings_of(self.moment.ruleset, self.moment.board, load_tower(self.tower))

    @property
    def best(self) -> AdvisedPlan:
        """The plan to make against the first kind of play."""
        return self.answers[0].best

    @property
    def alternatives(self) -> tuple[AdvisedPlan, ...]:
        """The three next best against the first kind of play."""
        return self.answers[0].alternatives

    @property
    def agreed(self) -> bool:
        """Whether the same plan is best against every kind of play."""
        return all(not answer.advised.changes for answer in self.answers)
