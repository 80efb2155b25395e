"""Taught choices in combat/movement: which there are, what is seen of them, and which one is made (B5.8)."""

import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.naive import choices, planning_view
from tests.naive.making import BOARD, LIKELY, USUAL, big_box_tables, random_table, tables
from tests.naive.rng import JIT
from tests.policies.hiding import SECRETS
from tests.policies.planted_models import computed, contents, planted, write_policy
from tests.policies.seating import arena_of, ask, dice_of, draw, mind_of, odd_policy, plan, random_round, weighted
from wallsim.mechanics.combat import legal_targets
from wallsim.policies import decide
from wallsim.policies.balanced.appraisal import look_for_foe
from wallsim.policies.balanced.attacks import list_choices
from wallsim.policies.balanced.moves import best_attack, exposure
from wallsim.policies.balanced.targets import look_at_targets
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.policies.correction import attack_features as of
from wallsim.policies.correction.correction_file import Correction
from wallsim.policies.correction.features import MOMENTS
from wallsim.policies.correction.model import judge_choices
from wallsim.policies.odds import look_into_tower, win_chance
from wallsim.policies.weights import CAUTION, HOME
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTION_CARDS, ACTIONS, AUCTION, MONEY, NEUTRAL, NOWHERE, SHOWN_ACTIONS, WINTER

CHOICE = [feature.name for feature in of.CHOICE_FEATURES]
SITUATION = [feature.name for feature in of.SITUATION_FEATURES]
either = st.sampled_from(("must", "may"))  # A7
every_table = st.one_of(tables(combat=either), big_box_tables(combat=either))
taught = pytest.mark.skipif(not JIT, reason="a correction is read from its address")


class Moving:
    """Seat 0 before it moves the armies of a county `origin` by combat A or B, in the midst of a round."""

    def __init__(self, table, rng, policy=None, tower=USUAL):
        scene = random_round(table, rng, *[policy or odd_policy(rng) for _ in table.players], tower=tower)
        self.scene, self.table, self.game, self.rules = scene, table, scene.game, scene.rules
        game, self.mind = scene.game, mind_of(scene, 0)
        plan(scene, 0)
        draw(scene, table.event)
        self.action = rng.choice(choices.COMBATS)
        order = list(game.action_order)
        game.actions_done = order.index(ACTIONS.index(self.action))
        game.turn[: len(table.players)] = rng.sample([*table.players], len(table.players))
        self.lay_cards(rng)
        armed = [name for name in table.counties_of(0) if table.land[name].armies > 1]
        found = [(name, self.targets(name)) for name in armed]
        self.origin, self.mask = rng.choice([each for each in found if each[1]] or [(None, 0)])

    def lay_cards(self, rng):
        """Lay cards of counties and money on all mats but the own one."""
        for seat in range(1, len(self.table.players)):
            own = [*map(self.table.number, self.table.counties_of(seat))]
            hand = rng.sample([*own, *range(MONEY, MONEY + 5)], min(10, len(own) + 5))
            self.game.card[seat, : len(hand)] = hand
            if not self.rules.first_edition:
                self.game.card[seat, AUCTION] = hand[-1]

    def targets(self, origin):
        """The mask of the counties to which armies may go."""
        county, action = self.table.number(origin), ACTIONS.index(self.action)
        return int(legal_targets(self.game, self.rules, 0, county, action))

    def listed(self):
        """The choices, as (goal, armies), with the features of each by name, and those of the situation."""
        mind, county = self.mind, self.table.number(self.origin)
        mind.choice_fact[:], mind.situation[:] = 7.0, 7.0  # nothing of earlier looks may stay
        look_into_tower(self.game, self.rules, mind)
        look_for_foe(self.game, self.rules, mind, 0, county)
        look_at_targets(self.game, self.rules, mind, 0, self.mask)
        count = int(list_choices(self.game, self.rules, mind, 0, county, self.mask))
        numbers = zip(mind.choice_county[:count].tolist(), mind.choice_armies[:count].tolist(), strict=True)
        made = [(None if goal == NOWHERE else BOARD.counties[goal], armies) for goal, armies in numbers]
        facts = [dict(zip(CHOICE, row, strict=True)) for row in mind.choice_fact[:count].tolist()]
        return made, facts, dict(zip(SITUATION, mind.situation.tolist(), strict=True))

    def chosen(self, address):
        """The answer with the correction at an address."""
        self.mind.correction = address
        return ask(self.scene, decide.choose_attack, 0, self.table.number(self.origin), self.mask)


@st.composite
def moving(draw, towers=(USUAL,), **weights):
    """A seat that may move; its weights lie anywhere within their bounds, but for these."""
    table, rng = draw(every_table), draw(dice_of)
    policy = odd_policy(rng)
    policy.weights.update(weights)
    result = Moving(table, rng, policy, rng.choice(towers))
    assume(result.mask)
    return result


