"""Closed lines, boxes and segments, against cases that can be checked by eye and by sampling."""

import numpy as np
import pytest

from wallsim.report.figures.lettering import Box, place_number, widest_place
from wallsim.report.map.geometry import area, boxes_inside, crossings, distance_to, inside

SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
HOOK = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [8.0, 10.0], [8.0, 2.0], [0.0, 2.0]])  # an L turned round


def test_areas_have_a_sign_and_points_are_inside_or_not():
    assert [area(ring) for ring in (SQUARE, SQUARE[::-1], HOOK)] == [100, -100, 36]
    points = np.array([[5.0, 5.0], [9.0, 5.0], [5.0, 1.0], [-1.0, 1.0]])
    assert inside(points, HOOK).tolist() == [False, True, True, False]


def test_boxes_are_inside_when_all_their_points_are():
    random = np.random.default_rng(1)
    centres = random.uniform(0, 10, (400, 2))
    result = boxes_inside(centres, 1.4, 0.9, HOOK)
    grid = np.stack(np.meshgrid(np.linspace(-0.7, 0.7, 15), np.linspace(-0.45, 0.45, 15)), -1).reshape(-1, 2)
    wanted = [inside(centre + grid, HOOK).all() for centre in centres]
    assert result.tolist() == wanted
    assert 10 < sum(wanted) < 300


def test_a_box_that_a_thin_spike_enters_is_not_inside():
    spiked = np.array([[0.0, 0.0], [4.9, 0.0], [5.0, 6.0], [5.1, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])
    assert boxes_inside(np.array([[5.0, 5.0], [2.0, 5.0]]), 3.0, 3.0, spiked).tolist() == [False, True]


def test_distance_to_a_closed_line():
    assert distance_to((5, 4), SQUARE) == 4
    assert distance_to((-3, -4), SQUARE) == 5


def test_segments_that_cross_touch_or_fold_back_are_found_and_neighbours_are_not():
    starts = np.array([[0, 0], [0, 2], [5, 5], [6, 5], [9, 0], [9, 5]], dtype=float)
    ends = np.array([[2, 2], [2, 0], [6, 5], [7, 5], [9, 5], [9, 2]], dtype=float)
    assert crossings(starts, ends) == [(0, 1), (4, 5)]
    touching = crossings(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([[2.0, 0.0], [1.0, 5.0]]))
    assert touching == [(0, 1)]


def overlap(one, other):
    beside = abs(one.x - other.x) >= (one.width + other.width) / 2
    return not beside and abs(one.y - other.y) < (one.height + other.height) / 2


@pytest.mark.parametrize(
    "name", [Box(5, 6, 6, 1.5), Box(5, 1.5, 6, 1.5), Box(5, 5, 6, 1)], ids=["room", "low", "middle"]
)
def test_a_number_stands_below_the_name_inside(name):
    moved, number = place_number(SQUARE, name, 3.0, 1.5)
    assert number.y < moved.y
    assert not overlap(moved, number)
    for box in (moved, number):
        assert boxes_inside(np.array([[box.x, box.y]]), box.width, box.height, SQUARE)[0]


def test_a_number_stands_aside_where_there_is_no_room_below():
    name = Box(4, 1, 6, 1.6)
    moved, number = place_number(HOOK, name, 1.0, 1.2)
    assert moved == name
    assert number.x > 7
    assert not overlap(moved, number)


def test_a_number_too_long_has_no_place():
    assert place_number(SQUARE, Box(5, 6, 6, 1.5), 12.0, 1.0) is None
    assert place_number(HOOK, Box(4, 1, 6, 1.6), 5.0, 1.2) is None


def test_the_widest_place_is_in_the_widest_part():
    box, height = widest_place([HOOK * 20], HOOK * 20, np.roll(HOOK * 20, -1, axis=0), 2.0)
    assert box.y < 40
    assert height > 20
    assert boxes_inside(np.array([[box.x, box.y]]), box.width * 0.98, box.height * 0.98, HOOK * 20)[0]


def test_a_margin_is_kept_between_a_number_and_the_line():
    ring, name = 10 * SQUARE, Box(50, 80, 60, 15)
    _, number = place_number(ring, name, 90.0, 15.0)
    assert (number.width, number.height) == (90, 15)
    assert place_number(ring, name, 90.0, 15.0, margin=5.0) is None
