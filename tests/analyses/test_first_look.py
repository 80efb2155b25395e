"""The study `first_look` plays every cell, prints its tables, and writes them into the given pages."""

import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

from tests.analyses.studies import files_of, look, number, table_of
from wallsim.analyses.first_look import estimates as first_look
from wallsim.analyses.first_look import figures as rows_of
from wallsim.analyses.first_look import page
from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import STRONG_POLICY, usual_plays
from wallsim.analysis.seating.arrangements import Arranged
from wallsim.errors import InputError
from wallsim.rules.tower import load_tower
from wallsim.runs.folder.results import open_run
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.register import read_register, register_text
from wallsim.studies.running import FIGURES, digest_of, play_study
from wallsim.studies.study import Choices

BLOCKS = 12
MANY = 400  # blocks of a planted study: more than any of its tables needs
LINES = {"strong": "builder", "second": "banker"}
PLAYS = usual_plays("builder", "banker")
POLICIES = {play.name.replace(" ", "-"): play.policy for play in PLAYS}


FEW_TOWERS = {name: TOWERS[name] for name in ("spielbyweb", "mid")}  # of nine, so that the tests are quick


def let_towers_be_few(patch):
    """Make the study that of two towers."""
    for module in (first_look, page):
        patch.setattr(module, "TOWERS", FEW_TOWERS)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
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


def test_runs_lie_where_their_cells_say(told):
    folder, _ = told
    found = {path.relative_to(folder).parts: open_run(path) for path in folder.glob("*/*/*") if path.is_dir()}
    assert len(found) == len(POLICIES) * (len(FEW_TOWERS) * 8 + 1)
    for (play, tower, way), run in found.items():
        identity = run.manifest["experiment"]["identity"]
        assert {policy["name"] for policy in identity["policies"]} == {POLICIES[play]}
        assert identity["tower"] == load_tower(tower).numbers()
        assert identity["setup"] == ("draft" if way == "draft" else "lineup")
        assert way == "draft" or "".join(identity["lineups"]) == way


def test_the_tables_say_what_was_played(told):
    printed = told[1].page.text
    games = BLOCKS * 8 * (10 + 5)
    assert printed.startswith(f"{BLOCKS * 8} games, 4 players, policy balanced, tower spielbyweb, seed 1, ")
    assert f"9 more cells have {BLOCKS * 8} games each, and with the drafts there are {games:,}." in printed


def test_the_headline_has_the_shares_of_the_tables_and_says_what_they_assume(told):
    printed, text = told[1].page.text, told[1].page.blocks["headline"]
    assert table_of(text, "line-up") == [row[:3] for row in table_of(printed, "line-up")]
    extremes = {row[0]: row[1] for row in table_of(printed, "share of wins, %")}
    low, high = extremes["lowest of 10 cells"], extremes["highest of 10 cells"]
    assert f"Over 10 combinations of 5 plays and 2 towers line-up A wins from {low} to {high} per cent." in text
    for words in (
        f"{BLOCKS * 8} games with line-ups, not the draft",
        "policy balanced",
        "engine version",
        "25 % is fair",
    ):
        assert words in text


def test_the_numbers_are_those_of_the_runs(told):
    folder, printed = told[0], told[1].page.text
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
    found = {}
    for row, other in zip(cells, ahead, strict=True):
        for play, cell, gap in zip(POLICIES, row[1:], other[1:], strict=True):
            runs = [open_run(path) for path in (folder / play / row[0].strip("`")).glob("[A-D]*")]
            found[play, row[0]] = wins_of(runs, "A")
            assert number(cell) == pytest.approx(found[play, row[0]], abs=0.051)
            assert number(gap) == pytest.approx(found[play, row[0]] - wins_of(runs, "B"), abs=0.051)
    assert len(found) == 10
    assert number(shares["lowest of 10 cells"][0]) == pytest.approx(min(found.values()), abs=0.051)
    assert number(shares["highest of 10 cells"][0]) == pytest.approx(max(found.values()), abs=0.051)


