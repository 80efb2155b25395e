"""Habits, and games: tables as they are, with a seat that has a habit or is tuned for it, and counties fought for.

A habit is a tip of players, as a change of how one seat plays, and what shows that it plays so. `answers.py` has what
weights cannot bind. `tuning.py` made the policies of the folder `tuned`: a tip is tuned where it costs points untuned,
and the seat is compared with one that was tuned as long without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.columns import columns_of
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.policies.catalogue import read_policy
from wallsim.policies.phased_weights import lay_over
from wallsim.policies.policy import Policy
from wallsim.rules.board import load_board
from wallsim.rules.terms import BATTLE_KINDS, COUNTIES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.games import Games, block_size, blocks_of, counted_in
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import PLAYERS, SIZES
from wallsim.studies.scope import THREE_TABLES as TABLES
from wallsim.studies.study import Choices, Storage

EXPERIMENT, ANSWERS, TUNED = (Path(__file__).with_name(name) for name in ("experiment.toml", "answers.py", "tuned"))
# Batches of 6 numbers a player: in a quick look, and of games of three and five; those of four are the experiment's.
QUICK, OTHERS = 12, {3: 36, 5: 24}
POINTS, WINS, SHOWN = "VP", "wins", "measure"  # what is estimated of a habit
GAIN = "VP of an untuned seat"  # more than that
_ROUNDS = tuple(place for place, name in enumerate(SEASON_NAMES) if not name.startswith("winter"))
_BUILT = {"done_palace": 1, "done_church": 1, "done_trading_post": 1}
_ON_NEUTRALS = {"attacks": 1, "attacks_on_players": -1}
MIDDLE = [int(each).bit_count() >= 6 for each in load_board().neighbours]  # by county: as many neighbours, all in play


class Measure(NamedTuple):
    """What shows a habit: the sum of some columns of `seasons`, with signs, over some seasons; or their mean.

    Or what `BY_CODE` counts, by its name there.
    """

    words: str
    columns: Mapping[str, int] = {}
    seasons: tuple[int, ...] = ()
    mean: bool = False
    by_code: str = ""


@dataclass(frozen=True)
class Habit:
    """A saying, the weights by which a seat follows it, in all rounds and by phase, and what shows that it does.

    `more` says whether the measure rises with the habit. `code` is a Python file that answers some questions instead;
    `answers.py` does so where the weight `statue` says which of its tips holds in a round.
    """

    name: str
    measure: Measure
    more: bool
    weights: Mapping[str, float] = field(default_factory=dict)
    phases: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    code: Path | None = None

    def of(self, policy: Policy) -> Policy:
        """The same policy with this habit."""
        weights, phases = lay_over(policy.weights, policy.phases, self.weights, self.phases)
        changed = replace(policy, name=f"{policy.name} changed", weights=dict(weights), phases=dict(phases))
        if self.code is None:
            return changed
        answers = read_policy(self.code)
        return replace(changed, answers={**policy.answers, **answers.answers}, code=policy.code + answers.code)

    def identity(self) -> dict[str, Any]:
        """All that decides how a seat with this habit plays, and what is counted of it."""
        code = "" if self.code is None else read_policy(self.code).code
        return {"weights": self.weights, "phases": self.phases, "code": code, "measure": self.measure._asdict()}


def _bound(name: str, measure: Measure, more: bool, *, when: str = "", **weights: float) -> Habit:
    # A habit of `answers.py`, in all rounds or in one phase; elsewhere the weights answer.
    return Habit(name, measure, more, {"statue": 0.0} if when else weights, {when: weights} if when else {}, ANSWERS)


# How `answers.py` numbers its tips, as values of the weight.
_NO_BID, _NO_RIVALS, _NO_NEUTRALS, _NO_ATTACKS, _SAFE, _NO_MIDDLE, _DENY, _REGION, _TWO, _ALL, _NONE = (
    number / 8 for number in range(1, 12))  # fmt: skip
_SPRING = Measure("buildings in the first spring", _BUILT, _ROUNDS[:1])
_LEADER = Measure("attacks on the leader", {"attacks_on_leader": 1}, _ROUNDS)
_WAR = Measure("attacks on players", {"attacks_on_players": 1}, _ROUNDS)
# The weights of each were set by hand, and change what the measure counts in pilots of other games.
HABITS = {habit.name: habit for habit in (
    _bound("Build two of three in every round", Measure("rounds with two buildings", by_code="two"), True, statue=_TWO),
    _bound("Build in the first spring", _SPRING, True, when="spring 1", statue=_ALL),
    _bound("Build nothing in the first spring", _SPRING, False, when="spring 1", statue=_NONE),
    _bound("Keep to one region", Measure("buildings outside of the main region", by_code="elsewhere"), False,
           statue=_REGION, draft_region=2.0),
    _bound("Stay out of the middle", Measure("counties of the middle at the end", by_code="middle"), False,
           statue=_NO_MIDDLE),
    Habit("Take neutral land first", Measure("attacks on neutral land in the first two rounds", _ON_NEUTRALS,
                                             _ROUNDS[:2]), True,
          phases={name: {"neutral": 4.0, "rival": -0.5} for name in ("spring 1", "summer 1")}),
    _bound("Leave neutral land alone", Measure("attacks on neutral land", _ON_NEUTRALS, _ROUNDS), False,
           statue=_NO_NEUTRALS, neutral=-0.5),
    _bound("Keep armies at home", Measure("attacks", {"attacks": 1}, _ROUNDS), False, statue=_NO_ATTACKS, neutral=-0.5,
           rival=-0.5),
    _bound("Win without a battle against players", _WAR, False, statue=_NO_RIVALS, rival=-0.5),
    _bound("No war in year one", Measure("attacks on players in year one", {"attacks_on_players": 1}, _ROUNDS[:3]),
           False, when="year one", statue=_NO_RIVALS, rival=-0.5),
    _bound("Attack only when it is safe", _WAR, False, statue=_SAFE),
    Habit("Attack the leader", _LEADER, True, {"standing": 0.2}),
    Habit("Leave the leader alone", _LEADER, False, {"standing": -0.2}),
    _bound("Deny the leader in the last fall", Measure("attacks on the leader in the last fall",
                                                       {"attacks_on_leader": 1}, _ROUNDS[5:]), True,
           when="fall 2", statue=_DENY),
    _bound("Bid nothing", Measure("Thalers bid", {"paid_bids": 1}, _ROUNDS), False, statue=_NO_BID),
    Habit("Act first", Measure("mean place in the player order", {"place": 1}, _ROUNDS, mean=True), False,
          {"place": 2.0}),
    Habit("Keep grain to spare", Measure("grain before winter", {"grain_held": 1}, _ROUNDS[2::3], mean=True), True,
          phases={"falls": {"spare_grain": 2.0}}),
    Habit("Spend all in the last fall", Measure("Thalers after the last fall", {"thalers": 1}, _ROUNDS[5:]), False,
          phases={"fall 2": {"thaler": -0.5}}),
)}  # fmt: skip
# Those that move points most in pilots of other games, in the mean of the tables of four: all seats follow them, too.
LARGEST = ("Keep armies at home", "Win without a battle against players", "Keep to one region")
# The habits as tips for players, who read what was measured.
TIPS = {name: name for name in HABITS} | {"Build in the first spring": "Build all three in the first spring"}
# How the tables play, by round.
ROUNDS = {SEASON_NAMES[place]: (place,) for place in _ROUNDS}
MEASURES = {
    "buildings": _BUILT, "attacks on players": {"attacks_on_players": 1}, "attacks on neutral land": _ON_NEUTRALS,
    "attacks on the leader": {"attacks_on_leader": 1}, "Thalers from taxes": {"taxes": 1},
    "grain brought in": {"grain": 1}, "armies deployed": {"armies_deployed": 1}, "Thalers bid": {"paid_bids": 1},
    "boxes without a county": {"passes": 1}, "Thalers held": {"thalers": 1}, "counties held": {"counties": 1},
}  # fmt: skip
_EVERY = {habit.measure.words: habit.measure for habit in HABITS.values()}
_IN_ROUNDS = {(name, moment): Measure(f"{name}, {moment}", columns, seasons)
              for name, columns in MEASURES.items() for moment, seasons in ROUNDS.items()}  # fmt: skip
IN_MIDDLE, OTHERS_THAN = "a county of the middle", "another county"
_BATTLE, _HELD = ({column.name: place for place, column in enumerate(columns_of(table))}
                  for table in ("battles", "counties"))  # fmt: skip


class Design(NamedTuple):
    """The game numbers of every table, in batches of 6 a player, by number of players."""

    batches: dict[int, int]
    quick: bool = False

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of players."""
        return tuple(self.batches)

    def blocks(self, players: int) -> int:
        """The game numbers of a table, each of which is a block."""
        return self.batches[players] * block_size(players)


