"""Planning alone, again and again, as `wallsim bench` times it: the plans are those of the game."""

import pytest

from tests.naive.making import packed
from tests.naive.rng import JIT
from tests.policies.searching import EVERYWHERE, ROUNDS, arena, table_label
from wallsim.engine.game import plan_rounds
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.terms import WINTER
from wallsim.state.game import new_game

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="games are played by machine code")]
everywhere = pytest.mark.parametrize(("rules", "tower"), EVERYWHERE, ids=table_label)


def planner(rules, tower, policy):
    """A blank table, the rules and the minds of one policy in all seats."""
    return new_game(), packed(rules, tower), pack_players([load_policy(policy)] * rules.players).copy()[0]


@everywhere
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_the_plans_that_are_timed_are_those_of_the_game(rules, tower, policy):
    """Planned again from the recorded tables, round by round, they are the cards that lay on the mats."""
    table = arena(rules, load_policy(policy), tower=tower)
    snapshots = table.trace(3).snapshots
    before = snapshots.tobytes()
    assert [table.plan_again(snapshots, times) for times in (0, 1, 5)] == [0, 6 * rules.players, 30 * rules.players]
    assert snapshots.tobytes() == before
    for season in ROUNDS:
        game, record, players = planner(rules, tower, policy)
        plans = plan_rounds(game[0], record, players, snapshots[: season + 2], 1)
        assert plans == rules.players * (season + 1 - season // (WINTER + 1))
        assert (int(game[0].year), int(game[0].season)) == divmod(season, WINTER + 1)
        for seat in range(rules.players):
            laid = snapshots[season + 1].card[seat, : record.boxes]
            assert players.seat[seat].plan[: record.boxes].tolist() == laid.tolist()


def test_repeated_plans_are_made_and_not_skipped():
    """A random plan moves its seat's stream each time."""
    rules, tower = EVERYWHERE[0]
    snapshots, words = arena(rules, load_policy("random")).trace(0).snapshots, []
    for times in (1, 2, 50):
        game, record, players = planner(rules, tower, "random")
        plan_rounds(game[0], record, players, snapshots[:2], times)
        words.append(game[0].random.copy())
    assert all((words[0][5:8] != other[5:8]).all() for other in words[1:])
    assert (words[0][:5] == words[2][:5]).all()
