"""Lessons: the pupil's own plan or choice first, others beside it, on the same tables, and none chosen by results."""

import re

import numpy as np
import pytest

from tests.engine.chronicle import SEED, chronicle
from tests.naive import choices
from tests.naive.making import BOARD, USUAL, packed
from tests.naive.rng import JIT
from tests.naive.standing import free_sites
from tests.naive.table import read_table
from tests.policies.searching import arena
from wallsim.engine import decisions
from wallsim.engine.arena import Trials
from wallsim.engine.lessons import NO_COLUMN
from wallsim.mechanics.auction import list_agenda
from wallsim.policies.catalogue import load_policy
from wallsim.policies.correction import attack_features
from wallsim.policies.correction.features import COUNTY_FEATURES
from wallsim.policies.value.value_file import load_value
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTIONS, AUCTION, BASE_BOXES, EXPANSIONS, MONEY_CARDS, ROUNDS

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="thousands of playouts")]
VALUE = load_value("season-ends")
PLANS, TABLES = 12, 3
KINDS = [Ruleset(players=3), Ruleset(players=4, setup="draft"), Ruleset(players=5, edition="1e", expansions=EXPANSIONS)]
NAMES = [feature.name for feature in COUNTY_FEATURES]


def trials(tables, rounds=2**ROUNDS - 1, to_year=False):
    """How plans and choices are tried."""
    return Trials(VALUE, rounds, tables, to_year, 0.01)


def lessons(rules, pupils=1, first=0, count=4, tables=TABLES, seed=23, **changes):
    """Some lessons of games among `balanced` seats."""
    table = arena(rules, load_policy("balanced"), tower=USUAL, seed=seed)
    return table.lessons(first, count, pupils, trials=trials(tables, **changes), plans=PLANS, spread=3.0)


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


# ------------------------------------------------------------------------------------------ lessons of attacks

CHOICE = [feature.name for feature in attack_features.CHOICE_FEATURES]
DONE = [feature.name for feature in attack_features.SITUATION_FEATURES].index("done")


def attack_lessons(rules, pupils=1, first=0, count=4, tables=TABLES, seed=23, **changes):
    """Some lessons of attacks of games among `balanced` seats."""
    table = arena(rules, load_policy("balanced"), tower=USUAL, seed=seed)
    return table.attack_lessons(first, count, pupils, trials=trials(tables, **changes))


def before_combat(rules, number, place, seat, done):
    """The table before a seat moves armies by the action card at a place of the order, the county and the action."""
    played = arena(rules, load_policy("balanced"), tower=USUAL, seed=SEED)
    game = played.choice(number, place, decisions.ATTACK, 0)[1][0]
    entries = game.agenda[: list_agenda(game, packed(rules))].tolist()
    [turn] = [turn for turn, (action, who, _) in enumerate(entries) if (action, who) == (done, seat)]
    game = played.choice(number, place, decisions.ATTACK, turn)[1][0]
    return read_table(game, BOARD, rules), BOARD.counties[game.agenda[turn, 2]], ACTIONS[game.action_order[done]]


@pytest.mark.parametrize("rules", KINDS, ids=lambda rules: f"{rules.players}{rules.setup}{rules.edition}")
def test_results_of_choices_are_of_all_tables_and_behind_the_last_there_are_none(rules):
    taken = attack_lessons(rules)
    assert ROUNDS < len(taken.seen) <= 4 * ROUNDS
    assert set(taken.seen["moment"]) <= set(range(ROUNDS))
    places, counts = np.arange(attack_features.MAX_CHOICES), taken.seen["counties"][:, None]
    assert (np.isnan(taken.results) == (places >= counts)[..., None]).all()
    assert (taken.columns[..., 0] == np.where(places < counts, places, NO_COLUMN)).all()
    assert (np.nan_to_num(taken.results) > -1).all()
    assert (np.nan_to_num(taken.results) < 2).all()
    assert not taken.seen["fact"][places >= counts].any()


