"""Pictures of tournaments show the numbers they were given, every word in sight, for two policies as for twelve."""

import numpy as np
import polars as pl
import pytest

from tests.analysis.planted import planted_rows
from tests.refusals import assert_names
from tests.report.figures.words import assert_all_in_sight, assert_apart, heading
from wallsim.analysis.tournament.payoffs import cycles, payoffs
from wallsim.analysis.tournament.ratings import rate
from wallsim.report.figures.ratings import ladder, payoff_heatmap
from wallsim.stats.plackett_luce import win_chance

LONG = {f"p{number}": f"balanced-noise-{number}" for number in range(12)}


@pytest.fixture(scope="module")
def field():
    """Twelve policies with long names, three of which beat each other in a ring."""
    edge = np.zeros((12, 12))
    for one, other in ((4, 5), (5, 6), (6, 4)):
        edge[one, other], edge[other, one] = 1.5, -1.5
    rows = planted_rows(np.linspace(1, -1, 12), 250, 3, games=12, edge=edge).with_columns(
        pl.col("policy").replace(LONG)
    )
    return rows, rate(rows, resamples=50)


def assert_readable(figure):
    """Every word is in sight, and marks of an axis, numbers and titles do not touch."""
    assert_apart([text for text in assert_all_in_sight(figure) if not text.get_rotation()])


def test_a_ladder_has_a_row_a_policy_with_strength_interval_and_baseline(field):
    _, ratings = field
    figure = ladder(ratings)
    assert_readable(figure)
    axes, above = figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == list(ratings.policies)
    points = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert points == pytest.approx(ratings.strengths)
    ends = [bar.get_segments()[0][:, 0].tolist() for bars in axes.containers for bar in bars.lines[2]]
    assert ends == [pytest.approx(list(rating.interval)) for rating in ratings.ladder]
    assert [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "--"] == [0]
    for place, label in zip(above.get_xticks(), above.get_xticklabels(), strict=True):
        assert 100 * win_chance(place, 4) == pytest.approx(float(label.get_text()), abs=0.05)
    assert 0 in above.get_xticks()
    assert_names(heading(figure), "12 policies", "3,000 games", "4 players", "250 blocks", "95% intervals")


def test_ladders_without_intervals_and_without_bounds_say_so():
    figure = ladder(rate(planted_rows([0.5, -0.5], 10, 1, players=2), resamples=10))
    assert_readable(figure)
    assert "Too few blocks" in heading(figure)
    assert all(line.get_markerfacecolor() == "white" for line in figure.axes[0].lines if line.get_marker() == "o")
    figure = ladder(rate(planted_rows([60.0, 0.5, 0, -0.5], 70, 6, players=3), resamples=20))
    assert_readable(figure)
    assert "Arrow" in heading(figure)
    assert len(figure.axes[0].texts) == 1


def test_a_heatmap_has_a_number_a_pair_in_the_order_of_the_ladder(field):
    rows, ratings = field
    estimate = payoffs(rows, ratings.policies)
    figure = payoff_heatmap(estimate, ratings, cycles(estimate, ratings.policies))
    assert_readable(figure)
    axes = figure.axes[0]
    cells = {tuple(map(int, text.get_position()[::-1])): text for text in axes.texts}
    assert len(cells) == 12 * 11
    for (i, j), text in cells.items():
        assert text.get_text() == f"{100 * estimate.before[i, j]:.0f}"
        known = estimate.before_low[i, j] > 0.5 or estimate.before_high[i, j] < 0.5
        assert (text.get_fontweight() == "bold") == known
    assert [text.get_text().split()[0] for text in axes.get_yticklabels()] == list(ratings.policies)
    assert [text.get_text() for text in axes.get_xticklabels()] == list(ratings.policies)
    low, high = axes.images[0].get_clim()
    assert low + high == pytest.approx(100)


def test_a_heatmap_frames_what_runs_against_the_ladder_and_dots_cycles(field):
    rows, ratings = field
    estimate = payoffs(rows, ratings.policies)
    rings = cycles(estimate, ratings.policies)
    assert len(rings) == 1
    figure = payoff_heatmap(estimate, ratings, rings)
    axes = figure.axes[0]
    frames = {
        (round(patch.get_y() + 0.46), round(patch.get_x() + 0.46)) for patch in axes.patches if not patch.get_fill()
    }
    against = {(i, j) for i in range(12) for j in range(i) if estimate.beats[i, j]}
    assert frames == against | {(j, i) for i, j in against}
    assert against
    dots = {(round(line.get_ydata()[0] + 0.33), round(line.get_xdata()[0] - 0.33)) for line in axes.lines}
    places = [ratings.policies.index(name) for name in rings[0].policies]
    assert dots == {*zip(places, (*places[1:], places[0]), strict=True)}
    assert " > ".join(rings[0].policies) in heading(figure)
    assert "No cycle" in heading(payoff_heatmap(estimate, ratings))


def test_a_heatmap_of_two_and_of_pairs_that_never_met():
    rows = planted_rows([0.2, 0.0], 40, 1, players=2)
    ratings = rate(rows, resamples=10)
    figure = payoff_heatmap(payoffs(rows, ratings.policies), ratings)
    assert_readable(figure)
    assert_names(heading(figure), "Bold: the 95% interval", "50")
    assert "pairs" not in heading(figure)
    assert "cycle" not in heading(figure)
    few = rows.filter(pl.col("block") < 12)
    figure = payoff_heatmap(payoffs(few), rate(few, resamples=10))
    assert_readable(figure)
    assert "Too few blocks for intervals." in heading(figure)
    assert "Bold" not in heading(figure)
    other = planted_rows([0, 0], 40, 2, players=2).with_columns(
        pl.col("policy").replace({"p0": "p1", "p1": "p2"}), pl.col("game") + 999
    )
    rows = pl.concat([rows, other])
    ratings = rate(rows, resamples=10)
    figure = payoff_heatmap(payoffs(rows, ratings.policies), ratings)
    assert [text.get_text() for text in figure.axes[0].texts].count("–") == 2
