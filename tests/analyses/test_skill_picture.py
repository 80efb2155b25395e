"""The picture of skill and luck has a bar for every field and size, with its numbers, and the wins of every field."""

import numpy as np
import pytest

from tests.analysis.planted import planted_rows
from wallsim.analyses.skill.picture import skill_of_fields
from wallsim.analysis.tournament.gaps import win_by_gap
from wallsim.analysis.tournament.ratings import rate
from wallsim.analysis.tournament.skill import skill

SIZES = (3, 4, 5)
FIELDS = {"apart": np.linspace(2, -2, 6), "close": np.linspace(0.2, -0.2, 6)}


@pytest.fixture(scope="module")
def components():
    """Components by result and field, and bins by size and field."""
    rows = {
        (name, size): planted_rows(strengths, 90, size, games=6, players=size, lineups=True, noise=1.0)
        for name, strengths in FIELDS.items()
        for size in SIZES
    }
    skills = {
        result: {name: [skill(rows[name, size], result, resamples=30) for size in SIZES] for name in FIELDS}
        for result in ("vp", "win")
    }
    bins = {
        size: {name: win_by_gap(rows[name, size], rate(rows[name, size], resamples=30), bins=4) for name in FIELDS}
        for size in SIZES
    }
    return skills, bins


def drawn(result):
    figure = skill_of_fields(*result, "what it shows")
    figure.canvas.draw()
    return figure


def test_every_field_and_size_has_a_bar_of_all_for_each_result(components):
    figure = drawn(components)
    for axes, result in zip(figure.axes[:2], ("vp", "win"), strict=True):
        parts = components[0][result]["apart"][0].parts
        assert len(axes.patches) == 6 * len(parts)
        assert sum(patch.get_width() for patch in axes.patches) == pytest.approx(600)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == [f"{name}, {size} players" for name in FIELDS for size in SIZES]


def test_large_shares_are_written_with_half_their_intervals(components):
    figure = drawn(components)
    words = [text.get_text() for text in figure.axes[0].texts]
    for each in (each for by_field in components[0]["vp"].values() for each in by_field):
        part = max(each.parts, key=lambda part: part.share)
        assert f"{100 * part.share:.1f} ±{100 * (part.interval[1] - part.share):.1f}" in words


def test_numbers_lie_inside_their_bars_and_no_labels_overlap(components):
    figure = drawn(components)
    for axes in figure.axes[:2]:
        boxes = [patch.get_window_extent() for patch in axes.patches]
        for text in axes.texts:
            own = text.get_window_extent()
            assert any(box.x0 - 1 <= own.x0 and own.x1 <= box.x1 + 1 and box.y0 <= own.y0 for box in boxes), text
    legend = figure.subfigs[0].legends[0].get_window_extent()
    labels = [axes.xaxis.label.get_window_extent() for axes in figure.axes[:2]]
    assert not legend.overlaps(labels[0])
    assert not labels[0].overlaps(labels[1])


def test_wins_of_every_field_stand_at_their_gaps(components):
    figure = drawn(components)
    for axes, (size, by_field) in zip(figure.axes[2:], components[1].items(), strict=True):
        assert axes.get_title(loc="left") == f"{size} players"
        seen = {(x, y) for line in axes.lines for x, y in zip(*line.get_data(), strict=True)}
        for bins in by_field.values():
            assert {(each.gap, 100 * each.observed) for each in bins} <= seen
    legend = [text.get_text() for text in figure.axes[2].get_legend().get_texts()]
    assert legend == ["Plackett–Luce", "fair share", *FIELDS]


def test_nothing_to_draw_is_refused(components):
    for skills, bins in (({}, components[1]), (components[0], {})):
        with pytest.raises(ValueError, match="nothing to draw"):
            skill_of_fields(skills, bins, "")