@given(seat=moving(LIKELY))
def test_choices_and_their_features_are_those_of_the_slow_twin(seat):  # B5.8 A7
    table, game = seat.table, seat.game
    made, facts, situation = seat.listed()
    assert made == choices.choices(table, 0, seat.origin, seat.action)
    points = planning_view.points_of(table)
    tower = LIKELY[int(seat.rules.tower_model)]
    open_boxes = [AUCTION, *game.action_order[: game.actions_done + 1]]
    turned_up = {
        owner: {BOARD.counties[card] for card in game.card[owner, open_boxes] if 0 <= card < MONEY}
        for owner in table.players
    }
    for (goal, armies), seen in zip(made, facts, strict=True):
        expected = choices.of_choice(table, 0, seat.origin, goal, armies)
        expected |= choices.of_owner(table, 0, goal, points, turned_up)
        assert {name: seen[name] for name in expected} == pytest.approx({n: float(x) for n, x in expected.items()})
    expected = choices.of_situation(table, 0, points, tower) | choices.of_time(game, 0, len(table.players))
    assert expected.keys() == situation.keys()
    assert situation == pytest.approx(expected, rel=1e-5)


@given(seat=moving())
def test_what_the_weights_say_is_what_the_planner_noted(seat):  # B6.2 B6.3
    (made, facts, situation), mind, table = seat.listed(), seat.mind, seat.table
    county = table.number(seat.origin)
    for (goal, armies), seen in zip(made, facts, strict=True):
        expected = {"origin_worth": mind.worth[county], "origin_danger": mind.danger[county]}
        expected |= {"origin_foes": mind.foe_armies[county], **dict.fromkeys(("chance", "fallen", "harm"), 0.0)}
        if goal is None:
            expected |= {"worth": mind.weight[CAUTION], "target_worth": 0.0, "target_prize": 0.0, "target_defence": 0.0}
        else:
            other, owner = table.number(goal), table.land[goal].owner
            harm = exposure(seat.game, seat.rules, mind, 0, county, table.land[seat.origin].armies - armies)
            expected |= {"target_worth": mind.worth[other], "harm": harm}
        if goal is not None and owner == 0:
            expected |= {"worth": seen["target_prize"] - harm, "target_defence": 0.0}
        elif goal is not None:
            chance = _chance(seat, other, armies + int(situation["helpers"]))
            worth = best_attack(seat.game, seat.rules, mind, 0, armies, 1 << other)
            left = mind.weight[HOME] * situation["left"]
            expected |= {"target_prize": mind.prize[other], "target_defence": mind.defence[other], "chance": chance}
            expected |= {"fallen": min(armies, mind.defence[other] + 1.0 - chance), "worth": worth - left * harm}
        assert {name: seen[name] for name in expected} == pytest.approx(expected, rel=1e-4, abs=1e-4)


def _chance(seat, other, armies):
    owner = int(seat.game.owner[other])
    is_rivals = owner != NEUTRAL
    armed = seat.game.army[other] + seat.mind.guards[owner] if is_rivals else seat.rules.neutral_peasants
    loyal = seat.game.marker[other] < (2 if seat.rules.first_edition else 1)  # B6.6 V6
    return win_chance(seat.game, seat.rules, 0, armies, owner, armed, loyal)


@pytest.mark.parametrize("change", SECRETS, ids=lambda change: change.__name__)
@given(seat=moving(), rng=dice_of)
def test_no_feature_changes_with_what_is_hidden(change, seat, rng):  # B2.1 B2.3 B3.5 E2
    before, game = seat.listed(), seat.game
    done, cards, order = int(game.actions_done), game.card.copy(), list(game.action_order)
    change(game, rng, 0)
    turned_up = [AUCTION, *order[: done + 1]]
    game.card[:, turned_up] = cards[:, turned_up]
    hidden = order[min(ACTION_CARDS, done + SHOWN_ACTIONS) :]  # more cards lie open with every one that is carried out
    game.action_order[:] = [*order[: ACTION_CARDS - len(hidden)], *rng.sample(hidden, len(hidden))]
    assert seat.listed() == before


@given(seat=moving())
def test_looking_changes_nothing_on_the_table(seat):
    before = seat.game.tobytes()
    seat.listed()
    assert seat.game.tobytes() == before


def test_every_feature_differs_from_table_to_table():
    of_choices, situations = [], []
    for number in range(60):
        rng = random.Random(number)
        table = random_table(rng, Ruleset(combat=("may", "must")[number % 2]))
        seat = Moving(table, rng, weighted(), LIKELY[number % len(LIKELY)])
        if seat.mask:
            _, facts, situation = seat.listed()
            of_choices += [list(each.values()) for each in facts]
            situations.append(list(situation.values()))
    for names, rows in ((CHOICE, of_choices), (SITUATION, situations)):
        same = np.flatnonzero(np.array(rows).std(axis=0) == 0.0)
        assert same.size == 0, [names[place] for place in same]


def test_a_feature_that_choices_of_one_county_share_stands_behind_the_others():
    assert {"worth", "sent", "kept", "chance", "fallen", "harm"} <= {*CHOICE[: of.SHARED]}
    assert of.SHARED % 4 == of.OF_THE_SITUATION % 4 == of.SITUATION % 4 == 0  # rows are added four at once


