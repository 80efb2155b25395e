"""The study `ladder` plays a tournament and the tables of tuned and searching policies, and answers in Markdown."""

import re
import runpy

import pytest

from tests.studies import answer_of
from tests.test_architecture import ROOT
from wallsim.policies.catalogue import load_policy
from wallsim.runs.tournament_folder import open_tournament

SCRIPT = ROOT / "analyses" / "ladder.py"
POLICIES = ("balanced", "conqueror", "random", "builder")
TEXT = "before\n<!-- ladder figures: do not edit -->\nold\n<!-- /ladder figures -->\nafter\n"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("ladder")
    (folder / "text.md").write_text(TEXT, "utf-8")
    words = ["--blocks", "24", "--games", "120", "--searches", "4", "--policies", ",".join(POLICIES)]
    return folder, answer_of(SCRIPT, folder, *words, "--into", str(folder / "text.md"))


@pytest.mark.slow
def test_it_tells_the_ladder_and_the_tables(told):
    folder, text = told
    run = open_tournament(folder / "runs")
    assert run.policies == tuple(sorted(POLICIES))
    assert text.startswith(f"4 policies, 24 blocks of 4 games: {run.manifest['games']} games; 4 players, ")
    ladder = re.findall(r"^\| \d+ \| ([\w-]+) \|", text, re.M)
    assert sorted(ladder) == sorted(POLICIES)
    assert ladder[-1] == "random"
    tables = re.findall(r"^\| `([\w-]+)` \| (\d) × `([\w-]+)` \| ([\d,]+) \|", text, re.M)
    assert tables == [
        ("tuned-3p", "2", "balanced", "120"),
        ("tuned-4p", "3", "balanced", "120"),
        ("tuned-5p", "4", "balanced", "120"),
        ("rollout", "3", "tuned-4p", "4"),
    ]


@pytest.mark.slow
def test_the_answer_lies_between_the_marks_and_the_picture_beside_it(told):
    folder, text = told
    between = re.fullmatch(
        r"before\n<!-- ladder figures of experiment \w{12}: [^\n]*-->\n(.*)<!-- /ladder figures -->\nafter\n",
        (folder / "text.md").read_text("utf-8"),
        re.S,
    )
    assert between[1] == text.rstrip("\n") + "\n"
    assert (folder / "it.png").stat().st_size > 5_000


def test_the_policies_of_the_study_are_there_and_the_search_begins_from_the_one_it_meets():
    design = runpy.run_path(str(SCRIPT), run_name="ladder")
    assert [load_policy(name).name for name in design["POLICIES"]] == list(design["POLICIES"])
    assert [load_policy(name).kind for name in design["TUNED"].values()] == ["balanced"] * 3
    searcher, searched = load_policy(design["SEARCHER"]), load_policy(design["SEARCHED"])
    assert searcher.search is not None
    assert searcher.weights == searched.weights
