"""Guards call the answers of custom policies by address and check them against the rules.

The first illegal answer of a batch is recorded in `mind.fault`. Every illegal answer is replaced by a legal one, so
that the batch can be played to its end and then refused: no other answer ever comes to the table, where it might be
the place of a county that there is not. If the mind is `checked`, what an answer changed on the table is restored and
recorded, too, and who stays where it must move is at fault; else the engine moves an army for it.

A checked answer is also compared with one that was given before, on the same table with everything hidden dealt again
(`hidden_information.py`). Table, mind and stream are restored in between, so that the game is the same with and
without this.
"""

from functools import cache

import numpy as np

from wallsim.jit import (
    call_int,
    call_void,
    clear_record,
    copy_record,
    count_bits,
    entry_point,
    kernel,
    lowest_bit,
    record_at,
    word_of,
)
from wallsim.mechanics.auction import auction_stays_empty
from wallsim.policies.custom.hidden_information import deal_again
from wallsim.policies.questions import ATTACK, BENEFIT, BID, FAVOR, ORDER_REVOLTS, PLAN, QUESTIONS
from wallsim.policies.record import MIND, SEARCH_WIDTH, SETTINGS_END
from wallsim.rules.record import RULES
from wallsim.rules.terms import (
    AUCTION,
    BENEFIT_POINTS,
    MAX_REVOLTS,
    MONEY,
    MONEY_CARDS,
    NO_CARD,
    NOWHERE,
    TOWER_CARD,
    TOWER_CARDS,
)
from wallsim.state.game import GAME, GAME_SIZE
from wallsim.state.random import SEAT

# The fault record `mind.fault`: kind of fault, question, game, year, season, box or county, and answer
FAULT_KIND, FAULT_QUESTION, FAULT_GAME, FAULT_YEAR, FAULT_SEASON, FAULT_PLACE, FAULT_ANSWER = range(7)
NO_FAULT, ILLEGAL_ANSWER, CHANGED_TABLE, CHANGED_MIND, LOOKED, VARIES, RAISED = range(7)  # RAISED: by other means

# The record of the question that is being asked, `asked` of the backup; ASKED_NOW is 1 until it is answered
ASKED_NOW, ASKED_SEAT, ASKED_QUESTION, ASKED_GAME, ASKED_YEAR, ASKED_SEASON, ASKED_PLACE = range(7)

_DETAILS = np.array([len(question.details) for question in QUESTIONS])
_RETURNS = np.array([question.returns for question in QUESTIONS])
_ABOUT_A_COUNTY = np.array([question.details[:1] == ("county",) for question in QUESTIONS])
_WORDS = GAME_SIZE // 8
_SETTINGS = SETTINGS_END // 8
_MIND_SIZE = MIND.itemsize
_MIND_WORDS = _MIND_SIZE // 8

# `table` and `mind` as they were before a checked answer; answers, notes, stream and revolts after another answer.
BACKUP = np.dtype(
    (
        np.record,
        [
            ("asked", np.int64, (8,)),
            ("table", GAME),
            ("mind", MIND),
            ("expected", GAME),  # the table after an answer that changes nothing
            ("other_mind", MIND),
            ("other_answer", np.int64),
            ("other_stream", np.uint64),
            ("other_revolting", np.int64, (MAX_REVOLTS,)),
        ],
    ),
    align=True,
)
_backup_at = record_at(BACKUP)


@kernel(apart=True)
def answer_of(game, rules, mind, seat, question, first, second, third):
    """The answer to a question, 0 where it lies in `mind`; checked if the mind is."""
    if not mind.checked:
        return _ask(game, rules, mind, seat, question, first, second, third)
    backup = _backup_at(mind.backup)
    compared = mind.search[SEARCH_WIDTH] == 0  # a search is no custom policy, and slow
    backup.asked[ASKED_SEAT] = seat
    backup.asked[ASKED_QUESTION] = question
    backup.asked[ASKED_GAME] = game.number
    backup.asked[ASKED_YEAR] = game.year
    backup.asked[ASKED_SEASON] = game.season
    backup.asked[ASKED_PLACE] = _county(question, first)
    backup.asked[ASKED_NOW] = 1
    copy_record(backup.table, game, GAME_SIZE)
    copy_record(backup.mind, mind, _MIND_SIZE)
    if compared:
        deal_again(game, rules, seat, question)
        answer = _ask(game, rules, mind, seat, question, first, second, third)
        _note_outcome(game, mind, seat, answer, backup)
        _restore(game, mind, backup)
    answer = _ask(game, rules, mind, seat, question, first, second, third)
    _undo_changes(game, mind, seat, question, first, answer, backup)
    if compared and not _is_outcome(game, mind, seat, question, answer, backup):
        _note_outcome(game, mind, seat, answer, backup)
        backup.mind.fault[:] = mind.fault  # keeps the record of what the answer changed
        _restore(game, mind, backup)
        answer = _ask(game, rules, mind, seat, question, first, second, third)
        _undo_changes(game, mind, seat, question, first, answer, backup)
        kind = LOOKED if _is_outcome(game, mind, seat, question, answer, backup) else VARIES
        record_fault(game, mind, kind, question, _county(question, first), answer)
    backup.asked[ASKED_NOW] = 0
    return answer