def design(choices: Choices) -> Design:
    """What is played; a number of games is that of the numbers at each table of four."""
    if choices.quick:
        return Design({PLAYERS: blocks_of(choices.games) if choices.games else QUICK}, True)
    whole = blocks_of(choices.games or load_experiment(EXPERIMENT).games)
    return Design({size: min(whole, OTHERS.get(size, whole)) for size in SIZES})


def at_table(players: int, cell: Cell) -> Experiment:
    """The experiment of a table: all seats play alike."""
    return experiment_of(EXPERIMENT, cell, players)


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    tables = {"/".join((str(players), *cell)): at_table(players, cell) for players in design.sizes for cell in TABLES}
    habits = {name: habit.identity() for name, habit in HABITS.items()}
    return {
        "tables": tables, "batches": design.batches, "habits": habits, "measures": MEASURES, "all follow": LARGEST,
        "tuned": [policy_of(cell, name).identity() for cell in TABLES for name in (None, *costly(cell))],
    }  # fmt: skip


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play every table as it is, with every habit in every seat, with the largest in all, and with tuned seats."""
    values: dict[Key, Value] = {}
    for (players, batches), cell in product(design.batches.items(), TABLES):
        table, at = Table(at_table(players, cell), batches, storage), partial(Key, players=players, cell=cell)
        values |= {at("measure", item, moment=moment): each for (item, moment), each in table.by_round().items()}
        values |= {at(*key): each for key, each in table.fought_for(players == PLAYERS)}
        for name, habit in HABITS.items():
            changes = table.changed("changed habit", {"habit": habit.identity()}, habit.of, {SHOWN: habit.measure})
            values |= {at("habit", f"{name} {what}"): block_mean(each) for what, each in changes.items()}
        for name in LARGEST:
            values |= {at("all", f"{name} {what}"): each for what, each in table.if_all(HABITS[name]).items()}
        if players == PLAYERS:
            values |= {at("tuned", item): each for item, each in tuned_for(table, cell)}
    return values


@dataclass(frozen=True)
class Table:
    """So many batches of 6 game numbers a player of a table, as they are stored and counted; a number is a block."""

    experiment: Experiment
    batches: int
    storage: Storage

    @cached_property
    def parts(self) -> Components:
        """Its rules and policies."""
        return self.experiment.components()

    def stored(self, counted: str, facts: Mapping[str, Any], play: Callable[[Any], Any]) -> dict[str, np.ndarray]:
        """What `play` returns, or returned before for the same games and `facts`."""
        return self.storage.cache.get(counted, {"experiment": self.experiment, "batches": self.batches, **facts}, play)

    def counts(self, count: Callable[[Games], Any], policies: Sequence[Policy] = (), **tables: bool) -> dict[str, Any]:
        """The counts of all batches of games, one after the other; with other `policies` if given."""
        arena = replace(self.parts, policies=tuple(policies) or self.parts.policies).arena(self.experiment.seed)
        return counted_in(arena, self.batches, count, True, self.storage.workers, **tables)

    @cached_property
    def before(self) -> dict[str, np.ndarray]:
        """What is counted of the games without a habit: by seat as `_seats`, by round, and as `_by_county`."""
        facts = {"measures": [each._asdict() for each in (*_EVERY.values(), *_IN_ROUNDS.values())]}
        return self.stored("as it is", facts, lambda _: self.counts(_as_it_is, battles=True, counties=True))

    def changed(
        self, counted: str, facts: Mapping[str, Any], other: Callable[[Policy], Policy], measures: Mapping[str, Measure]
    ) -> dict[str, np.ndarray]:
        """What one seat's `other` policy changes, in every seat in turn: points, wins and measures, float64 [blocks].

        In the same games, less what the seat has without it.
        """

        def played(_: object) -> dict[str, np.ndarray]:
            players = self.experiment.players
            total: dict[str, np.ndarray] = {}
            held = any(measure.by_code for measure in measures.values())
            for seat, own in enumerate(self.parts.policies):
                policies = [*self.parts.policies[:seat], other(own), *self.parts.policies[seat + 1 :]]
                after = self.counts(partial(_seats, measures=measures), policies, counties=held)
                for name, values in after.items():
                    before = self.before[measures[name].words if name in measures else name]
                    total[name] = total.get(name, 0.0) + (values - before)[:, seat]
            return {name: values / players for name, values in total.items()}

        return self.stored(counted, facts, played)

    def if_all(self, habit: Habit) -> dict[str, Estimate]:
        """What the mean seat gains where all have a habit, against the same games in which nobody has it."""

        def played(_: object) -> dict[str, np.ndarray]:
            count = partial(_seats, measures={SHOWN: habit.measure})
            after = self.counts(count, [habit.of(own) for own in self.parts.policies], counties=True)
            return {what: after[what].mean(axis=1) - self.before[name].mean(axis=1)
                    for what, name in ((POINTS, POINTS), (SHOWN, habit.measure.words))}  # fmt: skip

        changes = self.stored("habit of all", {"habit": habit.identity()}, played)
        return {what: block_mean(each) for what, each in changes.items()}

    def by_round(self) -> dict[tuple[str, str], Estimate]:
        """Each measure of a seat in each round, the mean of all seats, by measure and round."""
        return {key: block_mean(self.before[measure.words]) for key, measure in _IN_ROUNDS.items()}

    def fought_for(self, single: bool) -> Iterator[tuple[tuple[str, str], Estimate]]:
        """Attacks of players on a county's owners in a game, and the share of its owners that lose it, in per cent.

        Of counties of the middle, of all others, and of `single` ones, by quantity and item. An owner is a seat that
        holds the county at some time of a game; one that loses it and gets it back has lost it.
        """
        attacks, owners, losers = (self.before[name].astype(np.float64) for name in ("attacked", "owners", "losers"))
        middle, names = np.array(MIDDLE), self.parts.board.counties
        groups = [(IN_MIDDLE, middle), (OTHERS_THAN, ~middle), *zip(names, np.eye(len(names), dtype=bool), strict=True)]
        for name, here in groups if single else groups[:2]:
            if owners[:, here].any():
                yield ("attacked", name), block_mean(attacks[:, here].mean(axis=1))
                yield ("lost", name), block_ratio(losers[:, here].sum(axis=1), owners[:, here].sum(axis=1)) * 100.0


def _as_it_is(games: Games) -> dict[str, np.ndarray]:
    rounds = {each.words: measured(games, each).mean(axis=1) for each in _IN_ROUNDS.values()}
    return _seats(games, _EVERY) | rounds | _by_county(games)


def _seats(games: Games, measures: Mapping[str, Measure]) -> dict[str, np.ndarray]:
    """Points, wins in per cent, and each measure by name, of every seat, float64 [games, seats]."""
    shown = {name: measured(games, measure) for name, measure in measures.items()}
    return {POINTS: games.seats("vp"), WINS: 100 * games.seats("win")} | shown


def measured(games: Games, measure: Measure) -> np.ndarray:
    """A measure of every seat, float64 [games, seats]."""
    if measure.by_code:
        return BY_CODE[measure.by_code](games)
    total = np.zeros((len(games.numbers), games.players))
    for season, (column, sign) in product(measure.seasons, measure.columns.items()):
        total += sign * games.in_seasons(column, np.full(len(games.numbers), season))
    return total / len(measure.seasons) if measure.mean else total


def _by_county(games: Games) -> dict[str, np.ndarray]:
    """By game and county, int32 [games, counties]: attacks on players, owners, and owners that lose the county."""
    battles, held = games.tables.battles, games.tables.counties

    def table(rows: np.ndarray, places: Mapping[str, int]) -> np.ndarray:
        cells = rows[:, places["game"]].astype(np.int64) * COUNTIES + rows[:, places["county"]]
        return np.bincount(cells, minlength=len(games.numbers) * COUNTIES).reshape(-1, COUNTIES).astype(np.int32)

    on_players = battles[battles[:, _BATTLE["kind"]] == BATTLE_KINDS.index("player")]
    lost = held[held[:, _HELD["losses"]] > 0]
    return {"attacked": table(on_players, _BATTLE), "owners": table(held, _HELD), "losers": table(lost, _HELD)}


def _at_end(games: Games, columns: Sequence[str]) -> np.ndarray:
    # What some columns of `counties` count by county at the end, int64 [games, seats, counties].
    rows, size = games.tables.counties, (len(games.numbers), games.players, COUNTIES)
    cells = np.ravel_multi_index([rows[:, _HELD[name]] for name in ("game", "seat", "county")], size)
    return np.bincount(cells, sum(rows[:, _HELD[name]] for name in columns), np.prod(size)).reshape(size)


def _elsewhere(games: Games) -> np.ndarray:
    built = _at_end(games, [f"{kind}_year2" for kind in ("palace", "church", "trading_post")])
    by_region = built @ (np.array(load_board().region)[:, None] == np.arange(len(load_board().regions)))
    return np.asarray(by_region.sum(axis=2) - by_region.max(axis=2), np.float64)


def _two_buildings(games: Games) -> np.ndarray:
    rounds = (measured(games, Measure("", _BUILT, (season,))) == 2.0 for season in _ROUNDS)
    return np.asarray(sum(rounds), np.float64)


# What is counted of a seat, float64 [games, seats]: rounds in which it puts up just two buildings; and at the end its
# counties of the middle, and its buildings outside of the region where it has most.
BY_CODE: Mapping[str, Callable[[Games], np.ndarray]] = {
    "two": _two_buildings,
    "middle": lambda games: _at_end(games, ["held_year2"])[:, :, np.array(MIDDLE)].sum(axis=2),
    "elsewhere": _elsewhere,
}


def tuned_file(cell: Cell, habit: str | None) -> Path:
    """Where the policy lies that was tuned at a table with a habit, or without one."""
    words = (at_table(PLAYERS, cell).policies[0], *([] if habit is None else [habit.lower().replace(" ", "-")]))
    return TUNED / f"{'-'.join(words)}.toml"


@cache
def costly(cell: Cell) -> tuple[str, ...]:
    """The habits for which a seat of a table was tuned, since they cost an untuned one points (`tuning.py`).

    FileNotFoundError with the command if none was tuned for the bots that sit there.
    """
    if not tuned_file(cell, None).is_file():
        raise FileNotFoundError(f"{tuned_file(cell, None)}: no such file; python -m wallsim.analyses.play.tuning DIR")
    return tuple(name for name in HABITS if tuned_file(cell, name).is_file())


def policy_of(cell: Cell, habit: str | None) -> Policy:
    """The policy tuned at a table, with its habit."""
    policy = read_policy(tuned_file(cell, habit))
    return policy if habit is None else HABITS[habit].of(policy)


def tuned_for(table: Table, cell: Cell) -> Iterator[tuple[str, Estimate]]:
    """What the tuned policies of a table bring one seat of it, in the table's games, by item.

    Points and wins by tuning alone; of each habit points and wins against a seat that was tuned as long without it,
    points against an untuned one (GAIN), and how far the measure is from that of an untuned seat.
    """

    def changes(name: str | None) -> dict[str, np.ndarray]:
        policy, own = policy_of(cell, name), [HABITS[each].measure for each in ([name] if name else costly(cell))]
        facts = {"policy": policy.identity(), "measures": [measure.words for measure in own]}
        return table.changed("tuned habit", facts, lambda _: policy, {measure.words: measure for measure in own})

    alone = changes(None)
    yield from ((what, block_mean(alone[what])) for what in (POINTS, WINS))
    for name in costly(cell):
        each = changes(name)
        yield from ((f"{name} {what}", block_mean(each[what] - alone[what])) for what in (POINTS, WINS))
        yield f"{name} {GAIN}", block_mean(each[POINTS])
        yield f"{name} {SHOWN}", block_mean(each[HABITS[name].measure.words])
