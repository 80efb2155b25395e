"""The study `tiles` gives each seat in turn each tile, none, each place, and each tile with each place."""

import re
from dataclasses import replace
from itertools import product
from math import nan

import numpy as np
import pytest

from tests.analyses.studies import estimate, figures_in, look, played_by, table_of
from tests.refusals import assert_names, refused
from wallsim.analyses.price.study import price_of
from wallsim.analyses.tiles import estimates as tiles
from wallsim.analyses.tiles import study as bids
from wallsim.analyses.tiles.estimates import AS_IT_IS, NONE, ROUNDS, always, places_of
from wallsim.analyses.tiles.study import STUDY
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.figure import Figures
from wallsim.studies.quantities import Key
from wallsim.studies.register import read_register
from wallsim.studies.running import digest_of
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES, TWO_TABLES
from wallsim.studies.study import Choices

BLOCKS, OFFERED = 30, 200
EXPERIENCED = THREE_TABLES[1:]


def played(blocks, count, *, players=4, scenarios=None, seasons=True):
    """Scenarios with one policy in all seats, by name; those of tiles and places by default."""
    scenarios = scenarios or tiles.scenarios(players) | tiles.held_always()
    return played_by("balanced", STUDY.experiment_file, scenarios, blocks, count, players=players, seasons=seasons)


@pytest.fixture(scope="module")
def every():
    """What is counted in all scenarios."""
    return played(BLOCKS, tiles.count)


def held(batch):
    """The tile and the place of the treated seat in its round and in another, and whether it led."""
    found = {name: batch.treated(batch.in_round(name)) for name in ("tile", "place", "led")}
    return {**found, "other tile": batch.treated(batch.in_seasons("tile", (batch.numbers + 1) % 3))}


def test_the_treated_seat_gets_what_the_scenario_says_and_keeps_the_rest():
    found = played(4, held)
    assert list(found) == [AS_IT_IS, *map(always, (NONE, *TILES)), NONE, *TILES, *places_of(4)]
    for number, tile in enumerate((NONE, *TILES), start=-1):
        assert (found[tile]["tile"] == number).all()
        assert (found[tile]["place"] == found[AS_IT_IS]["place"]).all()
        assert (found[always(tile)]["tile"] == number).all()
        assert (found[always(tile)]["other tile"] == number).all(), "held in rounds that are not the seat's turn"
    for place in places_of(4):
        assert (found[place]["tile"] == found[AS_IT_IS]["tile"]).all()
    assert (found["place 1"]["place"] < found["place 4"]["place"]).all()


def test_an_offer_is_the_tile_and_the_place_and_who_led_did_so_before():
    """With three players the third of the places taken may be any box of five: places are ranked among the seats."""
    found = played(1, held, players=3, scenarios=tiles.offer_scenarios(3))
    assert list(found) == [f"{tile}, {place}" for tile, place in tiles.offers(3)]
    for (tile, place), each in zip(tiles.offers(3), found.values(), strict=True):
        assert (each["tile"] == TILES.index(tile)).all()
        assert (each["place"] >= int(place[-1])).all()
    first = [found[f"{tile}, place 1"]["led"] for tile in TILES]
    assert all((each == first[0]).all() for each in first)
    assert first[0][:, 0].sum() == 0, "nobody leads before the first round"


@pytest.mark.one_in(4, "file")
def test_places_are_measured_against_their_mean_and_holders_against_their_table(every):
    table = TWO_TABLES[1]
    worth = dict(tiles.measure(every, 4, table))
    for moment, (quantity, items) in product(ROUNDS, (("place-vp", places_of(4)), ("ranked", TILES))):
        changes = [worth[Key(quantity, item, 4, table, moment)].estimate.value for item in items]
        assert sum(changes) == pytest.approx(0)
    assert all(worth[Key("held", tile, 4, table)].blocks == BLOCKS for tile in TILES)
    assert all(worth[Key("holder-paid", tile, 4, table)].value >= 0 for tile in TILES)
    assert {key.quantity for key, _ in tiles.measure(every, 3, table)} == {"place-by-size", "thalers-by-size"}
    assert not list(tiles.measure(every, 4, table._replace(tower="mid"))), "not at the tables"


@pytest.mark.one_in(4, "file")
def test_the_six_rounds_are_added_up_and_compared_with_every_round(every):
    """No tile is worse than none beyond its error; each round's tile is a surprise, and six are no more than that."""
    worth = dict(tiles.of_holders(every, CASUAL_TABLE))
    for tile in TILES:
        added, ever, rest = (worth[Key(name, tile, 4, CASUAL_TABLE)] for name in ("six-rounds", "every-round", "rest"))
        assert added.value == pytest.approx(6 * (every[tile]["vp"] - every[NONE]["vp"]).mean())
        assert ever.value > -3 * ever.error
        assert abs(rest.value) < 4 * rest.error + 1, tile


