"""Pictures show the numbers they were given: every seat, interval, source and label."""

import io

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from tests.report.figures.words import assert_apart
from wallsim.analysis.games.breakdown import SOURCES, points_by_source
from wallsim.analysis.games.summary import summarise
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.report.figures import run as figures
from wallsim.report.figures.style import save_picture
from wallsim.stats.group_means import mean_by_group


@pytest.fixture(scope="module", params=["lineup", "draft"])
def run(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures") / request.param
    return play_run(Experiment(policies="random", setup=request.param, games=400), folder, workers=1)


def texts_of(axes):
    """All words in a picture, annotations and ticks."""
    axes.figure.canvas.draw()
    return [text.get_text() for text in (*axes.texts, *axes.get_xticklabels(), *axes.get_yticklabels())]


def test_shares_of_wins_show_each_seat_with_its_interval_and_the_fair_share(run):
    summary = summarise(run)
    axes = figures.win_shares(summary)
    words = texts_of(axes)
    assert "fair share 25 %" in words
    for seat in summary.seats:
        low, high = seat.share_interval
        assert f"{100 * seat.share:.1f} ({100 * low:.1f}–{100 * high:.1f})" in words
        begins = f"line-up {seat.lineup}" if seat.lineup else f"seat {seat.seat}"
        assert any(word.startswith(begins) and "random" in word for word in words)
        assert axes.get_xlim()[1] > 100 * high


def test_another_title_replaces_that_of_the_shares_and_overprints_nothing(run):
    axes = figures.win_shares(summarise(run))
    title = axes.set_title("400 games")
    axes.figure.canvas.draw()
    assert [axes.get_title(loc) for loc in ("left", "center", "right")] == ["", "400 games", ""]
    box = title.get_window_extent()
    assert [text.get_text() for text in axes.texts if text.get_window_extent().overlaps(box)] == []


def test_a_handful_of_games_gets_points_without_intervals(tmp_path):
    run = play_run(Experiment(policies="random", games=62), tmp_path / "run", workers=1)
    axes = figures.win_shares(summarise(run))
    assert not axes.containers
    shares = mean_by_group(run.scan("seats"), "lineup")
    assert shares["low"].null_count() == 4
    assert not figures.shares_by_group(shares, 0.25, "line-up").containers


def assert_tops_are_mean_scores(run, axes, bars):
    """The stacked bars of each player, so many, add up to its mean score."""
    tops = {}
    for bar in axes.patches:
        place = round(bar.get_x() + bar.get_width() / 2, 6)
        tops[place] = max(tops.get(place, 0.0), bar.get_y() + bar.get_height())
    means = run.scan("seats").group_by("seat").agg(pl.col("vp").mean()).sort("seat").collect()["vp"]
    assert len(tops) == bars * len(means)
    heights = [tops[place] for place in sorted(tops)]
    assert [sum(heights[place : place + bars]) for place in range(0, len(tops), bars)] == pytest.approx(list(means))


def test_stacked_bars_reach_the_mean_score(run):
    axes = figures.points_by_source(points_by_source(run))
    assert_tops_are_mean_scores(run, axes, 2)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [*SOURCES][::-1]


def test_points_of_the_rounds_have_a_bar_of_their_own(tmp_path):  # E6, L1
    run = play_run(Experiment(policies="random", players=5, games=100, expansions="all"), tmp_path / "run", workers=1)
    axes = figures.points_by_source(points_by_source(run))
    assert_tops_are_mean_scores(run, axes, 3)
    legend = axes.get_legend()
    words = [text.get_text() for text in legend.get_texts()]
    assert set(words) == {*SOURCES, "favors", "Landsknechte", "statues", "trophies"}
    assert len({patch.get_facecolor() for patch in legend.get_patches()}) == len(words) == 9
    assert texts_of(axes).count("R") == 5
    names = [label for label in axes.get_xticklabels(minor=True) if label.get_visible()]
    assert [name.get_text().strip() for name in names] == [f"line-up {letter}" for letter in "ABCDE"]
    for labels in (names, axes.get_xticklabels()):
        assert_apart(labels)
    widest = max(number.get_window_extent().width for number in axes.texts)
    (first, _), (second, _) = axes.transData.transform([(0, 0), (1, 0)])  # bars stand 1 apart
    assert widest < second - first
    assert axes.get_xlabel().endswith("R: in the rounds of both")


def test_groups_are_named_and_in_order(run):
    axes = figures.shares_by_group(mean_by_group(run.scan("seats"), "shortages"), 0.25, "shortages")
    assert [word for word in texts_of(axes) if word in ("0", "1", "2")][:3] == ["0", "1", "2"]
    assert axes.get_xlabel() == "shortages"


def test_a_picture_is_small_and_closed(run, tmp_path):
    save_picture(figures.points_by_source(points_by_source(run)).figure, tmp_path / "x.png")
    assert (tmp_path / "x.png").stat().st_size < 60_000
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.width > 500
    assert not plt.get_fignums()


def test_shades_that_stand_for_numbers_are_kept_in_a_palette():
    whole, small = io.BytesIO(), io.BytesIO()
    for drawn, colours in ((whole, None), (small, "shades")):
        figure, axes = plt.subplots(figsize=(6, 4))
        figure.colorbar(axes.imshow(np.linspace(-1, 1, 60).reshape(6, 10), cmap="PuOr"))
        figure.text(0.1, 0.95, "letters have many colours at their edges " * 3)
        save_picture(figure, drawn, colours=colours)
    exact, palette = (np.asarray(Image.open(drawn).convert("RGB")).astype(int) for drawn in (whole, small))
    assert Image.open(small).mode == "P"
    codes, places, counts = np.unique(exact.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    areas = (counts >= 20)[places.ravel()]
    assert len(codes) > 300
    assert np.abs(exact - palette).max(axis=2).ravel()[areas].max() <= 6
    assert len(small.getvalue()) < len(whole.getvalue())
