"""What event cards change: the scenarios of the study `events`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.hotelling import JointTest
from wallsim.studies.changes import Change, by_round, change
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import Lines, identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, scope_for
from wallsim.studies.study import Choices, Storage

from . import grain, holdings, open_cards
from .cards import CARDS, EXPERIMENT, LOSSES, WINTERS
from .grain import Grain
from .holdings import Holdings
from .lottery import WINTERS as LOTTERY_WINTERS
from .lottery import agreement, lottery_of, share_of_variance
from .open_cards import OpenCards

BLOCKS = Blocks(others=220, quick=180, quick_others=24)
LOTTERY = 4  # games without interventions, by games of a scenario
ALL_EIGHT, BOTH_WINTERS = "all eight cards", "the cards of both winters"
SHARES = {ALL_EIGHT: range(len(SEASON_NAMES)), BOTH_WINTERS: LOTTERY_WINTERS}
MEAN, YEARS = "all rounds", {"year 1": (0, 1, 2), "year 2": (3, 4, 5)}

# What is measured in the round of the card, of the whole table, and at the end of the game.
IN_ROUND = ("taxes", "grain", "attacks on players", "attacks on neutrals", "revolts", "armies deployed")
LEADER, LAST = "VP of year one's leader", "VP of year one's last"  # in rounds of the second year
AT_END = ("VP of a seat", "spread of VP", "margin of VP", LEADER, LAST)
OUTCOMES = (*IN_ROUND, *AT_END)
IN_WINTER = ("shortages", "counties lost to revolts")
_MOST, _LEAST = max(LOSSES, key=LOSSES.__getitem__), min(LOSSES, key=LOSSES.__getitem__)
# The sign that a player would guess before any game, by effect of the card.
GUESSES: dict[str, dict[str, int]] = {
    "trading_post_calms": {"revolts": -1},
    "palace_guard": {"attacks on players": -1},
    "tax_max": {"taxes": -1, "revolts": -1},
    "tax_min": {"taxes": 1},
    "grain_min": {"grain": 1},
    "grain_max": {"grain": -1},
    "neutral_guard": {"attacks on neutrals": -1, "attacks on players": 1},
    "church_peace": {"attacks on players": -1, "attacks on neutrals": 1},
    "small_levies": {"armies deployed": -1},
}
# What each effect is guessed to do first, in words; judged in all cells for all cards of the effect.
_CLAIMED = {
    "neutral_guard": "Two peasants for one lower attacks on neutrals.",
    "church_peace": "Peace of churches lowers attacks on players.",
    "palace_guard": "Guards of palaces lower attacks on players.",
}
SHORTER, POORER = f"shortages of {_MOST} less those of {_LEAST}", f"VP of {_LEAST} less those of {_MOST}"
# The guess that the rule itself states is no finding: a test plays the cards of these effects, and the greatest loss.
RESTATED = ("tax_max", "tax_min", "grain_min", "grain_max", "small_levies", SHORTER)
CLAIMS = (
    *(Claim(words, effect, 0) for effect, words in _CLAIMED.items()),
    Claim("The greatest winter loss costs points against the least.", POORER, 0),
)
CLAIMED = tuple(claim.outcome for claim in CLAIMS)


class Events(NamedTuple):
    """The changes at each table, and the outcomes that are claimed in all cells.

    `forced` are changes by table, card, outcome and moment (a round, a year or `MEAN`), the card in force against
    the card cancelled; `open` the card lying open and cancelled against another card cancelled; `winter` by card,
    outcome and winter, the card as the winter's loss against the mean of the twelve. `shares` are of the variance
    of a seat's points, in all cells, by the seasons whose cards bring it; `agreement` is the test of forced cards
    against the game's own lottery in the baseline cell, None where there are too few blocks. `grain` and
    `holdings` are by number of players and table, `open_cards`, what habits bring while a card lies open, by table of
    four.
    """

    scope: Scope
    forced: dict[Cell, dict[tuple[str, str, str], Change]]
    open: dict[Cell, dict[tuple[str, str, str], Change]]
    winter: dict[Cell, dict[tuple[str, str, str], Change]]
    cells: dict[Cell, dict[str, Estimate]]
    shares: dict[str, dict[Cell, Estimate]]
    agreement: JointTest | None
    grain: dict[tuple[int, Cell], Grain]
    holdings: dict[tuple[int, Cell], Holdings]
    open_cards: dict[Cell, OpenCards]


def effect_of(card: str) -> str:
    """The effect of a card: its name without the number in which cards of one effect, or its amounts, differ."""
    return next(effect for effect in GUESSES if card.startswith(effect))


def guess(card: str, outcome: str) -> int:
    """The sign that a player would guess: 1, -1, or 0 for none."""
    return GUESSES[effect_of(card)].get(outcome, 0)


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each scenario at each table."""
    return scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick, TWO_TABLES)


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    every = {"tables": scenarios(), "other cells": scenarios(few=True)}
    lottery = [[blocks.start, blocks.stop] for blocks in map(partial(lottery_blocks, scope), scope.cells())]
    more = {"grain": grain.identity(scope), "holdings": holdings.identity(scope), "open": open_cards.identity(scope)}
    return {"games": identity_of(EXPERIMENT, scope, every, (4,)), "lottery": lottery, **more}