def test_points_by_source_are_those_of_the_runs_and_add_up_to_the_points(told):
    folder, figures = told[0], told[1].figures
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


def test_the_register_is_the_same_when_it_is_read(told):
    folder, result = told
    assert read_register("first_look", folder / FIGURES) == result.figures
    assert (folder / FIGURES).read_text("utf-8") == register_text(result.figures)


@pytest.fixture(scope="module")
def planted():
    """What a study of 400 blocks a cell might find, with standard errors of ONE, and its answer.

    The baseline's games have a winner each, drawn at random. Of the claims about A, three cells lie near their number:
    one that holds by its interval of 90, one that would hold only if fewer were counted, and one that fails.
    """
    rng = np.random.default_rng(7)
    cells = {
        Cell(play.name, tower, "lineup"): {
            **{f"line-up {letter}": about(value) for letter, value in zip("ABCD", (45, 20, 18, 17), strict=True)},
            first_look.AHEAD: about(25),
        }
        for play in PLAYS
        for tower in TOWERS
    }
    first, second, third = list(cells)[10:13]
    cells[first]["line-up A"] = about(25 + quantile(90) + 0.01)
    cells[second]["line-up A"] = about(25 + quantile(90) - 0.01)
    cells[third][first_look.AHEAD] = about(-quantile(90) - 0.01)
    wins = np.eye(4)[rng.choice(4, (MANY, 8), p=(0.4, 0.3, 0.2, 0.1))]
    baseline = Arranged(tuple("ABCD"), tuple(first_look.ARRANGEMENTS), wins, rng.normal(40, 6, (MANY, 8, 4)))
    drafts = {play.name: first_look.Drafted([about(25.0 + seat) for seat in range(4)], about(12)) for play in PLAYS}
    points = {key: about(5) for key in first_look.POINTS}
    found = first_look.FirstLook(PLAYS, cells, baseline, points, {play.name: about(11) for play in PLAYS}, drafts)
    return found, tables_of(found)


def registered(found):
    """The figures of what a study found."""
    rows = Rows("first_look", 1, "0")
    rows_of.add_figures(found, rows)
    return rows.done()


def tables_of(found):
    """The page of what a study found."""
    return page.all_tables(registered(found), first_look.Design(MANY, PLAYS))


