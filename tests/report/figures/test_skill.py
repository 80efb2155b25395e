"""The picture of skill and luck has a bar for every field and size, with its numbers, and the wins of every field."""

from types import SimpleNamespace

import pytest

from wallsim.report.figures.skill import skill_of_fields

SIZES = (3, 4, 5)


def shown(value, low=None, high=None):
    """A number, with its interval if it has one."""
    return SimpleNamespace(value=value, ends=None if low is None else (low, high))


PARTS = {"policy": shown(61.5, 60, 63), "line-up": shown(8.5, 8.1, 8.9), "seat": shown(1.0), "chance": shown(29.0)}
PLACES = {(name, size): PARTS for name in ("apart", "close") for size in SIZES}
SHARES = {"vp": PLACES, "win": {place: {**PARTS, "seat": shown(-1.0, -2.0, 0.0)} for place in PLACES}}


def group(lead):
    """The figures of a group with this lead."""
    wins = 50 + 20 * lead
    return {
        "lead": shown(lead), "lead-at-least": shown(lead - 0.5), "lead-at-most": shown(lead + 0.5),
        "wins-by-lead": shown(wins, wins - 5, wins + 5), "wins-by-curve": shown(50, 40, 60),
    }  # fmt: skip


GROUPS = {
    (name, size): [group(lead) for lead in (-1.0, scale, 2.0)]
    for name, scale in (("apart", 0.0), ("close", 0.25))
    for size in SIZES
}


@pytest.fixture
def drawn():
    figure = skill_of_fields(SHARES, GROUPS, "what it shows")
    figure.canvas.draw()
    return figure


def test_every_field_and_size_has_a_bar_of_all_with_numbers_inside(drawn):
    for axes in drawn.axes[:2]:
        assert len(axes.patches) == 6 * len(PARTS)
        assert sum(patch.get_width() for patch in axes.patches) == pytest.approx(600)
        boxes = [patch.get_window_extent() for patch in axes.patches]
        for text in axes.texts:
            own = text.get_window_extent()
            assert any(box.x0 - 1 <= own.x0 and own.x1 <= box.x1 + 1 and box.y0 <= own.y0 for box in boxes), text
    assert [text.get_text() for text in drawn.axes[0].texts] == ["61.5 ±1.5", "8.5", "29.0"] * 6
    labels = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
    assert labels == [f"{name}, {size} players" for name, size in PLACES]
    legend = drawn.subfigs[0].legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["policy", "line-up", "seat", "chance"]
    one, other = (axes.xaxis.label.get_window_extent() for axes in drawn.axes[:2])
    assert not legend.get_window_extent().overlaps(one)
    assert not one.overlaps(other)


def test_wins_of_every_field_stand_at_their_gaps(drawn):
    for axes, size in zip(drawn.axes[2:], SIZES, strict=True):
        assert axes.get_title(loc="left") == f"{size} players"
        seen = {(x, y) for line in axes.lines for x, y in zip(*line.get_data(), strict=True)}
        groups = [*GROUPS["apart", size], *GROUPS["close", size]]
        assert {(each["lead"].value, each["wins-by-lead"].value) for each in groups} <= seen
    legend = [text.get_text() for text in drawn.axes[2].get_legend().get_texts()]
    assert (len(legend), legend[:2], legend[-2:]) == (5, ["Plackett–Luce", "fair share"], ["apart", "close"])
