"""The study `ladder` plays a tournament and the tables of tuned and searching policies, and answers in Markdown."""

import re
import runpy
from types import SimpleNamespace

import polars as pl
import pytest

from tests.studies import answer_of
from tests.test_architecture import ROOT
from wallsim.policies.catalogue import load_policy
from wallsim.runs.errors import InputError
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.play import play_run
from wallsim.runs.tournament_folder import open_tournament

SCRIPT = ROOT / "analyses" / "ladder.py"
POLICIES = ("balanced", "conqueror", "random", "builder")
TEXT = "before\n<!-- ladder figures: do not edit -->\nold\n<!-- /ladder figures -->\nafter\n"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("ladder")
    (folder / "text.md").write_text(TEXT, "utf-8")
    words = [
        "--blocks",
        "24",
        "--games",
        "120",
        "--searches",
        "4",
        "--policies",
        ",".join(POLICIES),
        "--second",
        "banker",
    ]
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
    rows = r"^\| `([\w-]+)` \| (\d) × `([\w-]+)` \| ([\w-]+) \| ([\d,]+) \|"
    alone = [
        ("tuned-3p", "2", "balanced", "120"),
        ("tuned-4p", "3", "balanced", "120"),
        ("tuned-5p", "4", "balanced", "120"),
        ("banker", "3", "balanced", "120"),
        ("banker", "3", "tuned-4p", "120"),
        ("tuned-4p", "3", "banker", "120"),
        ("rollout", "3", "tuned-4p", "4"),
    ]
    setups = ("line-ups", "draft")
    assert re.findall(rows, text, re.M) == [(*table[:3], setup, table[3]) for table in alone for setup in setups]


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


@pytest.fixture(scope="module")
def design():
    """What the script defines."""
    return SimpleNamespace(**runpy.run_path(str(SCRIPT), run_name="ladder"))


def test_every_table_is_played_with_line_ups_and_in_the_draft(design):
    table = load_experiment(SCRIPT.with_suffix(".toml"))
    planned = design.visits(table, second="banker")
    assert [visit.setup for visit in planned] == ["lineup", "draft"] * 7
    assert len({visit.hash for visit in planned}) == 14
    for one, other in zip(planned[::2], planned[1::2], strict=True):
        assert one[2:-1] == other[2:-1]
        assert design.seated(table, other.players, other.setup).ruleset().letters() == ("",) * other.players
    with pytest.raises(InputError, match="nobody"):
        design.visits(table, second="nobody")


def test_a_guest_in_the_draft_wins_what_its_games_say(design, tmp_path):
    """The kept finding is the mean over games in which the guest sat in every seat of drafted tables."""
    table = load_experiment(SCRIPT.with_suffix(".toml"))
    [visit] = [each for each in design.visits(table, 40, 4, "banker") if each[:4] == (4, "draft", "banker", "balanced")]
    [(_, finding)] = design.met(table, [visit], tmp_path)
    wins = []
    for seat in range(4):
        names = ["banker" if each == seat else "balanced" for each in range(4)]
        drafted = table.model_copy(update={"setup": "draft", "policies": tuple(names), "games": 10})
        seats = play_run(drafted, tmp_path / str(seat)).scan("seats").collect()
        wins.append(seats.filter(seat=seat)["win"].cast(pl.Float64).mean())
    assert finding.share == pytest.approx(sum(wins) / 4)
    assert (finding.games, finding.blocks) == (40, 10)
    row = design.met_table([(visit, finding)]).splitlines()[-1]
    assert row.startswith(f"| `banker` | 3 × `balanced` | draft | 40 | {100 * finding.share:.1f} | ")


def test_the_policies_of_the_study_are_there_and_the_search_begins_from_the_one_it_meets(design):
    assert [load_policy(name).name for name in design.POLICIES] == list(design.POLICIES)
    assert [load_policy(name).kind for name in design.TUNED.values()] == ["balanced"] * 3
    searcher, searched = load_policy(design.SEARCHER), load_policy(design.SEARCHED)
    assert searcher.search is not None
    assert searcher.weights == searched.weights
