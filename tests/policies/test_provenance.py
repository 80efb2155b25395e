"""Where shipped policies come from, by what their files say: the two lines of strong play never met."""

import re
from functools import cache

import numpy as np
import pytest

from tests.docs.pages import DOCS
from tests.refusals import assert_names
from wallsim.analysis.claims.cells import strong_lines
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.rules.files import data_folder

PLAYERS = (3, 4, 5)
_NAME = re.compile(r"[\w-]+")
WEAKER = {"balanced", "balanced-noise-32", "casual", "amateur", "builder", "banker", "raider", "random"}


@cache
def met(name):
    """Shipped policies that a file names in how it was made: its start, opponents, rivals and judges."""
    lines = (data_folder("policies") / f"{name}.toml").read_text("utf-8").splitlines()
    comments = " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))
    made = comments.split("Held-out games")[0]  # those of an evaluation had no part in it
    return frozenset(word for word in _NAME.findall(made) if word in policy_names()) - {name}


@cache
def history(name):
    """The same, and all that these met."""
    found, left = set(), [name]
    while left:
        for other in met(left.pop()) - found - {name}:
            found.add(other)
            left.append(other)
    return frozenset(found)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_two_strong_lines_have_met_nobody_of_each_other(players):
    first, second = ({name, *history(name)} for name in strong_lines(players))
    assert history("plain") == set()
    assert "plain" in second - first
    assert {"balanced", "strong-4p", "tuned-4p"} <= first
    assert first & second <= WEAKER  # both were taught among these, and have met no strong policy of the other


@pytest.mark.parametrize(("players", "agreement"), [(3, 0.91), (4, 0.80), (5, 0.77)])
def test_the_page_says_how_far_the_lines_agree_on_counties(players, agreement):
    one, other = (load_policy(name).counties[players] for name in strong_lines(players))
    names = sorted({*one, *other})
    worths = [[table.get(name, 0.0) for name in names] for table in (one, other)]
    assert round(float(np.corrcoef(worths)[0, 1]), 2) == agreement
    said = f"{agreement:.2f} with {('three players', 'four', 'five')[players - 3]}"
    assert_names((DOCS / "policies.md").read_text("utf-8"), said)
