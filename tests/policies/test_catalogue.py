"""Policies by name: the shipped files, what is wrong with a bad one, and the record that kernels read."""

import math
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.test_games import refusal
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
    read_policy,
)
from wallsim.policies.record import BALANCED, PLAYERS, RANDOM
from wallsim.policies.search import Search
from wallsim.policies.weights import ATTACK, DEFAULTS, FAVOR, GARRISON_TURN, GRAIN_NEED, HOLD, WEIGHTS
from wallsim.rules.files import data_folder

NAMES = [weight.name for weight in WEIGHTS]
GOOD = {weight.name: (weight.low + weight.high) / 2 for weight in WEIGHTS}


def text_of(kind='kind = "balanced"', weights=GOOD, head=""):
    """A policy file."""
    lines = [kind, 'description = "For tests."', head, "[weights]"]
    return "\n".join([*lines, *(f"{name} = {value}" for name, value in weights.items())])


@pytest.fixture
def error_of(tmp_path):
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


def test_the_policies_that_the_readme_names_are_known():
    assert {"random", "balanced", "rollout"} <= set(policy_names())
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


@pytest.mark.parametrize("name", ["", "Random", "balanced.tml", "wallenstein", "py", "toml"])
def test_an_unknown_policy_is_named_with_those_that_are_known(name):
    with pytest.raises(PolicyError) as caught:
        load_policy(name)
    assert repr(name) in str(caught.value)
    assert "balanced" in str(caught.value)
    assert "random" in str(caught.value)
    assert "nor a .toml or .py file" in str(caught.value)


@pytest.mark.parametrize("name", ["nobody.toml", "nobody.py", "no/body", "./nobody", "../balanced", "."])
def test_what_looks_like_a_path_is_one(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_policy_file(name) == (name != ".")
    with pytest.raises(PolicyError) as caught:
        load_policy(name)
    if name != ".":
        assert "not one of" not in str(caught.value)
        assert str(Path(name)) in str(caught.value)


def test_a_file_is_called_by_its_stem_wherever_it_lies(tmp_path):
    path = tmp_path / "deep" / "my policy.v2.toml"
    path.parent.mkdir()
    path.write_text('base = "balanced"', "utf-8")
    assert load_policy(str(path)).name == "my policy.v2"


def test_a_loaded_policy_may_be_changed_without_changing_the_next():
    load_policy("balanced").weights["hold"] = 0.0
    assert load_policy("balanced").weights["hold"] > 0


def test_a_shipped_policy_is_read_again_after_its_file_changed(tmp_path, monkeypatch):
    for room in ("policies", "values", "corrections"):
        shutil.copytree(data_folder(room), tmp_path / room)
    monkeypatch.setattr(catalogue, "data_folder", lambda room: tmp_path / room)
    before = load_policy("builder")
    path = tmp_path / "policies" / "builder.toml"
    path.write_text(path.read_text("utf-8") + "# a comment\n", "utf-8")
    assert load_policy("builder").source == before.source + b"# a comment\n"


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
def test_broken_toml_is_named(error_of, text):
    assert error_of(text).startswith("FILE: not a readable TOML file: ")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PolicyError, match=r"nobody\.toml"):
        read_policy(tmp_path / "nobody.toml")


@pytest.mark.parametrize("kind", ["gambler", 3, "", True])
def test_an_unknown_kind_is_named_with_its_value_and_those_allowed(error_of, kind):
    line = f'kind = "{kind}"' if isinstance(kind, str) else f"kind = {kind}".lower()
    error = error_of(text_of(line))
    assert f"FILE: kind: {kind!r} is not one of random, balanced" in error


def test_a_missing_kind_is_named(error_of):
    assert "FILE: kind: None is not one of random, balanced" in error_of(text_of(kind=""))


def test_an_unknown_field_is_named_with_those_allowed(error_of):
    error = error_of(text_of(head="colour = 3"))
    assert (
        error
        == "FILE: colour: unknown field; allowed are base, kind, description, correction, weights, counties, search"
    )


def test_an_unknown_weight_is_named(error_of):
    error = error_of(text_of(weights={**GOOD, "bravery": 0.5}))
    assert error.startswith("FILE: weights.bravery: 0.5 is given to an unknown weight; allowed are hold, majority")


def test_random_takes_no_weights(error_of):
    error = error_of(text_of('kind = "random"', {"hold": 0.5}))
    assert error == "FILE: weights.hold: 0.5 is given to an unknown weight; allowed are none"


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_that_is_left_out_has_its_default(tmp_path, name):
    weights = read(tmp_path, text_of(weights={other: value for other, value in GOOD.items() if other != name})).weights
    assert weights == {**GOOD, name: DEFAULTS[name]}


def test_the_defaults_are_the_weights_of_balanced():
    assert load_policy("balanced").weights == DEFAULTS
    assert all(weight.low <= weight.default <= weight.high for weight in WEIGHTS)


