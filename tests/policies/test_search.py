"""The table `[search]` of a policy file: what it says, what is wrong with a bad one, and the policies that it names."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.policies.value.planted_values import write_value
from wallsim.policies import advice
from wallsim.policies.catalogue import PolicyError, load_policy, read_policy
from wallsim.policies.search import Search
from wallsim.policies.value.value_file import read_value


def read(folder, text):
    """The policy of a file with this text."""
    path = folder / "mine.toml"
    path.write_text(text)
    return read_policy(path)


@pytest.fixture
def error_of(tmp_path):
    """The function that writes a file and tells what `read_policy` has against it."""

    def result(text):
        with pytest.raises(PolicyError) as caught:
            read(tmp_path, text)
        return str(caught.value).replace(str(tmp_path / "mine.toml"), "FILE")

    return result


def search_of(text):
    """A file of kind rollout with a table of this text."""
    return f'base = "balanced"\nkind = "rollout"\n[search]\n{text}'


def test_a_search_is_read_and_what_it_does_not_say_has_its_default(tmp_path):
    assert read(tmp_path, search_of("")).search == Search()
    text = 'width = 2\nplayouts = 1\ndepth = "year"\nrivals = "mixed"\nspread = 0\nerror = 0.25\nmargin = 1\n'
    text += 'first_look = 2\npatience = 0.5\ncasts = "by action"'
    result = read(tmp_path, search_of(text))
    settings = {"width": 2, "playouts": 1, "depth": "year", "rivals": "mixed", "spread": 0, "error": 0.25, "margin": 1}
    settings |= {"first_look": 2, "patience": 0.5, "casts": "by action"}
    assert result.search == Search(**settings)
    assert result.search.numbers() == [2, 1, 32, 64, 1, 1, 0, 250, 1000, 2, 500, 1]
    assert Search().numbers() == [24, 256, 32, 64, 2, 0, 1000, 500, 10, 4, 1000, 0]


def test_a_search_has_the_weights_of_its_candidates_and_its_value(tmp_path):
    value = write_value(tmp_path / "planted.json")
    policy = read(tmp_path, search_of(f'candidates = ["banker", "tuned-4p"]\nvalue = "{value}"\ndepth = "round"'))
    assert policy.advisers == (load_policy("banker"), load_policy("tuned-4p"))
    assert policy.value == read_value(value)
    facts = json.loads(json.dumps(policy.identity()))
    assert [known["name"] for known in facts["candidates"]] == ["banker", "tuned-4p"]
    assert facts["value"] == read_value(value).digest
    assert facts == policy.identity()
    before = policy.identity()
    write_value(value, seed=2)
    again = read(tmp_path, search_of(f'candidates = ["banker", "tuned-4p"]\nvalue = "{value}"\ndepth = "round"'))
    assert {key for key in before if before[key] != again.identity()[key]} == {"value"}


def test_what_a_search_names_must_exist_and_plan_by_weights(error_of):
    error = error_of(search_of('candidates = ["nobody", "random"]\nvalue = "nothing"'))
    first, second, third = error.splitlines()
    assert first.startswith("FILE: search.candidates: 'nobody' is not one of")
    assert second == "FILE: search.candidates: 'random' is of kind 'random', which plans by no weights"
    assert third.startswith("FILE: search.value: 'nothing' is not one of")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("width = 1", "width: 1 is not a whole number from 2 to 128"),
        ("width = 129", "width: 129 is not a whole number from 2 to 128"),
        ("width = 8.0", "width: 8.0 is not a whole number from 2 to 128"),
        ("width = true", "width: True is not a whole number from 2 to 128"),
        ("playouts = 0", "playouts: 0 is not a whole number from 1 to 1000000"),
        ('playouts = "9"', "playouts: '9' is not a whole number from 1 to 1000000"),
        ("spread = -0.1", "spread: -0.1 is not a number from 0 to 20"),
        ("error = nan", "error: nan is not a number from 0 to 20"),
        ("margin = 1.001", "margin: 1.001 is not a number from 0 to 1"),
        ('depth = "week"', "depth: 'week' is not one of round, year, game"),
        ("depth = []", "depth: [] is not one of round, year, game"),
        ('depth = "round"', "depth: 'round' needs search.value, a learned value for what comes after it"),
        ("tables = 129", "tables: 129 is not a whole number from 1 to 128"),
        ("exchanges = -1", "exchanges: -1 is not a whole number from 0 to 128"),
        ('rivals = "all"', "rivals: 'all' is not one of own, mixed"),
        ('candidates = "banker"', "candidates: 'banker' is not a list of names of policies"),
        ("candidates = [1]", "candidates: [1] is not a list of names of policies"),
        (f"candidates = {['banker'] * 8}", "candidates: 8 policies; at most 7"),
        ("first_look = 0", "first_look: 0 is not a whole number from 1 to 128"),
        ("first_look = 1.5", "first_look: 1.5 is not a whole number from 1 to 128"),
        ("patience = -0.5", "patience: -0.5 is not a number from 0 to 10"),
        ("patience = 0.0005", "patience: 0.0005 is not a whole number of thousandths"),
        ('casts = "shared"', "casts: 'shared' is not one of in turn, by action"),
        ("casts = 1", "casts: 1 is not one of in turn, by action"),
        ("value = 3", "value: 3 is not the name of a learned value"),
        (
            "luck = 1",
            "luck: unknown field; allowed are width, playouts, tables, exchanges, spread, error, margin, "
            "first_look, patience, depth, rivals, casts, candidates, value",
        ),
    ],
)
def test_a_bad_search_is_named_with_field_value_and_what_is_allowed(error_of, line, error):
    assert error_of(search_of(line)) == f"FILE: search.{error}"


def test_only_a_searching_policy_has_a_search(error_of):
    error = error_of('base = "balanced"\n[search]\nwidth = 3')
    assert error == "FILE: search: only a policy of kind 'rollout' has this table; here it is 'balanced'"


def test_search_and_kind_decide_which_policy_it_is(tmp_path):
    plain, near = read(tmp_path, search_of("")), read(tmp_path, search_of("margin = 0.02"))
    assert plain.identity()["search"] == Search().identity()
    assert len({str(policy.identity()) for policy in (plain, near, load_policy("balanced"))}) == 3
    assert set(load_policy("balanced").identity()) == {"name", "kind", "weights"}


def test_threads_that_pack_what_a_search_looks_up_at_once_get_the_same_address(tmp_path, monkeypatch):
    policy = read(tmp_path, search_of('candidates = ["banker"]'))
    packed, together = advice._packed, threading.Barrier(3)

    def pack_together(asked):
        together.wait(timeout=60)
        return packed(asked)

    monkeypatch.setattr(advice, "_PACKED", {})
    monkeypatch.setattr(advice, "_packed", pack_together)
    with ThreadPoolExecutor(3) as threads:
        addresses = set(threads.map(advice.advice_of, [policy] * 3))
    assert addresses == {packed.ctypes.data for packed in advice._PACKED.values()}
