"""Quantities count their families, and grids put figures where they say."""

import numpy as np
import pytest

from tests.analyses.studies import table_of
from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import block_mean
from wallsim.studies.grids import Grid, Line, value
from wallsim.studies.quantities import About, Bounded, Key, Number, Quantity, figures_of

SPRING, DRAFT = Key("wins", "one of two", 4, moment="spring"), Key("share", "one", 4, Cell("", "", "draft"))
QUANTITIES = (
    Quantity("wins", "{rest} by {first}, {about}", "%", together=("players",), among=2),
    Quantity("share", "share of {item}, {setup}", "%", together=lambda key: key.item),
    Quantity("count", lambda key: f"games of {key.item}, {{about}}", "games"),
)


@pytest.fixture
def figures():
    """Figures of three kinds of value."""
    values = {
        SPRING: About(block_mean(np.array([1.0, 2.0] * 50)), "of old"),
        SPRING._replace(moment="fall"): block_mean(np.array([2.0, 3.0] * 50)),
        DRAFT: Bounded(30.0, (25.0, 35.0), 60),
        DRAFT._replace(item="two"): Bounded(40.0, None, 2),
        Key("count", "two"): About(Number(7), "all"),
    }
    return figures_of("study", QUANTITIES, values)


def test_a_family_counts_each_interval_as_many_as_it_is_among_and_a_known_one_stays(figures):
    wins = figures.all_of("wins", SPRING.item, players=4)
    one, two = (figures.of("share", item, players=4, setup="draft") for item in ("one", "two"))
    assert [row.family for row in (*wins, one)] == [4, 4, 1]
    assert all(row.error > 0 for row in wins)
    assert (one.ends, one.n, two.ends, two.n) == ((25.0, 35.0), 60, None, 2)


def test_words_are_filled_with_parts_of_the_item_the_set_up_and_what_the_result_says(figures):
    spring, fall, one, _, games = (row.quantity.split(", ") for row in figures.values())
    assert (spring, fall) == (["of two by one", "of old"], ["of two by one", ""])
    assert (one, games) == (["share of one", "draft"], ["games of two", "all"])


def test_a_grid_may_have_texts_rows_of_several_headings_and_items_that_begin_with_the_column(figures):
    rows = [Line(("first", "4"), {"moment": "spring"}), Line(("last", "4"), {"moment": "fall", "item": "of two"})]
    columns = [Line("wins", {"item": "one"}), Line("kind")]
    texts = {(row.head, "kind"): "known" for row in rows} | {(rows[0].head, "wins"): "none"}
    of = {"quantity": "wins", "players": 4}
    text = Grid(("round", "seats"), rows, columns, of, value(1), texts=texts, turned=True).text(figures)
    assert text.splitlines()[0].split(" | ") == ["| round", "seats", "wins", "kind |"]
    assert table_of(text, "round") == [["first", "4", "none", "known"], ["last", "4", "2.5", "known"]]
