"""Pictures of towers show the numbers they were given, for one tower as for nine, with every word in sight."""

import numpy as np
import polars as pl
import pytest

from tests.refusals import assert_names, refused
from tests.report.figures.words import assert_all_in_sight, assert_apart, heading
from wallsim.analysis.battle.states import STATES
from wallsim.analysis.tower.contents import first_fill
from wallsim.report.figures import tower as tower_figures
from wallsim.rules.tower import load_tower, tower_presets

NAMES = [*tower_presets()][::-1]  # not in the order of the alphabet
ABOUT = "400 games of four balanced players, seed 1"


def fills(number, players=4):
    """First fills of so many presets."""
    return pl.concat([first_fill(load_tower(name), players) for name in NAMES[:number]])


def contents(number):
    """Made-up contents, each tower's a little higher than the last one's, some games short."""
    battles = [np.arange(40 - 3 * place) for place in range(number)]
    parts = [
        pl.DataFrame({"battle": at, "games": 400 - at, "mean": 10.0 + place + at / 4}).with_columns(
            tower=pl.lit(NAMES[place]), low=pl.col("mean") - 4, high=pl.col("mean") + 5
        )
        for place, at in enumerate(battles)
    ]
    return pl.concat(parts)


def odds(number):
    """Made-up chances of so many towers; those of every second are simulated."""
    rows = []
    for place, name in enumerate(NAMES[:number]):
        for state in STATES:
            for attackers in range(1, 11):
                for defenders in range(1, 5):
                    win = attackers / (attackers + defenders + place + STATES.index(state))
                    interval = (win - 0.01, win + 0.016) if place % 2 else (None, None)
                    rows.append((name, state, attackers, defenders, win, *interval, 500 if place % 2 else None))
    columns = ["tower", "state", "attackers", "defenders", "win", "win_low", "win_high", "battles"]
    return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)


DRAWN = {  # what makes the numbers of so many towers, and their picture
    "fills": (fills, tower_figures.first_fills),
    "contents": (contents, lambda frame: tower_figures.contents_over_games(frame, ABOUT)),
    "odds": (odds, tower_figures.chances_to_win),
}


@pytest.mark.parametrize("number", [1, 5, 9])
@pytest.mark.parametrize("picture", DRAWN)
def test_every_tower_is_named_and_no_word_is_cut_off_or_hidden(picture, number):
    make, draw = DRAWN[picture]
    figure = draw(make(number))
    words = assert_all_in_sight(figure)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert all(sum(title.split(" ")[0].strip(",") == name for title in titles) in (1, 3) for name in NAMES[:number])
    # What is written into a panel, over it or over all of them stays apart.
    apart = [text for axes in figure.axes for text in (*axes.texts, axes._left_title) if text in words]
    assert_apart([*apart, figure._suptitle])
    # The lowest panel of each column has numbers on its axis.
    rows = sorted(figure.axes, key=lambda axes: axes.get_subplotspec().rowspan.start)
    for axes in {axes.get_subplotspec().colspan.start: axes for axes in rows}.values():
        assert any(label.get_visible() and label.get_text() for label in axes.get_xticklabels())


def test_bars_of_a_fill_are_its_chances_and_its_mean_and_band_are_written():  # B1.6
    figure = tower_figures.first_fills(fills(1, players=3))
    (axes,) = figure.axes
    chances = fills(1, players=3)["chance"].to_numpy()
    assert [bar.get_height() for bar in axes.patches] == pytest.approx(list(100 * chances))
    mean = chances @ np.arange(32)
    assert any(f"mean {mean:.1f}" in text.get_text() for text in axes.texts)
    assert "3 players, 31 cubes" in heading(figure)
    assert axes.get_title(loc="left") == f"{NAMES[0]} (exact)"
    colours = [bar.get_facecolor() for bar in axes.patches]
    band = [n for n, colour in enumerate(colours) if colour != colours[0]]
    assert chances[band].sum() >= 0.8
    assert chances[band[1:]].sum() < 0.9
    assert f"{band[0]}–{band[-1]}" in axes.texts[0].get_text()


def test_simulated_fills_say_how_many_and_with_what_seed_below_each_other_if_they_must():
    frame = fills(3).with_columns(fills=pl.lit(20_000), tower=pl.lit("club-tower-after-the-repair-") + pl.col("tower"))
    figure = tower_figures.first_fills(frame, seed=8)
    figure.canvas.draw()
    for axes in figure.axes:
        assert axes.get_title(loc="left").replace("\n", " ").endswith("(20,000 fills, seed 8)")
        assert axes._left_title.get_window_extent().x1 <= axes.get_tightbbox().x1 <= axes.bbox.x1 + 5


def test_contents_are_drawn_with_their_band_and_the_games_are_named():
    figure = tower_figures.contents_over_games(contents(2), ABOUT)
    for axes, (_, rows) in zip(figure.axes, contents(2).group_by("tower", maintain_order=True), strict=True):
        assert list(axes.lines[0].get_ydata()) == rows["mean"].to_list()
        corners = axes.collections[0].get_paths()[0].vertices
        assert (corners[:, 1].min(), corners[:, 1].max()) == (rows["low"].min(), rows["high"].max())
        assert [text.get_text() for text in axes.texts] == [f"{rows['mean'][0]:.1f}", f"{rows['mean'][-1]:.1f}"]
    assert ABOUT in heading(figure)


def test_chances_are_drawn_by_armies_with_intervals_where_simulated():
    figure, frame = tower_figures.chances_to_win(odds(2), seed=3), odds(2)
    panels = iter(figure.axes)
    for tower in NAMES[:2]:
        for state in STATES:
            axes = next(panels)
            assert axes.get_title(loc="left") == f"{tower}, {state}"
            lines = [line for line in axes.lines if len(line.get_xdata()) == 10 and line.get_marker() == "o"]
            for defenders, line in zip(range(1, 5), lines, strict=True):
                rows = frame.filter(tower=tower, state=state, defenders=defenders)
                assert list(line.get_ydata()) == pytest.approx([100 * win for win in rows["win"]])
                assert line.get_label() == str(defenders)
            assert len(axes.containers) == (4 if tower == NAMES[1] else 0)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["1", "2", "3", "4"]
    assert "exact." in heading(tower_figures.chances_to_win(odds(1)))
    words = heading(figure)
    assert_names(words, f"Exact for {NAMES[0]}", "500", "seed 3", "95 %", "±1.3", *(f"{state}: " for state in STATES))


def test_what_no_picture_can_show_is_refused():
    for make, draw in DRAWN.values():
        with refused("tower: 10", "1 to 9", by=ValueError):
            draw(pl.concat([make(9), make(1).with_columns(tower=pl.lit("tenth"))]))
    with refused("fills: [3, 4]", by=ValueError):
        tower_figures.first_fills(pl.concat([fills(1, 3), fills(1, 4)]))
