"""The first screen of `tiles`: what to bid at most follows from the figures, at both tables."""

from itertools import product

import pytest

from tests.analyses.studies import estimate, table_of
from wallsim.analyses.tiles import bids as first
from wallsim.analyses.tiles.auction import LED_MOMENTS, offer, offers
from wallsim.analyses.tiles.estimates import PLAYERS
from wallsim.analyses.tiles.study import QUANTITIES
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.figure import Rows
from wallsim.studies.quantities import Key, add_values
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES, TWO_TABLES, full_scope

BLOCKS = 400
SCOPE = full_scope(BLOCKS, BLOCKS, TWO_TABLES)
HEAD = "bid at most with the last place, casual / experienced"
EXPERIENCED = THREE_TABLES[1:]


def planted(worth, price=0.5, kept=None):
    """Figures in which some offers have this worth in Thalers, by table, tile, place and round, all others 0.

    `kept` are tiles by table that it is worth so many Thalers to keep from the leader.
    """
    values = {}
    for table, moment in product(THREE_TABLES, ROUND_NAMES):
        for tile, place in offers(PLAYERS):
            value = estimate(worth.get((table, tile, place, moment), 0.0), BLOCKS)
            values[Key("offer-thalers", offer(tile, place), PLAYERS, table, moment)] = value
        values[Key("offer-price", "", PLAYERS, table, moment)] = estimate(price, BLOCKS)
    for table, tile, moment in product(THREE_TABLES, TILES, LED_MOMENTS):
        value = estimate((kept or {}).get((table, tile), 0.0), BLOCKS)
        values[Key("kept-from-leader", tile, PLAYERS, table, moment)] = value
    rows = Rows("tiles", 1, "0" * 12)
    add_values(rows, QUANTITIES, values)
    return rows.done()


def bid_table(figures):
    return first.first(figures, SCOPE).text(figures)


def at(tables, tile, place, moment, value):
    return {(table, tile, place, moment): value for table in tables}


def test_bids_are_rounded_down_and_lie_between_nothing_and_the_largest_card():
    worth = at([CASUAL_TABLE], "attack", 4, "fall 1", 2.7) | at(EXPERIENCED, "attack", 4, "fall 1", 9.0)
    rows = {row[0]: row[1:] for row in table_of(bid_table(planted(worth)), HEAD)}
    assert rows["attack"] == ["0 / 0", "0 / 0", "2 / 4", "0 / 0", "0 / 0", "0 / 0"]
    assert set(rows["grain"]) == {"0 / 0"}
    alone = planted(at([EXPERIENCED_TABLE], "attack", 4, "fall 1", 9.0))
    assert table_of(bid_table(alone), HEAD)[3][3] == "0 / 0", "a bid pays where it pays in both lines"


def test_an_offer_that_loses_its_worth_is_no_longer_named():
    defence, grain = (
        lambda value: at(THREE_TABLES, "defence", 1, "fall 2", value),
        at(THREE_TABLES, "grain", 4, "spring 1", 1.5),
    )
    words = first.sentences(planted(defence(3.4) | grain))
    assert words["title"] == "Bid most for defence with the first place in the second fall"
    assert words["casual"].startswith("Bid at most 3 Thalers for defence, first place, second fall;")
    moved = first.sentences(planted(defence(-3.4) | grain))
    assert moved["title"] == "Bid most for grain with the last place in the first spring"
    assert moved["casual"].startswith("Bid at most 1 Thaler for grain")


def test_the_tile_that_is_worth_keeping_from_the_leader_is_named_where_it_is_known():
    kept = {(CASUAL_TABLE, "attack"): 2.0, (THREE_TABLES[2], "defence"): 3.0}
    words = first.sentences(planted({}, kept=kept))
    assert "attack adds 1.9" in words["casual"]
    assert "defence adds up to 2.9" in words["experienced"]
    assert "no tile is known to matter more to the leader" in first.sentences(planted({}))["casual"]


def test_lines_that_bid_differently_are_both_named():
    worth = at([EXPERIENCED_TABLE], "attack", 4, "fall 2", 2.5) | at(EXPERIENCED[1:], "attack", 4, "fall 2", 3.5)
    assert first.sentences(planted(worth))["experienced"].startswith("Bid at most 2 or 3 for attack")
    alone = planted(at([EXPERIENCED_TABLE], "attack", 4, "fall 2", 2.5))
    assert first.sentences(alone)["experienced"].startswith("No offer"), "one line alone is no advice"


@pytest.mark.parametrize(
    ("worth", "said"),
    [
        ({}, "No tile"),
        (at([CASUAL_TABLE], "thaler", 1, "fall 1", 2.0), "casual tables alone"),
        (at(EXPERIENCED, "thaler", 1, "fall 1", 2.0), "experienced tables alone"),
    ],
)
def test_a_table_at_which_no_bid_pays_is_told(worth, said):
    assert said in first.title_of(planted(worth))


def test_where_the_price_of_a_thaler_is_not_above_nothing_no_bid_is_known():
    figures = planted(at(THREE_TABLES, "attack", 1, "fall 1", 2.0), price=-0.5)
    even = figures.of("offer-thalers", offer("attack", 1), players=PLAYERS, cell=CASUAL_TABLE, moment="fall 1")
    assert first.bid_of(figures, even) is None
    assert first.title_of(figures) == first.title_of(planted({}))


def test_other_games_than_the_published_are_told():
    assert "not the published" in first.sentences(planted({}))["unknown"]
