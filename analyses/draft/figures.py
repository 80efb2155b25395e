"""The figures of the study `draft` in the register."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import Estimate, combined
from wallsim.stats.hotelling import JointTest
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.least_squares import Fit
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows

from ..price.prices import in_thalers, price_of, read_prices
from .cells import DEAL, DRAFT, OTHERS, PLAYERS, Scope, in_cell
from .claims import CLAIMS, deal_outcomes, draft_outcomes
from .deals import BORDER, NEIGHBOURS, OWN_PAIR, Ground
from .drafters import DRAFTERS, TABLE
from .estimates import Draft
from .order import drafted, equal_places, equal_seats, places, taken_when_open
from .pair_figures import add_pairs
from .picks import NEIGHBOUR, PICK
from .rival_figures import add_rivals
from .worth import STEPS, Worths, printed

WORTH, ARMY, BY_PLAY, BY_CELL, BY_PLAYERS = "worth", "army", "worth-by-play", "worth-by-cell", "worth-by-players"
PRINT, HEADLINE = "by-the-print", "headline"
EXPLAINED, BY_THE_PRINT, WEIGHT = "points-explained", "worths-explained", "weight"
REGION, REGION_ARMY, REGION_BY_PLAYERS = "region", "region-army", "region-by-players"
TAKEN, WHEN_OPEN = "drafted", "taken-when-open"
CORRELATION, PICKED, PICKED_OPEN = "correlation-of-plays", "correlation-drafted", "correlation-taken"
GAIN, GAIN_BY_CELL = {"points": "gain", "wins": "gain-in-wins"}, "gain-by-cell"
PLACE = {"points": "place", "wins": "place-in-wins"}
PRICE, EQUAL_PLACES, EQUAL_SEATS = "first-less-last", "places-equal", "seats-equal"
ORDINALS = ("first", "second", "third", "last")
SIZES = (PLAYERS, *OTHERS)
FACTS = {
    "tax and grain": ("tax", "grain"),
    "and sites": ("tax", "grain", "sites"),
    "and the number of neighbours": ("tax", "grain", "sites", "number of neighbours"),
    "and the region": None,
}
WEIGHTS = ("tax", "grain", "sites", "number of neighbours")
INSTEAD = "an own neighbour instead of another's"
APART = "VP of the first to pick less the last"
_SHARE, _GAP = "%", "% points"
_AGAINST = "VP of its owner above the table's mean, against the mean county"


def ground_of(scope: Scope, players: int = PLAYERS) -> Ground:
    """What is played on."""
    return Ground(in_cell(scope.home(DEAL), players))


def sure_of_worths(scope: Scope) -> Confidence:
    """The confidence of the pick table: worths, and an army more."""
    return Confidence(LEVEL, 2 * len(ground_of(scope).names))


def sure_of_cells(scope: Scope) -> Confidence:
    """The confidence of the worths in all cells."""
    return Confidence(LEVEL, len(ground_of(scope).names) * len(scope.cells(DEAL)))


def sure_of_plays(scope: Scope) -> Confidence:
    """The confidence of the worths in all plays."""
    return Confidence(LEVEL, len(ground_of(scope).names) * len(scope.plays))


def sure_of_players(scope: Scope) -> Confidence:
    """The confidence of the worths with every number of players."""
    return Confidence(LEVEL, sum(len(ground_of(scope, players).names) for players in SIZES))


def sure_of_neighbours(scope: Scope) -> Confidence:
    """The confidence of the table of neighbours."""
    return Confidence(LEVEL, (len(NEIGHBOURS) + 1) * (1 + len(scope.plays)))


def sure_of_regions(scope: Scope) -> Confidence:
    """The confidence of the table of regions: worths and armies, and worths with every number of players."""
    return Confidence(LEVEL, len(ground_of(scope).board.regions) * (2 + len(SIZES)))


def sure_of_gains(scope: Scope) -> Confidence:
    """The confidence of what drafters bring."""
    return Confidence(LEVEL, len(scope.plays) * len(DRAFTERS))


def sure_of_gains_by_cell(scope: Scope) -> Confidence:
    """The same in all cells."""
    return Confidence(LEVEL, len(scope.cells(DRAFT)) * len(DRAFTERS))


def sure_of_order(scope: Scope) -> Confidence:
    """The confidence of the table of places in the order of picks."""
    return Confidence(LEVEL, len(scope.plays) * (2 * PLAYERS + 1))


def add_figures(result: Draft, rows: Rows) -> None:
    """Add every figure: worths, neighbours, what explains them, picks, drafters, the order of picks, and the claims."""
    _add_worths(result, rows)
    _add_neighbours(result, rows)
    _add_explained(result, rows)
    _add_regions(result, rows)
    _add_players(result, rows)
    _add_picks(result, rows)
    _add_gains(result, rows)
    _add_order(result, rows)
    _add_headlines(result, rows)
    add_pairs(result.pairs, result.scope, rows)
    add_rivals(result.rivals, result.scope, rows)
    cells: dict[Cell, Mapping[str, Estimate]] = {
        cell: deal_outcomes(result.main, fit) for cell, fit in result.main.fits.items()
    }
    for cell, gains in result.gains.items():
        cells[cell] = draft_outcomes(result.drafts[cell], {name: each["points"] for name, each in gains.items()})
    units = dict.fromkeys((claim.outcome for claim in CLAIMS), "VP")
    add_claims(rows, CLAIMS, cells, result.scope.plays, units, players=PLAYERS, n_unit="games")


def _add_worths(result: Draft, rows: Rows) -> None:
    main, scope = result.main, result.scope
    at: dict[str, Any] = {"players": PLAYERS, "unit": "VP", "n_unit": "games", "null": 0.0}
    shrunk = main.shrunk(main.pooled)
    for place, name in enumerate(main.ground.names):
        what = f"worth of {name}, {_AGAINST}"
        army = f"worth of an army more in {name}, VP of its owner against one in the mean county"
        sure = sure_of_worths(scope)
        rows.estimate(WORTH, name, main.county(main.pooled, name), sure, words=f"{what}, all plays and towers", **at)
        rows.estimate(ARMY, name, main.army(main.pooled, name), sure, words=f"{army}, all plays and towers", **at)
        for quantity, value, words in (
            (PICK, shrunk.values[place], f"{what}, shrunken towards what is printed: what drafters go by"),
            (PRINT, shrunk.predicted[place], f"{what}, as what is printed predicts"),
        ):
            rows.number(quantity, name, value, words=words, unit="VP", players=PLAYERS, null=0.0)
        for play in scope.plays:
            worth = main.county(main.of_play(play.name), name)
            rows.estimate(BY_PLAY, name, worth, sure_of_plays(scope), words=f"{what}, all towers", play=play.name, **at)
        for cell, fit in main.fits.items():
            rows.estimate(BY_CELL, name, main.county(fit, name), sure_of_cells(scope), words=what, cell=cell, **at)


def fits_of(result: Worths, plays: Sequence[str]) -> dict[str, Fit]:
    """The fits over all plays, under no name, and in each."""
    return {"": result.pooled, **{play: result.of_play(play) for play in plays}}


def instead(result: Worths, fit: Fit) -> Estimate:
    """What it is worth to hold a county's neighbour oneself rather than leave it to another seat."""
    return combined((1.0, -1.0), (result.neighbour(fit, OWN_PAIR), result.neighbour(fit, BORDER)))


