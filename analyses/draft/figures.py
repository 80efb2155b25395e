"""The figures of the study `draft`: what they are in words, and all of them by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import Estimate, block_mean, combined
from wallsim.stats.intervals import Confidence
from wallsim.stats.least_squares import Fit
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows, slug
from wallsim.studies.quantities import Key, Number, Quantity, Value, add_values

from ..price.prices import in_thalers, price_of, read_prices
from .cells import DEAL, DRAFT, OTHERS, PLAYERS, Scope, in_cell
from .claims import CLAIMS, deal_outcomes, draft_outcomes
from .deals import BORDER, NEIGHBOURS, OWN_PAIR, Ground
from .drafters import DRAFTERS, TABLE
from .estimates import Draft
from .order import drafted, equal_places, equal_seats, places, taken_when_open
from .pairs import KINDS, SEEDS, TOGETHER
from .picks import NEIGHBOUR, PICK
from .rivals import JUDGED
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
EFFECT, CHOSEN_BY = ({kind: slug(f"{text} {kind}") for kind in KINDS} for text in ("effect", "effect that chose"))
ONE_MORE = {"points": "one-more-by-the-table", "wins": "one-more-by-the-table-in-wins"}
RESPONSE = {"points": "response", "wins": "response-in-wins"}
ALL_LESS_NONE, SAME_WORTHS, BORDERS = "all-by-the-table", "response-correlation", "response-border"
TABLES = ("the table", "the response")
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
_GAIN_OF_TABLE, _APART, _THALERS = f"gain of {TABLE}", "first less last", "Thalers"
_ONE_MORE = "VP of a seat above the table's mean for one more"
_MEAN, _FAIR, _GAP = "VP above the table's mean", "wins above the fair share", "% points"
_WORTH_OF = "worth of {item}, VP of its owner above the table's mean, against the mean county"
_PAIR_WORDS = {
    kind: "VP of a seat that holds both {} and {}, beyond the worths of both" if kind == TOGETHER else
    "VP of a seat that holds one of the neighbours {} and {} while another seat holds the other, beyond worths"
    for kind in KINDS
}  # fmt: skip
_HEADLINES = {
    _GAIN_OF_TABLE: f"{_MEAN} of one seat that picks by the table against three of the default",
    _APART: "VP of the first to pick less the last",
    _THALERS: "VP of the first to pick less the last, in Thalers at the price of the study price",
}


def _headlines_together(key: Key) -> tuple[str, str]:
    # Each of neighbours alone, those of the table in all plays, and both of the order of picks.
    return HEADLINE, "order" if key.cell.tower else "plays" if key.cell.play else key.item


def _pair_words(kind: str, after: str, key: Key) -> str:
    return _PAIR_WORDS[kind].format(*key.item.split(" and ")) + after


def _judged_seed(key: Key) -> int:
    return in_cell(key.cell, key.players).seed + JUDGED


def _pairs_seed(key: Key) -> int:
    return in_cell(key.cell, key.players).seed + SEEDS


_vp = partial(Quantity, null=0, together=(), n_unit="games")
_share = partial(Quantity, unit="%")
_drafts = partial(Quantity, null=0, together=(), n_unit="drafts")
_rivals = partial(Quantity, null=0, together=(), family="rivals")
QUANTITIES = (
    _vp(WORTH, f"{_WORTH_OF}, all plays and towers", family="pick table"),
    _vp(ARMY, "worth of an army more in {item}, VP of its owner against one in the mean county, all plays and towers",
        family="pick table"),
    _vp(PICK, f"{_WORTH_OF}, shrunken towards what is printed: what drafters go by"),
    _vp(PRINT, f"{_WORTH_OF}, as what is printed predicts"),
    _vp(BY_PLAY, f"{_WORTH_OF}, all towers"),
    _vp(BY_CELL, _WORTH_OF, shown="words"),
    _vp(NEIGHBOUR, f"{_ONE_MORE}: {{item}}"),
    _share(EXPLAINED, "share of the variance of a seat's VP above the table's mean in a game explained by: {item}"),
    _share(BY_THE_PRINT, "share of the variance of the true worths that is explained by what is printed: {item}"),
    _vp(WEIGHT, "VP that one more of {item} adds to a county's worth, by the regression on what is printed"),
    _vp(REGION, "mean worth of the counties of {item}, all plays and towers", family="regions"),
    _vp(REGION_ARMY, "mean worth of an army more in the counties of {item}, all plays and towers", family="regions"),
    _vp(REGION_BY_PLAYERS, "mean worth of the counties of {item}, all plays", family="regions"),
    _vp(BY_PLAYERS, f"{_WORTH_OF}, all plays"),
    _share(TAKEN, "drafts in which anybody takes {item}"),
    _share(WHEN_OPEN, "drafts with {item} open at first in which the first takes it"),
    Quantity(CORRELATION, "correlation of the worths of counties in {about} play", "correlation", 0),
    Quantity(PICKED, "correlation of a county's worth with how often it is drafted", "correlation", 0),
    Quantity(PICKED_OPEN, "correlation of a county's worth with how often the first takes it when it is open",
             "correlation", 0),
    _drafts(GAIN["points"], f"{_MEAN} of one seat that picks by {{item}} against three of the default, all towers"),
    _drafts(GAIN["wins"], f"{_FAIR} of one seat that picks by {{item}} against three of the default, all towers", _GAP),
    _drafts(GAIN_BY_CELL, f"{_MEAN} of one seat that picks by {{item}} against three of the default", shown=""),
    _drafts(PLACE["points"], f"{_MEAN} of the {{item}} to pick, all towers", family="order"),
    _drafts(PLACE["wins"], f"{_FAIR} of the {{item}} to pick, all towers", _GAP, family="order",
            hides=lambda row: row.id.split("/")[0].endswith((".second", ".third"))),
    _drafts(PRICE, _HEADLINES[_THALERS], "Thalers", family="order"),
    Quantity(EQUAL_PLACES, "p-value of Hotelling's joint test that all places in the order of picks end with as many "
             "points", "probability"),
    Quantity(EQUAL_SEATS, "p-value of Hotelling's joint test that all seats end with as many points", "probability"),
    Quantity(HEADLINE, lambda key: _HEADLINES.get(key.item, f"{_ONE_MORE}: {key.item}"),
             lambda key: "Thalers" if key.item == _THALERS else "VP", 0, _headlines_together,
             n_unit=lambda key: "drafts" if key.cell.setup else "games", shown="first screen, words"),
    *(Quantity(CHOSEN_BY[kind], partial(_pair_words, kind, ", by the games that chose the pair, all towers"), null=0,
               shown="words") for kind in KINDS),
    *(Quantity(EFFECT[kind], partial(_pair_words, kind, ""), null=0, together=(), family="pairs", seed=_pairs_seed)
      for kind in KINDS),
    *(_rivals(ONE_MORE[what], f"{words} that a seat gains if it drafts by the table of this play instead of the "
              "default, {item} drafting by it", unit, seed=_judged_seed)
      for what, words, unit in (("points", _MEAN, "VP"), ("wins", "wins", _GAP))),
    _rivals(ALL_LESS_NONE, "VP of a seat, mean of the table, where all draft by the table of this play less where "
            "none does", seed=_judged_seed, hides=lambda row: row.players != 4),
    *(_rivals(RESPONSE[what], f"{words} that a seat gains by the response to the table, all others drafting by the "
              "table", unit, seed=_judged_seed)
      for what, words, unit in (("points", _MEAN, "VP"), ("wins", "wins", _GAP))),
    Quantity(SAME_WORTHS, "correlation of the worths of counties in the table and in the response to it", "correlation",
             0),
    Quantity(BORDERS, f"{_MEAN} for one more {BORDER}, in {{item}}", null=0),
)  # fmt: skip


def ground_of(scope: Scope, players: int = PLAYERS) -> Ground:
    """What is played on."""
    return Ground(in_cell(scope.home(DEAL), players))


def at(play: str = "", tower: str = "", setup: str = "") -> Cell:
    """A cell of which a part may be none: the figure is then of all of it."""
    return Cell(play, tower, setup)


def add_figures(result: Draft, rows: Rows) -> None:
    """Add every figure: worths, neighbours, what explains them, picks, drafters, the order of picks, and the claims."""
    values: dict[Key, Value] = {}
    parts = (_worths, _neighbours, _explained, _regions, _picks, _gains, _order, _headlines, _pairs, of_table_drafters)
    for part in parts:
        values |= dict(part(result))
    plays = [play.name for play in result.scope.plays]
    pairs = list(combinations(plays, 2))
    about = {Key(CORRELATION, f"{one} {other}", PLAYERS): f"{one} and in {other}" for one, other in pairs}
    add_values(rows, QUANTITIES, values, about)
    cells: dict[Cell, Mapping[str, Estimate]] = {
        cell: deal_outcomes(result.main, fit) for cell, fit in result.main.fits.items()
    }
    for cell, gains in result.gains.items():
        cells[cell] = draft_outcomes(result.drafts[cell], {name: each["points"] for name, each in gains.items()})
    units = dict.fromkeys((claim.outcome for claim in CLAIMS), "VP")
    add_claims(rows, CLAIMS, cells, result.scope.plays, units, players=PLAYERS, n_unit="games")


Found = Iterator[tuple[Key, Value]]


def _worths(result: Draft) -> Found:
    main = result.main
    shrunk, first = main.shrunk(main.pooled), result.scope.towers[0]
    for place, name in enumerate(main.ground.names):
        yield Key(WORTH, name, PLAYERS), main.county(main.pooled, name)
        yield Key(ARMY, name, PLAYERS), main.army(main.pooled, name)
        yield Key(PICK, name, PLAYERS), Number(shrunk.values[place])
        yield Key(PRINT, name, PLAYERS), Number(shrunk.predicted[place])
        for play in result.scope.plays:
            yield Key(BY_PLAY, name, PLAYERS, at(play.name)), main.county(main.of_play(play.name), name)
        for cell, fit in main.fits.items():
            yield Key(BY_CELL, name, PLAYERS, cell), main.county(fit, name)
    for players, each in result.worths.items():
        for name in each.ground.names:
            yield Key(BY_PLAYERS, name, players, at(tower=first)), each.county(each.of_tower(first), name)


def fits_of(result: Worths, plays: Sequence[str]) -> dict[str, Fit]:
    """The fits over all plays, under no name, and in each."""
    return {"": result.pooled, **{play: result.of_play(play) for play in plays}}


def instead(result: Worths, fit: Fit) -> Estimate:
    """What it is worth to hold a county's neighbour oneself rather than leave it to another seat."""
    return combined((1.0, -1.0), (result.neighbour(fit, OWN_PAIR), result.neighbour(fit, BORDER)))


