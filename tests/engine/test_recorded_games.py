"""Recorded games: snapshots that keep every rule of the table, legal plans, the order of a round (B2, B3)."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from tests.engine.chronicle import chronicles, rounds
from tests.naive.auction import NOTHING, TOWER, order_is_right
from tests.naive.making import BOARD
from tests.naive.rng import JIT, chi_square_z, many_draws
from tests.naive.table import County, read_table
from tests.policies.seating import arena_of, arena_under, box_names, card_name, label, plan_errors
from wallsim.engine import log_lines as recorder
from wallsim.engine.columns import columns_of
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset

TRACED, GAMES, AUCTIONS = (6, 36, 24) if JIT else (1, 1, 1)


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
        assert [table.errors() for table in tables_of(played, log)] == [[]] * 9


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


def test_winter_revolts_come_in_falls_player_order(played, traces):  # B7.2 B7.3
    players = played.rules.players
    for log in traces:
        orders, winters = lines_of(log, recorder.ORDER), lines_of(log, recorder.WINTER_LINE)
        for year in range(2):
            places = orders[3 * year + 2][6 : 6 + players]
            seats = [line[1] for line in winters[players * year : players * (year + 1)]]
            assert seats == [int(seat) for seat in np.argsort(places)]


@pytest.mark.parametrize(("players", "groups"), [(3, 9), (4, 8), (5, 7)])
def test_drafting_goes_round_the_table_from_a_random_seat_or_seat_zero(players, groups):  # B1.4 A3
    first = {"random": Counter(), "seat_0": Counter()}
    for start, counts in first.items():
        arena = arena_of(players, "draft", load_policy("random"), draft_start=start)
        for number in range(90 if JIT else 1):
            seats = [line[1] for line in lines_of(arena.trace(number), recorder.DEAL)]
            assert seats == [(seats[0] + turn) % players for turn in range(players * groups)]
            counts[seats[0]] += 1
    assert set(first["seat_0"]) == {0}
    if JIT:
        assert abs(chi_square_z([first["random"][seat] for seat in range(players)])) < 4


@pytest.mark.parametrize("rules", [
    Ruleset(players=5), Ruleset(players=5, expansions=("court",), money_bid="any"),
], ids=label)  # fmt: skip
def test_boxes_are_picked_in_the_order_of_bids_where_a_dice_tower_card_is_money_zero(rules):  # B4.1 B4.2 E3 A4
    seen = Counter()
    for season in rounds(rules, AUCTIONS):
        (order,) = season.of("order")
        laid = {plan["seat"]: plan["bid"] for plan in season.of("plan")}
        bids = {seat: card_as_bid(card) for seat, card in laid.items()}
        assert order_is_right(season.before, bids, [seat for seat, _, _ in order["picks"]])
        for seat, bid in bids.items():
            above = isinstance(bid, int) and bid > season.before.players[seat].thalers
            assert order["paid"][seat] == (bid if isinstance(bid, int) and not above else 0)
            seen.update(above=above, tower=bid == TOWER)
    if JIT:
        assert (seen["above"] > 0) == (rules.money_bid == "any")
        assert (seen["tower"] > 0) == bool(rules.expansions)


def card_as_bid(card):
    """A traced card as the naive auction knows it."""
    kind, _, rest = (card or NOTHING).partition(":")
    return int(rest) if kind == "money" else rest or kind


# ------------------------------------------------------------------------------------------ the first edition

OLD = [
    Ruleset(players=3, edition="1e"),
    Ruleset(players=5, setup="draft", edition="1e", expansions=("court", "landsknechte", "leaders")),
]


@many_draws
def test_the_player_order_is_drawn_uniformly_each_round():  # V1
    games, players = 600, 3
    rules = Ruleset(players=players, edition="1e")
    seasons = arena_under(rules, load_policy("random")).play(0, games, seasons=True).seasons
    place = [column.name for column in columns_of("seasons")].index("place")
    orders = seasons[:, place].reshape(games, 8, players)
    seen = Counter(map(tuple, orders[:, [0, 1, 2, 4, 5, 6]].reshape(-1, players).tolist()))
    assert set(seen) == set(permutations(range(1, players + 1)))
    assert abs(chi_square_z(seen.values())) < 4
    pairs = Counter(zip(map(tuple, orders[:, 0].tolist()), map(tuple, orders[:, 1].tolist()), strict=True))
    assert len(pairs) == len(seen) ** 2  # one round's order tells nothing of the next


@pytest.mark.parametrize("policy", ["random", "balanced"])
@pytest.mark.parametrize("rules", OLD, ids=label)
def test_defenders_are_one_to_all_of_the_countys_armies_and_the_others_stand_aside(rules, policy):  # V5
    """In winter the armies of a revolting county are those of fall, and it fights once."""
    seen = Counter()
    for game in chronicles(rules, GAMES, policy):
        for season in (game.seasons[3], game.seasons[7]):
            for line in season.of("battle"):
                seat, county = line["defender"], line["county"]
                armies, engaged = season.before.land[county].armies, line["engaged"][str(seat)]
                assert 1 <= engaged <= armies
                if line["result"] == "defender":
                    assert (
                        season.after.land[county]
                        == County(seat, line["survivors"] + armies - engaged, 0, season.before.land[county].buildings)
                        or season.number == 7
                    )
                else:
                    assert season.after.land[county] == County()
                seen[engaged < armies] += 1
    if JIT and policy == "random":
        assert min(seen[True], seen[False]) > 0
