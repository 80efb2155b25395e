"""Many games of every policy that does not search have the rows that they had, of every table: digests in tests/golden.

They change with ENGINE_VERSION and with the columns, never by accident. After an intended change,
WALLSIM_WRITE_GOLDEN=1 in the environment makes this test write them again.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest

from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, arena_under, label
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.rules.ruleset import Ruleset

GOLDEN = Path(__file__).parents[1] / "golden" / "games.json"
RULES = [Ruleset(players=players, setup=setup) for players, setup in VARIANTS] + BIG_BOX
GAMES = {"random": 1000, "balanced": 1000}  # many for the rules; a few of everybody else show how weights are read
OF_OTHERS = 40


def digests_under(rules):
    """The digest of each policy's games."""
    result = {}
    for name in policy_names():
        policy = load_policy(name)
        if policy.search is None:
            played = arena_under(rules, policy, seed=52).play(
                0, GAMES.get(name, OF_OTHERS), seasons=True, battles=True, counties=True, plans=True
            )
            result[name] = hashlib.sha256(b"".join(table.tobytes() for table in played)).hexdigest()[:16]
    return result


@pytest.mark.skipif(not JIT, reason="this many games take the compiler")
@pytest.mark.parametrize("rules", RULES, ids=label)
def test_games_of_every_policy_are_those_they_were(rules):
    result = {label(rules): digests_under(rules)}
    if os.environ.get("WALLSIM_WRITE_GOLDEN") == "1":
        written = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.exists() else {}
        GOLDEN.write_text(json.dumps(written | result, indent=1) + "\n", "utf-8")
    assert json.loads(GOLDEN.read_text("utf-8"))[label(rules)] == result[label(rules)]
