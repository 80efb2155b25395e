"""The table `[search]` of a policy file: what it says, and the policies and the value that it names."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

from tests.policies.planted_models import write_models
from tests.policies.policy_files import read
from wallsim.policies import advice
from wallsim.policies.catalogue import load_policy
from wallsim.policies.search import Search
from wallsim.policies.value.value_file import read_value


def search_of(text):
    """A file of kind rollout with a table of this text."""
    return f'base = "balanced"\nkind = "rollout"\n[search]\n{text}'


def test_a_search_is_read_and_what_it_does_not_say_has_its_default(tmp_path):
    plain = read(tmp_path, search_of(""))
    assert (plain.search, plain.identity()["search"]) == (Search(), Search().identity())
    text = 'width = 2\nplayouts = 1\ndepth = "year"\nrivals = "mixed"\nspread = 0\nerror = 0.25\nmargin = 1\n'
    text += 'first_look = 2\npatience = 0.5\ncasts = "by action"'
    result = read(tmp_path, search_of(text))
    settings = {"width": 2, "playouts": 1, "depth": "year", "rivals": "mixed", "spread": 0, "error": 0.25, "margin": 1}
    settings |= {"first_look": 2, "patience": 0.5, "casts": "by action"}
    assert result.search == Search(**settings)
    assert result.search.numbers() == [2, 1, 32, 64, 1, 1, 0, 250, 1000, 2, 500, 1]
    assert Search().numbers() == [24, 256, 32, 64, 2, 0, 1000, 500, 10, 4, 1000, 0]


def test_a_search_has_the_weights_of_its_candidates_and_its_value(tmp_path):
    value = write_models("value", tmp_path / "planted.json")
    policy = read(tmp_path, search_of(f'candidates = ["banker", "tuned-4p"]\nvalue = "{value}"\ndepth = "round"'))
    assert policy.advisers == (load_policy("banker"), load_policy("tuned-4p"))
    assert policy.value == read_value(value)
    facts = json.loads(json.dumps(policy.identity()))
    assert [known["name"] for known in facts["candidates"]] == ["banker", "tuned-4p"]
    assert facts["value"] == read_value(value).digest
    assert facts == policy.identity()
    before = policy.identity()
    write_models("value", value, seed=2)
    again = read(tmp_path, search_of(f'candidates = ["banker", "tuned-4p"]\nvalue = "{value}"\ndepth = "round"'))
    assert {key for key in before if before[key] != again.identity()[key]} == {"value"}


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
