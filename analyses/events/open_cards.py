"""What one seat should do while an event card lies open: habits of one round, in games in which the card does or not.

A habit holds in one round of each game and in one seat, each in turn. Which cards lie open in that round is drawn by
the game and known before planning, so games in which the card lies open and games in which it does not are compared
without any intervention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.policies.policy import Policy
from wallsim.policies.weights import STATUE, WEIGHTS
from wallsim.rules.event_words import event_words
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.runs.parallel import in_parallel
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.studies.games import Games, block_size, counted_in
from wallsim.studies.quantities import Key
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import THREE_TABLES, Scope
from wallsim.studies.study import Storage

from ..play.changes import POINTS, SHOWN, WINS
from ..play.habits import Habit, Measure
from .cards import CARDS, EVENT_COLUMNS, EXPERIMENT, PLAYERS, cards_of, tables_of

SIZE = block_size(PLAYERS)  # games of a block: the habit holds in one round in each, so six blocks have each once
ROUNDS = len(ROUND_NAMES)
OPEN_AT_FIRST, SEASONS = 4, 3  # cards that lie open in spring, and rounds of a year; each round takes one (B2.4)
OUTCOMES = (POINTS, WINS, SHOWN)
OPEN, OTHERWISE, MORE = "open", "otherwise", "difference"
LIE_OPEN = "cards that lie open"  # a mask of cards, by game
CODE = Path(__file__).with_name("another_county.py")
_SWITCH = WEIGHTS[STATUE].name  # it says in which round a habit of the code holds
_SEASON_OF_ROUND = np.array([SEASON_NAMES.index(name) for name in ROUND_NAMES])


def _habit(shown: str, columns: Mapping[str, int], more: bool, code: Path | None = None, **weights: float) -> Habit:
    return Habit("", Measure(shown, columns, ()), more, weights, code=code)


# What a seat does in one round. The weights are those of that round, and were set by hand.
HABITS = {
    "Attack no player": _habit("attacks on players", {"attacks_on_players": 1}, False, rival=-0.5),
    "Leave neutral land alone":
        _habit("attacks on neutral land", {"attacks": 1, "attacks_on_players": -1}, False, neutral=-0.5),
    "Deploy no five armies": _habit("armies deployed", {"armies_deployed": 1}, False, five_armies=0.0),
    "Tax a county of at most 5": _habit("Thalers from taxes", {"taxes": 1}, False, CODE, **{_SWITCH: 0.5}),
    "Gather grain in a county of at most 3": _habit("grain", {"grain": 1}, False, CODE, **{_SWITCH: 1.0}),
    "Build a church": _habit("churches built", {"done_church": 1}, True, CODE, **{_SWITCH: 1.5}),
}  # fmt: skip
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


def in_round(habit: Habit, policy: Policy, place: int) -> Policy:
    """A policy with a habit in one round, by its place from 0 to 5."""
    always = {} if habit.code is None else {_SWITCH: 0.0}
    return replace(habit, weights=always, phases={ROUND_NAMES[place]: dict(habit.weights)}).of(policy)


def effect_words(effect: str) -> str:
    """An effect in the words of its card; of several cards, without the number in which they differ."""
    first, *others = cards_of(effect)
    return event_words(first.rstrip("_0123456789") if others else first)


def shares_of_rounds(effect: str) -> np.ndarray:
    """How often a card of the effect lies open in each round, as shares of all such rounds (B1.8, B2.4).

    In a round with n open cards these are any n of the twelve.
    """
    others = len(CARDS) - len(cards_of(effect))
    lie = [OPEN_AT_FIRST - place % SEASONS for place in range(ROUNDS)]
    chances = np.array([1 - comb(others, number) / comb(len(CARDS), number) for number in lie])
    return np.asarray(chances / chances.sum())


def pairs_of(scope: Scope) -> tuple[tuple[str, str], ...]:
    """The effects and habits that are played; in a quick look those without code, which takes long to compile."""
    return tuple((effect, name) for effect, name in PAIRS if not (scope.quick and HABITS[name].code))


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    tables, pairs = tables_of(scope, "open"), pairs_of(scope)
    experiments = {"/".join(table): experiment_of(EXPERIMENT, table) for table in tables.tables}
    habits = {name: _identity(HABITS[name]) for _, name in pairs}
    return {"tables": experiments, "sets": tables.baseline, "habits": habits, "pairs": pairs}


def _identity(habit: Habit) -> dict[str, Any]:
    return {"columns": habit.measure.columns, "weights": habit.weights, "code": habit.identity()["code"]}


def key_of(table: Cell, effect: str, habit: str, outcome: str, when: str) -> Key:
    """What a habit changes of an outcome at a table, by whether a card of the effect lies open."""
    return Key(f"while-open-{outcome.lower()}", f"{effect} {habit} {when}", PLAYERS, table)


def play(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Estimate | None]]:
    """Play every table as it is and with every habit, and estimate what each brings while the card lies open.

    What a quick look leaves out is None.
    """
    tables, pairs = tables_of(scope, "open"), pairs_of(scope)
    for table, pair, outcome, when in product(THREE_TABLES, PAIRS, OUTCOMES, (OPEN, OTHERWISE, MORE)):
        yield key_of(table, *pair, outcome, when), None
    habits = {name: habit for name, habit in HABITS.items() if any(name == its for _, its in pairs)}
    for table in tables.tables:
        design = {"experiment": experiment_of(EXPERIMENT, table), "sets": tables.baseline}
        measures = {name: habit.measure.columns for name, habit in habits.items()}
        before = storage.cache.get("open cards", design | {"measures": measures},
                                   partial(unchanged, workers=storage.workers))  # fmt: skip
        for name, habit in habits.items():
            after = storage.cache.get("habit of a round", design | {"habit": _identity(habit)},
                                      partial(changed, habit=habit, workers=storage.workers))  # fmt: skip
            for outcome, effect in product(OUTCOMES, [effect for effect, its in pairs if its == name]):
                change = after[outcome] - before[name if outcome == SHOWN else outcome]
                for when, estimate in by_card(change, before[LIE_OPEN], effect).items():
                    yield key_of(table, effect, name, outcome, when), estimate


def by_card(change: np.ndarray, cards: np.ndarray, effect: str) -> dict[str, Estimate]:
    """The mean change in games whose round has a card of the effect open, in the others, and the first less the second.

    `change` and `cards`, masks of open cards, are by game. Rounds are weighted by how often such a card lies open
    there, so that both are of the same rounds; the units of errors are sets of blocks.
    """
    mask = sum(1 << CARDS.index(card) for card in cards_of(effect))
    lies = ((cards.astype(np.int64) & mask) != 0).astype(np.float64)
    weights, parts = shares_of_rounds(effect).tolist(), {}
    for when, fits in ((OPEN, lies), (OTHERWISE, 1 - lies)):
        totals, cases = (values.reshape(-1, ROUNDS, SIZE).sum(axis=2) for values in (change * fits, fits))
        parts[when] = combined(weights, [block_ratio(totals[:, place], cases[:, place]) for place in range(ROUNDS)])
    return {**parts, MORE: parts[OPEN] - parts[OTHERWISE]}


def unchanged(design: Mapping[str, Any], workers: int | None = None) -> dict[str, np.ndarray]:
    """By game, without a habit: mean points and wins of the seats, each measure in the round, and the open cards."""
    experiment, blocks = design["experiment"], design["sets"] * ROUNDS
    arena = experiment.components().arena(experiment.seed)
    return counted_in(arena, blocks, partial(_all_seats, measures=design["measures"]), True, workers)


def _all_seats(games: Games, measures: Mapping[str, Mapping[str, int]]) -> dict[str, np.ndarray]:
    result = {POINTS: games.seats("vp").mean(axis=1), WINS: 100 * games.seats("win").mean(axis=1)}
    result |= {name: _shown(games, columns).mean(axis=1) for name, columns in measures.items()}
    return result | {LIE_OPEN: cards_open(games, _rounds(games))}


def changed(design: Mapping[str, Any], habit: Habit, workers: int | None = None) -> dict[str, np.ndarray]:
    """By game, the mean of what each seat has when it alone has the habit: points, wins in per cent, the measure."""
    count = partial(_each_seat, _arenas(design["experiment"], habit), habit.measure.columns)
    blocks = [(block,) for block in range(design["sets"] * ROUNDS)]
    parts = np.concatenate(list(in_parallel(count, blocks, checked_workers(workers))), axis=1)
    return dict(zip(OUTCOMES, parts, strict=True))


def _arenas(experiment: Experiment, habit: Habit) -> list[list[Arena]]:
    # By round and by seat.
    parts = experiment.components()

    def arena(place: int, seat: int) -> Arena:
        policies = list(parts.policies)
        policies[seat] = in_round(habit, policies[seat], place)
        return replace(parts, policies=tuple(policies)).arena(experiment.seed)

    return [[arena(place, seat) for seat in range(PLAYERS)] for place in range(ROUNDS)]


def _each_seat(arenas: list[list[Arena]], columns: Mapping[str, int], block: int) -> np.ndarray:
    every = []
    for seat, arena in enumerate(arenas[block % ROUNDS]):
        games = Games(block * SIZE, PLAYERS, arena.play(block * SIZE, SIZE, seasons=True))
        outcomes = (games.seats("vp"), 100 * games.seats("win"), _shown(games, columns))
        every.append([values[:, seat] for values in outcomes])
    return np.asarray(np.mean(every, axis=0))


def _rounds(games: Games) -> np.ndarray:
    return games.numbers // SIZE % ROUNDS


def _shown(games: Games, columns: Mapping[str, int]) -> np.ndarray:
    # What shows a habit in the round in which it holds, float64 [games, seats].
    seasons = _SEASON_OF_ROUND[_rounds(games)]
    return np.asarray(sum(sign * games.in_seasons(column, seasons) for column, sign in columns.items()))


def cards_open(games: Games, rounds: np.ndarray) -> np.ndarray:
    """The cards that lie open while rounds, by their places from 0 to 5, are planned: a mask by game, int16 [games]."""
    cards = np.array([[games.game(column) for column in columns] for columns in EVENT_COLUMNS], np.int16)
    years, first = np.divmod(rounds, SEASONS)
    masks = 1 << cards[years, :, np.arange(len(rounds))]
    return np.asarray((masks * (np.arange(masks.shape[1]) >= first[:, None])).sum(axis=1), np.int16)
