"""What one seat should do while an event card lies open: habits of one round, in games in which the card does or not.

A habit holds in one round of each game and in one seat, each in turn. Which cards lie open in that round is drawn by
the game and known before planning, so games in which the card lies open and games in which it does not are compared
without any intervention.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.policies.weights import STATUE, WEIGHTS
from wallsim.rules.event_words import event_words
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.runs.components import Components
from wallsim.runs.parallel import in_parallel
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.studies.games import Games, block_size
from wallsim.studies.quantities import Key
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import THREE_TABLES, Scope, three_tables
from wallsim.studies.study import Storage

from ..play.changes import POINTS, SHOWN, WINS, measured
from ..play.habits import Habit, Measure
from .cards import CARDS, EVENT_COLUMNS, EXPERIMENT, PLAYERS

SETS, QUICK_SETS = 160, 1  # of blocks: the habit holds in one round in each block, so six blocks have each round once
SIZE = block_size(PLAYERS)  # games of a block
ROUNDS = len(ROUND_NAMES)
OPEN_AT_FIRST, SEASONS = 4, 3  # cards that lie open in spring, and rounds of a year; each round takes one (B2.4)
OUTCOMES = (POINTS, WINS, SHOWN)
OPEN, OTHERWISE, MORE = "open", "otherwise", "difference"
WHEN = (OPEN, OTHERWISE, MORE)
_OPEN = "cards that lie open"  # a mask of cards, by game
_CODE = Path(__file__).with_name("another_county.py")
_SWITCH = WEIGHTS[STATUE].name  # it says in which round a habit of the code holds
_ON_NEUTRALS = {"attacks": 1, "attacks_on_players": -1}
_SEASON_OF_ROUND = [SEASON_NAMES.index(name) for name in ROUND_NAMES]


class RoundHabit(NamedTuple):
    """What a seat does in one round: its weights there, and which columns of `seasons`, with signs, show that it does.

    `more` says whether the measure rises with the habit. `code` says whether the weights are for the policy's code.
    """

    measure: str
    columns: Mapping[str, int]
    more: bool
    weights: Mapping[str, float]
    code: bool = False

    def of(self, policy: Policy, place: int) -> Policy:
        """The same policy with this habit in one round, by its place from 0 to 5."""
        always = {_SWITCH: 0.0} if self.code else {}
        phases = {ROUND_NAMES[place]: dict(self.weights)}
        shown = Measure(self.measure, self.columns, ())
        return Habit("", shown, self.more, always, phases, _CODE if self.code else None).of(policy)

    def identity(self) -> dict[str, Any]:
        """All that decides how a seat with this habit plays, and what is counted of it."""
        code = read_policy(_CODE).code if self.code else ""
        return {"columns": self.columns, "weights": self.weights, "code": code}


# The weights were set by hand; those of the last three are for the code.
HABITS = {
    "Attack no player": RoundHabit("attacks on players", {"attacks_on_players": 1}, False, {"rival": -0.5}),
    "Leave neutral land alone": RoundHabit("attacks on neutral land", _ON_NEUTRALS, False, {"neutral": -0.5}),
    "Deploy no five armies": RoundHabit("armies deployed", {"armies_deployed": 1}, False, {"five_armies": 0.0}),
    "Tax a county of at most 5": RoundHabit("Thalers from taxes", {"taxes": 1}, False, {_SWITCH: 0.5}, code=True),
    "Gather grain in a county of at most 3": RoundHabit("grain", {"grain": 1}, False, {_SWITCH: 1.0}, code=True),
    "Build a church": RoundHabit("churches built", {"done_church": 1}, True, {_SWITCH: 1.5}, code=True),
}
# What a player would ask: an effect of a card, by the start of its cards' names, and a habit.
PAIRS = (
    ("church_peace", "Attack no player"),
    ("church_peace", "Build a church"),
    ("palace_guard", "Attack no player"),
    ("neutral_guard", "Leave neutral land alone"),
    ("tax_max", "Tax a county of at most 5"),
    ("tax_min", "Tax a county of at most 5"),
    ("grain_max", "Gather grain in a county of at most 3"),
    ("small_levies", "Deploy no five armies"),
)


def cards_of(effect: str) -> list[int]:
    """The numbers of the cards with an effect."""
    return [number for number, card in enumerate(CARDS) if card.startswith(effect)]


def effect_words(effect: str) -> str:
    """An effect in the words of its card; of several cards, without the number in which they differ."""
    first, *others = cards_of(effect)
    return event_words(CARDS[first].rstrip("_0123456789") if others else CARDS[first])


def shares_of_rounds(effect: str) -> np.ndarray:
    """How often a card of the effect lies open in each round, as shares of all such rounds (B1.8, B2.4).

    In a round with n open cards these are any n of the twelve.
    """
    others = len(CARDS) - len(cards_of(effect))
    lie = [OPEN_AT_FIRST - place % SEASONS for place in range(ROUNDS)]
    chances = np.array([1 - comb(others, number) / comb(len(CARDS), number) for number in lie])
    return np.asarray(chances / chances.sum())


def tables_of(scope: Scope) -> Scope:
    """The tables that are played, and their sets of blocks."""
    return three_tables(scope, SETS, QUICK_SETS)


def pairs_of(scope: Scope) -> tuple[tuple[str, str], ...]:
    """The effects and habits that are played; in a quick look those without code, which takes long to compile."""
    return tuple((effect, name) for effect, name in PAIRS if not (scope.quick and HABITS[name].code))


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    tables, pairs = tables_of(scope), pairs_of(scope)
    habits = {name: HABITS[name].identity() for _, name in pairs}
    experiments = {"/".join(table): experiment_of(EXPERIMENT, table) for table in tables.tables}
    return {"tables": experiments, "sets": tables.baseline, "habits": habits, "pairs": pairs}


def quantity(outcome: str) -> str:
    """The quantity of what habits change of an outcome."""
    return f"while-open-{outcome.lower()}"


def key_of(table: Cell, effect: str, habit: str, outcome: str, when: str) -> Key:
    """What a habit changes of an outcome at a table, by whether a card of the effect lies open."""
    return Key(quantity(outcome), f"{effect} {habit} {when}", PLAYERS, table)


def parts_of(key: Key) -> tuple[str, str, str]:
    """The effect, the habit, and whether a card of the effect lies open."""
    effect, _, rest = key.item.partition(" ")
    habit, _, when = rest.rpartition(" ")
    return effect, habit, when


def play(scope: Scope, storage: Storage) -> dict[Key, Estimate | None]:
    """Play every table as it is and with every habit, and estimate what each brings while the card lies open.

    What a quick look leaves out is None.
    """
    tables, pairs = tables_of(scope), pairs_of(scope)
    every = (key_of(table, *pair, outcome, when)
             for table in THREE_TABLES for pair in PAIRS for outcome in OUTCOMES for when in WHEN)  # fmt: skip
    values: dict[Key, Estimate | None] = dict.fromkeys(every)
    for table in tables.tables:
        values |= of_table(table, tables.baseline, pairs, storage)
    return values


def of_table(table: Cell, sets: int, pairs: Sequence[tuple[str, str]], storage: Storage) -> dict[Key, Estimate]:
    """The estimates of one table."""
    experiment, values = experiment_of(EXPERIMENT, table), {}
    parts, facts = experiment.components(), {"experiment": experiment, "sets": sets}
    habits = {name: habit for name, habit in HABITS.items() if any(name == its for _, its in pairs)}
    columns = {name: habit.columns for name, habit in habits.items()}

    def before(_: object) -> Mapping[str, np.ndarray]:
        return unchanged(parts, experiment.seed, sets, columns, storage.workers)

    base = storage.cache.get("open cards", facts | {"measures": columns}, before)
    for name, habit in habits.items():

        def after(_: object, habit: RoundHabit = habit) -> Mapping[str, np.ndarray]:
            return changed(parts, experiment.seed, sets, habit, storage.workers)

        with_habit = storage.cache.get("habit of a round", facts | {"habit": habit.identity()}, after)
        for outcome in OUTCOMES:
            change = with_habit[outcome] - base[name if outcome == SHOWN else outcome]
            for effect in (effect for effect, its in pairs if its == name):
                for when, estimate in by_card(change, base[_OPEN], effect).items():
                    values[key_of(table, effect, name, outcome, when)] = estimate
    return values


def by_card(change: np.ndarray, cards: np.ndarray, effect: str) -> dict[str, Estimate]:
    """The mean change in games whose round has a card of the effect open, in the others, and the first less the second.

    `change` and `cards`, masks of open cards, are by game. Rounds are weighted by how often such a card lies open
    there, so that both are of the same rounds; the units of errors are sets of blocks.
    """
    mask = sum(1 << number for number in cards_of(effect))
    lies = ((cards.astype(np.int64) & mask) != 0).astype(np.float64)
    weights, parts = shares_of_rounds(effect), {}
    for when, fits in ((OPEN, lies), (OTHERWISE, 1 - lies)):
        totals, cases = (values.reshape(-1, ROUNDS, SIZE).sum(axis=2) for values in (change * fits, fits))
        parts[when] = combined(
            [float(weight) for weight in weights],
            [block_ratio(totals[:, place], cases[:, place]) for place in range(ROUNDS)],
        )
    return {**parts, MORE: parts[OPEN] - parts[OTHERWISE]}


def unchanged(
    parts: Components, seed: int, sets: int, measures: Mapping[str, Mapping[str, int]], workers: int | None = None
) -> dict[str, np.ndarray]:
    """By game, without a habit: mean points and wins of the seats, each measure in the round, and the open cards."""
    return _played(partial(_all_seats, parts.arena(seed), measures), sets, workers)


def changed(
    parts: Components, seed: int, sets: int, habit: RoundHabit, workers: int | None = None
) -> dict[str, np.ndarray]:
    """By game, the mean of what each seat has when it alone has the habit: points, wins in per cent, the measure."""
    arenas: list[list[Arena]] = []
    for place in range(ROUNDS):
        arenas.append([])
        for seat in range(PLAYERS):
            policies = list(parts.policies)
            policies[seat] = habit.of(policies[seat], place)
            arenas[-1].append(replace(parts, policies=tuple(policies)).arena(seed))
    return _played(partial(_each_seat, arenas, habit.columns), sets, workers)


def _played(count: Callable[[int], dict[str, np.ndarray]], sets: int, workers: int | None) -> dict[str, np.ndarray]:
    blocks = list(in_parallel(count, [(block,) for block in range(sets * ROUNDS)], checked_workers(workers)))
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _all_seats(arena: Arena, measures: Mapping[str, Mapping[str, int]], block: int) -> dict[str, np.ndarray]:
    games, place = _block(arena, block), block % ROUNDS
    result = {POINTS: games.seats("vp").mean(axis=1), WINS: 100 * games.seats("win").mean(axis=1)}
    result |= {name: _measured(games, place, columns).mean(axis=1) for name, columns in measures.items()}
    return result | {_OPEN: cards_open(games, place)}


def _each_seat(arenas: list[list[Arena]], columns: Mapping[str, int], block: int) -> dict[str, np.ndarray]:
    place, every = block % ROUNDS, []
    for seat, arena in enumerate(arenas[place]):
        games = _block(arena, block)
        shown = _measured(games, place, columns)
        every.append([games.seats("vp")[:, seat], 100 * games.seats("win")[:, seat], shown[:, seat]])
    return dict(zip(OUTCOMES, np.mean(every, axis=0), strict=True))


def _block(arena: Arena, block: int) -> Games:
    return Games(block * SIZE, PLAYERS, arena.play(block * SIZE, SIZE, seasons=True))


def _measured(games: Games, place: int, columns: Mapping[str, int]) -> np.ndarray:
    return measured(games, Measure("", columns, (_SEASON_OF_ROUND[place],)))


def cards_open(games: Games, place: int) -> np.ndarray:
    """The cards that lie open while a round is planned, by its place from 0 to 5: a mask by game, int16 [games]."""
    year, first = divmod(place, SEASONS)
    masks = [1 << games.game(column).astype(np.int16) for column in EVENT_COLUMNS[year][first:]]
    return np.asarray(np.bitwise_or.reduce(masks), np.int16)
