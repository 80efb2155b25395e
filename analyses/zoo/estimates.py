"""What every policy does: the tables that the study `zoo` plays, and what is measured at them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure, measures_of
from wallsim.analysis.behaviour.openings import Openings, openings_of
from wallsim.analysis.behaviour.profiles import Behaviour, behaviour_of_runs
from wallsim.analysis.claims.cells import SETUPS
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.rules.terms import TILES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.studies.study import Choices, Option, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
POLICIES = Option("policies", "", "comma-separated policies, instead of all that do not search")
# Measures of the table and their headings; wins are those among the baseline, all else is among copies of itself.
COLUMNS = {
    "attacks on players": "attacks on players",
    "attacks on neutrals": "on neutrals",
    "success against players": "success on players, %",
    "counties": "counties",
    "buildings": "buildings",
    "built in year two": "in year two, %",
    "Thalers bid": "Thalers bid per round",
    "grain to spare": "grain to spare",
    "shortages": "shortages",
    "revolts": "revolts",
    WINS: "wins, %",
}
# A second table of the same policies, among copies of themselves: time, money, order, the leader, variety.
MORE_COLUMNS = {
    "built per round": "built per round",
    "cards without money": "cards without money",
    "Thalers after the last fall": "Thalers after the last fall",
    "free sites": "free sites then",
    "armies behind combats": "armies behind combats, %",
    "attacks on the leader": "attacks on the leader, %",
}
EXPLOITED = "best response wins, %"
# A third: which tile the first to choose takes.
CHOICES = {f"first choice {tile.replace('_', ' ')}": f"{tile.replace('_', ' ')}, %" for tile in TILES}
OPENING_GAMES = 1_000  # at most
DRAFT_WINS = "wins in the draft, %"
PREFIXES = {"lineup": "", "draft": "draft_"}  # of the folders of runs
# What the picture shows besides: more of the same kinds.
DRAWN = (
    "attacks on players",
    "attacks on neutrals",
    "success against players",
    "armies deployed",
    "counties",
    "buildings",
    "built in year two",
    "free sites",
    "Thalers bid",
    "place",
    "Thalers after the last fall",
    "cards without money",
    "armies behind combats",
    "attacks on the leader",
    "grain to spare",
    "shortages",
    "revolts",
)


class Zoo(NamedTuple):
    """Every policy's behaviour in all seats (`copies`) and in one seat against the baseline, in order of the tables.

    `guests` is one seat with line-ups, `drafted` one seat in the draft; `home` is the baseline in all seats there;
    `openings` are those in all seats.
    """

    baseline: str
    measures: tuple[Measure, ...]
    copies: dict[str, Behaviour]
    guests: dict[str, Behaviour]
    drafted: dict[str, Behaviour]
    home: Behaviour
    openings: dict[str, Openings]

    def measure(self, name: str) -> Measure:
        """The measure with a name."""
        return next(measure for measure in self.measures if measure.name == name)


class Design(NamedTuple):
    """The policies, and the game numbers, None for those of the experiment."""

    policies: tuple[str, ...]
    games: int | None


def design(choices: Choices) -> Design:
    """What is played. InputError for an unknown policy."""
    names = [name.strip() for name in choices.option(POLICIES).split(",") if name.strip()] or quick_policies()
    result = Design(tuple(names), choices.games)
    for name in result.policies:
        seated([name] * experiment_of(result).players, result.games)  # raises for an unknown one
    return result


def experiment_of(design: Design) -> Experiment:
    """The baseline in all seats."""
    return load_experiment(EXPERIMENT, changes(design.games))


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: the experiment, the same in the draft, and every policy's weights."""
    experiment = experiment_of(design)
    drafted = seated(experiment.policies, experiment.games, "draft")
    policies = [load_policy(name).identity() for name in design.policies]
    return {"experiment": experiment, "draft": drafted, "policies": policies, "openings": OPENING_GAMES}


def quick_policies() -> list[str]:
    """The policies of `data/policies` without those that search, which would take a day."""
    return [name for name in policy_names() if load_policy(name).search is None]


def changes(games: int | None) -> dict[str, Any]:
    """The changes to the experiment for a number of games; None for its own number."""
    return {"games": games} if games else {}


def play(design: Design, storage: Storage) -> Zoo:
    """Play the missing runs and measure every policy, starting with the experiment's policy."""
    folder, names, games = storage.folder, design.policies, design.games
    experiment = load_experiment(EXPERIMENT, changes(games))
    baseline, players = experiment.policies[0], experiment.players
    measures = measures_of(experiment.edition, experiment.expansions)
    order = dict.fromkeys([baseline, *names])
    tables = [seated([name] * players, games) for name in order]  # before anything is played
    copies: dict[str, Behaviour] = {}
    guests: dict[str, dict[str, Behaviour]] = {setup: {} for setup in SETUPS}
    for name, table in zip(order, tables, strict=True):
        run = play_run(table, folder / name / "alike")
        copies[name] = behaviour_of_runs(name, measures, [(run, range(players))])
        if name == baseline:  # one seat against itself plays the same games
            continue
        for setup in SETUPS:
            visits = []
            for own in range(players):
                alone = [name if seat == own else baseline for seat in range(players)]
                place = folder / name / f"{PREFIXES[setup]}in_seat_{own}"
                visits.append((play_run(seated(alone, games, setup), place), [own]))
            guests[setup][name] = behaviour_of_runs(name, measures, visits)
    run = play_run(seated([baseline] * players, games, "draft"), folder / baseline / f"{PREFIXES['draft']}alike")
    home = behaviour_of_runs(baseline, measures, [(run, range(players))])
    openings = {name: opened(table) for name, table in zip(order, tables, strict=True)}
    guests["lineup"] = {baseline: copies[baseline], **guests["lineup"]}
    return Zoo(baseline, measures, copies, guests["lineup"], guests["draft"], home, openings)


def opened(table: Experiment) -> Openings:
    """The openings of the first games of a table."""
    return openings_of(table.components().arena(table.seed), min(table.games, OPENING_GAMES))


def seated(policies: Sequence[str], games: int | None, setup: str = "lineup") -> Experiment:
    """The experiment with other policies, one per seat, under a set-up."""
    drafted = {"setup": setup, "lineups": []} if setup == "draft" else {}
    return load_experiment(EXPERIMENT, {**changes(games), **drafted, "policies": list(policies)})


def conduct(measures: Sequence[Measure]) -> list[Measure]:
    """The measures for comparing policies: their actions, not their results."""
    return [measure for measure in measures if measure.group != RESULT]