def _neighbours(result: Draft) -> Found:
    for play, fit in fits_of(result.main, [play.name for play in result.scope.plays]).items():
        for name in NEIGHBOURS:
            yield Key(NEIGHBOUR, name, PLAYERS, at(play)), result.main.neighbour(fit, name)
        yield Key(NEIGHBOUR, INSTEAD, PLAYERS, at(play)), instead(result.main, fit)


def _explained(result: Draft) -> Found:
    main, plays = result.main, [play.name for play in result.scope.plays]
    for step in STEPS:
        for play in plays:
            share = 100 * result.steps[step][play].explained
            yield Key(EXPLAINED, step, PLAYERS, at(play, result.scope.towers[0])), Number(share)
    for play, fit in fits_of(main, plays).items():
        for words, facts in FACTS.items():
            yield Key(BY_THE_PRINT, words, PLAYERS, at(play)), Number(100 * main.shrunk(fit, facts).explained)
        for name, weight in zip(list(printed(main.ground))[: len(WEIGHTS)], main.shrunk(fit).weights, strict=False):
            yield Key(WEIGHT, name, PLAYERS, at(play)), Number(weight)


def _regions(result: Draft) -> Found:
    main, first = result.main, result.scope.towers[0]
    for number, region in enumerate(main.ground.board.regions):
        yield Key(REGION, region, PLAYERS), main.region(main.pooled, number, False)
        yield Key(REGION_ARMY, region, PLAYERS), main.region(main.pooled, number, True)
        for players, each in result.worths.items():
            yield Key(REGION_BY_PLAYERS, region, players, at(tower=first)), each.region(each.of_tower(first), number)


