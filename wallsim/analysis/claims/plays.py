"""Kinds of play: tables of four alike, from weak to strong, and whether strong play was found more than once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wallsim.errors import InputError

WEAK, CASUAL, MIDDLING, STRONG = "weak", "casual", "middling", "strong"
STRENGTHS = (WEAK, CASUAL, MIDDLING, STRONG)
NEEDED = (WEAK, MIDDLING, STRONG)  # strengths without which nothing is said of strength
LINES = 2  # of strong play that were found independently of each other

STRONG_POLICY, SECOND_POLICY = "tuned-4p", "second-4p"


class Play(NamedTuple):
    """All seats play alike: the play's name, how strong it is, the policy, and the line that the policy comes from.

    A line is a search for good play with a start and a seed of its own. Policies of one line tend to have the same
    faults and habits, so that they count once.
    """

    name: str
    strength: str
    policy: str
    line: str


def usual_plays(strong: str = STRONG_POLICY, second: str = SECOND_POLICY) -> tuple[Play, ...]:
    """The plays over which the studies judge their claims, with the policies of the two lines of strong play."""
    return (
        Play(WEAK, WEAK, "balanced-noise-16", "balanced"),
        Play(CASUAL, CASUAL, "balanced-noise-04", "balanced"),
        Play(MIDDLING, MIDDLING, "balanced", "balanced"),
        Play(STRONG, STRONG, strong, "first search"),
        Play("second strong", STRONG, second, "second search"),
    )


def checked_plays(plays: Sequence[Play]) -> tuple[Play, ...]:
    """The same plays. InputError for a strength that is none, and for a name or a policy that is there twice.

    One policy in two lines would not be two independent ones.
    """
    for play in plays:
        if play.strength not in STRENGTHS:
            raise InputError(f"plays: {play.name}: strength {play.strength!r} is not one of {', '.join(STRENGTHS)}")
    for what, values in (("name", [play.name for play in plays]), ("policy", [play.policy for play in plays])):
        twice = sorted({value for value in values if values.count(value) > 1})
        if twice:
            raise InputError(f"plays: {what} {', '.join(twice)} is there more than once; each play needs its own")
    return tuple(plays)


def unjudged(plays: Iterable[Play]) -> str:
    """What the plays lack for a claim to be called robust to strength, in words; empty if nothing."""
    kept = list(plays)
    missing = [strength for strength in NEEDED if strength not in {play.strength for play in kept}]
    if missing:
        return f"not judged for {' and '.join(missing)} play"
    if len({play.line for play in kept if play.strength == STRONG}) < LINES:
        return "not judged against two independent lines of strong play"
    return ""


def plays_in_words(plays: Iterable[Play]) -> str:
    """`weak` (`balanced-noise-16`), and so on, for the text above a table."""
    return ", ".join(f"{play.name} (`{play.policy}`)" for play in plays)
