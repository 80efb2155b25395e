"""Policies by name or path: the shipped files, what a file takes from its base, and the record that kernels read."""

import math
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.commands import refusal
from tests.policies.policy_files import read
from tests.refusals import assert_names, refused
from wallsim.policies import catalogue
from wallsim.policies.catalogue import (
    ALIASES,
    KINDS,
    Policy,
    PolicyError,
    is_policy_file,
    listed_names,
    load_policy,
    pack_players,
    policy_names,
)
from wallsim.policies.record import BALANCED, PLAYERS, RANDOM
from wallsim.policies.search import Search
from wallsim.policies.weights import DEFAULTS, WEIGHTS
from wallsim.rules.files import data_folder

NAMES = [weight.name for weight in WEIGHTS]
GOOD = {weight.name: (weight.low + weight.high) / 2 for weight in WEIGHTS}


def text_of(kind='kind = "balanced"', weights=GOOD):
    """A policy file."""
    return "\n".join([kind, 'description = "For tests."', "[weights]", *(f"{n} = {v}" for n, v in weights.items())])


# -------------------------------------------------------------------------------------------------- the shipped


@pytest.mark.parametrize("name", policy_names())
def test_every_shipped_file_says_what_it_is_and_has_all_weights_of_its_kind(name):
    policy = load_policy(name)
    assert policy.name == name
    assert policy.kind in KINDS
    assert list(policy.weights) == ([] if policy.kind == "random" else NAMES)
    assert re.search(r'(?m)^description = ".+"$', (data_folder("policies") / f"{name}.toml").read_text("utf-8"))


def test_weights_have_a_name_of_their_own_a_unit_bounds_and_a_meaning():
    assert len(set(NAMES)) == len(NAMES)
    for weight in WEIGHTS:
        assert re.fullmatch(r"[a-z_]+", weight.name)
        assert weight.unit
        assert weight.meaning
        assert -math.inf < weight.low < weight.high < math.inf


@pytest.mark.parametrize("name", ["", "Random", "toml", "."])
def test_an_unknown_policy_is_named_with_those_that_are_known(name):
    assert not is_policy_file(name)
    with refused("policies", repr(name), ", ".join(listed_names()), ".toml", ".py", by=PolicyError):
        load_policy(name)


