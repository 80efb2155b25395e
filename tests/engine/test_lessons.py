"""Lessons: the pupil's own plan first, others beside it, all on the same tables, and nothing chosen by its results."""

import re

import numpy as np
import pytest

from tests.engine.chronicle import SEED, chronicle
from tests.naive.making import USUAL
from tests.naive.rng import JIT
from tests.naive.standing import free_sites
from tests.policies.searching import arena
from wallsim.engine.lessons import NO_COLUMN
from wallsim.policies.catalogue import load_policy
from wallsim.policies.correction.features import COUNTY_FEATURES
from wallsim.policies.value.value_file import load_value
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import AUCTION, BASE_BOXES, EXPANSIONS, MONEY_CARDS, ROUNDS

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="thousands of playouts")]
VALUE = load_value("season-ends")
PLANS, TABLES = 12, 3
KINDS = [Ruleset(players=3), Ruleset(players=4, setup="draft"), Ruleset(players=5, edition="1e", expansions=EXPANSIONS)]
NAMES = [feature.name for feature in COUNTY_FEATURES]


def lessons(rules, pupils=1, first=0, count=4, tables=TABLES, seed=23):
    """Some lessons of games among `balanced` seats."""
    table = arena(rules, load_policy("balanced"), tower=USUAL, seed=seed)
    return table.lessons(first, count, pupils, VALUE, plans=PLANS, tables=tables, spread=3.0, margin=0.01)


@pytest.mark.parametrize("rules", KINDS, ids=lambda rules: f"{rules.players}{rules.setup}{rules.edition}")
def test_a_game_has_a_lesson_for_each_round_and_every_plan_is_another_one(rules):
    taken = lessons(rules)
    assert taken.seen["moment"].tolist() == list(range(ROUNDS)) * 4
    found = ~np.isnan(taken.results)
    assert (found.all(axis=2) == found.any(axis=2)).all()  # a plan is tried on all tables or on none
    assert found[:, 0].all()
    assert ((taken.results[found] > -1) & (taken.results[found] < 2)).all()
    for number, columns in enumerate(taken.columns):
        tried = columns[found[number, :, 0]]
        assert (columns[~found[number, :, 0]] == NO_COLUMN).all()
        counties = int(taken.seen["counties"][number])
        facts = taken.seen["fact"][number]
        assert (facts[:counties, NAMES.index("armies")] >= 1).all()
        assert (facts[counties:] == 0).all()  # nothing is seen behind them
        assert (tried < counties + MONEY_CARDS).all()
        for plan in tried:
            cards = plan[plan != NO_COLUMN]
            assert len(set(cards.tolist())) == len(cards)  # a card lies on one box (B3.1)
        if rules.edition == "1e":
            assert (tried[:, AUCTION] == NO_COLUMN).all()


def test_the_first_plan_is_the_one_that_the_pupil_plays():
    """Lessons leave the game alone, so that it is the recorded game, round by round."""
    taken = lessons(KINDS[0], pupils=0b010, count=1, seed=SEED)
    rounds = chronicle(KINDS[0], 0, "balanced").rounds
    assert len(taken.seen) == len(rounds)
    for seen, columns, season in zip(taken.seen, taken.columns[:, 0].tolist(), rounds, strict=True):
        [plan] = [line for line in season.of("plan") if line["seat"] == 1]
        hand = sorted(season.before.counties_of(1), key=season.before.number)
        cards = [f"county {name}" for name in hand] + [f"money {value}" for value in range(MONEY_CARDS)]
        assert int(seen["counties"]) == len(hand)
        laid = [None if column == NO_COLUMN else cards[column] for column in columns]
        on_mat = [*plan["boxes"].values(), plan["bid"]]
        assert [card and card.split()[1:] for card in laid] == [card and re.split("[ :_]", card)[1:] for card in on_mat]


def test_a_game_of_lessons_does_not_depend_on_how_many_games_are_played_together():
    whole, second = lessons(KINDS[0]), lessons(KINDS[0], first=2, count=2)
    assert (whole.columns[2 * ROUNDS :] == second.columns).all()
    assert np.array_equal(whole.results[2 * ROUNDS :], second.results, equal_nan=True)
    assert whole.seen[2 * ROUNDS :].tobytes() == second.seen.tobytes()


def test_more_tables_are_further_tables():
    some, more = (lessons(KINDS[0], count=2, tables=tables) for tables in (2, 5))
    assert np.array_equal(some.results[:ROUNDS], more.results[:ROUNDS, :, :2], equal_nan=True)


def test_only_seats_of_the_mask_are_taught():
    """The counties that are seen are those of one of these seats, by their armies and free sites."""
    for mask, seats in ((0b010, (1,)), (0b101, (0, 2))):
        taken, found = lessons(KINDS[0], pupils=mask, count=1, seed=SEED), set()
        for seen, season in zip(taken.seen, chronicle(KINDS[0], 0, "balanced").rounds, strict=True):
            table = season.before
            held = {
                seat: sorted((table.land[name].armies, free_sites(table, name)) for name in table.counties_of(seat))
                for seat in table.players
            }
            facts = seen["fact"][: int(seen["counties"]), [NAMES.index("armies"), NAMES.index("sites")]]
            matches = {seat for seat in seats if held[seat] == sorted(map(tuple, facts.tolist()))}
            assert matches
            found |= matches
        assert found == set(seats)


def test_a_better_plan_comes_out_better_on_average():
    """`balanced` beats plans that it made with errors of some VP: the means say so with six standard errors."""
    taken = lessons(KINDS[1], count=60)
    wide = PLANS // 2
    mean = taken.results.mean(axis=2)
    behind = mean[:, 0] - mean[:, wide - 1]
    assert behind.mean() / (behind.std() / len(behind) ** 0.5) > 4
    assert BASE_BOXES == taken.columns.shape[2]
