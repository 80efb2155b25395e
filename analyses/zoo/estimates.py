"""What every policy does: the tables that the study `zoo` plays, and what is measured at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.analysis.behaviour import profiles
from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure, measures_of
from wallsim.analysis.behaviour.openings import Openings, openings_of
from wallsim.analysis.behaviour.profiles import Behaviour, Distance, behaviour_of_runs
from wallsim.analysis.claims.cells import SETUPS, Cell
from wallsim.analysis.claims.plays import MIDDLING_POLICY
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited, load_exploitability
from wallsim.rules.terms import TILES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.stats.intervals import Confidence, Interval
from wallsim.studies.figure import Rows, slug
from wallsim.studies.quantities import Key, Number, Quantity, Value, add_values
from wallsim.studies.study import Choices, Option, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
POLICIES = Option("policies", "", "comma-separated policies, instead of all that do not search")
PLAYERS, BASELINE = 4, MIDDLING_POLICY  # that of the experiment
LINEUP, DRAFT = (Cell("", "", setup) for setup in SETUPS)
OPENING_GAMES = 1_000  # at most
# Measures of each quantity and their headings, all among copies of itself: the first table; time, money, order and the
# leader; and which tile the first to choose takes.
COLUMNS: dict[str, dict[str, str]] = {
    "alike": {
        "attacks on players": "attacks on players", "attacks on neutrals": "on neutrals",
        "success against players": "success on players, %", "counties": "counties", "buildings": "buildings",
        "built in year two": "in year two, %", "Thalers bid": "Thalers bid per round",
        "grain to spare": "grain to spare", "shortages": "shortages", "revolts": "revolts",
    },
    "more": {
        "built per round": "built per round", "cards without money": "cards without money",
        "Thalers after the last fall": "Thalers after the last fall", "free sites": "free sites then",
        "armies behind combats": "armies behind combats, %", "attacks on the leader": "attacks on the leader, %",
    },
    "first-choice": {f"first choice {tile}": f"{tile}, %" for tile in (name.replace("_", " ") for name in TILES)},
}  # fmt: skip
# What the picture shows: more of the same kinds, and wins.
DRAWN = (
    "attacks on players", "attacks on neutrals", "success against players", "armies deployed", "counties", "buildings",
    "built in year two", "free sites", "Thalers bid", "place", "Thalers after the last fall", "cards without money",
    "armies behind combats", "attacks on the leader", "grain to spare", "shortages", "revolts", WINS,
)  # fmt: skip


def unit(key: Key) -> str:
    """The unit of a policy's measure."""
    return measures()[key.item.partition(" ")[2]].unit or "number"


def _of_wins(key: Key) -> int:
    # Those of the baseline stand for themselves, for the same in the draft, and for those of its row in the draft.
    return 3 if slug(key.item) == slug(f"{BASELINE} {WINS}") else 1


QUANTITIES = (
    Quantity("games", "games played", "games"),
    Quantity("alike", "{rest} of {first} among copies of itself", unit, together=(), family="first table"),
    Quantity("more", "{rest} of {first} among copies of itself", unit, together=(), family="second table"),
    Quantity("first-choice", "{rest} of {first} among copies of itself", unit, together=()),
    Quantity("alike-draft", "{rest} of {first} among copies of itself in the draft", unit, together=(),
             family="first table"),
    Quantity("wins", f"wins of one seat of {{first}} among {BASELINE}", unit, 100 / PLAYERS, (), "first table",
             among=_of_wins),
    Quantity("openings", "entropy of a seat's first plan, {item} among copies of itself", "bits", together=(),
             family="second table", n_unit="games"),
    Quantity("openings-at-least", "entropy of a seat's first plan, {item} among copies of itself: at least", "bits",
             together=(), family="second table"),
    Quantity("openings-repeated",
             "chance that a further game opens with one of these plans, {item} among copies of itself", "%",
             together=(), family="second table", n_unit="games"),
    Quantity("opening-games", "games whose openings are compared", "games"),
    Quantity("distance", "{first} less {rest}, standardised, in the measure in which they differ most: {about}", "SD",
             null=0, together=(), among=lambda _: len(conduct()), shown="claims"),
    Quantity("plainly-different", "1 if {first} and {rest} are plainly different in some measure, else 0",
             "yes or no", shown="claims"),
    Quantity("picture", "{rest} of {first}", unit, shown="picture"),
    Quantity("apart", f"{{rest}} of {{first}} less {BASELINE}, standardised", "SD", shown="picture"),
    Quantity("best-response", "wins of the best response found, one seat among {item}", "%",
             lambda key: 100 / key.players, ("players", "item")),
)  # fmt: skip


