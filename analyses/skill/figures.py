"""The figures of the study `skill` in the register: added there, and read back for the page and the picture.

A group is a set of seats with similar leads, see `wallsim.analysis.tournament.gaps`; 1 is that of the smallest leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count, pairwise
from math import exp, isnan, nan
from typing import NamedTuple

from wallsim.analysis.tournament.gaps import GapBin
from wallsim.analysis.tournament.order import SameOrder
from wallsim.analysis.tournament.ratings import Ratings
from wallsim.analysis.tournament.skill import RESULTS
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.studies.figure import Figure, Figures, Rows, figure_id
from wallsim.studies.orders import add_order, read_order

from .estimates import LADDER, PARTS, SHARED, SIZES, UPPER, WEAKEST, ZOO, Chosen, Field, SkillStudy, tournaments
from .sample_size import GamesNeeded

GAMES, STRENGTH, RANK = "games", "strength", "rank"
SHARE = {"vp": "share-of-points", "win": "share-of-wins"}  # by result
LEAD, LEAST_LEAD, MOST_LEAD, BEFORE_ONE = "lead", "lead-at-least", "lead-at-most", "before-one-opponent"
WINS, CURVE, DIFFERENCE = "wins-by-lead", "wins-by-curve", "wins-less-curve"
BEFORE, TOGETHER, NEEDED = "before-next", "games-with-both", "games-needed"
_KINDS = 3  # intervals of a group: wins, curve, difference


@dataclass(frozen=True)
class PartShare:
    """The share of a part of the variance, between 0 and 1, with its interval."""

    name: str
    share: float
    interval: Interval | None


@dataclass(frozen=True)
class Shares:
    """The shares of the parts of a result's variance at tables of so many players."""

    players: int
    parts: tuple[PartShare, ...]


class FieldFigures(NamedTuple):
    """What the register has of a field of policies at tables of one size; the upper ladder has no groups."""

    name: str
    players: int
    policies: tuple[str, ...]
    games: int
    blocks: int
    shares: Mapping[str, Shares]
    groups: tuple[GapBin, ...]
    neighbours: tuple[GamesNeeded, ...]


def in_group(field: str, number: int) -> str:
    """The item of a field's group, numbered from 1."""
    return f"{field} group {number}"


def at_sizes(field: str, one: int, other: int) -> str:
    """The item of a field's ladders of two sizes."""
    return f"{field} {one} and {other}"


def add_figures(estimate: SkillStudy, rows: Rows) -> None:
    """Add every figure: games, strengths, shares of the variance, wins by lead, neighbours and orders."""
    games = sum(each.skills[SHARED[0]].games for each in estimate.fields if each.name != UPPER)
    rows.number(GAMES, "", games, words="games of all tournaments", unit="games")
    rated = [each.ratings for each in estimate.fields if each.ratings is not None]
    of_strengths = Confidence(LEVEL, sum(len(ratings.ladder) for ratings in rated))
    of_shares = Confidence(LEVEL, sum(len(skill.parts) for each in estimate.fields for skill in each.skills.values()))
    of_groups = Confidence(LEVEL, _KINDS * sum(len(each.bins) for each in estimate.fields))
    for each in estimate.fields:
        games = each.skills[SHARED[0]].games
        words = f"games of the {each.name}"
        rows.number(GAMES, each.name, games, words=words, unit="games", players=each.players)
        _add_shares(rows, each, of_shares)
        if each.ratings is not None:
            _add_strengths(rows, each.name, each.players, each.ratings, of_strengths)
        for number, group in enumerate(each.bins, start=1):
            _add_group(rows, each, number, group, of_groups)
        for pair in each.neighbours:
            _add_pair(rows, each, pair, Confidence(LEVEL, max(1, len(each.neighbours))))
    of_taus = Confidence(LEVEL, sum(map(len, estimate.orders.values())))
    for name, orders in estimate.orders.items():
        for (one, other), order in orders.items():
            add_order(rows, at_sizes(name, one, other), f"{name} at tables of {one} and of {other}", order, of_taus)


