"""Pictures of `tower` and `first_look` with what no published one has: unknown intervals, values and cells."""

from types import SimpleNamespace

import polars as pl
import pytest

from wallsim.analyses.first_look.picture import heat_map
from wallsim.analyses.tower.picture import Panel, outcomes_by_tower

TOWERS = {"plain": ("plain", "independent"), "plain-urn": ("plain", "urn"), "odd": ("odd", "independent")}


def outcomes(names=("first", "second"), unknown=(), value=None, claimed=()):
    """Estimates of some outcomes, or one value; those of the towers in `unknown` have no intervals."""
    panels = {}
    for place, name in enumerate(names):
        rows = {}
        for step, tower in enumerate(TOWERS):
            middle, low = 10.0 * place + step if value is None else value, 10.0 * place
            known = tower not in unknown
            ends = (middle - 0.5, middle + 0.75) if known else None
            rows[tower] = SimpleNamespace(value=middle, ends=ends), (low - 2, low + 4) if known else None
        panels[name] = Panel("per cent", rows, dict(claimed).get(name))
    return panels


def drawn(names=("first", "second"), baseline="plain", title="", **which):
    """The picture of such outcomes."""
    return outcomes_by_tower(outcomes(names, **which), TOWERS, baseline, title)


def panels(figure):
    """The panels with something in them."""
    return [axes for axes in figure.axes if axes.get_title(loc="left")]


def test_what_has_no_interval_is_hollow_and_what_has_no_value_is_not_there():
    axes = panels(drawn(unknown=("odd",)))[0]
    faces = [line.get_markerfacecolor() for line in axes.lines if line.get_marker() in ("o", "s")]
    assert faces[2] == "white"
    assert "white" not in faces[:2]
    assert len(axes.containers) == 2
    drawn(unknown=TOWERS, value=float("nan")).canvas.draw()


def test_a_baseline_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="'mid' is not one of the towers, plain, plain-urn, odd"):
        drawn(baseline="mid")


def cells(level=25.0, values=(20.0, 24.6, 60.4, -0.2)):
    """An outcome in the cells of two plays and two towers."""
    places = [("weak", "mid"), ("weak", "rulebook"), ("second strong", "mid"), ("second strong", "rulebook")]
    rows = [(*place, value, level) for place, value in zip(places, values, strict=False)]
    return pl.DataFrame(rows, schema=["play", "tower", "value", "level"], orient="row")


def test_a_cell_that_is_not_there_stays_empty():
    axes = heat_map(cells(values=(20.0, 24.0, 60.0)))
    assert (1, 1) not in {text.xy for text in axes.texts}
    heat_map(cells(values=(25.0, 25.0, 25.0, 25.0))).figure.canvas.draw()  # nothing differs from the level
