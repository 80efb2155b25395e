"""Custom policies at the table: what checking finds, what it lets pass, and that nothing else changes."""

import numpy as np
import pytest
from hypothesis import given

from tests.naive.making import BOARD, USUAL, big_box_tables, packed
from tests.naive.rng import JIT
from tests.policies.copied_answers import COPIED
from tests.policies.copied_answers import bid as planned_bid
from tests.policies.custom import illegal_answers
from tests.policies.custom.illegal_answers import BASE_GAME, BOX, COUNTY, ILLEGAL, answering
from tests.policies.seating import (
    BIG_BOX,
    VARIANTS,
    box_names,
    card_name,
    dice_of,
    label,
    mind_of,
    plan_errors,
    random_round,
)
from tests.refusals import assert_names
from wallsim.engine.arena import Arena
from wallsim.engine.columns import SEAT_COLUMNS
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.jit import lowest_bit
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.policies.custom import guards
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import AUCTION, MONEY, NO_CARD, NOWHERE, SEASONS, TOWER_CARD

pytestmark = pytest.mark.skipif(not JIT, reason="answers are machine code")
BALANCED, RANDOM = load_policy("balanced"), load_policy("random")
NAMES = [question.name for question in QUESTIONS]
GAMES = 60
EVERY = [*(Ruleset(players=players, setup=setup) for players, setup in VARIANTS), *BIG_BOX]


def arena(rules, *policies, checked=True, seed=17):
    """An arena of these seats; a single policy plays every seat."""
    seated = list(policies) if len(policies) > 1 else [*policies] * rules.players
    return Arena(np.atleast_1d(np.asarray(packed(rules, USUAL))), pack_players(seated), seed, checked=checked)


def illegal_answer_of(table, first=0, count=GAMES):
    """The illegal answer that ends a batch."""
    with pytest.raises(IllegalAnswerError) as caught:
        table.play(first, count)
    return caught.value.args[0]


def text_of(illegal):
    """The line that is said of an illegal answer of seat 1."""
    return illegal.text("mine", lambda county: BOARD.counties[county])


# -------------------------------------------------------------------------------------------- what is illegal


def test_every_question_is_answered_illegally_below():
    assert {illegal.question for illegal in ILLEGAL} == set(NAMES)


@pytest.mark.parametrize(
    "illegal",
    [
        pytest.param(one, id=one.question, marks=() if one.place == BOX else (pytest.mark.slow, pytest.mark.one_in(10)))
        for one in ILLEGAL
    ],
)
def test_an_illegal_answer_is_found_where_it_is_given(illegal):  # B3.1 B3.2 B3.4 E3 V1
    """Its game is the first in which it happens, and alone it goes wrong in the same way."""
    rules = illegal.rules
    table = arena(rules, *[answering(illegal) if seat == 1 else BALANCED for seat in range(rules.players)])
    result = illegal_answer_of(table)
    assert (result.seat, NAMES[result.question], result.kind) == (1, illegal.question, guards.ILLEGAL_ANSWER)
    if result.game:
        assert len(table.play(0, result.game).seats) == result.game * rules.players
    assert illegal_answer_of(table, result.game, 1) == result
    drafting = illegal.question in ("claim", "recycle", "garrison", "draft_leader")
    moment = "draft" if drafting else f"year {result.year + 1}, {SEASONS[result.season]}"
    named = [f"mine (seat 1): game {result.game}, {moment}: {illegal.question}", "allowed is"]
    if illegal.place == COUNTY:
        named += [f"{illegal.question} for {BOARD.counties[result.place]}: {result.answer} is illegal"]
    elif illegal.place == BOX:
        assert (result.place, illegal.card) in ((illegal.box, None), (illegal.box, result.answer))
        named += [f"box {box_names(rules)[result.place].replace('court_', 'court ')}: "]
    else:
        assert result.place == NOWHERE
    assert_names(text_of(result), *named)
    assert "\n" not in text_of(result)


