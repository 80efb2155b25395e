"""The study `first_look` plays every cell, prints its tables, and writes them into the given pages."""

import polars as pl
import pytest

from tests.analyses.studies import files_of, look, number, table_of
from wallsim.analyses.first_look import estimates as first_look
from wallsim.analyses.first_look import study as page
from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import STRONG_POLICY, default_plays
from wallsim.errors import InputError
from wallsim.rules.tower import load_tower
from wallsim.runs.folder.results import open_run
from wallsim.studies.catalogue import load_study
from wallsim.studies.running import digest_of, play_study
from wallsim.studies.study import Choices

BLOCKS = 12
LINES = {"strong": "builder", "second": "banker"}
PLAYS = default_plays("builder", "banker")
POLICIES = {play.name.replace(" ", "-"): play.policy for play in PLAYS}


FEW_TOWERS = {name: TOWERS[name] for name in ("spielbyweb", "mid")}  # of nine, so that the tests are quick


def let_towers_be_few(patch):
    """Make the study that of two towers."""
    for module in (first_look, page):
        patch.setattr(module, "TOWERS", FEW_TOWERS)


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study of two towers, and its result."""
    folder = tmp_path_factory.mktemp("first_look")
    with pytest.MonkeyPatch.context() as patch:
        let_towers_be_few(patch)
        return folder, look("first_look", folder, BLOCKS, quick=False, **LINES)


@pytest.fixture
def few_towers(monkeypatch):
    """The study is that of two towers."""
    let_towers_be_few(monkeypatch)


def wins_of(runs, letter):
    """The share of wins of a line-up over some runs, in per cent."""
    rows = pl.concat([run.scan("seats").collect() for run in runs])
    return 100 * rows.filter(pl.col("lineup").cast(pl.String) == letter)["win"].cast(pl.Float64).mean()


def test_every_play_meets_every_tower_in_all_arrangements_and_drafts_once():
    base, drafts, seated = "spielbyweb", {}, {}
    for (cell, way), experiment in first_look.experiments(BLOCKS, PLAYS).items():
        assert set(experiment.policies) == {POLICIES[cell.play.replace(" ", "-")]}
        assert (experiment.tower, experiment.seed, experiment.setup) == (cell.tower, 1, cell.setup)
        if way == "draft":
            assert (cell.tower, cell.setup, experiment.games) == (base, "draft", 8 * BLOCKS)
            drafts[cell.play] = way
        else:
            assert (experiment.games, "".join(experiment.lineups)) == (BLOCKS, way)
            seated.setdefault(cell, set()).add(way)
    assert list(drafts) == [play.name for play in PLAYS]
    assert set(seated) == {Cell(play.name, tower, "lineup") for play in PLAYS for tower in TOWERS}
    for ways in seated.values():
        assert ways == {"ABCD", "BCDA", "CDAB", "DABC", "DCBA", "CBAD", "BADC", "ADCB"}


def test_the_baseline_has_the_games_of_the_experiment_and_other_cells_fewer():
    games = {cell: each.games for (cell, way), each in first_look.experiments(None, PLAYS).items() if way != "draft"}
    assert games.pop(first_look.baseline_cell()) == 100_000 / 8
    assert set(games.values()) == {first_look.BLOCKS}


def test_runs_lie_where_their_cells_say(reported):
    folder, _ = reported
    estimate = {path.relative_to(folder).parts: open_run(path) for path in folder.glob("*/*/*") if path.is_dir()}
    assert len(estimate) == len(POLICIES) * (len(FEW_TOWERS) * 8 + 1)
    for (play, tower, way), run in estimate.items():
        identity = run.manifest["experiment"]["identity"]
        assert {policy["name"] for policy in identity["policies"]} == {POLICIES[play]}
        assert identity["tower"] == load_tower(tower).numbers()
        assert identity["setup"] == ("draft" if way == "draft" else "lineup")
        assert way == "draft" or "".join(identity["lineups"]) == way


def test_the_numbers_are_those_of_the_runs(reported):
    folder, printed = reported[0], reported[1].text
    baseline = [open_run(path) for path in (folder / "middling" / "spielbyweb").glob("[A-D]*")]
    assert len(baseline) == 8
    for row in table_of(printed, "line-up"):
        assert number(row[1]) == pytest.approx(wins_of(baseline, row[0]), abs=0.0051)
    shares = {row[0]: row[1:] for row in table_of(printed, "share of wins, %")}
    assert [number(cell) for cell in shares["baseline"]] == pytest.approx(
        [wins_of(baseline, letter) for letter in "ABCD"], abs=0.051
    )
    cells = table_of(printed, "line-up A, % of wins")
    ahead = table_of(printed, "A minus B, % of wins")
    assert [row[0].strip("`") for row in cells] == [row[0].strip("`") for row in ahead]
    estimate = {}
    for row, other in zip(cells, ahead, strict=True):
        for play, cell, gap in zip(POLICIES, row[1:], other[1:], strict=True):
            runs = [open_run(path) for path in (folder / play / row[0].strip("`")).glob("[A-D]*")]
            estimate[play, row[0]] = wins_of(runs, "A")
            assert number(cell) == pytest.approx(estimate[play, row[0]], abs=0.051)
            assert number(gap) == pytest.approx(estimate[play, row[0]] - wins_of(runs, "B"), abs=0.051)
    assert len(estimate) == 10
    assert number(shares["lowest of 10 cells"][0]) == pytest.approx(min(estimate.values()), abs=0.051)
    assert number(shares["highest of 10 cells"][0]) == pytest.approx(max(estimate.values()), abs=0.051)


def test_points_by_source_are_those_of_the_runs_and_add_up_to_the_points(reported):
    folder, figures = reported[0], reported[1].figures
    runs = [open_run(path) for path in (folder / "middling" / "spielbyweb").glob("[A-D]*")]
    seats = pl.concat([run.scan("seats").collect() for run in runs])
    for letter in "ABCD":
        mine = seats.filter(pl.col("lineup").cast(pl.String) == letter)
        each = {
            source: figures[f"first_look.points-by-source.4p.{letter}-{source}/middling/spielbyweb@winter-{year}"]
            for source, year in (("counties", 1), ("palace-majorities", 2))
        }
        assert each["counties"].value == pytest.approx(mine["vp_counties_year1"].mean())
        assert each["palace-majorities"].value == pytest.approx(mine["vp_palace_majorities_year2"].mean())
        points = [row.value for key, row in figures.items() if f".points-by-source.4p.{letter}-" in key]
        assert len(points) == 2 * 5
        assert sum(points) == pytest.approx(mine["vp"].mean())
    frame = page.points_by_source(figures)
    assert frame["player"].unique(maintain_order=True).to_list() == list("ABCD")
    assert frame["vp"].sum() == pytest.approx(4 * seats["vp"].mean())


def test_a_joint_test_that_cannot_be_made_is_said_to_be_impossible(reported):
    assert "(Hotelling) cannot be made with so few blocks." in reported[1].text


def test_drafts_have_a_row_a_play(reported):
    folder, printed = reported[0], reported[1].text
    rows = table_of(printed, "play")
    assert [row[0] for row in rows] == [f"{play.replace('-', ' ')}, draft" for play in POLICIES]
    for row, play in zip(rows, POLICIES, strict=True):
        seats = open_run(folder / play / "spielbyweb" / "draft").scan("seats").collect()
        for seat in range(4):
            won = seats.filter(seat=seat)["win"].cast(pl.Float64).mean()
            assert number(row[1 + seat]) == pytest.approx(100 * won, abs=0.051)
        points = seats.sort("game", "seat")["vp"].to_numpy().reshape(-1, 4)
        assert number(row[5]) == pytest.approx((points.max(axis=1) - points.min(axis=1)).mean(), abs=0.0051)


@pytest.mark.usefixtures("few_towers")
def test_a_study_that_is_there_is_not_played_again(reported):
    folder, result = reported
    before = files_of(folder)
    (folder / "strong" / "mid" / "DCBA" / "manifest.json").unlink()  # an interrupted one resumes
    again = play_study(load_study("first_look"), folder, Choices(BLOCKS, options=LINES))
    assert files_of(folder) == before
    assert (again.page, again.figures) == (result.page, result.figures)


@pytest.mark.usefixtures("few_towers")
def test_the_digest_tells_any_change_of_any_run():
    def digest(blocks, plays):
        return digest_of(load_study("first_look"), first_look.Design(blocks, plays))

    digests = {
        digest(None, PLAYS),
        digest(120, PLAYS),
        digest(None, default_plays(STRONG_POLICY, "banker")),
        digest(None, default_plays("builder", STRONG_POLICY)),
        digest(None, (*PLAYS[:-1], PLAYS[-1]._replace(line=PLAYS[-2].line))),
    }
    assert len(digests) == 5
    assert digest(None, PLAYS) in digests


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ({"strong": "nobody", "second": "banker"}, "nobody"),
        ({"second": "nobody"}, "nobody"),
        ({"second": STRONG_POLICY}, f"policy {STRONG_POLICY} occurs more than once"),
    ],
)
def test_the_study_refuses_strong_play_that_is_none_or_not_another_line(tmp_path, lines, message):
    with pytest.raises(InputError, match=message):
        look("first_look", tmp_path / "runs", 2, quick=False, **lines)
    assert not (tmp_path / "runs").exists()


def test_its_claims_are_judged_under_any_experiment():
    experiment = first_look.load_experiment(first_look.EXPERIMENT, {"policies": "random"})
    outcomes = first_look.claim_outcomes(experiment, 1, workers=1)
    assert set(outcomes) == {claim.outcome for claim in first_look.CLAIMS}
    assert {each.blocks for each in outcomes.values()} == {24}
    assert first_look.claim_outcomes(experiment.changed(setup="draft", lineups=()), 1) == {}