def _add_neighbours(result: Draft, rows: Rows) -> None:
    main, sure = result.main, sure_of_neighbours(result.scope)
    for play, fit in fits_of(main, [play.name for play in result.scope.plays]).items():
        worths = {name: main.neighbour(fit, name) for name in NEIGHBOURS} | {INSTEAD: instead(main, fit)}
        for name, worth in worths.items():
            rows.estimate(
                NEIGHBOUR, name, worth, sure, words=f"VP of a seat above the table's mean for one more: {name}",
                unit="VP", players=PLAYERS, play=play, n_unit="games", null=0.0,
            )  # fmt: skip


def _add_explained(result: Draft, rows: Rows) -> None:
    main, plays = result.main, [play.name for play in result.scope.plays]
    tower = result.scope.towers[0]
    for step in STEPS:
        for play in plays:
            words = f"share of the variance of a seat's VP above the table's mean in a game explained by: {step}"
            rows.number(
                EXPLAINED, step, 100 * result.steps[step][play].explained, words=words, unit=_SHARE, players=PLAYERS,
                play=play, tower=tower,
            )  # fmt: skip
    for play, fit in fits_of(main, plays).items():
        for words, facts in FACTS.items():
            share = 100 * main.shrunk(fit, facts).explained
            words_of = f"share of the variance of the true worths that is explained by what is printed: {words}"
            rows.number(BY_THE_PRINT, words, share, words=words_of, unit=_SHARE, players=PLAYERS, play=play)
        for name, weight in zip(list(printed(main.ground))[: len(WEIGHTS)], main.shrunk(fit).weights, strict=False):
            words_of = f"VP that one more of {name} adds to a county's worth, by the regression on what is printed"
            rows.number(WEIGHT, name, weight, words=words_of, unit="VP", players=PLAYERS, play=play, null=0.0)


