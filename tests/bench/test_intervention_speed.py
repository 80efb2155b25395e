"""What eight interventions cost, with `-m bench`: the same games with and without them, in turns in one process."""

import time

import numpy as np
import pytest

from wallsim.experiment.experiment import Experiment

pytestmark = pytest.mark.bench
ROUNDS = 31
GAMES = {"random": 20_000, "balanced": 2_000}


def eight_steps(when):
    """Steps that are carried out and take each other back, so that all games stay as they are."""
    hands = [
        {"do": "hand", what: sign * amount, "seat": "turn", "round": when}
        for what, amount in (("thalers", 2), ("vp", 1))
        for sign in (1, -1)
    ]
    tiles = [{"do": "tile", "to": f"of seat {to}", "seat": to + 1, "round": when} for to in (0, 0, 2, 2)]
    return [*hands, *tiles]


def cpu_seconds(arena, games):
    """CPU seconds of this process for so many games."""
    begin = time.process_time()
    arena.play(0, games)
    return time.process_time() - begin


@pytest.mark.parametrize("when", ["turn", "every"])
@pytest.mark.parametrize("policy", GAMES)
def test_the_speed_with_eight_interventions_relative_to_that_without(benchmark, policy, when):
    """`extra_info` has the median ratio of speeds and the 95 % interval of the median (order statistics)."""
    plain = Experiment(policies=policy).arena()
    changed = Experiment(policies=policy, interventions=eight_steps(when)).arena()
    one, other = (arena.play(0, 200, seasons=True) for arena in (plain, changed))
    assert all(np.array_equal(*tables) for tables in zip(one, other, strict=True))

    def ratios():
        result = []
        for turn in range(ROUNDS):
            order = (plain, changed) if turn % 2 == 0 else (changed, plain)
            seconds = {id(arena): cpu_seconds(arena, GAMES[policy]) for arena in order}
            result.append(seconds[id(plain)] / seconds[id(changed)])
        return np.sort(result)

    result = benchmark.pedantic(ratios, rounds=1)
    benchmark.extra_info["speed ratio"] = float(np.median(result))
    # The 10th and the 22nd of 31 values enclose the median with a probability of 97 %.
    benchmark.extra_info["interval"] = [float(result[9]), float(result[21])]
    print(f"{policy}, {when}: {np.median(result):.4f} [{result[9]:.4f}, {result[21]:.4f}] of the speed without")
