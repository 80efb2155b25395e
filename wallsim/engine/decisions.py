"""Decisions of a game that advice is asked about: the table before them, and what comes of each choice on dealt tables.

Nothing of the real hidden cards is used: each table deals them again, and the other seats decide as the minds that are
given. Within a round the others plan again from the table before planning, and their cards that are turned up take the
places of those that they would have laid there. A choice is played out to the end of the game, and its result is the
share in the win, with a margin for points.

All kinds of decisions share one kernel each way, since Numba optimises a kernel again in each kernel that calls it.
"""

import numpy as np

from wallsim.engine.actions import move_armies, perform_action
from wallsim.engine.candidates import become_plain
from wallsim.engine.expansions import before_actions
from wallsim.engine.hidden import deal_actions, deal_draft
from wallsim.engine.interventions import cancel_event, change_auction, fill_hands
from wallsim.engine.opening import begin_draft, begin_game, draft_turn, lay_decks, open_game, take_card
from wallsim.engine.rollout import begin_trial, deal_table, play_on
from wallsim.engine.season import (
    ALL_PLACES,
    draw_event,
    draw_order,
    end_round,
    end_year,
    moment_of,
    open_round,
    pick_places,
    plan_all,
    play_round,
    play_winter,
    put_cards,
)
from wallsim.jit import copy_part, copy_record, kernel
from wallsim.mechanics.auction import list_agenda, note_places, reveal_bids, set_player_order, take_box
from wallsim.mechanics.combat import legal_targets
from wallsim.mechanics.court import welcome_courtiers
from wallsim.mechanics.tower import deal_floors, fill_tower
from wallsim.policies import decide
from wallsim.policies.balanced.auction import choose_place
from wallsim.policies.record import NOTES_END, SETTINGS_END
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    BASE_BOXES,
    BOXES,
    COMBAT_A,
    COMBAT_B,
    NOWHERE,
    WINTER,
    YEARS,
)
from wallsim.state.game import GAME_SIZE, is_live
from wallsim.state.random import GAMMA, key_streams, mix
from wallsim.state.setup import recycle_open_cards, show_events

CLAIM, PLAN, PLACE, ATTACK = range(4)  # kinds of decisions
DECK, RECYCLE = 2, 3  # claims: 0 and 1 are the open cards
_COURT = (1 << BOXES) - (1 << BASE_BOXES)  # the court's boxes as a mask


@kernel(apart=True)
def play_to_decision(game, seed, number, rules, players, script, kind, place, turn, recycled, moment, plans):
    """Play game `number` of `seed` to a decision; returns what is known of it as a number.

    CLAIM: before a turn of the draft, counted from 0; with `recycled` after the seat has put the open cards away.
    Returns in how many turns in a row the open cards have stayed the same.
    The others: in round `place`, 0 to 5. `moment`, a GAME record, receives the table before its planning, `plans`,
    int64 [seats, BOXES], how all seats plan. PLAN: returns 0. PLACE: before the pick `turn` of the auction, counted
    from 0; returns the mask of the free boxes. ATTACK: before card `turn` of the agenda; returns the mask of the
    counties to move to, 0 if the card moves nothing.
    """
    if kind == CLAIM:
        return _draft_to(game, seed, number, rules, players, script, turn, recycled)
    plan_round(game, seed, number, rules, players, script, place, moment)
    for seat in range(rules.players):
        plans[seat] = players.seat[seat].plan
    if kind == PLAN:
        return 0
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
    seat, county, action = game.agenda[turn, 1], game.agenda[turn, 2], game.action_order[game.actions_done]
    if not COMBAT_A <= action <= COMBAT_B or not is_live(game, seat, county) or game.army[county] < 2:
        return 0
    return legal_targets(game, rules, seat, county, action)


@kernel
def _draft_to(game, seed, number, rules, players, script, turn, recycled):
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


@kernel
def plan_round(game, seed, number, rules, players, script, place, moment):
    """Play a game to its round `place` and through its planning; `moment` receives the table before."""
    open_game(game, seed, number, rules, players, script, None)
    for year in range(YEARS):
        game.year = year
        show_events(game)
        for season in range(WINTER):
            game.season = season
            if season + WINTER * year == place:
                open_round(game, rules)
                if script.count > 0:
                    fill_hands(game, rules, script, moment_of(game), None)
                copy_record(moment, game, GAME_SIZE)
                plan_all(game, rules, players, script, None)
                return
            play_round(game, rules, players, script, None, None)
        play_winter(game, rules, players, script, None)
        end_year(game, rules, None)