def _add_shares(rows: Rows, field: Field, sure: Confidence) -> None:
    for result, estimate in field.skills.items():
        for part in estimate.parts:
            words = f"share of {part.name} in the variance of {RESULTS[result]} within tables of the {field.name}"
            rows.number(
                SHARE[result], f"{field.name} {part.name}", 100 * part.share, _times(100.0, part.interval), words=words,
                unit="%", players=field.players, n=estimate.blocks, n_unit="blocks", null=0.0, sure=sure,
            )  # fmt: skip


def _add_strengths(rows: Rows, field: str, players: int, ratings: Ratings, sure: Confidence) -> None:
    for rank, rating in enumerate(ratings.ladder, start=1):
        item = f"{field} {rating.policy}"
        rows.number(
            STRENGTH, item, rating.strength, rating.interval, words=f"strength of {rating.policy} above the mean of "
            f"the {field}", unit="log units", players=players, n=ratings.blocks, n_unit="blocks", null=0.0, sure=sure,
        )  # fmt: skip
        words = f"rank of {rating.policy} in the {field}, 1 for the strongest"
        rows.number(RANK, item, rank, words=words, unit="rank", players=players)


def _add_group(rows: Rows, field: Field, number: int, group: GapBin, sure: Confidence) -> None:
    item, players = in_group(field.name, number), field.players
    seats = f"of the seats of the {field.name}, group {number} by lead"
    for quantity, value, words in (
        (LEAD, group.gap, "mean lead"),
        (LEAST_LEAD, group.low, "smallest lead"),
        (MOST_LEAD, group.high, "largest lead"),
    ):
        rows.number(
            quantity, item, value, words=f"{words} {seats}", unit="log units", players=players, n=group.seats,
            n_unit="seats",
        )  # fmt: skip
    before = 100 / (1 + exp(-group.gap))
    words = f"games in which a seat with the mean lead finishes before one opponent, by Plackett and Luce, {seats}"
    rows.number(BEFORE_ONE, item, before, words=words, unit="%", players=players, null=50.0)
    for quantity, value, interval, words, unit, null in (
        (WINS, group.observed, group.interval, "wins", "%", 100.0 / players),
        (CURVE, group.expected, group.expected_interval, "wins by Plackett and Luce", "%", 100.0 / players),
        (DIFFERENCE, group.difference, group.difference_interval, "wins less those by Plackett and Luce",
         "percentage points", 0.0),
    ):  # fmt: skip
        rows.number(
            quantity, item, 100 * value, _times(100.0, interval), words=f"{words} {seats}", unit=unit, players=players,
            n=group.blocks, n_unit="blocks", null=null, sure=sure,
        )  # fmt: skip


def _add_pair(rows: Rows, field: Field, pair: GamesNeeded, sure: Confidence) -> None:
    item = f"{field.name} {pair.one} {pair.other}"
    both = f"{pair.one} and {pair.other}, neighbours in the {field.name}"
    rows.number(
        BEFORE, item, 100 * pair.before, _times(100.0, pair.interval), words=f"games in which {pair.one} finishes "
        f"before {pair.other}, its neighbour in the {field.name}", unit="%", players=field.players, n=pair.blocks,
        n_unit="blocks", null=50.0, sure=sure,
    )  # fmt: skip
    rows.number(TOGETHER, item, pair.games, words=f"games with {both}", unit="games", players=field.players)
    ends = None if pair.least is None or pair.most is None else (pair.least, pair.most)
    rows.number(
        NEEDED, item, nan if pair.needed is None else pair.needed, ends, words="games needed to distinguish "
        f"{both}, without upper end if their order is unknown", unit="games", players=field.players, n=pair.blocks,
        n_unit="blocks", sure=sure,
    )  # fmt: skip