@pytest.mark.one_in(4, "file")
def test_the_study_publishes_tiles_and_places_with_three_to_five_players(tmp_path):
    result = look("tiles", tmp_path, 24)
    assert result.page.finding is None
    for players in (3, 4, 5):
        assert len(result.figures.cells("claim", "attack against none", players=players)) == len(result.design.cells())
        for table in result.design.tables:
            assert result.figures.of("place-by-size", f"place {players}", players=players, cell=table).n == 1


@pytest.mark.one_in(4, "file")
@pytest.mark.parametrize("column", ["value", "error"])
def test_another_price_of_a_thaler_is_another_study(column, monkeypatch):
    prices, scope = read_register("price"), STUDY.design(Choices())
    before = digest_of(STUDY, scope)
    one = price_of(prices, 4, scope.tables[1], "fall 2")
    others = [each for each in prices.values() if each != one]

    def digest(*more):
        monkeypatch.setattr(tiles, "read_prices", lambda: Figures("price", [*others, *more]))
        return digest_of(STUDY, scope)

    assert digest(replace(one, **{column: getattr(one, column) * 1.01})) != before
    assert digest(one) == before  # what else the register has, and its order, decide nothing
    with refused("fall 2"):
        digest()


def planted(extra=0.0):
    """Counts in which tiles and places bring known points that add up, but for the first of each; leaders gain 3 %."""
    random = np.random.default_rng(3)
    base = random.normal(30, 5, (OFFERED, len(ROUND_NAMES)))
    led = random.integers(0, 3, (OFFERED, len(ROUND_NAMES))) / 3
    led[:, 0] = 0
    found = {}
    for number, (tile, place) in enumerate(tiles.offers(3)):
        points = TILES.index(tile) - 0.5 * int(place[-1]) + (extra if number == 0 else 0.0)
        noise, wins = random.normal(0, 0.3, base.shape), 40 + 3 * TILES.index(tile)
        found[f"{tile}, {place}"] = {"vp": base + points + noise, "led": led, "wins led": led * wins}
    none, four = tiles.gifts()
    gained = {name: base + gain + random.normal(0, 0.1, base.shape) for name, gain in (("vp", 2), ("win", 4))}
    return found, {none: {"vp": base, "win": base}, four: gained}, 3, CASUAL_TABLE


def test_tiles_and_places_are_told_apart_and_an_offer_that_brings_more_than_both_is_found():
    result = dict(tiles.offers_of(*planted()))

    def value(quantity, item, moment):
        return result[Key(quantity, item, 3, CASUAL_TABLE, moment)].value

    for (at, tile), place in product(enumerate(TILES), (1, 2, 3)):
        worth, item = at - 2 - 0.5 * (place - 2), f"{tile} place {place}"
        assert value("offer-tile", tile, "spring 1") == pytest.approx(at - 2, abs=0.1)
        assert value("offer", item, "all rounds") == pytest.approx(worth, abs=0.2)
        assert value("offer-thalers", item, "fall 2") == pytest.approx(worth / 0.5, abs=0.4)
    plain, more = (
        [each.value for key, each in tiles.offers_of(*planted(extra)) if key.quantity == "offer-adds-up"]
        for extra in (0.0, 1.0)
    )
    assert len(plain) == len(more) == len(ROUNDS)
    assert max(more) < 0.001 < min(plain)


def test_what_a_leader_gains_each_rival_loses_a_share_of():
    denied = dict(tiles.denied_of(*planted()))
    for (at, tile), moment in product(enumerate(TILES), tiles.LED_MOMENTS):
        leader, kept = (denied[Key(quantity, tile, 3, CASUAL_TABLE, moment)].value
                        for quantity in ("leader-wins", "kept-from-leader"))  # fmt: skip
        assert leader == pytest.approx(3 * (at - 2))
        assert kept == pytest.approx(3 * (at - 2) / 2 / 1.0, abs=0.1)
    assert {key.moment for key in denied} == {"later rounds", *ROUND_NAMES[1:]}


