"""The study `tower` plays its design, keeps its runs, and answers with tables, verdicts and a picture."""

import re
import runpy
from collections import Counter

import pytest

from tests.studies import answer_of
from tests.test_architecture import ROOT
from wallsim.analysis.intervals import normal_quantile
from wallsim.rules.tower import load_tower, tower_presets
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.results import open_run

SCRIPT = ROOT / "analyses" / "tower.py"
GAMES = 40


@pytest.fixture(scope="module")
def design():
    """What the script defines."""
    return runpy.run_path(str(SCRIPT), run_name="tower")


@pytest.fixture(scope="module")
def told(tmp_path_factory, design):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("tower")
    return folder, answer_of(SCRIPT, folder, "--games", str(GAMES))


def test_the_nine_towers_are_all_presets_and_say_their_model(design):
    assert set(design["TOWERS"]) == set(tower_presets())
    for name, (_, model) in design["TOWERS"].items():
        assert load_tower(name).model == model
    assert design["BASELINE"] == load_experiment(SCRIPT.with_suffix(".toml")).tower


def test_runs_are_the_design(told, design):
    folder, _ = told
    runs = [open_run(path) for path in sorted((folder / "runs").glob("*/*"))]
    assert len(runs) == 9 * 13
    seeds = {(run.manifest["games"], run.manifest["experiment"]["identity"]["seed"]) for run in runs}
    assert len(seeds) == 1  # the same blocks everywhere
    towers = Counter(run.folder.parent.name for run in runs)
    assert towers == dict.fromkeys(design["TOWERS"], 13)
    for run in runs:
        identity = run.manifest["experiment"]["identity"]
        assert identity["tower"] == load_tower(run.folder.parent.name).numbers()
        assert identity["lineups"] == ["A", "B", "C", "D"]
        assert ("battles" in run.manifest["rows"]) == (run.folder.name == "alike")
    for one, other in design["PAIRS"].values():
        seated = Counter()
        for run in runs:
            names = [policy["name"] for policy in run.manifest["experiment"]["identity"]["policies"]]
            if set(names) == {one, other}:
                seated.update(enumerate(names))
        assert seated == {(seat, name): 27 for seat in range(4) for name in (one, other)}


def test_the_answer_has_every_outcome_tower_and_claim(told, design):
    folder, printed = told
    outcomes, claims = design["OUTCOMES"], design["CLAIMS"]
    assert printed.startswith(f"{GAMES} blocks under each of 9 towers, 13 games a block: 4,680 games")
    rows = [line for line in printed.splitlines() if re.match(r"\| `", line)]
    assert len(rows) == 9 * len(outcomes)
    assert sum(line.endswith("| baseline |") for line in rows) == len(outcomes)
    assert all(f"**{outcome}**, {measured.unit}: " in printed for outcome, measured in outcomes.items())
    for claim in claims:
        assert claim.outcome in outcomes
        row = next(line for line in printed.splitlines() if line.startswith(f"| {claim.words} |"))
        assert re.search(r"tower-proof|false under every tower", row)
    assert (folder / "it.png").read_bytes().startswith(b"\x89PNG")


def test_a_study_that_is_there_is_not_played_again(told, design):
    folder, printed = told
    before = {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")}
    (folder / "runs" / "mid" / "alike" / "manifest.json").unlink()  # an interrupted one goes on
    found = design["study"](folder / "runs", GAMES)
    assert {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")} == before
    assert design["outcome_tables"](found) in printed


def test_estimates_are_those_of_the_tables(told, design):
    folder, printed = told
    run = open_run(folder / "runs" / "mid" / "alike")
    seats = run.scan("seats").collect()
    found = design["of_table"](run)
    won, made = seats["attacks_on_players_won"].sum(), seats["attacks_on_players"].sum()
    assert found["success against players"].value == pytest.approx(100 * won / made)
    assert found["attacks on players"].value == pytest.approx(made / GAMES)
    others = seats["attacks"].sum() - made
    assert found["success against neutrals"].value == pytest.approx(100 * (seats["attacks_won"].sum() - won) / others)
    lost = seats["times_attacked_lost"].sum() + seats["revolts_lost"].sum()
    assert found["turnover"].value == pytest.approx(lost / GAMES)
    spread = [points.max() - points.min() for points in seats["vp"].to_numpy().reshape(GAMES, 4)]
    assert found["spread"].value == pytest.approx(sum(spread) / GAMES)
    assert found["line-up A"].value == pytest.approx(100 * seats.filter(seat=0)["win"].sum() / GAMES)
    assert f"| `mid` | {GAMES} | {lost / GAMES:.2f} ± " in printed


def test_intervals_hold_for_all_outcomes_towers_and_pairs_at_once(design):
    assert pytest.approx(normal_quantile(0.95, len(design["OUTCOMES"]) * (9 + 36))) == design["Z"]
