"""One round of spring, summer or fall, and winter: the order of the rulebook's steps (B2, B7)."""

from wallsim.engine import expansions
from wallsim.engine import log as recorder
from wallsim.engine.actions import choose_defenders, perform_actions
from wallsim.engine.interventions import cancel_event, change_auction, fill_hands, lay_cards
from wallsim.engine.plan_rows import write_plans
from wallsim.jit import kernel
from wallsim.mechanics.auction import (
    draw_player_order,
    note_places,
    put_tiles_away,
    reveal_bids,
    set_player_order,
    take_box,
)
from wallsim.mechanics.leaders import score_statues
from wallsim.mechanics.winter import clear_year, draw_revolting, eat_grain, score_winter, winter_peasants, winter_revolt
from wallsim.policies import decide
from wallsim.rules.terms import (
    ACTION_CARDS,
    ATTACKER_WINS,
    AUCTION,
    BASE_BOXES,
    BATTLE_WINTER,
    DEFENDER_WINS,
    MAX_PLAYERS,
    MONEY,
    NO_CARD,
    NO_EFFECT,
    NO_TILE,
    NOWHERE,
    PEASANTS,
    WINTER,
)
from wallsim.state import tally
from wallsim.state.random import CARDS, below, key_streams, shuffle

_NO_EVENT = -1
ALL_PLACES = (1 << MAX_PLAYERS) - 1  # as a mask of boxes


@kernel
def lay_out(game):
    """Shuffle the ten action cards and put the five bonus tiles on their boxes (B2.1, B2.2)."""
    for action in range(ACTION_CARDS):
        game.action_order[action] = action
    shuffle(game, CARDS, game.action_order, ACTION_CARDS)
    game.actions_done = 0
    for box in range(MAX_PLAYERS):
        game.tile_on_box[box] = box
    shuffle(game, CARDS, game.tile_on_box, MAX_PLAYERS)


@kernel
def plan_all(game, rules, players, script, log):
    """Every seat plans in secret: no cards are put on the mats before all have planned (B2.3)."""
    for seat in range(rules.players):
        game.lost[seat] = 0
        decide.choose_plan(game, rules, players.seat[seat], seat)
    if script.count > 0:
        lay_cards(game, rules, players, script, moment_of(game))
    for seat in range(rules.players):
        put_cards(game, rules, seat, players.seat[seat].plan)
        if log is not None:
            recorder.log_plan(log, game, seat)


@kernel
def put_cards(game, rules, seat, plan):
    """Put a seat's cards on its mat, one per box (B2.3)."""
    passes = 0
    for box in range(BASE_BOXES):
        card = plan[box]
        game.card[seat, box] = card
        passes += box != AUCTION and (card == NO_CARD or card >= MONEY)
    game.tally[seat, tally.PASSES] += passes
    for box in range(BASE_BOXES, rules.boxes):
        game.card[seat, box] = plan[box]


@kernel
def draw_event(game, rules):
    """Draw one of the face-up events; it is in force for this round and then leaves the game (B2.4, B2.7)."""
    index = below(game, CARDS, game.shown_events)
    game.event = game.shown_event[index]
    game.shown_events -= 1
    game.shown_event[index] = game.shown_event[game.shown_events]
    game.effect = rules.event_effect[game.event]
    game.used_event[game.year, game.season] = game.event


@kernel
def hold_auction(game, rules, players, log):
    """Reveal and pay the bids, pick boxes and tiles, set the player order (B4)."""
    if log is not None:
        recorder.remember(log, game)
    reveal_bids(game, rules)
    pick_places(game, rules, players, 0, rules.players, ALL_PLACES)
    set_player_order(game, rules)
    if log is not None:
        recorder.log_order(log, game, rules)


@kernel
def pick_places(game, rules, players, first, end, free):
    """Let the seats of picks `first` up to `end` choose among the boxes of the mask `free`; returns what is left."""
    for pick in range(first, end):
        seat = game.pick[pick]
        box = decide.choose_place(game, rules, players.seat[seat], seat, free)
        free ^= 1 << box
        take_box(game, seat, box)
    return free


@kernel(apart=True)
def draw_order(game, rules, log):
    """In the first edition the player order is drawn at random (V1)."""
    if log is not None:
        recorder.remember(log, game)
    draw_player_order(game, rules)
    if log is not None:
        recorder.log_order(log, game, rules)


