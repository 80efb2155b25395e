"""Decisions within a game: what is dealt again and what is not, and that a round goes on as it did in the game."""

import numpy as np
import pytest

from tests.naive.rng import JIT
from wallsim.analysis.advice.decision import ATTACK, CLAIM, PLACE
from wallsim.analysis.advice.from_game import decision_of_step
from wallsim.analysis.advice.tables import Tables, make_errors
from wallsim.api.trace import trace
from wallsim.engine import decisions
from wallsim.engine.rollout import TRIAL
from wallsim.engine.season import ALL_PLACES
from wallsim.experiment.experiment import Experiment
from wallsim.jit import kernel
from wallsim.mechanics.combat import legal_targets
from wallsim.policies.advice import ADVICE
from wallsim.policies.balanced.attacks import choose_attack
from wallsim.policies.balanced.auction import choose_place
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.terms import ACTION_CARDS, AUCTION, BASE_BOXES, SHOWN_ACTIONS, TOWER_CARD
from wallsim.rules.tower import load_tower

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="searching policies are not compiled")]
GAMES = {
    "base": Experiment(players=4, policies="balanced", seed=3, games=100),
    "expansions": Experiment(
        players=3, policies="balanced", seed=4, games=100, expansions=["court", "landsknechte", "leaders"]
    ),
    "first edition": Experiment(players=5, policies="balanced", seed=5, games=100, edition="1e"),
}
DRAFT = Experiment(players=3, policies="balanced", seed=5, games=100, setup="draft", expansions=["court"])
OPEN = (
    *("owner", "army", "marker", "built", "supply", "tray", "tower", "thalers", "grain", "vp", "event", "effect"),
    *("pick", "tile_on_box", "lost", "hall", "shown_favor", "leader", "actions_done"),
)
DECISIONS = [*((name, ATTACK) for name in GAMES), ("base", PLACE), ("expansions", PLACE)]  # 1e has no auction (V1)
NUMBERS = {PLACE: decisions.PLACE, ATTACK: decisions.ATTACK, CLAIM: decisions.CLAIM}


def steps_of(experiment, game, kind):
    """The numbers of a game's lines that are places or attacks."""
    lines = enumerate(trace(experiment, game))
    if kind == PLACE:
        return [number for number, line in lines if line["t"] == "order"]
    return [
        number for number, line in lines if line["t"] == "action" and line.get("moved") and "combat" in line["action"]
    ]


def dealt(choice, number, *, errors):
    """The table of a decision with all that is hidden dealt again, the rules, and the minds there.

    The others plan with `errors`.
    """
    tables = Tables(choice, [load_policy("balanced")], load_tower("spielbyweb"), 1)
    players = pack_players([load_policy("balanced")] * choice.ruleset.players).copy()
    if errors:
        make_errors(players["seat"])
    trial, advice = np.zeros(1, TRIAL), np.zeros(1, ADVICE)
    decisions.try_on_tables(
        tables.before, choice.game[0], tables.rules[0], players[0], tables.mind[0], choice.seat,
        advice[0], trial[0], NUMBERS[choice.kind], choice.turn, choice.choices[:1].copy(), np.uint64(number), 0,
        np.empty((1, 1)),
    )  # fmt: skip
    return trial[0].dealt[0], tables.rules[0], trial[0].ready[0].seat


@pytest.mark.parametrize(("name", "kind"), DECISIONS)
def test_cards_that_are_turned_up_stay_and_the_others_are_dealt_again(name, kind):  # B2.1, B2.5, B2.6, B3.5
    experiment, changed, rivals = GAMES[name], 0, 0
    for step in steps_of(experiment, 1, kind)[1::5]:
        choice = decision_of_step(experiment, 1, step)
        now = choice.game[0]
        table, rules, _ = dealt(choice, step, errors=True)
        planned, *_ = dealt(choice, step, errors=False)
        for field in OPEN:
            assert np.array_equal(table[field], now[field]), field
        known = now.actions_done + SHOWN_ACTIONS
        assert np.array_equal(table.action_order[:known], now.action_order[:known])
        assert sorted(table.action_order) == list(range(ACTION_CARDS))
        shown = [AUCTION]
        if kind == ATTACK:
            shown += [*range(BASE_BOXES, rules.boxes), *now.action_order[: now.actions_done + 1]]
            assert table.agenda[choice.turn].tolist() == now.agenda[choice.turn].tolist()
        for seat in range(experiment.players):
            cards = table.card[seat, : rules.boxes].tolist()
            single = [card for card in cards if 0 <= card < TOWER_CARD]
            assert len(set(single)) == len(single)
            assert [cards[box] for box in shown] == [int(now.card[seat, box]) for box in shown]
            # Whoever plans without errors, as the seats of the game do, plans the same again.
            assert planned.card[seat, : rules.boxes].tolist() == now.card[seat, : rules.boxes].tolist()
            same = cards == now.card[seat, : rules.boxes].tolist()
            assert same or seat != choice.seat
            changed, rivals = changed + (not same), rivals + (seat != choice.seat)
    assert changed > 0.3 * rivals


