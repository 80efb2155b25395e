"""Games of `balanced` with weights anywhere within their bounds: pinned, since no shipped policy has some of them.

`tests/golden/traces.json` pins the games of every shipped policy in the base game; here each weight and every expansion
has its say.
"""

import hashlib
import random

import pytest

from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, arena_under, label, weighted
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.ruleset import Ruleset

GAMES = 6
LUCK = ("noise", "bid_noise", "temperature")  # of one seat alone: with these the others would hardly matter
DIGESTS = {
    "3 players, lineup": "e1ab7dd36868",
    "3 players, draft": "4c1e0a3d21d1",
    "4 players, lineup": "46b0980f27f7",
    "4 players, draft": "1f7809568dbe",
    "5 players, lineup": "d148932430a7",
    "5 players, draft": "eb67392c9d3a",
    "3 players, draft, 1e, court, landsknechte, leaders": "a5a79e41504f",
    "3 players, lineup, landsknechte": "5f6ddac8688b",
    "4 players, lineup, court, landsknechte, leaders": "caef879df4f5",
    "4 players, draft, court": "f51443b904b7",
    "5 players, lineup, 1e": "747a577d0435",
    "5 players, draft, leaders": "da7eeab63188",
}


def any_policy(rng, luck):
    """Half of the weights as they are by default, the others anywhere."""
    kept = {weight.name for weight in WEIGHTS if rng.random() < 0.5 or (weight.name in LUCK and not luck)}
    return weighted(**{w.name: rng.uniform(w.low, w.high) for w in WEIGHTS if w.name not in kept})


@pytest.mark.skipif(not JIT, reason="plays whole games")
@pytest.mark.parametrize("rules", [*(Ruleset(*variant) for variant in VARIANTS), *BIG_BOX], ids=label)
def test_games_with_any_weights_are_those_they_were(rules):
    """The digests change with the rules, the planner and its random streams, that is with ENGINE_VERSION."""
    digest = hashlib.sha256()
    for number in range(GAMES):
        rng = random.Random(number)
        seated = [any_policy(rng, luck=seat == 0) for seat in range(rules.players)]
        digest.update(arena_under(rules, *seated).trace(number).lines.tobytes())
    assert DIGESTS[label(rules)] == digest.hexdigest()[:12]
