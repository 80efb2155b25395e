"""Games from edited set-ups, and from counties and army groups dealt at random (B0.1, B1.1, B1.2, B1.3)."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.naive.making import BOARD
from tests.naive.table import read_table
from tests.policies.seating import arena_under
from wallsim.engine.columns import COUNTY_COLUMNS, EDITED_SOURCES, SOURCES, places_of
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ARMY_GROUPS, COUNTIES, EXPANSIONS, NEUTRAL

A_OF_FOUR, B_OF_FOUR = (
    tuple((BOARD.counties[county], armies) for county, armies, _ in BOARD.lineups[4, letter]) for letter in "AB"
)
OUT = BOARD.counties.index("Böhmen")


def arena(ruleset, policy="random"):
    """Games of one policy in all seats."""
    return arena_under(ruleset, load_policy(policy), seed=5)


def first_table(ruleset, number):
    """The table after the set-up of a game."""
    return arena(ruleset).trace(number).snapshots[0]


@pytest.mark.parametrize("setup", ["lineup", "draft", "deal"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_set_up_gives_every_seat_its_groups(players, setup):  # B1.2 B1.5 B1.6
    ruleset = Ruleset(players=players, setup=setup)
    seen = set()
    for number in range(30):
        game = first_table(ruleset, number)
        table = read_table(game, BOARD, ruleset)
        assert table.errors() == []
        for seat in range(players):
            armies = [table.land[name].armies for name in table.counties_of(seat)]
            assert sorted(armies, reverse=True) == list(ARMY_GROUPS[players])
            assert table.supply[seat] + table.tower[seat] == 62 - sum(armies)
        assert len(table.counties_of(None)) == len(table.land) - players * len(ARMY_GROUPS[players])
        assert sum(table.tray.values()) == 0
        seen.add(tuple(game.owner))
    assert len(seen) == (1 if setup == "lineup" else 30)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_lineups_are_dealt_by_letter(players):  # B1.3
    ruleset = Ruleset(players=players)
    table = read_table(first_table(ruleset, 0), BOARD, ruleset)
    for seat, letter in enumerate("ABCDE"[:players]):
        expected = {BOARD.counties[county]: armies for county, armies, _ in BOARD.lineups[players, letter]}
        assert {name: table.land[name].armies for name in table.counties_of(seat)} == expected


def test_every_county_falls_to_every_seat_with_every_group_alike():
    ruleset, games = Ruleset(players=5, setup="deal"), 3000
    table = arena(ruleset)
    owners, armies = Counter(), Counter()
    counties = table.play(0, games, counties=True).counties
    place = places_of(COUNTY_COLUMNS)
    dealt = counties[counties[:, place.pick] > 0]
    assert set(dealt[:, place.source]) == {(SOURCES + EDITED_SOURCES).index("dealt")}
    for row in dealt:
        owners[int(row[place.county]), int(row[place.seat])] += 1
        armies[int(row[place.county]), int(row[place.armies_dealt])] += 1
    assert sum(owners.values()) == games * 5 * 7
    assert chisquare([owners[county, seat] for county in range(COUNTIES) for seat in range(5)]).pvalue > 0.001
    for size, share in Counter(ARMY_GROUPS[5]).items():
        result = [armies[county, size] for county in range(COUNTIES)]
        assert chisquare(result).pvalue > 0.001
        assert sum(result) == games * 5 * share


def test_a_deal_draws_nothing_from_the_streams_of_the_game():
    """The events and the order of the action cards are those of the same game with line-ups."""
    dealt, printed = (arena(Ruleset(setup=setup)).trace(3) for setup in ("deal", "lineup"))
    assert dealt.snapshots[0].event_deck.tolist() == printed.snapshots[0].event_deck.tolist()
    assert dealt.snapshots[0].owner.tolist() != printed.snapshots[0].owner.tolist()


def test_edits_are_what_the_seats_begin_with():  # B1.1 B1.3
    exchanged = (("A", (B_OF_FOUR[0], *A_OF_FOUR[1:])), ("B", (A_OF_FOUR[0], *B_OF_FOUR[1:])))
    ruleset = Ruleset(lineup_edits=exchanged, thalers=(("A", 14), ("D", 0)), lineups=("B", "A", "C", "D"))
    table = first_table(ruleset, 0)
    assert table.thalers[:4].tolist() == [15, 14, 15, 0]
    for seat, groups in ((0, exchanged[1][1]), (1, exchanged[0][1])):
        held = {BOARD.counties[county]: int(table.army[county]) for county in np.flatnonzero(table.owner == seat)}
        assert held == dict(groups)


@pytest.mark.parametrize("policy", ["random", "balanced"])
@pytest.mark.parametrize("expansions", [(), EXPANSIONS], ids=["base", "all"])
@pytest.mark.parametrize("setup", ["lineup", "draft", "deal"])
def test_nobody_ever_enters_a_county_out_of_play(setup, expansions, policy):  # B0.1
    table = arena(Ruleset(setup=setup, expansions=expansions, without=("Böhmen", "Kursachsen")), policy)
    for number in range(6):
        for snapshot in table.trace(number).snapshots:
            assert snapshot.owner[OUT] == NEUTRAL
            assert not any(int(land) >> OUT & 1 for land in snapshot.land)


def test_naming_what_is_printed_changes_no_game():
    named = (("A", A_OF_FOUR), ("B", B_OF_FOUR))
    plain, same = Ruleset(), Ruleset(lineup_edits=named, thalers=(("A", 15), ("D", 15)))
    first, second = (arena(ruleset, "balanced").play(0, 20, seasons=True) for ruleset in (plain, same))
    assert all((one == other).all() for one, other in zip(first[:3], second[:3], strict=True))
