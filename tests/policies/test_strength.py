"""What is said of the strongest players holds on seeds that nothing else was played with."""

import numpy as np
import pytest

from wallsim.analysis.blocks import block_mean
from wallsim.analysis.intervals import normal_quantile
from wallsim.policies.catalogue import load_policy
from wallsim.runs.experiment import Experiment
from wallsim.runs.setting import Setting

SEED = 90_210


def wins_alone(name, host, players, blocks):
    """The share of wins of one seat among others, in every seat and line-up in turn, with its spread over blocks."""
    setting = Setting(Experiment(players=players))
    guest, others = load_policy(name), load_policy(host)
    shares = np.zeros(blocks)
    for seat in range(players):
        table = [guest if place == seat else others for place in range(players)]
        sharing = setting.arena(table, SEED).play(0, blocks).seats.reshape(blocks, players, -1)[:, seat, 4]
        shares += np.where(sharing > 0, 1.0 / np.maximum(sharing, 1), 0.0) / players
    return block_mean(shares)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_tuned_beat_balanced_at_their_table(players):
    found = wins_alone(f"tuned-{players}p", "balanced", players, 1_000)
    low, _ = found.interval(normal_quantile(0.95, 3))
    assert low > 1 / players


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tuned-3p", "tuned-4p", "tuned-5p"])
@pytest.mark.parametrize("host", ["banker", "farmer", "raider", "turtle", "opportunist", "balanced-noise-08"])
def test_the_tuned_stay_sane_among_policies_they_never_met(name, host):
    players = int(name[6])
    found = wins_alone(name, host, players, 500)
    _, high = found.interval(normal_quantile(0.95, 18))
    assert high > 1 / players, f"{name} wins {found.value:.1%} among {host}"


@pytest.mark.slow
def test_the_search_wins_two_of_five_tables_of_the_strongest_weights():
    found = wins_alone("rollout", "tuned-4p", 4, 150)
    assert found.value > 0.4
    assert found.value - 2 * found.error > 0.25