def test_a_weights_number_is_its_place_among_all():
    """Kernels read a weight by the constant that its declaration returned."""
    assert (HOLD, GARRISON_TURN) == (NAMES.index("hold"), NAMES.index("garrison_turn")) == (0, len(WEIGHTS) - 1)
    assert (GRAIN_NEED, ATTACK, FAVOR) == tuple(NAMES.index(name) for name in ("grain", "attack", "favor"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("beyond", [-0.001, 0.001])
def test_a_weight_out_of_bounds_is_named_with_value_and_bounds(error_of, name, beyond):
    weight = WEIGHTS[NAMES.index(name)]
    value = weight.low + beyond if beyond < 0 else weight.high + beyond
    error = error_of(text_of(weights={**GOOD, name: value}))
    assert error == f"FILE: weights.{name}: {value!r} is not a number from {weight.low} to {weight.high}"


@pytest.mark.parametrize(
    ("written", "value"),
    [('"0.5"', "'0.5'"), ("true", "True"), ("[0.5]", "[0.5]"), ("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"),
     ("1979-05-27", "datetime.date(1979, 5, 27)"), ("{ a = 1 }", "{'a': 1}")],
)  # fmt: skip
def test_a_weight_of_the_wrong_kind_is_named(error_of, written, value):
    error = error_of(text_of(weights={**GOOD, "hold": written}))
    assert error == f"FILE: weights.hold: {value} is not a number from 0.0 to 1.5"


def test_every_error_is_named_at_once(error_of):
    weights = {**GOOD, "hold": 7, "bravery": 1, "place": 9}
    error = error_of(text_of('kind = "balanced"\ncolour = 3', weights))
    assert [line.split(":")[1].strip() for line in error.splitlines()] == ["colour"], "the form comes first"
    error = error_of(text_of(weights=weights))
    assert [line.split(":")[1].strip() for line in error.splitlines()] == [
        "weights.bravery", "weights.hold", "weights.place",
    ]  # fmt: skip
    error = error_of("kind = 3\nbase = 4\ndescription = 5\nweights = 6\nsearch = 7\ncolour = 8")
    assert [line.split(":")[1].strip() for line in error.splitlines()] == [
        "colour", "base", "kind", "description", "weights", "search",
    ]  # fmt: skip


@pytest.mark.parametrize("weights", ["3", "[]", '"hold"'])
def test_weights_that_are_no_table_are_named(error_of, weights):
    assert "FILE: weights" in error_of(f'kind = "balanced"\nweights = {weights}')


@pytest.mark.parametrize("kind", ['["balanced"]', "{ a = 1 }"])
def test_a_kind_that_is_no_text_is_named(error_of, kind):
    assert "FILE: kind" in error_of(text_of(f"kind = {kind}"))


# ------------------------------------------------------------------------------------------------ with a base


def test_with_a_base_what_is_not_said_is_as_there(tmp_path):
    base = load_policy("balanced")
    policy = read(tmp_path, 'base = "balanced"\n[weights]\nattack = 0.25')
    assert policy == Policy("mine", "balanced", {**base.weights, "attack": 0.25})
    assert policy.description == ""
    assert read(tmp_path, 'base = "balanced"') == Policy("mine", "balanced", base.weights)
    assert load_policy("balanced") == base


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


@pytest.mark.parametrize("base", ["nobody", "Balanced", "mine.toml", ""])
def test_an_unknown_base_is_named_with_those_allowed(error_of, base):
    meant = "; did you mean balanced?" if base == "Balanced" else ""
    assert error_of(f'base = "{base}"') == f"FILE: base: {base!r} is not one of {', '.join(listed_names())}{meant}"


def test_random_is_no_base(error_of):
    assert error_of('base = "random"').startswith("FILE: base: 'random' has no weights; ")


def test_a_weight_is_checked_with_a_base_too(error_of):
    error = error_of('base = "balanced"\n[weights]\nhold = 2.5\nbravery = 1')
    assert [line.split(":")[1].strip() for line in error.splitlines()] == ["weights.bravery", "weights.hold"]


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


def test_a_packed_search_is_that_of_its_seat():
    packed = pack_players([load_policy("balanced"), load_policy("rollout")])
    assert not packed[0].seat[0].search.any()
    assert packed[0].seat[1].search.tolist() == load_policy("rollout").search.numbers()
    assert packed[0].seat[1].kind == BALANCED
    assert not packed["seat"]["custom"].any(), "an arena gives it the address of its search"


def test_the_packed_record_is_read_only_and_holds_no_notes():
    packed = pack_players([load_policy("balanced")] * 5)
    assert not packed.flags.writeable
    for name in packed.dtype["seat"].base.names:
        if name not in ("kind", "weight", "phase_weight"):
            assert not packed["seat"][name].any(), name


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
        message = refusal(*words)
        assert "casual-4p" in message
        assert "casual-2026-11" in message
