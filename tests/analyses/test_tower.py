"""The study `tower` plays its design, keeps its runs, and answers with tables, verdicts and a picture."""

import re
import runpy
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from tests.analyses.studies import answer_of
from tests.test_architecture import ROOT
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import usual_plays
from wallsim.rules.tower import load_tower
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import open_run
from wallsim.stats.blocks import Estimate

SCRIPT = ROOT / "analyses" / "tower.py"
GAMES = 40
WORDS = ("--games", str(GAMES), "--strong", "builder", "--second", "banker")
PLAYS = usual_plays("builder", "banker")
OTHER_GAMES = 8  # a fifth: blocks of the plays that are not the middling one


@pytest.fixture(scope="module")
def design():
    """What the script defines."""
    return SimpleNamespace(**runpy.run_path(str(SCRIPT), run_name="tower"))


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The folder of a small study, and what it printed."""
    folder = tmp_path_factory.mktemp("tower")
    (folder / "text.md").write_text("<!-- tower figures: -->\nold\n<!-- /tower figures -->\n", "utf-8")
    return folder, answer_of(SCRIPT, folder, *WORDS, "--into", str(folder / "text.md"))


def test_the_baseline_is_the_tower_of_the_experiment(design):
    assert design.BASELINE == load_experiment(SCRIPT.with_suffix(".toml")).tower


def test_runs_are_the_design(told, design):
    folder, _ = told
    runs = {path.relative_to(folder / "runs").parts: open_run(path) for path in (folder / "runs").glob("*/*/*/*")}
    assert {run.manifest["experiment"]["identity"]["seed"] for run in runs.values()} == {2026}
    counts, seated = Counter(), Counter()
    policies = {play.name.replace(" ", "-"): play.policy for play in PLAYS}
    for (play, tower, setup, table), run in runs.items():
        identity = run.manifest["experiment"]["identity"]
        names = [policy["name"] for policy in identity["policies"]]
        assert identity["tower"] == load_tower(tower).numbers()
        assert identity["setup"] == setup
        assert identity["lineups"] == (["A", "B", "C", "D"] if setup == "lineup" else [""] * 4)
        assert ("battles" in run.manifest["rows"]) == (play == "middling")
        assert run.manifest["games"] == (OTHER_GAMES if policies.get(play, "balanced") != "balanced" else GAMES)
        counts[play, tower, setup] += 1
        if table == "alike":
            assert names == [policies[play]] * 4
        else:
            assert set(names) == set(design.PAIRS[play])
            seated.update((play, setup, seat, name) for seat, name in enumerate(names))
    kinds = {**dict.fromkeys(policies, 1), **dict.fromkeys(design.PAIRS, 6)}
    assert counts == {(p, tower, setup): n for p, n in kinds.items() for tower in TOWERS for setup in SETUPS}
    assert set(seated.values()) == {27}  # each policy of a pair has every seat equally often
    assert len(seated) == 2 * 2 * 4 * 2


def test_the_answer_has_every_outcome_tower_draft_and_claim(told, design):
    folder, printed = told
    games = 18 * (13 * GAMES + 4 * OTHER_GAMES)
    assert printed.startswith(f"{GAMES} blocks under each of 9 towers, with line-ups and in the draft, ")
    assert f" {OTHER_GAMES} of the other plays: {games:,} games; " in printed
    head, _ = printed.split("\n| success against players, % of attacks, lineup |")
    rows = [line for line in head.splitlines() if re.match(r"\| `", line)]
    drafts = [row for row in rows if row.startswith("| `spielbyweb`, draft |")]
    assert len(drafts) == len(design.OUTCOMES) - 1  # a draft has no line-up A
    assert len(rows) == 9 * len(design.OUTCOMES) + len(drafts)
    assert sum(line.endswith("| baseline |") for line in rows) == len(design.OUTCOMES)
    assert all(f"**{outcome}**, {measured.unit}: " in printed for outcome, measured in design.OUTCOMES.items())
    for claim in design.CLAIMS:
        assert claim.outcome in design.OUTCOMES
        row = next(line for line in printed.splitlines() if line.startswith(f"| {claim.words} |"))
        cells = 18 if design.of_pair(claim.outcome) else 45 if claim.outcome == "line-up A" else 90
        assert re.search(rf"\b{cells} cells", row.split(" | ")[-1])
    assert (folder / "it.png").read_bytes().startswith(b"\x89PNG")


def test_the_short_answer_lies_between_the_marks(told, design):
    folder, printed = told
    text = (folder / "text.md").read_text("utf-8")
    opening = f"<!-- tower figures of experiment {design.digest(GAMES, PLAYS)[:12]}: "
    short = re.fullmatch(rf"{opening}[^\n]*-->\n(.*)<!-- /tower figures -->\n", text, re.S)[1]
    assert all(part in printed for part in short.strip().split("\n\n"))
    assert short.count("\n| ") == (2 + len(design.OUTCOMES)) + (2 + len(design.CLAIMS))


@pytest.fixture(scope="module")
def again(told, design):
    """The estimates of the same study asked once more, and which of its files were written anew."""
    folder, _ = told
    before = {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")}
    # An interrupted one goes on.
    (folder / "runs" / "second-strong" / "mid" / "draft" / "alike" / "manifest.json").unlink()
    found = design.study(folder / "runs", GAMES, PLAYS)
    after = {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")}
    return found, set(before.items()) ^ set(after.items())


def test_a_study_that_is_there_is_not_played_again(told, again, design):
    _, printed = told
    found, changed = again
    assert not changed
    assert design.outcome_tables(found) in printed
    assert design.verdicts_table(found, PLAYS) in printed


def test_estimates_are_those_of_the_tables(told, design):
    folder, printed = told
    run = open_run(folder / "runs" / "middling" / "mid" / "lineup" / "alike")
    seats = run.scan("seats").collect()
    found = design.of_table(run)
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
    assert f"| `mid` | {GAMES} | {lost / GAMES:.2f} |" in printed  # too few blocks for so many intervals


def test_a_draft_says_nothing_of_line_ups(told, design):
    folder, printed = told
    run = open_run(folder / "runs" / "weak" / "mid" / "draft" / "alike")
    assert set(design.of_table(run)) == set(list(design.OUTCOMES)[:5])
    assert "| line-up A, % of wins, lineup |" in printed
    assert "| line-up A, % of wins, draft |" not in printed


def test_intervals_hold_for_all_outcomes_cells_and_pairs_of_towers_simultaneously(again, design):
    found, _ = again
    assert {outcome: len(cells) for outcome, cells in found.items()} == {
        **dict.fromkeys(design.OUTCOMES, 90), "line-up A": 45, "defender, as met": 18,
        "watchful wins": 18, "watchful VP": 18, "fighting wins": 18,
    }  # fmt: skip
    cells = sum(len(arms) for arms in found.values())
    assert design.MIN_RECAST >= design.confidence(found).min_blocks
    assert design.confidence(found).n_comparisons == cells + len(design.OUTCOMES) * (36 + 1)
    assert set(found["watchful wins"]) == {Cell("watchful", tower, setup) for tower in TOWERS for setup in SETUPS}


def test_a_success_of_nearly_all_attacks_is_never_told_as_all(design):
    """Shares in per cent have a top, and moves and outcomes that are no shares have none."""
    nearly = Estimate(99.999, np.tile([-0.01, 0.01], 400))
    found = {
        outcome: {Cell(design.of_pair(outcome) or "middling", tower, "lineup"): nearly for tower in TOWERS}
        for outcome in design.OUTCOMES
    }
    row = "| `spielbyweb` | 800 | {} ± < 0.01 | baseline |"
    assert row.format("> 99.99") in design.outcome_table(found, "success against players")
    assert row.format("100.00") in design.outcome_table(found, "spread")
    table = design.cell_tables(found).split("\n\n")[0]
    assert "| `mid` | > 99.99 ± < 0.01 |" in table
    moved = next(
        line for line in design.moves_table(found).splitlines() if line.startswith("| success against players")
    )
    assert moved.startswith("| success against players, % of attacks | > 99.99 to ")


def test_the_digest_tells_plays_and_blocks(design):
    found = {design.digest(40, PLAYS), design.digest(50, PLAYS), design.digest(40, usual_plays("banker", "builder"))}
    assert len(found) == 3


def test_strong_play_that_is_none_is_named_before_anything_is_played(tmp_path):
    with pytest.raises(SystemExit, match="nobody"):
        answer_of(SCRIPT, tmp_path, "--games", "2", "--second", "nobody")
    assert not (tmp_path / "runs").exists()
