"""Habits of one round while an event card lies open, in the study `events`."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from wallsim.analyses.events import open_cards
from wallsim.analyses.events.cards import CARDS, EXPERIMENT, cards_of
from wallsim.analyses.events.open_cards import HABITS, LIE_OPEN, MORE, OPEN, OTHERWISE, PAIRS, effect_words
from wallsim.analyses.play.changes import POINTS, SHOWN, WINS
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.studies.games import Games
from wallsim.studies.scenarios import experiment_of
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE

DESIGN = {
    "experiment": experiment_of(EXPERIMENT, CASUAL_TABLE), "sets": 2,
    "measures": {name: habit.measure.columns for name, habit in HABITS.items()},
}  # fmt: skip
BY_CODE = [name for name, habit in HABITS.items() if habit.code]


def games_of(experiment, size, policies=None, **options):
    """Games of an experiment from 0 on; `policies` makes other ones of its policies."""
    parts = experiment.components()
    parts = replace(parts, policies=tuple(policies(parts.policies))) if policies else parts
    return Games(0, 4, parts.arena(experiment.seed, **options).play(0, size, seasons=True))


@pytest.fixture(scope="module")
def base():
    return open_cards.unchanged(DESIGN, workers=1)


@pytest.mark.parametrize("code", [None, pytest.param(open_cards.CODE, marks=pytest.mark.slow)])
def test_a_habit_changed_to_itself_changes_nothing(base, code):
    """The code of habits, where no round asks for one, leaves every plan as it is."""
    same = open_cards.changed(DESIGN, replace(HABITS["Attack no player"], weights={}, code=code), workers=1)
    for outcome, name in ((POINTS, POINTS), (WINS, WINS), (SHOWN, "Attack no player")):
        change = same[outcome] - base[name]
        assert (change == 0).all()
        for estimate in open_cards.by_card(change, base[LIE_OPEN], "church_peace").values():
            assert (estimate.value, estimate.error) == (0, 0)


def test_a_habit_holds_in_its_round_alone():
    """Before that round nothing differs; in it the seat attacks players where the duty to move leaves it no choice."""
    habit, size = HABITS["Attack no player"], 60

    def with_habit(policies):
        return [open_cards.in_round(habit, policy, 2) if seat == 2 else policy for seat, policy in enumerate(policies)]

    both = [games_of(DESIGN["experiment"], size, policies) for policies in (None, with_habit)]
    attacks = {}
    for season in ("spring 1", "summer 1", "fall 1", "fall 2"):
        seasons = np.full(size, SEASON_NAMES.index(season))
        attacks[season] = [games.in_seasons("attacks_on_players", seasons) for games in both]
    assert all((attacks[season][0] == attacks[season][1]).all() for season in ("spring 1", "summer 1"))
    assert attacks["fall 1"][1][:, 2].sum() < attacks["fall 1"][0][:, 2].sum() / 3
    assert attacks["fall 2"][1][:, 2].sum() > attacks["fall 2"][0][:, 2].sum() / 2


def test_a_planted_loss_under_one_card_is_found_there_alone(base):
    """Games in which peace of churches lies open lose two points, all others one."""
    cards = base[LIE_OPEN]
    peace = (cards & sum(1 << CARDS.index(card) for card in cards_of("church_peace"))) != 0
    found = open_cards.by_card(-1.0 - peace, cards, "church_peace")
    assert [found[when].value for when in (OPEN, OTHERWISE, MORE)] == pytest.approx([-2, -1, -1])
    assert found[MORE].blocks == 2
    # What differs by round alone, spring from fall, is no effect of the card, which lies open more often in spring.
    rounds = np.tile(np.repeat(np.arange(6.0), open_cards.SIZE), 2)
    assert open_cards.by_card(rounds, cards, "tax_max")[MORE].value == pytest.approx(0)


@pytest.mark.parametrize("effect", ["tax_max", "church_peace"])
def test_a_card_lies_open_as_often_as_the_draw_says(effect):
    """B1.8, B2.4: four of twelve cards lie open, and one of them goes each round; counted over all hands."""
    mine = set(cards_of(effect))
    lie = [np.mean([bool(mine & set(hand)) for hand in combinations(CARDS, number)]) for number in (4, 3, 2)]
    assert open_cards.shares_of_rounds(effect) == pytest.approx(np.array(lie * 2) / (2 * sum(lie)))


def test_open_cards_are_those_of_the_year_that_have_not_come():
    """B2.4: in spring four lie open, in summer three, in fall two, and the round's own is one of them."""
    games = games_of(DESIGN["experiment"], 30)
    for place, (name, number) in enumerate(zip(ROUND_NAMES, (4, 3, 2) * 2, strict=True)):
        masks = open_cards.cards_open(games, np.full(30, place))
        assert [bin(mask).count("1") for mask in masks] == [number] * 30
        assert ((masks >> games.game(f"event_{name[:-2]}_year{name[-1]}").astype(int)) & 1).all()


def test_the_cards_are_named_by_their_effects():
    effects = load_board().event_effect
    for effect, _ in PAIRS:
        numbers = {CARDS.index(card) for card in cards_of(effect)}
        assert numbers == {number for number in range(len(CARDS)) if effects[number] == effects[min(numbers)]}
    assert [effect_words(effect) for effect in ("church_peace", "tax_max")] == ["church peace", "taxes of at most 5"]
    assert len(set(PAIRS)) == len(PAIRS) <= 8
    assert {habit for _, habit in PAIRS} == set(HABITS)


def test_habits_have_weights_within_their_bounds_that_no_other_game_reads():
    known = {weight.name: weight for weight in WEIGHTS}
    for habit in HABITS.values():
        for name, value in habit.weights.items():
            assert known[name].low <= value <= known[name].high
            assert not habit.code or known[name].needs.words == "the expansion leaders"
        changed = open_cards.in_round(habit, load_policy("expert-4p"), 3)
        assert bool(changed.answers) == bool(habit.code)
        assert set(changed.phases.get("spring 2", {})) >= set(habit.weights)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_CODE)
@pytest.mark.parametrize("table", [CASUAL_TABLE, EXPERIENCED_TABLE])
def test_habits_by_code_play_by_the_rules_and_change_what_they_say(name, table):
    """Checked answers: each plan is legal (B3.1, B3.2, B3.4); the measure moves as the habit says."""
    habit, experiment = HABITS[name], experiment_of(EXPERIMENT, table)
    seasons, shown = np.full(30, SEASON_NAMES.index("summer 2")), []
    for policies in (None, lambda policies: [open_cards.in_round(habit, policy, 4) for policy in policies]):
        games = games_of(experiment, 30, policies, checked=policies is not None)
        columns = habit.measure.columns.items()
        shown.append(sum(sign * games.in_seasons(column, seasons) for column, sign in columns).mean())
    assert (shown[1] > shown[0]) == habit.more
