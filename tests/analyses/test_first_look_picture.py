"""Pictures of studies show every outcome, tower and cell, with intervals, baseline and numbers of claims."""

import polars as pl
import pytest

from wallsim.analyses.first_look.picture import first_look, heat_map
from wallsim.analyses.tower.picture import Panel, Row, outcomes_by_tower
from wallsim.report.figures.style import save_picture

TOWERS = {"plain": ("plain", "independent"), "plain-urn": ("plain", "urn"), "odd": ("odd", "independent")}


def outcomes(names=("first", "second"), unknown=(), value=None, claimed=()):
    """Estimates of some outcomes, or one value; those of the towers in `unknown` have no intervals."""
    panels = {}
    for place, name in enumerate(names):
        rows = {}
        for step, tower in enumerate(TOWERS):
            middle, low = 10.0 * place + step if value is None else value, 10.0 * place
            known = tower not in unknown
            rows[tower] = Row(middle, (middle - 0.5, middle + 0.75) if known else None,
                              (low - 2, low + 4) if known else None)  # fmt: skip
        panels[name] = Panel("per cent", rows, dict(claimed).get(name))
    return panels


def drawn(names=("first", "second"), baseline="plain", title="", **which):
    """The picture of such outcomes."""
    return outcomes_by_tower(outcomes(names, **which), TOWERS, baseline, title)


def panels(figure):
    """The panels with something in them."""
    return [axes for axes in figure.axes if axes.get_title(loc="left")]


def test_every_outcome_has_a_panel_and_every_tower_a_row():
    figure = drawn(title="so many games")
    shown = panels(figure)
    assert [axes.get_title(loc="left") for axes in shown] == ["first", "second"]
    assert all(axes.get_xlabel() == "per cent" for axes in shown)
    assert [text.get_text() for text in shown[0].get_yticklabels()] == list(TOWERS)
    assert figure.get_suptitle() == "so many games"
    for place, axes in enumerate(shown):
        values = [line.get_xdata()[0] for line in axes.lines if line.get_marker() in ("o", "s")]
        assert values == [10.0 * place, 10.0 * place + 1, 10.0 * place + 2]
        ends = [bar.get_segments()[0][:, 0].tolist() for bars in axes.containers for bar in bars.lines[2]]
        assert ends == [[value - 0.5, value + 0.75] for value in values]


def test_towers_are_marked_by_model_and_coloured_and_grouped_by_calibration():
    axes = panels(drawn())[0]
    points = [line for line in axes.lines if line.get_marker() in ("o", "s")]
    assert [line.get_marker() for line in points] == ["o", "s", "o"]
    colours = [line.get_color() for line in points]
    assert colours[0] == colours[1] != colours[2]
    rows = axes.get_yticks()
    assert rows[2] - rows[1] > rows[1] - rows[0]


def test_the_baseline_and_the_numbers_of_claims_are_lines():
    first, second = panels(drawn(baseline="plain-urn", claimed={"second": 12.5}))
    dashed = [[line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == "--"] for axes in (first, second)]
    dotted = [[line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == ":"] for axes in (first, second)]
    assert dashed == [[1.0], [11.0]]
    assert dotted == [[], [12.5]]


def test_a_bar_reaches_over_the_other_plays_and_set_ups_of_a_tower():
    first, second = panels(drawn())
    for axes, ends in ((first, [-2.0, 4.0]), (second, [8.0, 14.0])):
        bars = [line for line in axes.lines if line.get_linewidth() == 6]
        assert [list(bar.get_xdata()) for bar in bars] == [ends] * len(TOWERS)
        assert [bar.get_ydata()[0] for bar in bars] == list(axes.get_yticks())


def test_what_has_no_interval_is_hollow_and_what_has_no_value_is_not_there():
    axes = panels(drawn(unknown=("odd",)))[0]
    faces = [line.get_markerfacecolor() for line in axes.lines if line.get_marker() in ("o", "s")]
    assert faces[2] == "white"
    assert "white" not in faces[:2]
    assert len(axes.containers) == 2
    drawn(unknown=TOWERS, value=float("nan")).canvas.draw()


def test_the_legend_names_models_calibrations_and_lines():
    figure = drawn(claimed={"first": 0.0})
    legend = next(axes.get_legend() for axes in figure.axes if axes.get_legend())
    words = [text.get_text() for text in legend.get_texts()]
    assert words == [
        "plain",
        "odd",
        "independent",
        "urn",
        "value under plain",
        "range over play and set-ups",
        "threshold of a claim",
    ]


def test_labels_do_not_touch_with_eleven_outcomes():
    figure = drawn([f"outcome number {k}" for k in range(11)])
    figure.canvas.draw()
    titles = [axes.title for axes in figure.axes] + [axes._left_title for axes in panels(figure)]
    boxes = [title.get_window_extent() for title in titles if title.get_text()]
    assert len(boxes) == 11
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_a_baseline_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="'mid' is not one of the towers, plain, plain-urn, odd"):
        drawn(baseline="mid")


def cells(level=25.0, values=(20.0, 24.6, 60.4, -0.2)):
    """An outcome in the cells of two plays and two towers."""
    places = [("weak", "mid"), ("weak", "rulebook"), ("second strong", "mid"), ("second strong", "rulebook")]
    rows = [(*place, value, level) for place, value in zip(places, values, strict=False)]
    return pl.DataFrame(rows, schema=["play", "tower", "value", "level"], orient="row")


def test_a_heat_map_shows_every_cell_in_its_row_and_column():
    axes = heat_map(cells())
    assert [text.get_text() for text in axes.get_xticklabels()] == ["weak", "second\nstrong"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["mid", "rulebook"]
    shown = {text.xy: text.get_text() for text in axes.texts}
    assert shown == {(0, 0): "20", (0, 1): "25", (1, 0): "60", (1, 1): "0"}
    [picture] = axes.images
    assert picture.get_array().data.ravel() == pytest.approx([-5.0, 35.4, -0.4, -25.2])
    assert picture.get_clim() == pytest.approx((-35.4, 35.4))  # no difference is white


def test_a_cell_that_is_not_there_stays_empty():
    axes = heat_map(cells(values=(20.0, 24.0, 60.0)))
    assert (1, 1) not in {text.xy for text in axes.texts}
    heat_map(cells(values=(25.0, 25.0, 25.0, 25.0))).figure.canvas.draw()  # nothing differs from the level


def test_the_first_look_has_the_baseline_above_and_a_heat_map_an_outcome(tmp_path):
    shares = pl.DataFrame(
        [("A", 0.5, 0.48, 0.52), ("B", 0.2, None, None)], schema=["group", "mean", "low", "high"], orient="row"
    )
    points = pl.DataFrame(
        [(letter, year, source, 10.0) for letter in "AB" for year in (1, 2) for source in ("counties", "buildings")],
        schema=["player", "year", "source", "vp"],
        orient="row",
    )
    for name in ("one.png", "two.png"):
        figure = first_look(shares, points, {"A": cells(), "A minus B": cells(0.0)}, "so many games")
        titles = [axes.get_title(loc="left") for part in figure.subfigs for axes in part.axes]
        assert titles == ["Who wins", "Where the points come from", "A", "A minus B"]
        assert figure.get_suptitle() == "so many games"
        save_picture(figure, tmp_path / name, colours=256)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert (tmp_path / "one.png").stat().st_size < 60_000
