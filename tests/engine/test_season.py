"""What a round lays out, and the draft and the first fill of a set-up (B1, B2)."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from tests.naive.making import BOARD
from tests.naive.rng import chi_square_z, many_draws
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS, read_table
from tests.policies.seating import arena_of
from wallsim.engine import log_lines as recorder
from wallsim.engine.columns import COUNTY_COLUMNS, places_of
from wallsim.engine.season import draw_event, lay_out
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EFFECTS
from wallsim.state.random import key_game, key_streams

GROUPS = {3: [5, 4, 4, 3, 3, 2, 2, 2, 2], 4: [5, 4, 4, 3, 3, 2, 2, 2], 5: [5, 4, 4, 3, 3, 2, 2]}  # B1.2


def test_ten_action_cards_and_five_tiles_are_laid_out():  # B2.1 B2.2
    scene = Scene.start(3)
    lay_out(scene.game)
    assert sorted(scene.game.action_order) == list(range(10))
    assert sorted(scene.game.tile_on_box) == list(range(5))


@many_draws
def test_action_cards_and_tiles_are_shuffled_fairly():  # B2.1 B2.2
    scene, actions, tiles = Scene.start(3), [Counter() for _ in range(10)], Counter()
    for moment in range(6000):
        key_streams(scene.game, moment)
        lay_out(scene.game)
        tiles[tuple(map(int, scene.game.tile_on_box))] += 1
        for place, action in enumerate(scene.game.action_order):
            actions[place][int(action)] += 1
    assert set(tiles) == set(permutations(range(5)))
    assert abs(chi_square_z(tiles.values())) < 4
    for counts in actions:
        assert abs(chi_square_z(counts.values())) < 4


def test_events_are_drawn_from_those_shown_and_one_is_left_for_winter():  # B2.4
    scene = Scene.start()
    scene.show_events([7, 3, 11, 0])
    drawn = []
    for season in range(3):
        scene.game.season = season
        draw_event(scene.game, scene.rules)
        drawn.append(int(scene.game.event))
        assert EFFECTS[scene.game.effect] == EFFECTS[BOARD.event_effect[drawn[-1]]]
    assert scene.game.shown_events == 1
    assert {*drawn, int(scene.game.shown_event[0])} == {7, 3, 11, 0}


@many_draws
def test_events_are_drawn_uniformly_without_replacement():  # B2.4
    scene, orders = Scene.start(), Counter()
    for number in range(6000):
        scene.show_events([7, 3, 11, 0])
        order = []
        for season in range(3):
            key_game(scene.game, 9, number)
            key_streams(scene.game, 1 + season)
            draw_event(scene.game, scene.rules)
            order.append(int(scene.game.event))
        orders[tuple(order)] += 1
    assert set(orders) == set(permutations([7, 3, 11, 0], 3))
    assert abs(chi_square_z(orders.values())) < 4


@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_player_order_is_set_after_the_event_and_before_the_actions(players, setup):  # B2.1 to B2.6
    steps = [recorder.ROUND, *[recorder.PLAN] * players, recorder.EVENT, recorder.ORDER, recorder.ACTION]
    for number in range(3):
        lines = arena_of(players, setup, load_policy("random")).trace(number).lines
        kinds = [int(kind) for kind in lines[:, 0]]
        rounds = [place for place, kind in enumerate(kinds) if kind == recorder.ROUND]
        assert len(rounds) == 6
        for start in rounds:
            end = kinds.index(recorder.STATE, start)
            result = [kind for kind in kinds[start:end] if kind != recorder.BATTLE]
            assert result[: len(steps)] == steps
            assert set(result[len(steps) :]) == {recorder.ACTION}


def after_set_up(players, setup):
    """The table of a game after its set-up."""
    snapshot = arena_of(players, setup, load_policy("random"), seed=5).trace(0).snapshots[0]
    return read_table(snapshot, BOARD, Ruleset(players=players, setup=setup))


@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_set_up_leaves_every_army_group_in_an_own_county(players, setup):  # B1.2 B1.5 B1.6
    table = after_set_up(players, setup)
    assert table.errors() == []
    for seat in range(players):
        armies = [table.land[name].armies for name in table.counties_of(seat)]
        assert sorted(armies, reverse=True) == GROUPS[players]
        assert table.supply[seat] + table.tower[seat] == 62 - sum(GROUPS[players])
    assert len(table.counties_of(None)) == len(table.land) - players * len(GROUPS[players])
    assert sum(table.tray.values()) == 0
    assert table.tower[PEASANTS] <= 10


@pytest.mark.parametrize("players", [3, 4, 5])
def test_lineups_are_dealt_by_letter(players):  # B1.3
    table = after_set_up(players, "lineup")
    for seat, letter in enumerate("ABCDE"[:players]):
        expected = {BOARD.counties[county]: armies for county, armies, _ in BOARD.lineups[players, letter]}
        assert {name: table.land[name].armies for name in table.counties_of(seat)} == expected


@many_draws
def test_the_draft_deals_every_county_and_group_alike_under_the_reference_policy():  # B1.4
    games, place = 3000, places_of(COUNTY_COLUMNS)
    rows = arena_of(3, "draft", load_policy("random"), seed=6).play(0, games, counties=True).counties
    rows = rows[(rows[:, place.pick] > 0) & (rows[:, place.seat] == rows[:, place.game] % 3)]  # one seat per game
    rows = rows[np.lexsort((rows[:, place.county], rows[:, place.game]))]
    owned = Counter(rows[:, place.county].tolist())
    one_of_nine = np.arange(games) * 9 + np.arange(games) % 9
    groups = Counter(rows[one_of_nine, place.armies_dealt].tolist())
    assert len(owned) == 37
    # Nine draws of a game are without replacement, so the statistic is at most as large as for free draws.
    assert chi_square_z(owned.values()) < 4
    share = {armies: GROUPS[3].count(armies) / 9 for armies in (5, 4, 3, 2)}
    assert abs(chi_square_z([groups[armies] for armies in share], share.values())) < 4