def test_very_many_armies_with_very_many_neighbours_have_as_many_choices_as_there_is_room_for():
    table = random_table(random.Random(1), Ruleset(combat="may"))
    origin = max(table.counties_of(0), key=lambda name: len(table.neighbours(name)))
    for name in table.neighbours(origin):
        table.land[name].owner, table.land[name].armies = None, 0
    rules = [(most, len(choices.numbers(most))) for most in range(1, 62)]
    assert max(count for _, count in rules) == of.MOST_NUMBERS == choices.MOST_NUMBERS
    assert of.MAX_CHOICES == choices.MOST_CHOICES
    seat = Moving(table, random.Random(1), weighted())
    for armies in (2, 7, 8, 13, 40):
        table.land[origin].armies = armies
        seat.game.army[table.number(origin)] = armies
        seat.origin, seat.mask = origin, seat.targets(origin)
        assert seat.listed()[0] == choices.choices(table, 0, origin, seat.action)


# ------------------------------------------------------------------------------------- what a correction says


def correction_of(name, **coefficients):
    """The address of a correction that adds multiples of features to what attacks are worth, and else nothing."""
    whole = contents("correction", size=0.0, attacks=0.0, units=0)
    for model in whole["attacks"]["models"]["4"].values():
        for feature, number in coefficients.items():
            model["linear"][of.INPUT_NAMES.index(feature)] = [number]
    return Correction(name, name, whole).address()


@pytest.fixture(scope="module")
def attacking(tmp_path_factory):
    """Corrections of every number of players with random coefficients: with units, and without."""
    folder, every = tmp_path_factory.mktemp("attacking"), ("3", "4", "5")
    return [
        planted("correction", folder / f"{units}.json", seed=units, players=every, units=units, attacks=0.1)
        for units in (5, of.MAX_UNITS, 0)
    ]


@taught
@given(seat=moving(), number=st.integers(0, 2))
def test_a_kernel_judges_choices_as_numpy_does(attacking, seat, number):
    correction = attacking[number]
    count, mind = len(seat.listed()[0]), seat.mind
    mind.correction = correction.address()
    judge_choices(seat.game, seat.rules, mind, count)
    inputs = np.ones((count, of.INPUTS))
    inputs[:, : of.OF_THE_SITUATION], inputs[:, of.OF_THE_SITUATION : -1] = mind.choice_fact[:count], mind.situation
    moment = MOMENTS[int(seat.game.year) * WINTER + int(seat.game.season)]
    model = correction.contents["attacks"]["models"][str(seat.table.rules.players)][moment]
    expected = inputs[:, of.WORTH] + computed(model, inputs)[:, 0]
    # float32 adds some forty products
    assert mind.choice_worth[:count] == pytest.approx(expected, rel=1e-3, abs=2e-4 * np.abs(inputs).max())


WANTED = {  # coefficients, and what such a seat wants most
    "nothing": ({}, lambda seen: seen["worth"]),
    "to send many": ({"sent": 1e6}, lambda seen: seen["sent"]),
    "to send few": ({"sent": -1e6}, lambda seen: -seen["sent"]),
    "to march": ({"marches": 1e6}, lambda seen: seen["marches"]),
    "to attack rivals with few": ({"on_rival": 1e6, "sent": -1e4}, lambda seen: 100 * seen["on_rival"] - seen["sent"]),
}


@taught
@pytest.mark.parametrize("wish", WANTED)
@given(seat=moving(noise=0.0))
def test_the_choice_is_the_best_by_weights_and_correction(wish, seat):
    coefficients, wanted = WANTED[wish]
    made, facts, _ = seat.listed()
    answer = seat.chosen(correction_of(wish, **coefficients))
    worths = [wanted(seen) for seen in facts]
    best = [choice for choice, worth in zip(made, worths, strict=True) if worth == max(worths)]
    assert answer in best
    if wish == "nothing":
        assert answer == best[0]


@taught
@given(seat=moving())
def test_taught_answers_are_legal_on_any_table(attacking, seat):  # B5.8 B5.9 A7
    for correction in attacking:
        assert seat.chosen(correction.address()) in choices.choices(seat.table, 0, seat.origin, seat.action)


@taught
@given(seat=moving(noise=0.0))
def test_a_correction_of_plans_alone_answers_as_without_one(tmp_path_factory, seat):
    path = tmp_path_factory.getbasetemp() / "plans.json"
    assert seat.chosen(planted("correction", path).address()) == seat.chosen(0)


@taught
def test_games_change_with_a_correction_of_attacks_alone(tmp_path):
    base = load_policy("balanced")
    plans, attacks = (
        read_policy(write_policy(tmp_path / f"{name}.toml", "balanced", size=0.0, attacks=size))
        for name, size in (("plans", None), ("attacks", 0.1))
    )
    for setup, combat in (("lineup", "must"), ("draft", "may")):
        usual, same, other = (
            arena_of(4, setup, policy, combat=combat).play(0, 20).seats for policy in (base, plans, attacks)
        )
        assert (usual == same).all()
        assert (usual != other).any()
