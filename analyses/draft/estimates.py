"""The whole study `draft`: what decides it, every figure by playing and estimating, and the claims."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain, combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.policies.catalogue import read_policy
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.hotelling import hotelling
from wallsim.stats.least_squares import Fit
from wallsim.studies.cache import Cache
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows
from wallsim.studies.games import block_size
from wallsim.studies.quantities import NOWHERE, Key, Number, Value, add_values
from wallsim.studies.study import Storage

from ..price.study import in_thalers, price_of, read_prices
from . import drafters as by
from . import figures as fig
from .cells import DEAL, DRAFT, LEAST_GAMES, PLAYERS, SIZES, Scope, in_cell
from .deals import BORDER, NEIGHBOURS, Drafts, Ground, apart, deals_of, drafted, drafts_of, open_cards, played_points
from .deals import taken_when_open as when_open
from .pairs import CHOSEN as PAIRS_CHOSEN
from .pairs import SEEDS, of_pairs
from .worth import OWN, PickTable, Worths, estimated, steps, worths

at = NOWHERE._replace  # a cell of which a part may be none: the figure is then of all of it
Found = Iterator[tuple[Key, Value]]
Played = tuple[Scope, Mapping[Key, Value], Mapping[Cell, Mapping[str, Estimate]]]  # with the outcomes of the claims
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


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results, the prices of Thalers and the drafters' code too."""
    cells = [(players, cell) for players in SIZES for setup in (DEAL, DRAFT) for cell in scope.cells(setup)
             if players == PLAYERS or (setup == DEAL and cell.tower == scope.towers[0])]  # fmt: skip
    prices = [price_of(read_prices(), PLAYERS, Cell(play, scope.towers[0], DRAFT)) for play in scope.names]
    rivals = {
        f"{players}/{play}": {
            "judged by": by.in_table(scope, play, players, by.JUDGED),
            "fitted by": by.in_table(scope, play, players, by.FITTED), "blocks": blocks,
        }
        for (players, blocks), play in product(scope.rivals.items(), scope.at_tables)
    }  # fmt: skip
    return {
        "cells": {"/".join((str(players), *cell)): in_cell(cell, players) for players, cell in cells},
        "prices": {price.id: [price.value, price.error, price.n] for price in prices},
        "deals": scope.deals, "drafts": scope.drafts, "matches": scope.matches,
        "drafters": {path.stem: read_policy(path).code for path in (by.RANDOM_CODE, by.TABLE_CODE)},
        "pairs": {"games": scope.pairs, "from each end": PAIRS_CHOSEN, "seed after that of deals": SEEDS},
        "rivals": rivals,
    }  # fmt: skip


def play(scope: Scope, storage: Storage) -> Played:
    """Play and estimate everything; the drafters' files of code lie in the study's folder."""
    files, every = storage.folder / "drafters", {players: worths(scope, players, storage) for players in SIZES}
    main = every[PLAYERS]
    points = {cell.play: each for cell, each in main.points.items() if cell.tower == scope.towers[0]}
    fits = steps(main, {**points, "": np.mean(list(main.points.values()), axis=0)})
    table = main.table(main.pooled)
    tables = {
        by.YIELDS: by.yields_of(main.ground), by.ALONE: PickTable(table.counties, dict.fromkeys(NEIGHBOURS, 0.0)),
        by.WITH_OWN: main.table(fits[OWN][""]), by.TABLE: table,
        **{play: main.table(main.of_play(play)) for play in scope.names},
    }  # fmt: skip
    policies = {name: by.by_table(each, main.ground, files / f"{name.replace(' ', '-')}.py")
                for name, each in tables.items()}  # fmt: skip
    policies[by.RANDOM] = read_policy(by.RANDOM_CODE)
    drafts, gains = {}, {}
    for cell in scope.cells(DRAFT):
        drafts[cell] = drafts_of(in_cell(cell), scope.drafts, storage)
        before = {what: getattr(drafts[cell], what)[: scope.matches] for what in fig.GAIN}
        gains[cell] = {name: by.matches(in_cell(cell), policies[cell.play if name == by.SAME else name], scope.matches,
                                        storage, before) for name in by.DRAFTERS}  # fmt: skip
    cards = open_cards(in_cell(scope.home(DRAFT)), scope.drafts, storage)
    values = dict(chain(
        of_deals(scope, every, fits), of_picks(scope, main, drafts, cards), of_drafts(scope, drafts, gains),
        of_pairs(scope, main, storage), by.of_rivals(scope, every, files, storage),
    ))  # fmt: skip
    claims: dict[Cell, dict[str, Estimate]] = {cell: deal_outcomes(main, fit) for cell, fit in main.fits.items()}
    for cell, each in gains.items():
        points = {name: gained["points"] for name, gained in each.items()}
        claims[cell] = {**gain_outcomes(points), FIRST: drafts[cell].first_less_last}
    return scope, values, claims


