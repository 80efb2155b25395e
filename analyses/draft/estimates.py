"""The whole study `draft`: its figures in words, what decides them, playing and estimating, and the claims."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import chain, combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import read_policy
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.least_squares import Fit
from wallsim.stats.screening import hotelling
from wallsim.studies.cache import Cache
from wallsim.studies.claims import claim_quantity, claim_values
from wallsim.studies.figure import NOWHERE, Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.quantities import Key, Number, Quantity, Value
from wallsim.studies.register import read_register
from wallsim.studies.study import Choices, Storage

from ..price.study import in_thalers, price_of, read_prices
from . import deals, pairs
from . import drafters as by
from .deals import DEAL, DRAFT, NEIGHBOURS, PLAYERS, SIZES, STEPS, Ground, PickTable, Scope, Worths, ground_of, in_cell

at = NOWHERE._replace  # a cell of which a part may be none: the figure is then of all of it
Found = Iterator[tuple[Key, Value]]
Gains = Mapping[Cell, Mapping[str, Mapping[str, np.ndarray]]]  # by cell, drafter, and `points` or `wins`: [games]
WEIGHTS = ("tax", "grain", "sites", "number of neighbours")
FACTS = {"tax and grain": WEIGHTS[:2], "and sites": WEIGHTS[:3], "and the number of neighbours": WEIGHTS,
         "and the region": None}  # fmt: skip
GOOD, BAD = ("Steiermark", "Bremen", "Burgund"), ("Oberösterreich", "Mittelmark", "Sächs. Lande")
_MORE, _LESS = ({name: words.format(name) for name in names}
                for names, words in ((GOOD, "worth of {}, VP"), (BAD, "mean county less {}, VP")))  # fmt: skip
# The counties were chosen by the table of the study, whose games therefore do not judge them.
CHOSEN = (*_MORE.values(), *_LESS.values())
_TO_BORDER, _OF_REGION = "cost of a border with another seat, VP", "worth of an own pair of a region, VP"
_OF_DEALS = {*CHOSEN, _TO_BORDER, _OF_REGION}  # the outcomes that dealt games give
_AGAINST = {name: f"VP of the table less {name}" for name in (by.RANDOM, by.YIELDS)}
_OF_TABLE, FIRST = f"VP of {by.TABLE}", "VP of the first to pick less the last"
CLAIMS = (
    *(Claim(f"{name} is worth more than the mean county.", outcome, 0) for name, outcome in _MORE.items()),
    *(Claim(f"{name} is worth less than the mean county.", outcome, 0) for name, outcome in _LESS.items()),
    Claim("A border with another seat's county costs points.", _TO_BORDER, 0),
    Claim("Two counties of one region are worth more together.", _OF_REGION, 0),
    Claim("A drafter by the table beats one who picks at random.", _AGAINST[by.RANDOM], 0),
    Claim("A drafter by the table beats one by the printed yields.", _AGAINST[by.YIELDS], 0),
    Claim("A drafter by the table beats the default drafters.", _OF_TABLE, 0),
    Claim("Who picks first ends with more points than who picks last.", FIRST, 0),
)
ABOUT = dict(zip((*GOOD, *BAD), CLAIMS, strict=False))  # the claim about a county, by its name
WORTH, PICK, BY_PLAY, BY_CELL, NEIGHBOUR = "worth", "pick", "worth-by-play", "worth-by-cell", "neighbour"
TAKEN, WHEN_OPEN = "drafted", "taken-when-open"
GAIN = {"points": "gain", "wins": "gain-in-wins"}
PLACE = {"points": "place", "wins": "place-in-wins"}
ORDINALS = ("first", "second", "third", "last")
GAIN_OF_TABLE, APART, THALERS = f"gain of {by.TABLE}", "first less last", "Thalers"  # of headlines, with two neighbours
_ONE_MORE = "VP of a seat above the table's mean for one more"
_MEAN, _FAIR, _GAP = "VP above the table's mean", "wins above the fair share", "% points"
_PICKS_BY = "of one seat that picks by {item} against three of the default"
_WORTH_OF = "worth of {item}, VP of its owner above the table's mean, against the mean county"
_HEADLINES = {
    GAIN_OF_TABLE: f"{_MEAN} {_PICKS_BY.format(item='the table')}",
    APART: "VP of the first to pick less the last",
    THALERS: "VP of the first to pick less the last, in Thalers at the price of the study price",
}


def _headlines_together(key: Key) -> tuple[str, str]:
    # Each of neighbours alone, those of the table in all plays, and both of the order of picks.
    return "headline", "order" if key.cell.tower else "plays" if key.cell.play else key.item


def _pair_words(kind: str, after: str, key: Key) -> str:
    one, other = key.item.split(" and ")
    if kind == pairs.TOGETHER:
        return f"VP of a seat that holds both {one} and {other}, beyond the worths of both{after}"
    held = f"holds one of the neighbours {one} and {other} while another seat holds the other"
    return f"VP of a seat that {held}, beyond worths{after}"


def _seed_after(shift: int, key: Key) -> int:
    return in_cell(key.cell, key.players).seed + shift


_vp = partial(Quantity, null=0, together=(), n_unit="games")
_share = partial(Quantity, unit="%")
_drafts = partial(Quantity, null=0, together=(), n_unit="drafts")
_rivals = partial(Quantity, null=0, together=(), family="rivals", seed=partial(_seed_after, by.JUDGED))
_correlation = partial(Quantity, unit="correlation", null=0)
QUANTITIES = (
    _vp(WORTH, f"{_WORTH_OF}, all settings", family="pick table"),
    _vp("army", "worth of an army more in {item}, VP of its owner against one in the mean county, all settings",
        family="pick table"),
    _vp(PICK, f"{_WORTH_OF}, shrunken towards what is printed: what drafters go by"),
    _vp("by-the-print", f"{_WORTH_OF}, as what is printed predicts"),
    _vp(BY_PLAY, f"{_WORTH_OF}, all towers of this play"),
    _vp(BY_CELL, _WORTH_OF, shown="words"),
    _vp(NEIGHBOUR, f"{_ONE_MORE}: {{item}}"),
    _share("points-explained", "share of the variance of a seat's VP above the table's mean in a game explained by: "
           "{item}"),
    _share("worths-explained", "share of the variance of the true worths that is explained by what is printed: {item}"),
    _vp("weight", "VP that one more of {item} adds to a county's worth, by the regression on what is printed"),
    _vp("region", "mean worth of the counties of {item}, all settings", family="regions"),
    _vp("region-army", "mean worth of an army more in the counties of {item}, all settings", family="regions"),
    _vp("region-by-players", "mean worth of the counties of {item}, all plays", family="regions"),
    _vp("worth-by-players", f"{_WORTH_OF}, all plays"),
    _share(TAKEN, "drafts in which anybody takes {item}"),
    _share(WHEN_OPEN, "drafts with {item} open at first in which the first takes it"),
    _correlation("correlation-of-plays", "correlation of the worths of counties in {first} and in {rest} play"),
    _correlation("correlation-drafted", "correlation of a county's worth with how often it is drafted"),
    _correlation("correlation-taken", "correlation of a county's worth with how often the first takes it when it is "
                 "open"),
    _drafts(GAIN["points"], f"{_MEAN} {_PICKS_BY}, all towers of this play"),
    _drafts(GAIN["wins"], f"{_FAIR} {_PICKS_BY}, all towers of this play", _GAP),
    _drafts("gain-by-cell", f"{_MEAN} {_PICKS_BY}", shown=""),
    _drafts(PLACE["points"], f"{_MEAN} of the {{item}} to pick, all towers of this play", family="order"),
    _drafts(PLACE["wins"], f"{_FAIR} of the {{item}} to pick, all towers of this play", _GAP, family="order",
            hides=lambda row: row.id.split("/")[0].endswith((".second", ".third"))),
    _drafts("first-less-last", _HEADLINES[THALERS], "Thalers", family="order"),
    Quantity("places-equal", "p-value of Hotelling's joint test that all places in the order of picks end with as many "
             "points", "probability"),
    Quantity("seats-equal", "p-value of Hotelling's joint test that all seats end with as many points", "probability"),
    Quantity("headline", lambda key: _HEADLINES.get(key.item, f"{_ONE_MORE}: {key.item}"),
             lambda key: "Thalers" if key.item == THALERS else "VP", 0, _headlines_together,
             n_unit=lambda key: "drafts" if key.cell.setup else "games", shown="first screen, words"),
    *(Quantity(name, partial(_pair_words, kind, ", by the games that chose the pair, all towers"), null=0,
               shown="words") for kind, name in pairs.CHOSEN_BY.items()),
    *(Quantity(name, partial(_pair_words, kind, ""), null=0, together=(), family="pairs",
               seed=partial(_seed_after, pairs.SEEDS)) for kind, name in pairs.EFFECT.items()),
    *(_rivals(by.ONE_MORE[what], f"{words} that a seat gains if it drafts by the table of this play instead of the "
              "default, {item} drafting by it", unit)
      for what, words, unit in (("points", _MEAN, "VP"), ("wins", "wins", _GAP))),
    _rivals(by.ALL_LESS_NONE, "VP of a seat, mean of the table, where all draft by the table of this play less where "
            "none does", hides=lambda row: row.players != 4),
    *(_rivals(by.RESPONSE[what], f"{words} that a seat gains by the response to the table, all others drafting by the "
              "table", unit)
      for what, words, unit in (("points", _MEAN, "VP"), ("wins", "wins", _GAP))),
    _correlation(by.SAME_WORTHS, "correlation of the worths of counties in the table and in the response to it"),
    Quantity(by.BORDERS, f"{_MEAN} for one more {deals.BORDER}, in {{item}}", null=0),
    claim_quantity(CLAIMS, {}, "games"),
)  # fmt: skip


def worths_of(figures: Figures, scope: Scope, play: str) -> dict[str, Figure]:
    """The worth of each county in a play, by its name."""
    return {name: figures.of(BY_PLAY, name, players=PLAYERS, play=play) for name in ground_of(scope).names}


def read_picks(figures: Figures | None = None) -> PickTable:
    """The table of the published study, or of other figures, for the printed board with four players.

    InputError if the register has no such table.
    """
    of = partial((read_register("draft") if figures is None else figures).of, players=PLAYERS)
    counties = ground_of(deals.scope_of(Choices())).names
    try:
        return PickTable(*({name: round(of(quantity, name).value, 4) for name in names}
                           for quantity, names in ((PICK, counties), (NEIGHBOUR, NEIGHBOURS))))  # fmt: skip
    except KeyError as error:
        raise InputError(f"data/figures/draft.csv: has no {error}; play the study draft in full") from None


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results, the prices of Thalers and the drafters' code too."""
    cells = [(players, cell) for players in SIZES for setup in (DEAL, DRAFT) for cell in scope.cells(setup)
             if players == PLAYERS or (setup == DEAL and cell.tower == scope.towers[0])]  # fmt: skip
    prices = [price_of(read_prices(), PLAYERS, Cell(play, scope.towers[0], DRAFT)) for play in scope.names]
    rivals = {}
    for (players, blocks), play in product(scope.rivals.items(), scope.at_tables):
        judged, fitted = (by.in_table(scope, play, players, shift) for shift in (by.JUDGED, by.FITTED))
        rivals[f"{players}/{play}"] = {"judged by": judged, "fitted by": fitted, "blocks": blocks}
    return {
        "cells": {"/".join((str(players), *cell)): in_cell(cell, players) for players, cell in cells},
        "prices": {price.id: [price.value, price.error, price.n] for price in prices},
        "deals": scope.deals, "drafts": scope.drafts, "matches": scope.matches,
        "drafters": {path.stem: read_policy(path).code for path in (by.RANDOM_CODE, by.TABLE_CODE)},
        "pairs": {"games": scope.pairs, "from each end": pairs.CHOSEN, "seed after that of deals": pairs.SEEDS},
        "rivals": rivals,
    }  # fmt: skip


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play and estimate everything; the drafters' files of code lie in the study's folder."""
    files, every = storage.folder / "drafters", {players: deals.worths(scope, players, storage) for players in SIZES}
    main = every[PLAYERS]
    points = {cell.play: each for cell, each in main.points.items() if cell.tower == scope.towers[0]}
    fits = deals.steps(main, {**points, "": np.mean(list(main.points.values()), axis=0)})
    table = main.table(main.mean())
    policies = by.policies_of({
        by.YIELDS: by.yields_of(main.ground), by.ALONE: PickTable(table.counties, dict.fromkeys(NEIGHBOURS, 0.0)),
        by.WITH_OWN: main.table(fits[STEPS[2]][""]), by.TABLE: table,
        **{play: main.table(main.mean(play)) for play in scope.names},
    }, main.ground, files)  # fmt: skip
    drafts = {cell: by.drafts_of(in_cell(cell), scope.drafts, storage) for cell in scope.cells(DRAFT)}
    gains = {
        cell: {name: by.matches(in_cell(cell), policies[cell.play if name == by.SAME else name], scope.matches, storage,
                                each) for name in by.DRAFTERS}
        for cell, each in drafts.items()
    }  # fmt: skip
    cards = by.open_cards(in_cell(scope.home(DRAFT)), scope.drafts, storage)
    values: dict[Key, Value] = dict(chain(
        of_deals(scope, every, fits), of_picks(scope, main, drafts, cards), of_drafts(scope, drafts, gains),
        pairs.of_pairs(scope, main, storage), by.of_rivals(scope, every, files, storage),
    ))  # fmt: skip
    claims: dict[Cell, dict[str, Estimate]] = {cell: deal_outcomes(main.named(fit)) for cell, fit in main.fits.items()}
    for cell, each in drafts.items():
        claims[cell] = {**gain_outcomes(gains[cell]), FIRST: each.first_less_last}
    return values | dict(claim_values(CLAIMS, claims))


def of_deals(scope: Scope, every: Mapping[int, Worths], fits: Mapping[str, Mapping[str, Fit]]) -> Found:
    """Worths of counties, armies, neighbours and regions, and what explains points, by `fits` of STEPS, and worths."""
    main, under_first = every[PLAYERS], at(tower=scope.towers[0])
    for where in (NOWHERE, *(at(play=play) for play in scope.names)):
        fit = main.mean(where.play)
        worths = main.named(fit)
        for name in main.ground.names:
            yield Key(BY_PLAY if where.play else WORTH, name, PLAYERS, where), worths[name]
        for name in (*NEIGHBOURS, deals.INSTEAD):
            yield Key(NEIGHBOUR, name, PLAYERS, where), worths[name]
        for words, facts in FACTS.items():
            yield Key("worths-explained", words, PLAYERS, where), Number(100 * main.shrunk(fit, facts).explained)
        for name, weight in zip(WEIGHTS, main.shrunk(fit).weights, strict=False):
            yield Key("weight", name, PLAYERS, where), Number(weight)
    for cell, fit in main.fits.items():
        for name in main.ground.names:
            yield Key(BY_CELL, name, PLAYERS, cell), main.named(fit)[name]
    for step, play in product(fits, scope.names):
        explained = fits[step][play].explained
        yield Key("points-explained", step, PLAYERS, under_first._replace(play=play)), Number(100 * explained)
    for players, each in every.items():
        fit = each.mean(tower=under_first.tower)
        for name in each.ground.names:
            yield Key("worth-by-players", name, players, under_first), each.named(fit)[name]
        for number, region in enumerate(main.ground.board.regions):
            yield Key("region-by-players", region, players, under_first), each.region(fit, number)
    pooled = main.mean()
    worths, shrunk = main.named(pooled), main.shrunk(pooled)
    for name, pick, printed in zip(main.ground.names, shrunk.values, shrunk.predicted, strict=True):
        yield Key("army", name, PLAYERS), worths[f"{deals.ARMY_IN}{name}"]
        yield Key(PICK, name, PLAYERS), Number(pick)
        yield Key("by-the-print", name, PLAYERS), Number(printed)
    for number, region in enumerate(main.ground.board.regions):
        yield Key("region", region, PLAYERS), main.region(pooled, number)
        yield Key("region-army", region, PLAYERS), main.region(pooled, number, armies=True)
    for name in (deals.BORDER, deals.INSTEAD):
        yield Key("headline", name, PLAYERS), worths[name]


def of_picks(scope: Scope, main: Worths, drafts: Mapping[Cell, by.Drafts], cards: np.ndarray) -> Found:
    """How often counties are picked, by `cards` that lay open, and how that goes together with their worths."""
    every = list(drafts.values())
    for quantity, shares in ((TAKEN, by.drafted(every)), (WHEN_OPEN, by.taken_when_open(every, cards))):
        for name, share in zip(main.ground.names, shares[main.ground.counties], strict=True):
            yield Key(quantity, name, PLAYERS, at(setup=DRAFT)), Number(share)
    worths_in = {play: main.mean(play).values[: main.count] for play in scope.names}
    for one, other in combinations(scope.names, 2):
        together = np.corrcoef(worths_in[one], worths_in[other])[0, 1]
        yield Key("correlation-of-plays", f"{one} {other}", PLAYERS), Number(float(together))
    for play in scope.names:
        own = [each for cell, each in drafts.items() if cell.play == play]
        for what, shares in (("drafted", by.drafted(own)), ("taken", by.taken_when_open(own, cards))):
            value = float(np.corrcoef(worths_in[play], shares[main.ground.counties])[0, 1])
            yield Key(f"correlation-{what}", "", PLAYERS, at(play=play, setup=DRAFT)), Number(value)


def of_drafts(scope: Scope, drafts: Mapping[Cell, by.Drafts], gains: Gains) -> Found:
    """What drafters gain, the mean over the towers, which draft from the same cards; and what each place brings."""
    prices, home = read_prices(), scope.home(DRAFT)
    for play in scope.names:
        own, cell = [each for where, each in drafts.items() if where.play == play], at(play=play, setup=DRAFT)
        for name in by.DRAFTERS:
            for what, quantity in GAIN.items():
                each = [gained[name][what] for where, gained in gains.items() if where.play == play]
                yield Key(quantity, name, PLAYERS, cell), (gain := block_mean(np.mean(each, axis=0)))
                if (name, what) == (by.TABLE, "points"):
                    yield Key("headline", GAIN_OF_TABLE, PLAYERS, cell), gain
        by_place = {what: np.mean([each.by_place(what) for each in own], axis=0) for what in PLACE}
        for what, quantity in PLACE.items():
            for ordinal, values in zip(ORDINALS, by_place[what].T, strict=True):
                yield Key(quantity, ordinal, PLAYERS, cell), block_mean(values)
        by_seat = np.mean([deals.apart(each.points) for each in own], axis=0)
        for quantity, values in (("places-equal", by_place["points"]), ("seats-equal", by_seat)):
            if (test := hotelling(values[:, 1:])) is not None:
                yield Key(quantity, "", PLAYERS, cell), Number(test.p_value)
        first = Cell(play, scope.towers[0], DRAFT)
        lead = drafts[first].first_less_last
        thalers = in_thalers(lead, price_of(prices, PLAYERS, first))
        yield Key("first-less-last", THALERS, PLAYERS, first), thalers
        if first == home:
            yield Key("headline", APART, PLAYERS, home), lead
            yield Key("headline", THALERS, PLAYERS, home), thalers
    for cell, gained in gains.items():
        for name in by.DRAFTERS:
            yield Key("gain-by-cell", name, PLAYERS, cell), block_mean(gained[name]["points"])


def deal_outcomes(worths: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """The outcomes of CLAIMS about counties and neighbours by their worths, of those counties that are in play."""
    return {
        **{outcome: worths[name] for name, outcome in _MORE.items() if name in worths},
        **{outcome: worths[name] * -1 for name, outcome in _LESS.items() if name in worths},
        _TO_BORDER: worths[NEIGHBOURS[1]] * -1, _OF_REGION: worths[NEIGHBOURS[2]],
    }  # fmt: skip


def gain_outcomes(gains: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, Estimate]:
    """The outcomes of CLAIMS about drafters by their `points` by game, by name."""
    table = gains[by.TABLE]["points"]
    less = {outcome: block_mean(table - gains[name]["points"]) for name, outcome in _AGAINST.items()}
    return {_OF_TABLE: block_mean(table), **less}


def claim_outcomes(experiment: Experiment, blocks: int, names: Collection[str] | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS by playing blocks of 6 games a seat of an experiment; the unit of errors is the game.

    The experiment's set-up must be `draft`, or `deal` for counties and neighbours alone; with line-ups nobody picks,
    and there is no outcome. In a draft the worth of counties comes from the same experiment with counties dealt. The
    drafter goes by the published table, so where other counties are in play there is no outcome of it. With `names`
    there are those outcomes alone, and no more is played than they need.
    InputError for fewer games than the estimates need.
    """
    games = blocks * block_size(experiment.players)
    if experiment.setup not in (DEAL, DRAFT):
        return {}
    if games < deals.LEAST_GAMES:
        raise InputError(f"blocks: {blocks} are {games} games; at least {deals.LEAST_GAMES} are needed")
    wanted = {claim.outcome for claim in CLAIMS} if names is None else set(names)
    dealt, cell = experiment.changed(setup=DEAL, lineups=()), Cell("any", experiment.tower, DEAL)
    ground, outcomes = Ground(dealt), {}
    with TemporaryDirectory() as folder:
        storage = Storage(Path(folder), Cache(None), workers=1)
        if wanted & _OF_DEALS:
            points = {cell: deals.played_points(dealt, games, storage)}
            result = deals.estimated(ground, deals.deals_of(dealt, games, storage), points)
            outcomes = deal_outcomes(result.named(result.fits[cell]))
        if experiment.setup == DRAFT and wanted - _OF_DEALS:
            drafts, table = by.drafts_of(experiment, games, storage), read_picks()
            outcomes[FIRST] = drafts.first_less_last
            if wanted - _OF_DEALS - {FIRST} and set(table.counties) == set(ground.names):
                drafters = by.policies_of({by.YIELDS: by.yields_of(ground), by.TABLE: table}, ground, storage.folder)
                outcomes |= gain_outcomes({name: by.matches(experiment, drafter, games, storage, drafts)
                                           for name, drafter in drafters.items()})  # fmt: skip
    return {name: each for name, each in outcomes.items() if name in wanted}
