"""Doubtful moves in the zoo: how often every policy makes each, and what forbidding one costs a seat of strong bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import isnan
from typing import NamedTuple

from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES, count_doubtful_moves
from wallsim.analysis.behaviour.forbidden_moves import FORBIDDEN, IN_DRAFT, forbidding
from wallsim.analysis.behaviour.measures import VP, WINS
from wallsim.analysis.behaviour.tables import BehaviourMeasurement
from wallsim.analysis.claims.cells import SEARCH_POLICY, named, strong_lines
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.policy import Policy
from wallsim.stats.blocks import Estimate
from wallsim.studies.figure import Figures
from wallsim.studies.grids import Grid, Line, estimate, lines
from wallsim.studies.quantities import Key, Quantity, Value

FEWER = 10  # a search plays so many times fewer games, and so does a draft, which has many claims a game
MOVES = tuple(move.name for move in DOUBTFUL_MOVES)
COUNTED = partial(Quantity, together=(), n_unit="games")
FORBID = partial(COUNTED, unit="points", null=0, family="forbidden", n_unit="game numbers")
SEAT = "a seat of {first} loses among copies of itself if it may not make the doubtful move: {rest}"
QUANTITIES = (
    COUNTED("doubtful", "doubtful moves of {first} among copies of itself: {rest}", "% of cases"),
    FORBID("forbidden-wins", f"wins that {SEAT}"),
    FORBID("forbidden-points", f"victory points that {SEAT}", unit="VP"),
)


def measured(names: Sequence[str], printed: Experiment, drafted: Experiment) -> dict[Key, Value]:
    """How often each policy makes doubtful moves in all seats, and what strong bots among them lose without.

    Claims are counted in the draft, all other moves with line-ups; a move without a case has no figure.
    """
    values: dict[Key, Value] = {}
    players = printed.players
    for name in counted(names):
        games = max(2, printed.games // (FEWER if load_policy(name).search else 1))
        found = count_doubtful_moves(load_policy(name), printed, games)
        claims = count_doubtful_moves(load_policy(name), drafted, max(2, games // FEWER))
        for move, usual, claim in zip(MOVES, found, claims, strict=True):
            each = claim if move == IN_DRAFT else usual
            if not isnan(each.value):
                values[Key("doubtful", f"{name} {move}", players)] = each
    for name in forbidden(names, players):
        costs = costs_of_forbidding(load_policy(name), printed, [move for move in FORBIDDEN if move != IN_DRAFT])
        costs |= costs_of_forbidding(load_policy(name), drafted, [IN_DRAFT])
        for move, cost in costs.items():
            values[Key("forbidden-wins", f"{name} {move}", players)] = cost.wins
            values[Key("forbidden-points", f"{name} {move}", players)] = cost.points
    return values


class Cost(NamedTuple):
    """What a seat loses that may not make a move, against the same seat that may: wins in %, and victory points."""

    wins: Estimate
    points: Estimate


def costs_of_forbidding(policy: Policy, experiment: Experiment, moves: Iterable[str]) -> dict[str, Cost]:
    """What forbidding each move costs one seat, in every seat in turn, among copies of the policy that may make it.

    A block is a game number of the experiment: with and without the answer it has the same cards and random streams.
    """
    measurement = BehaviourMeasurement(Setting(experiment), experiment.games, experiment.seed)
    measurement.measures = tuple(each for each in measurement.measures if each.name in (WINS, VP))
    usual, costs = measurement.measure(policy).estimates, {}
    for move in moves:
        without = measurement.measure(forbidding(policy, move, experiment.players), policy).estimates
        costs[move] = Cost(usual[WINS] - without[WINS], usual[VP] - without[VP])
    return costs


def counted(names: Sequence[str]) -> list[str]:
    """The policies whose doubtful moves are counted: the search, too, where all others are."""
    every = {*names, SEARCH_POLICY} >= set(policy_names())
    return [*names, *([SEARCH_POLICY] if every else [])]


def forbidden(names: Sequence[str], players: int) -> list[str]:
    """The strong bots among the policies, which are forbidden doubtful moves."""
    return [name for name in strong_lines(players) if name in names]


def tables(figures: Figures, names: Sequence[str], players: int) -> Iterator[Grid | str]:
    """How often each policy makes doubtful moves, and what forbidding them costs."""
    yield (
        "How often moves that a player would question were made where they could have been, in % of the cases; a dash: "
        f"no case. Claims are those of fewer games in the draft. {'. '.join(_meanings())}."
    )
    yield Grid("doubtful moves, %", lines("item", counted(names), named), lines("item", MOVES),
               {"quantity": "doubtful", "players": players}, estimate(1, top=100.0))  # fmt: skip
    if not (bots := forbidden(names, players)):
        return
    yield (
        "What a seat loses that may not make such a move, among copies of itself that may; below 0 it gains. It plans "
        "again without the cards that would make the move, or attacks or claims another county. Hunger and late armies "
        "are forbidden as far as the open cards show them when planning. Two moves cannot be forbidden by an answer. "
        "The dice tower decides how many armies stay in a county that is won, and Thalers left come from a whole round."
    )
    columns = [
        Line(f"{named(name)}, {head}", {"quantity": f"forbidden-{what}", "item": name}, estimate(2, "+"))
        for name in bots for what, head in (("wins", "wins, points"), ("points", "VP"))
    ]  # fmt: skip
    yield Grid("forbidden", lines("item", FORBIDDEN), columns, {"players": players}, turned=True)


def _meanings() -> Iterator[str]:
    for move in DOUBTFUL_MOVES:
        yield f"*{move.name.capitalize()}*, of {move.cases}: {move.meaning}"
