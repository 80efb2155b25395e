"""The steps of the expansions: when Landsknechte, Emperor's Court and leaders act in a game (B1, B2, B7).

Set-up, round and winter call each of these kernels in one place, and only if an expansion is in play.
"""

from wallsim.engine import log as recorder
from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics import court, landsknechte, leaders
from wallsim.policies import decide
from wallsim.rules.terms import CANCEL_EVENT, COURT_1, COURT_3, NOWHERE


@kernel(apart=True)
def before_planning(game, rules):
    """Show the round's favors: they are known while planning (E2)."""
    if rules.court:
        court.show_favors(game, rules)


@kernel(apart=True)
def before_actions(game, rules, players, log):
    """After player order: leaders of line-ups are placed, then Landsknechte, then the court (M1, L1, E4, E5)."""
    if rules.leaders and not rules.draft and game.year == 0 and game.season == 0:
        for turn in range(rules.players):
            _choose_and_place(game, rules, players, game.turn[turn], log)
    if rules.landsknechte:
        _pay_landsknechte(game, rules, players, log)
    if rules.court:
        _petition(game, rules, log)
        _hold_audience(game, rules, players, log)


@kernel(apart=True)
def after_actions(game, rules, players, log):
    """After the tenth action: protections end, then the leaders move in player order (E6, M3)."""
    court.end_protections(game)
    if rules.leaders:
        for turn in range(rules.players):
            _move_leader(game, rules, players, game.turn[turn], log)


@kernel(apart=True)
def after_winter(game, rules, players, log):
    """After scoring: Landsknechte cards are ordered again, lost leaders return after the first year (L2, M4)."""
    landsknechte.order_cards_again(game)
    if rules.leaders and game.year == 0:
        for turn in range(rules.players):
            if leaders.leader_returns(game, game.turn[turn]):
                _choose_and_place(game, rules, players, game.turn[turn], log)


@kernel(apart=True)
def place_drafted(game, rules, players, seat, county, log):
    """In a draft: place the leader in the county just claimed, at the latest in the last one (M1)."""
    if game.leader[seat] != 0:
        return
    if game.groups[seat] == 0 or decide.choose_draft_leader(game, rules, players.seat[seat], seat, county):
        _put_leader(game, rules, seat, NOWHERE, county, False, log)


@kernel
def _put_leader(game, rules, seat, origin, county, statue, log):
    losers = leaders.place_leader(game, rules, seat, county)
    if log is not None:
        recorder.log_leader(log, seat, origin, county, statue, losers)


@kernel(apart=True)
def _choose_and_place(game, rules, players, seat, log):
    county = decide.choose_leader(game, rules, players.seat[seat], seat)
    _put_leader(game, rules, seat, NOWHERE, county, False, log)


@kernel
def _move_leader(game, rules, players, seat, log):
    if leaders.leader_must_leave(game, rules, seat):
        if log is not None:
            recorder.log_leader(log, seat, lowest_bit(game.leader[seat]), NOWHERE, False, 0)
        leaders.leave_board(game, seat)
    if not leaders.leader_must_move(game, seat):
        return
    mind = players.seat[seat]
    origin = lowest_bit(game.leader[seat])
    county = decide.choose_leader_move(game, rules, mind, seat)
    statue = leaders.may_leave_statue(game, rules, seat, county)
    if statue:
        statue = decide.choose_statue(game, rules, mind, seat, county)
    if statue:
        leaders.leave_statue(game, seat)
    _put_leader(game, rules, seat, origin, county, statue, log)


@kernel
def _pay_landsknechte(game, rules, players, log):
    """In player order, cards are turned and benefits taken (L1); a card that offers nothing leaves no line."""
    for turn in range(rules.players):
        seat = game.turn[turn]
        if not landsknechte.draw_landsknecht(game, rules, seat):
            continue
        offered = landsknechte.offered_benefits(game, rules, seat)
        if offered == 0:
            continue
        benefit = decide.choose_benefit(game, rules, players.seat[seat], seat, offered)
        amount = landsknechte.take_benefit(game, rules, seat, benefit)
        if log is not None:
            recorder.log_landsknechte(log, game, seat, benefit, amount)


@kernel
def _petition(game, rules, log):
    """In player order, each seat's boxes 3, 2, 1 (E4)."""
    for turn in range(rules.players):
        seat = game.turn[turn]
        for box in range(COURT_3, COURT_1 + 1):
            if court.is_petition(game.card[seat, box]):
                done = court.send_courtiers(game, seat, box)
                if log is not None:
                    recorder.log_convert(log, game, seat, box, done)


@kernel
def _hold_audience(game, rules, players, log):
    """Most courtiers first, each seat may take one favor (E5)."""
    court.open_audience(game, rules)
    for place in range(rules.players):
        seat = game.audience[place]
        spaces = court.affordable_favors(game, rules, seat)
        if spaces == 0:
            continue
        mind = players.seat[seat]
        space = decide.choose_favor(game, rules, mind, seat, spaces)
        if space < 0:
            continue
        if log is not None:
            recorder.remember(log, game)
        favor = court.take_favor(game, rules, seat, space)
        cancel = False
        if rules.favor_kind[favor] == CANCEL_EVENT:
            cancel = decide.choose_cancel_event(game, rules, mind, seat)
        counties = court.favor_counties(game, rules, seat, favor)
        county = NOWHERE
        if counties != 0:
            county = decide.choose_favor_county(game, rules, mind, seat, favor, counties)
        amount = court.grant(game, rules, seat, favor, county, cancel)
        if log is not None:
            recorder.log_favor(log, game, seat, space, favor, county, amount, cancel)
