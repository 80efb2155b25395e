"""Every example of a law is in one share, the same tree runs the same tests, and changed tests run whole."""

import subprocess

import pytest

from tests.shares import (
    LANDED,
    ONE_OF_SLOW,
    VARIABLE,
    changed_files,
    changed_tests,
    is_taken,
    share_of_this_run,
    shared_name,
)

NAMES = [f"tests/test_law.py::test_law[{number}]" for number in range(100)]


@pytest.mark.parametrize("of", [1, 4, 10])
def test_as_many_shares_are_all_examples(of):
    for name in NAMES:
        assert [is_taken(name, of, share) for share in range(of)].count(True) == 1
        assert is_taken(name, of, 7) == is_taken(name, of, 7 + of)


def test_all_is_every_example(monkeypatch):
    monkeypatch.setenv(VARIABLE, "all")
    assert share_of_this_run() is None
    assert all(is_taken(name, 10, None) for name in NAMES)
    assert is_taken(NAMES[0], None, None)
    assert not any(is_taken(NAMES[0], None, share) for share in range(100)), "of nights alone"


def test_the_share_is_given_or_the_same_in_every_commit(monkeypatch):
    monkeypatch.setenv(VARIABLE, "12")
    assert share_of_this_run() == 12
    monkeypatch.delenv(VARIABLE)
    assert share_of_this_run() == 0


def git(folder, *words):
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def test_what_differs_from_the_landed_commit_is_known_by_the_tree_alone(tmp_path):
    changed = changed_files.__wrapped__
    git(tmp_path, "init", "-q")
    assert changed(tmp_path) is None
    (tmp_path / "kept.py").write_text("")
    (tmp_path / "changed.py").write_text("a = 1")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Land")
    (tmp_path / LANDED).parent.mkdir()
    (tmp_path / LANDED).write_text(git(tmp_path, "rev-parse", "HEAD"))
    assert changed(tmp_path) == set()
    (tmp_path / "changed.py").write_text("a = 2")
    before = changed(tmp_path)
    git(tmp_path, "commit", "-q", "-a", "-m", "Change")
    assert before == changed(tmp_path) == {"changed.py"}


def test_tests_that_use_what_changed_are_known():
    def tests_of(*changed):
        return changed_tests(frozenset(changed))

    assert "tests/test_errors.py" in tests_of("wallsim/errors.py")
    assert tests_of("tests/test_errors.py") == {"tests/test_errors.py"}
    assert "tests/test_shares.py" in tests_of("tests/imports.py"), "by a helper"
    assert "tests/test_errors.py" not in tests_of("wallsim/folder/journal.py", "README.md")
    assert tests_of() == set()


def test_tests_of_a_file_or_an_example_are_taken_together_where_the_mark_says_so():
    others = [name.replace("test_law[", "test_other_law[") for name in NAMES]
    assert {shared_name(name, "file") for name in NAMES + others} == {"tests/test_law.py"}
    assert [shared_name(name, "example") for name in NAMES] == [shared_name(name, "example") for name in others]
    assert len({shared_name(name, "example") for name in NAMES}) == len(NAMES)
    assert [shared_name(name) for name in NAMES] == NAMES


def test_every_slow_test_is_in_a_share_of_its_own_or_of_its_file(request):
    share, changed = request.config.share, changed_tests()
    for item in request.session.items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("one_in"):
            assert item.nodeid.partition("::")[0] in changed or is_taken(
                shared_name(item.nodeid, "file"), ONE_OF_SLOW, share
            ), item.nodeid
