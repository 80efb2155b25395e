"""The study `first_look` says something else where its figures say it."""

import pytest

from tests.analyses.studies import published, table_of
from wallsim.analyses.first_look import study as page
from wallsim.analyses.first_look.estimates import ARRANGEMENTS
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import quantity_of
from wallsim.studies.study import Choices


@pytest.mark.parametrize("sign", [1, -1], ids=["as played", "arrangements exchanged"])
def test_the_largest_of_all_differences_has_the_higher_arrangement_first(sign):
    def exchanged(row):
        ends = sorted((sign * row.low, sign * row.high)) if row.ends else (row.low, row.high)
        gap = quantity_of(row.id) == "difference-by-arrangement"
        return {"value": sign * row.value, "low": ends[0], "high": ends[1]} if gap else {}

    figures = published("first_look", exchanged)
    rows = [row for key, row in figures.items() if quantity_of(key) == "difference-by-arrangement"]
    letter, high, low, gap = page.furthest_apart(figures)
    assert len(rows) == 112
    assert abs(gap.value) == max(abs(row.value) for row in rows)
    ways = ["".join(way) for way in ARRANGEMENTS]
    first, second = (high, low) if gap.value > 0 else (low, high)
    assert f".{letter}-{first}-less-{second}/" in gap.id
    assert ways.index(first) < ways.index(second)
    assert f"from `{low}` (seats 0 to 3) to `{high}`" in page.seats_words(figures)


def test_no_share_of_nearly_all_wins_is_shown_as_all():
    study, extreme = load_study("first_look"), "> 99.9 ± < 0.1"
    nearly = {"value": 99.99, "low": 99.989, "high": 99.991}

    def changed(row):
        return nearly if quantity_of(row.id) in ("seat-wins", "wins") else {}

    text = study.page(published("first_look", changed), study.design(Choices())).tables
    assert [row[1:5] for row in table_of(text, "play")] == [[extreme] * 4] * 5
    assert {cell for row in table_of(text, "line-up A, % of wins") for cell in row[1:]} == {extreme}
    assert all(row[1].startswith(extreme) for row in table_of(text, "share of wins, % | A"))
