"""Weights are tuned where they change games, and nowhere else."""

import numpy as np
import pytest

from tests.runs.tuning.stand_ins import START
from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.runs.experiment import Experiment
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.relevant_weights import NEVER_TUNED, tuned_weights

BASE = Experiment(players=3)
EXPERIMENTS = {
    "line-up": BASE,
    "draft": Experiment(players=3, setup="draft"),
    "court": Experiment(players=3, expansions=("court",)),
    "landsknechte": Experiment(players=3, expansions=("landsknechte",)),
    "leaders": Experiment(players=3, expansions=("leaders",)),
    "first edition": Experiment(players=3, edition="1e"),
}


def names(experiment, wanted=(), held=()):
    return [weight.name for weight in tuned_weights(START, [experiment.ruleset()], wanted, held)]


@pytest.mark.parametrize("kind", EXPERIMENTS)
def test_a_weight_is_tuned_if_and_only_if_it_changes_games(kind):
    setting = Setting(EXPERIMENTS[kind])

    def played(policy):
        return setting.arena([policy] * 3, 1).play(0, 150).seats

    plain = played(START)
    changing = []
    for weight in (weight for weight in WEIGHTS if weight.name not in NEVER_TUNED):
        ends = [Policy("x", START.kind, {**START.weights, weight.name: value}) for value in (weight.low, weight.high)]
        if any(not np.array_equal(played(policy), plain) for policy in ends):
            changing.append(weight.name)
    assert names(EXPERIMENTS[kind]) == changing


def test_with_several_settings_a_weight_is_tuned_that_matters_in_any():
    both = [BASE.ruleset(), EXPERIMENTS["draft"].ruleset()]
    assert [weight.name for weight in tuned_weights(START, both, [], [])] == names(EXPERIMENTS["draft"])
    assert "draft_border" in names(EXPERIMENTS["draft"])


def test_some_can_be_held_and_some_be_named():
    assert names(BASE, ["hold", "attack", "deny"], ["deny"]) == ["hold", "attack"]
    assert names(BASE, ["all"]) == names(BASE)
    assert names(BASE, [], ["hold"]) == names(BASE)[1:]


@pytest.mark.parametrize(
    ("wanted", "held", "message"),
    [
        (["hold", "luck"], [], "weights: 'luck' is not one of hold, majority"),
        ([], ["luck", "all"], "hold: 'luck' is not one of hold, majority"),
        (["favor"], [], "weights: 'favor' matters only in the expansion court; allowed are hold, "),
        (["hold"], ["hold"], "hold: hold leaves no weight to tune"),
    ],
)
def test_names_that_will_not_do_are_refused(wanted, held, message):
    with pytest.raises(InputError, match=message):
        names(BASE, wanted, held)


def test_a_policy_without_weights_is_refused():
    with pytest.raises(InputError, match="random: a policy of kind random has no weights to tune"):
        tuned_weights(load_policy("random"), [BASE.ruleset()], [], [])
