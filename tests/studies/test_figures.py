"""A figure has a stable id and the interval of the register, its family is counted, and grids show it."""

from math import isnan, nan

import numpy as np
import pytest

from tests.analyses.studies import table_of
from tests.refusals import refused
from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import figure_id, slug
from wallsim.studies.grids import Grid, Line, value
from wallsim.studies.quantities import About, Bounded, Key, Number, Quantity, figures_of

CELL = Cell("second strong", "mid-urn", "draft")
SURE = Confidence(0.95, 3)
POINTS = block_mean(np.random.default_rng(1).normal(2.0, 1.0, 200))


QUANTITIES = (
    Quantity("thaler", "VP of a gift", null=0.0, together=()),
    Quantity("few", "few"),
    Quantity("games", "games, all of them", "games"),
    Quantity("share", "share without cases", "%"),
)
KEY = Key("thaler", "+4 Thalers", 4, CELL)


def figures_of_gifts(key=KEY, values=()):
    """The figures of a study with the points of a gift, one of three intervals, and more values."""
    gifts = {key: POINTS, Key("thaler", "b"): None, Key("thaler", "c"): None}
    return figures_of("price", QUANTITIES, gifts | dict(values), 7, "0123456789abcdef")


def test_ids_are_readable_and_a_slug_has_no_character_that_an_id_uses():
    at = {"play": "strong", "tower": "mid"}
    for item, where, expected in (
        ("A", {"players": 4, **at}, "4p.A/strong/mid"),
        ("A", {**at, "setup": "lineup"}, "A/strong/mid"),
        ("A", {"play": "strong"}, "A/strong/all"),
        ("Sächs. Lande", {"tower": "mid", "setup": "draft"}, "Sächs-Lande/all/mid/draft"),
        ("−2 Thalers", {"moment": "fall 2"}, "-2-Thalers@fall-2"),
    ):
        assert figure_id("price", "vp", item, **where) == f"price.vp.{expected}"
    assert figure_id("price", "games", "") == "price.games"
    assert slug("a/b.c@d, 5 %") == "a-b-c-d-5"
    assert slug("court × leaders") == "court-×-leaders"


def test_an_estimate_becomes_a_row_with_all_that_it_rests_on():
    figures = figures_of_gifts(KEY._replace(moment="fall 2"))
    figure = figures["price.thaler.4p.+4-Thalers/second-strong/mid-urn/draft@fall-2"]
    low, high = POINTS.interval(SURE)
    assert (figure.value, figure.low, figure.high, figure.error) == pytest.approx(
        (POINTS.value, low, high, POINTS.error), rel=1e-9
    )
    assert (figure.level, figure.family, figure.n, figure.n_unit, figure.null) == (0.95, 3, 200, "blocks", 0.0)
    assert (figure.players, figure.cell, figure.moment) == (4, CELL, "fall 2")
    assert (figure.seed, figure.engine, figure.digest) == (7, ENGINE_VERSION, "0123456789ab")


def test_a_figure_shows_the_interval_of_the_register_and_no_other():
    figure = figures_of_gifts().of("thaler", "+4 Thalers", players=4, cell=CELL)
    assert figure.interval(SURE) == (figure.low, figure.high)
    for other in (Confidence(0.95, 4), Confidence(0.99, 3)):
        with refused("price.thaler.4p", "one of 3 at 0.95", by=ValueError):
            figure.interval(other)


def test_too_few_blocks_have_no_interval_and_numbers_that_there_are_not_no_value():
    figures = figures_of_gifts(values={Key("few"): block_mean(np.arange(5.0)), Key("share", "none"): Number(nan)})
    few, none = figures.of("few"), figures.of("share", "none")
    assert (few.interval(Confidence()), few.ends, none.ends) == (None, None, None)
    assert few.error > 0
    assert isnan(none.value)
    with refused("price.thaler", "+4-Thalers", by=ValueError):
        figures_of_gifts(values={KEY._replace(item="+4-Thalers"): Number(1.0)})


def test_figures_are_found_by_quantity_item_cell_and_moment():
    with_lineups = CELL._replace(setup="lineup")
    result = figures_of_gifts(KEY._replace(moment="fall 1"), values={
        KEY._replace(cell=with_lineups): Number(3.0), KEY._replace(item="+8 Thalers"): Number(4.0),
        Key("thaler", "", 4): Number(5.0),
    })  # fmt: skip
    assert [figure.value for figure in result.all_of("thaler", "+4 Thalers", players=4)] == [
        pytest.approx(POINTS.value, rel=1e-9), 3.0,
    ]  # fmt: skip
    named = result.of("thaler", "+4 Thalers", players=4, play="second strong", tower="mid-urn", setup="lineup")
    assert result.cells("thaler", "+4 Thalers", players=4) == {with_lineups: named}
    assert list(result.cells("thaler", "+4 Thalers", players=4, moment="fall 1")) == [CELL]
    assert result.of("thaler", players=4).value == 5.0
    assert result.find("thaler", players=3) is None
    with pytest.raises(KeyError, match=r"price\.thaler\.3p"):
        result.of("thaler", players=3)


SPRING, DRAFT = Key("wins", "one of two", 4, moment="spring"), Key("share", "one", 4, Cell("", "", "draft"))
MIXED = (
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
    return figures_of("study", MIXED, values)


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
