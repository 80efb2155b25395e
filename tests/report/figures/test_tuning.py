"""The learning curve shows the checks with intervals, the games of the search, the fair share and who joined."""

import polars as pl

from wallsim.report.figures.tuning import learning_curve

TABLE = pl.DataFrame(
    {
        "generation": [0, 1, 2, 3, 4],
        "share": [0.25, 0.3, 0.28, 0.33, None],
        "error": [0.0, 0.01, 0.01, 0.01, None],
        "joined": [False, False, True, False, None],
        "balanced_share": [None, None, 0.31, None, 0.37],
        "balanced_low": [None, None, 0.29, None, 0.34],
        "balanced_high": [None, None, 0.33, None, 0.4],
        "weak_share": [None, None, 0.5, None, 0.6],
        "weak_low": [None, None, 0.45, None, 0.5],
        "weak_high": [None, None, 0.55, None, 0.7],
    }
)


def test_checks_have_their_shares_and_intervals_and_the_fair_share_its_line():
    upper, _ = learning_curve(TABLE, ["balanced", "weak"], 0.25).axes
    first, second = upper.containers
    assert list(first.lines[0].get_ydata()) == [0.31, 0.37]
    assert [tuple(segment[:, 1]) for segment in second.lines[2][0].get_segments()] == [(0.45, 0.55), (0.5, 0.7)]
    assert [tuple(line.get_ydata()) for line in upper.lines].count((0.25, 0.25)) == 1
    assert [text.get_text() for text in upper.get_legend().get_texts()] == [
        "fair share", "against balanced, 95 %", "against weak, 95 %"
    ]  # fmt: skip


def test_games_of_the_search_are_drawn_with_the_generations_whose_mean_joined():
    _, lower = learning_curve(TABLE, ["balanced"], 0.25, "a title").axes
    drawn = {line.get_label(): line for line in lower.lines}
    assert list(drawn["the mean ± 1 s.e."].get_ydata()) == [0.25, 0.3, 0.28, 0.33]
    assert list(drawn["joins the pool"].get_xdata()) == [2]
    upper, _ = learning_curve(TABLE.select("generation", "share", "error", "joined"), ["balanced"], 0.25).axes
    assert not upper.containers  # a course without checks