def add_figures(result: Played, rows: Rows) -> None:
    """Add every figure, and the claims in all cells."""
    scope, values, claims = result
    pairs = combinations(scope.names, 2)
    about = {Key("correlation-of-plays", f"{one} {other}", PLAYERS): f"{one} and in {other}" for one, other in pairs}
    add_values(rows, fig.QUANTITIES, values, about)
    add_claims(rows, CLAIMS, claims, scope.plays, "VP", players=PLAYERS, n_unit="games")


def of_deals(scope: Scope, every: Mapping[int, Worths], fits: Mapping[str, Mapping[str, Fit]]) -> Found:
    """Worths of counties, armies, neighbours and regions, and what explains points, by `fits` of STEPS, and worths."""
    main, first = every[PLAYERS], scope.towers[0]
    shrunk, by_play = main.shrunk(main.pooled), {play: main.of_play(play) for play in scope.names}
    under_first = {players: each.of_tower(first) for players, each in every.items()}
    for place, name in enumerate(main.ground.names):
        yield Key(fig.WORTH, name, PLAYERS), main.county(main.pooled, name)
        yield Key("army", name, PLAYERS), main.county(main.pooled, name, True)
        yield Key(fig.PICK, name, PLAYERS), Number(shrunk.values[place])
        yield Key("by-the-print", name, PLAYERS), Number(shrunk.predicted[place])
        for play, fit in by_play.items():
            yield Key(fig.BY_PLAY, name, PLAYERS, at(play=play)), main.county(fit, name)
        for cell, fit in main.fits.items():
            yield Key(fig.BY_CELL, name, PLAYERS, cell), main.county(fit, name)
    for players, each in every.items():
        for name in each.ground.names:
            yield Key("worth-by-players", name, players, at(tower=first)), each.county(under_first[players], name)
    for step, by_step in fits.items():
        for play in scope.names:
            where = at(play=play, tower=first)
            yield Key("points-explained", step, PLAYERS, where), Number(100 * by_step[play].explained)
    for play, fit in {"": main.pooled, **by_play}.items():
        where = at(play=play)
        for name in NEIGHBOURS:
            yield Key(fig.NEIGHBOUR, name, PLAYERS, where), main.neighbour(fit, name)
        yield Key(fig.NEIGHBOUR, fig.INSTEAD, PLAYERS, where), main.instead(fit)
        for words, facts in FACTS.items():
            yield Key("worths-explained", words, PLAYERS, where), Number(100 * main.shrunk(fit, facts).explained)
        for name, weight in zip(WEIGHTS, main.shrunk(fit).weights, strict=False):
            yield Key("weight", name, PLAYERS, where), Number(weight)
    for number, region in enumerate(main.ground.board.regions):
        yield Key("region", region, PLAYERS), main.region(main.pooled, number, False)
        yield Key("region-army", region, PLAYERS), main.region(main.pooled, number, True)
        for players, each in every.items():
            yield Key("region-by-players", region, players, at(tower=first)), each.region(under_first[players], number)
    yield Key("headline", BORDER, PLAYERS), main.neighbour(main.pooled, BORDER)
    yield Key("headline", fig.INSTEAD, PLAYERS), main.instead(main.pooled)


def of_picks(scope: Scope, main: Worths, drafts: Mapping[Cell, Drafts], cards: np.ndarray) -> Found:
    """How often counties are picked, by `cards` that lay open, and how that goes together with their worths."""
    board, all_drafts = main.ground.board, list(drafts.values())
    for quantity, shares in ((fig.TAKEN, drafted(all_drafts)), (fig.WHEN_OPEN, when_open(all_drafts, cards))):
        for name in main.ground.names:
            yield Key(quantity, name, PLAYERS, at(setup=DRAFT)), Number(shares[board.counties.index(name)])
    worths_in = {play: main.of_play(play).values[: main.count] for play in scope.names}
    for one, other in combinations(scope.names, 2):
        together = np.corrcoef(worths_in[one], worths_in[other])[0, 1]
        yield Key("correlation-of-plays", f"{one} {other}", PLAYERS), Number(float(together))
    for play in scope.names:
        own = [each for cell, each in drafts.items() if cell.play == play]
        for what, shares in (("drafted", drafted(own)), ("taken", when_open(own, cards))):
            value = float(np.corrcoef(worths_in[play], shares[main.ground.counties])[0, 1])
            yield Key(f"correlation-{what}", "", PLAYERS, at(play=play, setup=DRAFT)), Number(value)


