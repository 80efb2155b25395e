"""Habits, and games: tables as they are, with a seat that has a habit or is tuned for it, and counties fought for.

A habit is a saying of players, as a change of how one seat plays, and what shows that it plays so. `tuning.py` made the
policies of the folder `tuned`: a saying is tuned where it costs points untuned, and the seat is compared with one that
was tuned as long without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
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
from wallsim.rules.terms import BATTLE_KINDS, COUNTIES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.games import Games, block_size, blocks_of, counted_in
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import PLAYERS, SIZES
from wallsim.studies.scope import THREE_TABLES as TABLES
from wallsim.studies.study import Choices, Storage

EXPERIMENT, TUNED = (Path(__file__).with_name(name) for name in ("experiment.toml", "tuned"))
FILES = dict(zip(TABLES, ("casual", "first", "second"), strict=True))  # the names of tables in those of tuned policies
# Batches of 6 numbers a player: in a quick look, and of games of three and five; those of four are the experiment's.
QUICK, OTHERS = 12, {3: 40, 5: 30}
POINTS, WINS, SHOWN = "VP", "wins", "measure"  # what is estimated of a habit
GAIN = "VP of an untuned seat"  # more than that
_LATER = ("No war in year one", "Attack only when it is safe", "Act first")
_STRONG = ("Take neutral land first", "Leave neutral land alone", "Bid nothing", "Keep grain to spare")
_BUILD, _SAVE, _SPEND = "Build in the first spring", "Build nothing in the first spring", "Spend all in the last fall"
# The habits that are known to cost an untuned seat points at a table, in games of four, where they take effect.
COSTLY = dict(zip(TABLES, (
    (_BUILD, _SAVE, *_LATER, "Leave the leader alone", _SPEND), (_BUILD, *_LATER, *_STRONG, _SPEND),
    (_SAVE, *_LATER, *_STRONG, _SPEND),
), strict=True))  # fmt: skip
SEARCHED = [(cell, name) for cell in TABLES for name in (None, *COSTLY[cell])]  # the policies that were tuned
_ROUNDS = tuple(place for place, name in enumerate(SEASON_NAMES) if not name.startswith("winter"))
_BUILT = {"done_palace": 1, "done_church": 1, "done_trading_post": 1}
_ON_NEUTRALS = {"attacks": 1, "attacks_on_players": -1}


class Measure(NamedTuple):
    """What shows a habit: the sum of some columns of `seasons`, with signs, over some seasons; or their mean."""

    words: str
    columns: Mapping[str, int]
    seasons: tuple[int, ...]
    mean: bool = False


@dataclass(frozen=True)
class Habit:
    """A saying, the weights by which a seat follows it, in all rounds and by phase, and what shows that it does.

    `more` says whether the measure rises with the habit. `code` is a Python file that answers some questions instead.
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