def _picks(result: Draft) -> Found:
    main, drafts, plays = result.main, list(result.drafts.values()), [play.name for play in result.scope.plays]
    board, there = main.ground.board, main.ground.counties
    for quantity, shares in ((TAKEN, drafted(drafts)), (WHEN_OPEN, taken_when_open(drafts, result.cards))):
        for name in main.ground.names:
            yield Key(quantity, name, PLAYERS, at(setup=DRAFT)), Number(shares[board.counties.index(name)])
    worths = {play: main.of_play(play).values[: main.count] for play in plays}
    for one, other in combinations(plays, 2):
        yield Key(CORRELATION, f"{one} {other}", PLAYERS), Number(float(np.corrcoef(worths[one], worths[other])[0, 1]))
    for play in plays:
        own = result.of_play(play)
        for quantity, shares in ((PICKED, drafted(own)), (PICKED_OPEN, taken_when_open(own, result.cards))):
            value = float(np.corrcoef(worths[play], shares[there])[0, 1])
            yield Key(quantity, "", PLAYERS, at(play, setup=DRAFT)), Number(value)


def _gains(result: Draft) -> Found:
    for name in DRAFTERS:
        for what, quantity in GAIN.items():
            for play in result.scope.plays:
                yield Key(quantity, name, PLAYERS, at(play.name, setup=DRAFT)), result.gain(play.name, name, what)
        for cell, gains in result.gains.items():
            yield Key(GAIN_BY_CELL, name, PLAYERS, cell), block_mean(gains[name]["points"])


