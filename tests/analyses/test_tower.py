"""The study `tower` plays its design, keeps its runs, and answers with tables, verdicts and a picture."""

import re
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from tests.analyses.studies import files_of, look
from wallsim.analyses.tower import estimates as tower
from wallsim.analyses.tower import figures as rows_of
from wallsim.analyses.tower import page
from wallsim.analysis.claims.cells import SETUPS, TOWERS, Cell
from wallsim.analysis.claims.plays import default_plays
from wallsim.errors import InputError
from wallsim.rules.tower import load_tower
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.folder.results import open_run
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.running import digest_of, play_study
from wallsim.studies.study import TABLES, Choices

GAMES = 40
LINES = {"strong": "builder", "second": "banker"}
PLAYS = default_plays("builder", "banker")
OTHER_GAMES = 8  # a fifth: blocks of the plays that are not the middling one
# Of nine, so that the tests are quick: two calibrations of one model, and two models of one calibration.
FEW_TOWERS = {name: TOWERS[name] for name in ("spielbyweb", "mid", "mid-layered")}


def let_towers_be_few(patch):
    """Make the study that of three towers."""
    for module in (tower, rows_of, page):
        for name, value in (("TOWERS", FEW_TOWERS), ("ARM_PAIRS", tuple(combinations(FEW_TOWERS, 2)))):
            if hasattr(module, name):
                patch.setattr(module, name, value)


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study of three towers, and its result."""
    folder = tmp_path_factory.mktemp("tower")
    with pytest.MonkeyPatch.context() as patch:
        let_towers_be_few(patch)
        return folder, look("tower", folder, GAMES, quick=False, **LINES)


@pytest.fixture
def few_towers(monkeypatch):
    """The study is that of three towers."""
    let_towers_be_few(monkeypatch)


def test_the_baseline_is_the_tower_of_the_experiment():
    assert rows_of.BASELINE == load_experiment(tower.EXPERIMENT).tower


def test_every_play_and_pair_meets_every_tower_and_set_up():
    tables = tower.uniform_tables(GAMES, PLAYS)
    assert set(tables) == {Cell(play.name, name, setup) for play in PLAYS for name in TOWERS for setup in SETUPS}
    policies = {play.name: play.policy for play in PLAYS}
    for cell, experiment in tables.items():
        middling = cell.play == "middling"
        assert experiment.policies == (policies[cell.play],) * 4
        assert (experiment.games, experiment.battles) == (GAMES if middling else OTHER_GAMES, middling)
        assert (experiment.tower, experiment.setup, experiment.seed) == (cell.tower, cell.setup, 2026)
    pairs = tower.head_to_head(GAMES)
    assert set(pairs) == {Cell(pair, name, setup) for pair in tower.PAIRS for name in TOWERS for setup in SETUPS}
    for cell, by_seats in pairs.items():
        assert len(by_seats) == 6
        seated = Counter()
        for experiment in by_seats.values():
            assert (experiment.games, experiment.tower, experiment.setup) == (GAMES, cell.tower, cell.setup)
            seated.update(enumerate(experiment.policies))
        # Each policy has every seat equally often.
        assert seated == {(seat, name): 3 for seat in range(4) for name in tower.PAIRS[cell.play]}


def test_runs_lie_where_their_cells_say(reported):
    folder, _ = reported
    runs = {path.relative_to(folder).parts: open_run(path) for path in folder.glob("*/*/*/*") if path.is_dir()}
    assert len(runs) == len(FEW_TOWERS) * 2 * (5 + 2 * 6)
    policies = {play.name.replace(" ", "-"): play.policy for play in PLAYS}
    for (play, name, setup, table), run in runs.items():
        identity = run.manifest["experiment"]["identity"]
        names = [policy["name"] for policy in identity["policies"]]
        assert identity["tower"] == load_tower(name).numbers()
        assert identity["setup"] == setup
        assert identity["lineups"] == (["A", "B", "C", "D"] if setup == "lineup" else [""] * 4)
        assert ("battles" in run.manifest["rows"]) == (play == "middling")
        if table == "alike":
            assert names == [policies[play]] * 4
        else:
            one, other = tower.PAIRS[play]
            assert names == [one if str(seat) in table else other for seat in range(4)]


def test_the_answer_has_every_outcome_tower_draft_and_claim(reported):
    printed = reported[1].blocks()[TABLES]
    games = 6 * (13 * GAMES + 4 * OTHER_GAMES)
    assert printed.startswith(f"{GAMES} blocks under each of 3 towers, with line-ups and in the draft, ")
    assert f" {OTHER_GAMES} of the other plays: {games:,} games; " in printed
    head, _ = printed.split("\n| success against players, % of attacks, lineup |")
    rows = [line for line in head.splitlines() if re.match(r"\| `", line)]
    drafts = [row for row in rows if row.startswith("| `spielbyweb`, draft |")]
    assert len(drafts) == len(tower.OUTCOMES) - 1  # a draft has no line-up A
    assert len(rows) == 3 * len(tower.OUTCOMES) + len(drafts)
    assert sum(line.endswith("| baseline |") for line in rows) == len(tower.OUTCOMES)
    assert all(f"**{outcome}**, {measured.unit}: " in printed for outcome, measured in tower.OUTCOMES.items())
    for claim in tower.CLAIMS:
        assert claim.outcome in tower.OUTCOMES
        row = next(line for line in printed.splitlines() if line.startswith(f"| {claim.words} |"))
        cells = 6 if tower.of_pair(claim.outcome) else 15 if claim.outcome == "line-up A" else 30
        assert re.search(rf"\b{cells} cells", row.split(" | ")[-1])


@pytest.mark.usefixtures("few_towers")
def test_all_tables_begin_with_what_moves_and_the_answers(reported):
    _, moves, verdicts, *_ = reported[1].blocks()[TABLES].split("\n\n")
    assert moves.startswith("| outcome")
    assert moves.count("\n| ") == 1 + len(tower.OUTCOMES)
    assert verdicts.count("\n| ") == 1 + len(tower.CLAIMS)


@pytest.fixture(scope="module")
def again(reported):
    """The estimates of the same study asked once more, and which of its files were written again."""
    folder, _ = reported
    before = files_of(folder)
    # An interrupted one resumes.
    (folder / "second-strong" / "mid" / "draft" / "alike" / "manifest.json").unlink()
    with pytest.MonkeyPatch.context() as patch:
        let_towers_be_few(patch)
        result = play_study(load_study("tower"), folder, Choices(GAMES, options=LINES))
    return result, set(before.items()) ^ set(files_of(folder).items())


@pytest.mark.usefixtures("few_towers")
def test_a_study_that_is_there_is_not_played_again(reported, again):
    result, changed = again
    assert not changed
    assert result.figures == reported[1].figures


def test_estimates_are_those_of_the_tables(reported):
    folder, printed = reported[0], reported[1].text
    run = open_run(folder / "middling" / "mid" / "lineup" / "alike")
    seats = run.scan("seats").collect()
    result = tower.of_table(run)
    won, made = seats["attacks_on_players_won"].sum(), seats["attacks_on_players"].sum()
    assert result["success against players"].value == pytest.approx(100 * won / made)
    assert result["attacks on players"].value == pytest.approx(made / GAMES)
    others = seats["attacks"].sum() - made
    assert result["success against neutrals"].value == pytest.approx(100 * (seats["attacks_won"].sum() - won) / others)
    lost = seats["times_attacked_lost"].sum() + seats["revolts_lost"].sum()
    assert result["counties changing hands"].value == pytest.approx(lost / GAMES)
    spread = [points.max() - points.min() for points in seats["vp"].to_numpy().reshape(GAMES, 4)]
    assert result["first above last"].value == pytest.approx(sum(spread) / GAMES)
    assert result["line-up A"].value == pytest.approx(100 * seats.filter(seat=0)["win"].sum() / GAMES)
    assert f"| `mid` | {GAMES} | {lost / GAMES:.2f} |" in printed  # too few blocks for so many intervals


def test_a_draft_says_nothing_of_line_ups(reported):
    folder, printed = reported[0], reported[1].text
    run = open_run(folder / "weak" / "mid" / "draft" / "alike")
    assert set(tower.of_table(run)) == set(list(tower.OUTCOMES)[:5])
    assert "| line-up A, % of wins, lineup |" in printed
    assert "| line-up A, % of wins, draft |" not in printed


@pytest.mark.usefixtures("few_towers")
def test_intervals_hold_for_all_outcomes_cells_and_pairs_of_towers_simultaneously(reported):
    figures = reported[1].figures
    assert {outcome: len(page.of_outcome(figures, outcome)) for outcome in tower.OUTCOMES} == {
        **dict.fromkeys(tower.OUTCOMES, 30), "line-up A": 15, "one more defender, as met": 6,
        "balanced against heedless": 6, "balanced above heedless": 6, "conqueror against builder": 6,
    }  # fmt: skip
    cells = sum(len(page.of_outcome(figures, outcome)) for outcome in tower.OUTCOMES)
    assert rows_of.sure_of(figures).n_comparisons == cells + len(tower.OUTCOMES) * (3 + 1)
    assert {figure.family for figure in figures.values()} == {rows_of.sure_of(figures).n_comparisons}
    assert set(page.of_outcome(figures, "balanced against heedless")) == {
        Cell("watchful", name, setup) for name in FEW_TOWERS for setup in SETUPS
    }


def test_a_success_of_nearly_all_attacks_is_never_reported_as_all():
    """Shares in per cent have a top, and moves and outcomes that are no shares have none."""
    nearly = Estimate(99.999, np.tile([-0.01, 0.01], 400))
    result = {
        outcome: {Cell(tower.of_pair(outcome) or "middling", name, "lineup"): nearly for name in TOWERS}
        for outcome in tower.OUTCOMES
    }
    rows = Rows("tower", 1, "0")
    rows_of.add_figures(result, rows)
    figures = rows.done()
    row = "| `spielbyweb` | 800 | {} ± < 0.01 | baseline |"
    assert row.format("> 99.99") in page.outcome_table(figures, "success against players")
    assert row.format("100.00") in page.outcome_table(figures, "first above last")
    table = page.cell_tables(figures).split("\n\n")[0]
    assert "| `mid` | > 99.99 ± < 0.01 |" in table
    moved = next(
        line for line in page.moves_table(figures).splitlines() if line.startswith("| success against players")
    )
    assert moved.startswith("| success against players, % of attacks | > 99.99 to ")


def test_recasts_are_enough_for_intervals_of_all_comparisons():
    """The study has 90 cells of outcomes, fewer of some, and compares every outcome by all pairs of towers."""
    cells = 6 * 90 + 45 + 4 * 18
    every = Confidence(0.95, cells + len(tower.OUTCOMES) * (36 + 1))
    assert tower.recasts(load_experiment(tower.EXPERIMENT)) >= tower.MIN_RECAST >= every.min_blocks


@pytest.mark.usefixtures("few_towers")
def test_the_digest_tells_plays_and_blocks():
    study = load_study("tower")
    chosen = (Choices(40, options=LINES), Choices(50, options=LINES), Choices(40))
    assert len({digest_of(study, study.design(choices)) for choices in chosen}) == 3


def test_strong_play_that_is_none_is_named_before_anything_is_played(tmp_path):
    with pytest.raises(InputError, match="nobody"):
        look("tower", tmp_path / "runs", 2, quick=False, second="nobody")
    assert not (tmp_path / "runs").exists()