@kernel
def open_round(game, rules):
    """All that comes before planning: the season's random streams, action cards, tiles, favors (B2.1, B2.2, E2, V1)."""
    key_streams(game, moment_of(game))
    lay_out(game)
    if rules.first_edition:
        put_tiles_away(game)
    if rules.expansions:
        expansions.before_planning(game, rules)


@kernel(apart=True)
def play_round(game, rules, players, script, log, plans):
    """A whole round of `game.year` and `game.season` (B2.1 to B2.7).

    `plans` is None or the round's rows of the table plans, a row a seat; it may have no rows.
    """
    open_round(game, rules)
    if log is not None:
        recorder.log_round(log, game)
    if script.count > 0:
        fill_hands(game, rules, script, moment_of(game), log)
    plan_all(game, rules, players, script, log)
    carry_out(game, rules, players, script, log, plans)


@kernel
def moment_of(game):
    """The number under which the streams of this season are keyed."""
    return 1 + 4 * game.year + game.season


@kernel
def carry_out(game, rules, players, script, log, plans):
    """Play a round from the end of planning to its own end (B2.4 to B2.7); `plans` as for `play_round`."""
    come_to_actions(game, rules, players, script, log, plans)
    perform_actions(game, rules, players, log, plans)
    end_round(game, rules, players, log)


@kernel
def come_to_actions(game, rules, players, script, log, plans):
    """Play a round from the end of planning to its first action: event, player order (B2.4, B2.5)."""
    draw_event(game, rules)
    if log is not None:
        recorder.log_event(log, game)
    if script.count > 0:
        cancel_event(game, rules, script, moment_of(game), log)
    if rules.first_edition:
        draw_order(game, rules, log)
    else:
        hold_auction(game, rules, players, log)
    if script.count > 0:
        change_auction(game, rules, script, moment_of(game), log)
    note_places(game, rules)
    if plans is not None:
        write_plans(game, rules, plans)
    if rules.expansions:
        expansions.before_actions(game, rules, players, log)


@kernel
def end_round(game, rules, players, log):
    """The end of a round: leaders move, the event leaves the game, tiles come back (B2.7, M3)."""
    if rules.expansions:
        expansions.after_actions(game, rules, players, log)
    game.effect = NO_EFFECT
    game.event = _NO_EVENT
    for seat in range(rules.players):
        game.tile[seat] = NO_TILE
    if log is not None:
        recorder.log_state(log, game)


@kernel(apart=True)
def play_winter(game, rules, players, script, log):
    """Grain loss, shortages and revolts in fall's player order, then scoring; leaders return (B7.1 to B7.4, L2, M4)."""
    game.season = WINTER
    key_streams(game, moment_of(game))
    if script.count > 0:
        fill_hands(game, rules, script, moment_of(game), log)
    loss_card = game.shown_event[0]
    game.used_event[game.year, WINTER] = loss_card
    for turn in range(rules.players):
        seat = game.turn[turn]
        eat_grain(game, rules, seat, rules.event_loss[loss_card])
        shortage = game.shortage
        count = draw_revolting(game, rules, seat)
        if count > 1:
            decide.choose_order_revolts(game, rules, players.seat[seat], seat, count)
        if log is not None:
            recorder.log_winter(log, game, seat, rules.event_loss[loss_card], count)
        for index in range(count):
            county = game.revolting[index]
            if log is not None:
                recorder.remember(log, game)
            peasants = winter_peasants(game, rules, county, shortage)
            defenders = choose_defenders(game, rules, players, county, PEASANTS, peasants)
            held = winter_revolt(game, rules, county, peasants, defenders)
            if log is not None:
                result = DEFENDER_WINS if held else ATTACKER_WINS
                recorder.log_battle(log, game, BATTLE_WINTER, PEASANTS, seat, county, NOWHERE, result)
                recorder.log_lost_leaders(log, game, rules)
    score_winter(game, rules)
    if rules.leaders:
        score_statues(game, rules)
    if log is not None:
        recorder.log_scores(log, game, rules)
    if rules.expansions:  # before the season's rows are written, which count the trophies of leaders that return
        expansions.after_winter(game, rules, players, log)


@kernel
def end_year(game, rules, log):
    """After the first winter clear grain and markers; both winters end with a snapshot (B7.5)."""
    if game.year == 0:
        clear_year(game, rules)
        for seat in range(rules.players):
            game.vp_year1[seat] = game.vp[seat]
    if log is not None:
        recorder.log_state(log, game)