def lottery_blocks(scope: Scope, cell: Cell) -> range:
    """The blocks of games without interventions in a cell, which follow those of the scenarios."""
    blocks = scope.blocks(cell)
    return range(blocks, (1 + LOTTERY) * blocks)


def scenarios(*, few: bool = False) -> dict[str, Lines]:
    """The scenarios by name; with `few` those that the claims need, without cards kept away and most winters."""
    cancelled = {"do": "event", "to": "cancelled", "round": "turn"}
    result: dict[str, Lines] = {}
    for card in CARDS:
        forced = {"do": "event", "to": card, "round": "turn"}
        result |= {f"{card} forced": (forced,), f"{card} cancelled": (forced, cancelled)}
        if not few:
            absent = {"do": "event", "to": "absent", "card": card, "round": "turn"}
            result[f"{card} absent"] = (absent, cancelled)
        if not few or card in (_MOST, _LEAST):
            result |= {f"{card} {winter}": ({"do": "event", "to": card, "round": winter},) for winter in WINTERS}
    return result


def count(games: Games) -> Mapping[str, np.ndarray]:
    """Sums over the table in the treated round and in both winters, and points at the end."""
    points, first = games.seats("vp"), games.seats("vp_year1")
    on_players = games.in_round("attacks_on_players").sum(axis=1)
    leads, lags = (first == end(first, axis=1, keepdims=True) for end in (np.max, np.min))
    counted = {
        "taxes": games.in_round("taxes").sum(axis=1),
        "grain": games.in_round("grain").sum(axis=1),
        "attacks on players": on_players,
        "attacks on neutrals": games.in_round("attacks").sum(axis=1) - on_players,
        "revolts": games.in_round("revolts").sum(axis=1),
        "armies deployed": games.in_round("armies_deployed").sum(axis=1),
        "VP of a seat": points.mean(axis=1),
        "spread of VP": points.std(axis=1),
        "margin of VP": games.game("vp_margin"),
        LEADER: (points * leads).sum(axis=1) / leads.sum(axis=1),
        LAST: (points * lags).sum(axis=1) / lags.sum(axis=1),
    }
    for winter, place in WINTERS.items():
        here = np.full(len(points), place)
        counted[f"shortages, {winter}"] = games.in_seasons("shortages", here).sum(axis=1)
        counted[f"counties lost to revolts, {winter}"] = games.in_seasons("winter_revolts_lost", here).sum(axis=1)
    return counted


