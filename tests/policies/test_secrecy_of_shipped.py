"""No shipped policy decides by what it cannot know, whatever branches its weights switch on (B2.1, B2.3, B3.5, E2).

That is the others' cards, hidden action cards, the event deck, the favor deck and others' luck: all of it is changed at
once, for every policy of `data/policies`, on tables of every size, set-up, edition and expansion.
"""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import random_table
from tests.naive.rng import JIT
from tests.naive.scene import Scene
from tests.policies.asking import QUESTIONS, answer, questions_to
from tests.policies.hiding import (
    LEAKS,
    SECRETS,
    as_it_is,
    change_cards,
    change_minds,
    change_name,
    decisions,
    nothing,
    restore,
)
from tests.policies.searching import EVERYWHERE, ROUNDS, Seen
from tests.policies.seating import ask, begin_round, dice_of, every_table, mind_of, plan, random_round, sit, weighted
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import AUCTION, EXPANSIONS
from wallsim.state.random import SEAT, STREAMS
from wallsim.state.setup import deal_county, shuffle_counties

pytestmark = pytest.mark.skipif(not JIT, reason="asks many questions")
SHIPPED = {name: load_policy(name) for name in policy_names()}
SEARCHING = [name for name, policy in SHIPPED.items() if policy.search is not None]
WEIGHING = [name for name in SHIPPED if name not in SEARCHING]
FEW = 4  # tables for each policy, and for some runs of the slow tests a hundred others
TABLES = [range(FEW), pytest.param(range(FEW, FEW + 100), marks=[pytest.mark.slow, pytest.mark.one_in(25)])]
on_tables = pytest.mark.parametrize("numbers", TABLES, ids=["few", "many"])
EACH = 2  # questions of a kind that a seat is asked on a table


def ruleset(number):
    """Sizes, set-ups and editions in turn; mostly with every expansion."""
    expansions = EXPANSIONS if number % 3 != 2 else ((), ("court",), ("leaders",))[number // 3 % 3]
    return Ruleset(
        players=(4, 3, 5)[number % 3],
        setup=("lineup", "draft")[number // 2 % 2],
        edition=("2e", "1e")[number % 2],
        expansions=expansions,
    )


def change_everything(scene, rng, seat):
    """All that is hidden from a seat at once."""
    for change in SECRETS:
        change(scene.game, rng, seat)
    change_minds(scene, rng, seat)
    change_name(scene, rng, seat)
    scene.game.floor[:] = [[rng.randrange(9) for _ in row] for row in scene.game.floor]


def sampled(asked, rng):
    """At most EACH questions of a kind."""
    taken = Counter()
    for question in rng.sample(asked, len(asked)):
        taken[question[0]] += 1
        if taken[question[0]] <= EACH:
            yield question


def changed_answers(policy, number, through=as_it_is):
    """The questions on a table whose answers change with what is hidden, and those that were asked."""
    rng = random.Random(number)
    scene = random_round(random_table(rng, ruleset(number)), rng, policy)
    change_cards(scene.game, rng, -1)
    clean_game, clean_players = scene.game.copy(), scene.players.copy()
    card = rng.choice(list(scene.game.shown_event[: scene.game.shown_events]))
    changed, seen = set(), set()
    for seat in rng.sample(range(int(scene.rules.players)), 2):
        asked, result = list(sampled(questions_to(scene, rng, seat), rng)), []

        def change_all(question, seat=seat):
            change_everything(scene, rng, seat)
            if question is decide.choose_attack:  # who attacks knows the bids and the cards that are turned up
                open_boxes = [AUCTION, *scene.game.action_order[: scene.game.actions_done + 1]]
                scene.game.card[:, open_boxes] = clean_game.card[:, open_boxes]

        for conceal in (nothing, change_all):
            restore(scene.game, clean_game)
            restore(scene.players, clean_players)
            result.append(decisions(scene, seat, card, asked, conceal, through))
        restore(scene.game, clean_game)
        restore(scene.players, clean_players)
        kinds = [decide.choose_plan, *(question for question, *_ in asked)]
        seen.update(kinds)
        changed.update(kind for kind, one, other in zip(kinds, *result, strict=True) if one != other)
    return changed, seen


@on_tables
@pytest.mark.parametrize("name", WEIGHING)
def test_no_shipped_policy_decides_by_what_is_hidden(name, numbers):  # B2.1 B2.3 B2.6 B3.5 B4.3 E2
    for number in numbers:
        assert changed_answers(SHIPPED[name], number)[0] == set()


def test_these_tables_ask_every_question():
    seen = set().union(*(changed_answers(SHIPPED["strong-4p-bigbox"], number)[1] for number in range(8 * FEW)))
    assert seen == {decide.choose_plan, *QUESTIONS}


@given(st.sampled_from(WEIGHING), every_table, dice_of)
def test_a_decision_changes_nothing_but_the_own_stream_and_notes(name, table, rng):  # B2.3
    """And the order of revolts, which is the answer."""
    scene = random_round(table, rng, SHIPPED[name])
    for seat in table.players:
        minds = [mind_of(scene, other).tobytes() for other in table.players if other != seat]
        before = scene.game.copy()
        plan(scene, seat)
        before.random[SEAT + seat] = scene.game.random[SEAT + seat]
        assert before.tobytes() == scene.game.tobytes()
        for question, *details in questions_to(scene, rng, seat):
            before = scene.game.copy()
            answer(scene, seat, question, *details)
            before.random[SEAT + seat] = scene.game.random[SEAT + seat]
            if question is decide.choose_order_revolts:
                before.revolting[:] = scene.game.revolting
            assert before.tobytes() == scene.game.tobytes(), question
        assert [mind_of(scene, other).tobytes() for other in table.players if other != seat] == minds


def acting_on(leak):
    """Answers of a policy that sees one bit of a hidden thing, and changes its answer by it."""

    def through(scene, seat, value):
        return (value, "otherwise") if int(leak(scene, seat)) & 1 else value

    return through


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", LEAKS)
def test_a_policy_that_sees_a_hidden_thing_is_found(name):
    """A few tables suffice."""
    policy, result = SHIPPED["strong-4p"], set()
    for number in range(3 * FEW):
        result |= changed_answers(policy, number, acting_on(LEAKS[name]))[0]
    assert decide.choose_plan in result
    assert len(result) > len(QUESTIONS) // 2


# -------------------------------------------------------------------------------------------- tables of real games


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "tower"), EVERYWHERE[1:3], ids=["draft", "first edition"])
@pytest.mark.parametrize("name", SEARCHING)
def test_a_shipped_search_plans_by_nothing_that_is_hidden(name, rules, tower):
    rng = random.Random(3)
    for season in ROUNDS[1::4]:
        seen = Seen(rules, tower, season, policy=SHIPPED[name])
        saved = seen.keep()
        first = seen.plan(1)
        seen.restore(saved)
        for change in (change for change in SECRETS if change.__name__ != "change_favor_deck"):
            change(seen.game, rng, 1)
        change_minds(seen, rng, 1)
        change_name(seen, rng, 1)
        assert seen.plan(1) == first


