"""Many games of every policy have the rows that they had, of every table: digests in tests/golden.

They change with ENGINE_VERSION and with the columns.
"""

import hashlib

import pytest

from tests.golden_digests import assert_recorded
from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, arena_under, label
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.rules.ruleset import Ruleset

pytestmark = pytest.mark.skipif(not JIT, reason="so many games take the compiler")

RULES = [Ruleset(players=players, setup=setup) for players, setup in VARIANTS] + BIG_BOX
GAMES = {"random": 1000, "balanced": 1000, "rollout": 2}  # many for the rules
OF_OTHERS = 40  # enough to show how weights are read


def assert_as_they_were(rules, names):
    """The digest of the games of each of these policies is that in the file."""
    digests = {}
    for name in names:
        tables = arena_under(rules, load_policy(name), seed=52).play(
            0, GAMES.get(name, OF_OTHERS), seasons=True, battles=True, counties=True, plans=True
        )
        rows = b"".join(table.tobytes() for table in tables)
        digests[f"{label(rules)}: {name}"] = hashlib.sha256(rows).hexdigest()[:16]
    assert_recorded("games", digests)


@pytest.mark.parametrize("rules", RULES, ids=label)
def test_games_of_every_policy_that_does_not_search_are_those_they_were(rules):
    assert_as_they_were(rules, [name for name in policy_names() if load_policy(name).search is None])


@pytest.mark.own_code
@pytest.mark.parametrize("rules", RULES, ids=label)
def test_games_of_searches_are_those_they_were(rules):
    assert_as_they_were(rules, [name for name in policy_names() if load_policy(name).search])
