"""Gifts never hurt: a seat that begins with more Thalers or grain scores and wins no less, up to chance.

The same numbers and seed are played with and without the gift, so cards, line-ups, events and the tower's luck are
those of the same game until somebody decides otherwise; the difference is what the gift is worth to that policy.
"""

import re
from typing import NamedTuple

import numpy as np
import pytest

from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.stats.blocks import block_mean

SEED = 60_601
ERRORS = 3  # a loss of fewer standard errors may be chance
QUICK = [name for name in policy_names() if load_policy(name).search is None]


class Gift(NamedTuple):
    """What one seat has more of when the first round begins."""

    thalers: int = 0
    grain: int = 0


GIFTS = (Gift(thalers=1), Gift(thalers=2), Gift(thalers=4), Gift(grain=1), Gift(grain=3))


def ends(policy, receiver, gift, games, experiment):
    """Victory points and wins in per cent, each [games, seats], where one seat begins with a gift."""
    step = {"do": "hand", "seat": receiver, "round": "start", **gift._asdict()}
    given = Experiment(players=experiment.players, setup=experiment.setup, interventions=[step])
    seats = experiment.players
    rows = Setting(given).arena([policy] * seats, SEED).play(0, games).seats.reshape(games, seats, -1)
    names = [column.name for column in columns_of("seats")]
    shared = rows[:, :, names.index("win")]
    wins = np.where(shared > 0, 100 / np.maximum(shared, 1), 0.0)
    return {"points": rows[:, :, names.index("vp")].astype(float), "wins": wins}


def worth_of(gift, name, games, **experiment):
    """What a gift is worth to a policy among copies of itself, a mean over seats, in points and in per cent of wins.

    A block is a game number, with and without the gift.
    """
    policy, played = load_policy(name), Experiment(**experiment)
    before = ends(policy, 0, Gift(), games, played)
    gained = {what: np.zeros(games) for what in before}
    for receiver in range(played.players):
        after = ends(policy, receiver, gift, games, played)
        for what, total in gained.items():
            total += (after[what][:, receiver] - before[what][:, receiver]) / played.players
    return {what: block_mean(total) for what, total in gained.items()}


def test_a_great_gift_is_worth_a_great_deal():
    """Twenty Thalers are more than a seat begins with: if they were not handed over, this would show it."""
    for worth in worth_of(Gift(thalers=20), "balanced", 200).values():
        assert worth.value > 10 * worth.error


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("gift", GIFTS)
@pytest.mark.parametrize("name", QUICK)
def test_gifts_hurt_no_policy_that_ships(name, gift, setup):
    made_for = re.search(r"-([345])p", name)
    games = {"lineup": 1_200, "draft": 600}[setup]
    worths = worth_of(gift, name, games, setup=setup, players=int(made_for[1]) if made_for else 4)
    assert {what: worth for what, worth in worths.items() if worth.value < -ERRORS * worth.error} == {}