@pytest.mark.parametrize("bidding", [{}, {"bid": planned_bid}], ids=["plan", "plan and bid"])
def test_a_bid_with_few_counties_is_an_illegal_plan_unless_any_box_may_be_left_empty(bidding):  # B3.2 A14
    few = {"players": 5, "edition": "2e"}
    policy = answering(plan=illegal_answers.bids_with_few, **bidding)
    seated = [policy, RANDOM, RANDOM, RANDOM, RANDOM]
    result = illegal_answer_of(arena(Ruleset(few_cards="actions_first", **few), *seated), count=400)
    assert QUESTIONS[result.question].name == "plan"
    assert (result.place, result.answer) == (AUCTION, MONEY)
    arena(Ruleset(few_cards="any_box", **few), *seated).play(0, 400)


def test_a_message_says_who_where_what_and_what_is_allowed():
    result = illegal_answer_of(arena(Ruleset(players=4), BALANCED, answering(ILLEGAL[0]), BALANCED, BALANCED))
    assert text_of(result).startswith("mine (seat 1): game 0, year 1, spring: plan: box taxes: ")
    assert_names(text_of(result), BOARD.counties[result.answer], "own card", "is held", "[A14]")
    assert f"county {result.answer}" in str(IllegalAnswerError(result)), "an arena knows no names"


def test_of_several_illegal_answers_the_earliest_is_named():
    fall, summer = (
        answering(place=lambda game, rules, mind, seat, free: 5 if game.season == 2 else lowest_bit(free)),
        answering(place=lambda game, rules, mind, seat, free: 6 if game.season == 1 else lowest_bit(free)),
    )
    result = illegal_answer_of(arena(BASE_GAME, fall, BALANCED, summer))
    assert (result.seat, result.game, result.year, result.season, result.answer) == (2, 0, 0, 1, 6)


