"""Weights by phase: which rounds a phase has, what a file gives in it, and what stays of a base (B2, B7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.policies.policy_files import assert_errors, read
from wallsim.policies import catalogue
from wallsim.policies.catalogue import Policy, load_policy, pack_players
from wallsim.policies.phased_weights import PHASES, in_order, lay_over, phase_of, weights_in_round
from wallsim.policies.weights import ATTACK, DEFAULTS, HOLD
from wallsim.rules.files import data_folder
from wallsim.rules.terms import ROUNDS

BALANCED = load_policy("balanced")
ANSWER = "def bid(game, rules, mind, seat):\n    return 0\n"


def by_round(policy, name):
    """A weight's values in the six rounds."""
    return [policy.weights_in(place)[name] for place in range(ROUNDS)]


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """The function that adds a file to the shipped policies."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    for name in ("balanced", "random"):
        (folder / f"{name}.toml").write_bytes((data_folder("policies") / f"{name}.toml").read_bytes())
    monkeypatch.setattr(catalogue, "data_folder", lambda _: folder)
    return lambda name, text: (folder / f"{name}.toml").write_text(text, "utf-8")


def test_no_round_lies_in_two_phases_of_equal_length_except_the_last_by_two_names():
    for place in range(ROUNDS):
        lengths = [len(rounds) for name, rounds in PHASES.items() if place in rounds and name != "last fall"]
        assert len(set(lengths)) == len(lengths) == 3


# ------------------------------------------------------------------------------------------------------ the phases


@pytest.mark.parametrize(
    ("key", "phase"),
    [("year_two", "year two"), (" Year  Two ", "year two"), ("last_fall", "fall 2"), ("SPRINGS", "springs"),
     ("year", None)],
)  # fmt: skip
def test_a_key_is_read_without_regard_to_case_and_with_a_blank_or_an_underscore(key, phase):
    assert phase_of(key) == phase


def test_the_shortest_phase_that_has_a_round_counts():
    phases = {"fall 2": {"hold": 0.1}, "year two": {"hold": 0.2}, "falls": {"hold": 0.3}}
    values = [weights_in_round({"hold": 0.9}, phases, place)["hold"] for place in range(ROUNDS)]
    assert values == [0.9, 0.9, 0.3, 0.2, 0.2, 0.1]


# --------------------------------------------------------------------------------------------------------- files


def test_a_file_gives_weights_by_phase(tmp_path):
    policy = read(
        tmp_path,
        'kind = "balanced"\n[weights]\nhold = 0.5\n[weights."year two"]\nattack = 1\nhold = 0.4\n'
        "[weights.last_fall]\nattack = 0.25\n",
    )
    assert policy.weights == {**DEFAULTS, "hold": 0.5}
    assert policy.phases == {"year two": {"hold": 0.4, "attack": 1.0}, "fall 2": {"attack": 0.25}}
    assert by_round(policy, "hold") == [0.5, 0.5, 0.5, 0.4, 0.4, 0.4]
    assert by_round(policy, "attack") == [DEFAULTS["attack"]] * 3 + [1.0, 1.0, 0.25]
    assert policy.varying_weights() == {
        "hold": (0.5, 0.5, 0.5, 0.4, 0.4, 0.4),
        "attack": (*[DEFAULTS["attack"]] * 3, 1.0, 1.0, 0.25),
    }


def test_kernels_are_given_the_weights_of_each_round_and_an_identity_has_phases_only_if_there_are_any(tmp_path):
    policy = read(tmp_path, 'base = "balanced"\n[weights.springs]\nhold = 0.25\n[weights."fall 1"]\nattack = 2\n')
    mind = pack_players([BALANCED, policy])[0].seat[1]
    assert mind.phase_weight[:, HOLD].tolist() == by_round(policy, "hold")
    assert mind.phase_weight[:, ATTACK].tolist() == by_round(policy, "attack")
    assert mind.weight[HOLD] == 0.25, "the set-up belongs to the first spring"
    assert policy.identity()["phases"] == {"springs": {"hold": 0.25}, "fall 1": {"attack": 2.0}}
    plain = read(tmp_path, 'base = "balanced"\n[weights."year two"]\n')
    assert (plain.phases, set(plain.identity())) == ({}, {"name", "kind", "weights"})


# ------------------------------------------------------------------------------------------------- with a base

BASE = """
kind = "balanced"
[weights]
hold = 0.5
[weights."year two"]
hold = 0.4
army = 0.3
[weights.falls]
hold = 0.1
"""


@pytest.mark.parametrize(
    ("text", "hold"),
    [
        ("[weights]\nattack = 0.25", [0.5, 0.5, 0.1, 0.4, 0.4, 0.1]),
        ("[weights]\nhold = 0.7", [0.7] * 6),
        ('[weights."year two"]\nhold = 0.9', [0.5, 0.5, 0.1, 0.9, 0.9, 0.9]),
        ("[weights]\nhold = 0.7\n[weights.falls]\nhold = 0.9", [0.7, 0.7, 0.9, 0.7, 0.7, 0.9]),
    ],
)
def test_what_a_file_says_of_a_weight_replaces_what_its_base_says_in_the_same_rounds(tmp_path, shipped, text, hold):
    """An entry of the weights themselves is of all rounds; other weights keep their phases."""
    shipped("seasoned", BASE)
    policy = read(tmp_path, f'base = "seasoned"\n{text}')
    assert by_round(policy, "hold") == hold
    assert by_round(policy, "army") == [DEFAULTS["army"]] * 3 + [0.3] * 3
    assert policy.phases["year two"]["army"] == 0.3


def test_a_search_and_a_python_file_keep_the_phases_of_their_base_and_random_has_none(tmp_path, shipped):
    shipped("seasoned", BASE)
    phases = load_policy("seasoned").phases
    assert read(tmp_path, 'base = "seasoned"\nkind = "rollout"').phases == phases
    assert read(tmp_path, f'BASE = "seasoned"\n{ANSWER}', "mine.py").phases == phases
    weights = 'WEIGHTS = {"hold": 0.2, "fall 2": {"army": 1}}'
    code = read(tmp_path, f'BASE = "seasoned"\n{weights}\n{ANSWER}', "other.py")
    assert by_round(code, "hold") == [0.2] * 6
    assert read(tmp_path, 'base = "seasoned"\nkind = "random"') == Policy("mine", "random")
    assert by_round(code, "army") == [DEFAULTS["army"]] * 3 + [0.3, 0.3, 1.0]


def test_what_is_wrong_with_a_phase_of_a_python_file_is_named(tmp_path):
    text = f'WEIGHTS = {{"fall 2": {{"army": 99}}}}\n{ANSWER}'
    assert_errors(tmp_path, text, ('weights."fall 2".army', "99", "-1.0 to 3.0"), name="mine.py")


names = st.sampled_from(["hold", "army"])
tables = st.dictionaries(names, st.sampled_from([0.1, 0.2, 0.3]))
all_phases = st.dictionaries(st.sampled_from([name for name in PHASES if name != "last fall"]), tables, max_size=4)


@given(all_phases, tables, all_phases)
def test_a_file_over_its_base_says_in_each_round_what_either_says_there(base, said, said_phases):
    plain = {"hold": 0.5, "army": 0.6}
    values, phases = lay_over(plain, base, said, said_phases)
    assert phases == in_order(phases)
    for place in range(ROUNDS):
        expected = weights_in_round(plain, base, place) | said
        expected = weights_in_round(expected, said_phases, place)
        assert weights_in_round(values, phases, place) == expected
