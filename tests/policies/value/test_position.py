"""The features of a standing: against a slow twin, and nothing of what is hidden (B2.1, B3.5, B7.4)."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import BOARD, LIKELY, SURE, random_table, tables
from tests.naive.scene import Scene
from tests.naive.standing import of_the_table, standing
from tests.naive.table import write_table
from tests.policies.hiding import SECRETS
from tests.policies.seating import dice_of, every_table
from wallsim.policies.value.features import FEATURES, TABLE_FEATURES
from wallsim.policies.value.position import STANDING, look_at_standing
from wallsim.rules.amounts import PRINTED
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import COLOURS, WINTER, YEARS
from wallsim.rules.tower import load_tower

MAJORITIES = sorted(name for name in PRINTED if "majority" in name)
other_majorities = st.tuples(*(st.integers(0, 9) for _ in MAJORITIES)).map(
    lambda points: tuple(
        (name, number) for name, number in zip(MAJORITIES, points, strict=True) if number != PRINTED[name]
    )
)


def season_end(table, rng, tower=SURE):
    """A scene at the end of a season, with events that lie open (B2.4)."""
    scene = Scene(table, tower)
    game = scene.game
    game.season = rng.randrange(WINTER + 1)
    game.year = 0 if game.season == WINTER else rng.randrange(YEARS)
    table.year = int(game.year)
    write_table(table, game)
    game.shown_events = 3 - game.season if game.season < WINTER else 1
    game.shown_event[:] = rng.sample(range(12), 4)
    return scene


def seen(scene, junk=0.0):
    """The features of all seats, [seats, features], and of the table."""
    record = np.zeros(1, STANDING)[0]
    record.seat[:], record.table[:] = junk, junk
    look_at_standing(scene.game, scene.rules, record)
    return record.seat[: int(scene.rules.players)].copy(), record.table.copy()


@given(every_table, dice_of)
def test_the_features_are_those_of_the_slow_twin(table, rng):
    assert_agrees(table, rng)


@given(tables(amounts=other_majorities), dice_of)
def test_features_of_majorities_count_their_points_at_this_table(table, rng):  # B7.4
    assert_agrees(table, rng)


def assert_agrees(table, rng):
    tower = rng.choice(LIKELY)
    scene = season_end(table, rng, tower)
    game = scene.game
    shown = [int(BOARD.event_loss[card]) for card in game.shown_event[: game.shown_events]]
    loss = sum(shown) / len(shown) if game.season < WINTER and shown else 0.0
    winters = YEARS - int(game.year) - (game.season == WINTER)
    expected = standing(table, loss, winters, lambda shortage: int(BOARD.revolting[min(63, shortage)]))
    of_seats, of_table = seen(scene, junk=7.0)
    for seat, features in expected.items():
        result = {feature.name: float(number) for feature, number in zip(FEATURES, of_seats[seat], strict=True)}
        assert result == pytest.approx({name: float(number) for name, number in features.items()})
    result = {feature.name: float(number) for feature, number in zip(TABLE_FEATURES, of_table, strict=True)}
    assert result == pytest.approx(of_the_table(table, loss, tower))


@pytest.mark.parametrize("change", SECRETS, ids=lambda change: change.__name__)
@given(table=every_table, rng=dice_of)
def test_the_features_do_not_change_with_what_is_hidden(change, table, rng):  # B2.1 B2.3 B3.5 E2
    scene = season_end(table, rng)
    before = seen(scene)
    change(scene.game, rng, -1)
    for first, second in zip(before, seen(scene), strict=True):
        assert np.allclose(first, second, rtol=1e-12)


@given(tables(), dice_of)
def test_the_floors_of_a_layered_tower_are_not_seen(table, rng):
    scene = season_end(table, rng, load_tower("mid-layered"))
    before = seen(scene)
    scene.game.floor[:] = [[rng.randrange(3) for _ in range(COLOURS)] for _ in scene.game.floor]
    for first, second in zip(before, seen(scene), strict=True):
        assert (first == second).all()


@given(every_table, dice_of)
def test_looking_changes_nothing_on_the_table(table, rng):
    scene = season_end(table, rng)
    before = scene.game.tobytes()
    seen(scene)
    assert scene.game.tobytes() == before


def test_features_have_names_of_their_own_and_differ_from_table_to_table():
    names = [feature.name for feature in (*FEATURES, *TABLE_FEATURES)]
    assert len(set(names)) == len(names)
    result = []
    for number in range(60):
        rng = random.Random(number)
        rules = Ruleset(expansions=("court", "leaders"))
        result.append(seen(season_end(random_table(rng, rules), rng, LIKELY[number % len(LIKELY)])))
    of_seats = np.concatenate([seats for seats, _ in result])
    assert (of_seats.std(axis=0) > 0).all(), [FEATURES[place].name for place in np.where(of_seats.std(axis=0) == 0)[0]]
    assert (np.array([table for _, table in result]).std(axis=0) > 0).all()
