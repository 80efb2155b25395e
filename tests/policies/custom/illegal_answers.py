"""Answers that the rules do not allow, one or more for every question, and a ruleset in which each is asked."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.custom.python_file import Answer
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import AUCTION, EXPANSIONS, MONEY, NO_CARD, TOWER_CARD
from wallsim.state.random import SEAT, TOWER, draw

BASE_GAME = Ruleset(players=3)
DRAFTED = Ruleset(players=3, setup="draft", expansions=EXPANSIONS)
FIRST_EDITION = Ruleset(players=3, setup="lineup", edition="1e", expansions=EXPANSIONS)
COURT = Ruleset(players=5, expansions=("court",))
DUTY = Ruleset(players=3, combat="must")
BOX, COUNTY, NEITHER = "box", "county", "neither"
_BY_NAME = {question.name: question for question in QUESTIONS}


class Illegal(NamedTuple):
    """An illegal answer to a question, where it is asked, and what a message names beside game and season.

    Of a plan the box that is wrong, and the card on it where it is always the same.
    """

    question: str
    function: object
    rules: Ruleset
    place: str
    box: int | None = None
    card: int | None = None


def answering(*illegal: Illegal, **functions) -> Policy:
    """A policy like `balanced` but for some answers."""
    given = {**{one.question: one.function for one in illegal}, **functions}
    answers = {name: Answer(_BY_NAME[name], function, b"", name) for name, function in given.items()}
    return Policy("mine", "python", load_policy("balanced").weights, answers=answers, code="0" * 64)


@kernel
def lay(mind, box, card):
    mind.plan[box] = card


@kernel
def send(mind, target, armies):
    mind.target, mind.armies = target, armies


@kernel
def order(game, place, county):
    game.revolting[place] = county


def bids_with_few(game, rules, mind, seat):
    """Moves a pass to the auction as soon as five counties or fewer are left (B3.2 [A14])."""
    if count_bits(game.land[seat]) <= 5 and mind.plan[AUCTION] == NO_CARD:
        mind.plan[AUCTION] = MONEY
        for box in range(AUCTION):
            if mind.plan[box] == MONEY:
                mind.plan[box] = NO_CARD


def four_tower_cards(game, rules, mind, seat):
    for box in range(4):
        mind.plan[box] = TOWER_CARD


def nothing_planned(game, rules, mind, seat):
    mind.plan[:] = NO_CARD


def covered_auction(game, rules, mind, seat):
    mind.plan[AUCTION], mind.plan[0] = mind.plan[0], NO_CARD


def four_thalers(game, rules, mind, seat):
    for box in range(rules.boxes):
        if mind.plan[box] == MONEY + 4:
            mind.plan[box] = mind.plan[AUCTION]
    return MONEY + 4


def all_armies_move(game, rules, mind, seat, county):
    own = rules.neighbours[county] & game.land[seat]
    if own != 0:
        send(mind, lowest_bit(own), game.army[county])


def moves_abroad(game, rules, mind, seat, county):
    foreign = rules.neighbours[county] & ~game.land[seat]
    if foreign != 0 and game.army[county] > 1:
        send(mind, lowest_bit(foreign), 1)


def stays(game, rules, mind, seat, county, targets):
    mind.target = lowest_bit(targets)


ILLEGAL = (
    Illegal("plan", lambda game, rules, mind, seat: lay(mind, 4, lowest_bit(~game.land[seat])), BASE_GAME, BOX, 4),
    Illegal("plan", lambda game, rules, mind, seat: lay(mind, 5, mind.plan[2]), BASE_GAME, BOX, 5),
    Illegal("plan", lambda game, rules, mind, seat: lay(mind, 3, TOWER_CARD + 1), BASE_GAME, BOX, 3, TOWER_CARD + 1),
    Illegal("plan", lambda game, rules, mind, seat: lay(mind, 3, -2), COURT, BOX, 3, -2),
    Illegal("plan", lambda game, rules, mind, seat: lay(mind, 7, TOWER_CARD), BASE_GAME, BOX, 7, TOWER_CARD),
    Illegal("plan", four_tower_cards, COURT, BOX, 3, TOWER_CARD),
    Illegal("plan", lambda game, rules, mind, seat: lay(mind, 6, NO_CARD), BASE_GAME, BOX, 6, NO_CARD),
    Illegal("plan", nothing_planned, FIRST_EDITION, BOX, 0, NO_CARD),
    Illegal("plan", covered_auction, FIRST_EDITION, BOX, AUCTION),
    Illegal("bid", four_thalers, BASE_GAME, BOX, AUCTION, MONEY + 4),
    Illegal("place", lambda game, rules, mind, seat, free: lowest_bit(~free), BASE_GAME, NEITHER),
    Illegal("move", all_armies_move, BASE_GAME, COUNTY),
    Illegal("move", moves_abroad, BASE_GAME, COUNTY),
    Illegal("move", lambda game, rules, mind, seat, county: send(mind, lowest_bit(rules.neighbours[county]), -1),
            BASE_GAME, COUNTY),
    Illegal("attack", lambda game, rules, mind, seat, county, targets: send(mind, lowest_bit(~targets), 1),
            BASE_GAME, COUNTY),
    Illegal("attack", lambda game, rules, mind, seat, county, targets: send(mind, mind.target, 1), BASE_GAME, COUNTY),
    Illegal("attack",
            lambda game, rules, mind, seat, county, targets: send(mind, lowest_bit(targets), game.army[county]),
            BASE_GAME, COUNTY),
    Illegal("attack", stays, DUTY, COUNTY),
    Illegal("attack", stays, FIRST_EDITION, COUNTY),
    Illegal("order_revolts",
            lambda game, rules, mind, seat, count: order(game, count - 1, lowest_bit(~game.land[seat])),
            BASE_GAME, NEITHER),
    Illegal("order_revolts", lambda game, rules, mind, seat, count: order(game, 1, game.revolting[0]),
            BASE_GAME, NEITHER),
    Illegal("claim", lambda game, rules, mind, seat: 3, DRAFTED, NEITHER),
    Illegal("recycle", lambda game, rules, mind, seat: 2, DRAFTED, NEITHER),
    Illegal("garrison", lambda game, rules, mind, seat, county: game.groups[seat], DRAFTED, COUNTY),
    Illegal("garrison", lambda game, rules, mind, seat, county: -1, DRAFTED, COUNTY),
    Illegal("defend", lambda game, rules, mind, seat, county, attacker, attackers: 0, FIRST_EDITION, COUNTY),
    Illegal("defend", lambda game, rules, mind, seat, county, attacker, attackers: game.army[county] + 1,
            FIRST_EDITION, COUNTY),
    Illegal("recruit", lambda game, rules, mind, seat, county, modes: lowest_bit(~modes), FIRST_EDITION, COUNTY),
    Illegal("recruits_move", lambda game, rules, mind, seat, county: send(mind, mind.target, 0), FIRST_EDITION, COUNTY),
    Illegal("recruits_move", all_armies_move, FIRST_EDITION, COUNTY),
    Illegal("benefit", lambda game, rules, mind, seat, offered: lowest_bit(~offered), DRAFTED, NEITHER),
    Illegal("favor", lambda game, rules, mind, seat, spaces: lowest_bit(~spaces), DRAFTED, NEITHER),
    Illegal("favor", lambda game, rules, mind, seat, spaces: -2, DRAFTED, NEITHER),
    Illegal("cancel_event", lambda game, rules, mind, seat: 2, DRAFTED, NEITHER),
    Illegal("favor_county", lambda game, rules, mind, seat, favor, counties: lowest_bit(~counties), DRAFTED, NEITHER),
    Illegal("draft_leader", lambda game, rules, mind, seat, county: 2, DRAFTED, COUNTY),
    Illegal("leader", lambda game, rules, mind, seat: lowest_bit(~game.land[seat]), FIRST_EDITION, NEITHER),
    Illegal("leader", lambda game, rules, mind, seat: 64, FIRST_EDITION, NEITHER),
    Illegal("leader_move", lambda game, rules, mind, seat: lowest_bit(game.leader[seat]), DRAFTED, NEITHER),
    Illegal("statue", lambda game, rules, mind, seat, county: 2, DRAFTED, COUNTY),
)  # fmt: skip


def gains_points(game, rules, mind, seat, free):
    game.vp[seat] += 1
    return lowest_bit(free)


def draws_from_the_tower(game, rules, mind, seat, free):
    draw(game, TOWER)
    return lowest_bit(free)


def draws_from_another_seat(game, rules, mind, seat, free):
    draw(game, SEAT + (seat + 1) % rules.players)
    return lowest_bit(free)


def peeks_and_puts_back_elsewhere(game, rules, mind, seat, free):
    game.action_order[8], game.action_order[9] = game.action_order[9], game.action_order[8]
    return lowest_bit(free)


def draws_from_its_own(game, rules, mind, seat, free):
    draw(game, SEAT + seat)
    return lowest_bit(free)


def orders_revolts_too_early(game, rules, mind, seat, free):
    game.revolting[0] = (game.revolting[0] + 1) % 7
    return lowest_bit(free)


def grows_bold(game, rules, mind, seat, free):
    mind.weight[0] += 0.5
    return lowest_bit(free)


def checks_itself_no_more(game, rules, mind, seat, free):
    mind.checked = 0
    return lowest_bit(free)


def notes_and_answers(game, rules, mind, seat, free):
    mind.worth[:] = 1.0
    mind.target, mind.armies = 3, 99
    return lowest_bit(free)


CHANGES_THE_TABLE = (
    gains_points,
    draws_from_the_tower,
    draws_from_another_seat,
    peeks_and_puts_back_elsewhere,
    orders_revolts_too_early,
)
CHANGES_ITS_SETTINGS = (grows_bold, checks_itself_no_more)
CHANGES_NOTHING_OF_NOTE = (draws_from_its_own, notes_and_answers)