def _add_regions(result: Draft, rows: Rows) -> None:
    main, sure, first = result.main, sure_of_regions(result.scope), result.scope.towers[0]
    for number, region in enumerate(main.ground.board.regions):
        for quantity, armies, words in (
            (REGION, False, f"mean worth of the counties of {region}"),
            (REGION_ARMY, True, f"mean worth of an army more in the counties of {region}"),
        ):
            rows.estimate(
                quantity, region, main.region(main.pooled, number, armies), sure, words=f"{words}, all plays and "
                "towers", unit="VP", players=PLAYERS, n_unit="games", null=0.0,
            )  # fmt: skip
        for players, each in result.worths.items():
            rows.estimate(
                REGION_BY_PLAYERS, region, each.region(_under_first(result, each), number), sure, words="mean worth of "
                f"the counties of {region}, all plays", unit="VP", players=players, tower=first, n_unit="games",
                null=0.0,
            )  # fmt: skip


def _under_first(result: Draft, worths: Worths) -> Fit:
    # With other than four players there is no other tower.
    return worths.of_tower(result.scope.towers[0])


def _add_players(result: Draft, rows: Rows) -> None:
    sure, first = sure_of_players(result.scope), result.scope.towers[0]
    for players, each in result.worths.items():
        fit = _under_first(result, each)
        for name in each.ground.names:
            rows.estimate(
                BY_PLAYERS, name, each.county(fit, name), sure, words=f"worth of {name}, {_AGAINST}, all plays",
                unit="VP", players=players, tower=first, n_unit="games", null=0.0,
            )  # fmt: skip


def _add_picks(result: Draft, rows: Rows) -> None:
    main, drafts, plays = result.main, list(result.drafts.values()), [play.name for play in result.scope.plays]
    board, there = main.ground.board, main.ground.counties
    at: dict[str, Any] = {"players": PLAYERS, "setup": DRAFT}
    for quantity, shares, words in (
        (TAKEN, drafted(drafts), "drafts in which anybody takes {}"),
        (WHEN_OPEN, taken_when_open(drafts, result.cards), "drafts with {} open at first in which the first takes it"),
    ):
        for name in main.ground.names:
            share = shares[board.counties.index(name)]
            rows.number(quantity, name, share, words=words.format(name), unit=_SHARE, **at)
    for one, other in combinations(plays, 2):
        worths = [main.of_play(play).values[: main.count] for play in (one, other)]
        words = f"correlation of the worths of counties in {one} and in {other} play"
        value = float(np.corrcoef(worths)[0, 1])
        rows.number(CORRELATION, f"{one} {other}", value, words=words, unit="correlation", players=PLAYERS, null=0.0)
    for play in plays:
        worth, own = main.of_play(play).values[: main.count], result.of_play(play)
        for quantity, shares, words in (
            (PICKED, drafted(own), "how often it is drafted"),
            (PICKED_OPEN, taken_when_open(own, result.cards), "how often the first takes it when it is open"),
        ):
            value = float(np.corrcoef(worth, shares[there])[0, 1])
            words = f"correlation of a county's worth with {words}"
            rows.number(quantity, "", value, words=words, unit="correlation", play=play, null=0.0, **at)


