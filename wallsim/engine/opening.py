"""Set-up: line-up or draft, then the first fill of the tower (B1)."""

from wallsim.engine import log as recorder
from wallsim.engine.expansions import place_drafted
from wallsim.engine.interventions import change_opening, stack_events
from wallsim.engine.log_lines import SOURCE_DEALT, SOURCE_DECK, SOURCE_EDITED, SOURCE_LINEUP, SOURCE_SHOWN
from wallsim.jit import kernel
from wallsim.mechanics.court import welcome_courtiers
from wallsim.mechanics.tower import fill_tower
from wallsim.policies import decide
from wallsim.policies.custom.guards import clear_notes
from wallsim.state import setup
from wallsim.state.random import SETUP, below, key_game, key_streams


@kernel
def deal_lineups(game, rules, log):
    """Give every seat the counties and armies of its line-up (B1.3)."""
    for seat in range(rules.players):
        source = SOURCE_EDITED if rules.lineup_edited[seat] else SOURCE_LINEUP
        for place in range(rules.lineup_groups[seat]):
            county = rules.lineup_county[seat, place]
            armies = rules.lineup_army[seat, place]
            setup.deal_county(game, seat, county, armies)
            if log is not None:
                recorder.log_deal(log, game, seat, county, armies, source)


@kernel(apart=True)
def deal_at_random(game, rules, log):
    """Give every seat counties drawn at random, one for each of its army groups; all ways are equally likely."""
    setup.shuffle_deck(game, rules)
    for seat in range(rules.players):
        for place in range(rules.groups):
            county = game.deck[seat * rules.groups + place]
            setup.deal_county(game, seat, county, rules.group[place])
            if log is not None:
                recorder.log_deal(log, game, seat, county, rules.group[place], SOURCE_DEALT)


@kernel
def begin_draft(game, rules):
    """Shuffle the county cards and show two; returns the starting player (B1.4, A3)."""
    setup.shuffle_counties(game, rules)
    return below(game, SETUP, rules.players) if rules.draft_start_random else 0


@kernel
def take_card(game, rules, players, seat, choice, unchanged, log):
    """A seat takes an open card (0, 1) or the top of the deck (2) and places an army group there (B1.4).

    Returns in how many turns in a row the open cards have stayed the same, which were `unchanged` before.
    """
    source = SOURCE_DECK if choice == 2 else SOURCE_SHOWN
    if log is not None:
        recorder.remember(log, game)
    county = setup.take_county_card(game, choice)
    group = decide.choose_garrison(game, rules, players.seat[seat], seat, county)
    armies = setup.take_group(game, seat, group)
    setup.deal_county(game, seat, county, armies)
    if log is not None:
        recorder.log_deal(log, log.before[0], seat, county, armies, source)
    if rules.leaders:
        place_drafted(game, rules, players, seat, county, log)
    return unchanged + 1 if choice == 2 else 0


@kernel
def draft_turn(game, rules, players, seat, unchanged, log):
    """A seat's turn in the draft (B1.4); `unchanged` and what is returned as for `take_card`."""
    if unchanged >= rules.players and decide.choose_recycle(game, rules, players.seat[seat], seat):
        if log is not None:
            recorder.log_recycle(log, game, seat)
        setup.recycle_open_cards(game)
        unchanged = 0
    choice = decide.choose_claim(game, rules, players.seat[seat], seat)
    return take_card(game, rules, players, seat, choice, unchanged, log)


@kernel(apart=True)
def draft(game, rules, players, log):
    """Seats in turn take one of two open county cards or the top of the deck and place an army group there (B1.4)."""
    first = begin_draft(game, rules)
    unchanged = 0
    for turn in range(rules.players * rules.groups):
        unchanged = draft_turn(game, rules, players, (first + turn) % rules.players, unchanged, log)


@kernel
def begin_game(game, seed, number, rules, players):
    """Begin game `number` of a seed: its random streams, and minds without notes of another game."""
    key_game(game, seed, number)
    for seat in range(rules.players):
        players.seat[seat].weight[:] = players.seat[seat].phase_weight[0]  # for the draft
        if players.seat[seat].custom != 0:
            clear_notes(players.seat[seat])
    key_streams(game, 0)


@kernel
def open_game(game, seed, number, rules, players, script, log):
    """Begin game `number` of a seed and set it up."""
    begin_game(game, seed, number, rules, players)
    set_up(game, rules, players, script, log)


@kernel
def lay_decks(game, rules, script):
    """Clear the table and shuffle the cards of events and favors (B1.8, E2)."""
    setup.clear_table(game, rules)
    setup.shuffle_events(game)
    if script.count > 0:
        stack_events(game, rules, script)
    if rules.court:
        setup.shuffle_favors(game)


@kernel(apart=True)
def set_up(game, rules, players, script, log):
    """Everything before the first round: counties, cards, the tower's first fill (B1.1 to B1.8, E1)."""
    lay_decks(game, rules, script)
    if rules.draft:
        draft(game, rules, players, log)
    elif rules.deal:
        deal_at_random(game, rules, log)
    else:
        deal_lineups(game, rules, log)
    if script.count > 0:
        change_opening(game, rules, script, log)
    fill_tower(game, rules)
    if rules.court:
        welcome_courtiers(game, rules)
    if log is not None:
        recorder.log_fill(log, game)
        recorder.log_state(log, game)
