"""Games that begin with a gift: one seat gets Thalers or grain in the set-up, and all else stays as it was.

The same numbers and seed are played with and without the gift, so cards, line-ups, events and the tower's luck are
those of the same game until somebody decides otherwise; the difference is what the gift is worth to that policy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.stats.blocks import Estimate, block_mean


class Gift(NamedTuple):
    """What one seat has more of when the first round begins."""

    thalers: int = 0
    grain: int = 0


GIFTS = (Gift(thalers=1), Gift(thalers=2), Gift(thalers=4), Gift(grain=1), Gift(grain=3))


class Worth(NamedTuple):
    """What a gift is worth to the seat that gets it, a mean over seats: in victory points, and in per cent of wins."""

    vp: Estimate
    wins: Estimate


def ends(
    policy: Policy, receiver: int, gift: Gift, games: int, seed: int, experiment: Experiment
) -> tuple[np.ndarray, np.ndarray]:
    """Victory points and wins in per cent, each [games, seats], where one seat begins with a gift."""
    step = {"do": "hand", "seat": receiver, "round": "start", **gift._asdict()}
    given = Experiment(players=experiment.players, setup=experiment.setup, interventions=[step])
    seats = experiment.players
    rows = Setting(given).arena([policy] * seats, seed).play(0, games).seats.reshape(games, seats, -1)
    names = [column.name for column in columns_of("seats")]
    shared = rows[:, :, names.index("win")]
    wins = np.where(shared > 0, 100 / np.maximum(shared, 1), 0.0)
    return rows[:, :, names.index("vp")].astype(float), wins


def worths(policy: Policy, gifts: tuple[Gift, ...], games: int, seed: int, experiment: Experiment) -> dict[Gift, Worth]:
    """What each gift is worth to a policy among copies of itself, with each seat in turn receiving it.

    A block is a game number, with and without the gift.
    """
    seats = experiment.players
    before = ends(policy, 0, Gift(), games, seed, experiment)
    result = {}
    for gift in gifts:
        gained = [np.zeros(games), np.zeros(games)]
        for receiver in range(seats):
            after = ends(policy, receiver, gift, games, seed, experiment)
            for total, now, then in zip(gained, after, before, strict=True):
                total += (now[:, receiver] - then[:, receiver]) / seats
        result[gift] = Worth(*map(block_mean, gained))
    return result