_SPRING = Measure("buildings in the first spring", _BUILT, _ROUNDS[:1])
_LEADER = Measure("attacks on the leader", {"attacks_on_leader": 1}, _ROUNDS)
# The weights of each were set by hand, and change what the measure counts in pilots of other games.
HABITS = {habit.name: habit for habit in (
    Habit("Build in the first spring", _SPRING, True,
          phases={"spring 1": {"thaler": 0.0, "majority": 2.0, "hold": 1.2}}),
    Habit("Build nothing in the first spring", _SPRING, False,
          phases={"spring 1": {"hold": 0.0, "majority": -1.0, "deny": -1.0, "contest": 0.0}}),
    Habit("Take neutral land first", Measure("attacks on neutral land in the first two rounds", _ON_NEUTRALS,
                                             _ROUNDS[:2]), True,
          phases={name: {"neutral": 4.0, "rival": -0.5} for name in ("spring 1", "summer 1")}),
    Habit("Leave neutral land alone", Measure("attacks on neutral land", _ON_NEUTRALS, _ROUNDS), False,
          {"neutral": -0.5}),
    Habit("No war in year one", Measure("attacks on players in year one", {"attacks_on_players": 1}, _ROUNDS[:3]),
          False, phases={"year one": {"rival": -0.5}}),
    Habit("Attack only when it is safe", Measure("attacks on players", {"attacks_on_players": 1}, _ROUNDS), False,
          {"caution": 3.0}),
    Habit("Attack the leader", _LEADER, True, {"standing": 0.2}),
    Habit("Leave the leader alone", _LEADER, False, {"standing": -0.2}),
    Habit("Bid nothing", Measure("Thalers bid", {"paid_bids": 1}, _ROUNDS), False,
          code=EXPERIMENT.with_name("bid_nothing.py")),
    Habit("Act first", Measure("mean place in the player order", {"place": 1}, _ROUNDS, mean=True), False,
          {"place": 2.0}),
    Habit("Keep grain to spare", Measure("grain before winter", {"grain_held": 1}, _ROUNDS[2::3], mean=True), True,
          phases={"falls": {"spare_grain": 2.0}}),
    Habit("Spend all in the last fall", Measure("Thalers after the last fall", {"thalers": 1}, _ROUNDS[5:]), False,
          phases={"fall 2": {"thaler": -0.5}}),
)}  # fmt: skip
# The habits as tips for players, who read what was measured.
TIPS = {name: name for name in HABITS} | {_BUILD: "Build all three in the first spring"}
# How the tables play, by round.
ROUNDS = {SEASON_NAMES[place]: (place,) for place in _ROUNDS}
MEASURES = {
    "buildings": _BUILT, "attacks on players": {"attacks_on_players": 1}, "attacks on neutral land": _ON_NEUTRALS,
    "attacks on the leader": {"attacks_on_leader": 1}, "Thalers from taxes": {"taxes": 1},
    "grain brought in": {"grain": 1}, "armies deployed": {"armies_deployed": 1}, "Thalers bid": {"paid_bids": 1},
    "boxes without a county": {"passes": 1}, "Thalers held": {"thalers": 1}, "counties held": {"counties": 1},
}  # fmt: skip
_EVERY = {habit.measure.words: habit.measure for habit in HABITS.values()}
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
        "tables": tables, "batches": design.batches, "habits": habits, "measures": MEASURES, "fought for with": PLAYERS,
        "tuned": [policy_of(*each).identity() for each in SEARCHED],
    }  # fmt: skip


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play every table as it is and with every habit in every seat, count fought counties, and play tuned seats."""
    values: dict[Key, Value] = {}
    tables = {(players, cell): Table(at_table(players, cell), each, storage)
              for (players, each), cell in product(design.batches.items(), TABLES)}  # fmt: skip
    for (players, cell), table in tables.items():
        at = partial(Key, players=players, cell=cell)
        values |= {at("measure", item, moment=moment): each for (item, moment), each in table.by_round().items()}
        for name, habit in HABITS.items():
            changes = table.changed("changed habit", {"habit": habit.identity()}, habit.of, {SHOWN: habit.measure})
            values |= {at("habit", f"{name} {what}"): block_mean(each) for what, each in changes.items()}
    for cell in TABLES:
        fought = tables[PLAYERS, cell].fought_for().items()
        for place, quantity in enumerate(("attacked", "lost")):
            values |= {Key(quantity, county, PLAYERS, cell): each[place] for county, each in fought}
        values |= {Key("tuned", item, PLAYERS, cell): each for item, each in tuned_for(tables[PLAYERS, cell], cell)}
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
        return counted_in(arena, self.batches, count, not tables, self.storage.workers, **tables)

    @cached_property
    def before(self) -> dict[str, np.ndarray]:
        """Points, wins in per cent and every measure of seats without a habit, by its words, float64 [games, seats]."""
        return self.counts(partial(_seats, measures=_EVERY))

    def changed(
        self, counted: str, facts: Mapping[str, Any], other: Callable[[Policy], Policy], measures: Mapping[str, Measure]
    ) -> dict[str, np.ndarray]:
        """What one seat's `other` policy changes, in every seat in turn: points, wins and measures, float64 [blocks].

        In the same games, less what the seat has without it.
        """

        def played(_: object) -> dict[str, np.ndarray]:
            players = self.experiment.players
            total: dict[str, np.ndarray] = {}
            for seat, own in enumerate(self.parts.policies):
                policies = [*self.parts.policies[:seat], other(own), *self.parts.policies[seat + 1 :]]
                after = self.counts(partial(_seats, measures=measures), policies)
                for name, values in after.items():
                    before = self.before[measures[name].words if name in measures else name]
                    total[name] = total.get(name, 0.0) + (values - before)[:, seat]
            return {name: values / players for name, values in total.items()}

        return self.stored(counted, facts, played)

    def by_round(self) -> dict[tuple[str, str], Estimate]:
        """Each measure of a seat in each round, the mean of all seats, by measure and round."""
        wanted = {(name, moment): Measure(f"{name}, {moment}", columns, seasons)
                  for name, columns in MEASURES.items() for moment, seasons in ROUNDS.items()}  # fmt: skip

        def means(games: Games) -> dict[str, np.ndarray]:
            return {each.words: measured(games, each).mean(axis=1) for each in wanted.values()}

        result = self.stored("measures by round", {"measures": MEASURES}, lambda _: self.counts(means))
        return {key: block_mean(result[measure.words]) for key, measure in wanted.items()}

    def fought_for(self) -> dict[str, tuple[Estimate, Estimate]]:
        """Attacks of players on a county's owners in a game, and the share of its owners that lose it, in per cent.

        An owner is a seat that holds the county at some time of a game; one that loses it and gets it back has lost it.
        """
        result = self.stored("counties fought for", {},
                             lambda _: self.counts(_by_county, battles=True, counties=True))  # fmt: skip
        attacks, owners, losers = (result[name].astype(np.float64) for name in ("attacks", "owners", "losers"))
        return {
            name: (block_mean(attacks[:, place]), block_ratio(losers[:, place], owners[:, place]) * 100.0)
            for place, name in enumerate(self.parts.board.counties)
            if owners[:, place].any()
        }


def _seats(games: Games, measures: Mapping[str, Measure]) -> dict[str, np.ndarray]:
    """Points, wins in per cent, and each measure by name, of every seat, float64 [games, seats]."""
    shown = {name: measured(games, measure) for name, measure in measures.items()}
    return {POINTS: games.seats("vp"), WINS: 100 * games.seats("win")} | shown


def measured(games: Games, measure: Measure) -> np.ndarray:
    """A measure of every seat, float64 [games, seats]."""
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
    return {"attacks": table(on_players, _BATTLE), "owners": table(held, _HELD), "losers": table(lost, _HELD)}


def file_name(cell: Cell, habit: str | None) -> str:
    """The name of the policy tuned at a table with a habit, or without one."""
    return FILES[cell] if habit is None else f"{FILES[cell]}-{habit.lower().replace(' ', '-')}"


def policy_of(cell: Cell, habit: str | None) -> Policy:
    """The policy tuned at a table, with its habit."""
    policy = read_policy(TUNED / f"{file_name(cell, habit)}.toml")
    return policy if habit is None else HABITS[habit].of(policy)


def tuned_for(table: Table, cell: Cell) -> Iterator[tuple[str, Estimate]]:
    """What the tuned policies of a table bring one seat of it, in the table's games, by item.

    Points and wins by tuning alone; of each habit points and wins against a seat that was tuned as long without it,
    points against an untuned one (GAIN), and how far the measure is from that of an untuned seat.
    """

    def changes(name: str | None) -> dict[str, np.ndarray]:
        policy, own = policy_of(cell, name), [HABITS[each].measure for each in ([name] if name else COSTLY[cell])]
        facts = {"policy": policy.identity(), "measures": [measure.words for measure in own]}
        return table.changed("tuned habit", facts, lambda _: policy, {measure.words: measure for measure in own})

    alone = changes(None)
    yield from ((what, block_mean(alone[what])) for what in (POINTS, WINS))
    for name in COSTLY[cell]:
        each = changes(name)
        yield from ((f"{name} {what}", block_mean(each[what] - alone[what])) for what in (POINTS, WINS))
        yield f"{name} {GAIN}", block_mean(each[POINTS])
        yield f"{name} {SHOWN}", block_mean(each[HABITS[name].measure.words])