def about(value):
    """An estimate of MANY blocks with a standard error of one."""
    return Estimate(float(value), np.tile([-1.0, 1.0], MANY // 2) * np.sqrt(MANY - 1))


def quantile(count):
    """Student's for `count` simultaneous intervals of MANY blocks."""
    return t.ppf(1 - 0.05 / 2 / count, MANY - 1)


def test_intervals_of_a_table_count_all_of_its_own(planted):
    """Half-widths of 180 shares of four line-ups in 45 cells, of 90 claimed outcomes, and of 30 numbers of drafts."""
    _, text = planted
    baseline = table_of(text, "share of wins, % | A")[0]
    assert baseline == ["baseline", *(f"{value}.0 ± {quantile(180):.1f}" for value in (45, 20, 18, 17))]
    shares = [cell for row in table_of(text, "share of wins, % | A") for cell in row[1:]]
    assert {re.search(r" ± (\S+)", cell)[1] for cell in shares} == {f"{quantile(180):.1f}"}
    for head in ("line-up A, % of wins", "A minus B, % of wins"):
        cells = [cell for row in table_of(text, head) for cell in row[1:]]
        assert len(cells) == 45
        assert {cell.split(" ± ")[1] for cell in cells} == {f"{quantile(90):.1f}"}
    for row in table_of(text, "play"):
        halves = [cell.split(" ± ")[1] for cell in row[1:]]
        assert halves == [f"{quantile(30):.1f}"] * 4 + [f"{quantile(30):.2f}"] * 2
    assert len({f"{quantile(count):.1f}" for count in (30, 90, 180)}) == 3


def test_intervals_of_the_baseline_count_line_ups_twice_seats_once_and_all_pairs_of_arrangements(planted):
    found, text = planted
    wins, points = found.baseline.wins, found.baseline.vp
    for at, row in enumerate(table_of(text, "line-up")):
        for values, cells, scale in ((wins, row[1:3], 100), (points, row[3:5], 1)):
            each = scale * values[:, :, at].mean(axis=1)
            half = quantile(8) * each.std(ddof=1) / np.sqrt(MANY)
            assert cells == [f"{each.mean():.2f}", f"{each.mean() - half:.2f} to {each.mean() + half:.2f}"]
    [row] = table_of(text, "all line-ups alike")
    for seat, cell in enumerate(row[1:]):
        here = [way.index(letter) == seat for way in found.baseline.arrangements for letter in "ABCD"]
        each = 100 * wins.reshape(MANY, -1)[:, here].mean(axis=1)
        assert cell == f"{each.mean():.2f} ± {quantile(4) * each.std(ddof=1) / np.sqrt(MANY):.2f}"
    gaps = [
        (gap.mean(), f"{gap.mean():.2f} ± {quantile(112) * gap.std(ddof=1) / np.sqrt(MANY):.2f} percentage points")
        for letter in range(4)
        for gap in (100 * (wins[:, a, letter] - wins[:, b, letter]) for a in range(8) for b in range(8) if a != b)
    ]
    assert f", {max(gaps)[1]} from " in text


def test_every_cell_has_its_intervals_and_readable_ids(planted):
    found, _ = planted
    figures = registered(found)
    cells = list(found.cells)
    for letter in "ABCD":
        assert list(figures.cells("wins", letter, players=4)) == cells
    for claim in first_look.CLAIMS:
        assert list(figures.cells("claim", claim.outcome, players=4)) == cells
    drafts = [Cell(play.name, "spielbyweb", "draft") for play in PLAYS]
    for seat in range(4):
        assert set(figures.cells("seat-wins", f"seat {seat}", players=4)) == {first_look.baseline_cell(), *drafts}
    assert len(figures) == 4 * 45 + 2 * 45 + 3 * 4 + 40 + 4 + 112 + 5 + 5 * 6
    alone = [key for key, row in figures.items() if row.ends is None]
    assert {key.split(".")[1] for key in alone} == {"points-deviation", "test-of-arrangements"}
    second = cells[11]
    for key, value, family in (
        (f"first_look.wins.4p.A/{second.play}/{second.tower}", 25 + quantile(90) - 0.01, 180),
        (f"first_look.claim.4p.line-up-A/{second.play}/{second.tower}", 25 + quantile(90) - 0.01, 90),
        ("first_look.seat-wins.4p.seat-2/weak/spielbyweb/draft", 27, 30),
        ("first_look.first-above-last.4p/second-strong/spielbyweb/draft", 12, 30),
        ("first_look.first-above-last.4p/second-strong/spielbyweb", 11, 30),
        ("first_look.headline.4p.A/middling/spielbyweb", found.baseline.shares()["A"].value, 8),
        ("first_look.points.4p.D/middling/spielbyweb", found.baseline.points()["D"].value, 8),
        ("first_look.seat-wins.4p.seat-2/middling/spielbyweb", found.baseline.shares_of_seats()[2].value, 4),
        ("first_look.points-by-source.4p.A-church-majorities/middling/spielbyweb@winter-2", 5, 40),
    ):
        assert (figures[key].value, figures[key].family) == (pytest.approx(value), family)


@pytest.mark.parametrize("order", [1, -1], ids=["as played", "arrangements reversed"])
def test_the_largest_of_all_differences_has_the_higher_arrangement_first(planted, order):
    found, _ = planted
    baseline = replace(found.baseline, wins=found.baseline.wins[:, ::order])
    figures = registered(found._replace(baseline=baseline))
    ways = ["".join(way) for way in first_look.ARRANGEMENTS]
    means = dict(zip(ways, 100 * baseline.wins.mean(axis=0), strict=True))
    letter, high, low, gap = page.furthest_apart(figures)
    at = "ABCD".index(letter)
    widest = np.ptp(list(means.values()), axis=0).max()
    assert means[high][at] - means[low][at] == pytest.approx(widest)
    assert abs(gap.value) == pytest.approx(widest)
    assert f"from `{low}` (seats 0 to 3) to `{high}`" in page.seats_words(figures)
    rows = [row for key, row in figures.items() if ".difference-by-arrangement." in key]
    assert (len(rows), {row.family for row in rows}) == (112, {112})


def test_a_joint_test_that_cannot_be_made_is_said_to_be_impossible(planted):
    found, _ = planted
    wins, points = found.baseline.wins[:20], found.baseline.vp[:20]
    few = Arranged(found.baseline.letters, found.baseline.arrangements, wins, points)
    assert "(Hotelling) cannot be made with so few blocks." in tables_of(found._replace(baseline=few))


def test_claims_hold_fail_and_are_open_by_intervals_of_all_cells_of_both(planted):
    found, text = planted
    a, ahead = (row[4] for row in table_of(text, "claim"))
    second, third = list(found.cells)[11:13]
    assert a == f"not robust: holds in 44 of 45 cells; is open in 1 (`{second.tower}` under {second.play})"
    assert ahead == f"not robust: holds in 44 of 45 cells; fails in 1 (`{third.tower}` under {third.play})"
    ends_of = table_of(text, "claim")[1][2:4]
    assert ends_of[0] == f"−{quantile(90) + 0.01:.1f} ± {quantile(90):.1f} (`{third.tower}`, {third.play})"
    assert "so there are none" not in text


def test_no_share_of_nearly_all_wins_is_shown_as_all(planted):
    found, _ = planted
    nearly = Estimate(99.99, about(0).influence * 0.001)
    told = "> 99.9 ± < 0.1"
    drafts = {name: draft._replace(seats=[nearly] * 4) for name, draft in found.drafts.items()}
    cells = {cell: {**outcomes, "line-up A": nearly} for cell, outcomes in found.cells.items()}
    text = tables_of(found._replace(cells=cells, drafts=drafts))
    assert [row[1:5] for row in table_of(text, "play")] == [[told] * 4] * 5
    assert {cell for row in table_of(text, "line-up A, % of wins") for cell in row[1:]} == {told}
    assert all(row[1].startswith(told) for row in table_of(text, "share of wins, % | A"))
    assert all(end.startswith(told) for end in table_of(text, "claim")[0][2:4])


def test_cells_are_counted_by_line_up_and_by_play(planted):
    found, text = planted
    cells = [list(map(int, row[1:])) for row in table_of(text, "cells of line-up")]
    assert [sum(row) for row in cells] == [len(found.cells)] * 4
    by_play = table_of(text, "towers under")
    assert [row[0].split(" (")[0] for row in by_play] == [play.name for play in found.plays]
    assert {sum(map(int, row[1:])) for row in by_play} == {9}


def test_few_blocks_are_said_to_be_too_few_for_all_shares(told):
    printed = told[1].page.text
    assert Confidence(0.95, 40).too_few(BLOCKS, "blocks per cell") in printed


def test_claims_are_judged_over_all_cells(told):
    printed = told[1].page.text
    rows = table_of(printed, "claim")
    assert [row[1] for row in rows] == ["line-up A > 25", "A minus B > 0"]
    for row in rows:
        assert re.search(r"(robust: holds|of|fails|open) in (all )?\d+", row[4])
        assert re.search(r"\b10 cells", row[4])
    assert "Seat: of the 112 differences of a line-up's share" in printed


def test_drafts_have_a_row_a_play(told):
    folder, printed = told[0], told[1].page.text
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
def test_a_study_that_is_there_is_not_played_again(told):
    folder, result = told
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
        digest(None, usual_plays(STRONG_POLICY, "banker")),
        digest(None, usual_plays("builder", STRONG_POLICY)),
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