def of_drafts(scope: Scope, drafts: Mapping[Cell, Drafts], gains: Gains) -> Found:
    """What drafters gain, the mean over the towers, which draft from the same cards; and what each place brings."""
    prices, home = read_prices(), scope.home(DRAFT)
    for play in scope.names:
        own, cell = [each for where, each in drafts.items() if where.play == play], at(play=play, setup=DRAFT)
        for name in by.DRAFTERS:
            for what, quantity in fig.GAIN.items():
                each = [gained[name][what] for where, gained in gains.items() if where.play == play]
                yield Key(quantity, name, PLAYERS, cell), (gain := block_mean(np.mean(each, axis=0)))
                if (name, what) == (by.TABLE, "points"):
                    yield Key("headline", fig.GAIN_OF_TABLE, PLAYERS, cell), gain
        by_place = {what: np.mean([each.by_place(what) for each in own], axis=0) for what in fig.PLACE}
        for what, quantity in fig.PLACE.items():
            for ordinal, values in zip(fig.ORDINALS, by_place[what].T, strict=True):
                yield Key(quantity, ordinal, PLAYERS, cell), block_mean(values)
        by_seat = np.mean([apart(each.points) for each in own], axis=0)
        for quantity, values in (("places-equal", by_place["points"]), ("seats-equal", by_seat)):
            if (test := hotelling(values[:, 1:])) is not None:
                yield Key(quantity, "", PLAYERS, cell), Number(test.p_value)
        first = Cell(play, scope.towers[0], DRAFT)
        lead = drafts[first].first_less_last
        thalers = in_thalers(lead, price_of(prices, PLAYERS, first))
        yield Key("first-less-last", fig.THALERS, PLAYERS, first), thalers
        if first == home:
            yield Key("headline", fig.APART, PLAYERS, home), lead
            yield Key("headline", fig.THALERS, PLAYERS, home), thalers
    for cell, gained in gains.items():
        for name in by.DRAFTERS:
            yield Key("gain-by-cell", name, PLAYERS, cell), block_mean(gained[name]["points"])


def deal_outcomes(result: Worths, fit: Fit) -> dict[str, Estimate]:
    """The outcomes of CLAIMS about counties and neighbours, of those counties that are in play."""
    there = result.ground.names
    return {
        **{outcome: result.county(fit, name) for name, outcome in _MORE.items() if name in there},
        **{outcome: result.county(fit, name) * -1 for name, outcome in _LESS.items() if name in there},
        _TO_BORDER: result.neighbour(fit, NEIGHBOURS[1]) * -1,
        _OF_REGION: result.neighbour(fit, NEIGHBOURS[2]),
    }


def gain_outcomes(gains: Mapping[str, np.ndarray]) -> dict[str, Estimate]:
    """The outcomes of CLAIMS about drafters by their points by game, by name."""
    less = {outcome: block_mean(gains[by.TABLE] - gains[name]) for name, outcome in _AGAINST.items()}
    return {_OF_TABLE: block_mean(gains[by.TABLE]), **less}


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
) -> dict[str, Estimate]:
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
    if games < LEAST_GAMES:
        raise InputError(f"blocks: {blocks} are {games} games; at least {LEAST_GAMES} are needed")
    wanted = {claim.outcome for claim in CLAIMS} if names is None else set(names)
    dealt, cell = experiment.changed(setup=DEAL, lineups=()), Cell("any", experiment.tower, DEAL)
    ground, outcomes = Ground(dealt), {}
    with TemporaryDirectory() as folder:
        storage = Storage(Path(folder), Cache(None), workers)
        if wanted & _OF_DEALS:
            points = {cell: played_points(dealt, games, storage)}
            result = estimated(ground, deals_of(dealt, games, storage), points)
            outcomes = deal_outcomes(result, result.fits[cell])
        if experiment.setup == DRAFT and wanted - _OF_DEALS:
            drafts = drafts_of(experiment, games, storage)
            outcomes[FIRST] = drafts.first_less_last
            table = fig.read_picks()
            if wanted - _OF_DEALS - {FIRST} and set(table.counties) == set(ground.names):
                drafters = {
                    by.RANDOM: read_policy(by.RANDOM_CODE),
                    by.YIELDS: by.by_table(by.yields_of(ground), ground, storage.folder / "printed-yields.py"),
                    by.TABLE: by.by_table(table, ground, storage.folder / "the-table.py"),
                }
                before = {"points": drafts.points, "wins": drafts.wins}
                gains = {name: by.matches(experiment, drafter, games, storage, before)["points"]
                         for name, drafter in drafters.items()}  # fmt: skip
                outcomes |= gain_outcomes(gains)
    return {name: each for name, each in outcomes.items() if name in wanted}
