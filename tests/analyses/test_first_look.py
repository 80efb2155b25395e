"""The study `first_look` plays every cell, prints its tables, and says something else where its figures say it."""

from itertools import combinations

import polars as pl
import pytest

from tests.analyses.studies import LINES, hashes_of, look, number, published, table_of
from wallsim.analyses.first_look import study as first_look
from wallsim.analyses.first_look.study import ARRANGEMENTS, HOME
from wallsim.analysis.claims.cells import TOWERS, default_plays
from wallsim.folder.results import Run
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import quantity_of
from wallsim.studies.study import Choices

BLOCKS = 12
SHARE = "share of wins, %"
PLAYS = default_plays("builder", "banker")
POLICIES = {play.name.replace(" ", "-"): play.policy for play in PLAYS}
FEW_TOWERS = {name: TOWERS[name] for name in ("spielbyweb", "mid")}  # of nine, so that the tests are quick


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The folder of a small study of two towers, and its result."""
    folder = tmp_path_factory.mktemp("first_look")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first_look, "TOWERS", FEW_TOWERS)
        return folder, look("first_look", folder, BLOCKS, quick=False, **LINES)


@pytest.fixture(scope="module")
def baseline(reported):
    """The rows of seats of the baseline cell."""
    return seats_of(reported[0] / "middling" / "spielbyweb")


def seats_of(folder):
    """The rows of seats of a cell with line-ups."""
    paths = list(folder.glob("[A-D]*"))
    assert len(paths) == 8
    return pl.concat([Run.open(path).scan("seats").collect() for path in paths])


def wins_of(seats, letter):
    """The share of wins of a line-up, in per cent."""
    return 100 * seats.filter(pl.col("lineup").cast(pl.String) == letter)["win"].cast(pl.Float64).mean()


def test_every_cell_is_played_in_all_arrangements_and_every_play_drafts_once():
    drafts, seated = [], {}
    for (cell, way), experiment in first_look.experiments(BLOCKS, PLAYS).items():
        assert set(experiment.policies) == {POLICIES[cell.play.replace(" ", "-")]}
        assert (experiment.tower, experiment.seed, experiment.setup) == (cell.tower, 1, cell.setup)
        if way == "draft":
            assert (cell.tower, cell.setup, experiment.games) == (HOME.tower, "draft", 8 * BLOCKS)
            drafts.append(cell.play)
        else:
            assert (experiment.games, "".join(experiment.lineups)) == (BLOCKS, way)
            seated.setdefault(cell, set()).add(way)
    assert drafts == [play.name for play in PLAYS]
    assert set(seated) == set(first_look.CELLS) >= {HOME._replace(tower=tower) for tower in TOWERS}
    for ways in seated.values():
        assert ways == {"ABCD", "BCDA", "CDAB", "DABC", "DCBA", "CBAD", "BADC", "ADCB"}


@pytest.mark.one_in(4, "file")
def test_runs_lie_where_their_cells_say(reported, monkeypatch):
    monkeypatch.setattr(first_look, "TOWERS", FEW_TOWERS)
    assert hashes_of(reported[0]) == {
        (cell.play.replace(" ", "-"), cell.tower, way): experiment.hash()
        for (cell, way), experiment in first_look.experiments(BLOCKS, PLAYS).items()
    }


@pytest.mark.one_in(4, "file")
def test_the_numbers_are_those_of_the_runs(reported, baseline):
    folder, printed = reported[0], reported[1].text
    shares = {row[0]: [*map(number, row[1:])] for row in table_of(printed, f"{SHARE} | A")}
    assert shares["baseline"] == pytest.approx([wins_of(baseline, letter) for letter in "ABCD"], abs=0.051)
    ahead, every = {row[0].strip("`"): row[1:] for row in table_of(printed, "A minus B, % of wins")}, []
    for row in table_of(printed, "line-up A, % of wins"):
        tower = row[0].strip("`")
        for play, cell, gap in zip(POLICIES, row[1:], ahead[tower], strict=True):
            if not (folder / play / tower).exists():
                assert (cell, gap) == (NOTHING, NOTHING)
                continue
            won = [wins_of(seats_of(folder / play / tower), letter) for letter in "AB"]
            assert (number(cell), number(gap)) == pytest.approx((won[0], won[0] - won[1]), abs=0.051)
            every.append(won[0])
    ends = [shares[f"{name} of 9 cells"][0] for name in ("lowest", "highest")]
    assert ends == pytest.approx([min(every), max(every)], abs=0.051)
    assert "cannot be made" in printed  # the test of equal arrangements, with so few blocks


@pytest.mark.one_in(4, "file")
def test_points_by_source_are_those_of_the_runs_and_add_up_to_the_points(reported, baseline):
    figures = reported[1].figures
    for letter in "ABCD":
        mine = baseline.filter(pl.col("lineup").cast(pl.String) == letter)
        for source, year in (("counties", 1), ("palace-majorities", 2)):
            each = figures[f"first_look.points-by-source.4p.{letter}-{source}/middling/spielbyweb@winter-{year}"]
            assert each.value == pytest.approx(mine[f"vp_{source.replace('-', '_')}_year{year}"].mean())
        points = [row.value for key, row in figures.items() if f".points-by-source.4p.{letter}-" in key]
        assert len(points) == 2 * 5
        assert sum(points) == pytest.approx(mine["vp"].mean())


@pytest.mark.one_in(4, "file")
def test_drafts_have_a_row_a_play(reported):
    folder, printed = reported[0], reported[1].text
    for row, play in zip(table_of(printed, "play"), POLICIES, strict=True):
        assert row[0] == f"{play.replace('-', ' ')}, draft"
        seats = Run.open(folder / play / "spielbyweb" / "draft").scan("seats").collect()
        won = [100 * seats.filter(seat=seat)["win"].cast(pl.Float64).mean() for seat in range(4)]
        assert [number(cell) for cell in row[1:5]] == pytest.approx(won, abs=0.051)
        points = seats.sort("game", "seat")["vp"].to_numpy().reshape(-1, 4)
        assert number(row[5]) == pytest.approx((points.max(axis=1) - points.min(axis=1)).mean(), abs=0.0051)


def test_its_claims_are_judged_under_any_experiment():
    experiment = first_look.load_experiment(first_look.EXPERIMENT, {"policies": "random"})
    outcomes = first_look.claim_outcomes(experiment, 1)
    assert set(outcomes) == {claim.outcome for claim in first_look.CLAIMS}
    assert {each.blocks for each in outcomes.values()} == {24}
    assert first_look.claim_outcomes(experiment.changed(setup="draft", lineups=()), 1) == {}


@pytest.mark.parametrize("sign", [1, -1], ids=["as played", "arrangements exchanged"])
def test_the_largest_of_all_differences_has_the_higher_arrangement_first(sign):
    def exchanged(row):
        ends = sorted((sign * row.low, sign * row.high)) if row.ends else (row.low, row.high)
        gap = quantity_of(row.id) == "difference-by-arrangement"
        return {"value": sign * row.value, "low": ends[0], "high": ends[1]} if gap else {}

    figures = published("first_look", exchanged)
    rows = [row for key, row in figures.items() if quantity_of(key) == "difference-by-arrangement"]
    assert len(rows) == 4 * len([*combinations(ARRANGEMENTS, 2)])
    gap = max(rows, key=lambda row: abs(row.value))
    letter, one, _, other = gap.id.split("/")[0].rpartition(".")[2].split("-")
    low, high = (other, one) if gap.value > 0 else (one, other)
    text = first_look.seats_words(figures)
    assert f"line-up {letter}, {in_words(abs(gap.value), gap.ends, 2)} percentage points from `{low}` " in text
    assert f" to `{high}`." in text


def test_no_share_of_nearly_all_wins_is_shown_as_all():
    study, extreme = load_study("first_look"), "> 99.9 ± < 0.1"
    nearly = {"value": 99.99, "low": 99.989, "high": 99.991}

    def changed(row):
        return nearly if quantity_of(row.id) in ("seat-wins", "wins") else {}

    text = study.page(published("first_look", changed), study.design(Choices())).tables
    assert [row[1:5] for row in table_of(text, "play")] == [[extreme] * 4] * 5
    assert {cell for row in table_of(text, "line-up A, % of wins") for cell in row[1:]} == {extreme, NOTHING}
    assert all(row[1].startswith(extreme) for row in table_of(text, f"{SHARE} | A"))
