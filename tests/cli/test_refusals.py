"""What commands refuse: with status 2, naming what is wrong and what is allowed, before they play or write anything."""

import shlex

import pytest

from tests.cli.commands import done, refusal
from tests.cli.refused_commands import AFTER_PLAYING, FILES, REFUSED
from tests.refusals import assert_names
from wallsim.engine.arena import Arena


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Files, a run with plans and one of another seed without, and a set of scenarios: nothing writes there."""
    place = tmp_path_factory.mktemp("place")
    for name, text in FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, "utf-8")
    (place / "empty" / "dir.html").mkdir(parents=True)
    flags = ("--policies", "random", "--players", 3, "--quiet")
    done("run", *flags, "--games", 60, "--seed", 4, "--plans", "--out", place / "run")
    done("run", *flags, "--games", 5, "--seed", 5, "--out", place / "other")
    done("run", place / "set.toml", "--quiet", "--out", place / "set")
    return place


def there(place):
    """Every file, with the time of its last change."""
    return {path: path.stat().st_mtime_ns for path in place.rglob("*")}


def nothing(*_, **__):
    """In place of what would play."""
    pytest.fail("something is played")


def assert_refused(place, monkeypatch, line, names):
    """A command is refused by a short message with these names, and changes no file."""
    monkeypatch.chdir(place)
    before = there(place)
    said = refusal(*shlex.split(line))
    assert_names(said, *names)
    assert len(said) < 1500
    assert len(set(said.splitlines())) == len(said.splitlines()), "nothing is said twice"
    assert there(place) == before


@pytest.mark.parametrize(("line", "names"), REFUSED, ids=[line[:60] for line, _ in REFUSED])
def test_a_wrong_command_is_refused_before_anything_is_played(place, monkeypatch, line, names):
    for play in ("play", "moment", "trace"):
        monkeypatch.setattr(Arena, play, nothing)
    assert_refused(place, monkeypatch, line, names)


@pytest.mark.parametrize(("line", "names"), AFTER_PLAYING.items(), ids=AFTER_PLAYING)
def test_what_cannot_be_written_is_refused(place, monkeypatch, line, names):
    assert_refused(place, monkeypatch, line, names)