# ------------------------------------------------------------------------------------------------------ the draft


def drafted(policy, number, conceal=lambda *_: None, through=as_it_is):
    """What the seats of a draft answer, each after `conceal` has changed what is hidden."""
    rng, other = random.Random(number), random.Random(number + 1)
    players = 3 + number % 3
    scene = sit(Scene.start(players, setup="draft", expansions=("leaders",)), policy)
    game = begin_round(scene).game
    game.random[:] = [rng.getrandbits(64) for _ in range(STREAMS)]
    shuffle_counties(game, scene.rules)
    for turn in range(rng.randrange(20)):
        county = game.deck[game.deck_top]
        game.deck_top += 1
        deal_county(game, turn % players, county, 2)
    result, clean_game, clean_players = [], game.copy(), scene.players.copy()
    for seat in range(players):
        restore(game, clean_game)  # among them the luck of the seat, which was hidden from those before it
        restore(scene.players, clean_players)
        county, stream = game.open_card[0], game.random[SEAT + seat]
        questions = [(decide.choose_claim,), (decide.choose_recycle,), (decide.choose_garrison, county)]
        for question, *more in [*questions, (decide.choose_draft_leader, county)]:
            game.random[SEAT + seat] = stream
            conceal(scene, other, seat)
            result.append(through(scene, seat, int(ask(scene, question, seat, *more))))
    return result


def change_the_draft(scene, rng, seat):
    """The cards under the top of the deck, and all else that is hidden."""
    game = scene.game
    deck = list(game.deck[game.deck_top : game.deck_end])
    rng.shuffle(deck)
    game.deck[game.deck_top : game.deck_end] = deck
    change_everything(scene, rng, seat)


@pytest.mark.parametrize("name", WEIGHING + SEARCHING)
def test_no_shipped_policy_drafts_by_what_is_hidden(name):  # B1.4 M1
    for number in range(FEW):
        assert drafted(SHIPPED[name], number) == drafted(SHIPPED[name], number, change_the_draft)


def test_a_policy_that_looks_into_the_deck_of_the_draft_is_found():
    through = acting_on(lambda scene, seat: scene.game.deck[scene.game.deck_end - 1])
    plain, changed = (
        [drafted(SHIPPED["balanced"], number, conceal, through) for number in range(FEW)]
        for conceal in (lambda *_: None, change_the_draft)
    )
    assert plain != changed


@given(every_table, dice_of)
def test_balanced_plans_without_any_luck(table, rng):
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        first = plan(scene, seat)
        scene.game.random[:] = [rng.getrandbits(64) for _ in range(STREAMS)]
        before = scene.game.random.copy()
        assert plan(scene, seat) == first
        assert (scene.game.random == before).all()