def fields_of(figures: Figures, design: Chosen) -> list[FieldFigures]:
    """All fields by the figures, in the order of the tables."""
    planned = tournaments(*design)
    estimate = []
    for name in (LADDER, UPPER, ZOO):
        for players in SIZES:
            played = planned[ZOO if name == ZOO else LADDER, players]
            policies = tuple(each.name for each in played.policies if name != UPPER or each.name not in WEAKEST)
            shares = {result: _shares(figures, name, players, result) for result in SHARED}
            games, blocks = (_games(figures, name, players), _blocks(figures, name, players))
            pairs = () if name == UPPER else _neighbours(figures, name, players, policies)
            groups = tuple(_groups(figures, name, players))
            estimate.append(FieldFigures(name, players, policies, games, blocks, shares, groups, pairs))
    return estimate


def orders_of(figures: Figures, fields: Sequence[FieldFigures]) -> dict[str, dict[tuple[int, int], SameOrder]]:
    """How ladders of two sizes agree, by field and by the two sizes."""
    return {
        name: {
            sizes: _order(figures, name, sizes, {each.players: each.policies for each in fields if each.name == name})
            for sizes in combinations(SIZES, 2)
        }
        for name in (LADDER, ZOO)
    }


def _games(figures: Figures, field: str, players: int) -> int:
    return int(figures.of(GAMES, field, players=players).value)


def _blocks(figures: Figures, field: str, players: int) -> int:
    return figures.of(SHARE[SHARED[0]], f"{field} {PARTS[0]}", players=players).n


def _shares(figures: Figures, field: str, players: int, result: str) -> Shares:
    rows = {part: figure_id(figures.study, SHARE[result], f"{field} {part}", players=players) for part in PARTS}
    estimate = {part: figures[key] for part, key in rows.items() if key in figures}
    parts = (PartShare(part, row.value / 100, _times(0.01, row.ends)) for part, row in estimate.items())
    return Shares(players, tuple(parts))


def _groups(figures: Figures, field: str, players: int) -> Iterable[GapBin]:
    for number in count(1):
        item = in_group(field, number)
        if figure_id(figures.study, LEAD, item, players=players) not in figures:
            return
        lead, least, most, wins, curve, apart = (
            figures.of(quantity, item, players=players)
            for quantity in (LEAD, LEAST_LEAD, MOST_LEAD, WINS, CURVE, DIFFERENCE)
        )
        yield GapBin(
            low=least.value, high=most.value, gap=lead.value, seats=lead.n, blocks=wins.n,
            observed=wins.value / 100, interval=_times(0.01, wins.ends),
            expected=curve.value / 100, expected_interval=_times(0.01, curve.ends),
            difference=apart.value / 100, difference_interval=_times(0.01, apart.ends),
        )  # fmt: skip


def _neighbours(figures: Figures, field: str, players: int, policies: Sequence[str]) -> tuple[GamesNeeded, ...]:
    ranks = {name: figures.of(RANK, f"{field} {name}", players=players).value for name in policies}
    ladder = sorted(ranks, key=lambda name: ranks[name])
    estimate = []
    for one, other in pairwise(ladder):
        item = f"{field} {one} {other}"
        before, both, needed = (figures.of(each, item, players=players) for each in (BEFORE, TOGETHER, NEEDED))
        least, most = needed.ends or (None, None)
        games = None if isnan(needed.value) else needed.value
        share, interval = before.value / 100, _times(0.01, before.ends)
        estimate.append(GamesNeeded(one, other, int(both.value), before.n, share, interval, games, least, most))
    return tuple(estimate)


def _order(
    figures: Figures, field: str, sizes: tuple[int, int], policies: Mapping[int, Sequence[str]]
) -> SameOrder:  # fmt: skip
    names = set.intersection(*map(set, policies.values()))
    strengths = {name: figures.of(STRENGTH, f"{field} {name}", players=sizes[0]).value for name in names}
    return read_order(figures, at_sizes(field, *sizes), strengths)


def before_one(figures: Figures, field: FieldFigures, group: GapBin) -> Figure:
    """How often a seat with the mean lead of a group finishes before one opponent, in per cent."""
    return figures.of(BEFORE_ONE, in_group(field.name, field.groups.index(group) + 1), players=field.players)


def _times(factor: float, interval: Interval | None) -> Interval | None:
    return None if interval is None else (factor * interval[0], factor * interval[1])
