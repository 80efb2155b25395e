"""Chances to win from fall 1 on, by kind of table, with bands where facts are unknown."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wallsim.api.chances import FIRST_KNOWN
from wallsim.api.game_review.unknown_facts import is_known, plausible_states, why_unknowable
from wallsim.api.outlook import TABLES, outlooks
from wallsim.policies.value.features import MOMENTS
from wallsim.trace.game_text.model import GameText

SAMPLES = 200
COVERED = 0.95  # of the samples lie in a band
_MOMENTS = MOMENTS[MOMENTS.index(FIRST_KNOWN) :]


class Chance(NamedTuple):
    """A seat's chance to win, 0 to 1: the mean of the samples and the band of most of them, or one known number."""

    wins: float
    low: float
    high: float


class SeasonChances(NamedTuple):
    """The chances of the seats after a season, by kind of table; `known` if no fact had to be drawn."""

    time: str
    known: bool
    chances: dict[str, list[Chance]]


def why_without_chances(game: GameText) -> str:
    """Why there are no chances for a game, or "" if there are."""
    if game.edition != "2e":
        return f"no value was learned for the edition {game.edition}"
    if game.expansions:
        return f"no value was learned for games with {', '.join(game.expansions)}"
    if game.changed:
        return f"no value was learned for games that differ in {', '.join(game.changed)}"
    if game.unequal:
        return "the players differ in strength, and chances are known only among equals"
    if not any(each in game.sections for each in _MOMENTS):
        return f"the text has no table after {', '.join(_MOMENTS[:-1])} or {_MOMENTS[-1]}"
    return ""


def why_without_season(game: GameText, time: str) -> str:
    """Why there are no chances after a season that the text has, or "" if there are."""
    return why_unknowable(game, game.sections[time])


def chances_of(game: GameText, samples: int = SAMPLES, seed: int = 1) -> list[SeasonChances]:
    """The chances after each season from fall 1 on whose table is noted; none if no value holds for such games."""
    if why_without_chances(game):
        return []
    found = []
    for time in (each for each in _MOMENTS if each in game.sections and not why_without_season(game, each)):
        section = game.sections[time]
        states = plausible_states(game, section, samples, seed)
        by_table = {}
        for table in TABLES:
            wins = np.array([[each.wins for each in seats] for seats in outlooks(states, table)])
            low, high = np.quantile(wins, [(1 - COVERED) / 2, (1 + COVERED) / 2], axis=0)
            by_table[table] = [
                Chance(*map(float, each)) for each in zip(wins.mean(axis=0), low, high, strict=True)
            ]  # fmt: skip
        found.append(SeasonChances(time, is_known(game, section), by_table))
    return found