@kernel(apart=True)
def _note_outcome(game, mind, seat, answer, backup):
    """Note what an answer left, to compare another with it."""
    copy_record(backup.other_mind, mind, _MIND_SIZE)
    backup.other_answer = answer
    backup.other_stream = game.random[SEAT + seat]
    backup.other_revolting[:] = game.revolting


@kernel
def _is_outcome(game, mind, seat, question, answer, backup):
    """Whether answer, notes, the seat's stream and the order of revolts are those of the answer noted before."""
    same = answer == backup.other_answer and game.random[SEAT + seat] == backup.other_stream
    for place in range(_SETTINGS, _MIND_WORDS):
        same &= word_of(mind, place) == word_of(backup.other_mind, place)
    if question == ORDER_REVOLTS:
        for place in range(MAX_REVOLTS):
            same &= game.revolting[place] == backup.other_revolting[place]
    return same


@kernel
def _restore(game, mind, backup):
    """Table and mind as they were before the question."""
    copy_record(game, backup.table, GAME_SIZE)
    copy_record(mind, backup.mind, _MIND_SIZE)


@kernel(apart=True)
def _ask(game, rules, mind, seat, question, first, second, third):
    """Call the answer to a question with as many details as it has; returns 0 where the answer lies in `mind`."""
    address, details = mind.custom_answer[question], _DETAILS[question]
    answer = 0
    if not _RETURNS[question]:
        if details == 0:
            call_void(address, (game, rules, mind, seat))
        elif details == 1:
            call_void(address, (game, rules, mind, seat, first))
        else:
            call_void(address, (game, rules, mind, seat, first, second))
    elif details == 0:
        answer = call_int(address, (game, rules, mind, seat))
    elif details == 1:
        answer = call_int(address, (game, rules, mind, seat, first))
    elif details == 2:
        answer = call_int(address, (game, rules, mind, seat, first, second))
    else:
        answer = call_int(address, (game, rules, mind, seat, first, second, third))
    return answer


@kernel
def _county(question, first):
    """The county that a question is about, or NOWHERE."""
    return first if _ABOUT_A_COUNTY[question] else NOWHERE


@kernel(apart=True)
def _undo_changes(game, mind, seat, question, first, answer, backup):
    """Restore table and mind to what they were before the question, and record a fault if they had changed.

    An answer may draw from its seat's stream and, to order revolts, change their order.
    """
    changed_mind, changed_table = False, False
    expected = backup.expected
    copy_record(expected, backup.table, GAME_SIZE)
    expected.random[SEAT + seat] = game.random[SEAT + seat]
    if question == ORDER_REVOLTS:
        expected.revolting[:] = game.revolting
    for place in range(_SETTINGS):
        changed_mind |= word_of(mind, place) != word_of(backup.mind, place)
    for place in range(_WORDS):
        changed_table |= word_of(game, place) != word_of(expected, place)
    if changed_mind:
        copy_record(mind, backup.mind, SETTINGS_END)
        record_fault(expected, mind, CHANGED_MIND, question, _county(question, first), answer)
    if changed_table:
        copy_record(game, expected, GAME_SIZE)
        record_fault(game, mind, CHANGED_TABLE, question, _county(question, first), answer)


@kernel
def clear_notes(mind):
    """Clear the notes of a custom policy before a game, so that nothing is remembered from another."""
    clear_record(mind, SETTINGS_END)


@kernel(apart=True)
def record_fault(game, mind, kind, question, place, answer):
    """Write the fault record, unless it holds an earlier fault."""
    if mind.fault[FAULT_KIND] != NO_FAULT:
        return
    mind.fault[FAULT_KIND] = kind
    mind.fault[FAULT_QUESTION] = question
    mind.fault[FAULT_GAME] = game.number
    mind.fault[FAULT_YEAR] = game.year
    mind.fault[FAULT_SEASON] = game.season
    mind.fault[FAULT_PLACE] = place
    mind.fault[FAULT_ANSWER] = answer


@kernel(apart=True)
def number(game, rules, mind, seat, question, least, most, first, second, third):
    """A number from `least` to `most`."""
    answer = answer_of(game, rules, mind, seat, question, first, second, third)
    if not least <= answer <= most:
        record_fault(game, mind, ILLEGAL_ANSWER, question, _county(question, first), answer)
        return least
    return answer


