"""What a planning seat sees of its counties and of the table: against a slow twin (B2.1 to B2.4, B7.4)."""

import random

import numpy as np
import pytest
from hypothesis import given

from tests.naive import planning_view
from tests.naive.making import BOARD, LIKELY, USUAL, random_table, tables
from tests.policies.seating import dice_of, every_table, mind_of, odd_policy, plan, random_round, weighted
from wallsim.policies.correction.features import COUNTY_FEATURES, FIRST_MONEY, TABLE_FEATURES, WORTH_ON_BOX
from wallsim.policies.correction.model import look_at_county, look_at_table
from wallsim.policies.record import LANES
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import MONEY_CARDS, NOWHERE


def planned(table, rng, policy=None, tower=USUAL):
    """A scene in which seat 0 has planned, and its mind."""
    scene = random_round(table, rng, *[policy or odd_policy(rng) for _ in table.players], tower=tower)
    plan(scene, 0)
    mind = mind_of(scene, 0)
    mind.fact[:], mind.table_fact[:] = 7.0, 7.0  # nothing of earlier looks may stay
    return scene, mind


def seen(scene, mind):
    """The features of the table and of each own county by its name."""
    own = [BOARD.counties[int(county)] for county in mind.hand[: len(scene.table.counties_of(0))]]
    look_at_table(scene.game, scene.rules, mind, 0, len(own))
    counties = {}
    for column, name in enumerate(own):
        look_at_county(scene.game, scene.rules, mind, 0, column)
        counties[name] = dict(zip((f.name for f in COUNTY_FEATURES), mind.fact[column].tolist(), strict=True))
    return dict(zip((f.name for f in TABLE_FEATURES), mind.table_fact.tolist(), strict=True)), counties


@given(every_table, dice_of)
def test_the_features_are_those_of_the_slow_twin(table, rng):
    tower = rng.choice(LIKELY)
    scene, mind = planned(table, rng, tower=tower)
    of_table, counties = seen(scene, mind)
    points = planning_view.points_of(table)
    expected = planning_view.of_table(table, 0, points, tower)
    if not scene.rules.first_edition:
        expected |= planning_view.of_display(scene.game, first_edition=False)
    assert {name: of_table[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    assert set(counties) == set(table.counties_of(0))
    for name, features in counties.items():
        expected = planning_view.of_county(table, 0, name)
        aim = int(mind.aim[table.number(name)])
        if aim == NOWHERE:
            assert not any(number for feature, number in features.items() if feature.startswith("aim_"))
        else:
            expected |= planning_view.of_aim(table, 0, name, BOARD.counties[aim], points)
        expected = {feature: float(number) for feature, number in expected.items()}
        assert {feature: features[feature] for feature in expected} == pytest.approx(expected, rel=1e-5)
        assert not any(features[f"money_{value}"] for value in range(MONEY_CARDS))


@given(tables(), dice_of)
def test_worths_are_those_that_the_planner_wrote(table, rng):
    scene, mind = planned(table, rng)
    own = len(table.counties_of(0))
    mind.value.T[:, :own] = np.arange(LANES * own).reshape(LANES, own)
    seen(scene, mind)
    for box, feature in enumerate(WORTH_ON_BOX[:-1]):
        assert mind.fact[:own, feature].tolist() == mind.value.T[box, :own].tolist()


def test_chances_to_win_lie_between_none_and_all_and_grow_with_armies():
    found = 0
    for number in range(40):
        scene, mind = planned(random_table(random.Random(number), Ruleset()), random.Random(number), weighted())
        for features in seen(scene, mind)[1].values():
            if features["aim_rivals"] or features["aim_neutral"]:
                assert 0.0 <= features["aim_chance"] <= features["aim_chance_more"] + 1e-6 <= 1.0 + 2e-6
                found += features["aim_chance"] < features["aim_chance_more"]
    assert found > 20


def test_every_feature_differs_from_table_to_table():
    of_tables, of_counties = [], []
    for number in range(60):
        rng, tower = random.Random(number), LIKELY[number % len(LIKELY)]
        scene, mind = planned(random_table(rng, Ruleset()), rng, weighted(), tower)
        of_table, counties = seen(scene, mind)
        of_tables.append(list(of_table.values()))
        of_counties += [list(features.values())[:FIRST_MONEY] for features in counties.values()]
    for features, rows in ((TABLE_FEATURES, of_tables), (COUNTY_FEATURES, of_counties)):
        same = np.flatnonzero(np.array(rows).std(axis=0) == 0.0)
        assert same.size == 0, [features[place].name for place in same]
