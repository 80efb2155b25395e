"""How strong the policies are: the games that the study `ladder` plays, the estimates, and what is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product, zip_longest
from math import factorial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.claims import cells as plays
from wallsim.analysis.claims.cells import SETUPS, Cell
from wallsim.analysis.tournament.agreement import MEASURES, agreement
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.payoffs import payoffs
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.errors import InputError
from wallsim.experiment.components import table_identity
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.experiment.identity import identity_hash
from wallsim.play.parallel import default_workers
from wallsim.play.setting import Setting
from wallsim.play.tournament.tournament import Tournament
from wallsim.policies.catalogue import load_policy
from wallsim.searches.tuning.evaluation import Games, held_out
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import LEVEL, Interval
from wallsim.studies.orders import order_quantities, order_values
from wallsim.studies.quantities import About, Bounded, Key, Number, Quantity, Value
from wallsim.studies.study import Choices, Option, Storage
from wallsim.studies.two_lines import SECOND

EXPERIMENT = Path(__file__).with_name("experiment.toml")
KNOWN = plays.EARLIER_POLICIES[4][1]  # the mark of earlier strong play
# Both lines of strong play at this table's size, the first before its trials, KNOWN, some styles, casual and weak.
POLICIES = tuple(dict.fromkeys((
    plays.STRONG_POLICY, plays.EARLIER_POLICIES[4][0], plays.SECOND_POLICY, KNOWN, "balanced", "conqueror", "builder",
    "farmer", "banker", plays.CASUAL_POLICY, "balanced-noise-32",
)))  # fmt: skip
# One seat each at the tables in company: as many policies as seats.
COMPANY = {n: (*plays.strong_lines(n), *plays.EARLIER_POLICIES[n][: n - 2]) for n in plays.STRONG_POLICIES}
TOWERS = ("spielbyweb", "mid", "mid-layered")  # of the tables beside the tournaments, which are of the first alone
SEATS = 4  # of the tournaments
BLOCKS = 192  # eight cycles of the design: more than intervals of all pairs need on both ladders, for their order
LEVEL_OF_BOTH = 1 - (1 - LEVEL) / len(SETUPS)  # of each ladder, where the intervals of both hold simultaneously
LINEUP, DRAFT = SETUPS  # also the folders of their tournaments
HOST = plays.MIDDLING_POLICY
GAMES, SEARCHES = 2_400, 720  # at each table with a strong policy, and with the search, which cannot have fewer
NAMES = Option("policies", "", "comma-separated policies of the tournament, instead of those of the study")
OF_BLOCKS = Option("blocks", str(BLOCKS), "blocks of the tournament, and of that in the draft")
OF_SEARCHES = Option("searches", str(SEARCHES), "games of each table with the search")
ORDER, BOTH = "line-ups and draft", "strength-of-both-ladders"
SIDES = {"upwards": 1.0, "downwards": -1.0}  # of strengths that results bound on one side alone


def _fair(key: Key) -> float:
    return 100 / key.players


QUANTITIES = (
    Quantity("look", "blocks of the tournament when its ladder was estimated for the {item}. time", "blocks",
             shown="notes"),
    Quantity("unbounded-resamples", "share of the resamples that bound some strength on one side only", "share",
             shown="notes"),
    Quantity("games", "games", "games"),
    Quantity(BOTH, "strength of {item} on the ladder {setup}", "log units", 0),
    Quantity("rank", "rank of {item} on the ladder {setup}, 1 for the strongest", "rank"),
    Quantity("open-strength", "1 if the results bound the strength of {item} on the ladder {setup} from below alone, "
             "-1 if from above alone", "1 or -1", shown="notes"),
    Quantity("strength", "strength of {item} on the ladder {setup}", "log units", 0),
    Quantity("wins", "wins of a seat of {item} {setup}", "%", _fair),
    Quantity("points", "mean VP of a seat of {item} {setup}", shown="line-ups alone"),
    Quantity("policy-games", "games in which {item} has a seat, {setup}", "games", shown="line-ups alone"),
    Quantity("above-next", "resamples in which {about} is weaker than {item}, the policy before it on the ladder, "
             "{setup}", "%", n_unit="resamples", shown="line-ups alone"),
    Quantity("fitted-pairs", "pairs of policies that the fit is judged by", "pairs"),
    Quantity("departure", "root mean square difference of the shares of finishing before the other from those that "
             "strengths predict, less the share of chance", "percentage points"),
    Quantity("departure-by-chance", "resamples in which chance alone makes the differences as large", "%"),
    Quantity("seen", "games in which {first} finishes before {rest}", "%", 50),
    Quantity("expected", "games in which {first} finishes before {rest}, as strengths predict", "%", 50),
    Quantity("games-with-both", "games with {first} and {rest}", "games", shown="claims"),
    Quantity("before", "{first} finishes before {rest}, at one table", "%", 50, shown="claims"),
    Quantity("margin", "points of {first} less {rest}, at one table", null=0, shown=""),
    Quantity("agreement", lambda key: MEASURES[key.item],
             lambda key: "VP per log unit" if key.item == "slope" else "correlation", 0),
    *order_quantities(lambda _: "with line-ups and in the draft"),
    Quantity("wins-alone", lambda key: f"wins of one seat of {{first}} among {key.players - 1} × "
             f"{key.item.split()[-1]}, {{setup}}", "%", _fair, ()),
    Quantity("wins-in-company", lambda key: f"wins of {{item}} where one each of {', '.join(COMPANY[key.players])} "
             "meet, {setup}", "%", _fair, ()),
)  # fmt: skip


class Visit(NamedTuple):
    """One seat of a policy against another policy: where, both names, games, and the hash of the settings."""

    players: int
    tower: str
    setup: str
    name: str
    host: str
    games: int
    hash: str

    @property
    def key(self) -> Key:
        """The key of its figure."""
        return Key("wins-alone", f"{self.name} among {self.host}", self.players, Cell("", self.tower, self.setup))


class Design(NamedTuple):
    """The tournaments by set-up, the visits, and the tables in company by the key of their figures, without item."""

    tournaments: dict[str, Tournament]
    visits: list[Visit]
    company: dict[Key, Tournament]


def design(choices: Choices) -> Design:
    """What is played. InputError for invalid tournaments and unknown policies."""
    table = load_experiment(EXPERIMENT)
    names = choices.listed(NAMES) or POLICIES
    counts = []
    for option in (OF_BLOCKS, OF_SEARCHES):
        text = choices.option(option)
        if not text.isascii() or not text.isdecimal() or int(text) < 1:
            raise InputError(f"--set: {option.name}: {text!r} is not a whole number from 1")
        counts.append(int(text))
    games = choices.games or GAMES
    planned = visits(table, games, counts[1], choices.option(SECOND))
    ladders = {setup: Tournament(names, table.changed(setup=setup), counts[0]) for setup in SETUPS}
    return Design(ladders, planned, company(table, games))


def visits(
    table: Experiment, games: int = GAMES, searches: int = SEARCHES, second: str = plays.SECOND_POLICY
) -> list[Visit]:
    """The tables at which one seat plays alone among others. InputError for an unknown policy.

    The strong policies meet each other under all towers, and the others under the first.
    """
    rivals, seats, tables = {**plays.SECOND_POLICIES, table.players: second}, table.players, []
    for players, strong in plays.STRONG_POLICIES.items():
        three = tuple(dict.fromkeys((strong, plays.EARLIER_POLICIES[players][0], rivals[players])))
        tables += [(players, tower, *pair, games) for pair in permutations(three, 2) for tower in TOWERS]
        hosts = (HOST, KNOWN) if players == seats else (HOST,)
        tables += [(players, TOWERS[0], *pair, games) for pair in product(three, hosts)]
    tables.append((seats, TOWERS[0], plays.SEARCH_POLICY, plays.SEARCHED_POLICY, searches))
    same, result = {"seed": table.seed, "together": len(tables) * len(SETUPS)}, []  # their intervals hold together
    for (players, tower, name, host, count), setup in product(tables, SETUPS):
        met = [load_policy(each).identity() for each in (name, host)]
        facts = {**table_identity(seated(table, players, tower, setup).components()), "policies": met, "games": count}
        result.append(Visit(players, tower, setup, name, host, count, identity_hash({**facts, **same})))
    return result


def company(table: Experiment, games: int = GAMES) -> dict[Key, Tournament]:
    """The tables with one seat each of COMPANY: at least so many games each, in whole cycles of the design."""
    planned = {}
    for (players, names), tower, setup in product(COMPANY.items(), TOWERS, SETUPS):
        at, cycle = Key("wins-in-company", "", players, Cell("", tower, setup)), factorial(players)
        planned[at] = Tournament(names, seated(table, players, tower, setup), -(-games // (players * cycle)) * cycle)
    return planned


def seated(table: Experiment, players: int, tower: str, setup: str) -> Experiment:
    """The table with another number of seats, another tower and another set-up."""
    return table.changed(players=players, policies=(HOST,) * players, tower=tower, setup=setup)


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results: all tournaments with their blocks, the visits, the resamples."""
    played = {**design.tournaments, **{f"company {n}": each for n, each in enumerate(design.company.values())}}
    facts = {name: {**each.identity(), "blocks": each.blocks} for name, each in played.items()}
    return {**facts, "resamples": RESAMPLES, "tables": [visit.hash for visit in design.visits]}


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play the missing games, and estimate; how often each ladder was looked at is kept in its folder."""
    runs = {setup: storage.tournament(setup, each) for setup, each in design.tournaments.items()}
    looks = {setup: run.note_look() for setup, run in runs.items()}
    values = published({setup: run.rows() for setup, run in runs.items()}, looks)
    for at, tournament in design.company.items():
        run = storage.tournament(f"company_{at.players}_{at.cell.tower}_{at.cell.setup}", tournament)
        values |= wins_in_company(at, run.rows())
    return values | {each.key: wins_alone(each, len(design.visits), storage) for each in design.visits}


def wins_in_company(at: Key, rows: pl.DataFrame) -> dict[Key, Value]:
    """The wins of each policy of a table in company, in per cent."""
    wins = pl.col("win").cast(pl.Float64).mean() * 100
    means = rows.group_by("policy", "block").agg(wins).sort("policy", "block").group_by("policy", maintain_order=True)
    return {at._replace(item=str(name)): block_mean(each["win"].to_numpy()) for (name,), each in means}


def wins_alone(visit: Visit, comparisons: int, storage: Storage) -> Bounded:
    """The wins of a visit, in per cent; the intervals of so many comparisons hold simultaneously. It is cached."""
    table = load_experiment(EXPERIMENT)
    workers = default_workers() if storage.workers is None else storage.workers

    def played(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        evaluator = Games(Setting(seated(table, visit.players, visit.tower, visit.setup)), workers)
        [finding] = held_out(
            evaluator, load_policy(visit.name), [("host", load_policy(visit.host))],
            seats=visit.players, games=visit.games, seed=table.seed, turn=0, n_comparisons=comparisons,
        )  # fmt: skip
        return {name: np.array(value) for name, value in finding.fields().items()}

    found = storage.cache.get("one seat", {"table": visit.hash, "name": visit.name, "host": visit.host}, played)
    share, low, high = (100 * found[name].item() for name in ("share", "low", "high"))
    return Bounded(share, (low, high), found["blocks"].item())


def published(rows: Mapping[str, pl.DataFrame], looks: Mapping[str, Sequence[int]]) -> dict[Key, Value]:
    """The values of both ladders: when they were looked at, how they agree, and who meets whom.

    Strengths of both have intervals that hold for all simultaneously (Bonferroni).
    """
    both = {setup: rate(each, level=LEVEL_OF_BOTH) for setup, each in rows.items()}
    alone = rate(rows[LINEUP])
    values: dict[Key, Value] = {}
    for setup, each in both.items():
        values |= _of_ladder(setup, looks[setup], each, alone if setup == LINEUP else each)
    [order] = same_order(both, LEVEL).values()
    return values | dict(_of_lineups(rows[LINEUP], alone)) | dict(order_values(ORDER, order, SEATS))


def _of_ladder(setup: str, looks: Sequence[int], both: Ratings, ratings: Ratings) -> Iterator[tuple[Key, Value]]:
    """A ladder: strengths with the intervals of both ladders, and results with those of `ratings`."""

    def key(quantity: str, item: str = "") -> Key:
        return Key(quantity, item, SEATS, Cell("", "", setup))

    for number, blocks in enumerate(looks, start=1):
        yield key("look", str(number)), Number(blocks)
    yield key("unbounded-resamples"), Number(both.unbounded)
    yield key("games"), Number(both.games)
    for rank, each in enumerate(both.ladder, start=1):
        yield key(BOTH, each.policy), Number(each.strength, each.interval, both.blocks, both.confidence)
        yield key("rank", each.policy), Number(rank)
        if each.open:
            yield key("open-strength", each.policy), Number(SIDES[each.open])
    sure = ratings.confidence
    for each, following in zip_longest(ratings.ladder, ratings.ladder[1:]):
        yield key("wins", each.policy), Number(100 * each.win_share, times(100, each.win_interval), each.blocks, sure)
        yield key("points", each.policy), Number(each.vp, each.vp_interval, each.blocks, sure)
        yield key("policy-games", each.policy), Number(each.games)
        if following is not None and each.above_next is not None:
            above = Number(100 * each.above_next, n=ratings.resamples)
            yield key("above-next", each.policy), About(above, following.policy)


def _of_lineups(rows: pl.DataFrame, ratings: Ratings) -> Iterator[tuple[Key, Value]]:
    """The ladder with line-ups by itself: strengths, their fit, pairs of policies, and how it agrees with points."""
    for rating in ratings.ladder:
        strength = Number(rating.strength, rating.interval, ratings.blocks, ratings.confidence)
        yield Key("strength", rating.policy, SEATS, Cell("", "", LINEUP)), strength
    fit = ratings.fit
    yield Key("fitted-pairs", "", SEATS), Number(fit.pairs)
    for name, share in (("departure", fit.departure), ("departure-by-chance", fit.chance)):
        if share is not None:
            yield Key(name, "", SEATS), Number(100 * share)
    if fit.largest is not None:
        for name, share in zip(("seen", "expected"), fit.largest[2:], strict=True):
            yield Key(name, " ".join(fit.largest[:2]), SEATS), Number(100 * share)
    met = payoffs(rows, ratings.policies)
    for i, j in combinations(range(len(met.policies)), 2):
        if met.games[i, j]:
            item, blocks = f"{met.policies[i]} {met.policies[j]}", int(met.blocks[i, j])
            yield Key("games-with-both", item, SEATS), Number(met.games[i, j])
            for name, factor, mean, low, high in (
                ("before", 100, met.before, met.before_low, met.before_high),
                ("margin", 1, met.margin, met.margin_low, met.margin_high),
            ):
                ends = times(factor, (float(low[i, j]), float(high[i, j])))
                yield Key(name, item, SEATS), Bounded(factor * mean[i, j], ends, blocks)
    for each in agreement(rows, ratings):
        yield Key("agreement", each.name, SEATS), Bounded(each.value, each.interval, ratings.blocks)


def times(factor: float, interval: Interval | None) -> Interval | None:
    """An interval in another unit; None for one that is not known."""
    return None if interval is None or np.isnan(interval[0]) else (factor * interval[0], factor * interval[1])
