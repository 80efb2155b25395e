"""Policies by name: the shipped files, what is wrong with a bad one, and the record that kernels read."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallsim.policies.catalogue import KINDS, Policy, PolicyError, load_policy, pack_players, policy_names, read_policy
from wallsim.policies.record import BALANCED, PLAYERS, RANDOM
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.files import data_folder

NAMES = [weight.name for weight in WEIGHTS]
GOOD = {weight.name: (weight.low + weight.high) / 2 for weight in WEIGHTS}


def text_of(kind='kind = "balanced"', weights=GOOD, head=""):
    """A policy file."""
    lines = [kind, 'description = "For tests."', head, "[weights]"]
    return "\n".join([*lines, *(f"{name} = {value}" for name, value in weights.items())])


@pytest.fixture
def fault_of(tmp_path):
    """The function that writes a file and tells what `read_policy` has against it."""

    def read(text):
        path = tmp_path / "mine.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(PolicyError) as caught:
            read_policy(path)
        message = str(caught.value)
        assert all(line.startswith(str(path)) for line in message.splitlines()), "every line names the file"
        return message.replace(str(path), "FILE")

    return read


def read(tmp_path, text):
    """The policy of a file with this text."""
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return read_policy(path)


# -------------------------------------------------------------------------------------------------- the shipped


def test_two_policies_are_known():
    assert {"random", "balanced"} <= set(policy_names())
    assert list(policy_names()) == sorted(policy_names())


@pytest.mark.parametrize("name", policy_names())
def test_every_shipped_file_is_sound_and_within_its_bounds(name):
    policy = load_policy(name)
    assert policy.name == name
    assert policy.kind in KINDS
    if policy.kind == "random":
        assert policy.weights == {}
    else:
        assert list(policy.weights) == NAMES
        for weight in WEIGHTS:
            assert weight.low <= policy.weights[weight.name] <= weight.high


@pytest.mark.parametrize("name", policy_names())
def test_every_shipped_file_says_what_it_is(name):
    assert re.search(r'(?m)^description = ".+"$', (data_folder("policies") / f"{name}.toml").read_text("utf-8"))


def test_weights_have_a_name_of_their_own_a_unit_bounds_and_a_meaning():
    assert len(set(NAMES)) == len(NAMES)
    for weight in WEIGHTS:
        assert re.fullmatch(r"[a-z_]+", weight.name)
        assert weight.unit
        assert weight.meaning
        assert -math.inf < weight.low < weight.high < math.inf


@pytest.mark.parametrize("name", ["", "Random", "balanced.toml", "../balanced", "wallenstein"])
def test_an_unknown_policy_is_named_with_those_that_are_known(name):
    with pytest.raises(PolicyError) as caught:
        load_policy(name)
    assert repr(name) in str(caught.value)
    assert "balanced" in str(caught.value)
    assert "random" in str(caught.value)


def test_a_loaded_policy_may_be_changed_without_changing_the_next():
    load_policy("balanced").weights["hold"] = 0.0
    assert load_policy("balanced").weights["hold"] > 0


# ------------------------------------------------------------------------------------------------ bad files


def test_a_sound_file_is_read(tmp_path):
    assert read(tmp_path, text_of()) == Policy("mine", "balanced", GOOD)
    assert read(tmp_path, 'kind = "random"') == Policy("mine", "random", {})


def test_integers_are_numbers(tmp_path):
    weights = read(tmp_path, text_of(weights={**GOOD, "hold": 1})).weights
    assert weights["hold"] == 1.0
    assert isinstance(weights["hold"], float)


@pytest.mark.parametrize(
    "text", ["kind =", "kind = \"balanced\"\n[weights", b"kind = \"\xff\"", "kind = 1\nkind = 2"]
)  # fmt: skip
def test_broken_toml_is_named(fault_of, text):
    assert fault_of(text).startswith("FILE: not a readable TOML file: ")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PolicyError, match=r"nobody\.toml"):
        read_policy(tmp_path / "nobody.toml")


@pytest.mark.parametrize("kind", ["gambler", 3, "", True])
def test_an_unknown_kind_is_named_with_its_value_and_those_allowed(fault_of, kind):
    line = f'kind = "{kind}"' if isinstance(kind, str) else f"kind = {kind}".lower()
    fault = fault_of(text_of(line))
    assert f"FILE: kind: {kind!r} is not one of random, balanced" in fault


def test_a_missing_kind_is_named(fault_of):
    assert "FILE: kind: None is not one of random, balanced" in fault_of(text_of(kind=""))


def test_an_unknown_field_is_named_with_those_allowed(fault_of):
    fault = fault_of(text_of(head="colour = 3"))
    assert fault == "FILE: colour: unknown field; allowed are kind, description, weights"


def test_an_unknown_weight_is_named(fault_of):
    fault = fault_of(text_of(weights={**GOOD, "bravery": 0.5}))
    assert fault.startswith("FILE: weights.bravery: 0.5 is given to an unknown weight; allowed are hold, majority")


def test_random_takes_no_weights(fault_of):
    fault = fault_of(text_of('kind = "random"', {"hold": 0.5}))
    assert fault == "FILE: weights.hold: 0.5 is given to an unknown weight; allowed are none"


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_weight_is_named_with_its_bounds(fault_of, name):
    weight = WEIGHTS[NAMES.index(name)]
    fault = fault_of(text_of(weights={other: value for other, value in GOOD.items() if other != name}))
    assert fault == f"FILE: weights.{name}: None is not a number from {weight.low} to {weight.high}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("beyond", [-0.001, 0.001])
def test_a_weight_out_of_bounds_is_named_with_value_and_bounds(fault_of, name, beyond):
    weight = WEIGHTS[NAMES.index(name)]
    value = weight.low + beyond if beyond < 0 else weight.high + beyond
    fault = fault_of(text_of(weights={**GOOD, name: value}))
    assert fault == f"FILE: weights.{name}: {value!r} is not a number from {weight.low} to {weight.high}"


@pytest.mark.parametrize(
    ("written", "value"),
    [('"0.5"', "'0.5'"), ("true", "True"), ("[0.5]", "[0.5]"), ("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"),
     ("1979-05-27", "datetime.date(1979, 5, 27)"), ("{ a = 1 }", "{'a': 1}")],
)  # fmt: skip
def test_a_weight_of_the_wrong_kind_is_named(fault_of, written, value):
    fault = fault_of(text_of(weights={**GOOD, "hold": written}))
    assert fault == f"FILE: weights.hold: {value} is not a number from 0.0 to 1.0"


def test_every_fault_is_named_at_once(fault_of):
    weights = {**GOOD, "hold": 7, "bravery": 1}
    del weights["place"]
    fault = fault_of(text_of('kind = "balanced"\ncolour = 3', weights))
    assert [line.split(":")[1].strip() for line in fault.splitlines()] == [
        "colour", "weights.bravery", "weights.hold", "weights.place",
    ]  # fmt: skip


@pytest.mark.parametrize("weights", ["3", "[]", '"hold"'])
def test_weights_that_are_no_table_are_named(fault_of, weights):
    assert "FILE: weights" in fault_of(f'kind = "balanced"\nweights = {weights}')


@pytest.mark.parametrize("kind", ['["balanced"]', "{ a = 1 }"])
def test_a_kind_that_is_no_text_is_named(fault_of, kind):
    assert "FILE: kind" in fault_of(text_of(f"kind = {kind}"))


# ----------------------------------------------------------------------------------------------- the record

policies = st.one_of(
    st.just(Policy("random", "random")),
    st.builds(
        lambda values: Policy("any", "balanced", dict(zip(NAMES, values, strict=True))),
        st.tuples(*(st.floats(weight.low, weight.high) for weight in WEIGHTS)),
    ),
)


@given(st.lists(policies, min_size=1, max_size=5))
def test_packed_policies_keep_kind_and_weights_by_seat(seated):
    packed = pack_players(seated)
    assert packed.dtype == PLAYERS
    assert packed.shape == (1,)
    for seat, policy in enumerate(seated):
        mind = packed[0].seat[seat]
        assert mind.kind == {"random": RANDOM, "balanced": BALANCED}[policy.kind]
        weights = dict(zip(NAMES, mind.weight.tolist(), strict=True))
        assert weights == (policy.weights or dict.fromkeys(NAMES, 0.0))


def test_the_packed_record_is_read_only_and_holds_no_notes():
    packed = pack_players([load_policy("balanced")] * 5)
    assert not packed.flags.writeable
    for name in packed.dtype["seat"].base.names:
        if name not in ("kind", "weight"):
            assert not packed["seat"][name].any(), name
