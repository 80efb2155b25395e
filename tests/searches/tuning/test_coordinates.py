"""What is searched: weights that change games, for all rounds or by phase, from their present values."""

from dataclasses import replace

import numpy as np
import pytest

from tests.refusals import refused
from tests.searches.tuning.stand_ins import START, weights
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import ROUND_NAMES, ROUNDS
from wallsim.searches.tuning.coordinates import (
    BY_REQUEST,
    GROUPS,
    NEVER_TUNED,
    STEADY,
    InPhase,
    coordinates_of,
    every_group,
    phase_weights_named,
    phases_named,
    starting_values,
    tuned_weights,
    with_values,
)

TWO = weights("hold", "army")
PHASED = Policy("phased", "balanced", START.weights, {"year two": {"hold": 0.2}, "fall 2": {"hold": 0.1, "army": 0.9}})


def names_of(*given):
    return [coordinate.name for coordinate in coordinates_of(*given)]


def by_round(policy, name):
    return [policy.weights_in(place)[name] for place in range(ROUNDS)]


def test_phases_are_named_one_by_one_or_as_rounds_or_years():
    assert phases_named([]) == ()
    assert phases_named(["rounds"]) == ROUND_NAMES
    assert phases_named(["last fall", "years"]) == ("year one", "year two", "fall 2")
    assert phases_named(["Year_Two", "year two"]) == ("year two",)


def test_phases_and_phase_weights_that_will_not_do_are_refused():
    with refused("phases: 'year too' ", "rounds, years", "did you mean year two"):
        phases_named(["year too"])
    with refused("phases: 'falls' ", "no effect", "shorter phases"):
        phases_named(["rounds", "falls"])
    with refused("phase_weights: 'deny' ", "hold, army"):
        phase_weights_named(TWO, ["falls"], ["deny"])
    with refused("phase_weights: ", "without phases"):
        phase_weights_named(TWO, [], ["hold"])


def test_by_default_weights_that_matter_at_one_moment_have_one_value():
    assert set(STEADY) < {weight.name for weight in WEIGHTS}
    assert phase_weights_named(weights("income", "hold"), ["falls"], None) == ("hold",)
    assert phase_weights_named(weights("income", "hold"), ["falls"], ["all"]) == ("hold", "income")
    assert phase_weights_named(weights("income", "hold"), ["falls"], ["income"]) == ("income",)
    assert phase_weights_named(TWO, [], None) == ()


def test_without_phases_the_coordinates_are_the_weights_and_a_table_of_counties_stays():
    assert coordinates_of(START, TWO, (), ()) == TWO
    assert starting_values(START, TWO) == {"hold": START.weights["hold"], "army": START.weights["army"]}
    started = replace(START, counties={4: {"Altmark": 0.5}})
    expected = replace(started, name="x", weights={**START.weights, "hold": 0.5})
    assert with_values("x", started, TWO, {"hold": 0.5}) == expected


@pytest.mark.parametrize(
    ("start", "phases", "phased", "expected"),
    [
        (START, ROUND_NAMES, ["hold"], [*(f"hold in {name}" for name in ROUND_NAMES), "army"]),
        (START, ("year two", "fall 2"), ["hold"], ["hold", "hold in year two", "hold in fall 2", "army"]),
        (PHASED, (), [], ["hold", "hold in year two", "hold in fall 2", "army", "army in fall 2"]),
        (PHASED, ("falls",), ["hold"], ["hold", "hold in falls", "army", "army in fall 2"]),
    ],
)
def test_weights_have_a_coordinate_for_each_phase_asked_for_or_had_and_one_for_the_rounds_in_none(
    start, phases, phased, expected
):
    assert names_of(start, TWO, phases, phased) == expected


def test_a_weight_in_a_phase_has_its_bounds():
    phased = coordinates_of(START, TWO, ("year one", "year two"), ("hold", "army"))
    assert all(isinstance(each, InPhase) for each in phased)
    assert [(each.low, each.high) for each in phased] == [(weight.low, weight.high) for weight in TWO for _ in range(2)]


