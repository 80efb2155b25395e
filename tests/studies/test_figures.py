"""A figure has a stable id and the interval of the register; a study's figures have different ids."""

from math import isnan, nan

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import figure_id, slug
from wallsim.studies.quantities import Key, Number, Quantity, figures_of

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
