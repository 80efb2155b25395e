"""What gifts bring: the scenarios of the study `price`, what is counted, and the estimates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.changes import Change, by_round, change
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import BASE, Lines, identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, scope_for
from wallsim.studies.study import Choices, Storage

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=250, quick=168, quick_others=40)
START, TURN, MEAN = "start", "turn", "all rounds"
MOMENTS = (START, *ROUND_NAMES)
NONE = "nothing"
# What a treated seat gets, by the gift's name: what, and how much.
GIFTS: dict[str, tuple[str, int]] = {
    "−2 Thalers": ("thalers", -2),
    "+1 Thaler": ("thalers", 1),
    **{f"+{dose} Thalers": ("thalers", dose) for dose in (2, 4, 8)},
    **{f"+{dose} grain": ("grain", dose) for dose in (1, 2, 4)},
    **{f"+{dose} VP": ("vp", dose) for dose in (1, 2, 4)},
    "+1 army": ("armies", 1),
}  # fmt: skip
FOUR, EIGHT, BID = "+4 Thalers", "+8 Thalers", 4  # the largest money card in the auction is a 4
GRAIN, POINTS, ARMY = "+4 grain", "+4 VP", "+1 army"
PRICE, WORTH = "VP per Thaler", "wins per VP"
PLAYERS, SIZES = 4, (3, 5)  # players of the tables, and beside
CLAIMS = (
    Claim("Four more Thalers bring points.", "VP of four Thalers", 0),
    Claim("A Thaler brings less than a point.", "one point less the price of a Thaler", 0),
    Claim("Eight Thalers bring less than twice as much as four.", "twice four Thalers less eight", 0),
    Claim("Four more grain bring points.", "VP of four grain", 0),
    Claim("One more army brings points.", "VP of one army", 0),
    Claim("A point brings wins.", WORTH, 0),
)
_NEEDED = {  # the gifts that an outcome needs
    PRICE: (FOUR,),
    "VP of four Thalers": (FOUR,),
    "one point less the price of a Thaler": (FOUR,),
    "twice four Thalers less eight": (FOUR, EIGHT),
    "VP of four grain": (GRAIN,),
    "VP of one army": (ARMY,),
    WORTH: (POINTS,),
}


class Price(NamedTuple):
    """The changes of each table, by gift, outcome and moment, the outcomes of all cells, and all prices.

    Wins are in per cent of games.
    """

    scope: Scope
    changes: dict[Cell, dict[tuple[str, str, str], Change]]
    cells: dict[Cell, dict[str, Estimate]]
    prices: dict[tuple[int, Cell, str], Estimate]


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each scenario at each of the two tables."""
    return scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick, TWO_TABLES)


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    every = {"gifts": scenarios(), "other sizes": scenarios((FOUR,), (TURN,))}
    return identity_of(EXPERIMENT, scope, every, (*SIZES, PLAYERS))


def gift(name: str, moment: str) -> Lines:
    """The intervention that gives the treated seat a gift, at the start or in its turn: the round of its treatment."""
    what, dose = GIFTS[name]
    return ({"do": "hand", what: dose, "seat": TURN, "round": moment},)


def scenarios(names: Iterable[str] = GIFTS, moments: tuple[str, ...] = (START, TURN)) -> dict[str, Lines]:
    """The scenarios by name: no gift, and each gift at each of these moments."""
    return {NONE: BASE} | {f"{name}, {moment}": gift(name, moment) for moment in moments for name in names}


def count(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's victory points and wins, in per cent."""
    return {"vp": games.treated(games.seats("vp")), "win": 100 * games.treated(games.seats("win"))}


def play(scope: Scope, storage: Storage) -> Price:
    """Play all scenarios in all cells, and estimate every change."""
    cells: dict[Cell, dict[str, Estimate]] = {}
    changes: dict[Cell, dict[tuple[str, str, str], Change]] = {}
    prices: dict[tuple[int, Cell, str], Estimate] = {}
    for cell in scope.cells():
        result = _played(cell, scope.blocks(cell), storage, scenarios(), PLAYERS)
        cells[cell] = outcomes(result)
        moments = (MEAN, *MOMENTS) if cell in scope.tables else (MEAN,)
        prices |= {(PLAYERS, cell, moment): price for moment, price in prices_of(result, moments)}
        if cell in scope.tables:
            changes[cell] = changes_of(result)
    for size in SIZES:
        for cell in scope.cells():
            result = _played(cell, scope.others, storage, scenarios((FOUR,), (TURN,)), size)
            moments = (MEAN, *ROUND_NAMES) if cell in scope.tables else (MEAN,)
            prices |= {(size, cell, moment): price for moment, price in prices_of(result, moments)}
    return Price(scope, changes, cells, prices)


def _played(cell: Cell, blocks: int, storage: Storage, wanted: Mapping[str, Lines], players: int) -> dict[str, Counted]:
    played = scenarios_played(
        EXPERIMENT, cell, wanted, blocks, count, players=players, workers=storage.workers, cache=storage.cache
    )
    return dict(played)


def changes_of(played: Mapping[str, Counted]) -> dict[tuple[str, str, str], Change]:
    """The change by gift, outcome and moment: at the start, and in each round."""
    result = {}
    for name in GIFTS:
        for outcome in ("vp", "win"):
            before, after = played[NONE][outcome], played[f"{name}, {TURN}"][outcome]
            result[name, outcome, START] = change(before, played[f"{name}, {START}"][outcome])
            result |= {
                (name, outcome, moment): change(before, after, place) for place, moment in enumerate(ROUND_NAMES)
            }
    return result


def outcomes(played: Mapping[str, Counted], names: Collection[str] | None = None) -> dict[str, Estimate]:
    """The outcomes that are claimed, and the price of a Thaler, or those with some names: means over the rounds."""
    gained = {name: _gained(played, name, "vp") for name in (FOUR, EIGHT, GRAIN, ARMY) if f"{name}, {TURN}" in played}
    every = {
        PRICE: lambda: gained[FOUR] / BID,
        "VP of four Thalers": lambda: gained[FOUR],
        "one point less the price of a Thaler": lambda: 1 - gained[FOUR] / BID,
        "twice four Thalers less eight": lambda: 2 * gained[FOUR] - gained[EIGHT],
        "VP of four grain": lambda: gained[GRAIN],
        "VP of one army": lambda: gained[ARMY],
        WORTH: lambda: _gained(played, POINTS, "win") / 4,
    }
    return {name: block_mean(values()) for name, values in every.items() if names is None or name in names}


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 games a seat; the unit of errors is the game.

    With `names` those alone, and no more is played than they need.
    """
    gifts = {gift for name, needed in _NEEDED.items() if names is None or name in names for gift in needed}
    wanted = scenarios([gift for gift in (FOUR, EIGHT, GRAIN, POINTS, ARMY) if gift in gifts], (TURN,))
    return outcomes(played_by_game(experiment, wanted, blocks, count, workers=workers), names)


def _gained(played: Mapping[str, Counted], name: str, outcome: str) -> np.ndarray:
    return by_round(played[f"{name}, {TURN}"][outcome] - played[NONE][outcome])


def prices_of(played: Mapping[str, Counted], moments: tuple[str, ...]) -> Iterator[tuple[str, Estimate]]:
    """The price of a Thaler in victory points at each of these moments."""
    for moment in moments:
        after = played[f"{FOUR}, {START if moment == START else TURN}"]["vp"]
        rounds = ROUND_NAMES.index(moment) if moment in ROUND_NAMES else None
        yield moment, change(played[NONE]["vp"], after, rounds).estimate * (1 / BID)
