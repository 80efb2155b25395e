"""The search for a best response to a policy: one seat of the response, copies of the policy in all others.

The held-out share of wins of the response is the *exploitability* of the policy at this budget: how much of a table an
opponent takes who knows it and may prepare. It is a lower bound, since a longer or cleverer search may find more.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.experiment.keys import decimal_key, number_key
from wallsim.folder.search_kinds import GENERATION, MOST_GENERATIONS, RESPONSES
from wallsim.searches.search import Watcher, named_policy, needed, of_experiment, option, switch, text
from wallsim.searches.weights import (
    HELD_OUT,
    LEAD_WEIGHT,
    MAX_GAMES,
    PHASE_WEIGHTS,
    POPULATION,
    SEED,
    SETUP,
    STEP,
    TOWER,
    WeightSearch,
    WeightWork,
    games_key,
)

if TYPE_CHECKING:
    from wallsim.folder.receipts import Facts, Key
    from wallsim.folder.work_folder import WorkFolder
    from wallsim.policies.policy import Policy
    from wallsim.searches.tuning.history import History
    from wallsim.searches.tuning.settings import Settings

MINUTES = 10.0  # to search, if neither minutes nor generations are given
MINUTE = 60.0  # seconds
KNOWN, DRAWN = "known", "drawn"  # what a search may take the other seats for
_CHECK_EVERY = 25  # generations
_LINES, _STYLES = ("master", "expert", "strong"), ("banker", "balanced", "raider", "builder")  # of DRAWN, best first
SEARCHER = "rollout"  # the policy with the settings of the search that is measured too; also the kind of policy
_VALUE = "season-ends"  # of a search by given weights, learned from many policies: that of `rollout` fits its own


@dataclass(frozen=True, kw_only=True)
class Response(WeightSearch):
    """A search for a best response to a policy: one seat of the response, copies of the policy in all others."""

    policy: str = needed("POLICY", "The policy to beat: a name or a policy file.")
    players: str | int | None = of_experiment("players")
    edition: str | None = of_experiment("edition")
    expansions: str | None = of_experiment("expansions")
    board: str | None = of_experiment("board")
    rules: tuple[str, ...] | None = of_experiment("rules")
    population: int = option(POPULATION)
    seed: int = option(SEED)
    step: float = option(STEP)
    lead_weight: float = option(LEAD_WEIGHT)
    held_out: int = option(HELD_OUT)
    games: int = option(games_key(1000))
    minutes: float | None = option(
        decimal_key(
            0.001, 100_000.0, None, metavar="X",
            help=f"CPU minutes to search, of all cores together.  [default: {MINUTES:g}]",
        )
    )  # fmt: skip
    generations: int | None = option(
        number_key(
            0, MOST_GENERATIONS, None, metavar="N",
            help="Generations to search, instead of minutes: a result that repeats exactly. 0: no search for weights.",
        )
    )  # fmt: skip
    search_games: int = option(
        number_key(
            0, MAX_GAMES, 0, metavar="N",
            help="Games of a search (slow) in place of the response; see --search-rivals.",
        )
    )  # fmt: skip
    setup: str | None = option(SETUP)
    tower: str | None = option(TOWER)
    start: str | None = text("NAME", "The policy from whose weights the search starts.  [default: POLICY, or balanced]")
    phases: str = text("PHASE[,PHASE...]", "Phases that have values of their own: rounds, years or names.", "rounds")
    phase_weights: str | None = option(PHASE_WEIGHTS)
    search_rivals: str | None = text(
        "known|drawn",
        "For --search-games, the weights that the search expects of other seats. known: those of POLICY; "
        "drawn: a mixture of other shipped policies.  [default: as `rollout`, with the response's weights]",
    )
    features: bool = switch("Search the detailed weights of the draft and of plans, too.")
    name: str | None = text("NAME", "Name of the response.  [default: POLICY_response]")

    kind, command_name, result_file, what = RESPONSES, "exploit", "exploit.json", "search"

    def __post_init__(self) -> None:
        """Read the options. InputError for those that exclude each other."""
        super().__post_init__()
        if self.minutes is not None and self.generations is not None:
            raise InputError("minutes: cannot be combined with --generations; give one of them")
        if self.search_rivals not in (None, KNOWN, DRAWN):
            raise InputError(f"search_rivals: {self.search_rivals!r} is not one of {KNOWN}, {DRAWN}")
        if self.search_rivals is not None and not self.search_games:
            raise InputError("search_rivals: needs --search-games")
        if self.generations == 0 and self.search_rivals is None:
            raise InputError("generations: 0 leaves nothing to play; give --search-games and --search-rivals as well")

    @cached_property
    def beaten(self) -> Policy:
        """The policy in all other seats."""
        return named_policy("policy", self.policy)

    @property
    def title(self) -> str:
        """POLICY_response by default."""
        return self.name_or(f"{self.beaten.name}_response")

    @property
    def cpu_minutes(self) -> float:
        """To search, if no number of generations is given."""
        return MINUTES if self.minutes is None else self.minutes

    @cached_property
    def settings(self) -> Settings:
        """What is searched, in which games, against whom."""
        from wallsim.searches.tuning.coordinates import every_group, tuned_weights
        from wallsim.searches.tuning.settings import Settings

        first, *further = self.experiments
        start = starting_policy(self.beaten if self.start is None else named_policy("start", self.start))
        rulesets = [experiment.ruleset() for experiment in self.experiments]
        tuned = tuned_weights(start, rulesets, every_group(rulesets) if self.features else [], [])
        return Settings(
            experiment=first, further=tuple(further), start=start, weights=self._coordinates(start, tuned),
            pool=(self.beaten,), references=(("beaten", self.beaten),), games=self.games, population=self.population,
            seed=self.seed, step=self.step, lead_weight=self.lead_weight, held_out=self.held_out,
            check_every=_CHECK_EVERY, self_play=False,
        )  # fmt: skip

    def asked(self) -> dict[str, Any]:
        """The name, the budget, and the search that is measured too."""
        return {"name": self.title, "budget": self.budget(), "games": self.search_games, "rivals": self.search_rivals}

    def budget(self) -> dict[str, float | None]:
        """How long to search: for minutes of CPU time, or, if given, for a number of generations."""
        return {"minutes": self.cpu_minutes, "generations": self.generations}

    def is_enough(self, history: History) -> bool:
        """Whether another generation would lead further away from the minutes than stopping does, or all are done."""
        done = len(history.generations)
        if self.generations is not None:
            return done >= self.generations
        return done > 0 and history.seconds * (1 + 0.5 / done) >= self.cpu_minutes * MINUTE

    def work(self, store: WorkFolder, workers: int, watch: Watcher) -> ResponseWork:
        """The search at work."""
        return ResponseWork(self, store, workers, watch, clock=True)


class ResponseWork(WeightWork):
    """A search for a best response at work in a folder.

    Its generations have the CPU time of all threads, so that a resumed search spends what is left. Checks, the choice
    of the result and held-out games are not counted, nor is compiling.
    """

    search: Response

    def parts(self, least: int, *, go_on: bool) -> Iterator[tuple[Key, Facts, Mapping[str, bytes]]]:
        """Generations and checks; generations are counted, or seconds of CPU time."""
        if go_on:
            self.session.compile()
        self._tell()
        for part in super().parts(least, go_on=go_on):
            yield part
            if part[0][0] == GENERATION:
                self._tell()

    def _tell(self) -> None:
        if self.search.generations is not None:
            self._watch.progress(self.steps, self.search.generations)
        else:
            self._watch.progress(round(self.history.seconds), round(self.search.cpu_minutes * MINUTE))

    def result(self) -> dict[str, Any]:
        """The best of the last means, how it fares, and what a search has found besides."""
        search, settings, session = self.search, self.search.settings, self.session
        result = session.finish(search.title)
        rivals = search.search_rivals or ""
        games = result["generations"] * (settings.population + 1) * settings.blocks * settings.seats
        found = None
        if search.search_games:
            policy = searcher(settings.policy(search.title, result["weights"]), search.beaten, settings.seats, rivals)
            [found] = session.findings(policy, search.search_games, "held-out")
        result |= {
            "policy": search.beaten.name,
            "budget": search.budget(),
            "cpu_minutes": round(self.history.seconds / MINUTE, 2),
            "games": games,
            "exploitability": result["held_out"][0],
            "search_games": search.search_games,
            "rivals": rivals,
            "search": found,
            "setup": ",".join(dict.fromkeys(each.setup for each in search.experiments)),
            "tower": ",".join(dict.fromkeys(each.tower for each in search.experiments)),
            "command": search.command,
            "features": search.features,
        }
        return {**result, "row": row_to_keep(result)}


def row_to_keep(result: Mapping[str, Any]) -> str:
    """The result as a row of `data/policies/exploitability.csv`, without the end of the line.

    Without generations it is that of the search.
    """
    from wallsim.policies.exploitability import BY_FEATURES, BY_WEIGHTS, COLUMNS, KNOWING
    from wallsim.policies.exploitability import DRAWN as OF_OTHERS
    from wallsim.searches.tuning.evaluation import Finding

    by_search = result["generations"] == 0 and result["search"]
    estimate = Finding.from_fields(result["search" if by_search else "exploitability"])
    ways = {KNOWN: KNOWING, DRAWN: OF_OTHERS}
    facts = {
        "policy": result["policy"],
        "players": result["settings"]["players"],
        "way": ways[result["rivals"]] if by_search else BY_FEATURES if result["features"] else BY_WEIGHTS,
        "response": "",
        "setup": result["setup"],
        "tower": result["tower"],
        "minutes": round(result["cpu_minutes"], 1),
        "generations": result["generations"],
        "share": round(estimate.share, 4),
        "low": round(estimate.low, 4),
        "high": round(estimate.high, 4),
        "games": estimate.games,
        "engine": result["settings"]["engine_version"],
        "seed": result["settings"]["seed"],
        "command": result["command"],
    }
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([facts[column] for column in COLUMNS])
    return line.getvalue()


def starting_policy(policy: Policy) -> Policy:
    """The policy by whose weights a response begins: no code, search or noise; `balanced` if it has no weights."""
    from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, load_policy
    from wallsim.searches.tuning.coordinates import NEVER_TUNED

    known = policy if policy.weights else load_policy(DEFAULT_POLICY)
    phases = {
        phase: {name: value for name, value in table.items() if name not in NEVER_TUNED}
        for phase, table in known.phases.items()
    }
    weights = {**known.weights, **dict.fromkeys(NEVER_TUNED, 0.0)}
    phases = {phase: table for phase, table in phases.items() if table}
    return Policy(known.name, "balanced", weights, phases, known.counties, known.correction)


def searcher(response: Policy, beaten: Policy, seats: int, rivals: str) -> Policy:
    """The policy `rollout` against copies of `beaten`, by what it takes the other seats for.

    KNOWN: they play by the weights of `beaten`, without noise, search or code, and so does the searcher where it plans
    by weights alone. DRAWN: they play as one of some other shipped policies for so many seats, and the searcher plans
    by these, with the value of `rollout`. Else as `rollout` says, by the weights of the response. By the weights of one
    policy it searches with a value that was learned from many.
    """
    from wallsim.policies.catalogue import load_policy, policy_names
    from wallsim.policies.kinds import MAX_ADVISERS
    from wallsim.policies.value.value_file import load_value

    plain = load_policy(SEARCHER)
    assert plain.search is not None
    if rivals == KNOWN:
        mind, search, advisers = starting_policy(beaten), replace(plain.search, rivals="own"), [*plain.advisers]
    elif rivals == DRAWN:
        names = [name for name in (*_LINES, *_STYLES) if f"{name}-{seats}p" in policy_names() or name in policy_names()]
        others = [load_policy(f"{name}-{seats}p" if name in _LINES else name) for name in names]
        mind, *advisers = [other for other in others if other.name != beaten.name]
        search = replace(plain.search, rivals="mixed")
    else:
        mind, search, advisers = response, plain.search, [*plain.advisers]
    advisers, value = advisers[:MAX_ADVISERS], plain.search.value if rivals == DRAWN else _VALUE
    return replace(
        plain, name=response.name, weights=mind.weights, phases=mind.phases, counties=mind.counties,
        correction=mind.correction, advisers=tuple(advisers),
        value=load_value(value),
        search=replace(search, candidates=tuple(adviser.name for adviser in advisers), value=value),
    )  # fmt: skip
