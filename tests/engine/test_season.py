"""What a round lays out and a draft deals, by chance (B1, B2)."""

from collections import Counter
from itertools import permutations

from tests.naive.making import BOARD
from tests.naive.rng import chi_square_z, many_draws
from tests.naive.scene import Scene
from wallsim.engine.season import draw_event, lay_out
from wallsim.state.random import key_game, key_streams


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


def test_events_are_drawn_uniformly_and_one_is_left_for_winter():  # B2.4
    scene, orders = Scene.start(), Counter()
    for number in range(1500):
        scene.show_events([7, 3, 11, 0])
        order = []
        for season in range(3):
            key_game(scene.game, 9, number)
            key_streams(scene.game, 1 + season)
            draw_event(scene.game, scene.rules)
            order.append(int(scene.game.event))
            assert scene.game.effect == BOARD.event_effect[order[-1]]
        assert (scene.game.shown_events, {*order, int(scene.game.shown_event[0])}) == (1, {7, 3, 11, 0})
        orders[tuple(order)] += 1
    assert set(orders) == set(permutations([7, 3, 11, 0], 3))
    assert abs(chi_square_z(orders.values())) < 4
