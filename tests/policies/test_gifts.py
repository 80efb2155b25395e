"""Gifts never hurt: a seat that begins with more Thalers or grain scores and wins no less, up to chance."""

import re

import pytest

from tests.policies.gifts import GIFTS, Gift, worths
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy, policy_names

SEED = 60_601
ERRORS = 3  # a loss of fewer standard errors may be chance
QUICK = [name for name in policy_names() if load_policy(name).search is None]


def losses(name, games, **experiment):
    """The gifts that cost a policy points or wins, with what they cost and its standard error."""
    result = worths(load_policy(name), GIFTS, games, SEED, Experiment(**experiment))
    return [
        f"{gift}: {estimate.value:.2f} {what}, standard error {estimate.error:.2f}"
        for gift, worth in result.items()
        for what, estimate in zip(worth._fields, worth, strict=True)
        if estimate.value < -ERRORS * estimate.error
    ]


def test_a_great_gift_is_worth_a_great_deal():
    """Twenty Thalers are more than a seat begins with: if they were not handed over, this would show it."""
    given = worths(load_policy("balanced"), (Gift(thalers=20),), 200, SEED, Experiment())[Gift(thalers=20)]
    assert given.vp.value > 10 * given.vp.error
    assert given.wins.value > 10 * given.wins.error


@pytest.mark.slow
def test_gifts_do_not_hurt_balanced():
    assert losses("balanced", 400) == []


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_gifts_hurt_no_policy_that_ships(name):
    result = re.search(r"-([345])p", name)  # the number of players that it was made for
    players = int(result[1]) if result else 4
    assert losses(name, 1_200, players=players) == []
    assert losses(name, 600, players=players, setup="draft") == []
