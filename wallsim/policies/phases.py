"""Phases of a game: rounds by name and spans of them, for which a policy can have other weights (B2, B7).

A table `[weights."year two"]` in a policy file holds in all rounds of the phase. Where two phases of a file share a
round, the shorter one counts; no round lies in two phases of equal length. A winter belongs to the fall before it, the
set-up to the first spring.
"""

from collections.abc import Mapping

from wallsim.rules.terms import ROUND_NAMES, ROUNDS, SEASONS, WINTER, YEARS

_YEARS = ("year one", "year two")

PHASES: dict[str, tuple[int, ...]] = {
    **{_YEARS[year]: tuple(range(year * WINTER, (year + 1) * WINTER)) for year in range(YEARS)},
    **{f"{SEASONS[season]}s": tuple(range(season, ROUNDS, WINTER)) for season in range(WINTER)},
    "last fall": (ROUNDS - 1,),
    **{name: (place,) for place, name in enumerate(ROUND_NAMES)},
}
"""The rounds of each phase, 0 to 5, by name: years, the seasons of both years, single rounds."""


def phase_of(text: str) -> str | None:
    """The phase that a file means by a key: case aside, `_` for a space, and `last fall` as `fall 2`; None if none."""
    name = " ".join(text.replace("_", " ").lower().split())
    if name == "last fall":
        return ROUND_NAMES[-1]
    return name if name in PHASES else None


def weights_in_round(
    weights: Mapping[str, float], phases: Mapping[str, Mapping[str, float]], place: int
) -> dict[str, float]:
    """The weights of a policy in a round, 0 to 5: those of the phases that have it, the shortest first."""
    there = sorted((len(PHASES[phase]), phase) for phase in phases if place in PHASES[phase])
    values = dict(weights)
    for _, phase in reversed(there):
        values.update(phases[phase])
    return values
