"""What another card on a box does: the same games, seats and luck, in which the experiment lays the card.

How the seats that lay a card fare says little about it, since they lay it for a reason. Here the card is laid by an
intervention (`do = "plan"`), once the seat has planned; where the seat laid it itself, the two games are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wallsim.analysis.games.breakdown import Mean
from wallsim.analysis.openings.choices import Opening
from wallsim.analysis.openings.plans import BID, FIRST, PASS
from wallsim.engine.arena import Tables
from wallsim.engine.columns import columns_of
from wallsim.errors import InputError
from wallsim.rules.terms import ACTIONS, ROUNDS
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

_SHARES = np.array([0.0, 1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5])  # by the number of seats that share the win, 0 for none


@dataclass(frozen=True)
class Forced:
    """The mean change of a seat's victory points and wins where a card is laid that it did not lay itself.

    `games` counts the games in which the plan changed, and are the blocks of the means; `same` those with the card
    there anyway, whose results are the same, and `not_laid` those where the card could not be laid. The intervals of
    one quantity hold together with those of the other cards of the box.
    """

    games: int
    same: int
    not_laid: int
    vp: Mean
    wins: Mean


class Gains(NamedTuple):
    """What a forced card changed: victory points and wins of the seat in the games whose plan changed, float64 [games].

    `same` counts the games in which the card lay there anyway, `not_laid` those where it could not be laid.
    """

    vp: np.ndarray
    wins: np.ndarray
    same: int
    not_laid: int

    def effect(self, confidence: Confidence) -> Forced:
        """The mean change, with intervals."""
        vp, wins = (_mean(gains, confidence) for gains in (self.vp, self.wins))
        return Forced(len(self.vp), self.same, self.not_laid, vp, wins)


def forced_effects(experiment: Experiment, opening: Opening, games: int) -> dict[tuple[str, str], Forced]:
    """The effect of each frequent card of an opening, by (box, card), in games 0 to `games` - 1 of an experiment.

    No bid is forced. InputError for games without line-ups: their seats begin with other counties in every game.
    """
    letters = experiment.ruleset().letters()
    if opening.lineup is None:
        raise InputError("forced: needs line-ups; in a draft or deal a seat begins with other counties in every game")
    seat = letters.index(opening.lineup)
    base = experiment.arena().play(0, games, plans=True)
    effects = {}
    for box in opening.boxes:
        confidence = Confidence(n_comparisons=max(1, len(box.frequent)))
        for choice in box.frequent if box.box != BID else ():
            gains = forced_gains(experiment, base, seat, box.box, choice.card)
            effects[box.box, choice.card] = gains.effect(confidence)
    return effects


def forced_step(seat: int, box: str, card: str) -> dict[str, str | int]:
    """The intervention that lays a card, or "pass", on a box of a seat's first plan."""
    return {"do": "plan", "box": box, "card": card, "seat": seat, "round": f"{FIRST} 1"}


def forced_gains(experiment: Experiment, base: Tables, seat: int, box: str, card: str) -> Gains:
    """What a card on a box of a seat's first plan changes in the games of `base`, which begin with game 0."""
    steps = (*experiment.interventions, forced_step(seat, box, card))
    other = experiment.changed(interventions=steps).arena().play(0, len(base.games), plans=True)
    before, after = (_laid(experiment, each, seat) for each in (base, other))
    changed = (before != after).any(axis=1)
    there = _is_card(experiment, before[:, ACTIONS.index(box)], card)
    vp, wins = (
        (_of_seat(experiment, other, seat, name) - _of_seat(experiment, base, seat, name))[changed]
        for name in ("vp", "win")
    )
    return Gains(vp, wins, int(there.sum()), int((~there & ~changed).sum()))


def _laid(experiment: Experiment, tables: Tables, seat: int) -> np.ndarray:
    """The cards of a seat's first plan: int16 [games, boxes], the bid last."""
    names = [column.name for column in columns_of("plans", experiment.expansions)]
    first = names.index(f"{ACTIONS[0]}_card")
    plans = tables.plans.reshape(-1, ROUNDS, experiment.players, len(names))
    return plans[:, 0, seat, first : first + len(ACTIONS) + 1]


def _is_card(experiment: Experiment, laid: np.ndarray, card: str) -> np.ndarray:
    counties = experiment.components().board.counties
    if card == PASS:
        return (laid < 0) | (laid >= len(counties))
    there: np.ndarray = laid == counties.index(card)
    return there


def _of_seat(experiment: Experiment, tables: Tables, seat: int, name: str) -> np.ndarray:
    """The victory points of a seat by game, or its wins."""
    names = [column.name for column in columns_of("seats", experiment.expansions)]
    values = tables.seats.reshape(-1, experiment.players, len(names))[:, seat, names.index(name)]
    numbers: np.ndarray = _SHARES[values] if name == "win" else values.astype(np.float64)
    return numbers


def _mean(gains: np.ndarray, confidence: Confidence) -> Mean:
    if not len(gains):
        return Mean(0.0, None)
    estimate = block_mean(gains)
    return Mean(estimate.value, estimate.interval(confidence))