def page_of(worth, kept=None):
    """Figures in which some offers have this worth in Thalers, by table, tile, place and round, all others 0.

    `kept` are tiles by table that it is worth so many Thalers to keep from the leader.
    """
    values = {}
    for table, moment in product(THREE_TABLES, ROUND_NAMES):
        for each in tiles.offers(4):
            values[Key("offer-thalers", " ".join(each), 4, table, moment)] = worth.get((table, *each, moment), 0.0)
    for table, tile, moment in product(THREE_TABLES, TILES, tiles.LED_MOMENTS):
        values[Key("kept-from-leader", tile, 4, table, moment)] = (kept or {}).get((table, tile), 0.0)
    return figures_in("tiles", {key: estimate(value, 400) for key, value in values.items()})


def at(tables, *offered, value):
    """The worth of an offer at some tables."""
    return {(table, *offered): value for table in tables}


def test_bids_are_rounded_down_and_lie_between_nothing_and_the_largest_card():
    def rows(worth):
        table = bids.first(page_of(worth), STUDY.design(Choices())).text(page_of(worth))
        return {row[0]: row[1:] for row in table_of(table, bids.BIDS)}

    attack = ("attack", "place 4", "fall 1")
    found = rows(at([CASUAL_TABLE], *attack, value=2.7) | at(EXPERIENCED, *attack, value=9.0))
    assert found["attack"] == ["0 / 0", "0 / 0", "2 / 4", "0 / 0", "0 / 0", "0 / 0"]
    assert set(found["grain"]) == {"0 / 0"}
    alone = rows(at([EXPERIENCED_TABLE], *attack, value=9.0))
    assert set(alone["attack"]) == {"0 / 0"}, "a bid pays where it pays in both lines"


def paying(casual, strong):
    """What a title says where offers pay."""
    return re.compile(rf"\b{casual} of 120 offers to casual bots, for {strong} to")


def test_an_offer_is_named_only_where_its_interval_is_above_a_thaler_and_many_are_counted():
    near = at(THREE_TABLES, "grain", "place 4", "spring 1", value=1.1)  # its half-width is about 0.2
    assert "No offer" in bids.sentences(page_of(near))["casual"]
    four = {}
    for place in range(1, 5):
        four |= at(THREE_TABLES, "grain", f"place {place}", "spring 1", value=1.5)
    assert "4 offers are known" in bids.sentences(page_of(four))["casual"]


def test_an_offer_that_loses_its_worth_is_no_longer_named():
    grain = at(THREE_TABLES, "grain", "place 4", "spring 1", value=1.5)
    defences = (at(THREE_TABLES, "defence", "place 1", "fall 2", value=value) for value in (3.4, -3.4))
    words, moved = (bids.sentences(page_of(defence | grain)) for defence in defences)
    assert paying(2, 2).search(words["title"])
    assert_names(words["casual"].partition(".")[0], "defence, first place", "second fall", "grain, last place")
    assert paying(1, 1).search(moved["title"])
    assert_names(moved["casual"].partition(".")[0], "grain, last place", "first spring")
    assert "defence" not in moved["casual"].partition(".")[0]


def test_the_tile_that_is_worth_keeping_from_the_leader_is_named_where_it_is_known():
    words = bids.sentences(page_of({}, kept={(CASUAL_TABLE, "attack"): 2.0, (THREE_TABLES[2], "defence"): 3.0}))
    assert re.search("leaders attack adds 1.9", words["casual"])
    nothing = bids.sentences(page_of({}))
    assert "leaders" not in nothing["casual"]
    assert "not the published" in nothing["unknown"]


def test_both_lines_must_know_that_an_offer_pays():
    first = at([EXPERIENCED_TABLE], "attack", "place 4", "fall 2", value=2.5)
    both = first | at(EXPERIENCED[1:], "attack", "place 4", "fall 2", value=3.5)
    assert "Thaler: attack, last place, second fall" in bids.sentences(page_of(both))["experienced"]
    assert bids.sentences(page_of(first))["experienced"].startswith("No offer"), "one line alone is no advice"


@pytest.mark.parametrize(("tables", "casual", "strong"), [([], 0, 0), ([CASUAL_TABLE], 1, 0), (EXPERIENCED, 0, 1)])
def test_a_table_at_which_no_bid_pays_is_told(tables, casual, strong):
    worth = at(tables, "thaler", "place 1", "fall 1", value=2.0)
    assert paying(casual, strong).search(bids.title_of(page_of(worth)))


def test_without_a_price_of_a_thaler_no_bid_is_known():
    figures = page_of(at(THREE_TABLES, "attack", "place 1", "fall 1", value=nan))
    even = figures.of("offer-thalers", "attack place 1", players=4, cell=CASUAL_TABLE, moment="fall 1")
    assert bids.bid_of(even) is None
    assert bids.title_of(figures) == bids.title_of(page_of({}))
