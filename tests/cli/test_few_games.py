"""With one or two games or blocks there are no intervals: commands say how many are needed, without warnings."""

import re

import pytest

from tests.cli.commands import done

RANDOM = ("--policies", "random", "--players", 3)
ONES = re.compile(r"(?<![\d,.])1 (games|blocks|rows|scenarios)(?!/)\b")  # but 1 games/s is a rate
FEW = pytest.mark.parametrize("games", [1, 2])


def said(*words):
    """What a command prints, in one line; a warning of Python would end it."""
    text = " ".join(done(*words).output.split())
    assert "Warning" not in text
    assert not [word for word in text.split() if word.strip("(),;") in ("nan", "inf")]
    assert not ONES.search(text), ONES.search(text)[0]
    return text


def needed(text, what, count):
    """How many games or blocks are needed, as a text tells that has so many."""
    [number] = set(
        re.findall(rf"need at least (\d+) {what}; {'this is' if count == 1 else 'these are'} {count},", text)
    )
    return int(number)


@FEW
def test_runs_summaries_comparisons_and_pages_say_how_many_games_are_needed(here, games):
    assert needed(said("run", "--games", games, *RANDOM, "--out", "one"), "games", games) == 55
    assert needed(said("summary", "one"), "games", games) == 55
    said("run", "--games", games, *RANDOM, "--tower", "mid", "--out", "other")
    compared = said("compare", "one", "other")
    assert needed(compared, "games", games) > 55
    assert "saves" not in compared  # nothing is known of variances
    said("compare", "one", "other", "--html", "page.html")
    said("report", "one", "--out", "run.html")
    for page in ("page.html", "run.html"):
        assert not ONES.search((here / page).read_text("utf-8"))


@FEW
def test_scenarios_say_how_many_games_are_needed(here, games):
    head = f'games = {games}\nplayers = 3\npolicies = "random"\n'
    (here / "two.toml").write_text(f"{head}[scenario.base]\n[scenario.rich]\nthalers = {{ A = 20 }}\n", "utf-8")
    said("run", "two.toml", "--out", "two")
    assert needed(said("compare", "two"), "games", games) > 50


@FEW
@pytest.mark.parametrize(("policies", "least"), [("balanced,random", 45), ("balanced,random,builder", 55)])
def test_tournaments_say_how_many_blocks_are_needed_and_which_strengths_have_mean_zero(here, games, policies, least):
    text = said("tournament", policies, "--players", 3, "--blocks", games, "--out", "cup")
    assert f"{least} blocks; {'this is 1' if games == 1 else 'these are 2'}," in text
    rows = re.findall(r"\b\d (\w+) ([+−]?\d+\.\d\d)( [↑↓])?", text)[: len(policies.split(","))]
    bounded = [float(value.replace("−", "-")) for _, value, arrow in rows if not arrow]
    assert len(bounded) < len(rows)  # `random` never finishes before the others
    assert sum(bounded) == pytest.approx(0, abs=0.011)
    assert "mean zero" not in text
    assert "without an arrow" in text
