"""The first screen of `tiles`: what to bid at most follows from the figures, at both tables."""

import pytest

from tests.analyses.studies import estimate, table_of
from wallsim.analyses.robustness import answers
from wallsim.analyses.tiles import finding as first
from wallsim.analyses.tiles.estimates import CLAIMS, PLAYERS
from wallsim.analyses.tiles.figures import RANKED, THALERS_MORE, sure_of_tiles
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Rows
from wallsim.studies.finding import finding_errors
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, TWO_TABLES, full_scope

BLOCKS = 400
SCOPE = full_scope(BLOCKS, BLOCKS, TWO_TABLES)


def planted(worth, price=0.5):
    """Figures in which some tiles have this worth in Thalers, by table, tile and round, and all others −1."""
    rows = Rows("tiles", 1, "0" * 12)
    for table in TWO_TABLES:
        for tile in TILES:
            for moment in ROUND_NAMES:
                value = worth.get((table, tile, moment), -1.0)
                for quantity, factor in ((THALERS_MORE, 1), (RANKED, price)):
                    rows.estimate(
                        quantity, tile, estimate(factor * value, BLOCKS), sure_of_tiles(), words="", unit="",
                        players=PLAYERS, cell=table, moment=moment,
                    )  # fmt: skip
    return rows.done()


def at_both(tile, moment, value):
    return {(table, tile, moment): value for table in TWO_TABLES}


def test_bids_are_rounded_down_and_lie_between_nothing_and_the_largest_card():
    worth = {(CASUAL_TABLE, "attack", "fall 1"): 2.7, (EXPERIENCED_TABLE, "attack", "fall 1"): 9.0}
    table = first.bid_table(planted(worth), SCOPE)
    rows = {row[0]: row[1:] for row in table_of(table, "bid at most, casual / experienced")}
    assert rows["attack"] == ["0 / 0", "0 / 0", "2 / 4", "0 / 0", "0 / 0", "0 / 0"]
    assert set(rows["six armies"]) == {"0 / 0"}


def test_a_tile_that_loses_its_worth_is_no_longer_named():
    figures = planted({**at_both("defence", "fall 2", 3.4), **at_both("grain", "spring 1", 1.5)})
    words = first.finding_of(figures)
    assert "defence in the second fall" in words.title
    assert "grain" not in words.title
    assert words.casual.startswith("Bid at most 3 Thalers for defence")
    moved = first.finding_of(planted({**at_both("defence", "fall 2", -3.4), **at_both("grain", "spring 1", 1.5)}))
    assert "grain in the first spring" in moved.title
    assert "never for" in moved.title
    assert moved.casual.startswith("Bid at most 1 Thaler for grain")


@pytest.mark.parametrize(
    ("worth", "said"),
    [
        ({}, "No tile"),
        ({(CASUAL_TABLE, "thaler", "fall 1"): 2.0}, "casual table alone"),
        ({(EXPERIENCED_TABLE, "thaler", "fall 1"): 2.0}, "experienced table alone"),
    ],
)
def test_a_table_at_which_no_bid_pays_is_told(worth, said):
    assert said in first.title_of(planted(worth))


def test_where_the_price_of_a_thaler_is_not_above_nothing_no_bid_is_known():
    figures = planted(at_both("attack", "fall 1", 2.0), price=-0.5)
    assert first.bid_at_most(figures, CASUAL_TABLE, "attack", "fall 1") is None
    assert first.title_of(figures) == first.title_of(planted({}))


@pytest.mark.parametrize("many", [False, True])
def test_the_longest_finding_can_be_read(many, monkeypatch):
    longest = max((claim.words.rstrip(".") for claim in CLAIMS), key=lambda words: len(words.split()))
    text = f"It depends on play, tower or set-up: {longest}, and 4 more claims."
    monkeypatch.setattr(first, "not_known", lambda *_: text)
    worth = {(CASUAL_TABLE, "six_armies", "spring 1"): 4.0, (EXPERIENCED_TABLE, "attack", "spring 2"): 4.0}
    if many:
        worth |= {(table, tile, "fall 1"): 1.2 for table in TWO_TABLES for tile in ("six_armies", "attack")}
        worth |= at_both("thaler", "fall 1", 1.2)
    figures = planted(worth)
    assert finding_errors(first.finding_of(figures), first.bid_table(figures, SCOPE)) == []


def test_a_quick_look_makes_no_finding_and_other_games_than_the_published_are_told():
    assert "not the published" in first.finding_of(planted({})).unknown
    assert not answers.is_published(planted({}))
    assert load_study("tiles").marks == ()
