"""Decisions that are no plans: a place in the player order, an attack and a claim in the draft.

For each there is the table before the decision in a game, and what comes of each choice on dealt tables. As for plans
(`advising.py`) nothing of the real hidden cards is used. Within a round the others plan again from the table before
planning, and their cards that are turned up take the places of those that they would have laid there.
"""

import numpy as np

from wallsim.engine.actions import move_armies, perform_action
from wallsim.engine.advising import plan_round
from wallsim.engine.candidates import become_plain
from wallsim.engine.expansions import before_actions
from wallsim.engine.hidden import deal_actions, deal_draft
from wallsim.engine.interventions import cancel_event, change_auction
from wallsim.engine.opening import begin_draft, begin_game, draft_turn, lay_decks, take_card
from wallsim.engine.rollout import begin_trial, deal_table, play_on
from wallsim.engine.season import ALL_PLACES, draw_event, draw_order, end_round, moment_of, pick_places
from wallsim.jit import copy_record, kernel
from wallsim.mechanics.agenda import list_agenda
from wallsim.mechanics.auction import note_places, reveal_bids, set_player_order, take_box
from wallsim.mechanics.combat import legal_targets
from wallsim.mechanics.court import welcome_courtiers
from wallsim.mechanics.hidden_cubes import deal_floors
from wallsim.mechanics.tower import fill_tower
from wallsim.policies import decide
from wallsim.policies.balanced.auction import choose_place
from wallsim.policies.record import NOTES_END
from wallsim.rules.terms import ACTION_CARDS, AUCTION, BASE_BOXES, BOXES, NOWHERE
from wallsim.state.game import GAME_SIZE
from wallsim.state.land import is_live
from wallsim.state.random import GAMMA, key_streams, mix
from wallsim.state.setup import recycle_open_cards, show_events

PLACE, ATTACK = 0, 1  # kinds of decisions within a round
DECK, RECYCLE = 2, 3  # claims: 0 and 1 are the open cards
_COURT = (1 << BOXES) - (1 << BASE_BOXES)  # the court's boxes as a mask


@kernel(apart=True)
def play_to_claim(game, seed, number, rules, players, script, turn, recycled):
    """Play a game to a turn of its draft, counted from 0; with `recycled` the seat has put the open cards away.

    Returns in how many turns in a row the open cards have stayed the same.
    """
    begin_game(game, seed, number, rules, players)
    lay_decks(game, rules, script)
    first = begin_draft(game, rules)
    unchanged = 0
    for before in range(turn):
        unchanged = draft_turn(game, rules, players, (first + before) % rules.players, unchanged, None)
    if recycled:
        recycle_open_cards(game)
        unchanged = 0
    return unchanged


@kernel(apart=True)
def play_to_choice(game, seed, number, rules, players, script, place, kind, turn, moment):
    """Play a game to a decision of its round `place`, 0 to 5; `moment` receives the table before the round's planning.

    `turn` is the number of the seat's pick in the auction (PLACE), or of its card on the agenda (ATTACK). Returns what
    may be chosen as a mask: the free boxes, or the counties to move to, 0 if the card moves nothing.
    """
    plan_round(game, seed, number, rules, players, script, place, moment)
    draw_event(game, rules)
    if script.count > 0:
        cancel_event(game, rules, script, moment_of(game), None)
    if rules.first_edition:
        draw_order(game, rules, None)
    else:
        reveal_bids(game, rules)
        free = pick_places(game, rules, players, 0, turn if kind == PLACE else rules.players, ALL_PLACES)
        if kind == PLACE:
            return free
        set_player_order(game, rules)
    if script.count > 0:
        change_auction(game, rules, script, moment_of(game), None)
    note_places(game, rules)
    if rules.expansions:
        before_actions(game, rules, players, None)
    list_agenda(game, rules)
    for entry in range(turn):
        perform_action(game, rules, players, entry, None, None)
    game.actions_done = game.agenda[turn, 0]
    seat, county = game.agenda[turn, 1], game.agenda[turn, 2]
    if not is_live(game, seat, county) or game.army[county] < 2:
        return 0
    return legal_targets(game, rules, seat, county, game.action_order[game.actions_done])


@kernel(apart=True)
def try_claims(now, rules, players, planner, seat, unchanged, advice, trial, claims, key, first, results):
    """Try claims of a seat on tables from number `first` on; `results`, float64 [tables, claims].

    `now` is the table of the draft, `unchanged` in how many turns its open cards have stayed the same. The others draft
    and play as the minds of `players`, the seat as `planner`.
    """
    trial.script.count = 0
    dealt = trial.dealt[0]
    for row in range(results.shape[0]):
        copy_record(dealt, now, GAME_SIZE)
        dealt.key = mix(key + np.uint64(first + row + 1) * GAMMA)
        key_streams(dealt, 0)
        deal_draft(dealt, rules)
        for number in range(len(claims)):
            results[row, number] = _try_claim(rules, players, planner, seat, unchanged, advice, trial, claims[number])


