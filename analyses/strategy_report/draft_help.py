"""The data of the draft help: tables of worths and rules by which the page counts as the study's drafter does.

`templates/draft_rule.js` counts with them. It takes the neighbours that a deal brings on average out of a worth and
counts those that there are, as `analyses/draft/drafters.py` does when it writes a drafter's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wallsim.studies.figure import Figure
from wallsim.studies.grids import estimate
from wallsim.studies.running import Result

from ..draft.cells import DRAFT, PLAYERS
from ..draft.deals import NEIGHBOURS
from ..draft.drafters import TABLE
from ..draft.figures import GAIN, NEIGHBOUR, ground_of, read_picks
from .counties import PLAYS, CountyCard

ALL_PLAYS = "mean of all kinds of play"
_DECIMALS = 4  # as in the pick table that drafters go by


def draft_data(draft: Result, cards: list[CountyCard]) -> dict[str, Any]:
    """What the script of the page reads: the ground, and by kind of play a table of worths and rules.

    Worths and rules are pairs of a value and its half-width. In the mean of all kinds of play the values are those of
    the published pick table, shrunken towards the print; their half-widths are those of the worths as measured.
    """
    ground, picks, tables = ground_of(draft.design), read_picks(draft.figures), {}
    for play, words in PLAYS.items():
        worths = {card.name: (card.worths[play].value, card.worths[play].half) for card in cards}
        tables[words] = _table(draft, worths, play)
    every = {card.name: (picks.counties[card.name], card.mean.half) for card in cards}
    tables[ALL_PLAYS] = _table(draft, every, "")
    return {
        "players": ground.players,
        "groups": ground.groups,
        "counties": {card.name: {"region": card.region, "beside": card.neighbours} for card in cards},
        "tables": tables,
    }


def gains(draft: Result) -> dict[str, str]:
    """What picking by the table brings one seat against three of the default drafters, by kind of play in words."""
    return {
        words: estimate(2, "+")(draft.figures.of(GAIN["points"], TABLE, players=PLAYERS, play=play, setup=DRAFT))
        for play, words in PLAYS.items()
    }


def _table(draft: Result, worths: Mapping[str, tuple[float, float]], play: str) -> dict[str, Any]:
    rules = (_pair(draft.figures.of(NEIGHBOUR, name, players=PLAYERS, play=play)) for name in NEIGHBOURS)
    return {
        "worths": {name: _rounded(*each) for name, each in worths.items()},
        **dict(zip(("own", "border", "region"), rules, strict=True)),
    }


def _pair(figure: Figure) -> list[float]:
    low, high = figure.ends or (0.0, 0.0)
    return _rounded(figure.value, (high - low) / 2)


def _rounded(value: float, half: float) -> list[float]:
    return [round(float(value), _DECIMALS), round(float(half), _DECIMALS)]
