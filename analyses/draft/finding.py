"""The first screen of the study `draft`: the counties worth most to casual and to experienced players who draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wallsim.analysis.claims.plays import CASUAL
from wallsim.markdown import markdown_table
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding, best_first
from wallsim.studies.grids import Show, estimate, sure_of

from ..robustness.answers import differing, not_known
from .cells import LINES, PLAYERS, Scope
from .claims import CLAIMS
from .figures import BY_PLAY, ground_of

SHOWN = 10  # counties, the best ones
_NAMED = 2  # of several counties that are not told apart, so many are named


def signed(decimals: int) -> Show:
    """Write a figure with its sign and half-width."""
    return estimate(decimals, "+")


def beneath(units: int, unit: str, what: str) -> Callable[[Sequence[Figure]], str]:
    """The text under a table: what it rests on, and the level of its intervals, those of the first with one."""

    def written(used: Sequence[Figure]) -> str:
        sure = sure_of([each for each in used if each.family > 1] or used)
        few = f" {sure.too_few(units, unit)}" if units < sure.min_blocks else ""
        return (
            f"{what}; {units:,} {unit}; the ± are half-widths of {sure.n_comparisons:,} simultaneous {sure.level:.0%} "
            f"intervals, with errors by game.{few}"
        )

    return written


def plays_of(scope: Scope) -> list[str]:
    """The names of the plays."""
    return [play.name for play in scope.plays]


def finding_of(figures: Figures, scope: Scope) -> Finding | None:
    """The best pick of casual and of experienced players; None if the games of one of them were not played."""
    if scope.quick or not {CASUAL, *LINES} <= set(plays_of(scope)):
        return None
    casual, experienced = (candidates(figures, scope, plays) for plays in ([CASUAL], LINES))
    title = f"{_either(experienced)} is worth most to experienced players who draft, {_either(casual)} to casual ones"
    if casual == experienced:
        title = f"{_either(casual)} is worth most to all who draft"
    return Finding(
        title, _casual(figures, scope), _experienced(figures, scope), not_known(figures, CLAIMS),
        "Map of the counties, coloured by worth to experienced players who draft, mean of both lines of strong play",
        differing(figures, CLAIMS),
    )  # fmt: skip


def groups_of(scope: Scope) -> dict[str, list[str]]:
    """The plays of casual and of experienced players; in a quick look without casual play all plays are one group."""
    plays = plays_of(scope)
    lines = [play for play in LINES if play in plays]
    return {"casual players": [CASUAL], "experienced players": lines} if CASUAL in plays else {"players": plays}


def best_of(figures: Figures, scope: Scope, play: str) -> list[str]:
    """The county that is worth most in a play, and after it those that are not distinguishable from it."""
    worths = _worths(figures, scope, play)
    return best_first(worths, sure_of(list(worths.values())), largest=True)


def candidates(figures: Figures, scope: Scope, plays: Sequence[str]) -> list[str]:
    """The counties that may be worth most in all of some plays, in the order of the first; else the best of each."""
    best = [best_of(figures, scope, play) for play in plays]
    common = [name for name in best[0] if all(name in each for each in best)]
    return common or list(dict.fromkeys(each[0] for each in best))


def best_picks(figures: Figures, scope: Scope) -> str:
    """The ten best picks of casual players, and of experienced ones by the lower of its worths in their two lines.

    In a quick look those of the plays there are.
    """
    columns: list[list[str]] = []
    heads: list[str] = []
    used: list[Figure] = []
    for name, each in groups_of(scope).items():
        worths = [_worths(figures, scope, play) for play in each]
        order = sorted(ground_of(scope).names, key=lambda county: -min(one[county].value for one in worths))
        columns.append(order[:SHOWN])
        columns += [[signed(2)(one[county]) for county in order[:SHOWN]] for one in worths]
        used += worths[0].values()
        heads += [name, *(f"VP, {play}" for play in each)]
    rows = [(str(place), *row) for place, row in enumerate(zip(*columns, strict=True), 1)]
    what = (
        f"Worth in VP of its owner above the table's mean, against the mean county; {PLAYERS} players, mean of "
        f"{len(scope.towers)} towers, counties dealt at random; experienced players in the order of the lower worth of "
        "their lines of play"
    )
    return f"{markdown_table(('pick', *heads), rows)}\n\n{beneath(scope.deals, 'games in each cell', what)(used)}"


def _casual(figures: Figures, scope: Scope) -> str:
    first, *others = best_of(figures, scope, CASUAL)
    told = f", not distinguishable from {_some(others)}" if others else ""
    return f"When they draft, {first} brings most ({_value(figures, scope, CASUAL, first)} VP){told}."


def _experienced(figures: Figures, scope: Scope) -> str:
    best = [best_of(figures, scope, play) for play in LINES]
    (one, *near), (other, *close) = best
    values = [_value(figures, scope, play, each[0]) for play, each in zip(LINES, best, strict=True)]
    if one != other:
        return f"{one} brings most in one line of play ({values[0]} VP), {other} in the other ({values[1]} VP)."
    text = f"{one} brings most ({values[0]} and {values[1]} VP in two lines of play)"
    if near and close:
        return f"{text}, not distinguishable from {_some(list(dict.fromkeys([*near, *close])))}."
    line = "first" if near else "second"
    return f"{text}, in the {line} not distinguishable from {_some(near or close)}." if near or close else f"{text}."


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and others"


def _either(names: Sequence[str]) -> str:
    return " or ".join(names) if len(names) <= _NAMED else f"{names[0]} or another"


def _worths(figures: Figures, scope: Scope, play: str) -> dict[str, Figure]:
    return {name: figures.of(BY_PLAY, name, players=PLAYERS, play=play) for name in ground_of(scope).names}


def _value(figures: Figures, scope: Scope, play: str, name: str) -> str:
    return signed(1)(_worths(figures, scope, play)[name])
