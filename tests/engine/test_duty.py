"""Combat cards: when nothing can be done, and the duty to move, for policies that stay and for planners (B5.8 [A7])."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import JIT
from tests.naive.scene import DONE, NO_FORCE, NO_TARGET, STAYED, Scene
from tests.policies.custom.illegal_answers import answering, stays
from tests.policies.seating import arena_under, begin_round, draw, plan, sit, weighted
from tests.refusals import refused
from wallsim.engine.actions import act, perform_actions
from wallsim.engine.columns import SEAT_COLUMNS
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.jit import lowest_bit
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import COMBAT_A, MONEY
from wallsim.state import tally
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

compiled = pytest.mark.skipif(not JIT, reason="answers are machine code")
GAMES = 40
HERE = "Altmark"


def front(policy, duty="must"):
    """Altmark of seat 0 with four armies; around it nine armies of seat 1 everywhere."""
    scene = sit(Scene.start(combat=duty), policy)
    scene.table.give(0, HERE, 4)
    for name in scene.table.neighbours(HERE):
        scene.table.give(1, name, 9)
    return scene


def around(scene):
    """The neighbours of Altmark in the order of the board's list."""
    return sorted(scene.table.neighbours(HERE), key=BOARD.counties.index)


def counts(arena, name):
    """A count of games [games, seats]."""
    place = [column.name for column in SEAT_COLUMNS].index(name)
    return arena.play(0, GAMES).seats[:, place].reshape(GAMES, -1)


CHURCHES = [  # what differs from nine armies of seat 0 at peace among churches, and what becomes of its combat card
    ("nothing", NO_TARGET),
    ("one army", NO_FORCE),
    ("no church", DONE),
    ("neutral", DONE),
    ("own", DONE),
    ("another event", DONE),
]


@pytest.mark.parametrize("policy", ["random", "balanced"])
@pytest.mark.parametrize("action", ["combat_a", "combat_b"])
@pytest.mark.parametrize(("change", "outcome"), CHURCHES)
def test_a_combat_card_needs_two_armies_and_a_neighbour_that_is_no_church_at_peace(
    change, outcome, action, policy
):  # B5.2 B5.8 B5.9
    scene = begin_round(sit(Scene.start(event="church_peace", combat="must"), load_policy(policy)))
    table = scene.table
    table.give(0, HERE, 1 if change == "one army" else 9)
    for name in around(scene):
        table.give(1, name, 1, ["church"])
    if change in ("no church", "neutral", "own"):
        county = table.land[around(scene)[0]]
        table.supply[1] += change != "no church"
        table.supply[0] -= change == "own"
        county.buildings = {"church"} if change == "own" else set()
        county.owner = {"no church": 1, "neutral": None, "own": 0}[change]
        county.armies = int(change != "neutral")
    if change == "another event":
        table.event = "palace_guard"
    others = {name: table.land[name] for name in around(scene)[1:]}
    assert scene.outcome(act, 0, action, HERE) == outcome
    left = scene.table.land
    assert (left[HERE].armies < 9) == (outcome != NO_TARGET)
    assert {name: left[name] for name in others} == others or change == "another event"
    assert scene.game.casts == (change not in ("nothing", "one army", "own"))


@pytest.mark.parametrize("armies", [9, 1])
def test_a_card_that_led_to_nothing_is_counted_as_skipped(armies):  # B5.2
    scene = begin_round(sit(Scene.start(event="church_peace"), load_policy("random")))
    scene.table.give(0, HERE, armies)
    for name in around(scene):
        scene.table.give(1, name, 1, ["church"])
    scene.game.card[:, :] = MONEY
    scene.game.card[0, COMBAT_A] = scene.table.number(HERE)
    scene.player_order(0, 1, 2, 3)
    draw(scene, "church_peace")
    scene.call(perform_actions, None)
    assert scene.game.tally[0, tally.SKIPPED] == 1
    assert scene.game.tally[0, tally.DONE + COMBAT_A] == 0


FORCED = [  # duty, armies by neighbour (the first, second and third) of seats 0 and 1, what Altmark keeps, goal, casts
    ("must", {1: (0, 2), 2: (0, 2)}, 3, 1, 0),  # to the first own neighbour
    ("must", {0: (1, 4)}, 3, 0, 1),  # else to the fewest armies
    ("must", {2: (1, 4)}, 3, 2, 1),
    ("may", {1: (0, 2)}, 4, None, 0),
]


