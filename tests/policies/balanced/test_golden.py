"""Games of `balanced` with weights anywhere within their bounds: pinned, since no shipped policy has some of them.

`tests/engine/test_same_games.py` pins the games of every shipped policy; here each weight has its say, with every
expansion.
"""

import hashlib
import random

import pytest

from tests.golden_digests import assert_recorded
from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, arena_under, label, weighted
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.ruleset import Ruleset

GAMES = 6
LUCK = ("noise", "bid_noise", "temperature")  # of one seat alone: with these the others would hardly matter


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
    assert_recorded("any_weights", {label(rules): digest.hexdigest()[:16]})
