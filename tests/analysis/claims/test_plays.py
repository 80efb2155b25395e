"""Strength is judged only where weak, casual, middling and two independent lines of strong play were asked."""

import pytest

from wallsim.analysis.claims.plays import STRENGTHS, Play, checked_plays, default_plays, unjudged
from wallsim.errors import InputError
from wallsim.policies.catalogue import policy_names

WEAK, CASUAL = Play("weak", "weak", "random", "-"), Play("casual", "casual", "heedless", "-")
MIDDLING = Play("middling", "middling", "balanced", "-")
STRONG, SECOND = Play("strong", "strong", "tuned-4p", "one"), Play("second strong", "strong", "banker", "two")


def test_the_usual_plays_are_enough_and_reach_from_weak_to_strong():
    plays = default_plays()
    assert checked_plays(plays) == plays
    assert unjudged(plays) == ""
    assert [play.strength for play in plays] == [*STRENGTHS, "strong"]
    assert {play.policy for play in plays[:4]} < set(policy_names())


@pytest.mark.parametrize(
    ("plays", "words"),
    [
        ([WEAK, CASUAL, MIDDLING, STRONG], "not judged against two independent lines of strong play"),
        ([WEAK, CASUAL, MIDDLING, STRONG, SECOND._replace(line="one")], "not judged against two independent lines"),
        ([CASUAL, MIDDLING, STRONG, SECOND], "not judged for weak play"),
        ([WEAK, MIDDLING, STRONG, SECOND], "not judged for casual play"),
        ([WEAK], "not judged for casual and middling and strong play"),
    ],
)
def test_what_is_missing_is_said(plays, words):
    assert unjudged(plays).startswith(words)


@pytest.mark.parametrize(
    ("plays", "words"),
    [
        ([WEAK, STRONG, STRONG._replace(name="other", line="other")], "policy tuned-4p occurs more than once"),
        ([WEAK, MIDDLING._replace(name="weak")], "name weak occurs more than once"),
        ([WEAK._replace(strength="brave")], "strength 'brave' is not one of weak"),
    ],
)
def test_plays_that_are_not_what_they_say_are_refused(plays, words):
    with pytest.raises(InputError, match=words):
        checked_plays(plays)
