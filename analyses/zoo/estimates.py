"""What every policy does: the tables that the study `zoo` plays, and what is measured at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure, measures_of
from wallsim.analysis.behaviour.openings import Openings, openings_of
from wallsim.analysis.behaviour.profiles import (
    Behaviour,
    behaviour_of_runs,
    distance_confidence,
    distances,
    standardised,
)
from wallsim.analysis.claims.cells import SETUPS, Cell
from wallsim.analysis.claims.plays import MIDDLING_POLICY
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.exploitability import Exploited, load_exploitability
from wallsim.rules.terms import TILES
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.studies.figure import slug
from wallsim.studies.quantities import InFamily, Key, Number, Quantity, Value
from wallsim.studies.study import Choices, Option, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
POLICIES = Option("policies", "", "comma-separated policies, instead of all that do not search")
PLAYERS, BASELINE = 4, MIDDLING_POLICY  # that of the experiment
LINEUP, DRAFT = (Cell("", "", setup) for setup in SETUPS)
OPENING_GAMES = 1_000  # at most
Found = tuple[dict[Key, Value], dict[Key, str]]  # what is measured, and the measure of the largest distances
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


ITSELF = "among copies of itself"
FIRST, SECOND = (partial(Quantity, together=(), family=f"{name} table") for name in ("first", "second"))
QUANTITIES = (
    Quantity("games", "games played", "games"),
    FIRST("alike", f"{{rest}} of {{first}} {ITSELF}", unit),
    SECOND("more", f"{{rest}} of {{first}} {ITSELF}", unit),
    Quantity("first-choice", f"{{rest}} of {{first}} {ITSELF}", unit, together=()),
    FIRST("alike-draft", f"{{rest}} of {{first}} {ITSELF} in the draft", unit),
    # The wins of the baseline stand for themselves, for the same in the draft, and for those of its row in the draft.
    FIRST("wins", f"wins of one seat of {{first}} among {BASELINE}", unit, 100 / PLAYERS,
          among=lambda key: 3 if slug(key.item) == slug(f"{BASELINE} {WINS}") else 1),
    SECOND("openings", f"entropy of a seat's first plan, {{item}} {ITSELF}", "bits", n_unit="games"),
    SECOND("openings-at-least", f"entropy of a seat's first plan, {{item}} {ITSELF}: at least", "bits"),
    SECOND("openings-repeated", f"chance that a further game opens with one of these plans, {{item}} {ITSELF}", "%",
           n_unit="games"),
    Quantity("opening-games", "games whose openings are compared", "games"),
    Quantity("distance", "{first} less {rest}, standardised, in the measure in which they differ most: {about}", "SD",
             null=0, together=(), among=lambda _: compared(), shown="claims"),
    Quantity("plainly-different", "1 if {first} and {rest} are plainly different in some measure, else 0",
             "yes or no", shown="claims"),
    Quantity("picture", "{rest} of {first}", unit, shown="picture"),
    Quantity("apart", f"{{rest}} of {{first}} less {BASELINE}, standardised", "SD", shown="picture"),
    Quantity("best-response", "wins of the best response found, one seat among {item}", "%",
             lambda key: 100 / key.players, ("players", "item")),
)  # fmt: skip


class Design(NamedTuple):
    """The policies, and the game numbers, None for those of the experiment."""

    policies: tuple[str, ...]
    games: int | None

    def order(self) -> list[str]:
        """The policies in the order of the tables, the baseline first."""
        return list(dict.fromkeys([BASELINE, *self.policies]))


def design(choices: Choices) -> Design:
    """What is played: by default all policies but those that search. InputError for an unknown one."""
    names = [name.strip() for name in choices.option(POLICIES).split(",") if name.strip()]
    names = names or [name for name in policy_names() if load_policy(name).search is None]
    for name in names:
        experiment_of(choices.games, [name] * PLAYERS)  # raises for an unknown one
    return Design(tuple(names), choices.games)


def experiment_of(games: int | None, policies: Sequence[str] = (), setup: str = "lineup") -> Experiment:
    """The experiment under a set-up, by default with the baseline in all seats, else with a policy for each."""
    changes: dict[str, Any] = {"policies": list(policies or [BASELINE] * PLAYERS)}
    if games:
        changes["games"] = games
    if setup == "draft":
        changes |= {"setup": setup, "lineups": []}
    return load_experiment(EXPERIMENT, changes)


@cache
def measures() -> Mapping[str, Measure]:
    """The measures of the experiment's games by name."""
    experiment = load_experiment(EXPERIMENT)
    return {each.name: each for each in measures_of(experiment.edition, experiment.expansions)}


