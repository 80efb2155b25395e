"""A seat that may not make a doubtful move does not make it, and is compared with itself in the same games."""

from dataclasses import replace

import pytest

from wallsim.analyses.zoo.doubtful import costs_of_forbidding
from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES, count_doubtful_moves
from wallsim.analysis.behaviour.forbidden_moves import FORBIDDEN, IN_DRAFT, forbidding
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy

NAMES = [move.name for move in DOUBTFUL_MOVES]
CERTAIN = {"two attacks on one county", IN_DRAFT}  # known at the moment of the choice; of the others some cases are not
GAMES = 60


@pytest.mark.own_code
@pytest.mark.parametrize("move", FORBIDDEN)
def test_what_is_forbidden_is_not_done(move):
    experiment = Experiment(policies="scholar-4p", seed=8, games=GAMES, setup="draft" if move == IN_DRAFT else "lineup")
    may = load_policy("scholar-4p")
    may_not = forbidding(may, move, 4)
    before, after = (
        count_doubtful_moves(policy, experiment, GAMES)[NAMES.index(move)].value for policy in (may, may_not)
    )
    assert after <= before
    assert move not in CERTAIN or after == 0 < before
    cost = costs_of_forbidding(may, experiment, [move])[move]
    assert cost.wins.blocks == GAMES
    assert abs(cost.points.value) < 3


@pytest.mark.parametrize("name", ["random", "rollout", "amateur"])
def test_only_policies_whose_plans_have_no_errors_can_be_forbidden_a_move(name):
    with pytest.raises(InputError, match=f"{name}: only a policy of kind 'balanced' without errors"):
        forbidding(load_policy(name), "hunger foreseen", 4)


def test_a_forbidden_move_is_part_of_the_identity():
    policy = load_policy("balanced")
    identities = [repr(forbidding(policy, move, 4).identity()) for move in FORBIDDEN]
    assert len({*identities, repr(policy.identity())}) == 1 + len(FORBIDDEN)
    assert replace(forbidding(policy, "hunger foreseen", 4), name="balanced").weights == policy.weights