@kernel
def _try_claim(rules, players, planner, seat, unchanged, advice, trial, claim):
    game, minds = trial.game, trial.players[0]
    copy_record(game, trial.dealt[0], GAME_SIZE)
    for other in range(rules.players):
        mind = minds.seat[other]
        copy_record(mind, planner if other == seat else players.seat[other], NOTES_END)
        become_plain(mind)
        mind.weight[:] = mind.phase_weight[0]
    if claim == RECYCLE:
        recycle_open_cards(game)
        unchanged = 0
        claim = decide.choose_claim(game, rules, minds.seat[seat], seat)
    unchanged = take_card(game, rules, minds, seat, claim, unchanged, None)
    turns = 0
    for other in range(rules.players):
        turns += game.groups[other]
    for turn in range(turns):
        unchanged = draft_turn(game, rules, minds, (seat + 1 + turn) % rules.players, unchanged, None)
    fill_tower(game, rules)
    if rules.court:
        welcome_courtiers(game, rules)
    show_events(game)
    game.season = -1
    return play_on(rules, planner, seat, advice, trial, 0)


@kernel(apart=True)
def try_choices(moment, now, rules, players, planner, seat, advice, trial, kind, turn, choices, key, first, results):
    """Try choices within a round on tables from number `first` on; `results`, float64 [tables, choices].

    `moment` is the table before planning, `now` that of the decision, `kind` and `turn` are those of `play_to_choice`.
    `choices` are int64 [choices, 2]: the box for PLACE; the county and how many armies move there, or 0, for ATTACK.
    """
    trial.script.count = 0
    for row in range(results.shape[0]):
        table_key = mix(key + np.uint64(first + row + 1) * GAMMA)
        deal_table(moment, rules, players, planner, seat, advice, trial, 0, table_key)
        _go_on_to(now, rules, seat, trial, kind)
        for number in range(len(choices)):
            begin_trial(rules, trial, 0)
            if kind == PLACE:
                _take_place(rules, seat, trial, turn, choices[number, 0])
            else:
                _move(rules, seat, trial, turn, choices[number, 0], choices[number, 1])
            end_round(trial.game, rules, trial.players[0], None)
            results[row, number] = play_on(rules, planner, seat, advice, trial, 0)


@kernel
def _go_on_to(now, rules, seat, trial, kind):
    """Turn a table that was dealt before planning into one of the decision: all that is open is as in `now`."""
    dealt, game = trial.dealt[0], trial.game
    copy_record(game, dealt, GAME_SIZE)
    copy_record(dealt, now, GAME_SIZE)
    dealt.key = game.key
    dealt.random[:] = game.random
    dealt.event_deck[:] = game.event_deck
    dealt.favor_deck[:] = game.favor_deck
    deal_actions(dealt)
    if rules.floors:
        deal_floors(dealt, rules)
    turned_up = _turned_up(dealt, kind)
    for other in range(rules.players):
        plan = trial.ready[0].seat[other].plan
        for box in range(rules.boxes):
            if other == seat:
                plan[box] = dealt.card[seat, box]
            elif (turned_up >> box) & 1 == 1:
                _exchange(rules, plan, box, dealt.card[other, box], turned_up)
        for box in range(rules.boxes):
            dealt.card[other, box] = plan[box]
    if kind == ATTACK:
        list_agenda(dealt, rules)
        if not rules.first_edition:
            for other in range(rules.players):  # who notes what the event and the cards on the mat mean
                choose_place(dealt, rules, trial.ready[0].seat[other], other, ALL_PLACES)


@kernel
def _turned_up(game, kind):
    """The mask of boxes whose cards are turned up on every mat: bids; later the court and actions (B2.5, B2.6, E4)."""
    boxes = 1 << AUCTION
    if kind == ATTACK:
        boxes |= _COURT
        for position in range(game.actions_done + 1):
            boxes |= 1 << game.action_order[position]
    return boxes


@kernel
def _exchange(rules, plan, box, card, turned_up):
    """Put the card that is turned up on a box into a plan; what lay there goes to where the card lay."""
    for other in range(rules.boxes):
        settled = (turned_up >> other) & 1 == 1 and other <= box
        if plan[box] != card and plan[other] == card and not settled:
            plan[other] = plan[box]
            plan[box] = card
    plan[box] = card


@kernel
def _take_place(rules, seat, trial, turn, box):
    """Take a box in the auction and play the round on, up to its end."""
    game, players = trial.game, trial.players[0]
    free = ALL_PLACES
    for pick in range(turn):
        free ^= 1 << game.place[game.pick[pick]]
    take_box(game, seat, box)
    pick_places(game, rules, players, turn + 1, rules.players, free ^ (1 << box))
    set_player_order(game, rules)
    note_places(game, rules)
    if rules.expansions:
        before_actions(game, rules, players, None)
    for entry in range(list_agenda(game, rules)):
        perform_action(game, rules, players, entry, None, None)
    game.actions_done = ACTION_CARDS


@kernel
def _move(rules, seat, trial, turn, target, armies):
    """Let the card of an entry of the agenda move armies to a county, or none, and play the round on, up to its end."""
    game, players = trial.game, trial.players[0]
    entries = list_agenda(game, rules)
    if target != NOWHERE:
        move_armies(game, rules, players, seat, game.agenda[turn, 2], target, armies, None)
    for entry in range(turn + 1, entries):
        perform_action(game, rules, players, entry, None, None)
    game.actions_done = ACTION_CARDS