def compared() -> int:
    """How many measures policies are compared by: those of actions, not of results."""
    return sum(measure.group != RESULT for measure in measures().values())


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: the experiment, the same in the draft, and every policy's weights."""
    games, policies = design.games, [load_policy(name).identity() for name in design.policies]
    drafted = experiment_of(games, [BASELINE] * PLAYERS, "draft")
    return {"experiment": experiment_of(games), "draft": drafted, "policies": policies, "openings": OPENING_GAMES}


def play(design: Design, storage: Storage) -> Found:
    """Play the missing runs and measure every policy, starting with the experiment's policy."""
    folder, games, every = storage.folder, design.games, list(measures().values())
    copies: dict[str, Behaviour] = {}
    guests: dict[str, dict[str, Behaviour]] = {setup: {} for setup in SETUPS}
    openings: dict[str, Openings] = {}
    for name in design.order():
        table = experiment_of(games, [name] * PLAYERS)
        copies[name] = behaviour_of_runs(name, every, [(play_run(table, folder / name / "alike"), range(PLAYERS))])
        openings[name] = openings_of(table.components().arena(table.seed), min(table.games, OPENING_GAMES))
        if name == BASELINE:  # one seat against itself plays the same games
            guests["lineup"][name] = copies[name]
            continue
        for setup in SETUPS:
            visits = []
            for own in range(PLAYERS):
                alone = [name if seat == own else BASELINE for seat in range(PLAYERS)]
                place = folder / name / f"{'draft_' if setup == 'draft' else ''}in_seat_{own}"
                visits.append((play_run(experiment_of(games, alone, setup), place), [own]))
            guests[setup][name] = behaviour_of_runs(name, every, visits)
    run = play_run(experiment_of(games, [BASELINE] * PLAYERS, "draft"), folder / BASELINE / "draft_alike")
    return measured(copies, guests, behaviour_of_runs(BASELINE, every, [(run, range(PLAYERS))]), openings)


def measured(
    copies: Mapping[str, Behaviour], guests: Mapping[str, Mapping[str, Behaviour]], home: Behaviour,
    openings: Mapping[str, Openings], exploited: Mapping[tuple[str, int], Exploited] | None = None,
) -> Found:  # fmt: skip
    """Every value, with what best responses win: by default those of the table that ships.

    By policy `copies` are those in all seats, `guests` those of one seat against the baseline by set-up, and `openings`
    those in all seats; `home` is the baseline in all seats in the draft.
    """
    values: dict[Key, Value] = {}
    for quantity, columns in COLUMNS.items():
        for name, behaviour in copies.items():
            values |= {Key(quantity, f"{name} {each}", PLAYERS, LINEUP): _seen(behaviour, each) for each in columns}
    for column in COLUMNS["alike"]:
        values[Key("alike-draft", f"{BASELINE} {column}", PLAYERS, DRAFT)] = _seen(home, column)
    for setup, behaviours in guests.items():
        for name, behaviour in behaviours.items():
            values[Key("wins", f"{name} {WINS}", PLAYERS, Cell("", "", setup))] = _seen(behaviour, WINS)
    for name, each in openings.items():
        if each.known:
            values[Key("openings", name, PLAYERS)] = each.entropy
        else:
            values[Key("openings-at-least", name, PLAYERS)] = Number(each.least)
        values[Key("openings-repeated", name, PLAYERS)] = each.repeated
        for column in DRAWN:
            behaviours = guests["lineup"] if column == WINS else copies
            apart = standardised(behaviours[name], behaviours[BASELINE], column).value
            for quantity, value in (("picture", behaviours[name].estimates[column].value), ("apart", apart)):
                values[Key(quantity, f"{name} {column}", PLAYERS)] = Number(value)
    for (name, players), best in (load_exploitability() if exploited is None else exploited).items():
        if name in copies:
            values[Key("best-response", name, players)] = Number(100 * best.share, (100 * best.low, 100 * best.high))
    played = sum(each.games for each in (*copies.values(), *guests["lineup"].values(), *guests["draft"].values(), home))
    values[Key("games", "", PLAYERS)] = Number(played - copies[BASELINE].games)  # those of the baseline, once
    values[Key("opening-games", "", PLAYERS)] = Number(max(each.entropy.blocks for each in openings.values()))
    every, about = list(measures().values()), {}
    for pair, gap in distances(copies.values(), every, distance_confidence(len(copies), every)).items():
        key = Key("distance", " ".join(pair), PLAYERS)
        values |= {key: gap.estimate, key._replace(quantity="plainly-different"): Number(float(gap.plain))}
        about[key] = gap.measure
    return values, about


def _seen(behaviour: Behaviour, measure: str) -> InFamily:
    # Wilson's interval where no game or every game was won.
    value, n = behaviour.estimates[measure].value, behaviour.blocks
    return lambda sure: Number(value, behaviour.interval(measure, sure), n, sure)
