"""`balanced` under all rules: legal answers, wins against `random`, and more of them for knowing the expansions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import big_box_tables, tables
from tests.naive.rng import many_draws
from tests.policies.asking import answer, questions_to
from tests.policies.seating import arena_under, dice_of, draw, label, odd_policy, plan, random_round, weighted
from wallsim.engine.columns import SEAT_COLUMNS, columns_of
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EFFECTS, EXPANSIONS
from wallsim.stats.intervals import wilson

RANDOM, BALANCED = load_policy("random"), load_policy("balanced")
NEW_WEIGHTS = ("favor", "courtier", "tray", "regions", "statue", "leader", "aside")
EVERY_KIND = [
    Ruleset(),
    Ruleset(setup="draft"),
    *(Ruleset(expansions=(expansion,)) for expansion in EXPANSIONS),
    Ruleset(edition="1e"),
    Ruleset(edition="1e", expansions=EXPANSIONS),
]
WIN = [column.name for column in SEAT_COLUMNS].index("win")
either = st.sampled_from(("may", "must"))


def seats(rules, *policies, games, seed=17):
    """The rows of the seats table, by game and seat."""
    rows = arena_under(rules, *policies, seed=seed).play(0, games).seats
    return rows.reshape(games, rules.players, -1)


def column(rules, name):
    """The place of a column in the seats table."""
    return [entry.name for entry in columns_of("seats", rules.expansions)].index(name)


def wins_of_one(rules, policy, others, games):
    """The share of wins of one seat with `policy` against three with `others`, over its four places at the table."""
    shares = []
    for seat in range(4):
        policies = [policy if other == seat else others for other in range(4)]
        sharing = arena_under(rules, *policies, seed=seat).play(0, games).seats[seat::4, WIN]
        shares += [1 / k if k else 0.0 for k in sharing.tolist()]
    return float(np.mean(shares)), len(shares)


# ------------------------------------------------------------------------------------------------- strength


@many_draws
@pytest.mark.parametrize("rules", EVERY_KIND, ids=label)
def test_it_beats_three_random_seats_in_at_least_95_percent_of_games_and_97_of_the_base_game(rules):
    share, games = wins_of_one(rules, BALANCED, RANDOM, games=500)
    assert wilson(share, games, 1.96)[0] > (0.95 if rules.expansions or rules.edition == "1e" else 0.97)


@many_draws
@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("edition", ["2e", "1e"])
def test_it_wins_more_for_knowing_the_expansions(edition, setup):
    """Against itself with nothing expected of favors, courtiers, regions, statues and leaders; fair would be 0.25."""
    rules = Ruleset(edition=edition, setup=setup, expansions=EXPANSIONS)
    share, games = wins_of_one(rules, BALANCED, weighted(**dict.fromkeys(NEW_WEIGHTS, 0.0)), games=400)
    assert wilson(share, games, 1.96)[0] > 0.4


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("expansion", "weights"),
    [("court", ("favor", "courtier")), ("landsknechte", ("regions",)), ("leaders", ("statue", "leader"))],
)
def test_each_expansion_is_worth_knowing(expansion, weights):
    rules = Ruleset(expansions=(expansion,))
    share, games = wins_of_one(rules, BALANCED, weighted(**dict.fromkeys(weights, 0.0)), games=2500)
    assert wilson(share, games, 1.96)[0] > 0.25


@many_draws
@pytest.mark.parametrize(
    ("name", "weight"), [("favors", "favor"), ("landsknecht_cards", "regions"), ("statues_left", "statue")]
)
def test_a_seat_that_cares_gets_more_of_it(name, weight):
    rules = Ruleset(expansions=EXPANSIONS)
    careless = weighted(**{weight: 0.0})
    result = seats(rules, BALANCED, careless, BALANCED, careless, games=800)[:, :, column(rules, name)]
    swapped = seats(rules, careless, BALANCED, careless, BALANCED, games=800)[:, :, column(rules, name)]
    caring = np.concatenate([result[:, ::2], swapped[:, 1::2]]).mean()
    others = np.concatenate([result[:, 1::2], swapped[:, ::2]]).mean()
    assert caring > 1.05 * others


# ------------------------------------------------------------------------------------------------- legality


@given(st.one_of(tables(combat=either), big_box_tables(combat=either)), st.sampled_from(EFFECTS), dice_of)
def test_every_answer_is_one_of_those_offered(table, effect, rng):  # A7 B4.3 B5.7 to B5.9 B7.3 E5 E6 L1 M1 M3 V3 V5
    scene = random_round(table, rng, *[odd_policy(rng) for _ in table.players])
    must = table.rules.options()["A7"] == "must"
    for seat in table.players:
        plan(scene, seat)
        draw(scene, effect)
        for question, *details in questions_to(scene, rng, seat):
            result = answer(scene, seat, question, *details)
            assert is_legal(scene, must, seat, question, details, result), (question.__name__, details, result)
        scene.game.event = -1


def is_legal(scene, must, seat, question, details, result):
    """Whether the engine could carry out an answer."""
    game, rules = scene.game, scene.rules
    own = int(game.land[seat])
    if question is decide.choose_attack:
        target, sent = result
        county, targets = details
        return not must if sent == 0 else sent < game.army[county] and targets >> scene.table.number(target) & 1
    if question in (decide.choose_move, decide.choose_recruits_move):
        target, sent = result
        if sent == 0:
            return question is decide.choose_move
        goals = int(rules.neighbours[details[0]]) & own
        return sent < game.army[details[0]] and goals >> scene.table.number(target) & 1
    if question is decide.choose_defend:
        return 1 <= result <= game.army[details[0]]
    if question is decide.choose_favor:
        return result == -1 or details[0] >> result & 1
    if question is decide.choose_leader:
        return own >> result & 1
    if question is decide.choose_leader_move:
        return (own & ~int(game.leader[seat])) >> result & 1
    if question in (decide.choose_cancel_event, decide.choose_statue):
        return result in (True, False)
    if question is decide.choose_order_revolts:
        return sorted(result) == sorted(details[0])
    return int(details[-1]) >> result & 1  # one of a mask