def play(scope: Scope, storage: Storage) -> Events:
    """Play all scenarios in all cells, and estimate what the cards change."""
    cells: dict[Cell, dict[str, Estimate]] = {}
    shares: dict[str, dict[Cell, Estimate]] = {name: {} for name in SHARES}
    agreed: JointTest | None = None
    forced: dict[Cell, dict[tuple[str, str, str], Change]] = {}
    lying: dict[Cell, dict[tuple[str, str, str], Change]] = {}
    winter: dict[Cell, dict[tuple[str, str, str], Change]] = {}
    for cell in scope.cells():
        few = scenarios(few=cell not in scope.tables)
        played = dict(
            scenarios_played(
                EXPERIMENT,
                cell,
                few,
                scope.blocks(cell),
                count,
                seasons=True,
                workers=storage.workers,
                cache=storage.cache,
            )
        )
        cells[cell] = outcomes(played)
        lottery = lottery_of(EXPERIMENT, cell, lottery_blocks(scope, cell), storage)
        for name, seasons in SHARES.items():
            shares[name][cell] = share_of_variance(lottery, seasons) * 100
        if cell == scope.baseline_cell():
            agreed = agreement(lottery, played, "VP of a seat")
        if cell in scope.tables:
            forced[cell] = changes_of(played, "cancelled", "forced")
            lying[cell] = changes_of(played, "absent", "cancelled")
            winter[cell] = winters_of(played)
    more = grain.play(scope, storage), holdings.play(scope, storage), open_cards.play(scope, storage)
    return Events(scope, forced, lying, winter, cells, shares, agreed, *more)


def changes_of(played: Mapping[str, Counted], before: str, after: str) -> dict[tuple[str, str, str], Change]:
    """The change by card, outcome and moment; who led year one is reported for the rounds of year two alone."""
    result = {}
    for card in CARDS:
        one, other = played[f"{card} {before}"], played[f"{card} {after}"]
        for outcome in OUTCOMES:
            late = outcome in (LEADER, LAST)
            result[card, outcome, MEAN] = change(one[outcome], other[outcome], YEARS["year 2"] if late else None)
            for year, rounds in YEARS.items():
                result[card, outcome, year] = change(one[outcome], other[outcome], rounds)
            for place, moment in enumerate(ROUND_NAMES):
                result[card, outcome, moment] = change(one[outcome], other[outcome], place)
    return result


def winters_of(played: Mapping[str, Counted]) -> dict[tuple[str, str, str], Change]:
    """Each card as the loss of each winter against the mean of the twelve, by card, outcome and winter."""
    result = {}
    for winter in WINTERS:
        names = {name: f"{name}, {winter}" for name in IN_WINTER} | {name: name for name in AT_END[:3]}
        for outcome, column in names.items():
            mean = np.mean([played[f"{card} {winter}"][column] for card in CARDS], axis=0)
            for card in CARDS:
                result[card, outcome, winter] = change(mean, played[f"{card} {winter}"][column])
    return result


def outcomes(played: Mapping[str, Counted], names: Collection[str] = CLAIMED) -> dict[str, Estimate]:
    """The outcomes with some names, by default those claimed: of an effect its first guess, in that direction."""
    result = {}
    for effect in (each for each in GUESSES if each in names):
        outcome, sign = next(iter(GUESSES[effect].items()))
        cards = [card for card in CARDS if effect_of(card) == effect]
        gains = [by_round(played[f"{card} forced"][outcome] - played[f"{card} cancelled"][outcome]) for card in cards]
        result[effect] = block_mean(sign * np.mean(gains, axis=0))
    if {SHORTER, POORER} & set(names):
        last = list(WINTERS)[-1]
        most, least = played[f"{_MOST} {last}"], played[f"{_LEAST} {last}"]
        result[SHORTER] = block_mean(by_round(most[f"shortages, {last}"] - least[f"shortages, {last}"]))
        result[POORER] = block_mean(by_round(least["VP of a seat"] - most["VP of a seat"]))
    return {name: each for name, each in result.items() if name in names}


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] = CLAIMED
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 games a seat; the unit of errors is the game.

    With other `names`, such as those of RESTATED, there are these alone, and no more is played than they need.
    """
    last = list(WINTERS)[-1]
    needed = {f"{card} {arm}" for card in CARDS if effect_of(card) in names for arm in ("forced", "cancelled")}
    if {SHORTER, POORER} & set(names):
        needed |= {f"{_MOST} {last}", f"{_LEAST} {last}"}
    wanted = {name: lines for name, lines in scenarios(few=True).items() if name in needed}
    return outcomes(played_by_game(experiment, wanted, blocks, count, seasons=True, workers=workers), names)
