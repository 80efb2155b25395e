"""A figure has a stable id and the interval of the register; a study's figures have different ids."""

from math import isnan, nan

import numpy as np
import pytest

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figures, Rows, figure_id, slug

CELL = Cell("second strong", "mid-urn", "draft")
SURE = Confidence(0.95, 3)
POINTS = block_mean(np.random.default_rng(1).normal(2.0, 1.0, 200))


def rows_of(**more):
    rows = Rows("price", 7, "0123456789abcdef")
    rows.estimate("thaler", "+4 Thalers", POINTS, SURE, words="VP of a gift", unit="VP", players=4, cell=CELL, **more)
    return rows


@pytest.mark.parametrize(
    ("parts", "where", "expected"),
    [
        (("wins", "A"), {"players": 4, "play": "strong", "tower": "mid"}, "lineups.wins.4p.A/strong/mid"),
        (("wins", "A"), {"play": "strong", "tower": "mid", "setup": "lineup"}, "lineups.wins.A/strong/mid"),
        (("wins", "A"), {"play": "strong"}, "lineups.wins.A/strong/all"),
        (("worth", "Sächs. Lande"), {"tower": "mid", "setup": "draft"}, "lineups.worth.Sächs-Lande/all/mid/draft"),
        (("vp", "−2 Thalers"), {"moment": "fall 2"}, "lineups.vp.-2-Thalers@fall-2"),
        (("games", ""), {}, "lineups.games"),
    ],
)  # fmt: skip
def test_ids_are_readable(parts, where, expected):
    assert figure_id("lineups", *parts, **where) == expected


def test_a_slug_has_no_character_that_an_id_uses():
    assert slug("a/b.c@d, 5 %") == "a-b-c-d-5"
    assert slug("court × leaders") == "court-×-leaders"


def test_an_estimate_becomes_a_row_with_all_that_it_rests_on():
    figure = rows_of(moment="fall 2", null=0.0).done()["price.thaler.4p.+4-Thalers/second-strong/mid-urn/draft@fall-2"]
    low, high = POINTS.interval(SURE)
    assert (figure.value, figure.low, figure.high, figure.error) == pytest.approx(
        (POINTS.value, low, high, POINTS.error), rel=1e-9
    )
    assert (figure.level, figure.family, figure.n, figure.n_unit, figure.null) == (0.95, 3, 200, "blocks", 0.0)
    assert (figure.players, figure.cell, figure.moment) == (4, CELL, "fall 2")
    assert (figure.seed, figure.engine, figure.digest) == (7, ENGINE_VERSION, "0123456789ab")


def test_a_figure_shows_the_interval_of_the_register_and_no_other():
    figure = rows_of().done().of("thaler", "+4 Thalers", players=4, cell=CELL)
    assert figure.interval(SURE) == (figure.low, figure.high)
    for other in (Confidence(0.95, 4), Confidence(0.99, 3)):
        with pytest.raises(ValueError, match=r"price\.thaler\.4p.*one of 3 at 0\.95"):
            figure.interval(other)


def test_too_few_blocks_have_no_interval():
    rows = Rows("price", 7, "0")
    figure = rows.estimate("few", "", block_mean(np.arange(5.0)), SURE, words="few", unit="VP")
    assert figure.interval(SURE) is None
    assert isnan(figure.low)
    assert figure.error > 0


def test_two_figures_of_one_id_are_refused():
    rows = rows_of()
    with pytest.raises(ValueError, match="two figures have this id"):
        rows.number("thaler", "+4 Thalers", 1.0, words="again", unit="VP", players=4, cell=CELL)
    figure = next(iter(rows.done().values()))
    with pytest.raises(ValueError, match="two figures have this id"):
        Figures("price", [figure, figure])


def test_figures_are_found_by_quantity_item_cell_and_moment():
    rows = rows_of(moment="fall 1")
    rows.number("thaler", "+4 Thalers", 3.0, words="VP", unit="VP", players=4, cell=CELL._replace(setup="lineup"))
    rows.number("thaler", "+8 Thalers", 4.0, words="VP", unit="VP", players=4, cell=CELL)
    rows.number("thaler", "", 5.0, words="VP", unit="VP", players=4)
    result = rows.done()
    assert [figure.value for figure in result.all_of("thaler", "+4 Thalers", players=4)] == [
        pytest.approx(POINTS.value, rel=1e-9), 3.0,
    ]  # fmt: skip
    assert result.cells("thaler", "+4 Thalers", players=4) == {
        CELL._replace(setup="lineup"): result.of("thaler", "+4 Thalers", players=4, cell=CELL._replace(setup="lineup"))
    }
    assert list(result.cells("thaler", "+4 Thalers", players=4, moment="fall 1")) == [CELL]
    assert result.of("thaler", players=4).value == 5.0
    with pytest.raises(KeyError, match=r"price\.thaler\.3p"):
        result.of("thaler", players=3)


def test_numbers_that_there_are_not_stay_unknown():
    rows = Rows("price", 7, "0")
    figure = rows.number("share", "none", nan, words="share without cases", unit="%")
    assert isnan(figure.value)
    assert figure.ends is None
