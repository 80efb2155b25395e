"""What is searched: a weight for all rounds or by phase, from its present values, with nothing else changed."""

import pytest

from tests.runs.tuning.stand_ins import START, weights
from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.phased_weights import PHASES
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import ROUND_NAMES, ROUNDS
from wallsim.runs.tuning.coordinates import (
    STEADY,
    InPhase,
    coordinates_of,
    phase_weights_named,
    phases_named,
    starting_values,
    with_values,
)

TWO = weights("hold", "army")
PHASED = Policy("phased", "balanced", START.weights, {"year two": {"hold": 0.2}, "fall 2": {"hold": 0.1, "army": 0.9}})


def names(*given):
    return [coordinate.name for coordinate in coordinates_of(*given)]


def by_round(policy, name):
    return [policy.weights_in(place)[name] for place in range(ROUNDS)]


def test_phases_are_named_one_by_one_or_as_rounds_or_years():
    assert phases_named([]) == ()
    assert phases_named(["rounds"]) == ROUND_NAMES
    assert phases_named(["last fall", "years"]) == ("year one", "year two", "fall 2")
    assert phases_named(["Year_Two", "year two"]) == ("year two",)


def test_the_table_of_counties_stays():
    counties = {4: {"Altmark": 0.5}}
    start = Policy("started", "balanced", START.weights, counties=counties)
    assert with_values("x", start, TWO, {"hold": 0.5}).counties == counties


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["year too"], "phases: 'year too' is not one of rounds, years, year one, .*; did you mean year two"),
        (["rounds", "falls"], "phases: 'falls' has no effect, since shorter phases have all its rounds"),
        ([""], "phases: '' is not one of rounds"),
    ],
)
def test_phases_that_will_not_do_are_refused(words, message):
    with pytest.raises(InputError, match=message):
        phases_named(words)


def test_by_default_weights_that_matter_at_one_moment_have_one_value():
    assert set(STEADY) < {weight.name for weight in WEIGHTS}
    assert phase_weights_named(weights("income", "hold"), ["falls"], None) == ("hold",)
    assert phase_weights_named(weights("income", "hold"), ["falls"], ["all"]) == ("hold", "income")
    assert phase_weights_named(weights("income", "hold"), ["falls"], ["income"]) == ("income",)
    assert phase_weights_named(TWO, [], None) == ()


@pytest.mark.parametrize(
    ("phases", "words", "message"),
    [
        (["falls"], ["luck"], "phase_weights: 'luck' is not a weight that is tuned here: hold, army"),
        (["falls"], ["deny"], "phase_weights: 'deny' is not a weight that is tuned here: hold, army"),
        ([], ["hold"], "phase_weights: has no effect without phases"),
    ],
)
def test_phase_weights_that_will_not_do_are_refused(phases, words, message):
    with pytest.raises(InputError, match=message):
        phase_weights_named(TWO, phases, words)


def test_without_phases_the_coordinates_are_the_weights():
    assert coordinates_of(START, TWO, (), ()) == TWO
    assert starting_values(START, TWO) == {"hold": START.weights["hold"], "army": START.weights["army"]}
    assert with_values("x", START, TWO, {"hold": 0.5}) == Policy("x", "balanced", {**START.weights, "hold": 0.5})


def test_a_phased_weight_has_a_coordinate_for_each_phase_and_one_for_the_rounds_in_none():
    assert names(START, TWO, ROUND_NAMES, ("hold",)) == [*(f"hold in {name}" for name in ROUND_NAMES), "army"]
    assert names(START, TWO, ("year two", "fall 2"), ("hold",)) == [
        "hold", "hold in year two", "hold in fall 2", "army",
    ]  # fmt: skip
    phased = coordinates_of(START, TWO, ("year one", "year two"), ("hold", "army"))
    assert all(isinstance(each, InPhase) for each in phased)
    assert [(each.low, each.high) for each in phased] == [(weight.low, weight.high) for weight in TWO for _ in range(2)]


def test_the_phases_that_a_policy_has_are_tuned_and_not_flattened():
    assert names(PHASED, TWO, (), ()) == ["hold", "hold in year two", "hold in fall 2", "army", "army in fall 2"]
    assert names(PHASED, TWO, ("falls",), ("hold",)) == ["hold", "hold in falls", "army", "army in fall 2"]


@pytest.mark.parametrize("start", [START, PHASED, load_policy("tuned-4p")])
@pytest.mark.parametrize("phases", [(), ("year two", "fall 2"), ROUND_NAMES])
def test_at_the_starting_values_all_policies_without_coarser_phases_play_as_the_start(start, phases):
    coordinates = coordinates_of(start, TWO, phases, ("hold", "army") if phases else ())
    same = with_values("same", start, coordinates, starting_values(start, coordinates))
    assert [same.weights_in(place) for place in range(ROUNDS)] == [start.weights_in(place) for place in range(ROUNDS)]


def test_a_coarser_phase_begins_at_the_mean_of_its_rounds():
    coordinates = coordinates_of(PHASED, TWO, ("year two",), ("hold",))
    values = starting_values(PHASED, coordinates)
    assert values["hold in year two"] == pytest.approx((0.2 + 0.2 + 0.1) / 3)
    assert values["hold"] == START.weights["hold"]
    assert values["army in fall 2"] == 0.9


def test_values_go_to_their_rounds_and_nowhere_else():
    coordinates = coordinates_of(PHASED, TWO, ("falls",), ("hold",))
    policy = with_values("x", PHASED, coordinates, {"hold": 0.5, "hold in falls": 0.25, "army in fall 2": 0.75})
    assert by_round(policy, "hold") == [0.5, 0.5, 0.25, 0.5, 0.5, 0.25]
    assert by_round(policy, "army") == [START.weights["army"]] * 5 + [0.75]
    assert {name: value for name, value in policy.weights.items() if name != "hold"} == {
        name: value for name, value in START.weights.items() if name != "hold"
    }
    assert set(policy.phases) <= set(PHASES)
