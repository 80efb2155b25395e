"""What games show in which the game itself draws its cards, without interventions: its lottery, and open cards.

A card that is forced into a season must bring what it brings in the games in which it comes there by itself, with all
that lying open brings. Which cards lie open is known before planning: a habit holds in one round of each game and in
one seat, each in turn, and games in which a card lies open then are compared with those in which it does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.policies.policy import Policy
from wallsim.policies.weights import STATUE, WEIGHTS
from wallsim.rules.provenance import event_words
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.stats.screening import JointTest, hotelling_of_two
from wallsim.studies.games import SEASON_OF_ROUND, Counted, Games, block_size, counted_in, in_batches
from wallsim.studies.outcomes import POINTS
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scenarios import experiment_of, scenarios_played
from wallsim.studies.scope import PLAYERS, SECOND_TABLE, THREE_TABLES, Scope
from wallsim.studies.study import Storage

from ..play.changes import POINTS as VP
from ..play.changes import SHOWN, WINS, Habit, Measure
from .cards import CARDS, EXPERIMENT, HOLDINGS, IN_FORCE, KEPT, WINTERS, cards_of, count, tables_of

SIZE = block_size(PLAYERS)  # games of a block: the habit holds in one round in each, so six blocks have each once
ROUNDS = len(ROUND_NAMES)
CAME = [  # columns of `games`, by year: the cards of the rounds in their order, and last that of the winter
    (*(f"event_{season}_year{year}" for season in ("spring", "summer", "fall")), f"winter_event_year{year}")
    for year in (1, 2)
]
LOTTERY = 4  # games without interventions, by games of a scenario
ALL_EIGHT, BOTH_WINTERS = "all eight cards", "the cards of both winters"
SHARES = {ALL_EIGHT: range(len(SEASON_NAMES)), BOTH_WINTERS: tuple(WINTERS.values())}
BETWEEN = ("points", "wins")  # what differs between the seats of a table
HELD = (*HOLDINGS.values(), "grain_held")  # what a seat holds, by the column of `seasons`
TESTED = {
    "games": "games without interventions of the test",
    "differences": "differences tested: degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F",
    "F": "F of the test that forced cards bring what the game's own lottery brings",
    "p": "p-value of that test",
}


def blocks_of(scope: Scope, cell: Cell) -> list[int]:
    """The first block of games without interventions in a cell, which follow those of the scenarios, and the end."""
    return [scope.blocks(cell), (1 + LOTTERY) * scope.blocks(cell)]


def shared_in(scope: Scope) -> tuple[Cell, ...]:
    """The tables in which shares of the variance are measured: the second line's, too, where the study plays it."""
    return (*scope.tables, *(cell for cell in scope.settings if cell == SECOND_TABLE))


