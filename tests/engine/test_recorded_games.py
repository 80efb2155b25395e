"""Recorded games: snapshots that keep every rule of the table, legal plans, the order of a round (B2, B3)."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tests.naive.making import BOARD
from tests.naive.rng import JIT, chi_square_z
from tests.naive.table import read_table
from tests.naive.winter import points_of
from tests.policies.seating import arena_of, box_names, card_name, plan_errors
from wallsim.engine import log_lines as recorder
from wallsim.policies.catalogue import load_policy

TRACED = 6 if JIT else 1


def lines_of(log, kind):
    """The lines of a kind, in order."""
    return [[int(value) for value in line] for line in log.lines if line[0] == kind]


@pytest.fixture(scope="package")
def traces(played):
    """A few games of the variant, recorded."""
    return [played.arena.trace(number) for number in range(min(TRACED, played.count))]


def tables_of(played, log):
    """The naive tables of all snapshots: after set-up, then after every season."""
    return [read_table(snapshot, BOARD, played.rules) for snapshot in log.snapshots]


def test_every_season_ends_on_a_sound_table(played, traces):  # B0.2 to B0.4 B6.11
    for log in traces:
        tables = tables_of(played, log)
        assert len(tables) == 9
        for table in tables:
            assert table.errors() == []


def test_between_the_years_thalers_armies_tray_and_tower_stay(played, traces):  # B7.5
    for log in traces:
        winter = tables_of(played, log)[4]
        assert {player.grain for player in winter.players.values()} == {0}
        assert winter.markers_left == 42
        assert sum(winter.tower.values()) == log.snapshots[-1].tower_after_year1


def test_winter_scores_can_be_recomputed_from_the_board(played, traces):  # B7.4 M5
    """Statues and trophies are those of fall: leaders that return after scoring may still take some (M4)."""
    for log in traces:
        tables = tables_of(played, log)
        for winter, before in ((4, 3), (8, 7)):
            for seat, player in tables[winter].players.items():
                fall = tables[before].players[seat]
                leader = sum(fall.statues.values()) + fall.trophies
                assert player.points - fall.points == sum(points_of(tables[winter], seat).values()) + leader


def test_plans_are_legal_and_cover_as_many_boxes_as_the_cards_allow(played, traces):  # B3.1 B3.2 B3.4 E3 V1
    players, names = played.rules.players, box_names(played.rules)
    boxes = (10 if played.rules.edition == "1e" else 11) + 3 * ("court" in played.rules.expansions)
    for log in traces:
        tables = tables_of(played, log)
        before = [tables[season] for season in (0, 1, 2, 4, 5, 6)]
        plans = lines_of(log, recorder.PLAN)
        assert len(plans) == 6 * players
        for number, plan in enumerate(plans):
            table, seat = before[number // players], plan[1]
            cards = dict(zip(names, map(card_name, plan[2 : 2 + len(names)]), strict=True))
            assert plan_errors(table, seat, cards) == []
            count = len(table.counties_of(seat)) + 5 + 3 * ("court" in played.rules.expansions)
            assert sum(card is not None for card in cards.values()) == min(boxes, count)


def test_actions_come_in_card_order_and_players_in_player_order(played, traces):  # B2.6 B4.3
    players = played.rules.players
    for log in traces:
        order, turn, last = [], [], -1
        for line in log.lines:
            kind = int(line[0])
            if kind == recorder.ROUND:
                order, last = list(line[3:13]), -1
            elif kind == recorder.ORDER:
                places = line[6 : 6 + players]
                turn = [int(seat) for seat in np.argsort(places)]
            elif kind == recorder.ACTION:
                step = order.index(line[2]) * players + turn.index(int(line[1]))
                assert step > last
                last = step


def test_events_are_drawn_from_the_years_four_cards(traces):  # B1.8 B2.4
    for log in traces:
        shown = [line[2:6] for line in lines_of(log, recorder.YEAR)]
        drawn = [line[1] for line in lines_of(log, recorder.EVENT)]
        assert not set(shown[0]) & set(shown[1])
        for year in range(2):
            assert set(drawn[3 * year : 3 * year + 3]) < set(shown[year])


def test_winter_revolts_come_in_falls_player_order(played, traces):  # B7.2 B7.3
    players = played.rules.players
    for log in traces:
        orders, winters = lines_of(log, recorder.ORDER), lines_of(log, recorder.WINTER_LINE)
        for year in range(2):
            places = orders[3 * year + 2][6 : 6 + players]
            seats = [line[1] for line in winters[players * year : players * (year + 1)]]
            assert seats == [int(seat) for seat in np.argsort(places)]


# ------------------------------------------------------------------------------------------------- the draft


def deals(arena, number):
    """(seat, county, armies, source) of each county dealt."""
    return [line[1:5] for line in lines_of(arena.trace(number), recorder.DEAL)]


def test_drafting_goes_round_the_table_by_ascending_seats():  # B1.4
    for players, groups in ((3, 9), (4, 8), (5, 7)):
        seats = [deal[0] for deal in deals(arena_of(players, "draft", load_policy("random")), 1)]
        assert seats == [(seats[0] + turn) % players for turn in range(players * groups)]


@pytest.mark.skipif(not JIT, reason="hundreds of games need compiled kernels")
def test_the_starting_player_of_a_draft_is_random_or_seat_zero():  # B1.4 A3
    games = 300
    drawn, fixed = (arena_of(3, "draft", load_policy("random"), draft_start=s) for s in ("random", "seat_0"))
    first = Counter(deals(drawn, number)[0][0] for number in range(games))
    assert set(first) == {0, 1, 2}
    assert abs(chi_square_z(first.values())) < 4
    assert {deals(fixed, number)[0][0] for number in range(10)} == {0}


def test_shown_cards_are_replaced_at_once_and_the_top_card_leaves_them():  # B1.4
    log = arena_of(4, "draft", load_policy("random")).trace(3)
    turns = lines_of(log, recorder.DEAL)
    for now, after in pairwise(turns):
        county, source, shown, next_shown = now[2], now[4], set(now[5:7]), set(after[5:7])
        if source == recorder.SOURCE_SHOWN:
            assert county in shown
            assert shown - {county} < next_shown
        else:
            assert county not in shown
            assert shown == next_shown