class Zoo(NamedTuple):
    """Every policy's behaviour in all seats (`copies`) and in one seat against the baseline, in order of the tables.

    `guests` is one seat with line-ups, `drafted` one seat in the draft; `home` is the baseline in all seats there;
    `openings` are those in all seats; `apart` is the largest difference of each pair.
    """

    baseline: str
    copies: dict[str, Behaviour]
    guests: dict[str, Behaviour]
    drafted: dict[str, Behaviour]
    home: Behaviour
    openings: dict[str, Openings]
    apart: dict[tuple[str, str], Distance]


class _Seen(NamedTuple):
    # A measure of a behaviour, with Wilson's interval where no game or every game was won.
    behaviour: Behaviour
    measure: str

    @property
    def value(self) -> float:
        return self.behaviour.estimates[self.measure].value

    @property
    def blocks(self) -> int:
        return self.behaviour.blocks

    def interval(self, confidence: Confidence) -> Interval | None:
        return self.behaviour.interval(self.measure, confidence)


class Design(NamedTuple):
    """The policies, and the game numbers, None for those of the experiment."""

    policies: tuple[str, ...]
    games: int | None


def design(choices: Choices) -> Design:
    """What is played. InputError for an unknown policy."""
    names = [name.strip() for name in choices.option(POLICIES).split(",") if name.strip()] or quick_policies()
    result = Design(tuple(names), choices.games)
    for name in result.policies:
        seated([name] * PLAYERS, result.games)  # raises for an unknown one
    return result


def quick_policies() -> list[str]:
    """The policies of `data/policies` without those that search, which would take a day."""
    return [name for name in policy_names() if load_policy(name).search is None]


def experiment_of(design: Design) -> Experiment:
    """The baseline in all seats."""
    return load_experiment(EXPERIMENT, {"games": design.games} if design.games else {})


def seated(policies: Sequence[str], games: int | None, setup: str = "lineup") -> Experiment:
    """The experiment with other policies, one per seat, under a set-up."""
    changes = {"policies": list(policies), **({"games": games} if games else {})}
    return load_experiment(EXPERIMENT, {**changes, **({"setup": setup, "lineups": []} if setup == "draft" else {})})


@cache
def measures() -> Mapping[str, Measure]:
    """The measures of the experiment's games by name."""
    experiment = load_experiment(EXPERIMENT)
    return {each.name: each for each in measures_of(experiment.edition, experiment.expansions)}


def conduct() -> list[str]:
    """The measures for comparing policies: their actions, not their results."""
    return [name for name, measure in measures().items() if measure.group != RESULT]


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: the experiment, the same in the draft, and every policy's weights."""
    experiment = experiment_of(design)
    drafted = seated(experiment.policies, experiment.games, "draft")
    policies = [load_policy(name).identity() for name in design.policies]
    return {"experiment": experiment, "draft": drafted, "policies": policies, "openings": OPENING_GAMES}


