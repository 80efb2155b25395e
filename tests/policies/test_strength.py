"""What is said of the strongest players holds on seeds that nothing else was played with."""

import pytest

from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy
from wallsim.searches.tuning.evaluation import Games, held_out

SEED = 90_210


def wins_alone(name, host, players, blocks, n_comparisons=1):
    """How one seat fares among others, in every seat and line-up in turn; its interval is one of so many."""
    evaluator = Games(Setting(Experiment(players=players)), workers=1)
    [result] = held_out(
        evaluator, load_policy(name), [("host", load_policy(host))],
        seats=players, games=players * blocks, seed=SEED, turn=0, n_comparisons=n_comparisons,
    )  # fmt: skip
    return result


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(("name", "host", "times"), [("tuned", "balanced", 1.0), ("master", "strong", 1.3)])
def test_the_tuned_beat_balanced_and_the_taught_win_much_more_than_a_share_among_their_teachers(
    name, host, times, players
):
    among = host if host == "balanced" else f"{host}-{players}p"
    result = wins_alone(f"{name}-{players}p", among, players, 1_000, n_comparisons=3)
    assert result.low > times / players


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("host", ["balanced", "banker", "builder", "raider", "casual"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_taught_are_nowhere_weaker_than_the_policies_they_began_with(players, host):
    taught, began = (
        wins_alone(f"{name}-{players}p", host, players, 500, n_comparisons=30) for name in ("master", "strong")
    )
    assert taught.high > began.low, (taught.share, began.share)
    assert taught.share > began.share - 0.02


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tuned-3p", "tuned-4p", "tuned-5p"])
@pytest.mark.parametrize("host", ["banker", "farmer", "raider", "turtle", "opportunist", "balanced-noise-08"])
def test_the_tuned_stay_sane_among_policies_they_never_met(name, host):
    players = int(name[6])
    result = wins_alone(name, host, players, 500, n_comparisons=18)
    assert result.high > 1 / players, f"{name} wins {result.share:.1%} among {host}"


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_the_search_wins_two_of_five_tables_of_the_strongest_weights():
    result = wins_alone("rollout", "tuned-4p", 4, 150, n_comparisons=2)
    assert result.share > 0.4
    assert result.low > 0.25
