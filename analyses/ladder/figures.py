"""The figures of the study `ladder` in the register: added there, and read back for the page and the picture."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, count, permutations, takewhile, zip_longest
from math import isnan, nan
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import SETUPS
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.analysis.tournament.agreement import MEASURES, Agreement
from wallsim.analysis.tournament.order import SameOrder, same_order
from wallsim.analysis.tournament.payoffs import Payoffs
from wallsim.analysis.tournament.ratings import RESAMPLES, Fit, Rating, Ratings
from wallsim.analysis.tournament.results import Findings
from wallsim.runs.tuning.evaluation import Finding
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.studies.figure import Figure, Figures, Rows, figure_id
from wallsim.studies.orders import add_order, read_order

from .estimates import LEVEL_OF_BOTH, LINEUP, Design, Ladder, Visit, rated

GAMES, LOOK, RANK, ABOVE = "games", "look", "rank", "above-next"
STRENGTH, BOTH, OPEN, UNBOUNDED = "strength", "strength-of-both-ladders", "open-strength", "unbounded-resamples"
WINS, POINTS, POLICY_GAMES = "wins", "points", "policy-games"
PAIRS, DEPARTURE, CHANCE, SEEN, EXPECTED = "fitted-pairs", "departure", "departure-by-chance", "seen", "expected"
BEFORE, MARGIN, TOGETHER = "before", "margin", "games-with-both"
AGREEMENT, ALONE = "agreement", "one-seat"
ORDER = "line-ups and draft"
_SIDES = {"upwards": 1.0, "downwards": -1.0}
_SEED = 1  # of the resamples, that of `rate`


def add_figures(result: Ladder, rows: Rows) -> None:
    """Add every figure: the ladder, that of the draft, how they agree, and the tables beside the tournament."""
    players = result.findings.ratings.players[0]
    for setup, looks in result.looks.items():
        for number, blocks in enumerate(looks, start=1):
            words = f"blocks of the tournament when its ladder was estimated for the {number}. time"
            rows.number(LOOK, str(number), blocks, words=words, unit="blocks", players=players, setup=setup)
    ladders = rated(result.runs)
    for setup, ratings in ladders.items():
        _add_ladder(rows, BOTH, setup, players, ratings)
    _add_ladder(rows, STRENGTH, LINEUP, players, result.findings.ratings)
    for setup, ratings in {**ladders, LINEUP: result.findings.ratings}.items():
        _add_results(rows, setup, players, ratings)
    _add_fit(rows, players, result.findings.ratings.fit)
    _add_payoffs(rows, players, result.findings.payoffs)
    _add_agreement(rows, players, result.findings)
    [order] = same_order(ladders, LEVEL).values()
    add_order(rows, ORDER, "with line-ups and in the draft", order, Confidence(), players=players)
    for visit, finding in result.visits:
        fair, sure = 100 / visit.players, Confidence(LEVEL, finding.n_comparisons)
        rows.number(
            ALONE, alone(visit), 100 * finding.share, (100 * finding.low, 100 * finding.high), words="wins of one seat "
            f"of {visit.name} among {visit.players - 1} × {visit.host}", unit="%", players=visit.players,
            setup=visit.setup, n=finding.blocks, n_unit="blocks", null=fair, sure=sure,
        )  # fmt: skip


def alone(visit: Visit) -> str:
    """The item of one seat of a policy among others."""
    return f"{visit.name} among {visit.host}"


def _add_ladder(rows: Rows, quantity: str, setup: str, players: int, ratings: Ratings) -> None:
    if quantity == BOTH:
        words = "share of the resamples that bound some strength on one side only"
        rows.number(UNBOUNDED, "", ratings.unbounded, words=words, unit="share", players=players, setup=setup)
        rows.number(GAMES, "", ratings.games, words="games", unit="games", players=players, setup=setup)
    for rank, rating in enumerate(ratings.ladder, start=1):
        whose = f"{rating.policy} on the ladder {SETUP_WORDS[setup]}"
        rows.number(
            quantity, rating.policy, rating.strength, rating.interval, words=f"strength of {whose}", unit="log units",
            players=players, setup=setup, n=ratings.blocks, n_unit="blocks", null=0.0, sure=ratings.confidence,
        )  # fmt: skip
        if quantity == BOTH:
            words = f"rank of {whose}, 1 for the strongest"
            rows.number(RANK, rating.policy, rank, words=words, unit="rank", players=players, setup=setup)
            if rating.open:
                words = f"1 if the results bound the strength of {whose} from below alone, -1 if from above alone"
                side = _SIDES[rating.open]
                rows.number(OPEN, rating.policy, side, words=words, unit="1 or -1", players=players, setup=setup)


def _add_results(rows: Rows, setup: str, players: int, ratings: Ratings) -> None:
    at: dict[str, Any] = {"players": players, "setup": setup}
    for rating, following in zip_longest(ratings.ladder, ratings.ladder[1:]):
        name, whose = rating.policy, f"of a seat of {rating.policy} {SETUP_WORDS[setup]}"
        within = {**at, "n": rating.blocks, "n_unit": "blocks", "sure": ratings.confidence}
        share, ends = 100 * rating.win_share, _times(100.0, rating.win_interval)
        rows.number(WINS, name, share, ends, words=f"wins {whose}", unit="%", null=100 * ratings.fair, **within)
        rows.number(POINTS, name, rating.vp, rating.vp_interval, words=f"mean VP {whose}", unit="VP", **within)
        words = f"games in which {name} has a seat, {SETUP_WORDS[setup]}"
        rows.number(POLICY_GAMES, name, rating.games, words=words, unit="games", **at)
        if following is not None and rating.above_next is not None:
            words = (
                f"resamples in which {following.policy} is weaker than {name}, the policy before it on the ladder, "
                f"{SETUP_WORDS[setup]}"
            )
            share, n = 100 * rating.above_next, ratings.resamples
            rows.number(ABOVE, name, share, words=words, unit="%", n=n, n_unit="resamples", **at)


def _add_fit(rows: Rows, players: int, fit: Fit) -> None:
    rows.number(
        PAIRS, "", fit.pairs, words="pairs of policies that the fit is judged by", unit="pairs", players=players
    )
    for quantity, value, words, unit in (
        (DEPARTURE, fit.departure, "root mean square difference of the shares of finishing before the other from those "
         "that strengths predict, less the share of chance", "percentage points"),
        (CHANCE, fit.chance, "resamples in which chance alone makes the differences as large", "%"),
    ):  # fmt: skip
        if value is not None:
            rows.number(quantity, "", 100 * value, words=words, unit=unit, players=players)
    if fit.largest is not None:
        one, other, seen, expected = fit.largest
        item, words = f"{one} {other}", f"games in which {one} finishes before {other}"
        rows.number(SEEN, item, 100 * seen, words=words, unit="%", players=players, null=50.0)
        words += ", as strengths predict"
        rows.number(EXPECTED, item, 100 * expected, words=words, unit="%", players=players, null=50.0)


def _add_payoffs(rows: Rows, players: int, result: Payoffs) -> None:
    sure = Confidence(result.level, max(1, result.pairs))
    for i, j in combinations(range(len(result.policies)), 2):
        one, other = result.policies[i], result.policies[j]
        item = f"{one} {other}"
        if not result.games[i, j]:
            continue
        rows.number(
            TOGETHER, item, result.games[i, j], words=f"games with {one} and {other}", unit="games", players=players
        )
        for quantity, value, low, high, factor, words, unit, null in (
            (
                BEFORE,
                result.before,
                result.before_low,
                result.before_high,
                100,
                f"{one} finishes before {other}",
                "%",
                50.0,
            ),
            (MARGIN, result.margin, result.margin_low, result.margin_high, 1, f"points of {one} less {other}", "VP", 0),
        ):
            ends = (float(low[i, j]), float(high[i, j]))
            rows.number(
                quantity, item, factor * value[i, j], _times(factor, ends), words=f"{words}, at one table",
                unit=unit, n=int(result.blocks[i, j]), n_unit="blocks", null=null, sure=sure, players=players,
            )  # fmt: skip


def _add_agreement(rows: Rows, players: int, result: Findings) -> None:
    sure = Confidence(result.ratings.level, max(1, len(result.agreement)))
    for each in result.agreement:
        unit = "VP per log unit" if each.name == "slope" else "correlation"
        rows.number(
            AGREEMENT, each.name, each.value, each.interval, words=MEASURES[each.name], unit=unit, players=players,
            n=result.ratings.blocks, n_unit="blocks", null=0.0, sure=sure,
        )  # fmt: skip


def players_of(design: Design) -> int:
    """The seats at the tables of the tournament."""
    return design.tournaments[LINEUP].table.players


def looks_of(figures: Figures, design: Design) -> dict[str, tuple[int, ...]]:
    """At how many blocks each ladder was estimated, by set-up."""
    looks = {}
    for setup in SETUPS:
        keys = (figure_id(figures.study, LOOK, str(n), players=players_of(design), setup=setup) for n in count(1))
        looks[setup] = tuple(int(figures[key].value) for key in takewhile(figures.__contains__, keys))
    return looks


def ratings_of(figures: Figures, design: Design) -> Ratings:
    """The ladder with line-ups, without the strengths of the resamples."""
    return _ratings(figures, design, STRENGTH, LINEUP)


def ladders_of(figures: Figures, design: Design) -> dict[str, Ratings]:
    """Both ladders, with intervals that hold for both; without the strengths of the resamples."""
    return {setup: _ratings(figures, design, BOTH, setup) for setup in design.tournaments}


def order_of(figures: Figures, ladders: Mapping[str, Ratings], design: Design) -> SameOrder:
    """How far both ladders are in the same order."""
    strengths = {rating.policy: rating.strength for rating in ladders[LINEUP].ladder}
    return read_order(figures, ORDER, strengths, players=players_of(design))


def payoffs_of(figures: Figures, ratings: Ratings, design: Design) -> Payoffs:
    """Who finishes before whom, in the order of the ladder."""
    names, size = ratings.policies, len(ratings.policies)
    tables = {name: np.full((size, size), nan) for name in ("before", "margin")}
    ends = {f"{name}_{side}": np.full((size, size), nan) for name in tables for side in ("low", "high")}
    numbers = {name: np.zeros((size, size), np.int64) for name in ("games", "blocks")}
    for i, j in combinations(range(size), 2):
        item = f"{names[i]} {names[j]}"
        if (games := _get(figures, design, TOGETHER, item)) is None:
            continue
        for name, quantity, factor, whole in (("before", BEFORE, 0.01, 1.0), ("margin", MARGIN, 1.0, 0.0)):
            row = figures.of(quantity, item, players=players_of(design))
            value, low, high = (factor * each for each in (row.value, row.low, row.high))
            tables[name][i, j], tables[name][j, i] = value, whole - value
            ends[f"{name}_low"][i, j], ends[f"{name}_low"][j, i] = low, whole - high
            ends[f"{name}_high"][i, j], ends[f"{name}_high"][j, i] = high, whole - low
        numbers["games"][[i, j], [j, i]], numbers["blocks"][[i, j], [j, i]] = int(games.value), row.n
    pairs = int(np.triu(numbers["games"] > 0, 1).sum())
    return Payoffs(policies=names, **tables, **ends, **numbers, pairs=pairs, level=ratings.level)


def before_of(figures: Figures, design: Design, one: str, other: str) -> tuple[float, Interval | None] | None:
    """The share of their games in which a policy finishes before another, from 0 to 1; None if they never met."""
    if (row := _get(figures, design, BEFORE, f"{one} {other}")) is not None:
        return row.value / 100, _times(0.01, row.ends)
    if (row := _get(figures, design, BEFORE, f"{other} {one}")) is None:
        return None
    ends = row.ends
    return 1 - row.value / 100, _times(0.01, None if ends is None else (100 - ends[1], 100 - ends[0]))


def agreement_of(figures: Figures, design: Design) -> list[Agreement]:
    """How the ladder agrees with points and places."""
    rows = {name: _get(figures, design, AGREEMENT, name) for name in MEASURES}
    return [Agreement(name, row.value, row.ends) for name, row in rows.items() if row is not None]


def visits_of(figures: Figures, design: Design) -> list[tuple[Visit, Finding]]:
    """The tables beside the tournament with their results."""
    result = []
    for visit in design.visits:
        row = figures.of(ALONE, alone(visit), players=visit.players, setup=visit.setup)
        finding = Finding(
            opponent=visit.host, role="host", games=row.n * visit.players, blocks=row.n, share=row.value / 100,
            low=row.low / 100, high=row.high / 100, n_comparisons=row.family,
        )  # fmt: skip
        result.append((visit, finding))
    return result


def _ratings(figures: Figures, design: Design, quantity: str, setup: str) -> Ratings:
    players, names = players_of(design), _names(design)
    at: dict[str, Any] = {"players": players, "setup": setup}
    names.sort(key=lambda name: figures.of(RANK, name, **at).value)
    strengths = [figures.of(quantity, name, **at) for name in names]
    return Ratings(
        ladder=tuple(_rating(figures, row, name, at) for name, row in zip(names, strengths, strict=True)),
        games=int(figures.of(GAMES, **at).value),
        blocks=strengths[0].n,
        players=(players,),
        fair=1 / players,
        level=LEVEL if quantity == STRENGTH else LEVEL_OF_BOTH,
        resamples=RESAMPLES,
        seed=_SEED,
        fit=_fit(figures, design),
        unbounded=figures.of(UNBOUNDED, **at).value,
        samples=np.zeros((0, len(names))),
    )


def _rating(figures: Figures, strength: Figure, name: str, at: Mapping[str, Any]) -> Rating:
    wins, points, games = (figures.of(each, name, **at) for each in (WINS, POINTS, POLICY_GAMES))
    above, side = (figures.get(figure_id(figures.study, each, name, **at)) for each in (ABOVE, OPEN))
    return Rating(
        policy=name, games=int(games.value), seats=int(games.value), blocks=wins.n,
        strength=strength.value, interval=strength.ends,
        open="" if side is None else next(word for word, sign in _SIDES.items() if sign == side.value),
        win_share=wins.value / 100, win_interval=_times(0.01, wins.ends), vp=points.value, vp_interval=points.ends,
        above_next=None if above is None else above.value / 100,
    )  # fmt: skip


def _fit(figures: Figures, design: Design) -> Fit:
    departure, chance = (_get(figures, design, quantity, "") for quantity in (DEPARTURE, CHANCE))
    largest = None
    for one, other in permutations(_names(design), 2):
        if (seen := _get(figures, design, SEEN, f"{one} {other}")) is not None:
            expected = figures.of(EXPECTED, f"{one} {other}", players=players_of(design))
            largest = (one, other, seen.value / 100, expected.value / 100)
    return Fit(
        pairs=int(figures.of(PAIRS, players=players_of(design)).value),
        departure=None if departure is None else departure.value / 100,
        largest=largest,
        chance=None if chance is None else chance.value / 100,
    )


def _names(design: Design) -> list[str]:
    return [policy.name for policy in design.tournaments[LINEUP].policies]


def _get(figures: Figures, design: Design, quantity: str, item: str) -> Figure | None:
    return figures.get(figure_id(figures.study, quantity, item, players=players_of(design)))


def _times(factor: float, interval: Interval | None) -> Interval | None:
    return None if interval is None or isnan(interval[0]) else (factor * interval[0], factor * interval[1])
