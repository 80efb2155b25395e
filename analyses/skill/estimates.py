"""Skill and luck: the tournaments that the study `skill` plays, the estimates from them, and what is published.

A group is a set of seats with similar leads, see `wallsim.analysis.tournament.gaps`; 1 is that of the smallest leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import ceil, exp, inf, isinf, nan
from pathlib import Path
from typing import Any

import polars as pl
from scipy.optimize import brentq
from scipy.special import stdtrit

from wallsim.analysis.claims.cells import CASUAL_POLICY, MIDDLING_POLICY, strong_lines
from wallsim.analysis.tournament.gaps import BINS, GapBin, wins_by_gap_of
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.skill import RESULTS, skill
from wallsim.experiment.file import load_experiment
from wallsim.folder.tournament_design import Design
from wallsim.play.tournament.tournament import Tournament
from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.rankings import head_to_head, rankings
from wallsim.studies.orders import order_quantities, order_values
from wallsim.studies.quantities import Bounded, Key, Number, Quantity, Value
from wallsim.studies.scope import SIZES
from wallsim.studies.study import Choices, Option, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
# Of each tournament: the fewest whole cycles of its design with blocks for intervals of the order of all pairs.
GAMES = {3: 32_000, 4: 50_000, 5: 50_000}
POWER = 0.8  # the share of studies that detect a real difference
MIN_BLOCKS = 2.0  # one block has no variance between blocks
GRADES = tuple(f"balanced-noise-{grade}" for grade in ("02", "04", "08", "32"))
COMMON = tuple(dict.fromkeys((MIDDLING_POLICY, *GRADES, CASUAL_POLICY)))  # of the ladders of all sizes
WEAKEST = (GRADES[-1], CASUAL_POLICY)  # not in the upper ladder
STYLES = ("balanced", "builder", "conqueror", "farmer", "banker", "turtle", "raider", "opportunist")
LADDER, UPPER, ZOO = FIELDS = ("ladder", "upper ladder", "zoo")
SHARE = {"vp": "share-of-points", "win": "share-of-wins"}  # quantity by result
Place = tuple[str, int]  # a field and a number of players
STRONG = Option("strong", "", "the strongest of the ladder, comma-separated; {players} is filled in (default: the "
                "strong lines)")  # fmt: skip


def _share(key: Key) -> str:
    field = next(name for name in FIELDS if key.item.startswith(name))
    part, result = key.item.removeprefix(f"{field} "), next(each for each in SHARE if SHARE[each] == key.quantity)
    return f"share of {part} in the variance of {RESULTS[result]} within tables of the {field}"


def _of_neighbours(words: str) -> Callable[[Key], str]:
    """Words in which {0} is the field and {1} and {2} are its policies."""
    return lambda key: words.format(*key.item.split())


def _of_ladder(key: Key) -> tuple[str, int, str]:
    return key.quantity, key.players, key.item.partition(" ")[0]


Planned = Mapping[Place, Tournament]
_GROUP = "of the seats of the {first}, {rest} by lead"
_LEAD: dict[str, Any] = {"together": ("players", "item"), "n_unit": "seats", "shown": "picture"}
_WINS: dict[str, Any] = {"null": lambda key: 100 / key.players, "together": (), "family": "groups", "shown": "picture"}
QUANTITIES = (
    Quantity("games", lambda key: f"games of the {key.item}" if key.item else "games of all tournaments", "games"),
    *(Quantity(SHARE[result], _share, "%", 0, (), "shares") for result in SHARE),
    Quantity("strength", "strength of {rest} above the mean of the {first}", "log units", 0, (), shown=""),
    Quantity("rank", "rank of {rest} in the {first}, 1 for the strongest", "rank", shown="order"),
    Quantity("lead", f"mean lead {_GROUP}", "log units", **_LEAD),
    Quantity("lead-at-least", f"smallest lead {_GROUP}", "log units", **_LEAD),
    Quantity("lead-at-most", f"largest lead {_GROUP}", "log units", **_LEAD),
    Quantity("before-one-opponent", "games in which a seat with the mean lead finishes before one opponent, by "
             f"Plackett and Luce, {_GROUP}", "%", null=50, shown=""),
    Quantity("wins-by-lead", f"wins {_GROUP}", "%", **_WINS),
    Quantity("wins-by-curve", f"wins by Plackett and Luce {_GROUP}", "%", **_WINS),
    Quantity("wins-less-curve", f"wins less those by Plackett and Luce {_GROUP}", "percentage points",
             **{**_WINS, "null": 0}),
    Quantity("before-next", _of_neighbours("games in which {1} finishes before {2}, its neighbour in the {0}"), "%", 50,
             _of_ladder),
    Quantity("games-with-both", _of_neighbours("games with {1} and {2}, neighbours in the {0}"), "games"),
    Quantity("games-needed", _of_neighbours("games needed to distinguish {1} and {2}, neighbours in the {0}, without "
                                            "upper end if their order is unknown"), "games", together=_of_ladder),
    *order_quantities(lambda item: "{0} at tables of {1} and of {3}".format(*item.split(" "))),
)  # fmt: skip


def design(choices: Choices) -> Planned:
    """The tournaments, by field and number of players. InputError for invalid ones."""
    strong, planned = choices.listed(STRONG), {}
    for players in SIZES:
        table = load_experiment(EXPERIMENT, {"players": players})
        games = choices.games or GAMES[players]
        strongest = [name.format(players=players) for name in strong or strong_lines(players)]
        for field, policies in ((LADDER, tuple(dict.fromkeys((*strongest, *COMMON)))), (ZOO, STYLES)):
            planned[field, players] = Tournament(policies, table, blocks_for(Design(len(policies), players), games))
    return planned


def blocks_for(design: Design, games: int) -> int:
    """Blocks with at least `games` games: whole cycles of the design if there is at least one, else whole blocks."""
    a_cycle = design.cycle * design.games_per_block
    return ceil(games / a_cycle) * design.cycle if games >= a_cycle else ceil(games / design.games_per_block)


def identity(planned: Planned) -> dict[str, Any]:
    """Everything that decides the results: engine, rules, board, tower, weights, seed and blocks."""
    facts = [{**each.identity(), "blocks": each.blocks} for each in planned.values()]
    return {"tournaments": facts, "resamples": RESAMPLES, "bins": BINS, "weakest": WEAKEST}


def play(planned: Planned, storage: Storage) -> dict[Key, Value]:
    """Play the missing tournaments and compute all results."""
    return estimate({
        (field, players): storage.tournament(f"{field}_{players}", each).rows()
        for (field, players), each in planned.items()
    })  # fmt: skip


def estimate(played: Mapping[Place, pl.DataFrame], *, resamples: int = RESAMPLES) -> dict[Key, Value]:
    """All results of the tournaments' rows, by field and number of players.

    The upper ladder has no separate ratings, so no groups and no neighbours.
    """
    rated = {key: rate(each, level=joint(len(played)), resamples=resamples) for key, each in played.items()}
    groups = wins_by_gap_of({key: (each, rated[key]) for key, each in played.items()}, level=LEVEL)
    values: dict[Key, Value] = {Key("games"): Number(sum(each["game"].n_unique() for each in played.values()))}
    for name, players in product(FIELDS, SIZES):
        place = name, players
        values |= shares_of(place, played.get(place, without(played[LADDER, players], WEAKEST)), resamples)
        if place in played:
            values |= of_ladder(place, played[place], rated[place], groups[place])
    for name in (LADDER, ZOO):
        for (one, other), order in same_order({size: rated[name, size] for size in SIZES}, joint(2)).items():
            values |= order_values(f"{name} {one} and {other}", order)
    return values


def joint(count: int) -> float:
    """The level of one of `count` families of intervals that hold simultaneously (Bonferroni)."""
    return 1 - (1 - LEVEL) / count


def without(rows: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """The games without any of some policies."""
    return rows.filter(~pl.col("policy").cast(pl.String).is_in(list(names)).any().over("game"))


def shares_of(place: Place, rows: pl.DataFrame, resamples: int) -> Iterator[tuple[Key, Value]]:
    """The games of a field, and the shares of the variance; simultaneous over both tables of shares."""
    field, players = place
    yield Key("games", field, players), Number(rows["game"].n_unique())
    for result, quantity in SHARE.items():
        split = skill(rows, result, level=joint(len(FIELDS) * len(SIZES) * len(SHARE)), resamples=resamples)
        for part in split.parts:
            yield Key(quantity, f"{field} {part.name}", players), _percent(part.share, part.interval, split.blocks)


def of_ladder(
    place: Place, rows: pl.DataFrame, ratings: Ratings, groups: Sequence[GapBin]
) -> Iterator[tuple[Key, Value]]:
    """The strengths of a field, leads and wins by group, and the games that neighbours take."""

    def key(quantity: str, *names: str) -> Key:
        return Key(quantity, " ".join((place[0], *names)), place[1])

    for rank, each in enumerate(ratings.ladder, start=1):
        yield key("strength", each.policy), Bounded(each.strength, each.interval, ratings.blocks)
        yield key("rank", each.policy), Number(rank)
    for number, group in enumerate(groups, start=1):
        item = f"group {number}"
        yield key("lead", item), Number(group.gap, n=group.seats)
        yield key("lead-at-least", item), Number(group.low, n=group.seats)
        yield key("lead-at-most", item), Number(group.high, n=group.seats)
        yield key("before-one-opponent", item), Number(100 / (1 + exp(-group.gap)))
        yield key("wins-by-lead", item), _percent(group.observed, group.interval, group.blocks)
        yield key("wins-by-curve", item), _percent(group.expected, group.expected_interval, group.blocks)
        yield key("wins-less-curve", item), _percent(group.difference, group.difference_interval, group.blocks)
    yield from neighbours(place, rows, ratings)


def neighbours(place: Place, rows: pl.DataFrame, ratings: Ratings) -> Iterator[tuple[Key, Value]]:
    """How often each policy of a ladder finishes before the next one, and the games needed to distinguish them.

    Counted are games with both at the table, in whole blocks, in which seats, line-ups and opponents alternate as
    played. A block's share of finishes before the other, ties as half, is one observation; its variance between blocks
    is assumed to hold for more blocks. The number of games has a range for shares within the interval, without upper
    end for shares that may be equal.
    """
    ranked, confidence = rankings(rows), Confidence(LEVEL, max(1, len(ratings.policies) - 1))
    met = head_to_head(ranked)
    for one, other in pairwise(ratings.policies):
        at = ranked.policies.index(one), ranked.policies.index(other)
        cases, games = met.cases[:, *at], int(met.games[at])
        share = block_ratio(met.before[:, *at][cases > 0], cases[cases > 0])
        interval, item = share.interval(confidence), f"{place[0]} {one} {other}"
        yield Key("before-next", item, place[1]), _percent(share.value, interval, share.blocks)
        yield Key("games-with-both", item, place[1]), Number(games)
        needed = Bounded(nan, None, share.blocks)
        if interval is not None:
            gap, *gaps = (abs(each - 0.5) for each in (share.value, *interval))
            near = 0.0 if interval[0] <= 0.5 <= interval[1] else min(gaps)
            blocks = [blocks_needed(each, share.error * share.blocks**0.5) for each in (gap, max(gaps), near)]
            value, least, most = (inf if isinf(each) else float(ceil(each * games / share.blocks)) for each in blocks)
            needed = Bounded(value, (least, most), share.blocks)
        yield Key("games-needed", item, place[1]), needed


def blocks_needed(gap: float, deviation: float) -> float:
    """The number of blocks with which a two-sided test detects a difference `gap` between a mean and a fixed number.

    `deviation` is the standard deviation of block means. With that many blocks Student's t interval excludes the fixed
    number with probability POWER, if block means are normal; below `Confidence.min_blocks` no such interval is shown,
    because they may not be. At least MIN_BLOCKS; inf without a gap. The quantiles depend on the number of blocks, so
    it is the solution of an equation.
    """
    if gap == 0:
        return inf

    def missing(blocks: float) -> float:
        reach = Confidence(LEVEL).t(blocks) + float(stdtrit(blocks - 1, POWER))
        return (reach * deviation / gap) ** 2 - blocks

    most = MIN_BLOCKS
    while missing(most) > 0:
        most *= 2
    return most if most == MIN_BLOCKS else float(brentq(missing, most / 2, most, rtol=1e-9))


def _percent(share: float, interval: Interval | None, blocks: int) -> Bounded:
    ends = None if interval is None else (100 * interval[0], 100 * interval[1])
    return Bounded(100 * share, ends, blocks)