def play(design: Design, storage: Storage) -> Zoo:
    """Play the missing runs and measure every policy, starting with the experiment's policy."""
    folder, games, every = storage.folder, design.games, list(measures().values())
    baseline = experiment_of(design).policies[0]
    tables = {name: seated([name] * PLAYERS, games) for name in dict.fromkeys([baseline, *design.policies])}
    copies: dict[str, Behaviour] = {}
    guests: dict[str, dict[str, Behaviour]] = {setup: {} for setup in SETUPS}
    for name, table in tables.items():
        run = play_run(table, folder / name / "alike")
        copies[name] = behaviour_of_runs(name, every, [(run, range(PLAYERS))])
        if name == baseline:  # one seat against itself plays the same games
            guests["lineup"][name] = copies[name]
            continue
        for setup in SETUPS:
            visits = []
            for own in range(PLAYERS):
                alone = [name if seat == own else baseline for seat in range(PLAYERS)]
                place = folder / name / f"{'draft_' if setup == 'draft' else ''}in_seat_{own}"
                visits.append((play_run(seated(alone, games, setup), place), [own]))
            guests[setup][name] = behaviour_of_runs(name, every, visits)
    run = play_run(seated([baseline] * PLAYERS, games, "draft"), folder / baseline / "draft_alike")
    home = behaviour_of_runs(baseline, every, [(run, range(PLAYERS))])
    openings = {
        name: openings_of(table.components().arena(table.seed), min(table.games, OPENING_GAMES))
        for name, table in tables.items()
    }
    return Zoo(baseline, copies, guests["lineup"], guests["draft"], home, openings, distances_of(copies))


def distances_of(copies: Mapping[str, Behaviour]) -> dict[tuple[str, str], Distance]:
    """The measure in which each pair of policies differs most, judged by the intervals of all pairs and measures."""
    every = list(measures().values())
    return profiles.distances(copies.values(), every, profiles.distance_confidence(len(copies), every))


def add_figures(zoo: Zoo, rows: Rows, exploited: Mapping[tuple[str, int], Exploited] | None = None) -> None:
    """Add every figure, with what best responses win: by default those of the table that ships."""
    values: dict[Key, Value] = {}
    for quantity, columns in COLUMNS.items():
        for name, behaviour in zoo.copies.items():
            values |= {Key(quantity, f"{name} {each}", PLAYERS, LINEUP): _Seen(behaviour, each) for each in columns}
    for column in COLUMNS["alike"]:
        values[Key("alike-draft", f"{zoo.baseline} {column}", PLAYERS, DRAFT)] = _Seen(zoo.home, column)
    for cell, behaviours in ((LINEUP, zoo.guests), (DRAFT, zoo.drafted)):
        for name, behaviour in behaviours.items():
            values[Key("wins", f"{name} {WINS}", PLAYERS, cell)] = _Seen(behaviour, WINS)
    for name, openings in zoo.openings.items():
        if openings.known:
            values[Key("openings", name, PLAYERS)] = openings.entropy
        else:
            values[Key("openings-at-least", name, PLAYERS)] = Number(openings.least)
        values[Key("openings-repeated", name, PLAYERS)] = openings.repeated
        for column in DRAWN:
            behaviours, item = zoo.guests if column == WINS else zoo.copies, f"{name} {column}"
            apart = profiles.standardised(behaviours[name], behaviours[zoo.baseline], column)
            values[Key("picture", item, PLAYERS)] = Number(behaviours[name].estimates[column].value)
            values[Key("apart", item, PLAYERS)] = Number(apart.value)
    for (name, players), each in (load_exploitability() if exploited is None else exploited).items():
        if name in zoo.copies:
            values[Key("best-response", name, players)] = Number(100 * each.share, (100 * each.low, 100 * each.high))
    guests = [each for name, each in zoo.guests.items() if name != zoo.baseline]
    played = sum(each.games for each in (*zoo.copies.values(), *guests, *zoo.drafted.values(), zoo.home))
    compared = max(each.entropy.blocks for each in zoo.openings.values())
    values |= {Key("games", "", PLAYERS): Number(played), Key("opening-games", "", PLAYERS): Number(compared)}
    furthest = {Key("distance", " ".join(pair), PLAYERS): gap for pair, gap in zoo.apart.items()}
    for key, gap in furthest.items():
        values |= {key: gap.estimate, key._replace(quantity="plainly-different"): Number(float(gap.plain))}
    about = {key: gap.measure for key, gap in furthest.items()}
    add_values(rows, QUANTITIES, values, about)
