"""Kinds of play, from weak to strong, in each of which all seats play one policy; strong play has independent lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.markdown import code

WEAK, CASUAL, MIDDLING, STRONG = "weak", "casual", "middling", "strong"
STRENGTHS = (WEAK, CASUAL, MIDDLING, STRONG)
LINES = 2  # independent lines of strong play that a claim must be judged in, beside all other strengths, to be robust

# The policies of these plays, as the studies name them. The two strong lines have met neither each other nor a policy
# that met the other: one was tuned in self-play, the other taught by trials of plans.
WEAK_POLICY, CASUAL_POLICY, MIDDLING_POLICY = "balanced-noise-32", "amateur", "balanced"
STRONG_POLICIES = {3: "expert-3p", 4: "expert-4p", 5: "expert-5p"}
SECOND_POLICIES = {3: "scholar-3p", 4: "scholar-4p", 5: "scholar-5p"}
EARLIER_POLICIES = {n: (f"strong-{n}p", f"rival-{n}p", f"tuned-{n}p") for n in (3, 4, 5)}  # strong lines of before
SEARCH_POLICY, SEARCHED_POLICY = "rollout", "strong-4p"  # a search, and the policy whose weights it plays with
MASTER_POLICIES = {players: f"master-{players}p" for players in (3, 4, 5)}  # taught on the first lines
STRONG_POLICY, SECOND_POLICY = STRONG_POLICIES[4], SECOND_POLICIES[4]


def strong_lines(players: int) -> tuple[str, ...]:
    """The policies of the lines of strong play for so many players. KeyError for a number that has none."""
    return STRONG_POLICIES[players], SECOND_POLICIES[players]


class Play(NamedTuple):
    """A kind of play, in which all seats play one policy: its name, strength, policy, and the policy's line.

    A line is a search for good play with a separate start and seed. Policies of one line tend to share errors and
    habits, so they count once.
    """

    name: str
    strength: str
    policy: str
    line: str


def default_plays(strong: str = STRONG_POLICY, second: str = SECOND_POLICY) -> tuple[Play, ...]:
    """The plays in which the studies judge their claims; `strong` and `second` are the two lines of strong play."""
    return (
        Play(WEAK, WEAK, WEAK_POLICY, "balanced"),
        Play(CASUAL, CASUAL, CASUAL_POLICY, "by reports"),
        Play(MIDDLING, MIDDLING, MIDDLING_POLICY, "balanced"),
        Play(STRONG, STRONG, strong, "tuned weights"),
        Play("second strong", STRONG, second, "trials of plans"),
    )


def named(policy: str, players: int = 4) -> str:
    """A policy of the figures in Markdown by the name that commands know: casual bots by the size of their tables."""
    return code({CASUAL_POLICY: f"casual-{players}p", "casual": "casual-2026-11"}.get(policy, policy))


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
    chosen = list(plays)
    missing = [strength for strength in STRENGTHS if strength not in {play.strength for play in chosen}]
    if missing:
        return f"not judged for {' and '.join(missing)} play"
    if len({play.line for play in chosen if play.strength == STRONG}) < LINES:
        return "not judged against two independent lines of strong play"
    return ""


def plays_in_words(plays: Iterable[Play], players: int = 4) -> str:
    """The plays with their policies, as in weak (`balanced-noise-16`), for the text above a table."""
    return ", ".join(f"{play.name} ({named(play.policy, players)})" for play in plays)
