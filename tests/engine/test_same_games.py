"""Many games of every policy have the rows that they had, of every table: digests in tests/golden.

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

pytestmark = pytest.mark.skipif(not JIT, reason="so many games take the compiler")

GOLDEN = Path(__file__).parents[1] / "golden" / "games.json"
RULES = [Ruleset(players=players, setup=setup) for players, setup in VARIANTS] + BIG_BOX
GAMES = {"random": 1000, "balanced": 1000, "rollout": 2}  # many for the rules
OF_OTHERS = 40  # enough to show how weights are read


def assert_as_they_were(rules, names):
    """The digest of the games of each of these policies is that in the file."""
    result = {}
    for name in names:
        tables = arena_under(rules, load_policy(name), seed=52).play(
            0, GAMES.get(name, OF_OTHERS), seasons=True, battles=True, counties=True, plans=True
        )
        result[name] = hashlib.sha256(b"".join(table.tobytes() for table in tables)).hexdigest()[:16]
    known = json.loads(GOLDEN.read_text("utf-8"))
    if os.environ.get("WALLSIM_WRITE_GOLDEN") == "1":
        known[label(rules)] = known.get(label(rules), {}) | result
        GOLDEN.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    assert {name: known[label(rules)][name] for name in names} == result


@pytest.mark.parametrize("rules", RULES, ids=label)
def test_games_of_every_policy_that_does_not_search_are_those_they_were(rules):
    assert_as_they_were(rules, [name for name in policy_names() if load_policy(name).search is None])


@pytest.mark.own_code
@pytest.mark.parametrize("rules", RULES, ids=label)
def test_games_of_searches_are_those_they_were(rules):
    assert_as_they_were(rules, [name for name in policy_names() if load_policy(name).search])