@kernel(apart=True)
def try_on_tables(moment, now, rules, players, planner, seat, advice, trial, kind, turn, choices, key, first, results):
    """Try choices of a seat on tables from number `first` on; `results`, float64 [tables, choices].

    `moment` is the table before the round's planning, `now` that of the decision; both the same for PLAN and CLAIM. The
    others decide as the minds of `players`, the seat as `planner` afterwards. `turn` is that of `play_to_decision` or,
    for CLAIM, what it returns. `choices` is int64 [choices, numbers]: for CLAIM 0, 1, DECK or RECYCLE; for PLAN a card
    a box; for PLACE the box; for ATTACK the county, NOWHERE for none, and how many armies move there.
    """
    trial.script.count = 0
    for row in range(results.shape[0]):
        table_key = mix(key + np.uint64(first + row + 1) * GAMMA)
        if kind == CLAIM:
            _deal_draft(now, rules, players, planner, seat, trial, table_key)
        else:
            deal_table(moment, rules, players, planner, seat, advice, trial, 0, table_key)
            if kind != PLAN:
                _go_on_to(now, rules, seat, trial, kind)
        for number in range(len(choices)):
            begin_trial(rules, planner, trial, 0)
            if kind == CLAIM:
                _finish_draft(rules, seat, trial, turn, choices[number, 0])
            else:
                _finish_round(rules, seat, trial, kind, turn, choices[number])
            results[row, number] = play_on(rules, planner, seat, advice, trial, 0)


@kernel
def _deal_draft(now, rules, players, planner, seat, trial, key):
    """Deal again what lies hidden in a draft, and put the minds there."""
    dealt = trial.dealt[0]
    copy_record(dealt, now, GAME_SIZE)
    dealt.key = key
    key_streams(dealt, 0)
    deal_draft(dealt, rules)
    for other in range(rules.players):
        there = trial.ready[0].seat[other]
        copy_record(there, planner if other == seat else players.seat[other], NOTES_END)
        become_plain(there)
        there.weight[:] = there.phase_weight[0]
        copy_part(trial.players[0].seat[other], there, 0, SETTINGS_END)


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
    if not rules.first_edition:
        for other in range(rules.players):  # who notes what the event and the cards on the mat mean
            choose_place(dealt, rules, trial.ready[0].seat[other], other, ALL_PLACES)
    if kind == ATTACK:
        list_agenda(dealt, rules)


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
def _finish_draft(rules, seat, trial, unchanged, claim):
    """Let the seat claim a county, and all seats go on to the end of the draft and of the set-up."""
    game, players = trial.game, trial.players[0]
    if claim == RECYCLE:
        recycle_open_cards(game)
        unchanged = 0
        claim = decide.choose_claim(game, rules, players.seat[seat], seat)
    unchanged = take_card(game, rules, players, seat, claim, unchanged, None)
    turns = 0
    for other in range(rules.players):
        turns += game.groups[other]
    for turn in range(turns):
        unchanged = draft_turn(game, rules, players, (seat + 1 + turn) % rules.players, unchanged, None)
    fill_tower(game, rules)
    if rules.court:
        welcome_courtiers(game, rules)
    show_events(game)
    game.season = -1


@kernel
def _finish_round(rules, seat, trial, kind, turn, choice):
    """Let the seat choose, and play the round on up to its end."""
    game, players = trial.game, trial.players[0]
    if kind == PLAN:
        for box in range(BOXES):
            players.seat[seat].plan[box] = choice[box]
        put_cards(game, rules, seat, choice)
        draw_event(game, rules)
        if rules.first_edition:
            draw_order(game, rules, None)
    if kind != ATTACK:
        if not rules.first_edition:
            _finish_auction(rules, seat, trial, kind, turn, choice[0])
        note_places(game, rules)
        if rules.expansions:
            before_actions(game, rules, players, None)
    first, entries = 0, list_agenda(game, rules)
    if kind == ATTACK:
        if choice[0] != NOWHERE:
            move_armies(game, rules, players, seat, game.agenda[turn, 2], choice[0], choice[1], None)
        first = turn + 1
    for entry in range(first, entries):
        perform_action(game, rules, players, entry, None, None)
    game.actions_done = ACTION_CARDS
    end_round(game, rules, players, None)


@kernel
def _finish_auction(rules, seat, trial, kind, turn, box):
    """Hold the auction or, for PLACE, let the seat take a box at its turn and the others go on."""
    game = trial.game
    first, free = 0, ALL_PLACES
    if kind == PLACE:
        for pick in range(turn):
            free ^= 1 << game.place[game.pick[pick]]
        take_box(game, seat, box)
        first, free = turn + 1, free ^ (1 << box)
    else:
        reveal_bids(game, rules)
    pick_places(game, rules, trial.players[0], first, rules.players, free)
    set_player_order(game, rules)