def play_lottery(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """Play games without interventions: what share of the variance cards bring, and whether forced ones bring as much.

    The first table alone has the test, if it has enough blocks.
    """
    for cell in shared_in(scope):
        design = {"experiment": experiment_of(EXPERIMENT, cell), "blocks": blocks_of(scope, cell)}
        drawn = storage.cache.get("lottery", design, partial(games_drawn, workers=storage.workers))
        for name, seasons in SHARES.items():
            share = share_of_variance(drawn["cards"], drawn["points"], seasons) * 100
            yield Key("share-of-variance", name, PLAYERS, cell), share
        for outcome in BETWEEN:
            between = share_of_variance(drawn["cards"], drawn[outcome], between=True) * 100
            by_holding = share_by_holding(drawn["cards"], drawn[outcome], drawn["held"]) * 100
            for quantity, share in (("between-seats", between), ("by-holding", by_holding),
                                    ("decided", combined([1.0, 1.0], [between, by_holding]))):  # fmt: skip
                yield Key(f"share-{quantity}", outcome, PLAYERS, cell), share
        if cell == scope.baseline_cell():
            experiment = experiment_of(EXPERIMENT, cell)
            forced = dict(scenarios_played(experiment, IN_FORCE | KEPT, scope.baseline, count, storage, seasons=True))
            if (test := agreement(drawn["cards"], drawn["points"], forced)) is not None:
                numbers = (len(drawn["points"]), *test.degrees, test.f, test.p_value)
                for name, number in zip(TESTED, numbers, strict=True):
                    yield Key("lottery", name, PLAYERS, cell), Number(float(number))


def games_drawn(design: Mapping[str, Any], workers: int | None) -> dict[str, np.ndarray]:
    """Some blocks of an experiment: the cards' numbers by game and season, points and wins by game and seat.

    And what each seat held after each season but the last, [games, seasons, seats, holdings].
    """
    arena = design["experiment"].arena()
    parts = in_batches(arena, range(*design["blocks"]), _came, True, workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _came(games: Games) -> dict[str, np.ndarray]:
    cards = np.column_stack([games.game(column) for year in CAME for column in year])
    every = [np.full(len(cards), season) for season in range(len(SEASON_NAMES) - 1)]
    held = [[games.in_seasons(column, season) for column in HELD] for season in every]
    return {"cards": cards.astype(np.int8), "points": games.seats("vp").astype(np.int16), "wins": games.seats("win"),
            "held": np.moveaxis(np.array(held, np.int16), (2, 0, 3, 1), (0, 1, 2, 3))}  # fmt: skip


def share_of_variance(
    cards: np.ndarray, values: np.ndarray, seasons: Sequence[int] = SHARES[ALL_EIGHT], *, between: bool = False
) -> Estimate:
    """The share of the variance of a seat's points that the cards of some seasons bring, by their main effects.

    Least squares of the table's mean on which card came in which season: what a card does to all seats equally. The
    variance of the fitted means is divided by the variance of the points of all seats. The influence of a block is that
    of a ratio of means (Taylor series).

    `between`: of what a seat has above the mean of its table, by the effects of cards on each seat, which with line-ups
    is a line-up. `values` are points or wins, [games, seats].
    """
    values = values.astype(np.float64)
    table = values.mean(axis=1, keepdims=True)
    whole = values - (table if between else values.mean())
    sought = whole - whole.mean(axis=0) if between else table - values.mean()
    design = np.concatenate([_came_less_mean(cards, season) for season in seasons], axis=1)
    brought = np.mean([_brought(design[:, None], each[:, None]) for each in sought.T], axis=0)
    return block_ratio(_by_block(brought), _by_block((whole**2).mean(axis=1)))


def share_by_holding(cards: np.ndarray, values: np.ndarray, held: np.ndarray) -> Estimate:
    """The share of what a seat has above its table's mean that cards bring by what it held when they came.

    For each season but the first, least squares on which card came times what the seat held before the season above its
    table's mean, [games, seasons, seats, holdings]. Without what holdings alone bring, whichever card comes.
    """
    whole = values - values.mean(axis=1, keepdims=True)
    brought = np.zeros(len(values))
    for season in range(held.shape[1]):
        mine = held[:, season] - held[:, season].mean(axis=1, keepdims=True)
        flat = mine.reshape(-1, mine.shape[-1])
        sought = whole - (flat @ np.linalg.lstsq(flat, whole.ravel(), rcond=None)[0]).reshape(whole.shape)
        came = _came_less_mean(cards, season + 1)
        design = came[:, None, :, None] * mine[:, :, None, :]
        brought += _brought(design.reshape(*whole.shape, -1), sought)
    return block_ratio(_by_block(brought), _by_block((whole**2).mean(axis=1)))


def _came_less_mean(cards: np.ndarray, season: int) -> np.ndarray:
    came = cards[:, [season]] == np.arange(len(CARDS))
    return np.asarray(came - came.mean(axis=0), np.float64)


def _brought(design: np.ndarray, sought: np.ndarray) -> np.ndarray:
    """By game, the mean square that a design, [games, seats, columns], brings of what is sought, [games, seats].

    Less what noise adds to it in expectation, where games are independent and seats of a game are not.
    """
    flat = design.reshape(-1, design.shape[-1])
    # Of all least squares solutions (a season's cards add up to 1) any has the same fitted values.
    inverse = np.linalg.pinv(flat.T @ flat, hermitian=True)
    fitted = (flat @ (inverse @ (flat.T @ sought.ravel()))).reshape(sought.shape)
    rest, free = sought - fitted, np.linalg.matrix_rank(inverse, hermitian=True)
    scores = np.matmul(rest[:, None, :], design)[:, 0]
    noise = ((scores @ inverse) * scores).sum() / sought.size * len(design) / max(1, len(design) - free)
    return np.asarray((fitted**2 + 2 * fitted * rest - noise).mean(axis=1))


def agreement(cards: np.ndarray, points: np.ndarray, played: Mapping[str, Counted]) -> JointTest | None:
    """Test jointly whether forced cards bring what the cards of the lottery bring, in every round and winter.

    `played` has the scenarios `CARD forced` and `CARD WINTER`. What a card brings is the mean with it less the mean of
    the twelve cards, which the lottery draws with equal chances. The lottery's games must not be among those played
    with interventions. None if there are too few blocks.
    """
    table, drawn, forced = points.mean(axis=1), [], []
    for season, name in enumerate(SEASON_NAMES):
        if name in WINTERS:
            mine = [played[f"{card} {name}"][POINTS].mean(axis=1) for card in CARDS]
        else:
            mine = [played[f"{card} forced"][POINTS][:, ROUND_NAMES.index(name)] for card in CARDS]
        forced += [each - np.mean(mine, axis=0) for each in mine[:-1]]
        for card in range(len(CARDS) - 1):  # as value plus influence
            here = cards[:, season] == card
            mean = table[here].mean() if here.any() else 0.0
            drawn.append(_by_block(mean + here * (table - mean) / max(here.mean(), 1 / len(here)) - table))
    return hotelling_of_two(np.column_stack(drawn), np.column_stack(forced))


def _by_block(values: np.ndarray) -> np.ndarray:
    return np.asarray(values.reshape(-1, SIZE).mean(axis=1))


# Open cards.
OPEN_AT_FIRST, SEASONS = 4, 3  # cards that lie open in spring, and rounds of a year; each round takes one (B2.4)
OUTCOMES = {VP: 1.0, WINS: 100.0, SHOWN: 1.0}  # with their factors: wins in per cent
OPEN, OTHERWISE, MORE = "open", "otherwise", "difference"
LIE_OPEN = "cards that lie open"  # a mask of cards, by game
CODE = Path(__file__).with_name("another_county.py")
_SWITCH = WEIGHTS[STATUE].name  # it says in which round a habit of the code holds


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


def identity_of(habit: Habit) -> dict[str, Any]:
    """Everything that decides how a habit plays, and what is counted of it."""
    return {"columns": habit.measure.columns, "weights": habit.weights, "code": habit.identity()["code"]}


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    tables, pairs = tables_of(scope, "open"), pairs_of(scope)
    return {
        "lottery": [blocks_of(scope, cell) for cell in shared_in(scope)], "held": HELD,
        "open": {
            "tables": {"/".join(table): experiment_of(EXPERIMENT, table) for table in tables.tables},
            "sets": tables.baseline, "habits": {name: identity_of(HABITS[name]) for _, name in pairs}, "pairs": pairs,
        },
    }  # fmt: skip


def key_of(table: Cell, effect: str, habit: str, outcome: str, when: str) -> Key:
    """What a habit changes of an outcome at a table, by whether a card of the effect lies open."""
    return Key(f"while-open-{outcome.lower()}", f"{effect} {habit} {when}", PLAYERS, table)


def play_habits(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Estimate | None]]:
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
            after = storage.cache.get("habit of a round", design | {"habit": identity_of(habit)},
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
    arena = design["experiment"].arena()
    count = partial(_all_seats, measures=design["measures"])
    return counted_in(arena, design["sets"] * ROUNDS, count, True, workers)


def _all_seats(games: Games, measures: Mapping[str, Mapping[str, int]]) -> dict[str, np.ndarray]:
    rounds = games.numbers // SIZE % ROUNDS
    means = {name: OUTCOMES.get(name, 1.0) * each.mean(axis=1) for name, each in _counted(games, measures).items()}
    return {**means, LIE_OPEN: cards_open(games, rounds)}


def _counted(games: Games, measures: Mapping[str, Mapping[str, int]]) -> dict[str, np.ndarray]:
    # Points, wins, and each measure in the round in which its habit holds, float64 [games, seats].
    seasons = SEASON_OF_ROUND[games.numbers // SIZE % ROUNDS]
    shown = {name: np.asarray(sum(sign * games.in_seasons(column, seasons) for column, sign in columns.items()))
             for name, columns in measures.items()}  # fmt: skip
    return {VP: games.seats("vp"), WINS: games.seats("win"), **shown}


def changed(design: Mapping[str, Any], habit: Habit, workers: int | None = None) -> dict[str, np.ndarray]:
    """By game, the mean of what each seat has when it alone has the habit: points, wins in per cent, the measure."""
    parts = design["experiment"].components()

    def arena(place: int, seat: int) -> Any:
        policies = list(parts.policies)
        policies[seat] = in_round(habit, policies[seat], place)
        return replace(parts, policies=tuple(policies)).arena(design["experiment"].seed)

    arenas = [[arena(place, seat) for seat in range(PLAYERS)] for place in range(ROUNDS)]
    blocks = [(block,) for block in range(design["sets"] * ROUNDS)]
    count = partial(_each_seat, arenas, {SHOWN: habit.measure.columns})
    found = np.concatenate(list(in_parallel(count, blocks, checked_workers(workers))), axis=1)
    return dict(zip(OUTCOMES, found, strict=True))


def _each_seat(arenas: list[list[Arena]], measure: Mapping[str, Mapping[str, int]], block: int) -> np.ndarray:
    every = []
    for seat, arena in enumerate(arenas[block % ROUNDS]):
        counted = _counted(Games(block * SIZE, PLAYERS, arena.play(block * SIZE, SIZE, seasons=True)), measure)
        every.append([factor * counted[name][:, seat] for name, factor in OUTCOMES.items()])
    return np.asarray(np.mean(every, axis=0))


def cards_open(games: Games, rounds: np.ndarray) -> np.ndarray:
    """The cards that lie open while rounds, by their places from 0 to 5, are planned: a mask by game, int16 [games]."""
    cards = np.array([[games.game(column) for column in columns] for columns in CAME], np.int16)
    years, first = np.divmod(rounds, SEASONS)
    masks = 1 << cards[years, :, np.arange(len(rounds))]
    return np.asarray((masks * (np.arange(masks.shape[1]) >= first[:, None])).sum(axis=1), np.int16)