@pytest.mark.parametrize(
    ("function", "kind", "what"),
    [
        *((function, guards.CHANGED_TABLE, "on the table") for function in illegal_answers.CHANGES_THE_TABLE),
        *((function, guards.CHANGED_MIND, "`mind`") for function in illegal_answers.CHANGES_ITS_SETTINGS),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_who_changes_the_table_or_its_weights_or_settings_is_found(function, kind, what):  # B2.3
    result = illegal_answer_of(arena(BASE_GAME, BALANCED, answering(place=function), BALANCED))
    assert (result.seat, result.game, result.season, result.kind) == (1, 0, 0, kind)
    assert_names(text_of(result), "game 0, year 1, spring: place", what)


@pytest.mark.parametrize("function", illegal_answers.CHANGES_NOTHING_OF_NOTE, ids=lambda function: function.__name__)
def test_notes_and_the_own_stream_are_free(function):
    assert len(arena(BASE_GAME, answering(place=function)).play(0, 20).games) == 20


def test_staying_is_illegal_only_where_moving_is_a_duty():  # A7
    policy = answering(attack=illegal_answers.stays)
    assert len(arena(Ruleset(players=3, combat="may"), policy).play(0, 20).games) == 20
    illegal_answer_of(arena(illegal_answers.DUTY, policy))


@given(table=big_box_tables(), rng=dice_of)
def test_plans_are_refused_exactly_where_the_rules_refuse_them(table, rng):  # B3.1 B3.2 B3.4 E3 V1 A4
    """Plans of `random`, some of them meddled with, against the naive list of errors."""
    scene = random_round(table, rng, RANDOM)
    names = box_names(table.rules)
    for seat in table.players:
        mind = mind_of(scene, seat)
        decide.choose_plan(scene.game, scene.rules, mind, seat)
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            here, there = rng.randrange(len(names)), rng.randrange(len(names))
            own_counties = [card for card in mind.plan[: len(names)] if 0 <= card < MONEY]
            mind.plan[here] = rng.choice((
                NO_CARD, mind.plan[there], rng.randrange(TOWER_CARD + 3), TOWER_CARD, MONEY + rng.randrange(5),
                *own_counties[:1],
            ))  # fmt: skip
        cards = dict(zip(names, map(card_name, mind.plan[: len(names)]), strict=True))
        box = guards._illegal_box(scene.game, scene.rules, mind, seat)
        assert (box >= 0) == bool(plan_errors(table, seat, cards)), (box, cards)


# -------------------------------------------------------------------------------------------- what is right


def rows(table, count=12):
    """All four tables of some games."""
    return table.play(3, count, seasons=True, battles=True)


def assert_same(result, expected):
    """The same rows in all four tables, but for the column that a range fills in later."""
    for name in result._fields:
        ours, theirs = getattr(result, name)[:, 1:], getattr(expected, name)[:, 1:]
        assert ours.shape == theirs.shape, name
        assert (ours == theirs).all(), name


@pytest.mark.slow
@pytest.mark.one_in(10)
@pytest.mark.parametrize("rules", EVERY, ids=label)
def test_who_answers_as_balanced_does_plays_the_same_games(rules):
    """In every seat and among others, checked and unchecked."""
    expected = rows(arena(rules, BALANCED))
    assert_same(rows(arena(rules, COPIED, checked=True)), expected)
    assert_same(rows(arena(rules, COPIED, checked=False)), expected)
    mixed = [COPIED, BALANCED, RANDOM, COPIED, BALANCED][: rules.players]
    plain = [BALANCED, BALANCED, RANDOM, BALANCED, BALANCED][: rules.players]
    assert_same(rows(arena(rules, *mixed)), rows(arena(rules, *plain)))


@pytest.mark.parametrize("name", NAMES)
def test_each_answer_alone_is_as_good_as_all(name):
    policy = answering(**{name: COPIED.answers[name].function})
    for rules in {illegal.rules for illegal in ILLEGAL if illegal.question == name}:  # in which it is asked
        assert_same(rows(arena(rules, policy), 8), rows(arena(rules, BALANCED), 8))


def bids_four(game, rules, mind, seat):
    for box in range(AUCTION):
        if mind.plan[box] == MONEY + 4:
            return mind.plan[AUCTION]
    return MONEY + 4 if game.thalers[seat] >= 4 else mind.plan[AUCTION]


def test_an_own_plan_finds_that_of_the_weights_and_later_answers_find_their_notes():
    for rules in (EVERY[0], illegal_answers.COURT, illegal_answers.FIRST_EDITION):
        assert_same(
            rows(arena(rules, answering(plan=lambda game, rules, mind, seat: None))), rows(arena(rules, BALANCED))
        )


def test_a_bid_takes_the_place_of_the_planned_one_and_leaves_the_other_boxes():  # B3.4
    policy, plain = answering(bid=bids_four), arena(BASE_GAME, BALANCED)
    result = arena(BASE_GAME, policy, BALANCED, BALANCED).trace(2), plain.trace(2)
    snapshots = [log.snapshots[1].card[0] for log in result]
    assert (snapshots[0][:AUCTION] == snapshots[1][:AUCTION]).all()
    assert [snapshot[AUCTION] for snapshot in snapshots] == [MONEY + 4, MONEY]


def test_a_game_with_own_policies_is_the_same_alone_in_a_batch_and_traced():
    rules = BIG_BOX[2]
    table = arena(rules, COPIED, BALANCED, COPIED, RANDOM)
    whole = table.play(3, 6)
    single = [table.play(3 + number, 1).seats for number in reversed(range(6))]
    assert (np.concatenate(single[::-1]) == whole.seats).all()
    points = whole.seats[2 * rules.players : 3 * rules.players, [column.name for column in SEAT_COLUMNS].index("vp")]
    assert table.trace(5).snapshots[-1].vp[: rules.players].tolist() == points.tolist()