@pytest.mark.parametrize("start", [START, PHASED, load_policy("tuned-4p")])
@pytest.mark.parametrize("phases", [(), ("year two", "fall 2"), ROUND_NAMES])
def test_at_the_starting_values_all_policies_without_coarser_phases_play_as_the_start(start, phases):
    coordinates = coordinates_of(start, TWO, phases, ("hold", "army") if phases else ())
    same = with_values("same", start, coordinates, starting_values(start, coordinates))
    assert [same.weights_in(place) for place in range(ROUNDS)] == [start.weights_in(place) for place in range(ROUNDS)]


def test_a_coarser_phase_begins_at_the_mean_of_its_rounds():
    coordinates = coordinates_of(PHASED, TWO, ("year two",), ("hold",))
    values = {each.name: starting_values(PHASED, coordinates)[each.name] for each in coordinates}
    assert list(values) == ["hold", "hold in year two", "army", "army in fall 2"]
    assert list(values.values()) == pytest.approx([START.weights["hold"], 0.5 / 3, START.weights["army"], 0.9])


def test_values_go_to_their_rounds_and_nowhere_else():
    coordinates = coordinates_of(PHASED, TWO, ("falls",), ("hold",))
    policy = with_values("x", PHASED, coordinates, {"hold": 0.5, "hold in falls": 0.25, "army in fall 2": 0.75})
    assert by_round(policy, "hold") == [0.5, 0.5, 0.25, 0.5, 0.5, 0.25]
    assert by_round(policy, "army") == [START.weights["army"]] * 5 + [0.75]
    assert policy.weights == {**START.weights, "hold": 0.5}


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


def tuned_names(experiment, wanted=(), held=()):
    return [weight.name for weight in tuned_weights(WITH_COUNTIES, [experiment.ruleset()], wanted, held)]


@pytest.mark.one_in(8)
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
    assert tuned_names(EXPERIMENTS[kind], every_group([EXPERIMENTS[kind].ruleset()])) == changing


def test_with_several_settings_a_weight_is_tuned_that_matters_in_any():
    both = [BASE.ruleset(), EXPERIMENTS["draft"].ruleset()]
    assert [weight.name for weight in tuned_weights(START, both, [], [])] == tuned_names(EXPERIMENTS["draft"])
    assert "draft_border" in tuned_names(EXPERIMENTS["draft"])


def test_the_detailed_weights_of_the_draft_and_of_plans_are_tuned_by_request():
    draft = EXPERIMENTS["draft"]
    assert not set(tuned_names(draft)) & set(BY_REQUEST)
    assert set(tuned_names(draft, ["all", "draft", "plan"])) == {*tuned_names(draft), *BY_REQUEST}
    assert tuned_names(draft, ["draft"], ["garrison"]) == [name for name in GROUPS["draft"] if name != "garrison"]
    assert tuned_names(draft, ["plan"]) == tuned_names(BASE, ["plan"]) == list(GROUPS["plan"])
    assert tuned_names(draft, ["draft_tax"]) == ["draft_tax"]


def test_the_share_of_a_table_of_counties_needs_one():
    rulesets = [EXPERIMENTS["draft"].ruleset()]
    assert "draft_counties" not in [weight.name for weight in tuned_weights(START, rulesets, ["draft"], [])]
    with refused("'draft_counties'", "table of counties"):
        tuned_weights(START, rulesets, ["draft_counties"], [])


def test_some_can_be_held_and_some_be_named():
    assert tuned_names(BASE, ["hold", "attack", "deny"], ["deny"]) == ["hold", "attack"]
    assert tuned_names(BASE, ["all"]) == tuned_names(BASE)
    assert tuned_names(BASE, [], ["hold"]) == tuned_names(BASE)[1:]


@pytest.mark.parametrize(
    ("wanted", "held", "said"),
    [
        (["hold", "luck"], [], ["weights: 'luck' ", "hold, majority"]),
        (["favor"], [], ["weights: 'favor' ", "expansion court", "allowed are hold, "]),
        (["draft_tax"], [], ["weights: 'draft_tax' ", "in a draft", "allowed are hold, "]),
        (["hold"], ["hold"], ["hold: hold ", "no weight"]),
    ],
)
def test_names_that_will_not_do_are_refused(wanted, held, said):
    with refused(*said):
        tuned_names(BASE, wanted, held)


def test_a_policy_without_weights_is_refused():
    with refused("random: ", "kind random", "no weights"):
        tuned_weights(load_policy("random"), [BASE.ruleset()], [], [])
