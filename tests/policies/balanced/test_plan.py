"""`balanced`: it wins against `random`, and never does what the rules do not allow.

Whatever the edition and the expansions, with any weights (B1.4, B3, E, V); `test_expansions` has all other answers.
"""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import JIT
from tests.naive.scene import Scene
from tests.naive.table import read_table
from tests.policies.seating import (
    BIG_BOX,
    VARIANTS,
    arena_under,
    ask,
    begin_round,
    box_names,
    card_name,
    dice_of,
    every_table,
    label,
    mind_of,
    odd_policy,
    plan,
    plan_errors,
    random_round,
    sit,
    weighted,
)
from wallsim.engine import log_lines as recorder
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ARMY_GROUPS, EXPANSIONS

RANDOM, BALANCED = load_policy("random"), load_policy("balanced")
RECORDED = 4 if JIT else 1


# ------------------------------------------------------------------------------------------------- strength


# ------------------------------------------------------------------------------------------------- legality


@given(every_table, dice_of)
def test_plans_are_legal_on_any_table_with_any_weights(table, rng):  # B3.1 B3.2 B3.4 A4 E1 E3 V1
    scene = random_round(table, rng, *[odd_policy(rng) for _ in table.players])
    for seat in table.players:
        assert plan_errors(table, seat, plan(scene, seat)) == []


@pytest.mark.parametrize("counties", [0, 1, 2, 5, 6, 7, 20, 45])
@pytest.mark.parametrize("policy", [RANDOM, BALANCED], ids=lambda policy: policy.name)
@pytest.mark.parametrize("edition", ["2e", "1e"])
@pytest.mark.parametrize("expansions", [(), ("court",), EXPANSIONS], ids=len)
def test_plans_are_legal_with_any_number_of_counties(counties, policy, edition, expansions):  # B3.2 E3 V1
    scene = sit(Scene.start(tower=USUAL, edition=edition, expansions=expansions), policy)
    for name in BOARD.counties[:counties]:
        scene.table.give(2, name, 1)
    for thalers in (0, 1, 30):
        scene.table.players[2].thalers = thalers
        begin_round(scene)
        assert plan_errors(scene.table, 2, plan(scene, 2)) == []


# ----------------------------------------------------------------------------------------------- whole games


@pytest.fixture(scope="module", params=[*(Ruleset(*variant) for variant in VARIANTS), *BIG_BOX], ids=label)
def recorded(request):
    """(rules, logs) of games under one ruleset in which every second seat, or every seat, plays `balanced`."""
    rules = request.param
    mixed = [(BALANCED, RANDOM)[seat % 2] for seat in range(rules.players)]
    tables = [arena_under(rules, BALANCED), arena_under(rules, *mixed)]
    return rules, [arena.trace(number) for arena in tables for number in range(RECORDED)]


def lines_of(log, *kinds):
    """The lines of some kinds, in order."""
    return [[int(value) for value in line] for line in log.lines if line[0] in kinds]


def test_every_plan_of_a_whole_game_is_legal_and_every_season_ends_on_a_sound_table(recorded):  # B0.2 B3 B6.11 E1 V1
    rules, logs = recorded
    names = box_names(rules)
    for log in logs:
        tables = [read_table(snapshot, BOARD, rules) for snapshot in log.snapshots]
        assert [table.errors() for table in tables] == [[]] * len(tables)
        starts = [tables[season] for season in (0, 1, 2, 4, 5, 6)]
        for number, line in enumerate(lines_of(log, recorder.PLAN)):
            cards = dict(zip(names, map(card_name, line[2 : 2 + len(names)]), strict=True))
            assert plan_errors(starts[number // rules.players], line[1], cards) == []


def test_everyone_drafts_its_groups_into_counties_of_its_own(recorded):  # B1.2 B1.4
    rules, logs = recorded
    for log in logs:
        groups, counties = {seat: [] for seat in range(rules.players)}, Counter()
        for _, seat, county, armies, *_ in lines_of(log, recorder.DEAL):
            groups[seat].append(armies)
            counties[county] += 1
        assert set(counties.values()) == {1}
        for dealt in groups.values():
            assert sorted(dealt, reverse=True) == list(ARMY_GROUPS[rules.players])


# ------------------------------------------------------------------------------------- the order of revolts


def test_the_least_county_revolts_first():  # B7.3
    scene = sit(Scene.start(tower=USUAL), weighted())
    scene.table.give(0, "Böhmen", 2, ["palace", "church", "trading_post"][: scene.table.sites("Böhmen")])
    scene.table.give(0, "Passau", 2)
    scene.table.give(0, "Altmark", 2, ["palace"])
    begin_round(scene, season=2)
    plan(scene, 0)
    worth = mind_of(scene, 0).worth
    numbers = [scene.table.number(name) for name in ("Passau", "Altmark", "Böhmen")]
    assert np.all(np.diff([worth[county] for county in numbers]) > 0)
    for order in ((2, 1, 0), (0, 2, 1), (1, 0, 2), (0, 1, 2)):
        scene.game.revolting[:] = [numbers[place] for place in order]
        ask(scene, decide.choose_order_revolts, 0, 3)
        assert list(scene.game.revolting) == numbers
