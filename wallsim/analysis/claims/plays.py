"""Kinds of play, from weak to strong, in each of which all seats play one policy; strong play has independent lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wallsim.errors import InputError

WEAK, CASUAL, MIDDLING, STRONG = "weak", "casual", "middling", "strong"
STRENGTHS = (WEAK, CASUAL, MIDDLING, STRONG)
NEEDED = (WEAK, MIDDLING, STRONG)  # the strengths that a claim must be judged in to be robust
LINES = 2  # independent lines of strong play that are needed

STRONG_POLICY, SECOND_POLICY = "tuned-4p", "second-4p"


class Play(NamedTuple):
    """A kind of play, in which all seats play one policy: its name, strength, policy, and the policy's line.

    A line is a search for good play with a separate start and seed. Policies of one line tend to share faults and
    habits, so they count once.
    """

    name: str
    strength: str
    policy: str
    line: str


def usual_plays(strong: str = STRONG_POLICY, second: str = SECOND_POLICY) -> tuple[Play, ...]:
    """The plays in which the studies judge their claims; `strong` and `second` are the two lines of strong play."""
    return (
        Play(WEAK, WEAK, "balanced-noise-16", "balanced"),
        Play(CASUAL, CASUAL, "balanced-noise-04", "balanced"),
        Play(MIDDLING, MIDDLING, "balanced", "balanced"),
        Play(STRONG, STRONG, strong, "first search"),
        Play("second strong", STRONG, second, "second search"),
    )


def checked_plays(plays: Sequence[Play]) -> tuple[Play, ...]:
    """The same plays, checked. InputError for an unknown strength, and for a name or a policy that occurs twice.

    One policy in two lines would not make two independent lines.
    """
    for play in plays:
        if play.strength not in STRENGTHS:
            raise InputError(f"plays: {play.name}: strength {play.strength!r} is not one of {', '.join(STRENGTHS)}")
    for what, values in (("name", [play.name for play in plays]), ("policy", [play.policy for play in plays])):
        twice = sorted({value for value in values if values.count(value) > 1})
        if twice:
            raise InputError(f"plays: {what} {', '.join(twice)} occurs more than once; each play needs a different one")
    return tuple(plays)


def unjudged(plays: Iterable[Play]) -> str:
    """Which plays are missing for a claim to be robust to strength, in words; empty if none."""
    kept = list(plays)
    missing = [strength for strength in NEEDED if strength not in {play.strength for play in kept}]
    if missing:
        return f"not judged for {' and '.join(missing)} play"
    if len({play.line for play in kept if play.strength == STRONG}) < LINES:
        return "not judged against two independent lines of strong play"
    return ""


def plays_in_words(plays: Iterable[Play]) -> str:
    """The plays with their policies, as in weak (`balanced-noise-16`), for the text above a table."""
    return ", ".join(f"{play.name} (`{play.policy}`)" for play in plays)
