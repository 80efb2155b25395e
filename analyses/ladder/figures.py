"""The figures of the study `ladder`: what they are, what they are made of, and ladders read back from the register."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count, permutations, takewhile, zip_longest

import numpy as np

from wallsim.analysis.claims.cells import SETUPS, Cell
from wallsim.analysis.tournament.agreement import MEASURES
from wallsim.analysis.tournament.order import SameOrder, same_order
from wallsim.analysis.tournament.payoffs import Payoffs
from wallsim.analysis.tournament.ratings import RESAMPLES, Fit, Rating, Ratings
from wallsim.stats.intervals import LEVEL, Interval
from wallsim.studies.figure import Figure, Figures, Rows, figure_id
from wallsim.studies.orders import order_quantities, order_values, read_order
from wallsim.studies.quantities import Bounded, Key, Number, Quantity, Value, add_values

from .estimates import LEVEL_OF_BOTH, LINEUP, Design, Ladder, Visit, rated

ORDER, BOTH = "line-ups and draft", "strength-of-both-ladders"
_SIDES = {"upwards": 1.0, "downwards": -1.0}
_SEED = 1  # of the resamples, that of `rate`


def fair(key: Key) -> float:
    """A fair share of wins, in per cent."""
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
    Quantity("wins", "wins of a seat of {item} {setup}", "%", fair),
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
    Quantity("one-seat", lambda key: f"wins of one seat of {{first}} among {key.players - 1} × {key.item.split()[-1]}",
             "%", fair, ()),
)  # fmt: skip


def add_figures(result: Ladder, rows: Rows) -> None:
    """Add every figure: the ladder, that of the draft, how they agree, and the tables beside the tournament."""
    findings, ladders = result.findings, rated(result.runs)
    players = findings.ratings.players[0]
    values: dict[Key, Value] = {}
    about: dict[Key, str] = {}
    for setup, looks in result.looks.items():
        for number, blocks in enumerate(looks, start=1):
            values[Key("look", str(number), players, Cell("", "", setup))] = Number(blocks)
    for setup, both in ladders.items():
        values |= _of_ladder(setup, both, findings.ratings if setup == LINEUP else both, about)
    values |= {Key("strength", each.policy, players, Cell("", "", LINEUP)):
               Number(each.strength, each.interval, findings.ratings.blocks, findings.ratings.confidence)
               for each in findings.ratings.ladder}  # fmt: skip
    fit = {"departure": findings.ratings.fit.departure, "departure-by-chance": findings.ratings.fit.chance}
    values[Key("fitted-pairs", "", players)] = Number(findings.ratings.fit.pairs)
    values |= {Key(name, "", players): Number(100 * each) for name, each in fit.items() if each is not None}
    if findings.ratings.fit.largest is not None:
        one, other, *shares = findings.ratings.fit.largest
        for name, share in zip(("seen", "expected"), shares, strict=True):
            values[Key(name, f"{one} {other}", players)] = Number(100 * share)
    values |= _of_pairs(players, findings.payoffs)
    for each in findings.agreement:
        values[Key("agreement", each.name, players)] = Bounded(each.value, each.interval, findings.ratings.blocks)
    [order] = same_order(ladders, LEVEL).values()
    values |= order_values(ORDER, order, about, players)
    for visit, found in result.visits:
        key = Key("one-seat", alone(visit), visit.players, Cell("", "", visit.setup))
        values[key] = Bounded(100 * found.share, (100 * found.low, 100 * found.high), found.blocks)
    add_values(rows, QUANTITIES, values, about)


def _of_ladder(setup: str, both: Ratings, ratings: Ratings, about: dict[Key, str]) -> Iterator[tuple[Key, Value]]:
    """A ladder: strengths with the intervals of both ladders, and results with those of `ratings`."""

    def key(quantity: str, item: str = "") -> Key:
        return Key(quantity, item, both.players[0], Cell("", "", setup))

    yield key("unbounded-resamples"), Number(both.unbounded)
    yield key("games"), Number(both.games)
    for rank, each in enumerate(both.ladder, start=1):
        strength = Number(each.strength, each.interval, both.blocks, both.confidence)
        yield key(BOTH, each.policy), strength
        yield key("rank", each.policy), Number(rank)
        if each.open:
            yield key("open-strength", each.policy), Number(_SIDES[each.open])
    sure = ratings.confidence
    for each, following in zip_longest(ratings.ladder, ratings.ladder[1:]):
        wins = Number(100 * each.win_share, _times(100, each.win_interval), each.blocks, sure)
        yield key("wins", each.policy), wins
        yield key("points", each.policy), Number(each.vp, each.vp_interval, each.blocks, sure)
        yield key("policy-games", each.policy), Number(each.games)
        if following is not None and each.above_next is not None:
            above = key("above-next", each.policy)
            about[above] = following.policy
            yield above, Number(100 * each.above_next, n=ratings.resamples)


def _of_pairs(players: int, result: Payoffs) -> Iterator[tuple[Key, Value]]:
    for i, j in combinations(range(len(result.policies)), 2):
        if result.games[i, j]:
            item, blocks = f"{result.policies[i]} {result.policies[j]}", int(result.blocks[i, j])
            yield Key("games-with-both", item, players), Number(result.games[i, j])
            ends = _times(100, (float(result.before_low[i, j]), float(result.before_high[i, j])))
            yield Key("before", item, players), Bounded(100 * result.before[i, j], ends, blocks)
            ends = _times(1, (float(result.margin_low[i, j]), float(result.margin_high[i, j])))
            yield Key("margin", item, players), Bounded(result.margin[i, j], ends, blocks)


def alone(visit: Visit) -> str:
    """The item of one seat of a policy among others."""
    return f"{visit.name} among {visit.host}"


def looks_of(figures: Figures, design: Design) -> dict[str, tuple[int, ...]]:
    """At how many blocks each ladder was estimated, by set-up."""
    looks = {}
    for setup in SETUPS:
        found = (find(figures, design, "look", str(number), setup) for number in count(1))
        looks[setup] = tuple(int(each.value) for each in takewhile(bool, found) if each is not None)
    return looks


def order_of(figures: Figures, ratings: Ratings) -> SameOrder:
    """How far both ladders are in the same order, by that with line-ups."""
    strengths = {rating.policy: rating.strength for rating in ratings.ladder}
    return read_order(figures, ORDER, strengths, players=ratings.players[0])


def payoffs_of(figures: Figures, ratings: Ratings, design: Design) -> Payoffs:
    """Who finishes before whom, in the order of the ladder; without points."""
    names, size = ratings.policies, len(ratings.policies)
    before, low, high = (np.full((size, size), np.nan) for _ in range(3))
    games, blocks = (np.zeros((size, size), np.int64) for _ in range(2))
    for i, j in combinations(range(size), 2):
        if (row := find(figures, design, "before", f"{names[i]} {names[j]}")) is not None:
            before[i, j], low[i, j], high[i, j] = (each / 100 for each in (row.value, row.low, row.high))
            before[j, i], low[j, i], high[j, i] = (1 - each[i, j] for each in (before, high, low))
            games[[i, j], [j, i]] = figures.of("games-with-both", f"{names[i]} {names[j]}", players=row.players).value
            blocks[[i, j], [j, i]] = row.n
    pairs = int(np.triu(games > 0, 1).sum())
    none = np.full((size, size), np.nan)
    return Payoffs(names, before, low, high, none, none, none, games, blocks, pairs, ratings.level)


def ratings_of(figures: Figures, design: Design, setup: str = LINEUP, quantity: str = "strength") -> Ratings:
    """A ladder without the strengths of the resamples, with its own intervals or those of BOTH ladders."""
    players, fit = design.tournaments[LINEUP].table.players, _fit(figures, design)
    names = [policy.name for policy in design.tournaments[LINEUP].policies]

    def of(quantity: str, name: str = "") -> Figure:
        return figures.of(quantity, name, players=players, setup=setup)

    def rating(name: str) -> Rating:
        strength, wins, points, games = (of(each, name) for each in (quantity, "wins", "points", "policy-games"))
        above, side = (find(figures, design, each, name, setup) for each in ("above-next", "open-strength"))
        return Rating(
            policy=name, games=int(games.value), seats=int(games.value), blocks=wins.n,
            strength=strength.value, interval=strength.ends,
            open="" if side is None else next(word for word, sign in _SIDES.items() if sign == side.value),
            win_share=wins.value / 100, win_interval=_times(0.01, wins.ends), vp=points.value, vp_interval=points.ends,
            above_next=None if above is None else above.value / 100,
        )  # fmt: skip

    ladder = tuple(map(rating, sorted(names, key=lambda name: of("rank", name).value)))
    return Ratings(
        ladder=ladder, games=int(of("games").value), blocks=of(quantity, names[0]).n, players=(players,),
        fair=1 / players, level=LEVEL if quantity == "strength" else LEVEL_OF_BOTH, resamples=RESAMPLES, seed=_SEED,
        fit=fit, unbounded=of("unbounded-resamples").value, samples=np.zeros((0, len(names))),
    )  # fmt: skip


def _fit(figures: Figures, design: Design) -> Fit:
    pairs, *shares = (find(figures, design, each) for each in ("fitted-pairs", "departure", "departure-by-chance"))
    departure, chance = (None if each is None else each.value / 100 for each in shares)
    largest = None
    for one, other in permutations([policy.name for policy in design.tournaments[LINEUP].policies], 2):
        both = [find(figures, design, each, f"{one} {other}") for each in ("seen", "expected")]
        if both[0] is not None and both[1] is not None:
            largest = (one, other, both[0].value / 100, both[1].value / 100)
    return Fit(0 if pairs is None else int(pairs.value), departure, largest, chance)


def find(figures: Figures, design: Design, quantity: str, item: str = "", setup: str = "") -> Figure | None:
    """A figure of the tournament; None without it."""
    players = design.tournaments[LINEUP].table.players
    return figures.get(figure_id(figures.study, quantity, item, players=players, setup=setup))


def _times(factor: float, interval: Interval | None) -> Interval | None:
    return None if interval is None or np.isnan(interval[0]) else (factor * interval[0], factor * interval[1])