def test_choices_are_all_those_of_the_seat_and_the_pupils_own_is_the_first():
    """Lessons leave the game alone, so that it is the recorded game, round by round."""
    rules = KINDS[0]
    taken, own = attack_lessons(rules, pupils=0b010, count=3, seed=SEED), 0
    games = np.cumsum(np.diff(taken.seen["moment"], prepend=0) < 0)
    for number, seen in zip(games.tolist(), taken.seen, strict=True):
        place, count = int(seen["moment"]), int(seen["counties"])
        table, origin, action = before_combat(rules, number, place, 1, int(seen["table"][DONE]))
        made = choices.choices(table, 1, origin, action)
        expected = [choices.of_choice(table, 1, origin, *choice) for choice in made]
        columns = [CHOICE.index(name) for name in expected[0]]
        facts = seen["fact"][:count, columns].tolist()
        assert sorted(facts) == sorted([*map(float, each.values())] for each in expected)
        moves = chronicle(rules, number, "balanced").rounds[place].of("action")
        [move] = [line for line in moves if line["seat"] == 1 and line["action"] == action]
        goal = move["target"] if "target" in move else move["to"]
        tried = [armies for other, armies in made if other == goal]  # of very many armies not every number
        armies = min(tried, key=lambda armies: abs(armies - move["moved"]))
        assert facts[0] == [*map(float, choices.of_choice(table, 1, origin, goal, armies).values())]
        own += facts[0] != [*map(float, expected[0].values())]
    assert own > 3


def test_attack_lessons_do_not_depend_on_how_many_games_are_played_together_and_more_tables_are_further_ones():
    whole, second = attack_lessons(KINDS[0], count=3), attack_lessons(KINDS[0], first=2, count=1, tables=5)
    start = len(whole.seen) - len(second.seen)
    assert whole.seen[start:].tobytes() == second.seen.tobytes()
    assert (whole.columns[start:] == second.columns).all()
    assert np.array_equal(whole.results[start:], second.results[..., :TABLES], equal_nan=True)
    assert not np.array_equal(second.results[..., 0], second.results[..., 1], equal_nan=True)


def test_the_own_choice_comes_out_better_than_the_worst_by_the_weights():
    taken = attack_lessons(KINDS[1], count=60)
    worth = np.where(np.isnan(taken.results[..., 0]), np.inf, taken.seen["fact"][..., CHOICE.index("worth")])
    mean = taken.results.mean(axis=2)
    behind = mean[:, 0] - mean[np.arange(len(mean)), worth.argmin(axis=1)]
    assert behind.mean() / (behind.std() / len(behind) ** 0.5) > 3


@pytest.mark.parametrize("taken_in", [lessons, attack_lessons])
def test_lessons_of_some_rounds_are_those_of_all_in_these_rounds(taken_in):
    """Plans are drawn from the seat's stream, which earlier lessons of the game have used; choices are not drawn."""
    rounds = (1, 4) if taken_in is attack_lessons else (0,)
    whole = taken_in(KINDS[0], count=2)
    some = taken_in(KINDS[0], count=2, rounds=sum(1 << place for place in rounds))
    same = np.isin(whole.seen["moment"], rounds)
    assert 0 < same.sum() < len(same)
    assert whole.seen[same].tobytes() == some.seen.tobytes()
    assert np.array_equal(whole.results[same], some.results, equal_nan=True)


@pytest.mark.parametrize("taken_in", [lessons, attack_lessons])
def test_to_the_end_of_the_year_only_falls_are_tried_as_to_that_of_the_round(taken_in):
    short, long = (taken_in(KINDS[0], count=2, to_year=to_year) for to_year in (False, True))
    assert short.seen["moment"].tolist() == long.seen["moment"].tolist()
    fall = short.seen["moment"] % 3 == 2
    same = [np.array_equal(one, other, equal_nan=True) for one, other in zip(short.results, long.results, strict=True)]
    assert (np.array(same) == fall).all()
