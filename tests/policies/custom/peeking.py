"""Policies that note a secret with any of their answers, and others that note what lies open."""

from tests.policies.copied_answers import COPIED
from tests.policies.custom.illegal_answers import answering
from wallsim.jit import kernel
from wallsim.policies.questions import QUESTIONS
from wallsim.rules.terms import AUCTION
from wallsim.state import tally
from wallsim.state.random import TOWER

_DETAILS = {question.name: question.details for question in QUESTIONS}


@kernel
def tower_stream(game, rules, seat):
    return game.random[TOWER] & 0xFFFF


@kernel
def key_of_the_game(game, rules, seat):
    return game.key & 0xFFFF


@kernel
def last_event_of_the_deck(game, rules, seat):
    return game.event_deck[11]


@kernel
def last_action(game, rules, seat):
    return game.action_order[9]


@kernel
def favors_to_come(game, rules, seat):
    return game.favor_deck[19] + 32 * game.favor_deck[20]


@kernel
def cards_of_the_next(game, rules, seat):
    other = (seat + 1) % rules.players
    return game.card[other, game.action_order[8]] + 64 * game.card[other, game.action_order[9]]


@kernel
def end_of_the_agenda(game, rules, seat):
    return game.agenda[20, 1] + 8 * game.agenda[20, 2]


@kernel
def passes_of_the_next(game, rules, seat):
    return game.tally[(seat + 1) % rules.players, tally.PASSES]


@kernel
def top_of_the_deck(game, rules, seat):
    return game.deck[game.deck_top]


@kernel
def cubes_on_the_floors(game, rules, seat):
    return game.floor[0, seat] + 64 * game.floor[1, seat]


@kernel
def open_actions(game, rules, seat):
    known = min(10, game.actions_done + 5)
    return game.action_order[known - 1] + 16 * game.action_order[0]


@kernel
def bids(game, rules, seat):
    return game.card[(seat + 1) % rules.players, AUCTION]


@kernel
def cards_turned_up(game, rules, seat):
    return game.card[(seat + 1) % rules.players, game.action_order[game.actions_done]]


@kernel
def plan_of_the_round_before(game, rules, seat):
    return game.card[(seat + 1) % rules.players, 3] if game.season > 0 else 0


@kernel
def events_and_tower(game, rules, seat):
    return game.shown_event[0] + 16 * game.tower[seat] + game.shown_events


@kernel
def favors_on_show(game, rules, seat):
    return game.shown_favor[0]


def noting(question, thing):
    """A policy like `balanced` that notes a thing whenever it is asked a question."""
    arguments = ", ".join(("game", "rules", "mind", "seat", *_DETAILS[question]))
    text = (
        f"def {question}({arguments}):\n    answer = copied({arguments})\n"
        "    mind.paid_worth = thing(game, rules, seat)\n    return answer\n"
    )
    copied = COPIED.answers[question].function
    names = {"copied": copied if hasattr(copied, "py_func") else kernel(copied), "thing": thing}
    exec(text, names)
    return answering(**{question: names[question]})