@kernel(apart=True)
def member(game, rules, mind, seat, question, mask, first):
    """A member of a bit mask; for favors also -1, none."""
    answer = answer_of(game, rules, mind, seat, question, first, mask, 0)
    # A benefit that the card lacks brings nothing; studies answer so to deny one. It is not legal, but harms nothing.
    harmless = question == BENEFIT and not mind.checked and 0 <= answer <= BENEFIT_POINTS
    if not _is_member(mask, answer) and not (question == FAVOR and answer == -1) and not harmless:
        record_fault(game, mind, ILLEGAL_ANSWER, question, _county(question, first), answer)
        return lowest_bit(mask)
    return answer


@kernel
def _is_member(mask, answer):
    return 0 <= answer < 63 and (mask >> answer) & 1 == 1


@kernel(apart=True)
def march(game, rules, mind, seat, question, county, targets, least):
    """Set `mind.target` to a member of a mask and `mind.armies` to a number from `least` to all but one."""
    mind.armies, mind.target = 0, NOWHERE
    answer_of(game, rules, mind, seat, question, county, targets, 0)
    duty = least if mind.checked or question != ATTACK else 0
    bad_number = mind.armies < duty or mind.armies > game.army[county] - 1
    if bad_number or (mind.armies != 0 and not _is_member(targets, mind.target)):
        record_fault(game, mind, ILLEGAL_ANSWER, question, county, mind.armies if bad_number else mind.target)
        mind.armies, mind.target = least, lowest_bit(targets) if least > 0 else NOWHERE


@kernel(apart=True)
def order_revolts(game, rules, mind, seat, count):
    """Put the first `count` of `game.revolting` into the order of the answer."""
    before = _counties(game, count)
    answer_of(game, rules, mind, seat, ORDER_REVOLTS, count, 0, 0)
    if _counties(game, count) != before:
        record_fault(game, mind, ILLEGAL_ANSWER, ORDER_REVOLTS, NOWHERE, game.revolting[0])
        for place in range(count):
            game.revolting[place] = lowest_bit(before)
            before &= before - 1


@kernel
def _counties(game, count):
    """The counties that revolt, as a mask; 0 if one is named twice or is none."""
    mask = 0
    for place in range(count):
        county = game.revolting[place]
        mask |= 1 << county if 0 <= county < 63 else 0
    return mask if count_bits(mask) == count else 0


@kernel(apart=True)
def plan(game, rules, mind, seat):
    """Let the custom plan and the custom bid, where there are such, change the plan of the weights; check both."""
    if mind.custom_answer[PLAN] != 0:
        answer_of(game, rules, mind, seat, PLAN, 0, 0, 0)
    bids = mind.custom_answer[BID] != 0 and not auction_stays_empty(rules, count_bits(game.land[seat]))
    if bids:
        mind.plan[AUCTION] = answer_of(game, rules, mind, seat, BID, 0, 0, 0)
    box = _illegal_box(game, rules, mind, seat)
    if box >= 0:
        question = BID if box == AUCTION and bids else PLAN
        record_fault(game, mind, ILLEGAL_ANSWER, question, box, mind.plan[box])
        mind.plan[:] = NO_CARD


@kernel
def _illegal_box(game, rules, mind, seat):
    """The first box with a card that is not the seat's or that lies elsewhere, or that must not stay empty; -1 if none.

    B3.1, B3.2, B3.4, E3, V1.
    """
    counties, money, towers, covered, empty = 0, 0, 0, 0, NOWHERE
    no_bid = auction_stays_empty(rules, count_bits(game.land[seat]))
    for box in range(rules.boxes):
        card = mind.plan[box]
        if card == NO_CARD:
            empty = box if empty == NOWHERE and not (box == AUCTION and no_bid) else empty
            continue
        covered += 1
        if box == AUCTION and no_bid:
            return box
        if 0 <= card < MONEY:
            if (game.land[seat] >> card) & 1 == 0 or (counties >> card) & 1 == 1:
                return box
            counties |= 1 << card
        elif MONEY <= card < MONEY + MONEY_CARDS:
            value = card - MONEY
            dear = box == AUCTION and rules.money_bid_held and value > game.thalers[seat]
            if dear or (money >> value) & 1 == 1:
                return box
            money |= 1 << value
        elif card == TOWER_CARD and rules.court and towers < TOWER_CARDS:
            towers += 1
        else:
            return box
    boxes = rules.boxes - (1 if no_bid else 0)
    cards = count_bits(game.land[seat]) + MONEY_CARDS + (TOWER_CARDS if rules.court else 0)
    return empty if covered < min(boxes, cards) else NOWHERE


@cache
def guards() -> tuple[int, ...]:
    """The addresses of the guards, in the order of `record.py`; compiled on the first call."""
    kernels = ((number, 7, True), (member, 4, True), (march, 5, False), (order_revolts, 2, False), (plan, 1, False))
    return tuple(entry_point(guard, (GAME, RULES, MIND), integers, returns) for guard, integers, returns in kernels)