def _add_gains(result: Draft, rows: Rows) -> None:
    at: dict[str, Any] = {"players": PLAYERS, "n_unit": "drafts", "null": 0.0}
    for what, quantity in GAIN.items():
        unit = "VP" if what == "points" else _GAP
        words = "VP above the table's mean" if what == "points" else "wins above the fair share"
        for name in DRAFTERS:
            whose = f"{words} of one seat that picks by {name} against three of the default"
            for play in result.scope.plays:
                gain = result.gain(play.name, name, what)
                rows.estimate(
                    quantity, name, gain, sure_of_gains(result.scope), words=f"{whose}, all towers", unit=unit,
                    play=play.name, setup=DRAFT, **at,
                )  # fmt: skip
            for cell in result.gains if what == "points" else ():
                sure = sure_of_gains_by_cell(result.scope)
                rows.estimate(
                    GAIN_BY_CELL, name, result.gain_in(cell, name), sure, words=whose, unit=unit, cell=cell, **at
                )


def _add_order(result: Draft, rows: Rows) -> None:
    scope, sure, prices = result.scope, sure_of_order(result.scope), read_prices()
    for play in (play.name for play in scope.plays):
        drafts = result.of_play(play)
        at: dict[str, Any] = {"players": PLAYERS, "play": play, "setup": DRAFT}
        for what, unit, words in (
            ("points", "VP", "VP above the table's mean"),
            ("wins", _GAP, "wins above the fair share"),
        ):
            for ordinal, each in zip(ORDINALS, places(drafts, what), strict=True):
                rows.estimate(
                    PLACE[what], ordinal, each, sure, words=f"{words} of the {ordinal} to pick, all towers", unit=unit,
                    n_unit="drafts", null=0.0, **at,
                )  # fmt: skip
        for quantity, test, words in (
            (EQUAL_PLACES, equal_places(drafts), "all places in the order of picks end with as many points"),
            (EQUAL_SEATS, equal_seats(drafts), "all seats end with as many points"),
        ):
            _add_test(rows, quantity, test, words, at)
        cell = Cell(play, scope.towers[0], DRAFT)
        here = places([result.drafts[cell]], "points")
        _add_price(rows, PRICE, here[0] - here[-1], cell, sure, price_of(prices, PLAYERS, cell))


def _add_test(rows: Rows, quantity: str, test: JointTest | None, words: str, at: Mapping[str, Any]) -> None:
    if test is not None:
        p = f"p-value of Hotelling's joint test that {words}"
        rows.number(quantity, "", test.p_value, words=p, unit="probability", **at)


def _add_price(rows: Rows, quantity: str, apart: Estimate, cell: Cell, sure: Confidence, price: Any) -> None:
    ratio = in_thalers(apart, price)
    rows.number(
        quantity, "Thalers", ratio.value, ratio.interval(sure), words=f"{APART}, in Thalers at the price of the study "
        "price", unit="Thalers", players=PLAYERS, cell=cell, n=ratio.blocks, n_unit="drafts", null=0.0, sure=sure,
    )  # fmt: skip


def _add_headlines(result: Draft, rows: Rows) -> None:
    main, scope = result.main, result.scope
    for name, worth in ((BORDER, main.neighbour(main.pooled, BORDER)), (INSTEAD, instead(main, main.pooled))):
        rows.estimate(
            HEADLINE, name, worth, Confidence(), words=f"VP of a seat above the table's mean for one more: {name}",
            unit="VP", players=PLAYERS, n_unit="games", null=0.0,
        )  # fmt: skip
    for play in scope.plays:
        rows.estimate(
            HEADLINE, f"gain of {TABLE}", result.gain(play.name, TABLE), Confidence(LEVEL, len(scope.plays)),
            words="VP above the table's mean of one seat that picks by the table against three of the default",
            unit="VP", players=PLAYERS, play=play.name, setup=DRAFT, n_unit="drafts", null=0.0,
        )  # fmt: skip
    cell, sure = scope.home(DRAFT), Confidence(LEVEL, 2)
    order = places([result.drafts[cell]], "points")
    apart = order[0] - order[-1]
    rows.estimate(
        HEADLINE, "first less last", apart, sure, words=APART, unit="VP", players=PLAYERS, cell=cell, n_unit="drafts",
        null=0.0,
    )  # fmt: skip
    _add_price(rows, HEADLINE, apart, cell, sure, price_of(read_prices(), PLAYERS, cell))