@compiled
@pytest.mark.parametrize("action", ["combat_a", "combat_b"])
@pytest.mark.parametrize(("duty", "changes", "left", "goal", "casts"), FORCED)
def test_who_stays_where_it_must_move_sends_one_army_to_its_own_or_to_the_fewest(
    duty, changes, left, goal, casts, action
):  # B5.8 A7
    scene = front(answering(attack=stays), duty)
    names = around(scene)
    for place, (seat, armies) in changes.items():
        scene.table.supply[1] += scene.table.land[names[place]].armies
        scene.table.give(seat, names[place], armies)
    forced = goal is not None
    assert scene.outcome(act, 0, action, HERE) == (DONE if forced else STAYED)
    assert (scene.table.land[HERE].armies, scene.game.casts) == (left, casts)
    assert scene.game.tally[0, tally.FORCED_MOVES] == forced
    if forced:
        assert BOARD.counties[scene.players.seat[0].target] == names[goal]
        assert casts or scene.table.land[names[goal]].armies == changes[goal][1] + 1


@pytest.mark.parametrize(("duty", "outcome"), [("may", STAYED), ("must", DONE)])
def test_who_would_rather_stay_attacks_where_it_must(duty, outcome):  # B5.8 V4 A7
    """Four armies against nine everywhere: nobody would attack who need not."""
    scene = begin_round(front(weighted(caution=3.0), duty))
    plan(scene, 0)
    assert scene.outcome(act, 0, "combat_a", HERE) == outcome
    assert scene.table.land[HERE].armies == (4 if outcome == STAYED else 3)
    assert (scene.game.casts, scene.game.tally[0, tally.FORCED_MOVES]) == (outcome == DONE, 0)


@compiled
@pytest.mark.parametrize("edition", ["2e", "1e"])
def test_forced_moves_are_counted_in_rows_and_marked_in_traces(edition):  # B5.8 A7
    rules = Ruleset(players=3, edition=edition)
    arena = arena_under(rules, answering(attack=stays), load_policy("balanced"), load_policy("random"))
    counted = counts(arena, "forced_moves")
    assert counted[:, 0].sum() > GAMES
    assert counted[:, 1:].sum() == 0
    match, reported = Match(BOARD, rules, USUAL, 17, ("mine", "balanced", "random"), 0), []
    for number in range(5):
        lines = trace_lines(replace(match, number=number), arena.trace(number))
        reported.append(sum(line.get("forced", False) for line in lines if line["t"] == "action"))
    assert reported == counted[:5, 0].tolist()


@compiled
@pytest.mark.parametrize("edition", ["2e", "1e"])
def test_checking_names_who_stays_where_it_must_move_and_only_there(edition):  # B5.8 A7
    for duty in ("may", "must"):
        rules = Ruleset(players=3, edition=edition, combat=duty)
        arena = arena_under(rules, answering(attack=stays), checked=True)
        with refused("attack", ": 0 is", by=IllegalAnswerError) if duty == "must" else nullcontext():
            arena.play(0, GAMES)


def marches_on_a_known_card(game, rules, mind, seat, county, targets):
    """Sends an army if the action in progress is a combat card, as it must be; else stays, which is counted."""
    if game.action_order[game.actions_done] >= COMBAT_A:
        mind.target, mind.armies = lowest_bit(targets), 1


@compiled
def test_an_answer_knows_how_many_actions_were_carried_out():  # B2.1
    arena = arena_under(Ruleset(players=3), answering(attack=marches_on_a_known_card))
    assert counts(arena, "done_combat_a").sum() > GAMES
    assert counts(arena, "forced_moves").sum() == 0


@pytest.mark.parametrize(("duty", "dumped"), [("must", False), ("may", True)])
@pytest.mark.parametrize("edition", ["2e", "1e"])
def test_a_plan_counts_the_army_that_duty_would_send_to_its_end(edition, duty, dumped):  # B5.8 A7
    """Without duty a county that will not attack may as well lie on combat as on any other box."""
    careful = weighted(caution=3.0, attack=0.0, march=0.0)
    scene = sit(Scene.start(tower=USUAL, combat=duty, edition=edition), careful)
    scene.table.give(0, HERE, 3)
    for name in scene.table.neighbours(HERE):
        scene.table.give(1, name, 6)
    begin_round(scene)
    mind = scene.players.seat[0]
    plan(scene, 0)
    column = list(mind.hand[:1]).index(BOARD.counties.index(HERE))
    worth = mind.value[column, 8]
    assert (worth < 0.0) == (not dumped)


def test_a_move_to_an_own_neighbour_costs_at_most_what_it_exposes():  # B5.8 A7
    scene = sit(Scene.start(tower=USUAL), weighted(attack=0.0, march=0.0))
    scene.table.give(0, HERE, 3)
    scene.table.give(0, around(scene)[0], 3)
    begin_round(scene)
    plan(scene, 0)
    assert scene.players.seat[0].value[0, 8] == 0.0  # nobody is near: one army walks over, and nothing is lost
