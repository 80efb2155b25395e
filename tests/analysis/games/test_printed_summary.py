"""The printed summary names what was played, what it assumes, and every figure with its interval."""

import io

import pytest
from rich.console import Console

from tests.refusals import assert_names
from wallsim.analysis.games.breakdown import breakdown
from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.tables.summary import print_summary

EVERYTHING = {"games": 400, "players": 5, "edition": "1e", "expansions": "all"}
BASE = {"games": 1500, "seed": 5, "players": 3}


def printed(run, width=200):
    console = Console(width=width, record=True, file=io.StringIO())
    print_summary(console, run, summarise(run))
    return console.export_text()


def played(folder, keys):
    return play_run(Experiment(policies="random", **keys), folder, workers=1)


@pytest.mark.parametrize(
    ("keys", "has", "lacks"),
    [
        (BASE,
         ["1,500 games, 3 players, line-ups, seed 5", "Fair share 33.33%", "95% confidence (Bonferroni)",
          "Tower: spielbyweb", "independent", "0.6667", "Assumed", "line-up A: Anhalt", "line-up stays",
          "per CPU second", "import polars as pl"],
         ["edition", "expansion", "favor", "Landsknecht", "±", "Not stated explicitly", "drafted"]),
        (EVERYTHING,
         ["400 games, 5 players, line-ups, seed 1", "first edition; expansions court, landsknechte, leaders",
          "favor 2: 2 Thalers", "favor 3: 2 armies", "favor 13: 2 victory points", "favors 10, 11, 18",
          "Landsknechte cards 2, 3, 4", "Shogun", "(V8)"],
         []),
        ({"games": 40, "edition": "1e", "setup": "draft"},
         ["40 games, 4 players, draft, seed 1", "first edition; draft.", "drafted"],
         ["means per game", "line-up stays"]),
        ({"games": 40}, ["No figure", "4-player line-ups", "assumed"], ["Assumed"]),
        ({"games": 62}, ["4 simultaneous intervals", "63 games", "62"], []),
    ],
    ids=["base", "everything", "first edition", "nothing assumed", "few games"],
)  # fmt: skip
def test_what_was_played_and_assumed_is_named(tmp_path, keys, has, lacks):
    run = played(tmp_path / "run", keys)
    text = printed(run, width=2000)
    assert_names(text, run.folder, *has)
    assert [word for word in lacks if word in text] == []


def test_the_lines_of_expansions_are_those_of_the_breakdown(tmp_path):
    run = played(tmp_path / "run", EVERYTHING)
    text = printed(run, width=100)
    for line in breakdown(run):
        [row] = [row for row in text.splitlines() if row.startswith(f"  {line.name}  ")]
        means = [(seat.mean, *([seat.interval[1] - seat.mean] if seat.interval else [])) for seat in line.seats]
        assert row.removeprefix(f"  {line.name}").replace("±", " ").split() == [
            f"{number:.2f}" for numbers in means for number in numbers
        ]
    assert all(len(row) <= 100 for row in text.splitlines() if "±" in row)
