"""With one or two games or blocks there are no intervals: commands say how many are needed, without warnings."""

import re

import pytest

from tests.cli.test_games import wallsim

RANDOM = ("--policies", "random", "--players", 3)
ONES = re.compile(r"(?<![\d,.])1 (games|blocks|rows|scenarios)(?!/)\b")  # but 1 games/s is a rate


def said(*words):
    """What a command prints, in one line; a warning of Python would end it."""
    result = wallsim(*map(str, words))
    assert result.exit_code == 0, f"{result.output}{result.exception or ''}"
    text = " ".join(result.output.split())
    assert "Warning" not in text
    assert not [word for word in text.split() if word.strip("(),;") in ("nan", "inf")]
    assert not ONES.search(text), ONES.search(text)[0]
    return text


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("games", [1, 2])
def test_runs_summaries_and_comparisons_say_how_many_games_are_needed(here, games):
    one = said("run", "--games", games, *RANDOM, "--out", "one")
    assert re.search(r"need at least 55 games; (this is 1|these are 2),", one)
    assert re.search(r"need at least 55 games", said("summary", "one"))
    said("run", "--games", games, *RANDOM, "--tower", "mid", "--out", "other")
    compared = said("compare", "one", "other")
    assert re.search(r"need at least \d+ games; (this is 1|these are 2),", compared)
    assert "Pairing by game number saves" not in compared  # nothing is known of variances
    said("compare", "one", "other", "--html", "page.html")
    said("report", "one", "--out", "run.html")
    for page in ("page.html", "run.html"):
        assert not ONES.search((here / page).read_text("utf-8"))


@pytest.mark.parametrize("games", [1, 2])
def test_scenarios_say_how_many_games_are_needed(here, games):
    head = f'games = {games}\nplayers = 3\npolicies = "random"\n'
    (here / "two.toml").write_text(f"{head}[scenario.base]\n[scenario.rich]\nthalers = {{ A = 20 }}\n", "utf-8")
    said("run", "two.toml", "--out", "two")
    assert re.search(r"need at least \d+ games; (this is 1|these are 2),", said("compare", "two"))


@pytest.mark.parametrize("blocks", [1, 2])
@pytest.mark.parametrize("policies", ["balanced,random", "balanced,random,builder"])
def test_tournaments_say_how_many_blocks_are_needed_and_which_strengths_have_mean_zero(here, blocks, policies):
    words = ("tournament", policies, "--players", 3, "--blocks", blocks, "--out", "cup")
    text = said(*words)
    needed = {2: 45, 3: 55}[len(policies.split(","))]
    assert f"{needed} blocks; {'this is 1' if blocks == 1 else 'these are 2'}," in text
    rows = re.findall(r"\b\d (\w+) ([+−]?\d+\.\d\d)( [↑↓])?", text)[: len(policies.split(","))]
    bounded = [float(value.replace("−", "-")) for _, value, arrow in rows if not arrow]
    assert len(bounded) < len(rows)  # `random` never finishes before the others
    assert sum(bounded) == pytest.approx(0, abs=0.011)
    assert "mean zero" not in text
    assert "without an arrow" in text
