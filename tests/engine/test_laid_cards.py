"""An intervention lays a card on a box of a plan; the rest of the plan stays, and it stays within the rules (B3)."""

import numpy as np
import pytest

from tests.engine.intervened import arena, assert_same, play
from tests.naive.making import BOARD
from tests.naive.rng import JIT
from wallsim.engine.columns import columns_of
from wallsim.engine.log_lines import PLAN, STATE, line_places
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTIONS, AUCTION, BASE_BOXES, BOXES, EXPANSIONS, MONEY, MONEY_CARDS

COUNT = 12 if JIT else 1
_PLAN = line_places(PLAN)
RULES = [
    Ruleset(players=4),
    Ruleset(players=3, expansions=EXPANSIONS),
    Ruleset(players=5, edition="1e"),
    Ruleset(players=4, setup="draft"),
]
variants = pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.players}-{rules.setup}-{rules.edition}")


def first_plans(rules, *lines, game=0, policy="random"):
    """The first plan of each seat: cards by box, a list per seat."""
    log = arena(rules, *lines, policy=policy).trace(game)
    lines = log.lines[log.lines[:, 0] == PLAN][: rules.players]
    return [
        line[_PLAN.cards : _PLAN.cards + boxes_of(rules)].tolist() for line in lines[np.argsort(lines[:, _PLAN.seat])]
    ]


def boxes_of(rules):
    """How many boxes a mat has (B3, E1)."""
    return BOXES if rules.expansions else BASE_BOXES


def step(box, card, seat=1, when="spring 1"):
    """The line of an intervention."""
    return {"do": "plan", "box": box, "card": card, "seat": seat, "round": when}


def word(card):
    """A card as interventions name it."""
    return BOARD.counties[card] if 0 <= card < MONEY else "pass"


@variants
def test_the_card_that_lies_there_anyway_changes_nothing(rules):
    base = play(rules, count=1)
    own = first_plans(rules)[1]
    for box, action in enumerate(ACTIONS):
        assert_same(base, play(rules, step(action, word(own[box])), count=1))


@variants
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_a_county_from_another_box_changes_places_with_the_card_here(rules, policy):
    for game in range(COUNT):
        before = first_plans(rules, game=game, policy=policy)
        mine = before[1]
        for other in (box for box, card in enumerate(mine) if 0 <= card < MONEY and box != AUCTION):
            expected = mine.copy()
            expected[4], expected[other] = mine[other], mine[4]
            after = first_plans(rules, step(ACTIONS[4], word(mine[other])), game=game, policy=policy)
            assert after[1] == expected
            assert after[0] == before[0]
            assert after[2:] == before[2:]


@variants
def test_a_county_from_the_hand_takes_the_place_of_the_card_here(rules):
    hands = 0
    for game in range(COUNT):
        land = int(arena(rules).trace(game).snapshots[0]["land"][1])
        mine = first_plans(rules, game=game)[1]
        for county in (each for each in range(MONEY) if (land >> each) & 1 and each not in mine):
            hands += 1
            expected = [*mine[:4], county, *mine[5:]]
            assert first_plans(rules, step(ACTIONS[4], BOARD.counties[county]), game=game)[1] == expected
    assert hands or not JIT


@variants
def test_a_county_of_another_seat_is_not_laid(rules):
    owner = arena(rules).trace(0).snapshots[0]["owner"]
    county = BOARD.counties[int(np.argmax(owner == 0))]
    assert_same(play(rules, count=1), play(rules, step("taxes", county), count=1))


@variants
def test_a_pass_is_the_lowest_money_card_in_the_hand(rules):
    passes = 0
    for game in range(COUNT):
        mine = first_plans(rules, game=game)[1]
        free = [card for card in range(MONEY, MONEY + MONEY_CARDS) if card not in mine]
        for box, action in enumerate(ACTIONS):
            after = first_plans(rules, step(action, "pass"), game=game)[1]
            is_county = 0 <= mine[box] < MONEY
            passes += is_county and bool(free)
            assert after == ([*mine[:box], free[0], *mine[box + 1 :]] if is_county and free else mine)
    assert passes or not JIT


@variants
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_bids_stay_within_the_purse_and_cards_lie_once(rules, policy):  # B3.1 B3.4
    """Every seat has every box changed in every round, which lays counties from the auction on boxes of money."""
    lines = [
        step(action, BOARD.counties[place], seat="turn", when="every")
        for action in ACTIONS[:6]
        for place in range(0, len(BOARD.counties), 5)
        if BOARD.min_players[place] <= rules.players
    ]
    games = arena(rules, *lines[:64], policy=policy)
    for game in range(COUNT):
        log = games.trace(game)
        snapshot = 0
        for line in log.lines:
            if line[0] == PLAN:
                cards = [card for card in line[_PLAN.cards : _PLAN.cards + boxes_of(rules)] if card >= 0]
                unique = [card for card in cards if card < MONEY + MONEY_CARDS]
                assert len(set(unique)) == len(unique)
                bid = line[_PLAN.cards + AUCTION] - MONEY
                if rules.edition == "2e" and 0 <= bid < MONEY_CARDS:
                    assert bid <= log.snapshots[snapshot]["thalers"][line[_PLAN.seat]]
            elif line[0] == STATE:
                snapshot = line[1]


def test_the_table_of_plans_shows_the_card_that_was_laid():
    rules = Ruleset(players=4)
    county = next(card for card in first_plans(rules)[1] if card < MONEY)
    names = [column.name for column in columns_of("plans")]
    rows = arena(rules, step("taxes", word(county))).play(0, 1, plans=True).plans
    assert rows[1, names.index("taxes_card")] == county
