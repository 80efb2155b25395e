"""Weights are tuned where they change games, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from tests.runs.tuning.stand_ins import START
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.runs.experiment import Experiment
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.coordinates import BY_REQUEST, GROUPS, NEVER_TUNED, every_group, tuned_weights

BASE = Experiment(players=3)
EXPERIMENTS = {
    "line-up": BASE,
    "draft": Experiment(players=3, setup="draft"),
    "court": Experiment(players=3, expansions=("court",)),
    "landsknechte": Experiment(players=3, expansions=("landsknechte",)),
    "leaders": Experiment(players=3, expansions=("leaders",)),
    "first edition": Experiment(players=3, edition="1e"),
}


WITH_COUNTIES = replace(START, counties={3: {"Altmark": 1.0, "Böhmen": -1.0, "Baden": 2.0}})


def names(experiment, wanted=(), held=()):
    return [weight.name for weight in tuned_weights(WITH_COUNTIES, [experiment.ruleset()], wanted, held)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", EXPERIMENTS)
def test_a_weight_is_tuned_if_and_only_if_it_changes_games(kind):
    setting = Setting(EXPERIMENTS[kind])

    def played(policy):
        return setting.arena([policy] * 3, 1).play(0, 150).seats

    plain = played(WITH_COUNTIES)
    changing = []
    for weight in (weight for weight in WEIGHTS if weight.name not in NEVER_TUNED):
        ends = [
            replace(WITH_COUNTIES, weights={**START.weights, weight.name: value}) for value in (weight.low, weight.high)
        ]
        if any(not np.array_equal(played(policy), plain) for policy in ends):
            changing.append(weight.name)
    assert names(EXPERIMENTS[kind], every_group([EXPERIMENTS[kind].ruleset()])) == changing


def test_with_several_settings_a_weight_is_tuned_that_matters_in_any():
    both = [BASE.ruleset(), EXPERIMENTS["draft"].ruleset()]
    assert [weight.name for weight in tuned_weights(START, both, [], [])] == names(EXPERIMENTS["draft"])
    assert "draft_border" in names(EXPERIMENTS["draft"])


def test_the_detailed_weights_of_the_draft_and_of_plans_are_tuned_by_request():
    draft = EXPERIMENTS["draft"]
    assert not set(names(draft)) & set(BY_REQUEST)
    assert set(names(draft, ["all", "draft", "plan"])) == {*names(draft), *BY_REQUEST}
    assert names(draft, ["draft"], ["garrison"]) == [name for name in GROUPS["draft"] if name != "garrison"]
    assert names(draft, ["plan"]) == names(BASE, ["plan"]) == list(GROUPS["plan"])
    assert names(draft, ["draft_tax"]) == ["draft_tax"]


def test_the_share_of_a_table_of_counties_needs_one():
    rulesets = [EXPERIMENTS["draft"].ruleset()]
    assert "draft_counties" not in [weight.name for weight in tuned_weights(START, rulesets, ["draft"], [])]
    with pytest.raises(InputError, match="'draft_counties' matters only in policies with a table of counties"):
        tuned_weights(START, rulesets, ["draft_counties"], [])


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
        (["draft"], [], "weights: 'draft' matters only in a draft"),
        (["draft_tax"], [], "weights: 'draft_tax' matters only in a draft; allowed are hold, "),
        (["hold"], ["hold"], "hold: hold leaves no weight to tune"),
    ],
)
def test_names_that_will_not_do_are_refused(wanted, held, message):
    with pytest.raises(InputError, match=message):
        names(BASE, wanted, held)


def test_a_policy_without_weights_is_refused():
    with pytest.raises(InputError, match="random: a policy of kind random has no weights to tune"):
        tuned_weights(load_policy("random"), [BASE.ruleset()], [], [])
