"""The study `zoo` plays every policy in two companies, keeps its runs, and answers with tables and a picture."""

import re
import runpy
from collections import Counter

import pytest

from tests.studies import answer_of
from tests.test_architecture import ROOT
from wallsim.analysis.intervals import Confidence
from wallsim.policies.catalogue import policy_names
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.results import open_run

SCRIPT = ROOT / "analyses" / "zoo.py"
POLICIES = ("random", "builder")
GAMES = 40
TEXT = "before\n<!-- zoo figures: do not edit -->\nold\n<!-- /zoo figures -->\nafter\n"


@pytest.fixture(scope="module")
def design():
    """What the script defines."""
    return runpy.run_path(str(SCRIPT), run_name="zoo")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("zoo")
    (folder / "text.md").write_text(TEXT, "utf-8")
    return folder, run(folder, "--into", str(folder / "text.md"))


def run(folder, *words):
    """Run the script on a few games; what it printed."""
    return answer_of(SCRIPT, folder, "--games", str(GAMES), "--policies", ",".join(POLICIES), *words)


def test_every_policy_plays_among_its_like_and_once_in_each_seat_among_the_baseline(told):
    folder, _ = told
    runs = {path.parent.name + "/" + path.name: open_run(path) for path in (folder / "runs").glob("*/*")}
    assert len(runs) == 2 + 9 * len(POLICIES)
    assert {(run.manifest["games"], run.manifest["seed"]) for run in runs.values()} == {(GAMES, 2027)}
    seats = Counter()
    for place, played in runs.items():
        identity = played.manifest["experiment"]["identity"]
        names = [policy["name"] for policy in identity["policies"]]
        setup = "draft" if "/draft_" in place else "lineup"
        assert identity["setup"] == setup
        assert identity["lineups"] == (["A", "B", "C", "D"] if setup == "lineup" else [""] * 4)
        if place.endswith("alike"):
            assert names == [place.split("/")[0]] * 4
            seats[place] += 1
        else:
            assert Counter(names) == {"balanced": 3, place.split("/")[0]: 1}
            seats.update((place.split("/")[0], setup, seat) for seat, name in enumerate(names) if name != "balanced")
    alike = ("balanced/alike", "balanced/draft_alike", *(f"{name}/alike" for name in POLICIES))
    alone = [(name, setup, seat) for name in POLICIES for setup in ("lineup", "draft") for seat in range(4)]
    assert seats == dict.fromkeys([*alike, *alone], 1)


def test_the_answer_has_a_row_a_policy_and_lies_between_the_marks(told, design):
    folder, printed = told
    text = (folder / "text.md").read_text("utf-8")
    assert printed.strip() in text
    experiment = load_experiment(SCRIPT.with_suffix(".toml"), {"games": GAMES})
    digest = design["digest"](POLICIES, experiment)[:12]
    opening = f"<!-- zoo figures of experiment {digest}: written by analyses/zoo.py, do not edit -->"
    games = GAMES * (2 + 9 * len(POLICIES))
    assert text.startswith(f"before\n{opening}\n3 policies, {GAMES} blocks each, up to 9 games a block: {games} games;")
    assert text.endswith("<!-- /zoo figures -->\nafter\n")
    rows = [line for line in printed.splitlines() if re.match(r"\| `", line)]
    names = [re.match(r"\| (`\w+`[^|]*) \|", row)[1] for row in rows]
    assert names == ["`balanced`", "`balanced`, draft", "`random`", "`builder`", "`balanced`", "`random`", "`builder`"]
    assert all(row.count(" | ") == len(design["COLUMNS"]) + 2 for row in rows[:4])
    assert rows[0].endswith("| 25, by definition | 25, by definition |")
    assert rows[1].endswith("| – | 25, by definition |")
    assert (folder / "it.png").read_bytes().startswith(b"\x89PNG")


def test_the_numbers_are_those_of_the_tables(told):
    folder, printed = told
    lines = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("| `")][:4]
    rows = {cells[0]: cells for cells in lines}
    for name, place in (("`random`", "random/alike"), ("`balanced`, draft", "balanced/draft_alike")):
        seats = open_run(folder / "runs" / place).scan("seats").collect()
        assert rows[name][1] == str(GAMES)
        assert rows[name][2] == f"{seats['attacks_on_players'].mean():.2f}"  # too few blocks for so many intervals
        assert rows[name][10] == f"{seats['shortages'].mean():.2f}"
    for column, prefix in ((12, ""), (13, "draft_")):
        won = 0.0
        for seat in range(4):
            guests = open_run(folder / "runs" / "builder" / f"{prefix}in_seat_{seat}").scan("seats").collect()
            won += guests.filter(seat=seat)["win"].sum()
        assert rows["`builder`"][column] == f"{100 * won / 4 / GAMES:.1f}"


def test_intervals_hold_for_the_whole_table_and_distances_for_all_pairs(told, design):
    folder, printed = told
    found = design["study"](folder / "runs", POLICIES, GAMES)
    table = design["confidence"](found)
    assert table == Confidence(0.95, 4 * len(design["COLUMNS"]) + 3)
    assert table.too_few(GAMES, "blocks") in printed
    assert "all pairs and 38 measures hold simultaneously" in printed
    assert Confidence(0.95, 3 * 38).too_few(GAMES, "blocks") in printed
    assert re.search(r"[0-3] of 3 pairs are plainly different", printed)


def test_a_study_that_is_there_is_not_played_again(told):
    folder, printed = told
    before = {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")}
    (folder / "runs" / "random" / "in_seat_2" / "manifest.json").unlink()  # an interrupted one goes on
    assert run(folder) == printed
    assert {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")} == before


def test_a_policy_that_is_none_is_named_before_anything_is_played(tmp_path):
    with pytest.raises(SystemExit, match='policies: "nobody" is not one of'):
        run(tmp_path, "--policies", "random,nobody")
    assert not (tmp_path / "runs").exists()


def test_columns_are_measures_and_all_policies_are_played_by_default(design):
    names = {measure.name for measure in design["measures_of"]()}
    assert set(design["COLUMNS"]) < names
    assert set(design["DRAWN"]) < names
    assert design["policy_names"] is policy_names