@pytest.mark.parametrize(("name", "kind"), [of for of in DECISIONS if of[0] != "first edition"])
def test_all_seats_go_on_with_the_event_in_mind(name, kind):  # B2.4
    """Also those that do not choose a place any more; in the first edition nobody does, in games neither."""
    choice = decision_of_step(GAMES[name], 1, steps_of(GAMES[name], 1, kind)[2])
    assert choice.game[0].shown_events > 0  # so that other events were likely while planning
    _, _, minds = dealt(choice, 5, errors=False)
    for seat in range(GAMES[name].players):
        assert minds[seat].effect_chance[choice.game[0].effect] == 1.0


def test_a_draft_is_dealt_again_but_for_the_cards_put_under_the_deck():  # B1.4
    step = [number for number, line in enumerate(trace(DRAFT, 1)) if line["t"] == "deal"][8]
    choice = decision_of_step(DRAFT, 1, step)
    now = choice.game[0]
    now.deck[now.deck_end : now.deck_end + 2] = [3, 4]
    now.deck_end += 2
    table, *_ = dealt(choice, 5, errors=True)
    first, end = int(now.deck_top), int(now.deck_end)
    assert np.array_equal(table.open_card, now.open_card)
    assert sorted(table.deck[first : end - 2]) == sorted(now.deck[first : end - 2])
    assert not np.array_equal(table.deck[first : end - 2], now.deck[first : end - 2])
    assert table.deck[end - 2 : end].tolist() == [3, 4]


@kernel
def finish(rules, seat, trial, kind, turn, choice):
    """Let a seat choose and play the round on to its end; what it noted while it looked for its choice stays noted."""
    game, mind = trial.game, trial.players[0].seat[seat]
    if kind == decisions.PLACE:
        choose_place(game, rules, mind, seat, ALL_PLACES)
    else:
        county = game.agenda[turn, 2]
        targets = legal_targets(game, rules, seat, county, game.action_order[game.actions_done])
        choose_attack(game, rules, mind, seat, county, targets)
    decisions._finish_round(rules, seat, trial, kind, turn, choice)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), DECISIONS)
def test_the_choice_of_the_game_leads_to_the_table_of_the_game(name, kind):
    """Where nothing is dealt again, and all minds know what they knew, the round ends as it did."""
    experiment, compared = GAMES[name], 0
    parts = experiment.components()
    arena = parts.arena(experiment.seed)
    lines = trace(experiment, 1)
    for step in steps_of(experiment, 1, kind):
        choice = decision_of_step(experiment, 1, step)
        trial = np.zeros(1, TRIAL)
        with arena._table() as table:
            game, seed, number, _, *rest = table.start(experiment.seed, 1, 1)
            decisions.play_to_decision(
                game, seed, number, *rest, NUMBERS[kind], choice.round, choice.turn, False, trial[0].game,
                np.zeros((5, 14), np.int64),
            )  # fmt: skip
            trial[0].game, trial[0].players[0] = table.game[0], table.players[0]
        finish(arena.rules[0], choice.seat, trial[0], NUMBERS[kind], choice.turn, choice.made)
        state = next(line for line in lines[step:] if line["t"] == "state")
        ended = trial[0].game
        assert ended.thalers[: experiment.players].tolist() == state["thalers"]
        assert ended.grain[: experiment.players].tolist() == state["grain"]
        for county, facts in state["counties"].items():
            place = parts.board.counties.index(county)
            assert (ended.owner[place], ended.army[place]) == (facts["owner"], facts["armies"]), (step, county)
        compared += 1
    assert compared > 5
