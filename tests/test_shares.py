"""Every example of a law is in one share, and shares do not depend on the process."""

import pytest

from tests.shares import ONE_OF_SLOW, VARIABLE, is_taken, seed_of_this_run, shared_name

NAMES = [f"tests/test_law.py::test_law[{number}]" for number in range(100)]


@pytest.mark.parametrize("of", [1, 4, 10])
def test_the_shares_of_as_many_seeds_are_all_examples(of):
    for name in NAMES:
        assert [is_taken(name, of, seed) for seed in range(of)].count(True) == 1
        assert is_taken(name, of, 7) == is_taken(name, of, 7 + of)


def test_all_is_every_example(monkeypatch):
    monkeypatch.setenv(VARIABLE, "all")
    assert seed_of_this_run() is None
    assert all(is_taken(name, 10, None) for name in NAMES)


def test_a_seed_is_given_or_made_of_the_commit(monkeypatch):
    monkeypatch.setenv(VARIABLE, "12")
    assert seed_of_this_run() == 12
    monkeypatch.delenv(VARIABLE)
    assert seed_of_this_run() == seed_of_this_run() >= 0


def test_tests_of_a_file_or_an_example_are_taken_together_where_the_mark_says_so():
    others = [name.replace("test_law[", "test_other_law[") for name in NAMES]
    assert {shared_name(name, "file") for name in NAMES + others} == {"tests/test_law.py"}
    assert [shared_name(name, "example") for name in NAMES] == [shared_name(name, "example") for name in others]
    assert len({shared_name(name, "example") for name in NAMES}) == len(NAMES)
    assert [shared_name(name) for name in NAMES] == NAMES


def test_every_slow_test_is_in_a_share_of_its_own_or_of_its_file(request):
    share = request.config.share
    for item in request.session.items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("one_in"):
            assert is_taken(shared_name(item.nodeid, "file"), ONE_OF_SLOW, share), item.nodeid


def test_the_tests_of_studies_are_taken_by_file(request):
    marked = [item for item in request.session.items if item.path.parent.name == "analyses"]
    assert all(item.get_closest_marker("one_in") for item in marked)