def _order(result: Draft) -> Found:
    for play in (play.name for play in result.scope.plays):
        drafts, cell = result.of_play(play), at(play, setup=DRAFT)
        for what, quantity in PLACE.items():
            for ordinal, each in zip(ORDINALS, places(drafts, what), strict=True):
                yield Key(quantity, ordinal, PLAYERS, cell), each
        for quantity, test in ((EQUAL_PLACES, equal_places(drafts)), (EQUAL_SEATS, equal_seats(drafts))):
            if test is not None:
                yield Key(quantity, "", PLAYERS, cell), Number(test.p_value)
        home = Cell(play, result.scope.towers[0], DRAFT)
        yield Key(PRICE, _THALERS, PLAYERS, home), _in_thalers(result, home)


def _apart(result: Draft, cell: Cell) -> Estimate:
    order = places([result.drafts[cell]], "points")
    return order[0] - order[-1]


def _in_thalers(result: Draft, cell: Cell) -> Value:
    ratio = in_thalers(_apart(result, cell), price_of(read_prices(), PLAYERS, cell))

    def number(sure: Confidence) -> Number:
        return Number(ratio.value, ratio.interval(sure), ratio.blocks, sure)

    return number


def _headlines(result: Draft) -> Found:
    main, home = result.main, result.scope.home(DRAFT)
    yield Key(HEADLINE, BORDER, PLAYERS), main.neighbour(main.pooled, BORDER)
    yield Key(HEADLINE, INSTEAD, PLAYERS), instead(main, main.pooled)
    for play in result.scope.plays:
        yield Key(HEADLINE, _GAIN_OF_TABLE, PLAYERS, at(play.name, setup=DRAFT)), result.gain(play.name, TABLE)
    yield Key(HEADLINE, _APART, PLAYERS, home), _apart(result, home)
    yield Key(HEADLINE, _THALERS, PLAYERS, home), _in_thalers(result, home)


def _pairs(result: Draft) -> Found:
    tower = result.scope.towers[0]
    for kind, by_group in result.pairs.chosen.items():
        for play, effects in by_group.items():
            for pair, value in effects.items():
                yield Key(CHOSEN_BY[kind], " and ".join(pair), PLAYERS, at(play, setup=DEAL)), Number(value)
    for kind, by_pair in result.pairs.effects.items():
        for pair, by_play in by_pair.items():
            for play, estimate in by_play.items():
                yield Key(EFFECT[kind], " and ".join(pair), PLAYERS, Cell(play, tower, DEAL)), estimate


def of_table_drafters(result: Draft) -> Found:
    """What one more table drafter gains by number of others, and what the responses gain, by key."""
    tower = result.scope.towers[0]
    for (players, play), gains in result.rivals.gains.items():
        cell = Cell(play, tower, DRAFT)
        for what, quantity in ONE_MORE.items():
            for others, values in enumerate(getattr(gains, what)):
                yield Key(quantity, f"{others} others", players, cell), block_mean(values)
        yield Key(ALL_LESS_NONE, "", players, cell), block_mean(gains.means[-1] - gains.means[0])
    for play, each in result.rivals.responses.items():
        cell = Cell(play, tower, DRAFT)
        for what, quantity in RESPONSE.items():
            yield Key(quantity, "", PLAYERS, cell), block_mean(getattr(each, what))
        both = (each.first, each.table)
        worths = [np.array([table.counties[name] for name in each.first.counties]) for table in both]
        yield Key(SAME_WORTHS, "", PLAYERS, cell), Number(float(np.corrcoef(worths)[0, 1]))
        for name, table in zip(TABLES, both, strict=True):
            yield Key(BORDERS, name, PLAYERS, cell), Number(table.neighbours[BORDER])