@pytest.mark.parametrize("name", ["nobody.toml", "nobody.py", "../balanced"])
def test_what_looks_like_a_path_is_one(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_policy_file(name)
    with refused(Path(name), by=PolicyError) as caught:
        load_policy(name)
    assert "balanced, " not in str(caught.value), "no names of policies are proposed"


def test_a_file_is_called_by_its_stem_wherever_it_lies(tmp_path):
    path = tmp_path / "deep" / "my policy.v2.toml"
    path.parent.mkdir()
    path.write_text('base = "balanced"', "utf-8")
    assert load_policy(str(path)).name == "my policy.v2"


def test_a_shipped_policy_is_read_again_after_its_file_changed(tmp_path, monkeypatch):
    for room in ("policies", "values", "corrections"):
        shutil.copytree(data_folder(room), tmp_path / room)
    monkeypatch.setattr(catalogue, "data_folder", lambda room: tmp_path / room)
    before = load_policy("builder")
    path = tmp_path / "policies" / "builder.toml"
    path.write_text(path.read_text("utf-8") + "# a comment\n", "utf-8")
    assert load_policy("builder").source == before.source + b"# a comment\n"


# --------------------------------------------------------------------------------------------------- a file


def test_a_sound_file_is_read_and_integers_are_numbers(tmp_path):
    assert read(tmp_path, text_of()) == Policy("mine", "balanced", GOOD)
    assert read(tmp_path, 'kind = "random"') == Policy("mine", "random", {})
    assert repr(read(tmp_path, text_of(weights={**GOOD, "hold": 1})).weights["hold"]) == "1.0"


def test_weights_that_are_left_out_have_their_defaults(tmp_path):
    assert read(tmp_path, text_of(weights={})).weights == DEFAULTS
    assert read(tmp_path, text_of(weights={"place": 0.125})).weights == {**DEFAULTS, "place": 0.125}


def test_the_defaults_are_the_weights_of_balanced_and_stay_when_a_loaded_policy_is_changed():
    load_policy("balanced").weights["hold"] = 0.0
    assert load_policy("balanced").weights == DEFAULTS
    assert all(weight.low <= weight.default <= weight.high for weight in WEIGHTS)


def test_with_a_base_what_is_not_said_is_as_there(tmp_path):
    base = load_policy("balanced")
    policy = read(tmp_path, 'base = "balanced"\n[weights]\nattack = 0.25')
    assert policy == Policy("mine", "balanced", {**base.weights, "attack": 0.25})
    assert policy.description == ""


def test_a_base_may_play_as_another_kind(tmp_path):
    balanced, rollout = load_policy("balanced"), load_policy("rollout")
    searching = read(tmp_path, 'base = "balanced"\nkind = "rollout"')
    assert (searching.kind, searching.search, searching.weights) == ("rollout", Search(), balanced.weights)
    plain = read(tmp_path, 'base = "rollout"\nkind = "balanced"')
    assert (plain.kind, plain.search, plain.weights) == ("balanced", None, rollout.weights)
    assert read(tmp_path, 'base = "balanced"\nkind = "random"') == Policy("mine", "random", {})


def test_of_a_searching_base_what_the_search_does_not_say_is_as_there(tmp_path, monkeypatch):
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    values = {**Search().fields(), "width": 7, "depth": "year", "margin": 0.25, "candidates": ("other",)}
    table = "\n".join(f"{name} = {list(value) if name == 'candidates' else value!r}" for name, value in values.items())
    (shipped / "other.toml").write_text(text_of("kind = 'balanced'"), "utf-8")
    (shipped / "seer.toml").write_text(f"{text_of('kind = ' + repr('rollout'))}\n[search]\n{table}\n", "utf-8")
    monkeypatch.setattr(catalogue, "data_folder", lambda _: shipped)
    assert load_policy("seer").search == Search(**values)
    assert load_policy("seer").advisers == (load_policy("other"),)
    policy = read(tmp_path, 'base = "seer"\n[search]\nplayouts = 9')
    assert policy.search == Search(**{**values, "playouts": 9})
    assert policy.advisers == (load_policy("other"),)


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
    assert (packed.dtype, packed.shape) == (PLAYERS, (1,))
    for seat, policy in enumerate(seated):
        mind = packed[0].seat[seat]
        assert mind.kind == {"random": RANDOM, "balanced": BALANCED}[policy.kind]
        weights = dict(zip(NAMES, mind.weight.tolist(), strict=True))
        assert weights == (policy.weights or dict.fromkeys(NAMES, 0.0))
        assert (mind.phase_weight == mind.weight).all(), "without phases they are those of every round"


def test_the_packed_record_is_read_only_and_holds_no_notes_but_a_search_in_its_seat():
    packed = pack_players([load_policy("balanced"), load_policy("rollout")])
    assert not packed.flags.writeable
    assert packed[0].seat[1].kind == BALANCED
    for name in packed.dtype["seat"].base.names:
        if name not in ("kind", "weight", "phase_weight"):
            assert not packed[0].seat[0][name].any(), name
    assert packed[0].seat[1].search.tolist() == load_policy("rollout").search.numbers()
    assert not packed["seat"]["custom"].any(), "an arena gives it the address of its search"


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_its_policy_under_another_name(alias, name):
    policy, named = load_policy(name), load_policy(alias)
    assert named == replace(policy, name=alias)
    assert alias in listed_names()
    assert alias not in policy_names()  # so that a field of all policies has each once


def test_the_former_name_of_casual_bots_keeps_its_meaning_in_files_and_is_refused_in_commands(tmp_path):
    assert "casual" not in listed_names()
    assert load_policy("casual").weights == load_policy("casual-2026-11").weights != load_policy("casual-4p").weights
    for words in (
        ("run", "--policies", "casual"), ("run", "--policies", "random,casual,random,random"),
        ("tournament", "random,casual"), ("policy", "show", "casual"), ("policy", "compare", "casual,random"),
        ("tune", "casual", "--out", str(tmp_path)), ("bench", "--policies", "casual"),
    ):  # fmt: skip
        assert_names(refusal(*words), "casual-4p", "casual-2026-11")
