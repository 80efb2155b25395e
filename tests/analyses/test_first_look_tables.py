"""The tables of the study `first_look` by what it might find: intervals, verdicts, ids of the register."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from tests.analyses.studies import table_of
from wallsim.analyses.first_look import estimates as first_look
from wallsim.analyses.first_look import study as page
from wallsim.analysis.claims.cells import TOWERS, Cell
from wallsim.analysis.claims.plays import default_plays
from wallsim.analysis.seating.arrangements import Arranged
from wallsim.stats.blocks import Estimate
from wallsim.studies.figure import Rows

MANY = 400  # blocks of a planted study: more than any of its tables needs
PLAYS = default_plays("builder", "banker")


@pytest.fixture(scope="module")
def planted():
    """What a study of 400 blocks a cell might find, with standard errors of ONE, and its answer.

    The baseline's games have a winner each, drawn at random. Three cells of the lead of A over B lie near 0: one in
    which it is known by its interval of 45, one in which it would be only if fewer were counted, and one in which B
    leads. So do three cells of the share of A lie near the fair one, by intervals of 180.
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
    for name, fair, count in (("line-up A", 25, 180), (first_look.AHEAD, 0, 45)):
        cells[first][name] = about(fair + quantile(count) + 0.01)
        cells[second][name] = about(fair + quantile(count) - 0.01)
        cells[third][name] = about(fair - quantile(count) - 0.01)
    wins = np.eye(4)[rng.choice(4, (MANY, 8), p=(0.4, 0.3, 0.2, 0.1))]
    baseline = Arranged(tuple("ABCD"), tuple(first_look.ARRANGEMENTS), wins, rng.normal(40, 6, (MANY, 8, 4)))
    drafts = {play.name: first_look.Drafted([about(25.0 + seat) for seat in range(4)], about(12)) for play in PLAYS}
    points = {key: about(5) for key in first_look.POINTS}
    result = first_look.FirstLook(PLAYS, cells, baseline, points, {play.name: about(11) for play in PLAYS}, drafts)
    return result, tables_of(result)


def registered(result):
    """The figures of what a study found."""
    rows = Rows("first_look", 1, "0")
    page.add_figures(result, rows)
    return rows.done()


def tables_of(result):
    """The page of what a study found."""
    return page.page(registered(result), first_look.Design(MANY, PLAYS)).tables


def about(value):
    """An estimate of MANY blocks with a standard error of one."""
    return Estimate(float(value), np.tile([-1.0, 1.0], MANY // 2) * np.sqrt(MANY - 1))


def quantile(count):
    """Student's for `count` simultaneous intervals of MANY blocks."""
    return t.ppf(1 - 0.05 / 2 / count, MANY - 1)


def test_every_cell_has_its_intervals_and_readable_ids(planted):
    result, _ = planted
    figures = registered(result)
    cells = list(result.cells)
    for letter in "ABCD":
        assert list(figures.cells("wins", letter, players=4)) == cells
    for claim in first_look.CLAIMS:
        assert list(figures.cells("claim", claim.outcome, players=4)) == cells
    drafts = [Cell(play.name, "spielbyweb", "draft") for play in PLAYS]
    for seat in range(4):
        assert set(figures.cells("seat-wins", f"seat {seat}", players=4)) == {first_look.baseline_cell(), *drafts}
    assert len(figures) == 4 * 45 + 45 + 3 * 4 + 40 + 4 + 112 + 5 + 5 * 6
    alone = [key for key, row in figures.items() if row.ends is None]
    assert {key.split(".")[1] for key in alone} == {"points-deviation", "test-of-arrangements"}
    second = cells[11]
    for key, value, family in (
        (f"first_look.wins.4p.A/{second.play}/{second.tower}", 25 + quantile(180) - 0.01, 180),
        (f"first_look.claim.4p.A-minus-B/{second.play}/{second.tower}", quantile(45) - 0.01, 45),
        ("first_look.seat-wins.4p.seat-2/weak/spielbyweb/draft", 27, 30),
        ("first_look.first-above-last.4p/second-strong/spielbyweb/draft", 12, 30),
        ("first_look.first-above-last.4p/second-strong/spielbyweb", 11, 30),
        ("first_look.headline.4p.A/middling/spielbyweb", result.baseline.shares()["A"].value, 8),
        ("first_look.points.4p.D/middling/spielbyweb", result.baseline.points()["D"].value, 8),
        ("first_look.seat-wins.4p.seat-2/middling/spielbyweb", result.baseline.shares_of_seats()[2].value, 4),
        ("first_look.points-by-source.4p.A-church-majorities/middling/spielbyweb@winter-2", 5, 40),
    ):
        assert (figures[key].value, figures[key].family) == (pytest.approx(value), family)


@pytest.mark.parametrize("order", [1, -1], ids=["as played", "arrangements reversed"])
def test_the_largest_of_all_differences_has_the_higher_arrangement_first(planted, order):
    result, _ = planted
    baseline = replace(result.baseline, wins=result.baseline.wins[:, ::order])
    figures = registered(result._replace(baseline=baseline))
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
    result, _ = planted
    wins, points = result.baseline.wins[:20], result.baseline.vp[:20]
    few = Arranged(result.baseline.letters, result.baseline.arrangements, wins, points)
    assert "(Hotelling) cannot be made with so few blocks." in tables_of(result._replace(baseline=few))


def test_no_share_of_nearly_all_wins_is_shown_as_all(planted):
    result, _ = planted
    nearly = Estimate(99.99, about(0).influence * 0.001)
    extreme = "> 99.9 ± < 0.1"
    drafts = {name: draft._replace(seats=[nearly] * 4) for name, draft in result.drafts.items()}
    cells = {cell: {**outcomes, "line-up A": nearly} for cell, outcomes in result.cells.items()}
    text = tables_of(result._replace(cells=cells, drafts=drafts))
    assert [row[1:5] for row in table_of(text, "play")] == [[extreme] * 4] * 5
    assert {cell for row in table_of(text, "line-up A, % of wins") for cell in row[1:]} == {extreme}
    assert all(row[1].startswith(extreme) for row in table_of(text, "share of wins, % | A"))
