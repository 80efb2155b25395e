"""Cells: the conditions under which a claim is judged, every combination of play, tower and set-up.

In each kind of play, from weak to strong, all seats play one policy; strong play has independent lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.markdown import code
from wallsim.rules.other_settings import SETUP_WORDS

SETUPS = ("lineup", "draft")
CALIBRATIONS = ("spielbyweb", "mid", "rulebook")
MODELS = {"independent": "", "urn": "-urn", "layered": "-layered"}  # with the suffix of their presets' names
TOWERS = {f"{name}{end}": (name, model) for name in CALIBRATIONS for model, end in MODELS.items()}


class Cell(NamedTuple):
    """One combination of the factors: the name of the play, of the tower, and of the set-up."""

    play: str
    tower: str
    setup: str

    def in_words(self, among: Iterable[Cell]) -> str:
        """The levels of the factors that vary `among` the cells, such as: `mid`, strong, draft."""
        return ", ".join(_word(field, getattr(self, field)) for field in varying(among)) or "the only cell"


def levels(field: str, among: Iterable[Cell]) -> tuple[str, ...]:
    """The levels of a factor, in the order of the cells."""
    return tuple(dict.fromkeys(getattr(cell, field) for cell in among))


def varying(among: Iterable[Cell]) -> list[str]:
    """The factors with more than one level, the tower first, since most results are grouped by tower."""
    cells = list(among)
    return [field for field in ("tower", "play", "setup") if len(levels(field, cells)) > 1]


def grouped(cells: Collection[Cell], among: Collection[Cell]) -> str:
    """Some of the judged cells in short: `rulebook`; `mid`, `mid-urn` under strong, second strong (draft).

    A level is named alone if all its cells are meant. The other cells are grouped by tower or by play, whichever takes
    fewer groups. Factors with a single level are left out.
    """
    fields = varying(among)
    words: list[str] = []
    left = [cell for cell in among if cell in set(cells)]
    for field in reversed(fields):  # a set-up has the most cells, a tower the fewest
        whole = []
        for level in levels(field, left):
            of_level = {cell for cell in among if getattr(cell, field) == level}
            if of_level <= set(cells):
                whole.append(_word(field, level))
                left = [cell for cell in left if cell not in of_level]
        words += [", ".join(whole)] if whole else []
    if left:
        sizes = {field: len(levels(field, among)) for field in fields}
        ways = [
            _groups(left, field, {other: sizes[other] for other in fields if other != field}) for field in fields[:2]
        ]
        shortest = min(ways, key=len)
        words += shortest
    return "; ".join(words)


def _groups(cells: list[Cell], leading: str, others: dict[str, int]) -> list[str]:
    # Levels of the leading factor with the same combinations of the others form one group. `others` has the number of
    # levels of each other factor.
    combinations: dict[str, tuple[tuple[str, ...], ...]] = {}
    for level in levels(leading, cells):
        mine = [cell for cell in cells if getattr(cell, leading) == level]
        combinations[level] = tuple(tuple(getattr(cell, field) for field in others) for cell in mine)
    words = []
    for rest_levels in dict.fromkeys(combinations.values()):
        alike = ", ".join(_word(leading, level) for level in combinations if combinations[level] == rest_levels)
        words.append(f"{alike} under {_listed(rest_levels, others)}" if others else alike)
    return words


def _listed(rest_levels: tuple[tuple[str, ...], ...], others: dict[str, int]) -> str:
    # The levels of the first factor, grouped by their levels of the second, which are not listed if they are all.
    first_field, *second_field = others
    seconds: dict[str, tuple[str, ...]] = {}
    for first, *rest in rest_levels:
        seconds[first] = (*seconds.get(first, ()), *rest)
    words = []
    for second in dict.fromkeys(seconds.values()):
        firsts = ", ".join(_word(first_field, first) for first in seconds if seconds[first] == second)
        whole = not second_field or len(second) == others[second_field[0]]
        words.append(firsts if whole else f"{firsts} ({', '.join(_word(second_field[0], level) for level in second)})")
    return " and ".join(words)


def _word(field: str, level: str) -> str:
    return f"`{level}`" if field == "tower" else SETUP_WORDS.get(level, level) if field == "setup" else level


WEAK, CASUAL, MIDDLING, STRONG = "weak", "casual", "middling", "strong"
STRENGTHS = (WEAK, CASUAL, MIDDLING, STRONG)
LINES = 2  # independent lines of strong play that a claim must be judged in, beside all other strengths, to be robust

# The policies of these plays, as the studies name them. The two strong lines have met neither each other nor a policy
# that met the other. The first began with weights tuned in self-play, then was taught by trials of plans and attacks;
# the second was taught by trials from the start.
WEAK_POLICY, CASUAL_POLICY, MIDDLING_POLICY = "balanced-noise-32", "amateur", "balanced"
STRONG_POLICIES = {3: "master-3p", 4: "master-4p", 5: "master-5p"}
SECOND_POLICIES = {3: "scholar-3p", 4: "scholar-4p", 5: "scholar-5p"}
# Strong policies of before on the first line, the newest first.
EARLIER_POLICIES = {n: (f"expert-{n}p", f"strong-{n}p", f"rival-{n}p", f"tuned-{n}p") for n in (3, 4, 5)}
SEARCH_POLICY, SEARCHED_POLICY = "rollout", "master-4p"  # a search, and the policy whose weights it plays with
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
        Play(STRONG, STRONG, strong, "tuned weights, then trials"),
        Play("second strong", STRONG, second, "trials of plans"),
    )


def command_name(policy: str, players: int = 4) -> str:
    """A policy of the figures by the name that commands know: casual bots by the size of their tables."""
    return {CASUAL_POLICY: f"casual-{players}p", "casual": "casual-2026-11"}.get(policy, policy)


def named(policy: str, players: int = 4) -> str:
    """The same in Markdown."""
    return code(command_name(policy, players))


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
