"""The whole study `draft`: dealt games, drafts by the default, and drafts by one seat that picks otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.policies.policy import Policy
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.least_squares import Fit
from wallsim.studies.study import Storage

from .cells import DEAL, DRAFT, OTHERS, PLAYERS, Scope, in_cell, prices_for
from .deals import NEIGHBOURS
from .drafters import ALONE, RANDOM, SAME, TABLE, WITH_OWN, YIELDS, by_table, code, matches, random_drafter, yields_of
from .order import Drafts, drafts_of, open_cards
from .pairs import CHOSEN, SEEDS, Pairs, pairs_of
from .rivals import FITTED, JUDGED, Rivals, blocks_of_rivals, in_table, plays_of_rivals, rivals_of, sizes_of_rivals
from .worth import OWN, PickTable, Worths, of_all_players, steps

_ALL = "all plays"


class Draft(NamedTuple):
    """The results: worths by number of players, and what each of STEPS explains by play under the first tower.

    `drafts` are the games drafted by the default, by cell; `gains` what a drafter brings one seat, by cell, drafter and
    `points` or `wins`, float64 [games]; `table` is the table that the drafters go by,
    `cards` are the counties that lie open at the first turn of every draft, int8 [games, 2], and `pairs` are pairs of
    counties that were chosen by these games and judged by others. `rivals` are table drafters among each other.
    """

    scope: Scope
    worths: dict[int, Worths]
    steps: dict[str, dict[str, Fit]]
    drafts: dict[Cell, Drafts]
    gains: dict[Cell, dict[str, dict[str, np.ndarray]]]
    table: PickTable
    cards: np.ndarray
    pairs: Pairs
    rivals: Rivals

    @property
    def main(self) -> Worths:
        """The worths with four players."""
        return self.worths[PLAYERS]

    def gain(self, play: str, drafter: str, what: str = "points") -> Estimate:
        """What a drafter brings in a play, the mean over its towers, which draft from the same cards."""
        return block_mean(
            np.mean([each[drafter][what] for cell, each in self.gains.items() if cell.play == play], axis=0)
        )

    def of_play(self, play: str) -> list[Drafts]:
        """The drafts of a play under every tower."""
        return [each for cell, each in self.drafts.items() if cell.play == play]


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results, the prices of Thalers and the drafters' code too."""
    experiments = {
        "/".join((str(players), *cell)): in_cell(cell, players)
        for players in (PLAYERS, *OTHERS)
        for setup in (DEAL, DRAFT)
        for cell in scope.cells(setup)
        if players == PLAYERS or (setup == DEAL and cell.tower == scope.towers[0])
    }
    prices = {price.id: [price.value, price.error, price.n] for price in prices_for(scope).values()}
    return {
        "cells": experiments,
        "prices": prices,
        "deals": scope.deals,
        "drafts": scope.drafts,
        "matches": scope.matches,
        "drafters": code(),
        "pairs": {"games": scope.pairs, "from each end": CHOSEN, "seed after that of deals": SEEDS},
        "rivals": {
            f"{players}/{play}": {
                "judged by": in_table(scope, play, players, JUDGED),
                "fitted by": in_table(scope, play, players, FITTED),
                "blocks": blocks_of_rivals(scope, players),
            }
            for players in sizes_of_rivals(scope)
            for play in plays_of_rivals(scope)
        },
    }


def play(scope: Scope, storage: Storage) -> Draft:
    """Play and estimate everything; the drafters' files of code lie in the study's folder."""
    cache, workers = storage.cache, storage.workers
    worths = of_all_players(scope, cache, workers)
    main = worths[PLAYERS]
    points = {cell.play: each for cell, each in main.points.items() if cell.tower == scope.towers[0]}
    points[_ALL] = np.mean(list(main.points.values()), axis=0)
    fits = steps(main, points)
    table = main.table(main.pooled)
    drafts: dict[Cell, Drafts] = {}
    gains: dict[Cell, dict[str, dict[str, np.ndarray]]] = {}
    files = storage.folder / "drafters"
    general = _drafters(main, fits[OWN][_ALL], table, files)
    own = {
        play.name: by_table(main.table(main.of_play(play.name)), main.ground, files / f"{_file(play.name)}.py")
        for play in scope.plays
    }
    for cell in scope.cells(DRAFT):
        experiment = in_cell(cell)
        drafts[cell] = drafts_of(experiment, scope.drafts, cache, workers)
        before = {"points": drafts[cell].points[: scope.matches], "wins": drafts[cell].wins[: scope.matches]}
        gains[cell] = {
            name: matches(experiment, drafter, before, cache, workers)
            for name, drafter in {**general, SAME: own[cell.play]}.items()
        }
    for each in fits.values():
        del each[_ALL]  # the points of a mean of games vary less than those of a game
    cards = open_cards(in_cell(scope.home(DRAFT)), scope.drafts, cache, workers)
    pairs = pairs_of(scope, main, cache, workers)
    rivals = rivals_of(scope, worths, files, cache, workers)
    return Draft(scope, worths, fits, drafts, gains, table, cards, pairs, rivals)


def _drafters(main: Worths, own: Fit, table: PickTable, code: Path) -> dict[str, Policy]:
    tables = {
        YIELDS: yields_of(main.ground),
        ALONE: PickTable(table.counties, dict.fromkeys(NEIGHBOURS, 0.0)),
        WITH_OWN: main.table(own),
        TABLE: table,
    }
    files = {name: by_table(each, main.ground, code / f"{_file(name)}.py") for name, each in tables.items()}
    return {RANDOM: random_drafter(), **files}


def _file(name: str) -> str:
    return name.replace(" ", "-")
